"""An episode: did it get there, and at which turn it turned."""

from __future__ import annotations

from workbench.text import clean_line
from workbench.tui.draw import figures
from workbench.tui.draw.frame import NARROW, TALL, WIDE
from workbench.tui.draw.glyphs import mark
from workbench.tui.draw.ink import Page, Zone
from workbench.tui.draw.panes import Box, draw, tabs
from workbench.tui.draw.sample import UnitView, draw_headless
from workbench.tui.model.sample import SampleView, TurnView

NARROW_VIEWS = (
    ("change", "feedback + change"),
    ("program", "program"),
    ("prompt", "prompt"),
    ("answer", "answer"),
    ("output", "output"),
)
LEAST = 24
"""Cells a turn needs in the strip."""


def layout(width: int, lines: tuple[int, int], pane: str) -> dict[str, Box]:
    """Where panes stand below the turn strip."""
    top, bottom = lines
    if width < NARROW:
        if pane in ("feedback", "change"):
            half = top + 1 + (bottom - top - 1) * 2 // 5
            return {
                "feedback": Box(2, width - 2, top + 1, half),
                "change": Box(2, width - 2, half, bottom),
            }
        return {pane: Box(2, width - 2, top, bottom)}
    tests = 6 if bottom - top > 20 else 0
    end = bottom - tests - 2
    if width < WIDE:
        middle = width // 2
        boxes = {
            "feedback": Box(2, middle - 1, top, end),
            "change": Box(middle + 3, width - 2, top, end),
        }
        if pane in ("program", "prompt", "answer", "output"):
            boxes = {pane: Box(2, width - 2, top, end)}
        if tests:
            boxes["visible"] = Box(2, middle - 1, end + 1, bottom - 2)
            boxes["scored"] = Box(middle + 3, width - 2, end + 1, bottom - 2)
        return boxes
    left = "feedback" if pane not in ("prompt", "answer") else pane
    boxes = {
        left: Box(2, 62, top, end),
        "change": Box(67, 133, top, end),
        "program" if pane != "output" else "output": Box(138, width - 2, top, end),
    }
    if tests:
        boxes["visible"] = Box(2, 62, end + 1, bottom - 2)
        boxes["scored"] = Box(67, 133, end + 1, bottom - 2)
    return boxes


def draw_episode(page: Page, view: SampleView, at: UnitView, lines: tuple[int, int]) -> None:
    """Draw an episode into rows `lines`."""
    top = _strip(page, view, at, lines[0])
    top += 1 if page.height >= TALL else 0
    turn = view.turns[at.turn]
    boxes = layout(page.width, (top, lines[1]), at.pane)
    if page.width < NARROW:
        present = "change" if at.pane == "feedback" else at.pane
        tabs(page, top, list(NARROW_VIEWS), present, "")
        if at.pane not in ("feedback", "change"):
            draw_headless(page, boxes[at.pane], turn, at, at.pane)
            return
    if page.width >= NARROW:
        lefts = sorted({box.left for box in boxes.values()})
        for left in lefts[1:]:
            for y in range(top, max(b.bottom for b in boxes.values() if b.left == left)):
                page.row(y).put(left - 3 if page.width >= WIDE else left - 2, "│", "rule")
        row = page.row(lines[1] - 1)
        row.put(2, "label", "muted")
        row.put(9, clean_line(view.label), "faint", width=page.width - 11)
    # Panes come last: their scroll thumbs stand on the lines between them.
    for name, box in boxes.items():
        draw(page, box, turn.panes[name], at.state(name), focused=name == at.pane)


def _strip(page: Page, view: SampleView, at: UnitView, y: int) -> int:
    """Draw the turns; returns the row after them."""
    turns = view.turns
    size = (page.width - 2) // len(turns)
    if size < LEAST:
        return _short_strip(page, turns, at, y)
    size = min(size, 40)
    for index, turn in enumerate(turns):
        left = 2 + index * size
        here = index == at.turn
        _turn(page, y, left, size, turn, here=here)
        if index + 1 < len(turns):
            page.row(y + 1).put(left + size - 4, "→", "muted")
    return y + 3


def _turn(page: Page, y: int, left: int, size: int, turn: TurnView, *, here: bool) -> None:
    kind = mark(turn.outcome)
    head, middle, last = page.row(y), page.row(y + 1), page.row(y + 2)
    room = left + size - 4
    end = head.put(left, f"turn {turn.turn}", "strong" if here else "muted", bold=here)
    end = head.put(end + 2, kind.glyph, kind.tone, bold=True)
    head.put(end + 1, kind.word, kind.tone, bold=here, width=room - end + 1)
    end = middle.put(left, "visible ", "muted")
    end = middle.put(end, turn.visible, "text", width=room - end)
    if turn.change and room - end >= len(turn.change) + 3:
        middle.put(end + 2, turn.change, "muted")
    end = last.put(left, f"{figures.count(turn.tokens)} tok", "strong" if here else "text")
    end = last.put(end, " so far", "muted")
    if size >= 34 and turn.prompt_tokens:
        text = f" · {turn.prompt_tokens} + {turn.completion_tokens}"
        last.put(end, text, "muted", width=room - end)
    for row in (head, middle, last):
        row.zones.append(Zone(left, left + size - 3, f"turn:{turn.turn - 1}"))
        if here:
            row.focus(left - 2, left + size - 4)


def _short_strip(page: Page, turns: tuple[TurnView, ...], at: UnitView, y: int) -> int:
    """More turns than fit: one row of marks, and the focused one in full."""
    row = page.row(y)
    column = 2
    for index, turn in enumerate(turns):
        kind = mark(turn.outcome)
        here = index == at.turn
        start = column
        column = row.put(column, kind.glyph, kind.tone, bold=True, target=f"turn:{index}")
        if here:
            row.tint(start - 1, column + 1, "chip")
        if index + 1 < len(turns):
            column = row.put(column + 1, "→", "muted") + 1
    _turn(page, y + 1, 4, min(60, page.width - 4), turns[at.turn], here=True)
    return y + 4
