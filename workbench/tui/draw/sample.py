"""A sample: the program and where it failed, what was asked and answered, what was printed."""

from __future__ import annotations

from dataclasses import dataclass, field

from workbench.text import clean_line
from workbench.tui.draw import figures
from workbench.tui.draw.frame import NARROW, TALL, WIDE
from workbench.tui.draw.ink import Page
from workbench.tui.draw.panes import Box, draw, tabs
from workbench.tui.model.pane import PaneState
from workbench.tui.model.sample import SampleView, TurnView

VIEWS = (
    ("program", "program"),
    ("prompt", "prompt"),
    ("answer", "answer"),
    ("output", "output"),
)


@dataclass
class UnitView:
    """Which turn and pane are looked at, and how far each is scrolled."""

    turn: int = 0
    """Index into the turns."""
    pane: str = "program"
    panes: dict[tuple[int, str], PaneState] = field(
        default_factory=dict[tuple[int, str], PaneState]
    )
    finding: int = 0

    def state(self, pane: str) -> PaneState:
        """Scroll state of a pane of the present turn."""
        return self.panes.setdefault((self.turn, pane), PaneState())


def layout(width: int, lines: tuple[int, int], pane: str) -> dict[str, Box]:
    """Where panes stand at a width; narrow shows one view and a little of the output."""
    top, bottom = lines
    if width < NARROW:
        if pane != "program":
            return {pane: Box(2, width - 2, top + 1, bottom)}
        below = 5 if bottom - top > 14 else 0
        boxes = {"program": Box(2, width - 2, top, bottom - below)}
        if below:
            boxes["output"] = Box(2, width - 2, bottom - below, bottom)
        return boxes
    if width < WIDE:
        split = width - 43
        below = max(6, (bottom - top) // 4)
        end = bottom - below - 3
        half = top + (end - top) // 2
        return {
            "program": Box(2, split - 1, top, end),
            "prompt": Box(split + 3, width - 2, top, half - 1),
            "answer": Box(split + 3, width - 2, half, end),
            "output": Box(2, width - 2, end + 1, bottom - 3),
        }
    half = top + (bottom - top) * 2 // 5
    return {
        "prompt": Box(2, 52, top, half - 1),
        "answer": Box(2, 52, half, bottom - 1),
        "program": Box(57, 133, top, bottom - 1),
        "output": Box(138, width - 2, top + 10, bottom - 4),
    }


def draw_sample(page: Page, view: SampleView, at: UnitView, lines: tuple[int, int]) -> None:
    """Draw a sample into rows `lines`."""
    turn = view.turns[at.turn]
    boxes = layout(page.width, lines, at.pane)
    if page.width < NARROW:
        pane = turn.panes["program"]
        note = (
            f"{figures.tokens(turn.completion_tokens)} tok · {figures.seconds(view.unit.seconds)}"
        )
        if pane.findings:
            note = f"{len(pane.findings)} found · {note}"
        tabs(page, lines[0], list(VIEWS), at.pane, note)
        if at.pane == "program":
            # The view's name stands in the row of views: no heading of its own.
            inner = boxes["program"]
            draw_headless(page, inner, turn, at, "program")
            if "output" in boxes:
                draw(page, boxes["output"], turn.panes["output"], at.state("output"), focused=False)
            return
    if page.width >= WIDE:
        _side(page, view, lines)
        for y in range(*lines):
            page.row(y).put(54, "│", "rule")
            page.row(y).put(135, "│", "rule")
    elif page.width >= NARROW:
        split = boxes["prompt"].left - 2
        for y in range(lines[0], boxes["program"].bottom):
            page.row(y).put(split, "│", "rule")
        _facts(page, lines[1] - 2 - (1 if page.height >= TALL else 0) + 1, view)
    # Panes come last: their scroll thumbs stand on the lines between them.
    for name, box in boxes.items():
        draw(page, box, turn.panes[name], at.state(name), focused=name == at.pane)


def draw_headless(page: Page, box: Box, turn: TurnView, at: UnitView, name: str) -> None:
    """Draw a pane whose heading row is used by something else."""
    pane = turn.panes[name]
    above = page.rows[box.top]
    blank = type(above)(page.width)
    page.rows[box.top] = blank
    draw(page, box, pane, at.state(name), focused=False)
    page.rows[box.top] = above


def _facts(page: Page, y: int, view: SampleView) -> None:
    """Two lines of facts: what it took, and the label."""
    row = page.row(y - 1)
    column = 2
    for word, value in view.facts:
        if column + len(word) + len(value) + 1 > page.width - 2:
            break
        column = row.put(column, word, "muted") + 1
        column = row.put(column, value, "text") + 3
    row = page.row(y)
    row.put(2, "label", "muted")
    row.put(9, clean_line(view.label), "faint", width=page.width - 11)


def _side(page: Page, view: SampleView, lines: tuple[int, int]) -> None:
    """Wide: facts above the output, the label below."""
    start, end = 138, page.width - 2
    top, bottom = lines
    page.part(top, "Facts", "", start=start, end=end)
    for offset, (word, value) in enumerate(view.facts[:8], 1):
        row = page.row(top + offset)
        row.put(start, word, "muted", width=11)
        row.put(start + 12, value, "text", width=end - start - 12)
    page.part(bottom - 3, "Label", "", start=start, end=end)
    label = clean_line(view.label)
    room = end - start
    for offset in range(2):
        page.row(bottom - 2 + offset).put(
            start, label[offset * room : (offset + 1) * room], "muted"
        )
