"""Names in a language's own spelling, and descriptions with those names put in."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from workbench.translation.typed import Signature

_QUOTED = re.compile(r"`([a-z][a-z0-9_]*)`")


def camel_case(name: str) -> str:
    """Spell a snake_case name as `camelCase`."""
    return re.sub(r"_([a-z0-9])", lambda m: m.group(1).upper(), name)


def pascal_case(name: str) -> str:
    """Spell a snake_case name as `PascalCase`."""
    spelled = camel_case(name)
    return spelled[:1].upper() + spelled[1:]


def snake_case(name: str) -> str:
    """Spell a snake_case name as it is."""
    return name


def apart(name: str, reserved: frozenset[str]) -> str:
    """Spell a name so that it is none of the language's reserved words."""
    return name + "_" if name in reserved else name


def described(
    text: str,
    signature: Signature,
    spell_parameter: Callable[[str], str],
    entry_point: str,
    words: Mapping[str, str],
) -> str:
    """Put a language's own spelling into a description.

    What stands between backticks is replaced when it is a parameter (`spell_parameter`), the
    function itself, or one of `words` (`true`, `false`, `none`); anything else keeps its text.
    The backticks go in every case.
    """
    names = {p.name: spell_parameter(p.name) for p in signature.parameters}
    names |= {signature.name: entry_point, **words}
    return _QUOTED.sub(lambda m: names.get(m.group(1), m.group(1)), text.strip())
