"""What stands beside pass@k and solved@≤t: picking without an oracle, equal budgets, held-out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.report.made import Made, make_session

Body = Callable[..., Any]


def named(found: Any, metric: str) -> Any:
    (one,) = [m for m in found["measurements"] if m["metric"] == metric]
    return one


def test_beside_every_pass_at_k_stands_what_a_user_could_pick(sessions: Path, body: Body) -> None:
    # Task 0: the visible tests tell the right one; task 1: they are fooled; task 2: nothing passes.
    logprobs = {(t, i): -1.0 + 0.5 * (i == 0) for t in range(3) for i in range(2)}
    make_session(sessions / "s", Made(["● W", "● H", "W W"], ks=[1, 2], logprobs=logprobs))
    found = body("report", "s")
    values = {m["metric"]: m["value"] for m in found["measurements"]}
    assert values["pass@2"] == pytest.approx(2 / 3)
    assert values["picked@2 by visible-tests"] == pytest.approx((1 + 0.5 + 0) / 3)
    assert values["picked@2 by mean-logprob"] == pytest.approx(2 / 3)
    assert values["pass@1"] == pytest.approx(1 / 3)
    assert "by visible-tests (n=2, T=0.8" in named(found, "picked@2 by visible-tests")["label"]


def test_what_was_not_looked_at_can_not_be_picked_by(sessions: Path, body: Body) -> None:
    make_session(
        sessions / "s",
        Made(["● W", "● !"], ks=[1, 2]),
    )
    found = body("report", "s")
    assert "picked@2 by mean-logprob" not in {m["metric"] for m in found["measurements"]}
    assert named(found, "picked@2 by visible-tests")["value"] is None  # as pass@2: n 1 < k 2


def test_repair_is_set_beside_resampling_at_what_it_costs(
    sessions: Path, command: Any, body: Body
) -> None:
    plain = Made(["● W W W"] * 20 + ["W W W W"] * 20, ks=[1, 2])
    chains = Made(["● W● WW● WWW"] * 20 + ["WWW WWW WWW WWW"] * 20, recipe="repair-visible")
    make_session(sessions / "s", plain, chains)
    rows = {(r["budget"], r["against"][:3]): r for r in body("report", "s")["equal_budget"]}
    calls = rows["calls", "any"]
    # Episodes take 1, 2, 3, 3 turns in one half, 3 in the other: (2.25 + 3) / 2.
    assert calls["episode"] == calls["samples"] == pytest.approx(2.625)
    assert calls["repair"] == pytest.approx(0.375)
    assert calls["plain"] == pytest.approx(0.5 * (0.375 * 0.5 + 0.625 * 0.75))
    assert calls["gain"] == pytest.approx(calls["repair"] - calls["plain"])
    assert rows["generated tokens", "any"]["episode"] == pytest.approx(26.25)
    assert rows["money", "any"]["episode"] == pytest.approx(0.02625)
    # Prompts grow, so by all tokens an episode is worth more samples than were drawn.
    assert "out of range 1..4" in rows["total tokens", "any"]["missing"]
    assert "any of k′ (oracle)" in command("report", "s")


def test_held_out_tests_alone_bound_the_value(sessions: Path, body: Body) -> None:
    make_session(sessions / "s", Made(["● W", "H C"], ks=[1, 2]))
    (found,) = body("report", "s")["held_out"]
    assert found["scored"] == 0.25
    assert found["held_out"] == [0.25, 0.5]  # only the W may pass what it wasn't told of
    assert found["open"] == 1


def test_token_budgets_are_asked_for(sessions: Path, body: Body) -> None:
    make_session(sessions / "s", Made(["W●", "WW●"], recipe="repair-visible"))
    values = {
        m["metric"]: m["value"] for m in body("report", "s", "--tokens", "10,20")["measurements"]
    }
    assert (values["solved@≤10 tok"], values["solved@≤20 tok"]) == (0.0, 0.5)


def test_rates_of_few_are_counts(sessions: Path, command: Any) -> None:
    make_session(sessions / "s", Made(["W●", "WWW", "W●", "●"], recipe="repair-visible"))
    lines = command("report", "s").splitlines()
    head = next(i for i, line in enumerate(lines) if "fix-rate@2" in line)
    assert lines[head + 1].split()[:3] == ["python", "2/3", "0/1"]
