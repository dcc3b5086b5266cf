"""Repair beside plain sampling at what repair costs: calls, tokens, money.

A difference `solved@≤3 − pass@1` sets three turns beside one draw. Here the plain curve (k samples
cost k times one) is read at the mean cost of an episode, between whole k by a straight line, and
never beyond what was drawn. Olausson et al., arXiv 2306.09896, compare so; the difference is paired
over tasks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from workbench.metrics.compare import PairedDifference, paired_difference
from workbench.metrics.estimable import NotEstimable
from workbench.metrics.passk import mean_over_tasks
from workbench.metrics.units import UnitResult

BUDGETS = ("calls", "generated tokens", "total tokens", "money")
"""What may be held equal; money in US dollars."""

Curve = Callable[[int], Mapping[str, float]]
"""k -> each task's chance with k samples."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one unit of a task took."""

    task: str
    calls: int
    generated: int | None
    """Tokens the model wrote; `None`: nobody counted."""
    total: int | None
    """Those and the tokens it read."""
    money: float | None
    """US dollars; `None`: no price is known."""

    def of(self, budget: str) -> float | None:
        """The part that one of `BUDGETS` names."""
        values = (self.calls, self.generated, self.total, self.money)
        return values[BUDGETS.index(budget)]


def cost_of(unit: UnitResult, money: float | None) -> Cost:
    """What an episode took by its turns; `money` isn't in them."""
    written = [t.generated_tokens for t in unit.turns]
    read = [t.prompt_tokens for t in unit.turns]
    generated = None if None in written else sum(n or 0 for n in written)
    whole = None if generated is None or None in read else generated + sum(n or 0 for n in read)
    return Cost(unit.task, sum(t.calls for t in unit.turns), generated, whole, money)


def mean_cost(costs: Sequence[Cost], budget: str, tasks: Sequence[str]) -> float:
    """Mean cost of a unit: per task, then over `tasks`.

    Raises:
        NotEstimable: some unit's cost isn't known, or a task has no unit.
    """
    of_task: dict[str, list[float]] = {task: [] for task in tasks}
    for cost in costs:
        if cost.task not in of_task:
            continue
        value = cost.of(budget)
        if value is None:
            raise NotEstimable(f"{budget} of some units aren't known")
        of_task[cost.task].append(value)
    if not all(of_task.values()):
        raise NotEstimable(f"{budget} of some tasks aren't known")
    return mean_over_tasks([mean_over_tasks(values) for values in of_task.values()])


@dataclass(frozen=True, slots=True)
class AtBudget:
    """Repair and plain sampling at one cost."""

    budget: str
    """One of `BUDGETS`."""
    episode: float
    """Mean cost of an episode, in the budget's unit."""
    samples: float
    """k′: plain samples that cost as much."""
    plain: float
    """The plain curve at k′, mean over the common tasks."""
    repair: float
    difference: PairedDifference
    """repair − plain, paired over the common tasks."""


def at_equal_budget(
    budget: str,
    repair: Mapping[str, float],
    episodes: Sequence[Cost],
    curve: Curve,
    samples: Sequence[Cost],
    most: int,
) -> AtBudget:
    """Set repair beside plain sampling at the mean cost of an episode.

    Args:
        budget: one of `BUDGETS`.
        repair: each task's share solved.
        episodes: what each episode took.
        curve: the plain chances; tasks in both are compared.
        samples: what each plain sample took.
        most: the greatest k that the curve has.

    Raises:
        NotEstimable: costs aren't known, no common task, or the curve doesn't reach so far.
    """
    common = [task for task in curve(1) if task in repair]
    if not common:
        raise NotEstimable("no common task")
    episode = mean_cost(episodes, budget, common)
    sample = mean_cost(samples, budget, common)
    if not sample:
        raise NotEstimable(f"a sample costs no {budget}")
    worth = episode / sample
    if not 1 - 1e-9 <= worth <= most + 1e-9:
        raise NotEstimable(f"an episode costs {worth:.2f} samples, out of range 1..{most}")
    worth = min(max(worth, 1.0), float(most))
    low, high = curve(math.floor(worth)), curve(math.ceil(worth))
    part = worth - math.floor(worth)
    plain = {task: (1 - part) * low[task] + part * high[task] for task in common}
    arm = {task: repair[task] for task in common}
    return AtBudget(
        budget=budget,
        episode=episode,
        samples=worth,
        plain=mean_over_tasks(list(plain.values())),
        repair=mean_over_tasks(list(arm.values())),
        difference=paired_difference(plain, arm),
    )
