"""What all measurements of one cell share: counts, names, notes, and how a value is put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from workbench.metrics.estimable import NotEstimable
from workbench.metrics.interval import FEW_TASKS, Interval
from workbench.metrics.intervals import choose_interval
from workbench.metrics.losses import doubtful
from workbench.metrics.measurement import Measurement, TaskCounts, UnitCounts
from workbench.metrics.passk import mean_over_tasks
from workbench.metrics.units import Tally
from workbench.protocol.metric import Metric
from workbench.protocol.naming import label
from workbench.protocol.parts import Subset

if TYPE_CHECKING:
    from workbench.protocol.records import Protocol


@dataclass(frozen=True, slots=True)
class Estimate:
    """One metric's estimates, before they are a measurement."""

    metric: Metric
    by_task: Mapping[str, float]
    bounds: tuple[float, float] | None = None
    needs: int = 1
    """Scored units that a task must have to carry the metric."""
    value: float | None = None
    """Where it isn't the mean over tasks (ratios)."""
    interval: Interval | None = None
    """Where it isn't chosen by the rule."""
    notes: tuple[str, ...] = ()
    ratio: tuple[int, int] | None = None
    """Part and whole, where the value is their quotient."""
    tasks: int | None = None
    """Tasks that carry it, where `by_task` leaves out those with nothing to divide by."""

    @property
    def carried(self) -> int:
        """Tasks that carry it."""
        return len(self.by_task) if self.tasks is None else self.tasks


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell's protocol and counts."""

    protocol: Protocol
    tally: Tally
    units_planned: int

    @property
    def kind(self) -> Literal["sample", "episode"]:
        """What counts."""
        return "sample" if self.protocol.gen.mode == "plain" else "episode"

    @property
    def units(self) -> UnitCounts:
        """Planned, scored, lost."""
        planned = max(self.units_planned, self.tally.scored + self.tally.lost)
        return UnitCounts(self.kind, planned, self.tally.scored, self.tally.lost)

    def carriers(self, needs: int) -> dict[str, tuple[int, int, int]]:
        """Tasks that can carry a metric: task -> (scored, passed, lost).

        A task falls out when units are still to come or when the infrastructure lost them; both are
        said in label and notes. When fewer were planned than the metric needs, nothing carries it;
        and for more than one unit a task, nor does a set of which more than 1 % of tasks fell out:
        what is left was chosen by having lost nothing.

        Raises:
            NotEstimable: no task can, one never could, or too many lost what it needs.
        """
        pending = self.units.pending > 0
        kept: dict[str, tuple[int, int, int]] = {}
        short: list[int] = []
        fell_out = 0
        for task, t in self.tally.tasks.items():
            if t.scored >= needs:
                kept[task] = (t.scored, t.passed, t.lost)
            elif t.scored + t.lost < needs and not pending:
                short.append(t.scored + t.lost)
            elif not pending:
                fell_out += 1
        sign = "k" if self.kind == "sample" else "episodes"
        if self.protocol.record.n < needs and not kept:
            raise NotEstimable(f"n {self.protocol.record.n} < {sign} {needs}")
        if short:
            tasks = "1 task has" if len(short) == 1 else f"{len(short)} tasks have"
            raise NotEstimable(f"{tasks} n < {sign} {needs} (smallest n {min(short)})")
        if not kept:
            raise NotEstimable(self._why_none(needs))
        if needs > 1 and doubtful(len(kept), fell_out):
            total = len(kept) + fell_out
            raise NotEstimable(f"losses left {fell_out} of {total} tasks below {sign} {needs}")
        return kept

    def _why_none(self, needs: int) -> str:
        if self.units.pending:
            return "nothing scored yet" if not self.tally.scored else f"no task has n {needs} yet"
        if self.tally.lost:
            return f"every task lost too many units for n {needs}"
        return "no unit is planned"

    def measure(self, estimate: Estimate) -> Measurement:
        """Put an estimate together with what belongs to it."""
        if estimate.value is not None:
            return self._put(estimate, estimate.value, estimate.interval)
        values = list(estimate.by_task.values())
        chosen = choose_interval(values) if estimate.interval is None else estimate.interval
        return self._put(estimate, mean_over_tasks(values), chosen)

    def missing(self, metric: Metric, why: str) -> Measurement:
        """The measurement that isn't one, with the reason."""
        return self._put(Estimate(metric, {}), None, None, why)

    def _put(
        self, estimate: Estimate, value: float | None, interval: Interval | None, why: str = ""
    ) -> Measurement:
        metric, by_task = estimate.metric, estimate.by_task
        judged = self.protocol.eval
        planned = judged.tasks
        complete = self.units.pending == 0
        restricted = value is not None and complete and estimate.carried < planned
        rule = ", ".join(filter(None, (judged.subset, f"n≥{estimate.needs}")))
        subset = Subset(estimate.carried, planned, rule) if restricted else None
        named = label(
            self.protocol,
            metric,
            n=self.protocol.record.n,
            spread=self._spread(by_task or self.tally.tasks),
            repairs=self._repairs if metric.mode == "tree" else None,
            subset=subset,
        )
        return Measurement(
            value=value,
            interval=interval,
            label=named,
            metric=metric,
            fingerprint=named.fingerprint,
            benchmark=judged.benchmark,
            suite=judged.suite,
            language=judged.language,
            mode=self.protocol.gen.mode,
            recipe=self.protocol.recipe_name,
            tasks=TaskCounts(planned, estimate.carried, dict(judged.exclusions)),
            units=self.units,
            outcomes=self.tally.outcomes,
            missing=why,
            notes=(*self._notes(estimate.carried, value is not None), *estimate.notes),
            bounds=estimate.bounds,
            ratio=estimate.ratio,
            by_task=by_task,
        )

    @property
    def _repairs(self) -> int | None:
        """Trees: repairs of each failing program."""
        recipe = self.protocol.gen.recipe
        if recipe is None or recipe.shape is None:
            return None
        return recipe.shape[1] * recipe.shape[2]

    def _spread(self, tasks: Sequence[str] | Mapping[str, object]) -> tuple[int, int] | None:
        """Fewest and most scored units of a task; `None` before anything is scored."""
        counts = [self.tally.tasks[task].scored for task in tasks]
        return (min(counts), max(counts)) if counts else None

    def _notes(self, carried: int, estimable: bool) -> tuple[str, ...]:
        units, planned = self.units, self.protocol.eval.tasks
        notes: list[str] = []
        if units.pending:
            notes.append(f"provisional: {units.scored} of {units.planned} {units.kind}s scored")
        if estimable and carried < planned:
            notes.append(f"rests on {carried} of {planned} tasks")
        if units.lost:
            by = ", ".join(
                f"{self.tally.outcomes[name]} {name}"
                for name in ("generation_failed", "sandbox_error")
                if self.tally.outcomes[name]
            )
            notes.append(f"{units.lost} of {units.planned} {units.kind}s lost, not scored: {by}")
        if doubtful(units.scored, units.lost):
            notes.append("more than 1 % lost: the value is biased if losses go with the task")
        if planned < FEW_TASKS:
            notes.append(f"few tasks: {planned}")
        if self.protocol.eval.sandbox == "process":
            notes.append("judged by a plain process: nothing kept programs from cheating")
        return tuple(notes)
