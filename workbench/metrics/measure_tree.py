"""From the trees of a cell to its measurement: the rate at which a tree holds a passing program."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from workbench.metrics.cell import Cell, Estimate
from workbench.metrics.estimable import NotEstimable
from workbench.metrics.measurement import Measurement
from workbench.metrics.tree import Initial, tree_rate
from workbench.metrics.units import UnitResult, tally
from workbench.protocol.metric import LabelError, Metric, MetricKind

if TYPE_CHECKING:
    from workbench.protocol.records import Protocol


def measure_tree(
    protocol: Protocol, units: Iterable[UnitResult], *, units_planned: int | None = None
) -> list[Measurement]:
    """tree-rate n_p×n_fr (oracle) of the recipe's shape, and at n_fr = 0, where nothing is repaired.

    A unit is one first program with all repairs that grew from it; which of them passes is known
    with the scored tests in hand, so the rate is an oracle's. Where repairs are repaired in turn,
    all of a first program's descendants count as its repairs, and only the whole is estimable.

    Args:
        protocol: the cell's; its recipe has a shape.
        units: every tree that has ended, lost ones among them, with their turns.
        units_planned: trees planned; tasks · n when left out.

    Raises:
        LabelError: the cell isn't a tree's.
    """
    recipe = protocol.gen.recipe
    if recipe is None or recipe.shape is None:
        raise LabelError("tree-rate of a cell that isn't a tree's")
    programs, feedbacks, repairs = recipe.shape
    whole = feedbacks * repairs if recipe.turns == 1 + feedbacks * repairs else recipe.turns - 1
    listed = list(units)
    planned = protocol.eval.tasks * protocol.record.n
    cell = Cell(protocol, tally(listed), planned if units_planned is None else units_planned)
    by_task: dict[str, list[Initial]] = {}
    for unit in listed:
        if not unit.lost and unit.turns:
            by_task.setdefault(unit.task, []).append(_initial(unit, whole))
    return [_measured(cell, by_task, programs, n) for n in (whole, 0)]


def _initial(unit: UnitResult, whole: int) -> Initial:
    first, rest = unit.turns[0], unit.turns[1:]
    repaired = sum(1 for turn in rest if turn.passed)
    if len(rest) < whole and repaired:
        # A tree of several levels: what passes isn't repaired, so that its level isn't full.
        return Initial(first.passed, whole, whole)
    return Initial(first.passed, len(rest), repaired)


def _measured(
    cell: Cell, by_task: dict[str, list[Initial]], programs: int, repairs: int
) -> Measurement:
    metric = Metric(MetricKind.TREE, programs=programs, repairs=repairs)
    try:
        carriers = cell.carriers(programs)
        values = {
            task: tree_rate(found, programs, repairs)
            for task, found in by_task.items()
            if task in carriers
        }
    except NotEstimable as why:
        return cell.missing(metric, why.reason)
    return cell.measure(Estimate(metric, values, needs=programs))
