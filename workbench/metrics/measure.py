"""From the units of a plain cell to its measurements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from workbench.metrics.cell import Cell, Estimate
from workbench.metrics.estimable import NotEstimable
from workbench.metrics.losses import pass_at_k_bounds
from workbench.metrics.measurement import Measurement
from workbench.metrics.passk import per_task_pass_at_k, per_task_pass_hat_k
from workbench.metrics.units import Tally, UnitResult, tally
from workbench.protocol.metric import LabelError, Metric, MetricKind
from workbench.protocol.naming import pass_metric

if TYPE_CHECKING:
    from workbench.protocol.records import Protocol


def measure_plain(
    protocol: Protocol,
    units: Iterable[UnitResult],
    ks: Sequence[int] | None = None,
    *,
    units_planned: int | None = None,
) -> list[Measurement]:
    """pass@k of a plain cell, one measurement a k.

    Args:
        protocol: the cell's; its `eval.tasks` is the denominator, its `record.n` what was planned.
        units: every sample that has ended, lost ones among them.
        ks: draws; the protocol's own when left out.
        units_planned: samples planned; tasks · n when left out.

    Raises:
        ValueError: a sample occurs twice, or has no known outcome.
        LabelError: the cell isn't plain, or its draws are greedy and a k is above 1.
    """
    return measure_plain_tally(protocol, tally(units), ks, units_planned=units_planned)


def measure_plain_tally(
    protocol: Protocol,
    counts: Tally,
    ks: Sequence[int] | None = None,
    *,
    units_planned: int | None = None,
) -> list[Measurement]:
    """The same from counts per task, for who has them already (a live view, a query)."""
    cell = plain_cell(protocol, counts, units_planned)
    return [_pass_at_k(cell, k) for k in (protocol.record.ks if ks is None else ks)]


def measure_pass_hat(
    protocol: Protocol,
    units: Iterable[UnitResult],
    ks: Sequence[int],
    *,
    units_planned: int | None = None,
) -> list[Measurement]:
    """pass^k of a plain cell: that all of k draws pass. Arguments and errors as `measure_plain`."""
    cell = plain_cell(protocol, tally(units), units_planned)
    found: list[Measurement] = []
    for k in ks:
        metric = Metric(MetricKind.PASS_HAT, k=k)
        try:
            kept = cell.carriers(k)
        except NotEstimable as why:
            found.append(cell.missing(metric, why.reason))
            continue
        values = per_task_pass_hat_k([(n, c) for n, c, _ in kept.values()], k)
        found.append(cell.measure(Estimate(metric, dict(zip(kept, values, strict=True)), needs=k)))
    return found


def plain_cell(protocol: Protocol, counts: Tally, units_planned: int | None) -> Cell:
    """The cell, refused when it isn't plain.

    Raises:
        LabelError: the cell is of another mode: pass@k has one home.
    """
    if protocol.gen.mode != "plain":
        raise LabelError(f"pass@k of a {protocol.gen.mode} cell: it has solved@≤t")
    planned = protocol.eval.tasks * protocol.record.n if units_planned is None else units_planned
    return Cell(protocol, counts, planned)


def _pass_at_k(cell: Cell, k: int) -> Measurement:
    metric = pass_metric(cell.protocol, k)
    try:
        kept = cell.carriers(k)
    except NotEstimable as why:
        return cell.missing(metric, why.reason)
    values = per_task_pass_at_k([(n, c) for n, c, _ in kept.values()], k)
    return cell.measure(
        Estimate(metric, dict(zip(kept, values, strict=True)), _bounds(cell, k), needs=k)
    )


def _bounds(cell: Cell, k: int) -> tuple[float, float] | None:
    """Bounds over every task that has ended units, those that carry no value among them."""
    if not cell.tally.lost:
        return None
    every = [(t.scored, t.passed, t.lost) for t in cell.tally.tasks.values()]
    able = [counts for counts in every if counts[0] + counts[2] >= k]
    return pass_at_k_bounds(able, k)
