"""Scored beside held-out: what a value would be without the tests that the model may see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from workbench.metrics.measurement import Measurement
from workbench.metrics.passk import mean_over_tasks
from workbench.report import numbers
from workbench.report.analysis import NO_PROGRAM, CellAnalysis
from workbench.report.sections import Section

_NEVER = (*NO_PROGRAM, "compile_error", "passed")
"""Outcomes that are the same whichever of the tests are run."""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Bounds on a cell's share of units that pass the scored tests that aren't visible."""

    language: str
    mode: str
    scored: Measurement
    low: float
    """No unit that failed a visible test passes the others."""
    high: float
    """Every one does."""
    open: int
    """Units that failed a visible test, so that nothing is known of the others."""

    def to_json(self) -> dict[str, Any]:
        """As exported; shares in 0..1."""
        return {
            "language": self.language,
            "mode": self.mode,
            "label": str(self.scored.label),
            "scored": self.scored.value,
            "held_out": [self.low, self.high],
            "open": self.open,
        }


def held_out(cells: Sequence[CellAnalysis]) -> list[HeldOut]:
    """One a cell whose visible tests were run; k = 1, or the recipe's last turn."""
    found = (_of_cell(cell) for cell in cells)
    return [bounds for bounds in found if bounds is not None]


def _of_cell(cell: CellAnalysis) -> HeldOut | None:
    chief = cell.chief
    if chief is None or chief.value is None or cell.tree or (chief.metric.k or 1) != 1:
        return None
    if not any(cell.visible.values()) or chief.label.data.held_out:
        return None
    by_task: dict[str, list[tuple[bool, bool]]] = {}
    for unit in cell.results:
        if unit.lost:
            continue
        seen = cell.visible.get((unit.task, unit.index))
        unknown = unit.outcome not in _NEVER and seen is not None and seen != "passed"
        by_task.setdefault(unit.task, []).append((unit.passed, unknown))
    low = [sum(hit for hit, _ in units) / len(units) for units in by_task.values()]
    high = [sum(hit or may for hit, may in units) / len(units) for units in by_task.values()]
    return HeldOut(
        cell.cell.language,
        cell.name,
        chief,
        mean_over_tasks(low),
        mean_over_tasks(high),
        sum(may for units in by_task.values() for _, may in units),
    )


def held_out_section(found: Sequence[HeldOut]) -> list[Section]:
    """As one part of a report."""
    if not found:
        return []
    rows = tuple(
        (
            f"{h.language} {h.mode}",
            str(h.scored.metric),
            numbers.value(h.scored),
            numbers.percent_digits(h.low)
            if h.low == h.high
            else f"{numbers.percent_digits(h.low)}–{numbers.percent_digits(h.high)}",
            str(h.open),
        )
        for h in found
    )
    return [
        Section(
            "held_out",
            "scored and held-out tests: what stands in the prompt left out, per cent",
            ("cell", "metric", "scored", "held-out only", "open"),
            rows,
            (
                "open: units that failed a visible test; whether they pass the others isn't known, "
                "hence two bounds. `workbench rescore NAME --suite held-out` judges them",
            ),
            [h.to_json() for h in found],
            frozenset({2, 3, 4}),
        )
    ]
