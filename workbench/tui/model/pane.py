"""Scrollable text: lines with a gutter, cut or wrapped to a width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from rich.cells import chop_cells

from workbench.text import clean
from workbench.tui.draw.ink import SPARE, Ground, Ink, Run, Tone, cells

MAX_LINES = 5_000
"""Lines a pane shows; `O` opens all in $PAGER."""


FAINT = Ink("faint")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a pane."""

    runs: tuple[Run, ...]
    gutter: str = ""
    gutter_ink: Ink = FAINT
    ground: Ground = "page"
    rule: bool = False
    """A thin rule fills what is left of the line."""
    hang: int | None = None
    """Never cut: wrapped below itself, from this column; `None`: as the pane does."""
    taken: bool = False
    """An accent bar stands before it: extraction took this line."""


@dataclass(frozen=True, slots=True)
class Pane:
    """A part that shows text."""

    name: str
    """Stable id: `program`, `prompt`, `answer`, `output`, `feedback`, `change`, `tests`."""
    title: str
    lines: tuple[Line, ...]
    note: str = ""
    note_tone: Tone = "muted"
    gutter: int = 0
    """Cells of the gutter, without the blank behind it."""
    wrap: bool = False
    """Whether it is wrapped unless asked otherwise: prose is, code isn't."""
    findings: tuple[int, ...] = ()
    """Indexes of lines that `.` and `,` go to."""
    source: str = ""
    """The whole text as it is stored, for $EDITOR and $PAGER."""
    suffix: str = ".txt"


def text_lines(text: str, tone: Tone = "text") -> list[Line]:
    """Foreign text as lines, cleaned and bounded."""
    lines = clean(text).split("\n")
    if lines and not lines[-1]:
        lines.pop()
    shown = [Line(((line, Ink(tone)),) if line else ()) for line in lines[:MAX_LINES]]
    if len(lines) > MAX_LINES:
        more = f"… {len(lines) - MAX_LINES} more lines, O opens all"
        shown.append(Line(((more, Ink("faint")),)))
    return shown


@dataclass
class PaneState:
    """How far a pane is scrolled, and its lines at a width."""

    top: int = 0
    left: int = 0
    wrap: bool | None = None
    """`None`: as the pane wants."""
    _laid: tuple[object, list[Line], list[int]] | None = field(default=None, repr=False)

    def lay(self, pane: Pane, width: int) -> list[Line]:
        """The pane's lines at a width."""
        wrap = pane.wrap if self.wrap is None else self.wrap
        key = (id(pane), width if wrap else 0)
        if self._laid is None or self._laid[0] != key:
            rows: list[Line] = []
            starts: list[int] = []
            for line in pane.lines:
                starts.append(len(rows))
                rows += wrapped(line, width) if wrap or line.hang is not None else (line,)
            self._laid = (key, rows, starts)
        return self._laid[1]

    def show(self, pane: Pane, index: int, width: int, height: int) -> None:
        """Scroll so that line `index` is in sight, a third from the top."""
        rows = self.lay(pane, width)
        assert self._laid is not None
        at = self._laid[2][index] if index < len(self._laid[2]) else 0
        self.top = max(0, min(at - height // 3, len(rows) - height))

    def scroll(self, by: int, total: int, height: int) -> None:
        """Move by rows, bounded."""
        self.top = max(0, min(self.top + by, total - height))


def wrapped(line: Line, width: int) -> Sequence[Line]:
    """Break a line at words where it can, into rows of at most `width` cells."""
    whole = "".join(text for text, _ in line.runs)
    if width < 2 or cells(whole) <= width:
        return (line,)
    out: list[Line] = []
    current: list[Run] = []
    room = width
    hang = min(line.hang or 0, width // 2)
    for text, ink in line.runs:
        rest = text
        while rest:
            if len(rest) <= SPARE * room and cells(rest) <= room:
                current.append((rest, ink))
                room -= cells(rest)
                break
            piece = _piece(rest, room, fresh=not current)
            current.append((piece, ink))
            rest = rest[len(piece) :]
            if rest:
                rest = rest.lstrip(" ") if len(out) or current else rest
                out.append(_continued(line, current, first=not out))
                current, room = [(" " * hang, Ink())] if hang else [], width - hang
    if current or not out:
        out.append(_continued(line, current, first=not out))
    return out


def _piece(text: str, room: int, *, fresh: bool) -> str:
    """The longest beginning that fits; ends behind a blank where there is one."""
    if room <= 0:
        return text[:1] if fresh else ""
    near = text[: SPARE * room]
    head = near[:room] if near.isascii() else chop_cells(near, room)[0]
    if not head and fresh:
        return text[:1]
    blank = head.rfind(" ")
    return head[: blank + 1] if blank > max(0, len(head) // 3) else head


def _continued(line: Line, runs: list[Run], *, first: bool) -> Line:
    return replace(line, runs=tuple(runs), gutter=line.gutter if first else "")
