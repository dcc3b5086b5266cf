"""From the samples of a plain cell to what picking one of k without the scored tests gives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from workbench.metrics.cell import Cell, Estimate
from workbench.metrics.estimable import NotEstimable
from workbench.metrics.measure import plain_cell
from workbench.metrics.measurement import Measurement
from workbench.metrics.picking import Groups, groups_of, picked_of_groups
from workbench.metrics.units import UnitResult, tally
from workbench.protocol.metric import Metric, MetricKind

if TYPE_CHECKING:
    from workbench.protocol.records import Protocol

Sample = tuple[str, int]
"""Task and index."""


def measure_picked(
    protocol: Protocol,
    units: Iterable[UnitResult],
    scores: Mapping[Sample, float | None],
    picker: str,
    ks: Sequence[int],
    *,
    units_planned: int | None = None,
) -> list[Measurement]:
    """picked@k of a plain cell: what a user gets who picks one of k by `picker`, ties by lot.

    It lies between pass@1 (a lot is all there is) and pass@k (an oracle picks).

    Args:
        protocol: the cell's.
        units: every sample that has ended, lost ones among them.
        scores: what the pick goes by, higher is better; `None`: not known, and then the cell has
            no value, for what is left would be chosen by what is known of it.
        picker: one of `protocol.metric.PICKERS`.
        ks: samples picked from, each from 1.
        units_planned: samples planned; tasks · n when left out.

    Raises:
        LabelError: the cell isn't plain, or the picker is unknown.
        ValueError: a sample occurs twice, or has no known outcome.
    """
    listed = list(units)
    cell = plain_cell(protocol, tally(listed), units_planned)
    by_task: dict[str, list[tuple[bool, float]]] = {}
    unknown = 0
    for unit in listed:
        if unit.lost:
            continue
        score = scores.get((unit.task, unit.index))
        unknown += score is None
        by_task.setdefault(unit.task, []).append((unit.passed, score or 0.0))
    groups = {task: groups_of(samples) for task, samples in by_task.items()}
    return [
        _picked(cell, groups, Metric(MetricKind.PICKED, k=k, picker=picker), unknown) for k in ks
    ]


def _picked(cell: Cell, groups: Mapping[str, Groups], metric: Metric, unknown: int) -> Measurement:
    assert metric.k is not None
    k = metric.k
    try:
        kept = cell.carriers(k)
    except NotEstimable as why:
        return cell.missing(metric, why.reason)
    if unknown:
        of = cell.tally.scored
        return cell.missing(metric, f"{unknown} of {of} samples have nothing to be picked by")
    values = {task: picked_of_groups(groups[task], k) for task in kept}
    return cell.measure(Estimate(metric, values, needs=k))
