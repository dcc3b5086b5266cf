"""Records as JSON-ready mappings: as `dataclasses.asdict`, without its deep copies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any, cast

_PLAIN = (str, int, float, bool, type(None))


def body_of(record: Any) -> Any:
    """A frozen record, and all that is in it, as mappings and lists.

    Values of other kinds (decimals, JSON values) stay as they are: nothing is copied that can't
    be changed, and the result isn't meant to be changed.
    """
    if isinstance(record, _PLAIN):
        return record
    names = _names(type(record))
    if names is not None:
        return {name: body_of(getattr(record, name)) for name in names}
    if isinstance(record, Mapping):
        return {key: body_of(value) for key, value in cast("Mapping[Any, Any]", record).items()}
    if isinstance(record, (list, tuple)):
        return [body_of(value) for value in cast("list[Any]", record)]
    return record


@lru_cache(maxsize=256)
def _names(kind: type) -> tuple[str, ...] | None:
    """Field names of a class of records; None for another class."""
    return tuple(f.name for f in fields(kind)) if is_dataclass(kind) else None
