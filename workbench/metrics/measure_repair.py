"""From the episodes of a repair cell to its measurements; none of them is pass@k."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from workbench.metrics.measurement import Measurement
from workbench.metrics.passk import per_task_pass_at_k, per_task_pass_hat_k
from workbench.metrics.repair_cell import RepairCell
from workbench.metrics.units import UnitResult
from workbench.protocol.metric import MetricKind

if TYPE_CHECKING:
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
            the recipe's turns isn't estimable when the prompt announces what is left.
        units_planned: episodes planned; tasks · n when left out.

    Raises:
        ValueError: an episode occurs twice, or a cut is beyond the recipe's turns.
        LabelError: the cell isn't a repair cell.
    """
    view = RepairCell(protocol, units, units_planned)
    cuts = view.cuts(ts)
    return [*(view.solved(t) for t in cuts), view.any_turn(cuts[-1])]


def measure_repair_detail(
    protocol: Protocol,
    units: Iterable[UnitResult],
    ts: Sequence[int] | None = None,
    *,
    units_planned: int | None = None,
) -> list[Measurement]:
    """What repair does up to the last cut: fix rates, break rate, false accepts, MRR, turns used.

    Arguments and errors as `measure_repair`. Rates are over episodes, with an interval that
    resamples tasks (its seed is `record.bootstrap_seed`).
    """
    view = RepairCell(protocol, units, units_planned)
    last = view.cuts(ts)[-1]
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
    view = RepairCell(protocol, units, units_planned)
    return [view.solved_within(budget) for budget in budgets]


def measure_episodes(
    protocol: Protocol,
    units: Iterable[UnitResult],
    ks: Sequence[int],
    *,
    units_planned: int | None = None,
) -> list[Measurement]:
    """any-of-k and all-of-k episodes at the recipe's turns; arguments as `measure_repair`.

    Raises:
        LabelError: the draws are greedy and a k is above 1.
    """
    view = RepairCell(protocol, units, units_planned)
    kinds = (
        (MetricKind.ANY_EPISODE, per_task_pass_at_k),
        (MetricKind.ALL_EPISODES, per_task_pass_hat_k),
    )
    return [view.of_episodes(kind, k, estimator) for k in ks for kind, estimator in kinds]
