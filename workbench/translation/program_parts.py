"""What every language's driver needs: the cases of a suite, the driver's template filled."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import TypeVar

from workbench.benchmarks.task import Task
from workbench.execution.program import DataCase
from workbench.translation.typed import Case, TypedTask
from workbench.translation.values import channel_value, holds

T = TypeVar("T")

TASKS_KEPT = 2048
TOKEN = "@TOKEN@"
"""Where the pass token goes in a driver template."""


def typed_task(task: Task) -> TypedTask:
    """Return the middle form of a task of the family `typed`.

    Raises:
        ValueError: the task has none.
    """
    if task.typed is None:
        raise ValueError(f"task {task.id} has no typed form")
    return task.typed


def once_a_task(make: Callable[[TypedTask, str], T]) -> Callable[[TypedTask, str], T]:
    """Remember what `make` gives for a task and suite: it is the same for every candidate.

    Tasks are told apart by identity: their values needn't be hashable.
    """
    kept: OrderedDict[tuple[int, str], tuple[TypedTask, T]] = OrderedDict()

    @wraps(make)
    def remembered(task: TypedTask, suite: str) -> T:
        key = (id(task), suite)
        found = kept.get(key)
        if found is None:
            # The task is kept along with it, so that no other can get its identity.
            found = kept[key] = (task, make(task, suite))
            if len(kept) > TASKS_KEPT:
                kept.popitem(last=False)
        return found[1]

    return remembered


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


def driver_pieces(template: Path, insertions: Mapping[str, str]) -> tuple[str, ...]:
    """Fill a driver template: `insertions` by mark, the places of the pass token as gaps.

    The gaps are found first, so that no inserted text can make one.
    """
    pieces = template.read_text(encoding="utf-8").split(TOKEN)
    for mark, text in insertions.items():
        pieces = [piece.replace(mark, text) for piece in pieces]
    return tuple(pieces)
