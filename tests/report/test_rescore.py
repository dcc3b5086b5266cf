"""`rescore`: stored answers under other rules, as a session of their own; the source stays."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.report.made import Made, make_session
from workbench.errors import SessionError, UsageError
from workbench.session.store import SessionReader

Body = Callable[..., Any]

SCRIPT = """
[[answer]]
key = "starter/python/starter/0/*"
texts = ["```python\\ndef double_it(number: int) -> int:\\n    return number * 2\\n```", "nothing"]
[[answer]]
key = "starter/python/starter/2/*"
text = "```python\\ndef is_even(number):\\n    return KNOWN.get(number, False)\\nKNOWN = {4: True, 0: True}\\n```"
"""


def sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def values(found: Any) -> dict[str, Any]:
    return {f"{m['mode']} {m['metric']}": m["value"] for m in found["measurements"]}


def test_a_cut_is_a_session_of_its_own(sessions: Path, command: Any, body: Body) -> None:
    source = make_session(
        sessions / "s",
        Made(["W●", "WW●", "●", "WW?", "WH"], recipe="repair-visible"),
        Made(["●", "W", "W", "W", "W"]),
    )
    before = sha256(source / "session.db")
    text = command("rescore", "s", "--turns", "2", "--name", "cut")
    assert sha256(source / "session.db") == before
    assert "left out: python plain: plain samples have no turns" in text
    assert "solved@≤3 → solved@≤2" in text
    assert "lost: python/1" in text
    found = body("report", "cut")
    # The episode that was lost at turn 3 is whole at a cut at 2.
    assert values(found)["repair solved@≤2"] == pytest.approx(2 / 5)
    (chief,) = [m for m in found["measurements"] if m["metric"] == "solved@≤2"]
    assert chief["units"]["lost"] == 0
    assert "; ≤2]" in chief["label"]
    whole = body("report", "s")
    assert values(whole)["repair solved@≤3"] == pytest.approx(3 / 4)
    assert chief["fingerprint"] != next(iter(whole["measurements"]))["fingerprint"]


@pytest.mark.parametrize(
    ("words", "error", "match"),
    [
        ((), UsageError, "rescore what"),
        (("--turns", "4"), UsageError, "no cell"),
        (("--limits", "published"), UsageError, "only --turns"),
        (("--turns", "1", "--name", "s"), UsageError, "exists already"),
    ],
)
def test_what_can_not_be_is_refused_and_leaves_nothing(
    sessions: Path, command: Any, words: tuple[str, ...], error: Any, match: str
) -> None:
    make_session(sessions / "s", Made(["W●"], recipe="repair-visible"))
    with pytest.raises(error, match=match):
        command("rescore", "s", *words)
    assert [p.name for p in sessions.iterdir()] == ["s"]


def test_a_session_that_is_not_whole_is_refused(sessions: Path, command: Any) -> None:
    import sqlite3

    path = make_session(sessions / "s", Made(["W●"], recipe="repair-visible"))
    db = sqlite3.connect(path / "session.db")
    db.execute("UPDATE unit SET outcome = NULL")
    db.commit()
    db.close()
    with pytest.raises(SessionError, match="1 open units"):
        command("rescore", "s", "--turns", "1")


def test_answers_are_judged_anew_without_a_model(sessions: Path, command: Any, body: Body) -> None:
    script = sessions.parent / "model.toml"
    script.write_text(SCRIPT, encoding="utf-8")
    command(
        "run", "-b", "starter", "-l", "python", "-m", f"scripted:{script}", "--tasks", "0,2",
        "--sandbox", "process", "--slots", "2", "-n", "2", "--mode", "plain",
        "--mode", "repair-visible", "--name", "s", "--plain", "--cutoff", "2020-05",
        "--statement", "a made model",
    )  # fmt: skip
    memory = body("report", "s")["memorisation"]
    assert memory["copies"][0]["copies"] == 1  # starter/0's first sample; known values are none
    assert memory["copies"][0]["share"] == 1 / 4
    assert (memory["cutoff"], memory["statement"]) == (["2020-05"], ["a made model"])
    assert "after it: not in its training data, if that holds" in command("report", "s")
    script.unlink()  # a model that were asked would fail
    command("rescore", "s", "--suite", "held-out", "--name", "hidden")
    found = body("report", "hidden")
    labels = {m["label"].split(" · ")[0] for m in found["measurements"]}
    assert labels == {"starter/python@1.f60780d7{2 of 34 tasks: 0,2}+base(held-out)"}
    text = command("rescore", "s", "--extraction", "raw", "--name", "raw")
    assert "left out: python repair-visible" in text
    assert values(body("report", "raw"))["plain pass@1"] == 0
    with SessionReader.open(sessions / "raw") as reader:
        assert reader.meta()["rescored_from"] == {
            "session": "s",
            "changes": {"extraction": "raw"},
        }
        first = next(iter(reader.first_answers()))[0]
    with SessionReader.open(sessions / "s") as reader:
        assert first in {key for key, _ in reader.first_answers()}
    assert json.loads((sessions / "raw" / "protocol.json").read_text())["cells"]


def test_what_was_said_between_turns_is_kept(sessions: Path, command: Any) -> None:
    path = make_session(sessions / "s", Made(["W●"], recipe="repair-visible"))
    import asyncio

    from workbench.session.writer import SessionWriter

    async def explain() -> None:
        writer = SessionWriter(path)
        usage = {"prompt_tokens": 7, "completion_tokens": 3, "reasoning_tokens": None}
        said = {"text": "why", "usage": usage, "cost_usd": None, "seconds": 0.1, "attempts": []}
        await writer.add_step(1, 2, "explain", request={}, completion=said)
        writer.close()

    asyncio.run(explain())
    command("rescore", "s", "--turns", "2", "--name", "two")
    command("rescore", "s", "--turns", "1", "--name", "one")
    with SessionReader.open(sessions / "two") as reader:
        assert [(step.turn, step.raw) for step in reader.steps(1)] == [(2, "why")]
        assert [turn.calls for turn in reader.turn_outcomes()[1]] == [1, 2]
    with SessionReader.open(sessions / "one") as reader:
        assert reader.steps(1) == []
