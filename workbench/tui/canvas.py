"""The one widget that paints drawn rows: only rows that changed reach the terminal."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from workbench.text import clean_line
from workbench.tui import theme
from workbench.tui.draw.glyphs import ASCII
from workbench.tui.draw.ink import Ink, Page, Run, Zone


def needs_ascii() -> bool:
    """Whether the terminal can't show the product's glyphs."""
    if os.environ.get("TERM") == "dumb" or os.environ.get("WORKBENCH_ASCII"):
        return True
    encoding = (getattr(sys.__stdout__, "encoding", None) or "utf-8").lower()
    return encoding.replace("-", "") not in ("utf8", "utf16", "utf32")


class Canvas(Widget, can_focus=True):
    """Shows a page."""

    DEFAULT_CSS = "Canvas { width: 1fr; height: 1fr; }"

    @dataclass
    class Pressed(Message):
        """The mouse went down on a zone."""

        target: str
        twice: bool

    @dataclass
    class Wheel(Message):
        """The wheel was turned; positive: down."""

        by: int
        target: str

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[tuple[Run, ...]] = []
        self._zones: list[list[Zone]] = []
        self._ascii = needs_ascii()

    @property
    def rows(self) -> list[tuple[Run, ...]]:
        """What is shown."""
        return self._rows

    def show(self, page: Page) -> None:
        """Show a page; only what differs from the one before is painted."""
        rows = page.finish()
        self._zones = [row.zones for row in page.rows]
        if len(rows) != len(self._rows):
            self._rows = rows
            self.refresh()
            return
        changed = [y for y, row in enumerate(rows) if row != self._rows[y]]
        self._rows = rows
        if changed:
            self.refresh(*[Region(0, y, self.size.width, 1) for y in changed])

    def render_line(self, y: int) -> Strip:
        """One row as terminal segments."""
        if y >= len(self._rows):
            return Strip.blank(self.size.width, self._style(Ink()))
        segments: list[Segment] = []
        for text, ink in self._rows[y]:
            shown = text.translate(ASCII) if self._ascii else text
            if not shown.isprintable():
                # Foreign text is cleaned where it is drawn; this is the net below.
                shown = clean_line(shown)
            segments.append(Segment(shown, self._style(ink)))
        return Strip(segments).adjust_cell_length(
            self.size.width, self._style(self._rows[y][-1][1])
        )

    def _style(self, ink: Ink) -> Style:
        current = self.app.current_theme
        few = self.app.console.color_system == "256"
        grey = self.app.no_color
        return theme.style(ink, dark=current.dark, ansi=current.ansi, few=few, grey=grey)

    def target(self, x: int, y: int) -> str:
        """What stands at a cell; the zone written last wins."""
        if 0 <= y < len(self._zones):
            for zone in reversed(self._zones[y]):
                if zone.start <= x < zone.end:
                    return zone.target
        return ""

    def on_click(self, event: events.Click) -> None:
        """Tell the screen what was clicked."""
        self.post_message(self.Pressed(self.target(event.x, event.y), event.chain > 1))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Tell the screen."""
        event.stop()
        self.post_message(self.Wheel(1, self.target(event.x, event.y)))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Tell the screen."""
        event.stop()
        self.post_message(self.Wheel(-1, self.target(event.x, event.y)))
