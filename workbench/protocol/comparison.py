"""May these two stand in one column? What differs, and of which kind it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from workbench.protocol.canonical import sha256_text
from workbench.protocol.fingerprint import has_kinds, kind_of
from workbench.protocol.kinds import FieldKind, Kind
from workbench.protocol.metric import Metric
from workbench.protocol.records import Protocol

TASK_FIELDS = frozenset(
    {"eval.tasks", "eval.tasks_of", "eval.tasks_sha256", "eval.subset", "eval.exclusions"}
)
"""Which tasks: what a comparison on common tasks may differ in."""


@dataclass(frozen=True, slots=True)
class FieldDifference:
    """One field in which two cells differ."""

    field: str
    """Path, such as `gen.temperature` or `eval.toolchain.versions.javac`."""
    kind: Kind
    a: Any
    b: Any

    def __str__(self) -> str:
        return f"{self.field}: {_shown(self.a)} → {_shown(self.b)}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """How two cells may stand together."""

    kind: Kind
    differences: tuple[FieldDifference, ...]
    """Gravest first; paths in order within a kind."""

    @property
    def one_column(self) -> bool:
        """Whether one column may hold both (perhaps with a footnote)."""
        return self.kind <= Kind.INCIDENTAL

    @property
    def side_by_side(self) -> bool:
        """Whether they may be compared with the difference named."""
        return self.kind <= Kind.MATERIAL

    @property
    def reason(self) -> str:
        """What stands in the way, in a line; empty when nothing differs."""
        gravest = [d for d in self.differences if d.kind is self.kind]
        return "; ".join(str(d) for d in gravest)


def may_share_column(
    a: Protocol, b: Protocol, metrics: tuple[Metric, Metric] | None = None
) -> Verdict:
    """Say how two cells may stand together, and name every difference.

    Args:
        metrics: the metric shown of each; left out when it is the same by construction.
    """
    return _verdict(a, b, metrics, frozenset())


def may_pair(a: Protocol, b: Protocol, metrics: tuple[Metric, Metric] | None = None) -> Verdict:
    """The same for a comparison on common tasks, where the sets of tasks may differ."""
    return _verdict(a, b, metrics, TASK_FIELDS)


def _verdict(
    a: Protocol,
    b: Protocol,
    metrics: tuple[Metric, Metric] | None,
    ignored: frozenset[str],
) -> Verdict:
    languages = a.eval.language != b.eval.language
    found = [d for d in _differences("", a, b, None, languages) if d.field not in ignored]
    if metrics is not None and metrics[0] != metrics[1]:
        found.append(FieldDifference("metric", Kind.IDENTITY, str(metrics[0]), str(metrics[1])))
    found.sort(key=lambda d: (-d.kind, d.field))
    kind = max((d.kind for d in found), default=Kind.SAME)
    return Verdict(kind, tuple(found))


def _differences(
    path: str, a: BaseModel, b: BaseModel, inherited: FieldKind | None, languages: bool
) -> Iterator[FieldDifference]:
    for name, field in type(a).model_fields.items():
        here = f"{path}{name}"
        one, two = getattr(a, name), getattr(b, name)
        if one == two:
            continue
        kind = inherited or kind_of(field.metadata)
        if languages and kind.of_language:
            continue
        if isinstance(one, BaseModel) and isinstance(two, BaseModel):
            own = not path or has_kinds(type(one))
            yield from _differences(f"{here}.", one, two, None if own else kind, languages)
        else:
            dumps = (a.model_dump(mode="json")[name], b.model_dump(mode="json")[name])
            yield from _leaves(here, *dumps, kind.kind)


def _leaves(path: str, a: Any, b: Any, kind: Kind) -> Iterator[FieldDifference]:
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted({*a, *b}):
            if a.get(key) != b.get(key):
                yield from _leaves(f"{path}.{key}", a.get(key), b.get(key), kind)
    else:
        yield FieldDifference(path, kind, a, b)


def _shown(value: Any) -> str:
    """A value short enough for a line: long texts by their hash."""
    if value is None or value in ("", [], {}):
        return "none"
    text = value if isinstance(value, str) else str(value)
    if len(text) <= 40 and text.isprintable():
        return text
    return f"{len(text)} characters, sha256 {sha256_text(text)[:8]}"
