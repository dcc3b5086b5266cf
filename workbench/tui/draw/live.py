"""Live: the language × mode matrix, stages, who waits and why, events."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.session.records import EventRow, InFlight
from workbench.text import clean_line
from workbench.tui.draw import bars, figures
from workbench.tui.draw.frame import NARROW, TALL, WIDE
from workbench.tui.draw.glyphs import MARKS, SUSPICIOUS
from workbench.tui.draw.ink import Page, Row, Tone, Zone
from workbench.tui.draw.matrix import Block, blocks, draw_cell, draw_head
from workbench.tui.model.live import LiveView, MatrixRow, cell_at, matrix_rows, waiting
from workbench.tui.model.session import SessionModel

SIDE = 118
"""First column of the right-hand parts on wide screens."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How the rows of the screen are given out."""

    per_language: int
    """1: values; 2: and strips; 3: and a blank line."""
    gaps: bool
    stages: int
    waiting: int
    events: int


def plan(
    height: int, languages: int, stages: int, in_flight: int, events: int, *, head: int
) -> Plan:
    """Give out `height` rows; the matrix never shrinks below one row a language.

    Strips go before waiting and event rows get more than they need at least (2 and 1). What is
    left is shared by the two; what one doesn't need the other gets.
    """
    gaps = height >= TALL - 4
    heads = (3 if stages else 2) + (3 if gaps else 0)
    for per in (3, 2, 1):
        least = head + per * languages + heads + stages + 2 + 1
        wanted = least + (2 if per > 1 else 0)
        if wanted <= height or per == 1:
            free = max(0, height - head - per * languages - heads - stages)
            for_events = min(events, free // 2) if in_flight > free // 2 else events
            rows = min(free, max(2, in_flight), max(2, free - max(1, for_events)))
            return Plan(per, gaps, stages, rows, max(0, free - rows))
    raise AssertionError


def draw(
    page: Page, model: SessionModel, view: LiveView, lines: tuple[int, int], now: float
) -> None:
    """Draw Live's content into rows `lines`."""
    top, bottom = lines
    rows = matrix_rows(model)
    shown = blocks(model, view, page.width)
    head = 2
    snapshot = model.snapshot
    stages = len(snapshot.stages) if snapshot else 0
    flying = waiting(model, view.only)
    chosen = plan(bottom - top, len(rows), stages, len(flying), len(model.events), head=head)
    draw_head(page, top, shown, wide=page.width >= WIDE, model=model)
    y = top + head
    for number, row in enumerate(rows):
        _matrix_row(page, y, model, view, row, number, shown, chosen.per_language)
        y += chosen.per_language
    y += 1 if chosen.gaps and chosen.per_language != 3 else 0
    if page.width >= WIDE and chosen.per_language == 3 and bottom - y > 20:
        _legend(page, y)
        y += 2
    if snapshot is None:
        _footing(page, y, bottom, model, view, now)
        return
    y = _stages(page, y, model, chosen)
    if page.width >= WIDE:
        _waiting(page, y, bottom - y - 1, model, view, flying, now, end=112)
        _events(page, y, bottom - y - 1, model, view, now, start=SIDE)
        return
    _waiting(page, y, chosen.waiting, model, view, flying, now)
    y += 1 + chosen.waiting + (1 if chosen.gaps else 0)
    _events(page, y, bottom - y - 1, model, view, now)


def _matrix_row(
    page: Page,
    y: int,
    model: SessionModel,
    view: LiveView,
    row: MatrixRow,
    number: int,
    shown: list[Block],
    per: int,
) -> None:
    here = view.part == "matrix" and number == view.row
    name = row.language
    several = len({(r.benchmark, r.suite) for r in matrix_rows(model)}) > 1
    page.row(y).put(2, clean_line(name), "strong" if here else "text",
                    bold=here or per > 1, width=8)  # fmt: skip
    if several and per > 1:
        page.row(y + 1).put(2, clean_line(row.benchmark), "muted", width=9)
    for block in shown:
        cell = cell_at(model, row, block.mode)
        if cell is None:
            page.row(y).put(block.start, "–", "faint")
            continue
        focused = here and block.number == view.block
        draw_cell(page, y, block, model, cell, focused=focused, strip=per > 1)
        for line in range(y, y + min(per, 2)):
            page.row(line).zones.append(block.zone(number))


def _legend(page: Page, y: int) -> None:
    row = page.row(y)
    column = 12
    for key in MARKS:
        found = MARKS[key]
        word = "lost" if key == "sandbox_error" else found.word
        if key in ("out_of_memory", "output_limit", "no_code", "refused", "generation_failed"):
            continue
        end = row.put(column, found.glyph, found.tone, bold=found.bold)
        column = row.put(end + 1, word, "muted") + 3
    row.put(column + 2, "◆ ◇ estimate, ━ 95 % interval over tasks", "muted")


def _stages(page: Page, y: int, model: SessionModel, chosen: Plan) -> int:
    """Draw the stages; returns the row after them."""
    snapshot = model.snapshot
    if snapshot is None or not snapshot.stages:
        return y
    wide = page.width >= WIDE
    spent = figures.tokens(snapshot.prompt_tokens + snapshot.completion_tokens)
    end = 112 if wide else page.width - 2
    note = "per minute, last 60 s"
    page.part(y, "Stages", note if page.width < NARROW else f"{spent} tokens · {note}", end=end)
    middle = page.width >= NARROW
    for offset, stage in enumerate(snapshot.stages, 1):
        row = page.row(y + offset)
        row.put(2, clean_line(stage.name), "text", width=11)
        row.right(17, figures.rate(stage.per_minute), "strong", bold=True)
        column = 19
        if middle:
            row.put(19, bars.sparkline(stage.history, 24), "muted")
            column = 45
        row.right(column + 14, f"{stage.busy} of {stage.slots} busy", "muted")
        waits = stage.queued > 0
        row.right(column + 27, f"{figures.count(stage.queued)} queued",
                  "limit" if waits else "muted", bold=waits)  # fmt: skip
        if stage.name != "generate":
            row.put(column + 30, _narrow_place(model), "text", width=end - column - 30)
    if wide:
        _slots(page, y, model)
        lines = max(len(snapshot.stages), len(snapshot.slots) + 1)
        return y + 1 + lines + (1 if chosen.gaps else 0)
    return y + 1 + len(snapshot.stages) + (1 if chosen.gaps else 0)


def _narrow_place(model: SessionModel) -> str:
    """Languages for whose slots units queue, the longest queue first."""
    slots = model.snapshot.slots if model.snapshot else {}
    full = sorted(((q, lang, s, b) for lang, (s, b, q) in slots.items() if q), reverse=True)
    return " · ".join(f"{clean_line(lang)} {q} queued, {b} of {s} busy" for q, lang, s, b in full)


def _slots(page: Page, y: int, model: SessionModel) -> None:
    snapshot = model.snapshot
    slots = snapshot.slots if snapshot else {}
    page.part(y, "Slots by language", "busy · queued", start=SIDE)
    for offset, (language, (number, busy, queued)) in enumerate(slots.items(), 1):
        row = page.row(y + offset)
        waits = queued > 0
        row.put(SIDE, clean_line(language), "strong" if waits else "text", bold=waits, width=12)
        row.right(SIDE + 24, f"{busy} of {number}", "limit" if waits else "muted", bold=waits)
        row.right(SIDE + 34, str(queued), "limit" if waits else "faint", bold=waits)


def _waiting(
    page: Page,
    y: int,
    room: int,
    model: SessionModel,
    view: LiveView,
    flying: list[InFlight],
    now: float,
    *,
    end: int | None = None,
) -> None:
    stalled = sum(u.why.startswith("stalled") for u in flying)
    total = model.snapshot.in_flight_total if model.snapshot else len(flying)
    note = f"{figures.count(len(flying) if view.only else total)}"
    if view.only:
        note = f"{clean_line(view.only)} only · {note} · w shows all"
    if stalled:
        note += f" · {stalled} stalled"
    page.part(y, "Oldest in flight", note, end=end, note_tone="limit" if stalled else "muted")
    here = view.part == "waiting"
    first = max(0, min(view.waiting - room + 1, len(flying) - room)) if here else 0
    for offset, unit in enumerate(flying[first : first + room], 1):
        row = page.row(y + offset)
        _waiting_row(row, page.width, unit, now, end=end or page.width - 2)
        row.zones.append(Zone(0, end or page.width, f"wait:{first + offset - 1}"))
        if here and first + offset - 1 == view.waiting:
            row.focus(0, end)


def _waiting_row(row: Row, width: int, unit: InFlight, now: float, *, end: int) -> None:
    stalled = unit.why.startswith("stalled")
    tone: Tone = "limit" if stalled else "text"
    row.right(7, figures.duration(now - unit.since), tone if stalled else "muted")
    row.put(9, clean_line(unit.language), width=7)
    name = unit_name(unit)
    task = clean_line(unit.task_id)
    if width < NARROW:
        row.put(17, short_task(task, 10), width=10)
        row.put(28, name, "muted", width=5)
        row.put(34, clean_line(unit.why), tone, width=end - 34)
    else:
        row.put(17, task, width=14)
        row.put(32, name, "muted", width=6)
        row.put(39, unit.stage, "muted", width=9)
        row.put(49, clean_line(unit.why), tone, width=end - 49)


def unit_name(unit: InFlight) -> str:
    """`s7`, or `e3 t2` where there can be turns."""
    return f"s{unit.index + 1}" if unit.turn <= 1 else f"e{unit.index + 1} t{unit.turn}"


def short_task(task: str, room: int) -> str:
    """A task id for narrow columns: its number is never cut, its prefix is: `HE/141`."""
    if len(task) <= room:
        return task
    prefix, slash, number = task.rpartition("/")
    capitals = "".join(c for c in prefix if c.isupper())
    short = capitals if len(capitals) > 1 else prefix[: max(1, room - len(number) - 1)]
    return f"{short}{slash}{number}"


def _events(
    page: Page,
    y: int,
    room: int,
    model: SessionModel,
    view: LiveView,
    now: float,
    *,
    start: int = 2,
) -> None:
    if room < 0:
        return
    last = f"last {figures.age(now - model.events[-1].at)} ago" if model.events else "none yet"
    page.part(y, "Events", last, start=start)
    newest = list(reversed(model.events))[view.events : view.events + room]
    for offset, event in enumerate(newest, 1):
        _event_row(page.row(y + offset), event, start)
    if view.part == "events" and newest:
        page.row(y + 1).focus(start - 2)


def _event_row(row: Row, event: EventRow, start: int) -> None:
    tone: Tone = {"warning": "limit", "error": "wrong"}.get(event.level, "text")  # type: ignore[assignment]
    row.put(start, figures.clock(event.at), "faint")
    if event.level != "info":
        row.put(start + 9, SUSPICIOUS if event.level == "warning" else "!", tone, bold=True)
    row.put(start + 11, clean_line(event.text), "text" if event.level != "info" else "muted",
            width=row.width - 2 - start - 11)  # fmt: skip


def _footing(
    page: Page, y: int, bottom: int, model: SessionModel, view: LiveView, now: float
) -> None:
    """What a number of a session that doesn't run stands on: planned, scored, lost."""
    whole = model.total
    complete = whole.scored + whole.lost == whole.planned and whole.planned > 0
    page.part(y, "Footing", "complete" if complete else f"{whole.open} not done")
    y += 1
    for mode in model.modes:
        cells = [c for c in model.cells if (c.recipe or c.mode) == mode]
        if y >= bottom - 2 or not cells:
            break
        tally = model.tally(cells)
        row = page.row(y)
        plain = cells[0].mode == "plain"
        column = row.put(2, clean_line(mode), "text" if plain else "repair", bold=True, width=24)
        kind = "samples" if plain else "episodes"
        column = row.put(column + 2, f"{figures.count(tally.planned)} {kind} planned", "muted")
        column = row.put(column, f" · {figures.count(tally.scored)} scored", "text")
        for key in ("generation_failed", "sandbox_error"):
            lost = tally.counts.get(key, 0)
            if lost:
                column = row.put(column, f" · {lost} lost to {MARKS[key].word}", "limit", bold=True)
        if not tally.lost:
            column = row.put(column, " · none lost", "muted")
        if tally.open:
            row.put(column, f" · {figures.count(tally.open)} not done", "limit")
        y += 1
    y = _spent(page, y, model)
    y += 1 if bottom - y > 6 else 0
    _events(page, y, bottom - y - 1, model, view, now)


def _spent(page: Page, y: int, model: SessionModel) -> int:
    totals = model.totals
    if not totals:
        return y
    spent = totals.get("prompt_tokens", 0), totals.get("completion_tokens", 0)
    cost = totals.get("cost_usd")
    page.row(y).put(
        2,
        f"{figures.tokens(spent[0])} tokens in, {figures.tokens(spent[1])} out · "
        f"{figures.money(cost, local=cost == 0)} · {totals.get('retries', 0)} retries",
        "muted",
        width=page.width - 4,
    )
    return y + 1
