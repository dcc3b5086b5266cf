"""Tasks: problems × languages, what failed alike, and the samples of a cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.outcomes import Outcome
from workbench.session.records import UnitRow
from workbench.text import clean_line
from workbench.tui.draw import bars, figures
from workbench.tui.draw.frame import NARROW, TALL, WIDE
from workbench.tui.draw.glyphs import FLAGS, MARKS, SUSPICIOUS, mark
from workbench.tui.draw.ink import Page, Row, Zone, cells
from workbench.tui.model.board import Board, BoardView, Problem, clusters, units_of
from workbench.tui.model.session import SessionModel, Tally

PANE = 154
"""First column of the pane on wide screens."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Where things stand."""

    id_to: int
    name: int
    name_width: int
    first: int
    """First column of the first language."""
    size: int
    """Cells of a language."""
    shown: tuple[str, ...]
    strip: int


def columns(board: Board, width: int, focused: str) -> Columns:
    """The columns at a width; languages that don't fit are paged by the cursor."""
    longest = max((cells(clean_line(p.id)) for p in board.problems), default=3)
    id_to = 2 + max(4, min(longest, 12))
    if width < NARROW:
        name_width, size, strip, end = 28, 9, 0, width - 1
    elif width < WIDE:
        name_width, size, strip, end = 26, 17, 10, width - 1
    else:
        name_width, size, strip, end = 21, 24, 20, PANE - 2
    name = id_to + (1 if width < NARROW else 2)
    first = name + name_width + 1
    # The last column needs no gap behind it.
    fits = max(1, (end + 4 - first) // size)
    at = board.languages.index(focused) if focused in board.languages else 0
    start = max(0, min(at - fits + 1, len(board.languages) - fits))
    return Columns(
        id_to, name, name_width, first, size, board.languages[start : start + fits], strip
    )


def draw(
    page: Page,
    model: SessionModel,
    board: Board,
    rows: Sequence[Problem],
    view: BoardView,
    lines: tuple[int, int],
) -> None:
    """Draw the board, and what belongs to the focused cell, into rows `lines`."""
    top, bottom = lines
    wide = page.width >= WIDE
    at = columns(board, page.width, view.language)
    lower = 0 if wide else (6 if page.height < TALL else 12)
    _heads(page, top, model, board, at)
    head = 1 if page.width < NARROW or page.height < TALL else 2
    if head == 2:
        page.row(top + 1).rule(2, (PANE - 3) if wide else page.width - 2)
    start = top + head
    room = bottom - start - lower
    cursor = next((i for i, p in enumerate(rows) if (p.benchmark, p.id) == view.problem), 0)
    view.top = max(0, min(view.top, cursor, len(rows) - room))
    view.top = max(view.top, cursor - room + 1, 0)
    for offset, problem in enumerate(rows[view.top : view.top + room]):
        here = view.top + offset == cursor
        _problem(page, start + offset, problem, board, at, view, focused=here)
    if len(rows) > room > 0:
        size = max(1, room * room // len(rows))
        first = (room - size) * view.top // max(1, len(rows) - room)
        for line in range(first, first + size):
            page.row(start + line).put(PANE - 2 if wide else page.width - 1, "┃", "muted")
    if not rows:
        return
    problem = rows[cursor]
    if wide:
        for y in range(top, bottom):
            if page.row(y).width and not (start <= y < start + room and len(rows) > room):
                page.row(y).put(PANE - 2, "│", "rule")
        _pane(page, top, bottom, model, board, problem, view)
    else:
        _lower(page, bottom - lower, bottom, model, board, problem, view)


def _heads(page: Page, y: int, model: SessionModel, board: Board, at: Columns) -> None:
    row = page.row(y)
    row.put(2, "task", "muted")
    row.put(at.name, "problem", "muted")
    for number, language in enumerate(at.shown):
        column = at.first + number * at.size
        cell = model.cell(language, board.mode)
        odd = any(r.suspicious for c in cell for r in model.readings.get(c.id, ())[:1])
        text = f"{clean_line(language)} {SUSPICIOUS}" if odd else clean_line(language)
        row.put(column, text, "limit" if odd else "muted", bold=True, width=at.size - 1)


def _problem(
    page: Page, y: int, problem: Problem, board: Board, at: Columns, view: BoardView, *,
    focused: bool,
) -> None:  # fmt: skip
    row = page.row(y)
    row.right(at.id_to, clean_line(problem.id), "strong" if focused else "muted")
    row.put(at.name, clean_line(problem.name), "strong" if focused else "text", bold=focused,
            width=at.name_width)  # fmt: skip
    if focused:
        row.tint(0, PANE - 2 if page.width >= WIDE else page.width, "cursor")
        row.put(0, " ")
    for number, language in enumerate(at.shown):
        column = at.first + number * at.size
        tally = problem.tallies.get(language)
        here = focused and language == view.language
        if tally is None:
            row.put(column + 3, "–", "faint")
        else:
            _cell(row, column, tally, board, at, strong=focused)
        if here:
            row.put(column - 2, "▌", "accent", bold=True)
            row.tint(column - 2, column + at.size - 2, "chip" if view.part == "board" else "cursor")
        row.zones.append(Zone(column - 1, column + at.size - 1, f"task:{y}:{language}"))
    row.zones.append(Zone(0, at.first - 1, f"task:{y}:"))


def _cell(row: Row, column: int, tally: Tally, board: Board, at: Columns, *, strong: bool) -> None:
    """A cell: with one sample glyph and word, with more the passed count and what failed."""
    if board.n == 1:
        key = next(iter(tally.counts))
        found = mark(None if key == "planned" else key)
        row.put(column, found.glyph, found.tone, bold=found.bold)
        word = found.word if at.strip else found.word[:4]
        row.put(column + 2, word, "faint" if key == "planned" else found.tone, width=at.size - 3)
        return
    zero = tally.passed == 0
    row.right(column + 2, str(tally.passed), "faint" if zero else "strong" if strong else "text",
              bold=strong and not zero)  # fmt: skip
    if at.strip:
        width = min(at.strip, max(1, board.n))
        row.runs(column + 3, bars.strip(tally.counts, width))
        return
    failed = tally.commonest_failure()
    if failed is None:
        found = MARKS[Outcome.PASSED] if tally.passed else mark(None)
    else:
        found = mark(failed)
    row.put(column + 3, found.glyph, found.tone, bold=found.bold)


def _title(problem: Problem, language: str) -> str:
    task = problem.task_ids.get(language, problem.id)
    return clean_line(f"{language} · {task} {problem.name}")


def _passed(tally: Tally, mode: str) -> str:
    word = "passed" if mode == "plain" else "solved"
    return f"{tally.passed} of {tally.planned} {word}"


def _lower(
    page: Page, y: int, bottom: int, model: SessionModel, board: Board, problem: Problem,
    view: BoardView,
) -> None:  # fmt: skip
    tally = problem.tallies.get(view.language)
    if tally is None:
        return
    low = tally.passed < tally.scored
    page.part(y, _title(problem, view.language), _passed(tally, board.mode),
              note_tone="limit" if low else "pass")  # fmt: skip
    y += 1
    small = bottom - y < 8
    if view.part == "board" or not small:
        y = _clusters(page, y, min(bottom, y + 4), model, board, problem, view, 2, page.width - 2)
        y += 0 if small else 1
    if view.part == "samples" or not small:
        units = units_of(model, problem, view.language)
        if not small:
            page.part(y, _kind(board).capitalize(), f"{len(units)} · enter opens")
            y += 1
        _samples(page, y, bottom - (0 if small else 1), units, view, 2, page.width)


def _kind(board: Board) -> str:
    return "samples" if board.mode == "plain" else "episodes"


def _clusters(
    page: Page, y: int, bottom: int, model: SessionModel, board: Board, problem: Problem,
    view: BoardView, start: int, end: int,
) -> int:  # fmt: skip
    found = clusters(model, problem.cells.get(view.language, ()))
    if not found:
        tally = problem.tallies[view.language]
        text = "all passed" if tally.passed == tally.planned else "nothing failed so far"
        page.row(y).put(start, text, "muted")
        return y + 1
    for cluster in found[: max(1, min(2, bottom - y - 1))]:
        kind = mark(cluster.outcome)
        row = page.row(y)
        row.put(start, kind.glyph, kind.tone, bold=kind.bold)
        row.right(start + 4, str(cluster.units), "text", bold=True)
        row.put(start + 6, clean_line(cluster.detail) or kind.word, "text", width=end - start - 6)
        y += 1
    units, problems = board.shared.get((view.language, found[0].detail), (0, 0))
    if units > found[0].units:
        row = page.row(y)
        whole = sum(p.tallies[view.language].planned for p in board.problems
                    if view.language in p.tallies)  # fmt: skip
        column = row.put(start + 6, "the first is shared by ", "muted")
        column = row.put(column, f"{figures.count(units)} of {figures.count(whole)}", "limit",
                         bold=True)  # fmt: skip
        text = f" {clean_line(view.language)} {_kind(board)} in {problems} problems"
        row.put(column, text, "muted", width=end - column)
        y += 1
    return y


def _samples(
    page: Page, y: int, bottom: int, units: Sequence[UnitRow], view: BoardView, start: int, end: int
) -> None:
    room = max(0, bottom - y)
    letter = "s" if view.mode == "plain" else "e"
    cursor = min(view.sample, max(0, len(units) - 1))
    first = max(0, min(cursor - room // 2, len(units) - room))
    for offset, unit in enumerate(units[first : first + room]):
        row = page.row(y + offset)
        here = view.part == "samples" and first + offset == cursor
        _sample(row, unit, start, end - 2, letter=letter, here=here)
        if here:
            row.focus(start - 2, end)
        row.zones.append(Zone(start - 2, end, f"unit:{first + offset}"))


def _sample(row: Row, unit: UnitRow, start: int, end: int, *, letter: str, here: bool) -> None:
    kind = mark(unit.outcome)
    row.put(start, f"{letter}{unit.index + 1}", "strong" if here else "text", width=5)
    row.put(start + 6, kind.glyph, kind.tone, bold=kind.bold)
    column = row.put(start + 8, kind.word, "strong" if here else "text", width=17)
    roomy = end - start > 60
    right = end
    if unit.outcome is not None:
        row.right(end, figures.seconds(unit.seconds), "muted")
        row.right(end - 10, f"{figures.tokens(unit.completion_tokens)} tok", "muted")
        right = end - 20
    if roomy:
        marks = "".join(FLAGS[f][0] for f in unit.flags if f in FLAGS)
        turns = f"t{unit.turns} " if unit.turns > 1 else ""
        text = f"{marks} {turns}{clean_line(unit.detail)}".strip()
        row.put(max(start + 26, column + 1), text, "muted", width=right - start - 27)


def _pane(
    page: Page, top: int, bottom: int, model: SessionModel, board: Board, problem: Problem,
    view: BoardView,
) -> None:  # fmt: skip
    start, end = PANE + 1, page.width - 2
    language = view.language
    pk = next((model.units[u].task_pk for u in problem.cells.get(language, ())), None)
    row = page.row(top)
    column = row.put(start, clean_line(problem.task_ids.get(language, problem.id)), "muted",
                     width=20)  # fmt: skip
    row.put(column + 1, clean_line(problem.name), "strong", bold=True, width=end - column - 1)
    y = top + 2
    if pk is not None:
        prompt = [clean_line(x) for x in model.tasks[pk].prompt[:4000].splitlines() if x.strip()]
        for line in prompt[:10]:
            page.row(y).put(start, line, "text", width=end - start)
            y += 1
        if len(prompt) > 10:
            page.row(y).put(start, f"… {len(prompt) - 10} more lines", "faint")
            y += 1
    y += 1
    page.part(y, "Across languages", f"of {board.n}", start=start)
    for other in board.languages:
        tally = problem.tallies.get(other)
        if tally is None:
            continue
        y += 1
        row = page.row(y)
        here = other == language
        row.put(start, clean_line(other), "strong" if here else "text", bold=here, width=8)
        row.right(start + 11, str(tally.passed), "strong", bold=here)
        row.put(start + 13, "passed", "muted")
        failed = tally.commonest_failure()
        if failed is not None:
            kind = mark(failed)
            row.put(start + 22, kind.glyph, kind.tone, bold=kind.bold)
            row.put(start + 24, kind.word, "text", width=end - start - 27)
            row.right(end, str(tally.counts[failed]), "muted")
    y += 2
    tally = problem.tallies.get(language)
    if tally is None:
        return
    page.part(y, f"{clean_line(language)}, by diagnostic", _passed(tally, board.mode), start=start,
              note_tone="limit" if tally.passed < tally.scored else "pass")  # fmt: skip
    y = _clusters(page, y + 1, y + 5, model, board, problem, view, start, end) + 1
    units = units_of(model, problem, language)
    page.part(y, _kind(board).capitalize(), str(len(units)), start=start)
    legend = 8 if bottom - y > 18 else 0
    _samples(page, y + 1, bottom - legend, units, view, start, page.width)
    if legend:
        _legend(page, bottom - legend + 1, start, end)


def _legend(page: Page, y: int, start: int, end: int) -> None:
    page.part(y, "Legend", "", start=start, end=end)
    for number, outcome in enumerate(Outcome):
        kind = MARKS[outcome]
        row = page.row(y + 1 + number % 6)
        column = start + (number // 6) * 22
        row.put(column, kind.glyph, kind.tone, bold=kind.bold)
        row.put(column + 2, kind.word, "text")
