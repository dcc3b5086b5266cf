"""Adapt a text to what its task's prompt has around the entry point: a class, imports, helpers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from workbench.generation.extracted import ExtractionStep
from workbench.generation.extraction.cut import remove
from workbench.generation.extraction.shape import Shape
from workbench.generation.extraction.source import Source

Parse: TypeAlias = Callable[[str], Source]

_BLANK = re.compile(r"\A(?:[ \t]*\n)+")


def contain(text: str, entry: str, shape: Shape, parse: Parse) -> tuple[str, list[ExtractionStep]]:
    """Put the entry point into the class that the tests look for it in."""
    if not shape.container:
        return text, []
    source = parse(text)
    found = source.find(entry)
    if found is None:
        return text, []
    if found.member is None:
        wrapped = _wrap(source, shape)
        if not parse(wrapped).clean:
            return text, []
        note = f"put the function into class {shape.container}"
        return wrapped, [ExtractionStep("wrap.container", note)]
    old, new = found.item.names[0], shape.container
    if old == new or any(new in item.names for item in source.items):
        return text, []
    data = source.data
    for start, end in reversed(source.identifiers(old)):
        data = data[:start] + new.encode() + data[end:]
    note = ExtractionStep("rename.container", f"renamed the class to {new}, as in the prompt")
    return data.decode("utf-8", "replace"), [note]


def _wrap(source: Source, shape: Shape) -> str:
    """Put everything but imports and classes into the container."""
    outside = [i for i in source.items if i.roles & {"import", "package", "container"}]
    imports = [i for i in outside if "container" not in i]
    classes = [i for i in outside if "container" in i]
    inside = remove(source, [(i.start, i.end) for i in outside], [])
    parts = ["\n".join(source.of(i).strip() for i in imports)]
    parts.append(shape.header + "\n" + inside.strip("\n") + "\n}")
    parts += [source.of(i) for i in classes]
    return "\n\n".join(part for part in parts if part.strip()) + "\n"


def with_preamble(text: str, shape: Shape, parse: Parse) -> tuple[str, list[ExtractionStep]]:
    """Put imports and helpers of the prompt in front that the text lacks."""
    source = parse(text)
    have = {" ".join(source.of(i).split()) for i in source.items if "import" in i}
    defined = {n for i in source.items for n in i.names}
    words = set(source.words(0, len(source.data)))
    pieces: list[str] = []
    for piece in reversed(shape.pieces):
        lacking = (
            " ".join(piece.text.split()) not in have
            if piece.import_like
            else bool(set(piece.names) & words) and not set(piece.names) & defined
        )
        if lacking:
            pieces.insert(0, piece.text)
            words |= _plain_words(piece.text)
    if not pieces:
        return text, []
    # Behind what has to be first, such as `from __future__ import annotations`.
    first = max((i.end for i in source.items if "first" in i), default=0)
    head, rest = source.slice(0, first), source.slice(first, len(source.data))
    joined = "\n".join([*([head] if head else []), *pieces]) + "\n\n" + trimmed(rest)
    if source.clean and not parse(joined).clean:
        return text, []
    note = "put imports and helpers of the prompt in front, which the answer left out"
    return joined, [ExtractionStep("add.preamble", note)]


def trimmed(text: str) -> str:
    """Without blank lines in front, and with one line end behind."""
    return _BLANK.sub("", text, count=1).rstrip() + "\n"


def _plain_words(text: str) -> set[str]:
    return set("".join(c if c.isalnum() or c in "_$" else " " for c in text).split())
