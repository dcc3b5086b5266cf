"""Sample files in the forms they are passed around."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from workbench.benchmarks.task import Task
from workbench.errors import DataError, SamplesMissing
from workbench.samples import candidates_from


def write(path: Path, *rows: dict[str, Any]) -> Path:
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def row(number: int, text: str = "    return x\n", field: str = "completion") -> dict[str, Any]:
    return {"task_id": f"HumanEval/{number}", field: text}


@pytest.mark.parametrize("name", ["s.jsonl", "s.jsonl.gz"])
@pytest.mark.parametrize(
    ("field", "form"), [("completion", "body"), ("generation", "body"), ("solution", "full")]
)
def test_the_field_says_what_the_text_is(
    tmp_path: Path, three_tasks: list[Task], name: str, field: str, form: str
) -> None:
    path = write(tmp_path / name, *(row(i, f"  {i}", field) for i in range(3)))
    found = candidates_from(path, three_tasks)
    assert [(s.task_id, s.index, s.candidate.text, s.candidate.form) for s in found.samples] == [
        (f"HumanEval/{i}", 0, f"  {i}", form) for i in range(3)
    ]


def test_a_whole_program_wins_over_a_completion(tmp_path: Path, three_tasks: list[Task]) -> None:
    both = row(0) | {"solution": "def f0(x): return x"}
    found = candidates_from(write(tmp_path / "s.jsonl", both), three_tasks, subset=True)
    assert found.samples[0].candidate.form == "full"


def test_repeated_tasks_are_samples_and_duplicates_are_counted(
    tmp_path: Path, three_tasks: list[Task]
) -> None:
    rows = [row(0, "a"), row(1, "a"), row(0, "b"), row(0, "a"), row(2, "a")]
    found = candidates_from(write(tmp_path / "s.jsonl", *rows), three_tasks)
    assert [s.index for s in found.samples] == [0, 0, 1, 2, 0]
    assert found.duplicates == 1
    assert found.n == (1, 3)
    assert found.missing == []


def test_missing_tasks_are_refused_unless_a_subset_is_meant(
    tmp_path: Path, three_tasks: list[Task]
) -> None:
    path = write(tmp_path / "s.jsonl", row(1))
    with pytest.raises(
        SamplesMissing, match=r"no sample for 2 of 3 tasks \(HumanEval/0, HumanEval/2\)"
    ):
        candidates_from(path, three_tasks)
    assert SamplesMissing.exit_code == 1  # nothing is wrong with the call: it is the number
    found = candidates_from(path, three_tasks, subset=True)
    assert found.missing == ["HumanEval/0", "HumanEval/2"]
    assert found.n == (1, 1)


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ({"task_id": "HumanEval/9", "completion": ""}, "line 2: no task 'HumanEval/9'"),
        ({"completion": ""}, "line 2: field 'task_id' is missing"),
        ({"task_id": 3, "completion": ""}, "line 2: field 'task_id' is int"),
        ({"task_id": "HumanEval/1"}, "line 2: none of the fields solution, completion"),
        ({"task_id": "HumanEval/1", "completion": ["x"]}, "line 2: field 'completion' is list"),
    ],
)
def test_what_is_no_sample_names_its_line(
    tmp_path: Path, three_tasks: list[Task], bad: dict[str, Any], said: str
) -> None:
    with pytest.raises(DataError, match=said):
        candidates_from(write(tmp_path / "s.jsonl", row(0), bad), three_tasks)


@pytest.mark.parametrize("layout", ["HumanEval_{}", "HumanEval/{}"])
def test_folders_of_programs(tmp_path: Path, three_tasks: list[Task], layout: str) -> None:
    for number in range(3):
        for sample in (0, 1, 10, 2):
            path = tmp_path / layout.format(number) / f"{sample}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"# {number} {sample}")
    (tmp_path / "notes.md").write_text("not a program")
    found = candidates_from(tmp_path, three_tasks)
    assert found.n == (4, 4)
    own = [s for s in found.samples if s.task_id == "HumanEval/1"]
    assert [(s.index, s.candidate.text) for s in own] == [
        (0, "# 1 0"),
        (1, "# 1 1"),
        (2, "# 1 2"),
        (3, "# 1 10"),
    ]
    assert {s.candidate.form for s in found.samples} == {"full"}


def test_folders_with_other_tasks_or_nothing_are_refused(
    tmp_path: Path, three_tasks: list[Task]
) -> None:
    with pytest.raises(DataError, match="no samples in it"):
        candidates_from(tmp_path, three_tasks)
    (tmp_path / "Other_1").mkdir()
    (tmp_path / "Other_1" / "0.py").write_text("")
    with pytest.raises(DataError, match="no task 'Other_1'"):
        candidates_from(tmp_path, three_tasks)
