"""Which text a regular expression can't match without: a cheap look before a dear search."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable
from typing import Any

# The standard library's own reader of patterns: another one would read them otherwise.
_reader: Any = importlib.import_module("re._parser")

_MOST = 32
"""Alternatives that are kept apart; of more a part of what they need is taken."""

_Texts = frozenset[str]
_Parts = Iterable[tuple[Any, Any]]


def needed_text(pattern: str) -> frozenset[str]:
    """Texts of which at least one stands in everything that `pattern` matches, case as written.

    Raises:
        ValueError: what it matches has no text in common, or case is ignored.
    """
    tree = _reader.parse(pattern)
    found = None if tree.state.flags & re.IGNORECASE else _needed(tree)
    if not found:
        raise ValueError(f"nothing stands in every match of {pattern!r}")
    return found


def _needed(parts: _Parts) -> _Texts | None:
    """What one of the parts needs, the longest; None: no part needs any."""
    found: list[_Texts] = []
    run: _Texts = frozenset(("",))
    for operation, argument in parts:
        exact = _exact(str(operation), argument)
        if exact is not None and len(run) * len(exact) <= _MOST:
            run = frozenset(a + b for a in run for b in exact)
            continue
        found.append(run)
        run = frozenset(("",)) if exact is None else exact
        inner = _inside(str(operation), argument)
        found += [inner] if inner else []
    useful = [texts for texts in (*found, run) if "" not in texts]
    return max(useful, key=lambda texts: min(map(len, texts)), default=None)


def _exact(operation: str, argument: Any) -> _Texts | None:
    """All that a part can match, where that is a few texts; None: it isn't."""
    match operation:
        case "LITERAL":
            return frozenset((chr(argument),))
        case "IN" if all(str(o) == "LITERAL" for o, _ in argument):
            return frozenset(chr(code) for _, code in argument)
        case "AT":
            return frozenset(("",))
        case "SUBPATTERN" if not argument[1] & re.IGNORECASE:
            return _exact_sequence(argument[3])
        case "BRANCH":
            branches = [_exact_sequence(branch) for branch in argument[1]]
            whole = [texts for texts in branches if texts is not None]
            joined: _Texts = frozenset[str]().union(*whole)
            return joined if len(whole) == len(branches) and len(joined) <= _MOST else None
        case _:
            return None


def _exact_sequence(parts: _Parts) -> _Texts | None:
    run: _Texts = frozenset(("",))
    for operation, argument in parts:
        exact = _exact(str(operation), argument)
        if exact is None or len(run) * len(exact) > _MOST:
            return None
        run = frozenset(a + b for a in run for b in exact)
    return run


def _inside(operation: str, argument: Any) -> _Texts | None:
    """What a part needs that can match more than a few texts."""
    match operation:
        case "BRANCH":
            branches = [_needed(branch) for branch in argument[1]]
            whole = [texts for texts in branches if texts]
            return frozenset[str]().union(*whole) if len(whole) == len(branches) else None
        case "SUBPATTERN" if not argument[1] & re.IGNORECASE:
            return _needed(argument[3])
        case "MAX_REPEAT" | "MIN_REPEAT" if argument[0] > 0:
            return _needed(argument[2])
        case _:
            return None
