"""Sessions, the home screen: what runs or needs a person first, then what came out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from workbench.session.catalogue import SessionSummary
from workbench.text import clean_line
from workbench.tui.draw import bars, figures
from workbench.tui.draw.frame import NARROW, TALL, WIDE
from workbench.tui.draw.glyphs import STATES, SUSPICIOUS
from workbench.tui.draw.ink import Page, Row, Tone, Zone
from workbench.tui.model.catalogue import CatalogueModel
from workbench.tui.model.headline import Headline
from workbench.tui.model.readings import Reading


@dataclass
class SessionsView:
    """Where the cursor stands."""

    path: Path | None = None
    """The session under the cursor."""
    top: int = 0
    """First line of the list that is shown."""


@dataclass(frozen=True, slots=True)
class Grid:
    """First columns (or last, where `to`) of the list."""

    end: int
    benchmark: int | None
    languages: int | None
    progress: int
    plain: int
    repair: int
    cost_to: int | None
    age_to: int


def grid(width: int) -> Grid:
    """The columns at a width."""
    if width < NARROW:
        return Grid(width, None, None, 24, 36, 56, None, width - 2)
    if width < WIDE:
        return Grid(width, 30, None, 50, 65, 88, 112, 118)
    return Grid(135, 30, 51, 73, 86, 107, 128, 134)


def mode_word(headline: Headline | None) -> str:
    """What stands behind the name in the detail's heading."""
    if headline is None:
        return ""
    cells = [c for c, _ in headline.cells]
    words: list[str] = []
    for mode in headline.modes():
        cell = next(c for c in cells if (c.recipe or c.mode) == mode)
        if cell.mode == "plain":
            words.append(f"plain n={cell.n}")
        else:
            words.append(f"repair {mode}, ≤{cell.max_turns}, m={cell.n}")
    return clean_line(" · ".join(words))


def draw(
    page: Page,
    catalogue: CatalogueModel,
    headlines: Mapping[Path, Headline],
    view: SessionsView,
    lines: tuple[int, int],
    now: float,
    *,
    example: bool = False,
) -> None:
    """Draw the list and the focused session into rows `lines`; `example`: one can be opened."""
    top, bottom = lines
    columns = grid(page.width)
    rows = catalogue.rows()
    if not rows:
        _nothing(page, catalogue, top, bottom, example=example)
        return
    focused = next((s for s in rows if s.path == view.path), rows[0])
    wide = page.width >= WIDE
    detail = 0 if wide else (5 if page.height < TALL else 9)
    if bottom - top < 14:
        detail = 0
    _heads(page, top, columns)
    room = bottom - detail - (top + 1) - (1 if detail else 0)
    _list(page, top + 1, room, catalogue, headlines, view, focused, columns, now)
    if wide:
        for y in range(top, bottom):
            page.row(y).put(135, "│", "rule")
        _detail(page, top, bottom, focused, headlines.get(focused.path), start=137)
    elif detail:
        _detail(page, bottom - detail, bottom, focused, headlines.get(focused.path), start=2)


def _heads(page: Page, y: int, columns: Grid) -> None:
    row = page.row(y)
    row.put(4, "session", "muted")
    if columns.benchmark is not None:
        row.put(columns.benchmark, "benchmark+suite", "muted")
    if columns.languages is not None:
        row.put(columns.languages, "languages", "muted")
    row.put(columns.progress, "progress", "muted")
    row.put(columns.plain, "plain", "muted")
    row.put(columns.repair, "repair", "muted")
    if columns.cost_to is not None:
        row.right(columns.cost_to, "cost", "muted")
    row.right(columns.age_to, "age", "muted")


def _list(
    page: Page,
    y: int,
    room: int,
    catalogue: CatalogueModel,
    headlines: Mapping[Path, Headline],
    view: SessionsView,
    focused: SessionSummary,
    columns: Grid,
    now: float,
) -> None:
    entries: list[str | SessionSummary | None] = []
    at = 0
    for number, (name, group) in enumerate(catalogue.groups()):
        if number and page.height >= TALL:
            entries.append(None)
        entries.append(f"{name} {len(group)}")
        for session in group:
            if session.path == focused.path:
                at = len(entries)
            entries.append(session)
    # Keep the cursor in sight, and the heading above the first row with it.
    view.top = max(0, min(view.top, at - 1 if at <= 1 else at, len(entries) - room))
    view.top = max(view.top, at - room + 1, 0)
    for offset, entry in enumerate(entries[view.top : view.top + room]):
        row = page.row(y + offset)
        if isinstance(entry, str):
            end = row.put(2, entry, "muted", bold=True)
            row.rule(end + 1, min(columns.age_to, page.width - 2))
        elif entry is not None:
            _session(row, entry, headlines.get(entry.path), columns, now,
                     focused=entry.path == focused.path)  # fmt: skip
    if len(entries) > room > 0:
        _thumb(page, y, room, view.top, len(entries), columns.end - 1)


def _thumb(page: Page, y: int, room: int, top: int, total: int, column: int) -> None:
    """A scroll thumb at the right edge."""
    size = max(1, room * room // total)
    start = y + (room - size) * top // max(1, total - room)
    for line in range(start, start + size):
        page.row(line).put(column, "┃", "muted")


def _session(
    row: Row,
    session: SessionSummary,
    headline: Headline | None,
    columns: Grid,
    now: float,
    *,
    focused: bool,
) -> None:
    glyph, tone = STATES[session.state]
    row.put(2, glyph, tone, bold=focused)
    limit = (columns.benchmark or columns.progress) - 1
    row.put(4, clean_line(session.name), "strong" if focused else "text", bold=focused,
            width=limit - 4)  # fmt: skip
    if columns.benchmark is not None:
        row.put(columns.benchmark, clean_line(_benchmark(session, headline)), "muted", width=19)
    if columns.languages is not None:
        row.put(columns.languages, clean_line(" ".join(session.languages)), "muted", width=21)
    if session.state == "unreadable":
        row.put(columns.progress, f"unreadable: {clean_line(session.problem)}", "wrong",
                width=columns.age_to - columns.progress)  # fmt: skip
    else:
        _progress(row, session, columns, now)
        _value(
            row, columns.plain, 9, headline, "plain" if headline and headline.has_plain else None
        )
        _value(row, columns.repair, 6, headline, headline.repair if headline else None)
        if columns.cost_to is not None:
            local = session.cost_usd == 0
            cost = figures.money(session.cost_usd, local=local)
            row.right(columns.cost_to, cost, "limit" if cost == "price?" else "muted")
        row.right(columns.age_to, figures.age(now - (session.created or session.updated)), "muted")
    if focused:
        row.focus(0, columns.end - 1 if columns.end < row.width else None)
    row.zones.append(Zone(0, columns.end, f"session:{session.path.name}"))


def _benchmark(session: SessionSummary, headline: Headline | None) -> str:
    if headline is None:
        return ", ".join(session.benchmarks)
    return ", ".join(dict.fromkeys(f"{c.benchmark}+{c.suite}" for c, _ in headline.cells)) or (
        ", ".join(session.benchmarks)
    )


def _progress(row: Row, session: SessionSummary, columns: Grid, now: float) -> None:
    over = session.done + session.lost
    if session.state == "stalled":
        row.put(columns.progress, f"stalled {figures.age(now - session.updated)}", "limit",
                bold=True, width=13)  # fmt: skip
    elif session.state == "finished":
        if session.lost:
            row.put(columns.progress, f"{figures.count(session.lost)} lost", "limit")
        else:
            row.put(columns.progress, "complete", "faint")
    else:
        size = columns.plain - columns.progress - 7
        end = row.runs(columns.progress, bars.progress(over, session.planned, size))
        row.right(end + 5, figures.percent(over, session.planned), "text")


def _value(row: Row, column: int, room: int, headline: Headline | None, mode: str | None) -> None:
    """Metric and value of a mode: metrics of rows differ, so each stands in its cell."""
    if headline is None:
        row.put(column, "…", "faint")
        return
    reading = headline.mean(mode) if mode else None
    if mode is None or reading is None:
        row.put(column, "–", "faint")
        return
    tone = "repair" if mode != "plain" else "muted"
    row.put(column, reading.short, tone, width=room)
    row.put(column + room, reading.field, _tone(reading), bold=reading.bold)


def _tone(reading: Reading) -> Tone:
    return "limit" if reading.suspicious else "strong" if reading.bold else "text"


def _detail(
    page: Page, top: int, bottom: int, session: SessionSummary, headline: Headline | None,
    *, start: int,
) -> None:  # fmt: skip
    """The focused session: values by mode and language, what needs attention."""
    airy = bottom - top > 6
    end = page.width - 2
    tags = "".join(f" #{clean_line(tag)}" for tag in session.tags)
    page.part(top, clean_line(session.name) + tags, mode_word(headline), start=start, end=end)
    y = top + (2 if airy else 1)
    if headline is not None and headline.cells:
        y = _values(page, y, headline, start, end)
    elif session.state != "unreadable":
        page.row(y).put(start, clean_line(session.model), "muted", width=end - start)
        y += 1
    y += 1 if airy else 0
    for text in _attention(session, headline)[: max(0, bottom - y)]:
        page.row(y).put(start, text, "limit", width=end - start)
        y += 1


def _values(page: Page, y: int, headline: Headline, start: int, end: int) -> int:
    languages = headline.languages()
    modes = headline.modes()
    if start > 100:  # a pane: languages downwards
        for mode in modes:
            page.row(y).put(
                start,
                "plain" if mode == "plain" else mode,
                "text" if mode == "plain" else "repair",
                bold=True,
                width=end - start,
            )
            y += 1
            for language in languages:
                reading = headline.at(mode, language)
                row = page.row(y)
                row.put(start, clean_line(language), "muted", width=12)
                if reading is not None:
                    row.put(start + 13, reading.roomy, _tone(reading), bold=reading.bold)
                    row.right(end, reading.short, "muted")
                y += 1
            y += 1
        return y
    size = max(11, min(20, (end - start - 10) // max(1, len(languages))))
    row = page.row(y)
    row.put(start, "%", "faint")
    shown = languages[: (end - start - 10) // size]
    for number, language in enumerate(shown):
        row.put(start + 11 + number * size, clean_line(language), "muted", width=size - 1)
    for offset, mode in enumerate(modes[:2], 1):
        row = page.row(y + offset)
        for number, language in enumerate(shown):
            reading = headline.at(mode, language)
            if reading is None:
                continue
            if not number or not row.zones:
                row.put(start, reading.short, "text" if mode == "plain" else "repair", width=9)
            text = reading.roomy if len(reading.roomy) < size else reading.field
            column = start + 10 + number * size
            column = row.put(column, text.rstrip(), _tone(reading), bold=reading.bold)
            if reading.suspicious:
                row.put(column, SUSPICIOUS, "limit", bold=True)
    return y + 1 + min(2, len(modes))


def _attention(session: SessionSummary, headline: Headline | None) -> list[str]:
    lines: list[str] = []
    if session.problem:
        lines.append(f"× {clean_line(session.problem)}")
    if headline is not None:
        lines += [f"{SUSPICIOUS} {clean_line(s)}" for s in headline.suspicions()]
    if session.lost:
        lines.append(f"! {figures.count(session.lost)} units lost to infrastructure, not counted")
    if session.state == "interrupted":
        left = session.planned - session.done - session.lost
        lines.append(
            f"□ {figures.count(left)} units to go: r, or workbench resume {clean_line(session.name)}"
        )
    return lines


def _nothing(
    page: Page, catalogue: CatalogueModel, top: int, bottom: int, *, example: bool
) -> None:
    middle = top + max(1, (bottom - top - 14) // 2)
    if not catalogue.loaded:
        page.row(middle).put(4, "Looking for sessions …", "muted")
        return
    if catalogue.words:
        words = clean_line(catalogue.words)
        page.row(middle).put(4, f"No session matches `{words}`. backspace widens.", "text")
        return
    column = 9 if page.width >= 70 else 4
    page.row(middle).put(column, "No sessions yet.", "strong", bold=True)
    page.row(middle + 1).put(
        column, "A session asks a model for programs, runs them, and reports.", "muted"
    )
    choices = [
        ("enter", "Try it now: starter, 5 tasks in every language here, embedded model",
         "a few minutes, no key, no money (workbench demo)"),
        ("n", "New session", "choose a model, a benchmark, languages and modes"),
    ]  # fmt: skip
    if example:
        choices.append(("o", "Open the recorded example", "every screen with real results, nothing runs"))  # fmt: skip
    y = middle + 3
    for number, (key, what, note) in enumerate(choices):
        here = number == 0
        page.row(y).put(column, key, "accent", bold=True)
        page.row(y).put(column + 7, what, "strong" if here else "text", bold=here)
        page.row(y + 1).put(column + 7, note, "muted")
        for line in (y, y + 1) if here else ():
            page.row(line).focus(column - 2, min(page.width - 2, column + 72))
        y += 3
    page.row(y + 1).put(column, f"Looked in {clean_line(str(catalogue.folder))}", "faint")
