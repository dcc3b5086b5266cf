"""Typed tasks in TOML files.

    signature = "join_all(parts: list[str], sep: str) -> str"
    difficulty = 2
    description = "Join `parts` with `sep` between them."
    visible = [{ args = [["a", "b"], "-"], result = "a-b" }]
    held_out = [{ args = [[], "-"], result = "" }]

TOML has no null: where a type is optional, `{ none = true }` stands for it. `tolerance` (relative
and absolute, for floats) may be left out.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from workbench.errors import DataError
from workbench.translation.type_text import parse_signature
from workbench.translation.typed import Case, Signature, Type, TypedTask
from workbench.translation.values import channel_value, fit, same

_FIELDS = {"signature", "difficulty", "description", "visible", "held_out"}
_NONE = {"none": True}


def read_task(path: Path, task_id: str) -> TypedTask:
    """Read one typed task.

    Raises:
        DataError: unreadable, not TOML, a field missing or wrong; the line names file, task
            and field.
    """
    try:
        return parse_task(path.read_text(encoding="utf-8"), task_id)
    except OSError as error:
        raise DataError(f"{path}: task {task_id}: can't be read: {error.strerror}") from None
    except ValueError as error:
        raise DataError(f"{path}: task {task_id}: {error}") from None


def parse_task(text: str, task_id: str) -> TypedTask:
    """Make a typed task of TOML text.

    Raises:
        ValueError: not TOML, a field missing or wrong; one line that begins with the field.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"isn't valid TOML: {error}") from None
    for missing in sorted(_FIELDS - set(table)):
        raise ValueError(f"field {missing!r} is missing")
    for unknown in sorted(set(table) - _FIELDS - {"tolerance"}):
        raise ValueError(f"field {unknown!r} is unknown")
    try:
        signature = parse_signature(_of(table, "signature", str))
    except ValueError as error:
        raise ValueError(f"signature: {error}") from None
    difficulty = _of(table, "difficulty", int)
    if not 1 <= difficulty <= 5:
        raise ValueError(f"difficulty: {difficulty} isn't between 1 and 5")
    description = _of(table, "description", str).strip()
    if not description:
        raise ValueError("description: it is empty")
    tolerance = float(table.get("tolerance", 1e-9))
    if not 0 <= tolerance < 1:
        raise ValueError(f"tolerance: {tolerance} isn't in [0, 1)")
    visible = _cases(table, "visible", signature)
    held_out = _cases(table, "held_out", signature)
    _refuse_repeats(signature, visible, held_out)
    return TypedTask(task_id, signature, description, visible, held_out, difficulty, tolerance)


def _of(table: Mapping[str, Any], field: str, kind: type[Any]) -> Any:
    value = table[field]
    if type(value) is not kind:
        raise ValueError(f"{field}: wanted {kind.__name__}, found {type(value).__name__}")
    return value


def _cases(table: Mapping[str, Any], field: str, signature: Signature) -> tuple[Case, ...]:
    rows = cast("list[Any]", _of(table, field, list))
    return tuple(_case(row, f"{field}[{i}]", signature) for i, row in enumerate(rows))


def _case(row: Any, where: str, signature: Signature) -> Case:
    if not isinstance(row, dict) or set(cast("dict[str, Any]", row)) != {"args", "result"}:
        raise ValueError(f"{where}: wanted a table with `args` and `result`")
    fields = cast("dict[str, Any]", row)
    arguments = fields["args"]
    wanted = len(signature.parameters)
    if not isinstance(arguments, list) or len(cast("list[Any]", arguments)) != wanted:
        raise ValueError(f"{where}.args: wanted a list of {wanted} value(s)")
    pairs = zip(signature.parameters, cast("list[Any]", arguments), strict=True)
    return Case(
        tuple(
            fit(p.type, _with_none(p.type, v), f"{where}.args[{i}]")
            for i, (p, v) in enumerate(pairs)
        ),
        fit(signature.result, _with_none(signature.result, fields["result"]), f"{where}.result"),
    )


def _with_none(wanted: Type, value: Any) -> Any:
    """Replace `{ none = true }` by None wherever the type is optional."""
    match wanted.name:
        case "optional":
            return None if value == _NONE else _with_none(wanted.args[0], value)
        case "list" if isinstance(value, list):
            return [_with_none(wanted.args[0], v) for v in cast("list[Any]", value)]
        case "dict" if isinstance(value, dict):
            entries = cast("dict[Any, Any]", value)
            return {k: _with_none(wanted.args[1], v) for k, v in entries.items()}
        case "tuple" if isinstance(value, list):
            parts = cast("list[Any]", value)
            if len(parts) == len(wanted.args):
                return [_with_none(t, v) for t, v in zip(wanted.args, parts, strict=True)]
            return parts
        case _:
            return value


def _refuse_repeats(
    signature: Signature, visible: tuple[Case, ...], held_out: tuple[Case, ...]
) -> None:
    """A held-out case that is shown isn't held out, and one that stands twice counts twice."""
    whole = Type("tuple", tuple(p.type for p in signature.parameters))
    seen: list[tuple[str, tuple[Any, ...]]] = []
    for field, cases in (("visible", visible), ("held_out", held_out)):
        for i, case in enumerate(cases):
            for place, earlier in seen:
                if same(whole, earlier, case.arguments):
                    shown = channel_value(whole, case.arguments)
                    raise ValueError(f"{field}[{i}]: the arguments of {place} again: {shown}")
            seen.append((f"{field}[{i}]", case.arguments))
