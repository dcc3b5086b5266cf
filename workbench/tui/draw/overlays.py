"""What lies over a screen: help, commands, labels. One plane, no border, the screen dimmed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from workbench.text import clean_line
from workbench.tui import actions
from workbench.tui.actions import Action
from workbench.tui.draw.frame import NARROW
from workbench.tui.draw.glyphs import MARKS, SUSPICIOUS
from workbench.tui.draw.ink import Ink, Page, cells

WIDEST = 100
NO_KEYS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Plane:
    """The cells of an overlay, its margins inside."""

    left: int
    right: int
    top: int
    bottom: int


def sink(base: Page) -> Page:
    """The screen below, all in one faint tone."""
    page = Page(base.width, base.height)
    for y, runs in enumerate(base.finish()):
        row = page.row(y)
        row.runs(0, [(text, Ink("faint")) for text, _ in runs])
        row.tint(0, page.width, "sunk")
    return page


def plane(page: Page, width: int, height: int) -> Plane:
    """Clear a plane in the middle; narrow screens give all of theirs."""
    if page.width < NARROW:
        width, height = page.width, page.height
    else:
        width, height = min(width, WIDEST, page.width - 4), min(height, page.height - 2)
    left = (page.width - width) // 2
    top = (page.height - height) // 2
    for y in range(top, top + height):
        page.row(y).put(left, " " * width)
        page.row(y).tint(left, left + width, "bar")
    return Plane(left + 3, left + width - 3, top + 1, top + height - 1)


def _pairs(scope: str, keymap: Mapping[str, str]) -> list[Action]:
    return [
        replace(a, shown=keymap[a.id]) if a.id in keymap else a
        for a in actions.of(scope)
        if a.shown or a.id in keymap
    ]


def help_plane(
    page: Page, scope: str, title: str, about: str, scroll: int, keymap: Mapping[str, str] = NO_KEYS
) -> int:
    """Draw help, keys as `keymap` has them; returns by how many rows it can be scrolled."""
    here, everywhere = _pairs(scope, keymap), _pairs(actions.EVERYWHERE, keymap)
    two = page.width >= 76
    lines = max(len(here), len(everywhere)) if two else len(here) + len(everywhere) + 2
    marks = 4 if two else 7
    wanted = lines + marks + 11
    at = plane(page, WIDEST, wanted)
    room = at.bottom - at.top
    scroll = max(0, min(scroll, wanted - 3 - room))
    drawn = Page(page.width, wanted + 2)
    _help_lines(drawn, at, here, everywhere, title, about, two=two)
    for offset in range(room):
        if offset + scroll < drawn.height:
            runs = drawn.row(offset + scroll).finish()
            page.row(at.top + offset).runs(
                at.left, _cut(runs, at.left, at.right), at.right - at.left
            )
    return max(0, wanted - 3 - room)


def _cut(runs: Sequence[tuple[str, Ink]], left: int, right: int) -> list[tuple[str, Ink]]:
    """The cells of runs from `left`: help's own text, one cell a character."""
    out: list[tuple[str, Ink]] = []
    column = 0
    for text, ink in runs:
        start, end = max(column, left), min(column + len(text), right)
        if end > start:
            out.append((text[start - column : end - column], ink))
        column += len(text)
    return out


def _help_lines(
    page: Page, at: Plane, here: Sequence[Action], everywhere: Sequence[Action], title: str,
    about: str, *, two: bool,
) -> None:  # fmt: skip
    row = page.row(0)
    row.put(at.left, title, "strong", bold=True)
    row.right(at.right, "esc closes", "muted")
    page.row(1).put(at.left, about, "muted", width=at.right - at.left)
    half = at.left + (at.right - at.left) // 2
    page.row(3).put(at.left, "Here", "muted", bold=True)
    y = _keys(page, 4, at.left, half - 2 if two else at.right, here)
    if two:
        page.row(3).put(half, "Everywhere", "muted", bold=True)
        y = max(y, _keys(page, 4, half, at.right, everywhere))
    else:
        page.row(y + 1).put(at.left, "Everywhere", "muted", bold=True)
        y = _keys(page, y + 2, at.left, at.right, everywhere)
    y += 1
    row = page.row(y)
    end = row.put(at.left, "Marks", "muted", bold=True)
    row.put(end + 3, "dot: passed or pending   letter: scored failure   ? !: not scored", "muted")
    columns = 4 if two else 2
    size = (at.right - at.left) // columns
    per = -(-len(MARKS) // columns)
    for number, found in enumerate(MARKS.values()):
        row = page.row(y + 1 + number % per)
        column = at.left + (number // per) * size
        row.put(column, found.glyph, found.tone, bold=found.bold)
        row.put(column + 2, found.word, "text", width=size - 3)
    y += per + 2
    row = page.row(y)
    end = row.put(at.left, SUSPICIOUS, "limit")
    row.put(end + 1, "suspicious, look before believing   ~ not all units are in yet", "text")
    page.row(y + 1).put(
        at.left, "± half of the 95 % interval over tasks; ≤ its upper end when none passed", "text"
    )


def _keys(page: Page, y: int, left: int, right: int, shown: Sequence[Action]) -> int:
    for action in shown:
        row = page.row(y)
        row.put(left, action.shown, "accent", bold=True, width=10)
        row.put(left + 11, action.says or action.title, "text", width=right - left - 11)
        y += 1
    return y


@dataclass(frozen=True, slots=True)
class Choice:
    """One line of the palette."""

    id: str
    """Action id, or `session:name`."""
    title: str
    key: str = ""


def matching(choices: Sequence[Choice], typed: str) -> list[Choice]:
    """Choices that have the typed letters in this order, the closest first."""
    wanted = typed.lower().replace(" ", "")
    if not wanted:
        return list(choices)
    scored: list[tuple[int, int, Choice]] = []
    for number, choice in enumerate(choices):
        score = _closeness(choice.title.lower(), wanted)
        if score is not None:
            scored.append((score, number, choice))
    return [choice for _, _, choice in sorted(scored, key=lambda s: s[:2])]


def _closeness(title: str, wanted: str) -> int | None:
    """Letters that stand between the matched ones; fewer is closer, `None` no match."""
    at = title.find(wanted)
    if at >= 0:
        return at // 4
    gaps, position = 10, -1
    for letter in wanted:
        found = title.find(letter, position + 1)
        if found < 0:
            return None
        gaps += found - position - 1
        position = found
    return gaps


def palette_plane(page: Page, choices: Sequence[Choice], typed: str, cursor: int) -> None:
    """Draw the palette: one line to type in, matches with their keys."""
    at = plane(page, 72, min(page.height - 4, 24))
    row = page.row(at.top)
    row.tint(at.left - 1, at.right + 1, "field")
    end = row.put(at.left, ": ", "accent", bold=True)
    end = row.put(end, clean_line(typed), "strong")
    row.put(end, "▏", "accent")
    if not typed:
        row.put(end + 2, "a command or a session", "faint")
    room = at.bottom - at.top - 2
    first = max(0, min(cursor - room + 1, len(choices) - room)) if cursor >= room else 0
    if not choices:
        page.row(at.top + 2).put(at.left, "nothing matches", "muted")
    for offset, choice in enumerate(choices[first : first + room]):
        row = page.row(at.top + 2 + offset)
        here = first + offset == cursor
        if here:
            row.tint(at.left - 2, at.right + 2, "cursor")
            row.put(at.left - 2, "▌", "accent", bold=True)
        row.put(at.left, clean_line(choice.title), "strong" if here else "text", bold=here,
                width=at.right - at.left - 12, target=f"choice:{first + offset}")  # fmt: skip
        row.right(at.right, choice.key, "accent", bold=True)


def labels_plane(page: Page, labels: Sequence[str], scroll: int) -> int:
    """Draw whole labels, wrapped; returns by how many rows they can be scrolled."""
    width = min(WIDEST, page.width - 4 if page.width >= NARROW else page.width) - 6
    lines: list[str] = []
    for label in labels:
        text = clean_line(label)
        while text:
            head = text[:width]
            while cells(head) > width:
                head = head[:-1]
            lines.append(head)
            text = text[len(head) :]
        lines.append("")
    at = plane(page, WIDEST, len(lines) + 5)
    row = page.row(at.top)
    row.put(at.left, "Labels", "strong", bold=True)
    row.right(at.right, "y copies, esc closes", "muted")
    room = at.bottom - at.top - 2
    scroll = max(0, min(scroll, len(lines) - room))
    for offset, line in enumerate(lines[scroll : scroll + room]):
        page.row(at.top + 2 + offset).put(at.left, line, "text")
    if not lines:
        page.row(at.top + 2).put(at.left, "no numbers yet", "muted")
    return max(0, len(lines) - room)
