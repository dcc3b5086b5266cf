"""One repair cell, laid out once, and the measurements that can be made of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from workbench.metrics.cell import Cell, Estimate
from workbench.metrics.episodes import Episodes, episodes
from workbench.metrics.estimable import NotEstimable
from workbench.metrics.interval import Interval
from workbench.metrics.intervals import ratio_interval, resample_weights, t_interval
from workbench.metrics.measurement import Measurement
from workbench.metrics.passk import mean_over_tasks
from workbench.metrics.repair import share
from workbench.metrics.units import UnitResult, tally
from workbench.protocol.metric import LabelError, Metric, MetricKind

if TYPE_CHECKING:
    from workbench.protocol.recipe import RepairRecipe
    from workbench.protocol.records import Protocol

Floats = NDArray[np.float64]


class RepairCell:
    """A repair cell: `laid` holds its scored episodes, each method makes one measurement."""

    def __init__(
        self, protocol: Protocol, units: Iterable[UnitResult], units_planned: int | None = None
    ) -> None:
        """Lay the episodes out.

        Raises:
            LabelError: the cell isn't a repair cell.
            ValueError: an episode occurs twice, or has no known outcome.
        """
        recipe = protocol.gen.recipe
        if recipe is None:
            raise LabelError("solved@≤t of a plain cell: it has pass@k")
        listed = list(units)
        planned = protocol.eval.tasks * protocol.record.n
        self.recipe: RepairRecipe = recipe
        self.cell = Cell(
            protocol, tally(listed), planned if units_planned is None else units_planned
        )
        self.laid: Episodes = episodes(listed, recipe.submit, recipe.turns)

    @cached_property
    def _weights(self) -> Floats:
        record, rep = self.cell.protocol.record, self.cell.protocol.rep
        return resample_weights(len(self.laid.tasks), record.bootstrap_seed, rep.resamples)

    def cuts(self, ts: Sequence[int] | None) -> list[int]:
        """The cuts asked for, in order; all of the recipe's when `None`.

        Raises:
            ValueError: a cut is beyond the recipe's turns.
        """
        if ts is None:
            return list(range(1, self.recipe.turns + 1))
        if not ts or min(ts) < 1 or max(ts) > self.recipe.turns:
            raise ValueError(f"cuts {list(ts)}: the recipe has turns 1..{self.recipe.turns}")
        return sorted(set(ts))

    def solved(self, turns: int) -> Measurement:
        """solved@≤t."""
        metric = Metric(MetricKind.SOLVED, turns=turns)
        return self._share(metric, self._cut_refused(turns), lambda: self.laid.solved[:, turns - 1])

    def any_turn(self, turns: int) -> Measurement:
        """any-turn@≤t (oracle)."""
        metric = Metric(MetricKind.ANY_TURN, turns=turns)
        refused = self._cut_refused(turns)
        return self._share(metric, refused, lambda: self.laid.any_turn[:, turns - 1])

    def solved_within(self, tokens: int) -> Measurement:
        """solved@≤B tok."""
        metric = Metric(MetricKind.SOLVED_TOKENS, tokens=tokens)
        announced = self.recipe.announces_budget
        refused = "the prompt announces the budget: no cut" if announced else ""
        return self._share(metric, refused, lambda: self.laid.solved_within(tokens))

    def of_episodes(
        self, kind: MetricKind, k: int, estimator: Callable[..., list[float]]
    ) -> Measurement:
        """any-of-k or all-of-k episodes at the recipe's turns; k counts episodes, never turns."""
        metric = Metric(kind, k=k, turns=self.recipe.turns)
        try:
            kept = self.cell.carriers(k)
        except NotEstimable as why:
            return self.cell.missing(metric, why.reason)
        solved = self.laid.sums(self.laid.solved[:, -1])
        counts = zip(self.laid.tasks, self.laid.sizes, solved, strict=True)
        able = {task: (int(n), int(c)) for task, n, c in counts if task in kept}
        values = estimator(list(able.values()), k)
        return self.cell.measure(Estimate(metric, dict(zip(able, values, strict=True)), needs=k))

    def fix_rate(self, turn: int) -> Measurement:
        """Newly solved at this turn, among the episodes unsolved when entering it."""
        before, now = self.laid.solved[:, turn - 2], self.laid.solved[:, turn - 1]
        metric = Metric(MetricKind.FIX_RATE, turns=turn)
        return self._ratio(metric, now & ~before, ~before, "unsolved episode")

    def break_rate(self, last: int) -> Measurement:
        """Programs that passed and fail after the next repair, among passing ones repaired."""
        broken, repaired = self.laid.broken(last)
        metric = Metric(MetricKind.BREAK_RATE, turns=last)
        return self._ratio(metric, broken, repaired, "repaired passing program")

    def false_accepts(self, last: int) -> Measurement:
        """Accepted by the stop tests, failing the scored ones, among the accepted."""
        accepted = self.laid.accepted(last)
        wrong = accepted & ~self.laid.solved[:, last - 1]
        metric = Metric(MetricKind.FALSE_ACCEPT, turns=last)
        return self._ratio(metric, wrong, accepted, "acceptance")

    def reciprocal(self, last: int) -> Measurement:
        """Mean over episodes of 1/turn of the first solve, 0 when never."""
        solved = self.laid.solved[:, :last]
        first = np.where(solved.any(axis=1), 1.0 / (solved.argmax(axis=1) + 1.0), 0.0)
        return self._share(Metric(MetricKind.MRR, turns=last), "", lambda: first, bounded=False)

    def turns_used(self, last: int) -> Measurement:
        """Mean turns to the first solve over all episodes, the unsolved at the cap."""
        metric = Metric(MetricKind.TURNS, turns=last)
        try:
            self.cell.carriers(1)
        except NotEstimable as why:
            return self.cell.missing(metric, why.reason)
        solved = self.laid.solved[:, :last]
        used = np.where(solved.any(axis=1), solved.argmax(axis=1) + 1.0, float(last))
        by_task = self.laid.per_task(used)
        values = list(by_task.values())
        interval: Interval | None = t_interval(values) if len(values) > 1 else None
        return self.cell.measure(
            Estimate(metric, by_task, value=mean_over_tasks(values), interval=interval)
        )

    def _cut_refused(self, turns: int) -> str:
        if self.recipe.announces_budget and turns < self.recipe.turns:
            return f"the prompt announces {self.recipe.turns} turns: no cut at {turns}"
        return ""

    def _share(
        self,
        metric: Metric,
        refused: str,
        values: Callable[[], NDArray[np.bool_] | Floats],
        *,
        bounded: bool = True,
    ) -> Measurement:
        """A value in 0..1 an episode: mean per task, then over tasks."""
        if refused:
            return self.cell.missing(metric, refused)
        try:
            self.cell.carriers(1)
            made = values()
        except NotEstimable as why:
            return self.cell.missing(metric, why.reason)
        bounds = self._bounds(made) if bounded and self.cell.tally.lost else None
        return self.cell.measure(Estimate(metric, self.laid.per_task(made), bounds))

    def _bounds(self, values: NDArray[np.bool_] | Floats) -> tuple[float, float]:
        solved = dict(zip(self.laid.tasks, self.laid.sums(values).tolist(), strict=True))
        rows = [
            (solved.get(task, 0.0), t.lost, t.scored + t.lost)
            for task, t in self.cell.tally.tasks.items()
        ]
        return (
            mean_over_tasks([hit / n for hit, _, n in rows]),
            mean_over_tasks([(hit + lost) / n for hit, lost, n in rows]),
        )

    def _ratio(
        self,
        metric: Metric,
        parts: NDArray[np.bool_] | Floats,
        wholes: NDArray[np.bool_] | Floats,
        of: str,
    ) -> Measurement:
        """Σ parts / Σ wholes over episodes ([E] each); its interval resamples tasks."""
        by_part, by_whole = self.laid.sums(parts), self.laid.sums(wholes)
        part, whole = int(by_part.sum()), int(by_whole.sum())
        try:
            value = share(part, whole, of)
        except NotEstimable as why:
            return self.cell.missing(metric, why.reason)
        seed = self.cell.protocol.record.bootstrap_seed
        interval = ratio_interval(by_part, by_whole, self._weights, seed=seed)
        rows = zip(self.laid.tasks, by_part.tolist(), by_whole.tolist(), strict=True)
        by_task = {task: a / b for task, a, b in rows if b}
        plural = "" if whole == 1 else "s"
        note = f"{part} of {whole} {of}{plural}, over episodes"
        return self.cell.measure(
            Estimate(
                metric,
                by_task,
                value=value,
                interval=interval,
                notes=(note,),
                ratio=(part, whole),
                tasks=len(self.laid.tasks),
            )
        )
