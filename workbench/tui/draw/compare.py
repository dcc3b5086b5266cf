"""Compare: which differences hold, which tasks turned, how curves run, what equal budget says."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.text import clean_line
from workbench.tui.draw import bars, curve
from workbench.tui.draw.curve import Plot
from workbench.tui.draw.frame import NARROW, TALL, WIDE
from workbench.tui.draw.glyphs import mark
from workbench.tui.draw.ink import Page, Tone, Zone
from workbench.tui.model.comparison import (
    UNITS,
    VIEWS,
    Block,
    Budget,
    CompareView,
    Comparison,
    Flip,
    Row,
    Series,
)

MIDDLE_SPLIT = 78
WIDE_SPLIT = 100


def draw(page: Page, found: Comparison, view: CompareView, lines: tuple[int, int]) -> None:
    """Draw the view that is chosen, and beside it what there is room for, into rows `lines`."""
    top, bottom = lines
    _tabs(page, top, found, view)
    top += 2 if page.height >= TALL else 1
    foot = _notes(page, bottom, found, view) - (1 if page.height >= TALL else 0)
    block = found.block(view.block)
    right = page.width - 2
    if view.view == "intervals":
        split = WIDE_SPLIT if page.width >= WIDE else MIDDLE_SPLIT
        end = right if page.width < NARROW else split - 3
        y = _forest(page, top, foot, block, 2, end)
        _flips(page, y + 1, foot, found, view, block, 2, end, most=None)
        if page.width >= NARROW:
            for line in range(top, foot):
                page.row(line).put(split - 1, "│", "rule")
            _beside(page, top, foot, found, view, split + 1, right)
    elif view.view == "flips":
        _flips(page, top, foot, found, view, block, 2, right, most=None)
    elif view.view == "pass@k":
        _passk(page, top, foot, found, view, 2, right)
    elif view.view == "budget":
        _budget(page, top, foot, found, view, 2, right)
    else:
        _problems(page, top, foot, found, view, block, 2, right)


def _tabs(page: Page, y: int, found: Comparison, view: CompareView) -> None:
    row = page.row(y)
    column = 2
    for name in VIEWS:
        here = name == view.view
        column = row.put(column, name, "strong" if here else "muted", bold=here,
                         target=f"view:{name}") + 3  # fmt: skip
    if view.view == "budget":
        text = f"u: {', '.join(UNITS.values())}"
        if column + len(text) < page.width - 2:
            row.right(page.width - 2, text, "muted")
    elif len(found.blocks) > 1:
        other = found.block(view.block + 1)
        assert other is not None
        text = f"m shows {_name(other)}"
        if column + len(text) < page.width - 2:
            row.right(page.width - 2, text, "repair" if other.repair else "muted")


def _name(block: Block) -> str:
    return clean_line(f"{block.mode} · {block.metric}")


def _notes(page: Page, bottom: int, found: Comparison, view: CompareView) -> int:
    """What is refused, and what an interval means; returns the row above."""
    lines: list[tuple[str, Tone]] = [(clean_line(s), "limit") for s in found.refused]
    if len(found.sides) > 1:
        lines.append(("differences are paired on common tasks, Holm over all; bold where separable. "
                      "± of one alone is over tasks and is no test", "faint"))  # fmt: skip
    shown = lines[-(2 if page.height < TALL else 4) :]
    for offset, (text, tone) in enumerate(shown):
        page.row(bottom - len(shown) + offset).put(2, text, tone, width=page.width - 4)
    return bottom - len(shown)


# --- intervals


def _forest(page: Page, y: int, bottom: int, block: Block | None, start: int, end: int) -> int:
    if block is None:
        page.row(y).put(start, "no numbers yet", "muted")
        return y + 1
    page.part(y, f"{_name(block)} %", clean_line(block.data), start=start, end=end)
    y += 1
    difference = 17
    axis = min(60, max(10, end - start - 29 - difference - 2))
    roomy = page.height >= TALL and len(block.rows) * 3 + y < bottom - 8
    for row in block.rows:
        if y >= bottom - 1:
            break
        y = _language(page, y, row, block, start, axis, end)
        y += 1 if roomy else 0
    line = page.row(y)
    line.put(start + 27, "0", "faint")
    line.put(start + 27 + axis // 2 - 1, "50", "faint")
    line.put(start + 27 + axis - 3, "100", "faint")
    return y + 1


def _language(page: Page, y: int, row: Row, block: Block, start: int, axis: int, end: int) -> int:
    differences = {d.letter: d for d in row.differences}
    page.row(y).put(start, clean_line(row.language), "strong", bold=True, width=8)
    for letter, reading in row.readings.items():
        line = page.row(y)
        first = letter == "A" and len(row.readings) > 1
        tone: Tone = "muted" if first else "repair" if block.repair else "strong"
        line.put(start + 9, letter, tone, bold=not first)
        shown: Tone = "limit" if reading.suspicious else "muted" if first else "strong"
        line.put(start + 12, reading.field, shown, bold=reading.bold and not first)
        if reading.value is not None:
            low = reading.value if reading.low is None else reading.low
            high = reading.value if reading.high is None else reading.high
            kind = "repair" if block.repair else "plain"
            line.runs(
                start + 27, bars.interval(reading.value, low, high, axis, mode=kind, tone=tone)
            )
        else:
            line.put(start + 27, clean_line(reading.note), "muted", width=axis)
        found = differences.get(letter)
        if found is not None:
            _difference(page, y, found.text, found.separable, found.note, letter, end)
        y += 1
    for each in row.differences:
        for differs in each.differs[:2]:
            text = f"{each.letter} differs: {clean_line(differs)}"
            page.row(y).put(start + 9, text, "limit", width=end - start - 9)
            y += 1
    return y


def _difference(
    page: Page, y: int, text: str, separable: bool, note: str, letter: str, end: int
) -> None:
    row = page.row(y)
    if not text:
        row.right(end, "refused", "limit")
        return
    column = row.right(end, text, "strong" if separable else "text", bold=separable)
    row.right(column - 1, f"{letter}−A", "faint")
    if separable:
        page.row(y - 1).right(end, "separable", "muted")


# --- flips


def flips_of(found: Comparison, block: Block | None) -> list[Flip]:
    """The flips of one mode."""
    return [f for f in found.flips if block is not None and f.mode == block.mode]


def _flips(
    page: Page, y: int, bottom: int, found: Comparison, view: CompareView, block: Block | None,
    start: int, end: int, *, most: int | None,
) -> None:  # fmt: skip
    if len(found.sides) < 2 or bottom - y < 2:
        return
    flips = flips_of(found, block)
    gains = sum(f.gained for f in flips)
    others = " ".join(s.letter for s in found.sides[1:])
    note = f"{len(flips)} · {others} gains {gains}, loses {len(flips) - gains}"
    page.part(y, "Flips: the majority of samples turns", note, start=start, end=end)
    room = bottom - y - 1
    first = max(0, min(view.row - room // 2, len(flips) - room))
    for offset, flip in enumerate(flips[first : first + room]):
        line = y + 1 + offset
        _flip(page, line, flip, start, end, several=len(found.sides) > 2)
        page.row(line).zones.append(Zone(start - 2, end, f"flip:{first + offset}"))
        if first + offset == view.row:
            page.row(line).focus(start - 2, end + 1)
    if not flips:
        page.row(y + 1).put(start, "no common task turned", "muted")


def _flip(page: Page, y: int, flip: Flip, start: int, end: int, *, several: bool) -> None:
    row = page.row(y)
    row.put(start, clean_line(flip.language), "text", width=8)
    row.right(start + 12, clean_line(flip.task_id).rpartition("/")[2][:4], "muted")
    name = clean_line(flip.name) or clean_line(flip.task_id)
    row.put(start + 14, name, "text", width=20)
    before, after = mark(flip.outcomes[0]), mark(flip.outcomes[1])
    row.put(start + 35, before.glyph, before.tone, bold=before.bold)
    row.put(start + 37, before.word, "text", width=14)
    row.put(start + 52, "→", "muted")
    row.put(start + 55, after.glyph, after.tone, bold=after.bold)
    row.put(start + 57, after.word, "text", width=end - start - 58)
    if several:
        row.right(end, flip.letter, "muted")


# --- beside


def _beside(
    page: Page, top: int, bottom: int, found: Comparison, view: CompareView, start: int, end: int
) -> None:
    half = top + (bottom - top) // 2
    block = found.block(view.block)
    y = _counts(page, top, found, block, start, end)
    if page.width >= WIDE and found.budgets:
        _passk(page, y, half + 4, found, view, start, end)
        _budget(page, half + 5, bottom, found, view, start, end)
    else:
        _passk(page, y, bottom, found, view, start, end)


def _counts(
    page: Page, y: int, found: Comparison, block: Block | None, start: int, end: int
) -> int:
    for (mode, letter), counts in found.counts.items():
        if block is None or mode != block.mode:
            continue
        whole = counts.both + counts.only_a + counts.only_b + counts.neither
        page.part(y, f"Paired, A and {letter}", f"{whole} common", start=start, end=end)
        for offset, (word, number) in enumerate((
            ("both solve", counts.both), (f"only {letter}", counts.only_b),
            ("only A", counts.only_a), ("neither", counts.neither),
        ), 1):  # fmt: skip
            page.row(y + offset).put(start, word, "muted")
            page.row(y + offset).right(start + 17, str(number), "strong", bold=True)
        for row in block.rows[:4]:
            for each in row.differences:
                if each.letter == letter and each.note and end - start > 50:
                    line = page.row(y + 1 + block.rows.index(row))
                    text = clean_line(f"{row.language}: {each.note}")
                    line.put(start + 21, text, "muted", width=end - start - 21)
        y += 6
    return y


# --- curves


def language_of(found: Comparison, view: CompareView) -> str:
    """The language whose curves are shown."""
    languages = list(found.curves)
    return languages[view.row % len(languages)] if languages else ""


def _at_line(series: Sequence[Series], view: CompareView) -> float | None:
    longest = max((s for s in series if s.points), key=lambda s: len(s.points), default=None)
    if longest is None:
        return None
    last = len(longest.points) - 1
    return longest.points[last if view.line is None else max(0, min(last, view.line))].x


def _readings(page: Page, y: int, series: Sequence[Series], at: float, start: int, end: int) -> int:
    """A line a series: the value at the vertical line, that is at the last step before it."""
    for each in series:
        before = [p for p in each.points if p.x <= at + 1e-9]
        row = page.row(y)
        tone: Tone = "repair" if each.repair else "text"
        row.put(start, "◇" if each.repair else "◆", tone)
        if before:
            shown = before[-1].reading
            row.put(start + 2, clean_line(f"{each.name} · {shown.metric}"), tone, width=28)
            row.put(start + 32, shown.roomy, "strong", bold=shown.bold)
            row.put(start + 48, clean_line(shown.label), "faint", width=end - start - 48)
        else:
            row.put(start + 2, f"{each.name}: begins later", "muted")
        y += 1
    return y


def _passk(
    page: Page, y: int, bottom: int, found: Comparison, view: CompareView, start: int, end: int
) -> None:
    language = language_of(found, view)
    page.part(y, "pass@k %", f"plain, {clean_line(language)}" if language else "", start=start,
              end=end)  # fmt: skip
    if not language:
        page.row(y + 1).put(start, "one sample a task: there is no curve over k", "muted",
                            width=end - start)  # fmt: skip
        return
    series = found.curves[language]
    at = _at_line(series, view)
    below = len(series) if end - start > 60 else 0
    curve.draw(page, Plot(start, end, y + 1, bottom - below), series, at, "k")
    if below and at is not None:
        _readings(page, bottom - below, series, at, start, end)


# --- budget


def budget_of(found: Comparison, view: CompareView) -> Budget | None:
    """The repair cell whose budget is shown."""
    return found.budgets[view.budget % len(found.budgets)] if found.budgets else None


def unit_of(budget: Budget, view: CompareView) -> str:
    """What the axis is counted in; units without a curve are skipped."""
    known = [u for u in UNITS if u in budget.curves] or list(UNITS)
    return known[view.unit % len(known)]


def _budget(
    page: Page, y: int, bottom: int, found: Comparison, view: CompareView, start: int, end: int
) -> None:
    budget = budget_of(found, view)
    if budget is None:
        page.part(y, "Repair against resampling", start=start, end=end)
        page.row(y + 1).put(start, "needs a session with a repair mode and plain beside it", "muted",
                            width=end - start)  # fmt: skip
        return
    unit = unit_of(budget, view)
    which = clean_line(f"{budget.letter} {budget.language} · {budget.mode}")
    page.part(y, f"Solved % over {UNITS[unit]} a task", which, start=start, end=end)
    series = budget.curves.get(unit, ())
    at = _at_line(series[:1], view)
    equal = [e for e in budget.equal if e.unit == unit]
    below = 2 + 2 * len(equal) + len(budget.unknown)
    curve.draw(page, Plot(start, end, y + 1, bottom - below), series, at, UNITS[unit])
    y = bottom - below
    if at is not None:
        y = _readings(page, y, series, at, start, end)
    for each in equal:
        row = page.row(y)
        if each.missing:
            text = f"equal {UNITS[unit]}, {each.against}: not estimable: {each.missing}"
            row.put(start + 2, clean_line(text), "muted", width=end - start - 2)
        else:
            row.put(start + 2, f"at {each.episode}, the mean of an episode", "muted", width=34)
            text = f"repair {each.repair}, plain at k′ {each.samples}: {each.plain}"
            row.put(start + 38, text, "text", width=end - start - 38)
            text = f"paired difference {each.difference} · {each.against}"
            page.row(y + 1).put(start + 38, clean_line(text), "strong", width=end - start - 38)
        y += 2
    for name, why in budget.unknown.items():
        page.row(y).put(
            start + 2, f"{UNITS[name]}: {clean_line(why)}", "muted", width=end - start - 2
        )
        y += 1


# --- problems


def _problems(
    page: Page, y: int, bottom: int, found: Comparison, view: CompareView, block: Block | None,
    start: int, end: int,
) -> None:  # fmt: skip
    rows = found.problems.get(block.mode, ()) if block is not None else ()
    letters = " ".join(s.letter for s in found.sides)
    page.part(y, f"Passed of scored: {letters}", f"{len(rows)} problems", start=start, end=end)
    if not rows or block is None:
        page.row(y + 1).put(start, "needs several languages of one mode", "muted")
        return
    languages = list(rows[0].cells)
    size = max(8, min(22, (end - start - 14) // max(1, len(languages))))
    for number, language in enumerate(languages):
        page.row(y + 1).put(start + 14 + number * size, clean_line(language), "muted", bold=True,
                            width=size - 1)  # fmt: skip
    room = bottom - y - 2
    first = max(0, min(view.row - room // 2, len(rows) - room))
    for offset, problem in enumerate(rows[first : first + room]):
        row = page.row(y + 2 + offset)
        row.put(start, clean_line(problem.problem), "text", width=13)
        for number, language in enumerate(languages):
            column = start + 14 + number * size
            limit = column + size - 1
            for counts in problem.cells[language]:
                text = "–" if counts is None else f"{counts[0]}/{counts[1]}"
                tone: Tone = "faint" if counts is None or not counts[0] else "pass"
                column = row.put(column, text, tone, width=limit - column) + 2
        if first + offset == view.row:
            row.focus(start - 2, end)
        row.zones.append(Zone(start - 2, end, f"flip:{first + offset}"))
