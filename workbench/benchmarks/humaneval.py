"""HumanEval: Python, the tests are code that defines `check`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workbench.benchmarks.defects import Defect, reason_in
from workbench.benchmarks.doctests import visible_tests
from workbench.benchmarks.rows import Row
from workbench.benchmarks.task import Task

FIELDS = ("task_id", "prompt", "entry_point", "canonical_solution", "test")
LANGUAGE = "python"

RANDOM_TESTS = frozenset({"HumanEval/32", "HumanEval/38", "HumanEval/50", "HumanEval/53"})
"""Tasks whose tests draw random inputs."""

WRONG_EXAMPLES: Mapping[str, Defect] = {
    "HumanEval/47": Defect(
        "12794c9b475e4c41",
        "the second example wants 15.0 for the median of [-10, 4, 6, 1000, 10, 20]",
    ),
}
"""Tasks whose docstring examples are wrong: such a task has no visible tests."""


def recognises(row: Row) -> bool:
    """Whether a row has HumanEval's fields."""
    return all(field in row.fields for field in FIELDS)


def tasks(rows: Sequence[Row], benchmark: str) -> list[Task]:
    """The tasks of HumanEval's rows.

    Raises:
        DataError: a field is missing; the line names it.
    """
    return [_task(row, benchmark) for row in rows]


def _task(row: Row, benchmark: str) -> Task:
    name, prompt, entry_point = (row.text(f) for f in ("task_id", "prompt", "entry_point"))
    wrong = reason_in(WRONG_EXAMPLES, name, prompt)
    examples = "" if wrong else visible_tests(prompt, entry_point)
    return Task(
        benchmark=benchmark,
        family="humaneval",
        id=name,
        problem=name.rsplit("/", 1)[-1],
        language=LANGUAGE,
        entry_point=entry_point,
        prompt=prompt,
        reference=row.text("canonical_solution"),
        test=row.text("test"),
        visible_test=examples,
        parts={"bare_test": "pass\n"},
        random_tests=name in RANDOM_TESTS,
    )
