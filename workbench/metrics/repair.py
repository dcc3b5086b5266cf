"""Repair episodes: solved after how many turns, at what budget, and what repair breaks.

None of these is pass@k: the turns of an episode depend on each other, so an episode is one unit,
however many turns it has. Arrays are [episodes] or [episodes, turns]; turn t is column t−1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from workbench.metrics.estimable import NotEstimable

Bools = NDArray[np.bool_]

SUBMISSION_RULES = ("accepted-else-last", "last", "any")
"""Which program an episode hands in; `any` picks with the scored tests in hand (oracle)."""


def solved_from_first(first_solved: Sequence[int | None], turns: int) -> Bools:
    """[episodes, turns]: solved at cut t, from the first solved turn (`None`: never).

    For protocols in which a solved episode stays solved.
    """
    first = np.array([turns + 1 if f is None else f for f in first_solved], dtype=np.int64)
    return first[:, None] <= np.arange(1, turns + 1)[None, :]


def submitted(
    passed: Sequence[bool], accepted: Sequence[bool], rule: str, turns: int
) -> list[bool]:
    """For each cut t = 1..turns: whether the program that one episode would hand in passes.

    Args:
        passed: per turn taken, whether its program passes the scored tests.
        accepted: per turn taken, whether the stop rule's tests accepted it.
        rule: one of `SUBMISSION_RULES`.
        turns: cuts wanted; an episode that ended earlier keeps its program.

    Raises:
        ValueError: the rule is unknown, or there is no turn.
    """
    if rule not in SUBMISSION_RULES:
        raise ValueError(f"submission rule {rule!r}: one of {', '.join(SUBMISSION_RULES)}")
    if not passed or len(passed) != len(accepted):
        raise ValueError("an episode has at least one turn, with one acceptance each")
    found: list[bool] = []
    kept: bool | None = None
    for t in range(min(turns, len(passed))):
        if rule == "any":
            found.append(passed[t] or (t > 0 and found[-1]))
            continue
        if rule == "accepted-else-last" and kept is None and accepted[t]:
            kept = passed[t]
        found.append(passed[t] if kept is None else kept)
    return found + [found[-1]] * (turns - len(found))


def fix_rate(solved: Bools, turn: int) -> tuple[int, int]:
    """(newly solved at this turn, unsolved when entering it), over episodes.

    Args:
        solved: [episodes, turns], solved at cut t.
        turn: from 2.
    """
    if not 2 <= turn <= solved.shape[1]:
        raise ValueError(f"turn {turn}: repair happens at 2..{solved.shape[1]}")
    before, now = solved[:, turn - 2], solved[:, turn - 1]
    return int((now & ~before).sum()), int((~before).sum())


def break_rate(passed: Sequence[Sequence[bool]]) -> tuple[int, int]:
    """(programs that passed and fail after the next repair, passing programs that were repaired).

    Args:
        passed: per episode, per turn taken, whether its program passes the scored tests.
    """
    steps = [(a, b) for turns in passed for a, b in pairwise(turns) if a]
    return sum(1 for _, after in steps if not after), len(steps)


def false_accepts(accepted: Sequence[bool], passed: Sequence[bool]) -> tuple[int, int]:
    """(accepted by the stop tests but failing the scored ones, accepted), over episodes.

    Args:
        accepted: whether the program handed in had been accepted.
        passed: whether it passes the scored tests.
    """
    pairs = zip(accepted, passed, strict=True)
    taken = [p for a, p in pairs if a]
    return sum(1 for p in taken if not p), len(taken)


def share(part: int, whole: int, of: str) -> float:
    """part/whole.

    Raises:
        NotEstimable: whole is 0; the reason names what there was none of.
    """
    if whole == 0:
        raise NotEstimable(f"no {of}")
    return part / whole


def reciprocal_turns(first_solved: Sequence[int | None]) -> list[float]:
    """1/turn of the first solve per episode, 0 when never: their mean is MRR (ConvCodeWorld)."""
    return [0.0 if turn is None else 1.0 / turn for turn in first_solved]


def turns_used(first_solved: Sequence[int | None], cap: int) -> list[int]:
    """Turns per episode, the unsolved at the cap: what repair costs over all episodes."""
    return [cap if turn is None else turn for turn in first_solved]


def mean_turns_when_solved(first_solved: Sequence[int | None]) -> float:
    """Mean turns among solved episodes only; looks better than it is and must be named so.

    Raises:
        NotEstimable: none is solved.
    """
    solved = [turn for turn in first_solved if turn is not None]
    return share(sum(solved), len(solved), "episode is solved")


def turn_slope(turns: Sequence[int], rates: Sequence[float]) -> tuple[float, float]:
    """Least-squares slope (per turn) and intercept of a solve-rate curve (as MINT reports).

    Raises:
        NotEstimable: fewer than two turns.
    """
    if len(turns) < 2:
        raise NotEstimable("one turn has no slope")
    slope, intercept = np.polyfit(np.asarray(turns, float), np.asarray(rates, float), 1)
    return float(slope), float(intercept)


def gain(with_: Sequence[int], without: Sequence[int], tasks: Sequence[int]) -> tuple[float, float]:
    """Gain of feedback over the same tasks of several benchmarks: (over tasks, over benchmarks).

    Args:
        with_: tasks solved with feedback, per benchmark.
        without: tasks solved without.
        tasks: tasks of each benchmark.

    Returns:
        The difference over all tasks together and the mean of the benchmarks' differences; they
        differ, so name which one is printed.
    """
    differences = [a - b for a, b in zip(with_, without, strict=True)]
    macro = [d / t for d, t in zip(differences, tasks, strict=True)]
    return sum(differences) / sum(tasks), math.fsum(macro) / len(macro)


@dataclass(frozen=True, slots=True)
class EqualBudget:
    """What repair reached, beside what plain sampling reaches at the same cost."""

    repair: float
    plain: float
    """The plain curve at the budget repair used, by linear interpolation."""
    budget: float

    @property
    def gain(self) -> float:
        """repair − plain, a fraction (times 100: pp)."""
        return self.repair - self.plain

    @property
    def ratio(self) -> float:
        """repair / plain (Olausson et al., arXiv 2306.09896); infinite where plain solves none."""
        return self.repair / self.plain if self.plain else math.inf


def at_budget(budgets: Sequence[float], rates: Sequence[float], budget: float) -> float:
    """A curve's value at a budget, by linear interpolation between measured points.

    Args:
        budgets: increasing, any unit: calls, tokens, money.
        rates: the curve there.

    Raises:
        NotEstimable: the budget lies outside the measured range. Nothing is extrapolated.
        ValueError: the budgets don't increase.
    """
    x = np.asarray(budgets, dtype=np.float64)
    if x.size == 0 or np.any(np.diff(x) <= 0):
        raise ValueError("budgets of a curve increase")
    if not x[0] <= budget <= x[-1]:
        raise NotEstimable(f"budget {budget:g} out of range {x[0]:g}..{x[-1]:g}")
    return float(np.interp(budget, x, np.asarray(rates, dtype=np.float64)))


def equal_budget(
    budgets: Sequence[float], rates: Sequence[float], repair_budget: float, repair_rate: float
) -> EqualBudget:
    """Set repair beside plain sampling at the mean cost of an episode; raises as `at_budget`."""
    return EqualBudget(repair_rate, at_budget(budgets, rates, repair_budget), repair_budget)
