"""Find code in an answer that has no fences: prose around it parses as nothing sensible."""

from __future__ import annotations

import re

from workbench.generation.extracted import ExtractionStep
from workbench.generation.extraction.bounds import Budget
from workbench.generation.extraction.cut import remove, with_comments
from workbench.generation.extraction.shape import TaskFacts
from workbench.generation.extraction.source import Found, Grammar, Item, Source

_STARTS = 24
"""Lines that are tried as the first line of code."""
_CODED = 0.7
"""Share of lines that must look like code."""
_LASTING = frozenset(("definition", "container", "import", "package", "assign", "forward", "first"))

REFUSAL = re.compile(
    r"\b(?:i(?:'|\u2019)?m sorry|i am sorry|i apologi[sz]e|i can(?:no|'|\u2019)?t|i can not|i am unable"
    r"|i(?:'|\u2019)m unable|i won(?:'|\u2019)t|i will not|i must decline|as an ai\b)",
    re.IGNORECASE,
)


def declines(text: str) -> bool:
    """Whether a text without code says that it won't or can't do the task."""
    return REFUSAL.search(text[:600]) is not None


def reads_like_code(text: str) -> bool:
    """Whether most lines are indented or end as lines of code do, where no grammar can tell."""
    lines = [line for line in text.split("\n") if line.strip()]
    coded = sum(line[0] in " \t" or line.rstrip()[-1] in ";{}():,]" for line in lines)
    return bool(lines) and coded >= _CODED * len(lines)


def without_prose(
    grammar: Grammar, facts: TaskFacts, text: str, budget: Budget
) -> tuple[str, tuple[int, int], tuple[ExtractionStep, ...]] | None:
    """Code of an unfenced answer that defines the entry point.

    Gives the code, the character range it was taken from and the steps; `None` when no part of
    the text defines the entry point in a way that parses.
    """
    name = re.compile(rf"(?<![\w$]){re.escape(facts.entry_point)}(?![\w$])")
    best: tuple[Source, Found, int] | None = None
    for start in _starts(text, name):
        source = grammar.parse(text[start:], budget)
        found = source.find(facts.entry_point)
        if found is None or found.definition.broken or not found.solid:
            continue
        if "assign" not in found.item or _in_column_0(source, found.item):
            best = source, found, start
            break
    if best is None:
        return None
    source, found, start = best
    below = _below(source, found)
    above = _above(grammar.parse(text[:start], budget)) if start else []
    have = {n for i in below for n in i.names}
    parts = [
        t
        for i, t in above
        if not set(i.names) & have and t.strip() not in {source.of(b).strip() for b in below}
    ]
    kept = {i.start for i in below}
    drop = [i for i in source.items if i.start not in kept]
    code = remove(source, with_comments(source, drop), []) if drop else source.text
    code = "\n".join([*parts, code]) if parts else code
    last = max(i.end for i in below)
    end = start + len(source.slice(0, last))
    if drop or start:
        note = "left out what stands around the code in an answer without fences"
        return code, (start, end), (ExtractionStep("prose.cut", note),)
    return code, (0, end), ()


def _in_column_0(source: Source, item: Item) -> bool:
    """Whether an item begins its line: an indented assignment is a part of a body."""
    return item.start == 0 or source.data[item.start - 1 : item.start] == b"\n"


def _starts(text: str, name: re.Pattern[str]) -> list[int]:
    """Where code may begin: the text itself, paragraphs, lines behind a colon, the name's lines."""
    starts = {0}
    anchor = -1
    previous = ""
    place = 0
    for line in text.split("\n"):
        bare = line.strip()
        fresh = not previous or previous.endswith(":")
        if bare and fresh:
            starts.add(place)
        if bare and name.search(line) is not None:
            anchor = anchor if anchor >= 0 else place
            starts.add(place)
        previous = bare
        place += len(line) + 1
    ordered = sorted(starts)
    near = [s for s in ordered if s <= anchor][-_STARTS // 2 :]
    later = [s for s in ordered if s > anchor][: _STARTS // 2]
    return sorted({0, *near, *later}) if anchor >= 0 else []


def _below(source: Source, found: Found) -> list[Item]:
    """What lasts of the text from its first line of code on."""
    seen: set[str] = set()
    kept: list[Item] = []
    for item in source.items:
        if item.start < found.item.start and "comment" in item:
            kept.append(item)
            continue
        if item is not found.item and (
            item.broken or not item.roles & _LASTING or set(item.names) & seen
        ):
            continue
        if "definition" in item or "container" in item:
            seen |= set(item.names)
        kept.append(item)
    return kept


def _above(source: Source) -> list[tuple[Item, str]]:
    """Imports and whole definitions that stand before it, between prose."""
    return [
        (item, source.of(item).rstrip())
        for item in source.items
        if not item.broken
        and item.roles & {"definition", "container", "import"}
        and not item.hollow
    ]
