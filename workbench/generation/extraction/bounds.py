"""What parsing one answer may cost, and which texts are not parsed at all."""

from __future__ import annotations

from dataclasses import dataclass

from tree_sitter import Node

from workbench.source_text import LONGEST, is_deep

__all__ = ["LONGEST_PARSE", "Budget", "ParseBudgetSpent", "is_deep", "is_garbage"]

LONGEST_PARSE = LONGEST
"""Characters of one text that are parsed; more is taken unparsed."""


class ParseBudgetSpent(Exception):
    """An answer needed more parsing than is allowed; what was chosen so far is taken unparsed."""


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
