"""The parts of a session's report that stand below its chief numbers."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.report.analysis import CellAnalysis
from workbench.report.budget import budget_rows, budget_section
from workbench.report.held_out import held_out, held_out_section
from workbench.report.memory import copies, memory_section
from workbench.report.methods import methods_section
from workbench.report.sections import Section
from workbench.session.store import SessionReader


def parts_of(reader: SessionReader, cells: Sequence[CellAnalysis]) -> list[Section]:
    """Equal budgets, held-out bounds, contamination, methods; what doesn't apply is left out."""
    return [
        *budget_section(budget_rows(cells)),
        *held_out_section(held_out(cells)),
        *memory_section(copies(reader), [cell.protocol.record for cell in cells]),
        *methods_section(cells),
    ]
