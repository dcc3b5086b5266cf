"""A pane in a rectangle: heading, gutter, lines, thumb."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.tui.draw.ink import Page, Zone, cells
from workbench.tui.model.pane import Line, Pane, PaneState


@dataclass(frozen=True, slots=True)
class Box:
    """Where a pane stands: columns from `left` to before `right`, rows from `top` to before
    `bottom`, its heading among them."""

    left: int
    right: int
    top: int
    bottom: int

    @property
    def height(self) -> int:
        """Rows below the heading."""
        return max(0, self.bottom - self.top - 1)


def body_width(box: Box, pane: Pane) -> int:
    """Cells for text."""
    bar = 2 if any(line.taken for line in pane.lines) else 0
    return max(1, box.right - box.left - (pane.gutter + 1 if pane.gutter else 0) - bar)


def draw(page: Page, box: Box, pane: Pane, state: PaneState, *, focused: bool) -> None:
    """Draw a pane; its scroll position is brought into bounds."""
    page.part(box.top, pane.title, pane.note, start=box.left, end=box.right,
              note_tone=pane.note_tone)  # fmt: skip
    if focused:
        head = page.row(box.top)
        head.put(box.left, pane.title, "strong", bold=True, width=box.right - box.left)
        head.put(max(0, box.left - 2), "▌", "accent", bold=True)
    width = body_width(box, pane)
    rows = state.lay(pane, width)
    state.scroll(0, len(rows), box.height)
    bars = any(line.taken for line in pane.lines)
    for offset, line in enumerate(rows[state.top : state.top + box.height]):
        _line(page, box, box.top + 1 + offset, line, pane, state, bars=bars)
    for y in range(box.top, box.bottom):
        page.row(y).zones.append(Zone(box.left - 1, box.right, f"pane:{pane.name}"))
    if len(rows) > box.height > 0:
        size = max(1, box.height * box.height // len(rows))
        start = (box.height - size) * state.top // max(1, len(rows) - box.height)
        for y in range(start, start + size):
            page.row(box.top + 1 + y).put(min(box.right + 2, page.width - 1), "┃", "muted")


def _line(
    page: Page, box: Box, y: int, line: Line, pane: Pane, state: PaneState, *, bars: bool
) -> None:
    row = page.row(y)
    column = box.left
    if bars:
        if line.taken:
            row.put(column, "│", "accent")
        column += 2
    if pane.gutter:
        ink = line.gutter_ink
        row.put(column, line.gutter, ink.tone, bold=ink.bold, width=pane.gutter)
        column += pane.gutter + 1
    if line.ground != "page":
        row.tint(max(0, box.left - 2) if box.left <= 2 else box.left, box.right, line.ground)
    skip = 0 if line.rule else state.left
    for text, ink in line.runs:
        if skip:
            width = cells(text)
            if width <= skip:
                skip -= width
                continue
            text = text[skip:]
            skip = 0
        end = row.put(column, text, ink.tone, bold=ink.bold, italic=ink.italic,
                      width=box.right - column)  # fmt: skip
        column = end
        if column >= box.right:
            break
    if line.rule:
        row.rule(column, box.right)


def tabs(page: Page, y: int, names: list[tuple[str, str]], present: str, note: str) -> None:
    """Views side by side, the present one bold: what narrow screens have for panes."""
    row = page.row(y)
    column = 2
    for name, word in names:
        here = name == present
        column = row.put(column, word, "strong" if here else "muted", bold=here,
                         target=f"pane:{name}") + 3  # fmt: skip
    if note and column + cells(note) < page.width - 2:
        row.right(page.width - 2, note, "muted")
