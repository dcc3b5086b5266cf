"""Code in four quiet colours, for any language that has a tree-sitter grammar."""

from __future__ import annotations

import importlib
from functools import lru_cache
from typing import cast

from tree_sitter import Language, Node, Parser

from workbench.tui.draw.ink import Ink, Run, Tone

MAX_BYTES = 262_144
"""Longer programs are shown without colours: parsing would be felt."""

# Words that grammars give to leaves which are keywords to the eye, though named.
_NAMED_KEYWORDS = frozenset(
    ("true", "false", "none", "null", "null_literal", "nil", "this", "self", "super", "undefined",
     "iota", "auto", "primitive_type", "boolean_type", "void_type", "integral_type",
     "floating_point_type")
)  # fmt: skip


@lru_cache(maxsize=16)
def parser(grammar: str) -> Parser | None:
    """A parser for a grammar module such as `tree_sitter_cpp`; `None` when it isn't installed."""
    try:
        module = importlib.import_module(grammar)
    except ImportError:
        return None
    return Parser(Language(cast(object, module.language())))


def tone(node: Node) -> Tone:
    """The tone of a node that is written in one colour; `text` for all others."""
    kind = node.type
    if "comment" in kind:
        return "comment"
    if node.is_named:
        if kind in _NAMED_KEYWORDS:
            return "keyword"
        if node.child_count == 0 and (
            kind.endswith(("number", "int_literal", "integer_literal", "float_literal"))
            or kind.startswith(("decimal_", "hex_", "octal_", "binary_integer"))
            or kind in ("number_literal", "integer", "float", "imaginary_literal")
        ):
            return "number"
        if _is_string(kind):
            return "string"
        return "text"
    text = kind.lstrip("#@")
    return "keyword" if text.isalpha() and text.islower() else "text"


def _is_string(kind: str) -> bool:
    return (
        "string" in kind
        or kind in ("char_literal", "character_literal", "rune_literal", "regex")
        or kind == "escape_sequence"
    ) and "interpolation" not in kind


def highlight(text: str, grammar: str) -> list[list[Run]]:
    """Split clean text into lines of runs.

    Args:
        text: code that has been through the sanitiser.
        grammar: grammar module; without one, or for long text, lines are plain.
    """
    lines = text.split("\n")
    body = text.encode("utf-8", "replace")
    found = parser(grammar) if grammar and len(body) <= MAX_BYTES else None
    if found is None:
        return [[(line, Ink())] if line else [] for line in lines]
    tones: list[tuple[int, int, Tone]] = []
    _walk(found.parse(body).root_node, tones)
    return _lines(body, tones)


def _walk(root: Node, tones: list[tuple[int, int, Tone]]) -> None:
    """Collect coloured byte ranges in order; a coloured node's children stay in its colour,
    except what is interpolated into a string."""
    cursor = root.walk()
    going = True
    while going:
        node = cursor.node
        assert node is not None
        kind = tone(node)
        whole = kind != "text" and not (kind == "string" and _has_interpolation(node))
        if whole and node.end_byte > node.start_byte:
            tones.append((node.start_byte, node.end_byte, kind))
        if not whole and cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                going = False
                break


def _has_interpolation(node: Node) -> bool:
    return any(
        "interpolation" in child.type or "substitution" in child.type for child in node.children
    )


def _lines(body: bytes, tones: list[tuple[int, int, Tone]]) -> list[list[Run]]:
    out: list[list[Run]] = [[]]

    def add(start: int, end: int, kind: Tone) -> None:
        for number, part in enumerate(body[start:end].decode("utf-8", "replace").split("\n")):
            if number:
                out.append([])
            if part:
                out[-1].append((part, Ink(kind, italic=kind == "comment")))

    at = 0
    for start, end, kind in tones:
        if start > at:
            add(at, start, "text")
        add(max(at, start), end, kind)
        at = max(at, end)
    add(at, len(body), "text")
    return out
