"""Two units side by side: another sample, language, mode or model of the same problem."""

from __future__ import annotations

import asyncio
from pathlib import Path

from workbench.errors import SessionError
from workbench.session.store import SessionReader
from workbench.text import clean_line
from workbench.tui import actions
from workbench.tui.draw.beside import PANES, BesideView, boxes, draw_beside, pane_of
from workbench.tui.draw.frame import Frame
from workbench.tui.draw.ink import Page
from workbench.tui.draw.panes import body_width
from workbench.tui.model.feed import DAMAGED, damage
from workbench.tui.model.sample import SampleView, build, copied
from workbench.tui.screens.base import Place, bindings

Which = tuple[Path, int]
"""A session's folder, and a unit of it."""


def read(which: Which) -> SampleView:
    """A unit of any session, ready to be shown; for a thread.

    Raises:
        SessionError: it can't be read.
    """
    path, unit_id = which
    try:
        with SessionReader.open(path) as reader:
            unit = reader.unit(unit_id)
            cell = next(c for c in reader.cells() if c.id == unit.cell_id)
            task = reader.tasks()[unit.task_pk]
            return build(unit, cell, task, reader.turns(unit_id), cell.label)
    except DAMAGED as error:
        raise SessionError(damage(path.name, error)) from error


class BesideScreen(Place):
    """The same pane of two units."""

    SCOPE = "beside"
    TITLE_OF_HELP = "Side by side"
    ABOUT = "The same part of two units; of an episode the program it handed in last."
    BINDINGS = bindings("beside", actions.EVERYWHERE)

    def __init__(self, one: Which, other: Which, place: str = "tasks") -> None:
        super().__init__()
        self.which = (one, other)
        self.at = BesideView()
        self.units: tuple[SampleView, SampleView] | None = None
        self._place = place
        self._problem = ""

    def on_mount(self) -> None:
        """Read both."""
        self.run_worker(self._read(), group="beside", exclusive=True)

    async def _read(self) -> None:
        try:
            one, other = [await asyncio.to_thread(read, which) for which in self.which]
            self.units = (one, other)
        except SessionError as error:
            self._problem = str(error)
        self.paint()

    def state_of_data(self) -> tuple[object, ...]:
        """Repaint when read."""
        return (self.units is not None, self._problem)

    def frame(self) -> Frame:
        """The problem, and the parts there are."""
        title = "Side by side"
        if self.units is not None:
            task = self.units[0].task
            title = clean_line(f"{task.task_id} {task.entry_point}")
        label = " · ".join(f"[{name}]" if name == self.at.pane else name for name in PANES)
        return Frame(self._place, title, label, entries=actions.footer("beside", {}))

    def content(self, page: Page, lines: tuple[int, int], now: float) -> None:
        """Both units."""
        if self.units is None:
            text = clean_line(self._problem) or "reading …"
            page.row(lines[0] + 2).put(4, text, "wrong" if self._problem else "muted")
            return
        named = [(path.name, unit) for (path, _), unit in zip(self.which, self.units, strict=True)]
        draw_beside(page, named, self.at, lines)

    def _scroll(self, by: int) -> None:
        """Both sides go together."""
        if self.units is None:
            return
        frame = self.frame()
        frame.draw(Page(*self.size))
        both = boxes(self.size.width, frame.lines)
        for side, (unit, box) in enumerate(zip(self.units, both, strict=True)):
            pane, state = pane_of(unit, self.at.pane), self.at.state(side)
            state.scroll(by, len(state.lay(pane, body_width(box, pane))), box.height)

    def do_down(self) -> None:
        """Scroll both down."""
        self._scroll(1)

    def do_up(self) -> None:
        """Scroll both up."""
        self._scroll(-1)

    def do_page_down(self) -> None:
        """A page down."""
        self._scroll(max(1, self.size.height // 2))

    def do_page_up(self) -> None:
        """A page up."""
        self._scroll(-max(1, self.size.height // 2))

    def do_first(self) -> None:
        """To the beginning."""
        self._scroll(-1_000_000)

    def do_last(self) -> None:
        """To the end."""
        self._scroll(1_000_000)

    def do_left(self) -> None:
        """Focus the first."""
        self.at.side = 0

    def do_right(self) -> None:
        """Focus the second."""
        self.at.side = 1

    def do_part(self) -> None:
        """Next part of both."""
        self.at.pane = PANES[(PANES.index(self.at.pane) + 1) % len(PANES)]

    def do_part_back(self) -> None:
        """Previous part of both."""
        self.at.pane = PANES[PANES.index(self.at.pane) - 1]

    def do_open(self) -> None:
        """Open the focused one alone."""
        self.bench.pop_screen()
        self.bench.open_in(*self.which[self.at.side])

    def wheel(self, by: int, target: str) -> None:
        """The wheel scrolls both."""
        self._scroll(3 * by)

    def copied(self) -> str:
        """The focused one's text under what it is of."""
        if self.units is None:
            return ""
        unit = self.units[self.at.side]
        return copied(unit, pane_of(unit, self.at.pane))
