"""What a difference in a field means, and the field types that hash alike everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated, Any, cast

from pydantic import BeforeValidator, PlainSerializer

from workbench.protocol.canonical import decimal_text, line_feeds


class Kind(IntEnum):
    """How much two cells differ, in order: the greatest difference decides."""

    SAME = 0
    INCIDENTAL = 1
    """One column, with a footnote: date, image digest, seed, losses."""
    MATERIAL = 2
    """Side by side, the difference named: temperature, prompt, extraction, limits, recipe."""
    IDENTITY = 3
    """Never one column: benchmark, suite, tasks, mode, metric."""


@dataclass(frozen=True, slots=True)
class FieldKind:
    """Stands in a field's annotation."""

    kind: Kind
    of_language: bool = False
    """It follows from the language: between two languages it isn't a difference of its own."""


IDENTITY = FieldKind(Kind.IDENTITY)
MATERIAL = FieldKind(Kind.MATERIAL)
INCIDENTAL = FieldKind(Kind.INCIDENTAL)
IDENTITY_OF_LANGUAGE = FieldKind(Kind.IDENTITY, of_language=True)
MATERIAL_OF_LANGUAGE = FieldKind(Kind.MATERIAL, of_language=True)


def _pairs(value: object) -> object:
    if isinstance(value, Mapping):
        items = cast("Mapping[object, object]", value).items()
        return tuple(sorted((str(k), line_feeds(str(v))) for k, v in items))
    if isinstance(value, Iterable) and not isinstance(value, str):
        return tuple(sorted((str(k), line_feeds(str(v))) for k, v in cast("Any", value)))
    return value


def _sorted(value: object) -> object:
    if isinstance(value, Iterable) and not isinstance(value, str):
        return tuple(sorted({line_feeds(str(item)) for item in cast("Iterable[object]", value)}))
    return value


def _decimal(value: object) -> object:
    return value if value is None else decimal_text(value)


DecimalText = Annotated[str, BeforeValidator(_decimal)]
"""A number kept as its shortest decimal text: 0.80 and 0.8 hash alike, floats never drift."""

TextMap = Annotated[
    tuple[tuple[str, str], ...],
    BeforeValidator(_pairs),
    PlainSerializer(lambda pairs: dict(pairs), return_type=dict[str, str]),
]
"""A mapping of texts, frozen and sorted; reads and writes JSON objects."""

SortedTexts = Annotated[tuple[str, ...], BeforeValidator(_sorted)]
"""Texts whose order means nothing."""

Text = Annotated[str, BeforeValidator(lambda v: line_feeds(v) if isinstance(v, str) else v)]
"""A text with LF line ends."""
