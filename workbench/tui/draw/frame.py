"""The frame of every screen: places, title line, alert or filter line, footer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from workbench.tui.actions import Entry
from workbench.tui.draw.ink import Ink, Page, Run, Tone, cells

PLACES: tuple[tuple[str, str], ...] = (
    ("sessions", "Sessions"),
    ("live", "Live"),
    ("tasks", "Tasks"),
    ("compare", "Compare"),
    ("recipes", "Recipes"),
)
"""Screen id and name; the key of a place is its number."""

NARROW = 110
WIDE = 180
TALL = 30
"""Rows from which blank lines are shown."""
SMALLEST = (60, 16)

Breadth = Literal["narrow", "middle", "wide"]


def breadth(width: int) -> Breadth:
    """Which of the three layouts a width gets."""
    return "narrow" if width < NARROW else "middle" if width < WIDE else "wide"


@dataclass(frozen=True, slots=True)
class Alert:
    """One line that needs a person."""

    text: str
    tone: Tone = "limit"
    short: str = ""
    """For narrow screens; empty: the text is cut."""


@dataclass(frozen=True, slots=True)
class Question:
    """What the footer asks before something ends."""

    text: str
    yes: str
    no: str = "keep"


@dataclass(slots=True)
class Frame:
    """What stands around the content."""

    place: str
    title: str
    label: str = ""
    state: Sequence[Run] = ()
    alert: Alert | None = None
    filter: Sequence[Run] | None = None
    """Chips and typed words; `None`: no filter line."""
    filter_word: str = "filter"
    """What stands before them."""
    entries: Sequence[Entry] = ()
    question: Question | None = None
    back: str = "back"
    """What escape does; empty at home, where `q` stands instead."""
    lines: tuple[int, int] = field(default=(0, 0), init=False)
    """First content row, and the row after the last; set when drawn."""

    def draw(self, page: Page) -> None:
        """Draw it, and set `lines`."""
        self._places(page)
        self._title(page)
        top = 2 if page.height < TALL else 3
        if self.alert is not None or self.filter is not None:
            self._second(page)
            top = 3
        self._footer(page)
        self.lines = (top, page.height - 1)

    def _places(self, page: Page) -> None:
        row = page.row(0)
        row.tint(0, page.width, "bar")
        column = row.put(2, "workbench", "strong", bold=True) + 1
        for number, (place, name) in enumerate(PLACES, 1):
            here = place == self.place
            width = len(name) + 4
            if here:
                row.tint(column, column + width, "page")
            end = row.put(column + 1, str(number), "accent" if here else "faint", bold=here,
                          target=f"everywhere.{place}")  # fmt: skip
            row.put(end + 1, name, "strong" if here else "muted", bold=here,
                    target=f"everywhere.{place}")  # fmt: skip
            column += width
        if page.width >= NARROW:
            self._state(page, 0)

    def _state(self, page: Page, y: int) -> int:
        width = sum(cells(text) for text, _ in self.state)
        start = max(2, page.width - 2 - width)
        page.row(y).runs(start, self.state)
        return start

    def _title(self, page: Page) -> None:
        row = page.row(1)
        limit = page.width - 2
        if page.width < NARROW and self.state:
            limit = self._state(page, 1) - 2
        end = row.put(2, self.title, "strong", bold=True, width=limit - 2)
        row.put(end + 2, self.label, "muted", width=limit - end - 2)

    def _second(self, page: Page) -> None:
        row = page.row(2)
        row.tint(0, page.width, "bar")
        if self.filter is not None:
            end = row.put(2, f"{self.filter_word} ", "muted")
            row.runs(end, self.filter, page.width - 2 - end)
        elif self.alert is not None:
            text = self.alert.text
            if page.width < NARROW and self.alert.short:
                text = self.alert.short
            row.put(0, "\u258c", self.alert.tone, bold=True)
            row.put(2, text, self.alert.tone, width=page.width - 4)

    def _footer(self, page: Page) -> None:
        row = page.row(page.height - 1)
        row.tint(0, page.width, "bar")
        if self.question is not None:
            asked = self.question
            column = row.put(2, asked.text, "limit", bold=True, width=page.width - 30) + 3
            column = row.put(column, "enter", "accent", bold=True, target="yes") + 1
            column = row.put(column, asked.yes, "muted", target="yes") + 3
            column = row.put(column, "esc", "accent", bold=True, target="no") + 1
            row.put(column, asked.no, "muted", target="no")
            return
        right = [Entry("?", "help", "everywhere.help")]
        if page.width >= NARROW:
            right.append(Entry(":", "commands", "everywhere.commands"))
        right.append(
            Entry("esc", self.back, "everywhere.back")
            if self.back
            else Entry("q", "quit", "everywhere.quit")
        )
        width = sum(cells(e.key) + cells(e.word) + 3 for e in right) - 2
        start = page.width - 2 - width
        _entries(page, start, page.width, right)
        _entries(page, 2, start - 2, self.entries)


def _entries(page: Page, column: int, limit: int, entries: Sequence[Entry]) -> None:
    """Write footer entries, whole ones only."""
    row = page.row(page.height - 1)
    for entry in entries:
        width = cells(entry.key) + 1 + cells(entry.word)
        if column + width > limit:
            return
        end = row.put(column, entry.key, "accent", bold=True, target=entry.action)
        row.put(end + 1, entry.word, "muted", target=entry.action)
        column += width + 2


def chips(words: Sequence[str], typed: str | None, hint: str = "") -> list[Run]:
    """The runs of a filter line: chips, the input, a hint."""
    out: list[Run] = []
    for word in words:
        head, colon, rest = word.rpartition(":")
        out += [(f" {head}{colon}", Ink("muted", ground="chip")),
                (f"{rest} ", Ink("strong", True, ground="chip")), (" ", Ink())]  # fmt: skip
    if typed is not None:
        out += [(typed, Ink("strong")), ("\u258f", Ink("accent"))]
    if hint:
        out.append((f"  {hint}", Ink("faint")))
    return out
