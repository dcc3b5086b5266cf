"""Episodes as arrays: what was solved at which cut, and what it took, per task."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from workbench.metrics.estimable import NotEstimable
from workbench.metrics.repair import break_rate, submitted
from workbench.metrics.units import TurnResult, UnitResult

History = tuple[tuple[bool, bool], ...]
"""Per turn taken: passed the scored tests, accepted by the stop rule's tests."""


@dataclass(frozen=True)
class Episodes:
    """The scored episodes of a cell; row e is one episode.

    Most episodes share their short history with others, so what follows from the history alone is
    worked out once a history and spread over the rows.
    """

    tasks: tuple[str, ...]
    """Tasks that have a scored episode."""
    task: NDArray[np.int64]
    """[E]: index into `tasks`."""
    histories: tuple[History, ...]
    """Each that occurs; an episode of which only the first solved turn is known is written as one
    that was refused until then."""
    history: NDArray[np.int64]
    """[E]: index into `histories`."""
    rule: str
    """Submission rule, one of `repair.SUBMISSION_RULES`."""
    cuts: int
    """T: turns of the recipe."""
    turns: tuple[tuple[TurnResult, ...], ...]
    """Per episode, the turns taken; empty where only the first solved turn is known."""

    def _cut(self, rule: str) -> NDArray[np.bool_]:
        rows = [
            submitted([p for p, _ in h], [a for _, a in h], rule, self.cuts) for h in self.histories
        ]
        return np.array(rows, dtype=np.bool_).reshape(-1, self.cuts)[self.history]

    @cached_property
    def solved(self) -> NDArray[np.bool_]:
        """[E, T]: the program handed in at cut t passes the scored tests."""
        return self._cut(self.rule)

    @cached_property
    def any_turn(self) -> NDArray[np.bool_]:
        """[E, T]: some program of turns 1..t passes (oracle)."""
        return self._cut("any")

    def accepted(self, last: int) -> NDArray[np.bool_]:
        """[E]: some program of turns 1..last was accepted."""
        known = [any(a for _, a in history[:last]) for history in self.histories]
        return np.array(known, dtype=np.bool_)[self.history]

    def broken(self, last: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """[E] each: passing programs that the next repair broke, and that were repaired at all."""
        pairs = [break_rate([[p for p, _ in history[:last]]]) for history in self.histories]
        by_history = np.array(pairs, dtype=np.float64).reshape(-1, 2)[self.history]
        return by_history[:, 0], by_history[:, 1]

    @cached_property
    def tokens(self) -> NDArray[np.float64]:
        """[E, T]: generated tokens up to and with turn t; infinite for turns not taken.

        Raises:
            NotEstimable: the tokens of some turn aren't known.
        """
        taken = np.fromiter(map(len, self.turns), dtype=np.int64, count=len(self.turns))
        counted = [t.generated_tokens for turns in self.turns for t in turns[: self.cuts]]
        if None in counted or not taken.all():
            raise NotEstimable("tokens of some turns aren't known")
        there = np.arange(self.cuts)[None, :] < taken[:, None]
        spent = np.zeros(there.shape)
        spent[there] = np.array(counted, dtype=np.float64)
        return np.where(there, spent.cumsum(axis=1), np.inf)

    def solved_within(self, tokens: int) -> NDArray[np.bool_]:
        """[E]: the program handed in passes when the episode is cut at a budget.

        A turn counts when it ends within the budget; when not even the first does, nothing is
        handed in, which is a failure.
        """
        within = (self.tokens <= tokens).sum(axis=1)
        rows = np.arange(len(self.turns))
        return (within > 0) & self.solved[rows, np.maximum(within, 1) - 1]

    def sums(self, values: NDArray[np.bool_] | NDArray[np.float64]) -> NDArray[np.float64]:
        """[tasks]: sum over the episodes of each task, of one value an episode ([E])."""
        return np.bincount(self.task, weights=values, minlength=len(self.tasks)).astype(np.float64)

    @cached_property
    def sizes(self) -> NDArray[np.float64]:
        """[tasks]: scored episodes of each task."""
        return self.sums(np.ones(len(self.task)))

    def per_task(self, values: NDArray[np.bool_] | NDArray[np.float64]) -> dict[str, float]:
        """Mean over the episodes of each task, of one value an episode ([E])."""
        means = (self.sums(values) / self.sizes).tolist()
        return dict(zip(self.tasks, means, strict=True))


def episodes(units: Iterable[UnitResult], rule: str, turns: int) -> Episodes:
    """Lay the scored episodes out as arrays.

    Args:
        units: every episode that has ended; lost ones are left out.
        rule: submission rule, one of `repair.SUBMISSION_RULES`.
        turns: T, the cuts wanted.
    """
    scored = [unit for unit in units if not unit.lost]
    tasks: dict[str, int] = {}
    histories: dict[History, int] = {}
    task: list[int] = []
    history: list[int] = []
    for unit in scored:
        task.append(tasks.setdefault(unit.task, len(tasks)))
        if unit.turns:
            taken = tuple([(t.outcome == "passed", t.accepted) for t in unit.turns])
        else:
            first = turns + 1 if unit.solved_turn is None else unit.solved_turn
            taken = tuple((t == first, t == first) for t in range(1, min(first, turns) + 1))
        history.append(histories.setdefault(taken, len(histories)))
    return Episodes(
        tasks=tuple(tasks),
        task=np.array(task, dtype=np.int64),
        histories=tuple(histories),
        history=np.array(history, dtype=np.int64),
        rule=rule,
        cuts=turns,
        turns=tuple(unit.turns for unit in scored),
    )
