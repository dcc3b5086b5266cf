"""Published results stand apart, under a label that says so; real ones come out as published."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from workbench.errors import DataError, UsageError

SAMPLES = Path(__file__).parents[3] / "shared" / "data" / "model-samples"
SEED = SAMPLES / "ldb/input_data/humaneval/seed/gpt-3.5-turbo-0613/seed.jsonl"
RESULTS = SAMPLES / "ldb/results/ldb/humaneval/gpt-3.5-turbo-0613/results.jsonl"
REFLEXION = next(SAMPLES.glob("reflexion/*humaneval_py*/*.jsonl"), SAMPLES / "none")
PLAIN = "humaneval/python+base · plain · pass@1 !IMPORTED"
DEBUGGED = (
    "humaneval/python+base · repair[visible-tests+explain+trace; full; stop=visible; ≤11] · "
    "solved@≤11 !IMPORTED"
)
REFLECTED = (
    "humaneval/python+base · repair[self-tests+explain; last; stop=self] · solved@≤2 !IMPORTED"
)

Body = Callable[..., Any]


def write(file: Path, *rows: Any) -> str:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(file)


@pytest.mark.skipif(not RESULTS.is_file(), reason="the published files aren't beside this checkout")
def test_a_published_debugger_comes_out_as_published(body: Body, command: Any) -> None:
    words = ("published", str(SEED), str(RESULTS), "--label", PLAIN, "--label", DEBUGGED)
    found = body(*words)
    assert [(p["solved"], p["tasks"]) for p in found["published"]] == [(121, 164), (136, 164)]
    (change,) = found["differences"]
    assert (len(change["lost"]), len(change["gained"])) == (1, 16)
    assert change["p"] == pytest.approx(0.000274658203125)
    text = command(*words)
    assert "+9.1" in text
    assert "0.00027" in text


@pytest.mark.skipif(not REFLEXION.is_file(), reason="the published file isn't beside this checkout")
def test_published_reflections_come_out_as_published(body: Body) -> None:
    (found,) = body("published", str(REFLEXION), "--label", REFLECTED)["published"]
    assert (found["solved"], found["tasks"]) == (150, 164)


def test_a_label_must_say_that_it_is_imported(tmp_path: Path, command: Any) -> None:
    file = write(tmp_path / "r.jsonl", {"task_id": "a", "is_solved": True})
    with pytest.raises(UsageError, match="a measured number needs its draws"):
        command("published", file, "--label", PLAIN.removesuffix(" !IMPORTED"))
    with pytest.raises(UsageError, match="!IMPORTED"):
        command("published", file, "--label", "humaneval/python · plain · pass@1 (greedy) (n=1)")
    with pytest.raises(UsageError, match="belongs to plain"):
        command("published", file, "--label", DEBUGGED.replace("solved@≤11", "pass@3"))
    with pytest.raises(UsageError, match="once for each file"):
        command("published", file, file, "--label", PLAIN)


@pytest.mark.parametrize(
    ("rows", "match"),
    [
        ([{"task_id": "a"}], "line 1: needs"),
        ([{"task_id": "a", "is_solved": True}, {"task_id": "a", "is_solved": False}], "line 2"),
        ([], "no rows"),
        ([[1]], "line 1: needs"),
    ],
)
def test_a_wrong_row_is_named(tmp_path: Path, command: Any, rows: list[Any], match: str) -> None:
    file = write(tmp_path / "r.jsonl", *rows)
    with pytest.raises(DataError, match=match):
        command("published", file, "--label", PLAIN)
