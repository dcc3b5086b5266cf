"""The best of several temperatures: a selection on the tasks it is reported for, named as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workbench.errors import UsageError
from workbench.metrics.measurement import Measurement
from workbench.protocol.comparison import may_pair
from workbench.protocol.metric import MetricKind
from workbench.report.analysis import CellAnalysis

WARNING = (
    "max_T: the best of {n} temperatures, chosen on the tasks it is reported for, apart for each "
    "metric: too high by what the luckier temperature owes to luck; its interval leaves that out"
)
_KINDS = (MetricKind.PASS_AT, MetricKind.SOLVED)
_FREE = ("gen.temperature", "gen.regime")


def best_of(cells: Sequence[CellAnalysis]) -> list[Measurement]:
    """`… max_T{…}` of cells that differ in temperature alone, one measurement a metric.

    Args:
        cells: one a temperature: same benchmark, language and mode.

    Raises:
        UsageError: they differ in something else that matters, or two have one temperature.
    """
    first = cells[0]
    drawn = [cell.protocol.gen.temperature or "0" for cell in cells]
    if "0" in drawn or len(set(drawn)) != len(drawn):
        raise UsageError(
            f"temperatures {', '.join(drawn)}: a grid has several, each once and above 0"
        )
    models = dict.fromkeys(cell.protocol.record.model for cell in cells)
    if len(models) > 1:
        raise UsageError(f"a grid of temperatures is one model's, not of {', '.join(models)}")
    for other in cells[1:]:
        found = may_pair(first.protocol, other.protocol)
        others = [d for d in found.differences if d.kind > 1 and d.field not in _FREE]
        if others:
            raise UsageError(f"no grid of temperatures: they differ in {others[0]}")
    grid = tuple(sorted(drawn, key=float))
    return [
        _best([m for cell in cells for m in cell.measured if m.metric == chief.metric], grid)
        for chief in first.measured
        if chief.metric.kind in _KINDS and not chief.metric.grid
    ]


def _best(found: Sequence[Measurement], grid: tuple[str, ...]) -> Measurement:
    """The greatest value of one metric, with the grid in its name and no single temperature."""
    missing = [m for m in found if m.value is None]
    best = missing[0] if missing else max(found, key=lambda m: m.value or 0.0)
    metric = replace(best.metric, grid=grid)
    draws = best.label.draws
    assert draws is not None, "a measured number has its draws"
    chosen = draws.temperature
    label = replace(best.label, metric=metric, draws=replace(draws, temperature=""), fingerprint="")
    notes = (
        *best.notes,
        WARNING.format(n=len(grid)),
        *(() if missing else (f"best at T={chosen}",)),
    )
    return replace(best, metric=metric, label=label, fingerprint="", notes=notes)
