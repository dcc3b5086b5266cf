"""Fingerprints: three hashes that say what differs, and one of the three."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import BaseModel

from workbench.protocol.canonical import sha256_json, sha256_text
from workbench.protocol.kinds import FieldKind, Kind
from workbench.protocol.records import Protocol

SCHEMA = 1
"""Version of what is hashed: with another field, or another meaning of one, comes another."""

SHOWN = 12
"""Hex digits on screens and in labels; the whole is in the session and its exports."""


@dataclass(frozen=True)
class Fingerprint:
    """A protocol's hashes, 64 hex digits each."""

    gen: str
    """What the model saw and how it was drawn."""
    eval: str
    """How it was judged."""
    rep: str
    """How it was counted."""

    @cached_property
    def whole(self) -> str:
        """SHA-256 of the three joined by `|`."""
        return sha256_text(f"{self.gen}|{self.eval}|{self.rep}")

    @property
    def shown(self) -> str:
        """The whole's first 12 digits."""
        return self.whole[:SHOWN]

    def to_json(self) -> dict[str, str]:
        """All four."""
        return {"whole": self.whole, "gen": self.gen, "eval": self.eval, "rep": self.rep}


def fingerprint(protocol: Protocol) -> Fingerprint:
    """Hash a protocol: identity and material fields only."""
    return Fingerprint(
        gen=sha256_json({"schema": SCHEMA, "gen": hashed(protocol.gen)}),
        eval=sha256_json({"schema": SCHEMA, "eval": hashed(protocol.eval)}),
        rep=sha256_json({"schema": SCHEMA, "rep": hashed(protocol.rep)}),
    )


def hashed(part: BaseModel) -> dict[str, Any]:
    """What of a part is hashed: every field but the incidental, absent ones as null."""
    out: dict[str, Any] = {}
    plain = part.model_dump(mode="json")
    for name, field in type(part).model_fields.items():
        kind = kind_of(field.metadata)
        if kind.kind is Kind.INCIDENTAL:
            continue
        value = getattr(part, name)
        nested = isinstance(value, BaseModel) and has_kinds(type(value))
        out[name] = hashed(value) if nested else plain[name]
    return out


def kind_of(metadata: Iterable[Any]) -> FieldKind:
    """The kind in a field's annotation; material where none is said."""
    return next((m for m in metadata if isinstance(m, FieldKind)), FieldKind(Kind.MATERIAL))


def has_kinds(model: type[BaseModel]) -> bool:
    """Whether a model says the kinds of its own fields."""
    fields = model.model_fields.values()
    return any(isinstance(m, FieldKind) for field in fields for m in field.metadata)


def tasks_sha256(task_ids: Iterable[str]) -> str:
    """SHA-256 of a set of task ids: sorted, one a line."""
    return sha256_text("".join(f"{task}\n" for task in sorted(set(task_ids))))
