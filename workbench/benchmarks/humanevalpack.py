"""HumanEvalPack: HumanEval-X's problems, each with a reference and a buggy solution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from workbench.benchmarks import humaneval_x
from workbench.benchmarks.defects import Defect, reason_in
from workbench.benchmarks.rows import Row
from workbench.benchmarks.task import Task

FIELDS = (*humaneval_x.FIELDS, "buggy_solution", "bug_type", "entry_point")

PASSING_BUGS: Mapping[str, Defect] = {}
"""Buggy solutions that pass their test."""


def recognises(row: Row) -> bool:
    """Whether a row has HumanEvalPack's fields and one of its languages."""
    return humaneval_x.recognises(row) and all(field in row.fields for field in FIELDS)


def tasks(rows: Sequence[Row], benchmark: str) -> list[Task]:
    """The tasks of HumanEvalPack's rows, of whatever languages.

    Raises:
        DataError: a field is missing or the language is none of the five; the line names it.
    """
    made = humaneval_x.tasks(rows, benchmark)
    return [_with_bug(task, row) for task, row in zip(made, rows, strict=True)]


def _with_bug(task: Task, row: Row) -> Task:
    buggy = row.text("buggy_solution")
    return replace(
        task,
        family="humanevalpack",
        buggy=buggy,
        buggy_known_good=reason_in(PASSING_BUGS, task.id, buggy),
    )
