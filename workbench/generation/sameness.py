"""Whether two programs are one but for names and layout: what is said of memorisation rests on it.

Nothing here knows a language: grammar and query come from its folder. Of a program the
function under test counts, and what it uses of the text beside it. Comments, docstrings, semicolons and the kind of quotes are left out;
the tree keeps what layout means. A name counts as the function's own, and may differ, unless it is
called, stands behind a dot, or is a type or a field; so two programs that differ in a helper's
name are told apart: what is found is never more than there is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node, QueryCursor

from workbench.generation.extraction.bounds import Budget, ParseBudgetSpent
from workbench.generation.extraction.shape import closings
from workbench.generation.extraction.source import Grammar, Item, Source

_QUOTES = ("'", '"', "'''", '"""')
_ACCESS = (".", "::", "->", "?.")
_DEEPEST = 400


def normal_form(grammar: Grammar, text: str, entry_point: str) -> str | None:
    """A hash that programs share when their function `entry_point` is one but for names and layout.

    Args:
        grammar: of the language.
        text: a whole program part, or one that ends inside a body (up to three braces are closed).
        entry_point: name of the function.

    Returns:
        64 hex digits; `None` where the function isn't found or can't be parsed.
    """
    try:
        for source in closings(grammar, text, Budget()):
            found = source.find(entry_point)
            if found is not None and found.solid and not found.definition.broken:
                return _hash(source, found.definition, entry_point)
    except (ParseBudgetSpent, RecursionError):
        return None
    return None


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    name: bool


def _hash(source: Source, entry: Item, entry_point: str) -> str:
    """Of a function and, in the order of their first mention, of what it uses beside it."""
    digest = hashlib.sha256()
    waiting, seen = [(entry, entry_point)], {entry_point}
    while waiting:
        item, name = waiting.pop(0)
        tokens = _of(source, item)
        foreign = _foreign(tokens) | {name}
        order: dict[str, int] = {}
        for token in tokens:
            text = token.text
            if token.name and text in foreign and text not in seen:
                seen.add(text)
                used = source.find(text)
                if used is not None and used.definition != item:
                    waiting.append((used.definition, text))
            elif token.name and text not in foreign:
                text = f"\0{order.setdefault(text, len(order))}"
            digest.update(text.encode("utf-8", "replace") + b"\n")
    return digest.hexdigest()


def _of(source: Source, item: Item) -> list[_Token]:
    node = source.root.descendant_for_byte_range(item.start, item.end - 1)
    assert node is not None, "an item is a node"
    captured = QueryCursor(source.grammar.query).captures(node)
    left_out = {n.id for kind in ("filler", "comment") for n in captured.get(kind, ())}
    return list(_tokens(node, left_out, 0))


def _tokens(node: Node, left_out: set[int], depth: int) -> Iterator[_Token]:
    if depth > _DEEPEST:
        raise RecursionError
    if node.is_extra or node.id in left_out:
        return
    children = [c for c in node.children if c.type != ";"]
    if not children:
        text = (node.text or b"").decode("utf-8", "replace")
        if text in _QUOTES:
            text = '"'
        yield _Token(text, node.type == "identifier")
        return
    yield _Token(f"\0({node.type}", name=False)
    for child in children:
        yield from _tokens(child, left_out, depth + 1)
    yield _Token("\0)", name=False)


def _foreign(tokens: list[_Token]) -> set[str]:
    """Names that aren't the function's own: called, or reached through a dot."""
    shown = [t for t in tokens if not t.text.startswith("\0")]
    found: set[str] = set()
    for i, token in enumerate(shown):
        if not token.name:
            continue
        behind = i > 0 and shown[i - 1].text in _ACCESS
        called = i + 1 < len(shown) and shown[i + 1].text == "("
        if behind or called:
            found.add(token.text)
    return found
