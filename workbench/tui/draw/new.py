"""New session: the form, what it will take, what stands in the way, and the command it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from workbench.text import clean_line
from workbench.tui.draw import figures
from workbench.tui.draw.frame import NARROW, TALL
from workbench.tui.draw.ink import Page, Run, Tone, Zone, cells
from workbench.tui.model.draft import FIELDS, Draft, Field

if TYPE_CHECKING:
    from workbench.session.preflight import Preflight

LABEL = 16
VALUE = 18
SIDE = 64
"""Cells of the form on middle and wide screens."""


@dataclass
class NewView:
    """Where the cursor stands and what is known of the draft."""

    at: int = 0
    option: int = 0
    """Which of a list field's options is under the cursor."""
    options: dict[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    """Known words of list fields, and completions of others."""
    problem: str = ""
    """Why the draft makes no spec; begins with the field."""
    field_of_problem: str = ""
    checking: bool = True
    found: Preflight | None = None
    pace: str = ""
    """How long it would take, in words."""
    command: Sequence[str] = ()
    """Lines of the command."""


def draw(
    page: Page, draft: Draft, view: NewView, typed: Sequence[Run] | None, lines: tuple[int, int]
) -> None:
    """Draw form and side into rows `lines`; `typed`: the line being edited in the focused field."""
    top, bottom = lines
    side = page.width >= NARROW
    end = SIDE if side else page.width - 2
    notes = side and page.height >= TALL
    note_row = 0 if notes else 1
    y = top
    for number, each in enumerate(FIELDS):
        here = number == view.at
        _field(page, y, each, draft, view, typed if here else None, end, here=here)
        if notes:
            _note(page, y + 1, each, view, end, VALUE)
            if here:
                page.row(y + 1).tint(0, end, "cursor")
        y += 2 if notes else 1
        if y >= bottom - note_row:
            break
    if not notes:
        _note(page, bottom - 1, FIELDS[view.at], view, end, 2)
    if side:
        for line in range(top, bottom):
            page.row(line).put(end + 1, "│", "rule")
        _side(page, top, bottom, view, end + 4)
    else:
        _short(page, bottom - 2, view)


def _field(
    page: Page, y: int, each: Field, draft: Draft, view: NewView, typed: Sequence[Run] | None,
    end: int, *, here: bool,
) -> None:  # fmt: skip
    row = page.row(y)
    row.right(LABEL, each.label, "strong" if here else "muted", bold=here)
    row.zones.append(Zone(0, end, f"field:{FIELDS.index(each)}"))
    if here:
        row.focus(0, end)
    if typed is not None:
        row.tint(VALUE - 1, end, "field")
        row.runs(VALUE, typed, end - VALUE)
        return
    if each.kind == "words":
        _options(page, y, each, draft, view, end, here=here)
        return
    text = clean_line(draft.values.get(each.id, ""))
    odd = view.field_of_problem == each.id
    tone: Tone = "limit" if odd else "strong" if here else "text"
    row.put(
        VALUE, text or "–", tone if text else "faint", bold=here and bool(text), width=end - VALUE
    )


def _options(
    page: Page, y: int, each: Field, draft: Draft, view: NewView, end: int, *, here: bool
) -> None:
    row = page.row(y)
    chosen = draft.words(each.id)
    known = list(view.options.get(each.id, ()))
    words = [*known, *(w for w in chosen if w not in known)]
    sizes = [cells(clean_line(w)) + 6 for w in words]
    option = min(view.option, max(0, len(words) - 1)) if here else 0
    first = 0
    while first < option and sum(sizes[first : option + 1]) > end - VALUE - 2:
        first += 1
    column = VALUE
    for number, word in enumerate(words[first:], first):
        if column + sizes[number] - 2 > end:
            row.put(min(column, end - 1), "…", "muted")
            break
        mark = "[x]" if word in chosen else "[ ]"
        cursor = here and number == option
        start = column
        column = row.put(column, mark, "accent" if cursor else "text", bold=cursor)
        tone: Tone = "strong" if word in chosen else "muted"
        column = row.put(column + 1, clean_line(word), tone, bold=cursor)
        if cursor:
            row.tint(start, column, "chip")
        row.zones.append(Zone(start, column, f"option:{each.id}:{word}"))
        column += 2


def _note(page: Page, y: int, each: Field, view: NewView, end: int, column: int) -> None:
    odd = view.field_of_problem == each.id
    text = view.problem if odd else each.note
    page.row(y).put(column, clean_line(text), "limit" if odd else "faint", width=end - column)


def _short(page: Page, y: int, view: NewView) -> None:
    """Narrow screens: one line for estimate and checks."""
    row = page.row(y)
    held = _held(view)
    if held:
        row.put(2, f"start is held: {clean_line(held)}", "limit", bold=True, width=page.width - 4)
    elif view.checking or view.found is None:
        row.put(2, "checking …", "muted")
    else:
        text = " · ".join(value for _, value in facts(view)[:3])
        row.put(2, f"ready: {text}", "pass", width=page.width - 4)


def _held(view: NewView) -> str:
    if view.problem:
        return view.problem
    return view.found.held if view.found is not None and not view.checking else ""


def facts(view: NewView) -> list[tuple[str, str]]:
    """What it will take: word and value."""
    if view.found is None or view.found.estimate is None:
        return []
    found = view.found.estimate
    first = found.first
    turns = (
        f" + at most {figures.count(found.repair_turns)} of repair" if found.repair_turns else ""
    )
    cost = "price unknown: cap tokens or give a price"
    if first.cost is not None:
        cost = f"at most {figures.money(first.cost)}" if first.cost else "local, no money"
    if first.cost and found.repair_turns:
        cost += " for first answers"
    return [
        ("units", f"{figures.count(found.units)} over {figures.count(found.tasks)} tasks"),
        ("calls", f"{figures.count(first.requests)} first answers{turns}"),
        ("tokens", f"about {figures.tokens(first.prompt_tokens)} in, at most "
                   f"{figures.tokens(first.completion_tokens)} out"),
        ("money", cost),
        ("time", view.pace or "no session of this model here to go by"),
    ]  # fmt: skip


def _side(page: Page, top: int, bottom: int, view: NewView, start: int) -> None:
    end = page.width - 2
    airy = page.height >= TALL
    page.part(top, "Will take", "checking" if view.checking else "", start=start, end=end)
    y = top + 1
    for word, value in facts(view):
        page.row(y).put(start, word, "muted")
        page.row(y).put(start + 9, value, "text", width=end - start - 9)
        y += 1
    y += 2 if airy else 1
    checks: Sequence[object] = view.found.checks if view.found is not None else ()
    stops = sum(getattr(c, "verdict", "") == "stops" for c in checks)
    page.part(y, "Checks", f"{stops} stop the start" if stops else "", start=start, end=end,
              note_tone="limit")  # fmt: skip
    y = _checks(page, y + 1, bottom - len(view.command) - 3, view, start, end)
    y += 2 if airy else 1
    page.part(y, "Same as", "y copies", start=start, end=end)
    for offset, line in enumerate(view.command[: max(0, bottom - y - 3)], 1):
        page.row(y + offset).put(start, clean_line(line), "text", width=end - start)
    held = _held(view)
    if held:
        page.row(bottom - 1).put(start, f"start is held: {clean_line(held)}", "limit", bold=True,
                                 width=end - start)  # fmt: skip
    elif view.found is not None and not view.checking:
        page.row(bottom - 1).put(start, "S starts it, in a process of its own", "pass", bold=True)


_MARKS: Mapping[str, tuple[str, Tone]] = {
    "ok": ("ok", "pass"),
    "slows": ("▲", "limit"),
    "stops": ("!", "limit"),
}


def _checks(page: Page, y: int, bottom: int, view: NewView, start: int, end: int) -> int:
    for check in view.found.checks if view.found is not None else ():
        if y + 1 >= bottom:
            break
        mark, tone = _MARKS[check.verdict]
        page.row(y).put(start, mark, tone, bold=True)
        page.row(y).put(start + 3, clean_line(check.name), "text", width=end - start - 3)
        quiet = check.verdict == "ok"
        page.row(y + 1).put(start + 3, clean_line(check.said), "muted" if quiet else "limit",
                            width=end - start - 3)  # fmt: skip
        y += 2
    return y
