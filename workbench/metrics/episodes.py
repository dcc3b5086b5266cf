"""Episodes as arrays: what was solved at which cut, per task."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.metrics.repair import submitted
from workbench.metrics.units import TurnResult, UnitResult


@dataclass(frozen=True, slots=True)
class Episodes:
    """The scored episodes of a cell; row e is one episode."""

    tasks: tuple[str, ...]
    """Tasks that have a scored episode."""
    task: NDArray[np.int64]
    """[E]: index into `tasks`."""
    solved: NDArray[np.bool_]
    """[E, T]: the program handed in at cut t passes the scored tests."""
    any_turn: NDArray[np.bool_]
    """[E, T]: some program of turns 1..t passes (oracle)."""
    turns: tuple[tuple[TurnResult, ...], ...]
    """Per episode, the turns taken; empty where only the first solved turn is known."""

    def per_task(self, values: NDArray[np.bool_] | NDArray[np.float64]) -> dict[str, float]:
        """Mean over the episodes of each task, of one value an episode ([E])."""
        count = np.bincount(self.task, minlength=len(self.tasks))
        total = np.bincount(self.task, weights=values, minlength=len(self.tasks))
        return dict(zip(self.tasks, (total / count).tolist(), strict=True))

    def counts(self, values: NDArray[np.bool_]) -> list[tuple[int, int]]:
        """(episodes, those where the value holds) of each task."""
        count = np.bincount(self.task, minlength=len(self.tasks))
        total = np.bincount(self.task, weights=values, minlength=len(self.tasks))
        return [(int(n), int(c)) for n, c in zip(count, total, strict=True)]

    def sums(self, values: NDArray[np.bool_] | NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum over the episodes of each task."""
        return np.bincount(self.task, weights=values, minlength=len(self.tasks)).astype(np.float64)


def episodes(units: Iterable[UnitResult], rule: str, turns: int) -> Episodes:
    """Lay the scored episodes out as arrays.

    Args:
        units: every episode that has ended; lost ones are left out.
        rule: submission rule, one of `repair.SUBMISSION_RULES`.
        turns: T, the cuts wanted.
    """
    scored = [unit for unit in units if not unit.lost]
    names: dict[str, int] = {}
    task = np.empty(len(scored), dtype=np.int64)
    solved = np.zeros((len(scored), turns), dtype=np.bool_)
    any_turn = np.zeros((len(scored), turns), dtype=np.bool_)
    # Most episodes share their short history with others: each history is worked out once.
    known: dict[tuple[tuple[bool, bool], ...], tuple[list[bool], list[bool]]] = {}
    for row, unit in enumerate(scored):
        task[row] = names.setdefault(unit.task, len(names))
        if not unit.turns:
            first = turns + 1 if unit.solved_turn is None else unit.solved_turn
            solved[row, first - 1 :] = True
            any_turn[row, first - 1 :] = True
            continue
        history = tuple([(t.outcome == "passed", t.accepted) for t in unit.turns])
        if history not in known:
            known[history] = _cuts(history, rule, turns)
        solved[row], any_turn[row] = known[history]
    return Episodes(tuple(names), task, solved, any_turn, tuple(unit.turns for unit in scored))


def _cuts(
    history: Sequence[tuple[bool, bool]], rule: str, turns: int
) -> tuple[list[bool], list[bool]]:
    passed = [p for p, _ in history]
    accepted = [a for _, a in history]
    return submitted(passed, accepted, rule, turns), submitted(passed, accepted, "any", turns)


def solved_within(turns: Sequence[TurnResult], tokens: int, rule: str) -> bool:
    """Whether an episode cut at a budget of generated tokens hands in a program that passes.

    A turn counts when it ends within the budget; when not even the first does, nothing is handed
    in, which is a failure.
    """
    spent, within = 0, 0
    for turn in turns:
        spent += turn.generated_tokens
        if spent > tokens:
            break
        within += 1
    taken = turns[:within]
    if not taken:
        return False
    return submitted([t.passed for t in taken], [t.accepted for t in taken], rule, within)[-1]
