"""From the episodes of a repair cell to its measurements; none of them is pass@k."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from workbench.metrics.cell import Cell, Estimate
from workbench.metrics.episodes import Episodes, episodes, solved_within
from workbench.metrics.estimable import NotEstimable
from workbench.metrics.interval import Interval
from workbench.metrics.intervals import bootstrap_ratio, t_interval
from workbench.metrics.measurement import Measurement
from workbench.metrics.passk import per_task_pass_at_k, per_task_pass_hat_k
from workbench.metrics.repair import share
from workbench.metrics.units import UnitResult, tally
from workbench.protocol.metric import LabelError, Metric, MetricKind, solved_at

if TYPE_CHECKING:
    from workbench.protocol.recipe import RepairRecipe
    from workbench.protocol.records import Protocol


def measure_repair(
    protocol: Protocol,
    units: Iterable[UnitResult],
    ts: Sequence[int] | None = None,
    *,
    units_planned: int | None = None,
) -> list[Measurement]:
    """solved@≤t for each t, then any-turn@≤t (oracle) for the last t.

    Args:
        protocol: the cell's; `eval.tasks` is the denominator, `record.n` the episodes planned.
        units: every episode that has ended, lost ones among them.
        ts: cuts, turn 1 being the first program; 1 to the recipe's turns when left out. A cut below
            the recipe's turns is refused when the prompt announces what is left.
        units_planned: episodes planned; tasks · n when left out.

    Raises:
        ValueError: an episode occurs twice, or a cut is beyond the recipe's turns.
        LabelError: the cell isn't a repair cell.
    """
    view = _View(protocol, units, ts, units_planned)
    found = [view.mean(solved_at(t), view.laid.solved[:, t - 1], bounded=True) for t in view.ts]
    last = view.ts[-1]
    oracle = Metric(MetricKind.ANY_TURN, turns=last)
    return [*found, view.mean(oracle, view.laid.any_turn[:, last - 1], bounded=True)]


def measure_repair_detail(
    protocol: Protocol,
    units: Iterable[UnitResult],
    ts: Sequence[int] | None = None,
    *,
    units_planned: int | None = None,
) -> list[Measurement]:
    """What repair does: fix rates, break rate, false accepts, MRR, turns used.

    Arguments and errors as `measure_repair`. Rates are over episodes, with an interval that
    resamples tasks (its seed is `record.bootstrap_seed`).
    """
    view = _View(protocol, units, ts, units_planned)
    last = view.ts[-1]
    return [
        *(view.fix_rate(t) for t in range(2, last + 1)),
        view.break_rate(last),
        view.false_accepts(last),
        view.reciprocal(last),
        view.turns_used(last),
    ]


def measure_repair_budget(
    protocol: Protocol,
    units: Iterable[UnitResult],
    budgets: Sequence[int],
    *,
    units_planned: int | None = None,
) -> list[Measurement]:
    """solved@≤B tok for each budget of generated tokens; arguments as `measure_repair`."""
    view = _View(protocol, units, None, units_planned)
    rule = view.recipe.submit
    found: list[Measurement] = []
    for budget in budgets:
        hits = [solved_within(turns, budget, rule) for turns in view.laid.turns]
        metric = Metric(MetricKind.SOLVED_TOKENS, tokens=budget)
        found.append(view.mean(metric, np.array(hits, dtype=np.bool_), bounded=False))
    return found


def measure_episodes(
    protocol: Protocol,
    units: Iterable[UnitResult],
    ks: Sequence[int],
    *,
    units_planned: int | None = None,
) -> list[Measurement]:
    """any-of-k and all-of-k episodes at the recipe's turns: k counts episodes, never turns."""
    view = _View(protocol, units, None, units_planned)
    last = view.ts[-1]
    kinds: tuple[tuple[MetricKind, Callable[..., list[float]]], ...] = (
        (MetricKind.ANY_EPISODE, per_task_pass_at_k),
        (MetricKind.ALL_EPISODES, per_task_pass_hat_k),
    )
    return [
        view.of_k(Metric(kind, k=k, turns=last), estimator, k)
        for k in ks
        for kind, estimator in kinds
    ]


class _View:
    """One repair cell, laid out."""

    def __init__(
        self,
        protocol: Protocol,
        units: Iterable[UnitResult],
        ts: Sequence[int] | None,
        units_planned: int | None,
    ) -> None:
        recipe = protocol.gen.recipe
        if recipe is None:
            raise LabelError("solved@≤t of a plain cell: it has pass@k")
        self.recipe: RepairRecipe = recipe
        self.ts = list(range(1, recipe.turns + 1)) if ts is None else sorted(set(ts))
        if not self.ts or not 1 <= self.ts[0] <= self.ts[-1] <= recipe.turns:
            raise ValueError(f"cuts {self.ts}: the recipe has turns 1..{recipe.turns}")
        listed = list(units)
        planned = (
            protocol.eval.tasks * protocol.record.n if units_planned is None else units_planned
        )
        self.seed = protocol.record.bootstrap_seed
        self.cell = Cell(protocol, tally(listed), planned)
        self.laid: Episodes = episodes(listed, recipe.submit, recipe.turns)

    def mean(self, metric: Metric, values: NDArray[np.bool_], *, bounded: bool) -> Measurement:
        """A share of episodes, per task, then over tasks."""
        cut = metric.turns
        if self.recipe.announces_budget and cut is not None and cut < self.recipe.turns:
            why = f"the prompt announces {self.recipe.turns} turns: no cut at {cut}"
            return self.cell.missing(metric, why)
        if self.recipe.announces_budget and metric.tokens is not None:
            return self.cell.missing(metric, "the prompt announces the budget: no cut")
        try:
            self.cell.carriers(1)
        except NotEstimable as why:
            return self.cell.missing(metric, why.reason)
        bounds = self._bounds(values) if bounded else None
        return self.cell.measure(Estimate(metric, self.laid.per_task(values), bounds))

    def _bounds(self, values: NDArray[np.bool_]) -> tuple[float, float] | None:
        tallies = self.cell.tally.tasks
        if not self.cell.tally.lost:
            return None
        solved = dict(zip(self.laid.tasks, self.laid.sums(values).tolist(), strict=True))
        low = [solved.get(name, 0.0) / (t.scored + t.lost) for name, t in tallies.items()]
        high = [
            (solved.get(name, 0.0) + t.lost) / (t.scored + t.lost) for name, t in tallies.items()
        ]
        return float(np.mean(low)), float(np.mean(high))

    def of_k(self, metric: Metric, estimator: Callable[..., list[float]], k: int) -> Measurement:
        """An estimator over the episodes of each task."""
        try:
            kept = self.cell.carriers(k)
        except NotEstimable as why:
            return self.cell.missing(metric, why.reason)
        counts = self.laid.counts(self.laid.solved[:, -1])
        able = {
            task: pair for task, pair in zip(self.laid.tasks, counts, strict=True) if task in kept
        }
        values = estimator(list(able.values()), k)
        return self.cell.measure(Estimate(metric, dict(zip(able, values, strict=True)), needs=k))

    def _ratio(
        self, metric: Metric, parts: NDArray[np.float64], wholes: NDArray[np.float64], of: str
    ) -> Measurement:
        """Σ parts / Σ wholes over episodes ([E] each)."""
        by_part, by_whole = self.laid.sums(parts), self.laid.sums(wholes)
        total = int(by_whole.sum())
        try:
            value = share(int(by_part.sum()), total, of)
        except NotEstimable as why:
            return self.cell.missing(metric, why.reason)
        interval = bootstrap_ratio(by_part, by_whole, seed=self.seed)
        per_task = {
            task: part / whole
            for task, part, whole in zip(
                self.laid.tasks, by_part.tolist(), by_whole.tolist(), strict=True
            )
            if whole
        }
        note = f"{int(by_part.sum())} of {total} {of}s, over episodes"
        return self.cell.measure(
            Estimate(metric, per_task, value=value, interval=interval, notes=(note,))
        )

    def fix_rate(self, turn: int) -> Measurement:
        """Newly solved at this turn among those unsolved when entering it."""
        before, now = self.laid.solved[:, turn - 2], self.laid.solved[:, turn - 1]
        metric = Metric(MetricKind.FIX_RATE, turns=turn)
        fixed, unsolved = (now & ~before).astype(float), (~before).astype(float)
        return self._ratio(metric, fixed, unsolved, "unsolved episode")

    def break_rate(self, last: int) -> Measurement:
        """Programs that passed and fail after the next repair, among passing ones repaired."""
        broken = np.zeros(len(self.laid.turns))
        repaired = np.zeros(len(self.laid.turns))
        for row, turns in enumerate(self.laid.turns):
            for before, after in pairwise(turns[:last]):
                if before.passed:
                    repaired[row] += 1
                    broken[row] += not after.passed
        metric = Metric(MetricKind.BREAK_RATE, turns=last)
        return self._ratio(metric, broken, repaired, "repaired passing program")

    def false_accepts(self, last: int) -> Measurement:
        """Accepted by the stop tests, failing the scored ones, among the accepted."""
        accepted = np.array([any(t.accepted for t in turns[:last]) for turns in self.laid.turns])
        accepted = accepted.reshape(-1).astype(bool)
        wrong = accepted & ~self.laid.solved[:, last - 1]
        metric = Metric(MetricKind.FALSE_ACCEPT, turns=last)
        return self._ratio(metric, wrong.astype(float), accepted.astype(float), "acceptance")

    def reciprocal(self, last: int) -> Measurement:
        """Mean over episodes of 1/turn of the first solve, 0 when never."""
        solved = self.laid.solved[:, :last]
        first = np.where(solved.any(axis=1), 1.0 / (solved.argmax(axis=1) + 1.0), 0.0)
        return self._of_values(Metric(MetricKind.MRR, turns=last), first)

    def turns_used(self, last: int) -> Measurement:
        """Mean turns to the first solve over all episodes, the unsolved at the cap."""
        solved = self.laid.solved[:, :last]
        used = np.where(solved.any(axis=1), solved.argmax(axis=1) + 1.0, float(last))
        return self._of_values(Metric(MetricKind.TURNS, turns=last), used)

    def _of_values(self, metric: Metric, values: NDArray[np.float64]) -> Measurement:
        try:
            self.cell.carriers(1)
        except NotEstimable as why:
            return self.cell.missing(metric, why.reason)
        per_task = self.laid.per_task(values)
        interval: Interval | None = None
        if not metric.is_share and len(per_task) > 1:
            interval = t_interval(list(per_task.values()))
        return self.cell.measure(
            Estimate(
                metric,
                per_task,
                interval=interval,
                value=None if metric.is_share else float(np.mean(list(per_task.values()))),
            )
        )
