"""What metrics are made from: one record a sample or episode, and their counts per task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

SCORED = (
    "passed",
    "wrong_answer",
    "runtime_error",
    "compile_error",
    "timeout",
    "out_of_memory",
    "output_limit",
    "no_code",
    "refused",
)
"""Outcomes that count for or against the model."""

LOST = ("generation_failed", "sandbox_error")
"""Outcomes that are the infrastructure's: never in n, always printed."""

FLAGS = ("suspect", "unstable", "near_limit", "truncated")
"""What may be said of a unit beside its outcome, and is counted beside the number."""

OUTCOMES = SCORED + LOST
"""Every outcome, in the order used everywhere."""


@dataclass(frozen=True, slots=True)
class TurnResult:
    """One turn of an episode."""

    outcome: str
    """Scored outcome of this turn's program."""
    accepted: bool = False
    """Whether the stop rule's tests accepted this program (visible tests passed, say)."""
    generated_tokens: int | None = None
    """Tokens the model wrote in this turn, feedback calls included; `None`: nobody counted."""
    prompt_tokens: int | None = None
    """Tokens the model read in this turn; `None`: nobody counted."""
    calls: int = 1
    """Model calls of this turn, feedback calls included."""

    @property
    def passed(self) -> bool:
        """Whether this turn's program passes the scored tests."""
        return self.outcome == "passed"


@dataclass(frozen=True, slots=True)
class UnitResult:
    """One sample or one episode that has ended: the only thing that counts in a number."""

    task: str
    """The task's problem name, the same in every language: estimates are made per task, and cells
    of two languages are paired by it."""
    index: int
    """Which sample or episode of its task, from 0."""
    outcome: str
    """Outcome of the program handed in; one of `OUTCOMES`."""
    turns: tuple[TurnResult, ...] = ()
    """Repair: every turn, in order. Plain: empty."""
    solved_turn: int | None = None
    """Repair, when `turns` aren't loaded: the first cut at which the program handed in passes."""

    @property
    def lost(self) -> bool:
        """Whether the infrastructure lost it."""
        return self.outcome in LOST

    @property
    def passed(self) -> bool:
        """Whether the program handed in passes the scored tests."""
        return self.outcome == "passed"


@dataclass(frozen=True, slots=True)
class TaskTally:
    """What came of one task's units."""

    scored: int
    """n of the estimators."""
    passed: int
    """c of the estimators."""
    lost: int


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of a cell: per task and per outcome."""

    tasks: Mapping[str, TaskTally]
    """In the order in which tasks first occur."""
    outcomes: Mapping[str, int]
    """Every outcome of `OUTCOMES`, zeros included."""

    @property
    def scored(self) -> int:
        """Units that count."""
        return sum(t.scored for t in self.tasks.values())

    @property
    def lost(self) -> int:
        """Units the infrastructure lost."""
        return sum(t.lost for t in self.tasks.values())


def tally(units: Iterable[UnitResult]) -> Tally:
    """Count units per task and outcome.

    Raises:
        ValueError: an outcome is unknown, or a task has two units with one index.
    """
    counted: dict[str, Counter[str]] = {}
    seen: dict[str, set[int]] = {}
    for unit in units:
        if unit.task not in counted:
            counted[unit.task] = Counter()
            seen[unit.task] = set()
        indexes = seen[unit.task]
        if unit.index in indexes:
            raise ValueError(f"task {unit.task} has unit {unit.index} twice: each counts once")
        indexes.add(unit.index)
        counted[unit.task][unit.outcome] += 1
    return tally_of_counts(counted)


def tally_of_counts(counted: Mapping[str, Counter[str]]) -> Tally:
    """The same from the number of units by outcome of each task.

    Raises:
        ValueError: an outcome is unknown.
    """
    outcomes: Counter[str] = Counter()
    for counts in counted.values():
        outcomes.update(counts)
    unknown = set(outcomes) - set(OUTCOMES)
    if unknown:
        raise ValueError(f"unknown outcome {sorted(unknown)[0]!r}: one of {', '.join(OUTCOMES)}")
    return Tally(
        {task: _of_task(counts) for task, counts in counted.items()},
        {outcome: outcomes[outcome] for outcome in OUTCOMES},
    )


def count_flags(found: Mapping[str, int]) -> dict[str, int]:
    """Counts of the flags that stand beside a number, zeros included, in the order used everywhere."""
    return {flag: found.get(flag, 0) for flag in FLAGS}


def _of_task(counts: Counter[str]) -> TaskTally:
    lost = sum(counts[outcome] for outcome in LOST)
    return TaskTally(scored=counts.total() - lost, passed=counts["passed"], lost=lost)
