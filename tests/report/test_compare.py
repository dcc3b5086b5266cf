"""`compare`: paired on common tasks, flips named, another identity refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.report.made import Made, make_session
from workbench.errors import UsageError

Body = Callable[..., Any]


def test_two_models_are_paired_and_their_flips_named(
    sessions: Path, command: Callable[..., str], body: Body
) -> None:
    make_session(sessions / "a", Made([*["●"] * 121, *["W"] * 43]), model="one")
    make_session(sessions / "b", Made([*["●"] * 120, "W", *["●"] * 16, *["W"] * 27]), model="two")
    (found,) = body("compare", "a", "b")["comparisons"]
    assert (found["common"], len(found["lost"]), len(found["gained"])) == (164, 1, 16)
    assert found["difference"] == pytest.approx(15 / 164)
    assert (found["test"], found["p"]) == ("mcnemar", pytest.approx(0.000274658203125))
    text = command("compare", "a", "b")
    assert "lost: python/120" in text
    assert "0.00027" in text
    assert "separable" in text


def test_no_difference_comes_with_what_could_have_been_seen(sessions: Path, command: Any) -> None:
    for name in "ab":
        make_session(sessions / name, Made(["●", "W"] * 20))
    assert "no difference found; 15.0 points could have been" in command("compare", "a", "b")


def test_only_common_tasks_count_and_the_others_are_named(sessions: Path, body: Body) -> None:
    make_session(sessions / "a", Made(["●", "W", "●"]))
    make_session(sessions / "b", Made(["●", "●"]))
    (found,) = body("compare", "a", "b")["comparisons"]
    assert (found["common"], found["only_a"]) == (2, ["python/2"])
    assert found["value_a"] == 0.5


def test_languages_stand_in_columns_and_are_paired_by_problem(
    sessions: Path, command: Any, body: Body
) -> None:
    make_session(sessions / "s", Made(["●", "●", "W"]), Made(["W", "●", "W", "●"], language="go"))
    found = body("compare", "s", "--by", "language")
    assert found["comparisons"][0]["lost"] == ["0"]
    assert found["comparisons"][0]["common"] == 3
    rows = {r["problem"]: r["languages"] for r in found["problems"]}
    assert rows["0"] == {"python": [1, 1], "go": [0, 1]}
    assert rows["3"] == {"python": None, "go": [1, 1]}
    assert "problem  python   go" in command("compare", "s", "--by", "language")


def test_another_identity_is_refused_with_the_reason(sessions: Path, command: Any) -> None:
    make_session(sessions / "a", Made(["●"]))
    make_session(sessions / "b", Made(["●"], judged={"benchmark": "humaneval"}))
    with pytest.raises(UsageError, match=r"eval\.benchmark: starter → humaneval"):
        command("compare", "a", "b")


def test_plain_and_repair_meet_at_equal_budget_only(sessions: Path, body: Body) -> None:
    make_session(sessions / "s", Made(["● W"]), Made(["W● W●"], recipe="repair-visible"))
    found = body("compare", "s", "--by", "mode")
    assert "no one metric" in found["comparisons"][0]["refused"]
    assert found["comparisons"][0]["difference"] is None
    assert {row["budget"] for row in found["equal_budget"]} >= {"calls", "money"}


def test_material_differences_are_named(sessions: Path, command: Any) -> None:
    make_session(sessions / "a", Made(["● W"]))
    make_session(sessions / "b", Made(["● ●"], temperature=0.2))
    assert "they differ in gen.temperature: 0.8 → 0.2" in command("compare", "a", "b")


def test_several_comparisons_are_corrected(sessions: Path, body: Body) -> None:
    make_session(sessions / "a", Made(["W"] * 40))
    for name, gained in (("b", 6), ("c", 7), ("d", 0)):
        make_session(sessions / name, Made(["●"] * gained + ["W"] * (40 - gained)))
    found = body("compare", "a", "b", "c", "d")["comparisons"]
    assert [c["p"] for c in found] == [0.03125, 0.015625, 1.0]
    assert [c["p_holm"] for c in found] == [0.0625, 0.046875, 1.0]


def test_the_best_temperature_is_a_selection_and_says_so(
    sessions: Path, command: Any, body: Body
) -> None:
    make_session(sessions / "a", Made(["● W", "W W"], temperature=0.2, ks=[1, 2]))
    make_session(sessions / "b", Made(["● ●", "W W"], temperature=0.9, ks=[1, 2]))
    found = {m["metric"]: m for m in body("compare", "a", "b", "--max-T")["measurements"]}
    best = found["pass@1 max_T{0.2,0.9}"]
    assert best["value"] == 0.5
    assert "pass@1 max_T{0.2,0.9} (n=2, top_p=0.95)" in best["label"]
    assert any("chosen on the tasks it is reported for" in note for note in best["notes"])
    make_session(sessions / "c", Made(["● W", "W W"], temperature=0.2))
    with pytest.raises(UsageError, match="each once"):
        command("compare", "a", "b", "c", "--max-T")
    make_session(sessions / "d", Made(["● W"], temperature=0.4, judged={"benchmark": "mbpp"}))
    with pytest.raises(UsageError, match="no grid of temperatures"):
        command("compare", "a", "d", "--max-T")
