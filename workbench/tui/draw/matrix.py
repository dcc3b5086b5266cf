"""The blocks of Live's matrix: one a mode, and their cells."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.session.records import CellRow
from workbench.text import clean_line
from workbench.tui.draw import bars, figures
from workbench.tui.draw.frame import NARROW, WIDE
from workbench.tui.draw.glyphs import SUSPICIOUS
from workbench.tui.draw.ink import Page, Zone
from workbench.tui.model.live import LiveView, chief
from workbench.tui.model.session import SessionModel

AXIS = 25
"""Cells of the interval's axis on wide screens."""


@dataclass(frozen=True, slots=True)
class Block:
    """Where one mode's column of cells stands."""

    mode: str
    number: int
    """Which mode, counted over all."""
    of: int
    start: int
    end: int

    def zone(self, row: int) -> Zone:
        """The cell of matrix row `row`, for the mouse."""
        return Zone(self.start, self.end, f"cell:{row}:{self.number}")


def blocks(model: SessionModel, view: LiveView, width: int) -> list[Block]:
    """The one or two blocks that are shown; the one under the cursor is among them."""
    modes = model.modes
    if not modes:
        return []
    first = min(max(0, view.block - 1) if view.block else 0, max(0, len(modes) - 2))
    shown = modes[first : first + 2]
    left = 11 if width < NARROW else 12
    gap = 1 if width < NARROW else 4
    size = (width - 2 - left - gap) // 2
    if len(shown) == 1 and width >= NARROW:
        size = width - 2 - left if width < WIDE else 91
    elif width < NARROW:
        size = 33
    return [
        Block(mode, first + i, len(modes), left + i * (size + gap), left + i * (size + gap) + size)
        for i, mode in enumerate(shown)
    ]


def draw_head(page: Page, y: int, shown: list[Block], *, wide: bool, model: SessionModel) -> None:
    """Draw the two heading rows of the matrix."""
    narrow = page.width < NARROW
    if narrow:
        page.row(y + 1).put(2, "language", "muted")
    for block in shown:
        cells = [c for c in model.cells if (c.recipe or c.mode) == block.mode]
        plain = not cells or cells[0].mode == "plain"
        first = next((r for c in cells if (r := chief(model.readings.get(c.id, ())))), None)
        head = page.row(y)
        room = (24 if narrow else block.end - block.start - 24) - (0 if plain else 2)
        word = "plain" if plain else "repair"
        column = head.put(block.start + 1, word, "strong" if plain else "repair", bold=True)
        unit = "" if first is None or "/" in first.text else " %"
        metric = f" · {first.metric}{unit}" if first else ""
        if block.of > 2:
            metric += f" · {block.number + 1} of {block.of}"
        column = head.put(column, metric, "muted", width=room)
        if not plain and not narrow and block.end - column > 60:
            head.put(column + 2, clean_line(block.mode), "faint", width=30)
        if narrow:
            head.right(block.start + 28, "in", "muted")
            row = page.row(y + 1)
            row.put(block.start + 1, "value", "muted")
            row.right(block.start + 21, "done", "muted")
            row.right(block.start + 28, "flight", "muted")
            row.right(block.start + 33, "lost", "muted")
        else:
            head.right(block.end, "lost", "muted")
            head.right(block.end - 7, "in flight", "muted")
            head.right(block.end - 18, "done", "muted")
            page.row(y + 1).rule(block.start, block.end)
            if wide:
                _axis(page, y, block, model, cells)


def _axis(page: Page, y: int, block: Block, model: SessionModel, cells: list[CellRow]) -> None:
    row = page.row(y + 1)
    at = block.start + 13
    for text, column in (("0", at), ("50", at + AXIS // 2 - 1), ("100", at + AXIS - 3)):
        row.put(column, text, "faint")
    others = next((r[1:] for c in cells if (r := model.readings.get(c.id, ()))), ())
    for offset, reading in enumerate(others[:2]):
        page.row(y).right(block.start + 52 + 12 * offset, f"{reading.short} %", "faint")


def draw_cell(
    page: Page,
    y: int,
    block: Block,
    model: SessionModel,
    cell: CellRow,
    *,
    focused: bool,
    strip: bool,
) -> None:
    """Draw one cell: value, done of planned, in flight, lost; the strip below."""
    row = page.row(y)
    tally = model.tallies[cell.id]
    readings = model.readings.get(cell.id, ())
    reading = chief(readings)
    odd = reading.suspicious if reading else ""
    narrow = page.width < NARROW
    flying = model.flight_by_cell.get(cell.id, 0)
    if reading is not None:
        tone = "limit" if odd else "strong" if reading.bold or focused else "text"
        text = reading.field if narrow or page.width >= WIDE else reading.roomy
        column = row.put(block.start, text, tone, bold=reading.bold or focused)
        if odd:
            column = row.put(column if narrow else column + 1, SUSPICIOUS, "limit", bold=True)
            if not narrow and page.width < WIDE:
                row.put(column + 1, "suspicious", "limit", bold=True,
                        width=block.end - 29 - column)  # fmt: skip
        elif reading.note and tally.scored and not narrow:
            row.put(column + 1, reading.note, "muted", width=block.end - 29 - column)
        elif reading.flags and not narrow and page.width < WIDE:
            row.put(column + 1, reading.flags, "limit", width=block.end - 29 - column)
    else:
        row.put(block.start + 4, "–", "faint")
    done = f"{figures.count(tally.scored)}/{figures.count(tally.planned)}"
    lost = str(tally.lost) if tally.lost else "–"
    shift = (21, 28, 33) if narrow else tuple(block.end - block.start - n for n in (18, 7, 0))
    row.right(block.start + shift[0], done, "muted")
    row.right(
        block.start + shift[1], str(flying) if flying else "–", "accent" if flying else "faint"
    )
    row.right(block.start + shift[2], lost, "limit" if tally.lost else "faint")
    counts = tally.with_flight(flying)
    if page.width >= WIDE and reading is not None and reading.value is not None:
        low = reading.value if reading.low is None else reading.low
        high = reading.value if reading.high is None else reading.high
        row.runs(block.start + 13, bars.interval(reading.value, low, high, AXIS, mode=cell.mode,
                                                 tone="limit" if odd else "text"))  # fmt: skip
        for offset, other in enumerate(readings[1:3]):
            row.right(block.start + 52 + 12 * offset, other.field.strip(), "muted")
    if strip:
        page.row(y + 1).runs(block.start, bars.strip(counts, block.end - block.start))
    elif block.of == 1 and narrow:
        row.runs(block.start + 36, bars.strip(counts, page.width - 2 - block.start - 36))
    if focused:
        for line in range(y, y + (2 if strip else 1)):
            page.row(line).focus(block.start - 1, block.end + (0 if narrow else 1))
