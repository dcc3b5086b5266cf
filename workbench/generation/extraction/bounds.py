"""What parsing one answer may cost, and which texts are not parsed at all."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tree_sitter import Node

LONGEST_PARSE = 200_000
"""Characters of one text that are parsed; more is taken unparsed."""


class ParseBudgetSpent(Exception):
    """An answer needed more parsing than is allowed; what was chosen so far is taken unparsed."""


_DEEP = 1_000
"""Bracket depth beyond which a text isn't parsed."""
_FLAT = 2_000
"""Items at the top level, or unclosed tokens under one node, beyond which a text counts as
garbage: queries are quadratic in them."""


@dataclass(slots=True)
class Budget:
    """What may still be spent on parsing one answer."""

    left: int = 1_500_000
    """Characters."""
    cpu_s: float = 1.0
    """A net for texts on which the parser's error recovery explodes; no program comes near it."""

    def spend(self, size: int) -> None:
        """Take `size` off; raises ParseBudgetSpent when the text is too long or nothing is left."""
        self.left -= size
        if size > LONGEST_PARSE or self.left < 0:
            raise ParseBudgetSpent


def is_deep(text: str) -> bool:
    """Whether brackets of one kind are nested deeper than error recovery can bear."""
    for opening, closing in ("()", "[]", "{}", "<>"):
        if text.count(opening) <= _DEEP:
            continue
        depth = 0
        for bracket in re.finditer(f"[{re.escape(opening + closing)}]", text):
            depth = depth + 1 if bracket[0] == opening else max(0, depth - 1)
            if depth > _DEEP:
                return True
    return False


def is_garbage(root: Node) -> bool:
    """Whether thousands of items or of unclosed tokens lie under one node."""
    if root.child_count > _FLAT:
        return True
    waiting = [root] if root.has_error else []
    for _ in range(_FLAT):
        if not waiting:
            return False
        node = waiting.pop()
        if node.child_count - node.named_child_count > _FLAT:
            return True
        waiting.extend(child for child in node.named_children if child.has_error)
    return True
