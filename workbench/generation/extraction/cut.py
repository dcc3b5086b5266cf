"""Cut what stands beside the code that was asked for, and never what it needs.

Definitions, classes, imports and constants stay. What goes: the package clause, a main function,
tests, examples that call the entry point or print, exports, parts that can't be parsed and that
nothing needs. When a cut makes the rest unparsable, it is undone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from workbench.generation.extracted import ExtractionStep
from workbench.generation.extraction.bounds import Budget
from workbench.generation.extraction.source import Found, Item, Source

_DEFINING = frozenset(("definition", "container", "assign"))
_CALLING = frozenset(("definition", "container"))
_CALL_DEPTH = 8
"""How many calls deep a function is followed to see whether it uses the entry point."""


@dataclass(slots=True)
class Needs:
    """Which names the entry point needs, directly or through what it needs."""

    source: Source
    entry: str
    words: dict[int, frozenset[str]] = field(default_factory=dict[int, frozenset[str]])
    """Item start -> names that it refers to."""

    def of(self, item: Item) -> frozenset[str]:
        """Names that an item refers to."""
        if item.start not in self.words:
            self.words[item.start] = self.source.words(item.start, item.end)
        return self.words[item.start]

    def reach(self) -> set[str]:
        """All names that are needed, the entry point's own included."""
        defining: dict[str, list[Item]] = {}
        for item in self.source.items:
            if item.roles & _DEFINING:
                for name in _own_names(item):
                    defining.setdefault(name, []).append(item)
        needed = {self.entry}
        waiting = [self.entry]
        while waiting:
            for item in defining.get(waiting.pop(), ()):
                more = (self.of(item) | _own_names(item)) - needed
                needed |= more
                waiting.extend(more)
        return needed


def _own_names(item: Item) -> set[str]:
    return {*item.names, *(n for m in item.members for n in m.names if "main" not in m)}


def cut_full(
    source: Source, found: Found, entry: str, budget: Budget
) -> tuple[str, list[ExtractionStep]]:
    """Cut a text that defines the entry point; gives what is left, and what was done."""
    needs = Needs(source, entry)
    needed = needs.reach()
    cuts: dict[str, list[Item]] = {}

    def cut(rule: str, item: Item) -> None:
        cuts.setdefault(rule, []).append(item)

    own_main = entry == "main"
    for item in source.items:
        if item is found.item:
            for member in item.members:
                if "main" in member and not own_main:
                    cut("cut.main", member)
                elif _is_stub_of(member, found.definition):
                    cut("cut.repeated-signature", member)
        elif "package" in item:
            cut("cut.package", item)
        elif _mains(item) and not own_main and not set(item.names) & (needed - {"main"}):
            cut("cut.main", item)
        elif "test" in item and not set(item.names) & needed:
            cut("cut.test", item)
        elif "export" in item:
            cut("cut.export", item)
        elif _is_stub_of(item, found.definition):
            cut("cut.repeated-signature", item)
    gone = {i.start for items in cuts.values() for i in items}
    # Where something can't be parsed, what looks like a statement may be a part of it.
    for item in _examples(needs, found, needed, gone) if source.clean else ():
        cut("cut.example", item)
    return _apply(source, cuts, budget)


def _mains(item: Item) -> bool:
    """A main function, or a class that is there for one."""
    return "main" in item or any("main" in m for m in item.members)


def _is_stub_of(item: Item, definition: Item) -> bool:
    """A signature without a body, repeated in front of the definition itself."""
    return (
        "definition" in item
        and item.hollow
        and not definition.hollow
        and item.start < definition.start
        and bool(set(item.names) & set(definition.names))
    )


def _examples(needs: Needs, found: Found, needed: set[str], gone: set[int]) -> list[Item]:
    """Statements behind the entry point that use it, print or ask, and what hangs on them."""
    items = needs.source.items
    tainted = {needs.entry}
    callers = [i for i in items if i.roles & _CALLING and not _own_names(i) & needed]
    for _ in range(_CALL_DEPTH):
        more = {n for i in callers if needs.of(i) & tainted for n in _own_names(i)} - tainted
        tainted |= more
        if not more:
            break
    cut: list[Item] = []
    for item in items:
        if item.start in gone or item is found.item or needs.entry in item.names:
            continue
        if "import" in item:
            continue
        if "example" in item and "definition" not in item:
            cut.append(item)
            tainted |= set(item.names) - needed
        elif (
            item.start > found.item.start
            and item.is_statement
            and not set(item.names) & needed
            and needs.of(item) & tainted
        ):
            cut.append(item)
            tainted |= set(item.names)
    dropped = gone | {i.start for i in cut}
    kept = [i for i in items if i.start not in dropped and "import" not in i]
    for item in items:
        if "import" in item and "example" in item and item.start not in gone:
            words = needs.of(item)
            if not any(needs.of(other) & words for other in kept):
                cut.append(item)
    return sorted(cut, key=lambda i: i.start)


_NOTES = {
    "cut.package": "cut the package clause: the program has its own",
    "cut.main": "cut the main function: the tests have their own",
    "cut.test": "cut tests that the answer brought along",
    "cut.export": "cut exports: nothing imports this file",
    "cut.repeated-signature": "cut a repeated signature without a body",
    "cut.example": "cut statements that only call, print or test",
    "cut.broken": "cut parts that can't be parsed and that nothing needs",
    "cut.after-function": "cut what follows the function and isn't needed by it",
}


def _apply(
    source: Source, cuts: dict[str, list[Item]], budget: Budget
) -> tuple[str, list[ExtractionStep]]:
    steps = [ExtractionStep(rule, _NOTES[rule]) for rule in cuts]
    words = source.stripped()
    if words:
        steps.append(ExtractionStep("cut.modifier", "cut modifiers that one file can't have"))
    if not steps:
        return source.text, []
    ranges = with_comments(source, [item for items in cuts.values() for item in items])
    text = remove(source, ranges, words)
    if source.clean and not source.grammar.parse(text, budget).clean:
        return source.text, [
            ExtractionStep("cut.undone", "nothing was cut: what was left couldn't be parsed")
        ]
    return text, steps


def cut_broken(source: Source, found: Found, entry: str, budget: Budget) -> str | None:
    """Cut what can't be parsed and isn't needed; `None` when that doesn't make the rest parse."""
    if source.clean or found.definition.broken:
        return None
    needed = Needs(source, entry).reach()
    broken = [i for i in source.items if i.broken and not set(i.names) & needed]
    if not broken or any(i is found.item for i in broken):
        return None
    text = remove(source, with_comments(source, broken), [])
    return text if source.grammar.parse(text, budget).clean else None


def with_comments(source: Source, items: list[Item]) -> list[tuple[int, int]]:
    """Byte ranges of items, each with the comments right above it."""
    place = {item.start: index for index, item in enumerate(source.items)}
    ranges: list[tuple[int, int]] = []
    for item in items:
        start = item.start
        index = place.get(item.start, 0)
        while index > 0:
            index -= 1
            other = source.items[index]
            gap = source.data[other.end : start]
            line = source.data.rfind(b"\n", 0, other.start) + 1
            above = "comment" in other and not gap.strip() and gap.count(b"\n") <= 2
            if not above or source.data[line : other.start].strip():
                break  # no comment, or one that ends a line of code
            start = other.start
        ranges.append((start, item.end))
    return ranges


def remove(
    source: Source, ranges: Iterable[tuple[int, int]], words: Iterable[tuple[int, int]]
) -> str:
    """Text without some byte ranges: whole lines where nothing else stands on them."""
    data = source.data
    wide: list[tuple[int, int]] = []
    for start, end in ranges:
        line = data.rfind(b"\n", 0, start) + 1
        after = data.find(b"\n", end)
        after = len(data) if after < 0 else after + 1
        alone = not data[line:start].strip() and not data[end:after].strip()
        wide.append((line, after) if alone else (start, end))
    for start, end in words:
        while end < len(data) and data[end : end + 1] in (b" ", b"\t"):
            end += 1
        wide.append((start, end))
    kept: list[bytes] = []
    last = 0
    for start, end in sorted(wide):
        if end <= last:
            continue
        kept.append(data[last : max(start, last)])
        last = end
    kept.append(data[last:])
    return b"".join(kept).decode("utf-8", "replace")


def cut_after(
    source: Source, found: Found, entry: str, keep_to: int
) -> tuple[str, list[ExtractionStep]]:
    """Cut what follows the entry point and isn't needed by it; nothing before byte `keep_to`."""
    needs = Needs(source, entry)
    needed = needs.reach()
    drop = [
        item
        for item in source.items
        if item.start >= max(found.item.end, keep_to)
        and not (item.roles & _DEFINING and _own_names(item) & needed and not item.broken)
        and not ("import" in item and not item.broken and needs.of(item) & needed)
    ]
    solid = [i for i in drop if "comment" not in i]
    if not solid:
        return source.text, []
    ranges = with_comments(source, drop)
    step = ExtractionStep("cut.after-function", _NOTES["cut.after-function"])
    return remove(source, ranges, []), [step]
