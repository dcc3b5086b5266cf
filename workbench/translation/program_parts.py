"""What every language's driver needs: the cases of a suite, and where a candidate's lines are."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from workbench.benchmarks.task import Task
from workbench.execution.program import DataCase
from workbench.translation.typed import Case, TypedTask
from workbench.translation.values import channel_value, holds

TOKEN = "@TOKEN@"
"""Where the pass token goes in a driver template; never searched for in a candidate's text."""


def typed_task(task: Task) -> TypedTask:
    """Return the middle form of a task of the family `typed`.

    Raises:
        ValueError: the task has none.
    """
    if task.typed is None:
        raise ValueError(f"task {task.id} has no typed form")
    return task.typed


def suite_cases(task: TypedTask, suite: str) -> tuple[Case, ...]:
    """Return the cases of a suite: `visible`, or `scored` (visible, then held-out).

    Raises:
        ValueError: another suite, or one without cases.
    """
    if suite not in ("visible", "scored"):
        raise ValueError(f"unknown suite {suite!r}: there are scored, visible")
    cases = task.visible if suite == "visible" else (*task.visible, *task.held_out)
    if not cases:
        raise ValueError(f"task {task.id} has no {suite} cases")
    return cases


def data_cases(
    task: TypedTask, cases: Sequence[Case], call: Callable[[TypedTask, Case], str]
) -> tuple[DataCase, ...]:
    """Return what the supervisor compares results with; `call` writes a case for people."""
    result = task.signature.result
    kind = "float" if holds(result, "float") else "exact"
    return tuple(
        DataCase(channel_value(result, c.expected), kind, task.tolerance, call(task, c))
        for c in cases
    )


def template_pieces(template: str) -> tuple[str, ...]:
    """Split a driver template at the places of the pass token."""
    return tuple(template.split(TOKEN))


def candidate_span(before: str, text: str) -> tuple[int, int]:
    """First and last line (from 1) of `text` in a file where `before` stands in front of it."""
    first = before.count("\n") + 1
    return first, first + text.rstrip("\n").count("\n")
