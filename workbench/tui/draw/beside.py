"""Two units side by side, the same pane of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from workbench.text import clean_line
from workbench.tui.draw.frame import NARROW
from workbench.tui.draw.glyphs import mark
from workbench.tui.draw.ink import Page
from workbench.tui.draw.panes import Box, draw
from workbench.tui.model.pane import Pane, PaneState
from workbench.tui.model.sample import SampleView

PANES = ("program", "answer", "output", "prompt")


@dataclass
class BesideView:
    """Which pane is shown, which side has the focus, and how far each is scrolled."""

    pane: str = "program"
    side: int = 0
    states: dict[tuple[int, str], PaneState] = field(
        default_factory=dict[tuple[int, str], PaneState]
    )

    def state(self, side: int) -> PaneState:
        """Scroll state of a side's pane."""
        return self.states.setdefault((side, self.pane), PaneState())


def boxes(width: int, lines: tuple[int, int]) -> tuple[Box, Box]:
    """Where the two stand: beside each other, on narrow screens one below the other."""
    top, bottom = lines
    if width < NARROW:
        half = top + (bottom - top) // 2
        return Box(2, width - 2, top + 1, half), Box(2, width - 2, half + 1, bottom)
    middle = width // 2
    return Box(2, middle - 2, top + 1, bottom), Box(middle + 2, width - 2, top + 1, bottom)


def pane_of(view: SampleView, name: str) -> Pane:
    """The pane of the program that counts: of the last turn."""
    return view.turns[-1].panes[name]


def draw_beside(
    page: Page,
    units: Sequence[tuple[str, SampleView]],
    at: BesideView,
    lines: tuple[int, int],
) -> None:
    """Draw two units, each with the name of its session, into rows `lines`."""
    both = boxes(page.width, lines)
    if page.width >= NARROW:
        for y in range(*lines):
            page.row(y).put(page.width // 2, "│", "rule")
    for side, ((session, unit), box) in enumerate(zip(units, both, strict=True)):
        head = page.row(box.top - 1)
        kind = mark(unit.unit.outcome)
        end = head.put(box.left, f"{'AB'[side]} ", "strong", bold=True)
        end = head.put(end, f"{kind.glyph} {kind.word}", kind.tone, bold=True) + 2
        mode = "plain" if unit.cell.mode == "plain" else unit.cell.recipe
        where = f"{unit.cell.language} · {mode} · {unit.cell.unit_kind} {unit.unit.index + 1} · {session}"
        head.put(end, clean_line(where), "muted", width=box.right - end)
        draw(page, box, pane_of(unit, at.pane), at.state(side), focused=side == at.side)
