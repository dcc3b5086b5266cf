"""Recipes: a list, and beside or below it the card of one, or what two differ in."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.text import clean, clean_line
from workbench.tui.draw.frame import NARROW, TALL
from workbench.tui.draw.ink import Ground, Ink, Page, Run, Tone, Zone, cells
from workbench.tui.model.recipes import Card, RecipesView, difference

LIST = 50
"""Cells of the list beside the card."""
Text = tuple[list[Run], Ground]


def draw(page: Page, cards: Sequence[Card], view: RecipesView, lines: tuple[int, int]) -> None:
    """Draw list and card into rows `lines`; how far the card is scrolled is brought into bounds."""
    top, bottom = lines
    at = next((i for i, c in enumerate(cards) if c.id == view.at), 0)
    if page.width < NARROW:
        size = min(len(cards) + 1, (bottom - top) * 2 // 5)
        _list(page, top, top + size, cards, view, at, 2, page.width - 2, double=False)
        _card(page, top + size + 1, bottom, cards, view, at, 2, page.width - 2)
        return
    _list(page, top, bottom, cards, view, at, 2, LIST, double=True)
    for y in range(top, bottom):
        page.row(y).put(LIST + 1, "│", "rule")
    _card(page, top, bottom, cards, view, at, LIST + 4, page.width - 2)


def _list(
    page: Page, top: int, bottom: int, cards: Sequence[Card], view: RecipesView, at: int,
    start: int, end: int, *, double: bool,
) -> None:  # fmt: skip
    page.row(top).put(start + 2, "recipe", "muted")
    page.row(top).put(start + 22, "feedback", "muted")
    airy = double and page.height >= TALL and len(cards) * 3 <= bottom - top
    size = (3 if airy else 2) if double else 1
    room = max(1, (bottom - top - 1) // size)
    first = max(0, min(at - room + 1, len(cards) - room)) if at >= room else 0
    for offset, card in enumerate(cards[first : first + room]):
        y = top + 1 + offset * size
        here = first + offset == at
        row = page.row(y)
        mark = "=" if card.id in (view.marked, view.beside) else ""
        row.put(start, mark, "accent", bold=True)
        row.put(start + 2, clean_line(card.id), "strong" if here else "text", bold=here, width=18)
        column = start + 22
        if card.leaks:
            column = row.runs(column, [(" LEAK ", Ink("page", True, ground="leak"))]) + 1
        said = card.problem or card.feedback
        row.put(column, clean_line(said), "wrong" if card.problem else "muted", width=end - column)
        if double:
            own = " · yours" if card.own else ""
            page.row(y + 1).put(
                start + 2, clean_line(card.rest + own), "muted", width=end - start - 2
            )
        for line in range(y, y + min(size, 2)):
            if here:
                page.row(line).focus(start - 2, end)
                page.row(line).put(start, mark, "accent", bold=True)
            page.row(line).zones.append(Zone(start - 2, end, f"recipe:{card.id}"))


def _card(
    page: Page, top: int, bottom: int, cards: Sequence[Card], view: RecipesView, at: int,
    start: int, end: int,
) -> None:  # fmt: skip
    if not cards:
        return
    card = cards[at]
    other = next((c for c in cards if c.id == view.beside), None)
    marked = next((c for c in cards if c.id == view.marked), None)
    if other is not None and marked is not None:
        title, note = f"{marked.id} → {other.id}", "what isn't named is the same"
        body = _difference(marked, other)
    else:
        title, note = (
            card.id,
            "not valid" if card.problem else "valid · yours" if card.own else "valid",
        )
        body = _body(card, end - start)
    tone: Tone = "limit" if card.problem and other is None else "muted"
    page.part(top, clean_line(title), note, start=start, end=end, note_tone=tone)
    room = max(1, bottom - top - 1)
    view.top = max(0, min(view.top, len(body) - room))
    for offset, (runs, ground) in enumerate(body[view.top : view.top + room], 1):
        row = page.row(top + offset)
        if ground != "page":
            row.tint(start, end, ground)
        row.runs(start, runs, end - start)
    if len(body) > room:
        thumb = max(1, room * room // len(body))
        first = (room - thumb) * view.top // max(1, len(body) - room)
        for y in range(first, first + thumb):
            page.row(top + 1 + y).put(page.width - 1, "┃", "muted")


def _plain(text: str, tone: Tone = "text", *, bold: bool = False) -> Text:
    return [(text, Ink(tone, bold))], "page"


def _body(card: Card, width: int) -> list[Text]:
    if card.problem:
        return [*_wrapped(card.problem, width, "limit"), _plain(""),
                _plain(clean_line(str(card.file)), "faint")]  # fmt: skip
    lines = [*_wrapped(card.description, width, "text"), _plain("")]
    for word, said in card.sentences:
        first = True
        for text, _ in _wrapped(said, width - 17, "text"):
            head = clean_line(word) if first else ""
            lines.append(([(f"{head:<17}", Ink("muted")), *text], "page"))
            first = False
    lines += [_plain(""), _plain("Prompt of a repair turn", "muted", bold=True)]
    for line in clean(card.prompt).splitlines():
        lines.append(_plain(line, "keyword" if line.lstrip().startswith("{%") else "text"))
    lines += [_plain(""), *_wrapped(f"label  {card.label}", width, "faint")]
    return lines


def _difference(a: Card, b: Card) -> list[Text]:
    grounds: dict[str, Ground] = {"−": "del", "+": "add"}
    lines: list[Text] = []
    for sign, text in difference(a, b):
        if sign == "@":
            lines.append(_plain(clean_line(text), "muted", bold=True))
        else:
            tone: Tone = "wrong" if sign == "−" else "pass" if sign == "+" else "text"
            lines.append(
                ([(f"{sign} ", Ink(tone, True)), (text, Ink())], grounds.get(sign, "page"))
            )
    return lines


def _wrapped(text: str, width: int, tone: Tone) -> list[Text]:
    lines: list[str] = [""]
    for word in clean_line(text).split():
        if lines[-1] and cells(lines[-1]) + 1 + cells(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return [_plain(line, tone) for line in lines]
