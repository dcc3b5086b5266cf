"""Values of the middle form: do they fit their type, and how do they stand on the channel?

A value is a Python object: `int`, `float`, `bool`, `str`, `list`, `dict`, `tuple` or `None`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from workbench.translation.type_text import show_type
from workbench.translation.typed import Type

INT_MIN, INT_MAX = -(2**63), 2**63 - 1


def fit(wanted: Type, value: object, where: str) -> Any:
    """Check a value against its type and return it in the type's own Python form.

    Lossless steps are taken: an int where a float is wanted, a list where a tuple is wanted.

    Args:
        where: What the value is, for the message, such as `visible[0].args[1]`.

    Raises:
        ValueError: it doesn't fit; one line that names the innermost place.
    """
    match wanted.name:
        case "int":
            if type(value) is int and INT_MIN <= value <= INT_MAX:
                return value
        case "float":
            if type(value) is float:
                return value
            if type(value) is int and int(float(value)) == value:
                return float(value)
        case "bool":
            if type(value) is bool:
                return value
        case "str":
            if type(value) is str and not any(0xD800 <= ord(c) < 0xE000 for c in value):
                return value
        case "optional":
            return None if value is None else fit(wanted.args[0], value, where)
        case "list":
            if isinstance(value, list):
                items = cast("list[object]", value)
                return [fit(wanted.args[0], v, f"{where}[{i}]") for i, v in enumerate(items)]
        case "tuple":
            if isinstance(value, (list, tuple)):
                parts = cast("Sequence[object]", value)
                if len(parts) == len(wanted.args):
                    pairs = enumerate(zip(wanted.args, parts, strict=True))
                    return tuple(fit(t, v, f"{where}[{i}]") for i, (t, v) in pairs)
        case "dict":
            if isinstance(value, dict):
                entries = cast("Mapping[object, object]", value)
                key, held = wanted.args
                return {
                    fit(key, k, f"{where} key {k!r}"): fit(held, v, f"{where}[{k!r}]")
                    for k, v in entries.items()
                }
        case _:
            raise ValueError(f"{where}: unknown type {wanted.name!r}")
    raise ValueError(f"{where}: {_short(value)} isn't a value of {show_type(wanted)}")


def channel_value(wanted: Type, value: Any) -> Any:
    """Give a value the form it has on the channel (docs/channel.md): JSON-like.

    Tuples become lists; a dict whose keys are no strings becomes a list of `[key, value]`
    sorted by key.
    """
    match wanted.name:
        case "list":
            return [channel_value(wanted.args[0], v) for v in value]
        case "tuple":
            return [channel_value(t, v) for t, v in zip(wanted.args, value, strict=True)]
        case "optional":
            return None if value is None else channel_value(wanted.args[0], value)
        case "dict":
            key, held = wanted.args
            if key.name == "str":
                return {k: channel_value(held, v) for k, v in value.items()}
            return [[k, channel_value(held, v)] for k, v in sorted(value.items())]
        case _:
            return value


def holds(wanted: Type, name: str) -> bool:
    """Whether a type is `name` or has it anywhere inside."""
    return wanted.name == name or any(holds(a, name) for a in wanted.args)


def zero(wanted: Type) -> Any:
    """Return the zero value of a type: what a candidate that does nothing would return."""
    match wanted.name:
        case "int":
            return 0
        case "float":
            return 0.0
        case "bool":
            return False
        case "str":
            return ""
        case "list":
            return []
        case "dict":
            return {}
        case "tuple":
            return tuple(zero(t) for t in wanted.args)
        case _:
            return None


def same(wanted: Type, left: Any, right: Any) -> bool:
    """Whether two fitted values are the same one (NaN is itself, 0.0 isn't -0.0)."""
    return json.dumps(channel_value(wanted, left)) == json.dumps(channel_value(wanted, right))


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
