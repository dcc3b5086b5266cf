"""What Live shows of a session: the matrix, its blocks, who waits, where the cursor is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.session.records import CellRow, InFlight
from workbench.tui.model.readings import Reading
from workbench.tui.model.session import SessionModel


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One row: a language of a benchmark and suite."""

    benchmark: str
    suite: str
    language: str


@dataclass
class LiveView:
    """Where the cursor stands; kept while other screens are shown."""

    row: int = 0
    block: int = 0
    """Which mode, counted over all of them."""
    part: str = "matrix"
    """`matrix`, `waiting` or `events`."""
    waiting: int = 0
    events: int = 0
    """How many events are scrolled past, from the newest."""
    only: str = ""
    """Language that the waiting list is filtered to."""


def matrix_rows(model: SessionModel) -> list[MatrixRow]:
    """Rows in planned order."""
    return list(dict.fromkeys(MatrixRow(c.benchmark, c.suite, c.language) for c in model.cells))


def cell_at(model: SessionModel, row: MatrixRow, mode: str) -> CellRow | None:
    """The cell of a row in a mode, if the session has it."""
    for c in model.cells:
        if (c.benchmark, c.suite, c.language) == (row.benchmark, row.suite, row.language) and (
            c.recipe or c.mode
        ) == mode:
            return c
    return None


def waiting(model: SessionModel, only: str = "") -> list[InFlight]:
    """Units in flight, stalled ones on top, then the oldest first."""
    units = model.snapshot.in_flight if model.snapshot else ()
    chosen = [u for u in units if not only or u.language == only]
    return sorted(chosen, key=lambda u: (not u.why.startswith("stalled"), u.since))


def chief(readings: Sequence[Reading]) -> Reading | None:
    """The first reading: the metric that heads the block."""
    return readings[0] if readings else None
