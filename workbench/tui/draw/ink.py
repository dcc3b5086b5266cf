"""Rows of styled cells: what every drawing function returns, and what a canvas paints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from rich.cells import cell_len, set_cell_size

Tone = Literal[
    "strong", "text", "muted", "faint", "rule", "accent", "pass", "wrong", "build", "limit",
    "repair", "keyword", "string", "number", "comment", "page",
]  # fmt: skip
Ground = Literal[
    "page", "bar", "cursor", "chip", "field", "sunk", "mark", "add", "del", "leak"
]  # fmt: skip


class Ink(NamedTuple):
    """How a run of cells is written: tokens of the theme, never colours."""

    tone: Tone = "text"
    bold: bool = False
    italic: bool = False
    ground: Ground = "page"


Run = tuple[str, Ink]
"""Text without control characters, and its ink."""


SPARE = 8
"""Characters looked at for each cell of room: marks on letters take none, so one isn't enough."""


def cells(text: str) -> int:
    """Width of `text` in terminal cells."""
    return len(text) if text.isascii() else cell_len(text)


def fit(text: str, width: int) -> str:
    """`text` if it has at most `width` cells, else its beginning and `…`."""
    if width <= 0:
        return ""
    if len(text) > SPARE * width:
        text = text[: SPARE * width]
    if cells(text) <= width:
        return text
    if text.isascii():
        return text[: width - 1].rstrip() + "\u2026"
    return set_cell_size(text, width - 1).rstrip() + "\u2026"


@dataclass(frozen=True, slots=True)
class Zone:
    """Cells that a mouse can act on."""

    start: int
    end: int
    target: str
    """What is meant: an action id, or a place in the list such as `row:7`."""


@dataclass(slots=True)
class Row:
    """One row of the screen while it is drawn. Later writing stands over earlier."""

    width: int
    zones: list[Zone] = field(default_factory=list[Zone])
    _put: list[tuple[int, int, str, Ink]] = field(default_factory=list[tuple[int, int, str, Ink]])
    _tints: list[tuple[int, int, Ground]] = field(default_factory=list[tuple[int, int, Ground]])
    _strong: bool = False

    def put(
        self,
        column: int,
        text: str,
        tone: Tone = "text",
        *,
        bold: bool = False,
        italic: bool = False,
        width: int | None = None,
        target: str = "",
    ) -> int:
        """Write `text` from `column`, cut with `…` after `width` cells; returns the next column."""
        room = self.width - column if width is None else min(width, self.width - column)
        if room <= 0 or not text:
            return column
        text = fit(text, room)
        end = column + cells(text)
        self._put.append((column, end, text, Ink(tone, bold, italic)))
        if target:
            self.zones.append(Zone(column, end, target))
        return end

    def right(
        self, end: int, text: str, tone: Tone = "text", *, bold: bool = False, target: str = ""
    ) -> int:
        """Write `text` so that it ends before column `end`; returns its first column."""
        start = max(0, end - cells(text))
        self.put(start, text, tone, bold=bold, width=end - start, target=target)
        return start

    def runs(self, column: int, runs: Sequence[Run], width: int | None = None) -> int:
        """Write styled runs one after the other; returns the next column."""
        limit = self.width if width is None else min(self.width, column + width)
        for text, ink in runs:
            if column >= limit:
                break
            end = self.put(column, text, ink.tone, bold=ink.bold, italic=ink.italic,
                           width=limit - column)  # fmt: skip
            if ink.ground != "page":
                self.tint(column, end, ink.ground)
            column = end
        return column

    def rule(self, start: int, end: int) -> None:
        """Draw a thin rule."""
        if end > start:
            self.put(start, "\u2500" * (end - start), "rule")

    def tint(self, start: int, end: int, ground: Ground) -> None:
        """Lay a ground under cells."""
        start, end = max(0, start), min(self.width, end)
        if end > start:
            self._tints.append((start, end, ground))

    def focus(self, start: int = 0, end: int | None = None) -> None:
        """Mark cells as focused: `▌` before, tint, and bold for what is written in `text`."""
        self.tint(start, self.width if end is None else end, "cursor")
        self._put.append((start, start + 1, "\u258c", Ink("accent", True)))

    def finish(self) -> tuple[Run, ...]:
        """The row as runs from column 0, exactly `width` cells."""
        cover: list[tuple[int, int, str, Ink]] = []
        reach = 0
        for start, end, text, ink in self._put:
            if start < reach:
                cover = _clear(cover, start, end)
            cover.append((start, end, text, ink))
            reach = max(reach, end)
        cover.sort(key=lambda c: c[0])
        out: list[Run] = []
        column = 0
        for start, end, text, ink in cover:
            if start > column:
                out.append((" " * (start - column), Ink()))
            out.append((text, ink))
            column = end
        if column < self.width:
            out.append((" " * (self.width - column), Ink()))
        for start, end, ground in self._tints:
            out = _lay(out, start, end, ground)
        return tuple(out)


def _clear(
    cover: list[tuple[int, int, str, Ink]], start: int, end: int
) -> list[tuple[int, int, str, Ink]]:
    """Take the cells from `start` to `end` out of what is written."""
    out: list[tuple[int, int, str, Ink]] = []
    for a, b, text, ink in cover:
        if b <= start or a >= end:
            out.append((a, b, text, ink))
            continue
        if a < start:
            out.append((a, start, set_cell_size(text, start - a), ink))
        if b > end:
            out.append((end, b, _tail(text, b - end), ink))
    return out


def _tail(text: str, width: int) -> str:
    """The last `width` cells of `text`; half a wide character becomes a space."""
    kept = text
    while kept and cells(kept) > width:
        kept = kept[1:]
    return " " * (width - cells(kept)) + kept


def _lay(runs: list[Run], start: int, end: int, ground: Ground) -> list[Run]:
    out: list[Run] = []
    column = 0
    for text, ink in runs:
        width = cells(text)
        if column >= end or column + width <= start:
            out.append((text, ink))
        else:
            head = max(0, start - column)
            tail = max(0, column + width - end)
            middle = text
            if head:
                out.append((set_cell_size(text, head), ink))
                middle = _tail(middle, width - head)
            if tail:
                body = set_cell_size(middle, cells(middle) - tail)
                out.append((body, ink._replace(ground=ground)))
                out.append((_tail(middle, tail), ink))
            else:
                out.append((middle, ink._replace(ground=ground)))
        column += width
    return out


@dataclass(slots=True)
class Page:
    """A whole screen: rows from top to bottom."""

    width: int
    height: int
    rows: list[Row] = field(default_factory=list[Row])

    def __post_init__(self) -> None:
        """Start with empty rows."""
        self.rows = [Row(self.width) for _ in range(self.height)]

    def row(self, y: int) -> Row:
        """Row `y`; one outside the screen can be written to and is not seen."""
        return self.rows[y] if 0 <= y < self.height else Row(self.width)

    def part(
        self, y: int, title: str, note: str = "", *, start: int = 2, end: int | None = None,
        note_tone: Tone = "muted", note_bold: bool = False,
    ) -> None:  # fmt: skip
        """Head a part: bold muted title, thin rule, note at the right end."""
        row = self.row(y)
        stop = self.width - 2 if end is None else end
        note = fit(note, max(0, stop - start - cells(title) - 4))
        column = row.put(start, title, "muted", bold=True, width=stop - start) + 1
        left = row.right(stop, note, note_tone, bold=note_bold) - 1 if note else stop
        row.rule(column, left)

    def finish(self) -> list[tuple[Run, ...]]:
        """All rows as runs."""
        return [row.finish() for row in self.rows]


def plain(runs: Sequence[Run]) -> str:
    """The text of runs without trailing spaces."""
    return "".join(text for text, _ in runs).rstrip()
