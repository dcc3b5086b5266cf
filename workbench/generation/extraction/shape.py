"""What the task's prompt asks code to look like: its container, its preamble, its helpers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from workbench.generation.extraction.bounds import Budget
from workbench.generation.extraction.source import Grammar, Item, Source


class TaskFacts(Protocol):
    """What extraction may know of a task: nothing of its tests or reference."""

    @property
    def entry_point(self) -> str:
        """Name of the function under test in this language."""
        ...

    @property
    def prompt(self) -> str:
        """What a base model continues."""
        ...


@dataclass(frozen=True, slots=True)
class Piece:
    """One item that stands before the entry point in the prompt."""

    text: str
    names: tuple[str, ...]
    always: bool
    """Import-like: wanted whether a name of it is mentioned or not."""
    import_like: bool


@dataclass(frozen=True, slots=True)
class Shape:
    """What a program for a task looks like, read off its prompt."""

    container: str
    """Name of the class that holds the entry point; empty where functions stand alone."""
    header: str
    """Text that opens the container, such as `class Solution {`."""
    pieces: tuple[Piece, ...]
    """What an answer that defines everything itself may take over from the prompt."""


def shape_of(grammar: Grammar, facts: TaskFacts, budget: Budget) -> Shape:
    """Read the shape off a prompt, which usually ends inside the entry point's body."""
    for source in closings(grammar, facts.prompt, budget):
        found = source.find(facts.entry_point)
        if found is None:
            continue
        container = header = ""
        if found.member is not None and found.item.body is not None:
            container = found.item.names[0]
            header = source.slice(found.item.start, found.item.body[0] + 1)
        pieces = [
            piece
            for item in source.items
            if item.start < found.item.start and (piece := _piece(source, item)) is not None
        ]
        return Shape(container, header, tuple(pieces))
    return Shape("", "", ())


def _piece(source: Source, item: Item) -> Piece | None:
    if item.broken or item.hollow or "main" in item:
        return None
    always = "preamble" in item
    if not always and ("import" in item or not item.roles & {"definition", "container", "assign"}):
        return None
    return Piece(source.of(item).strip(), item.names, always, "import" in item)


def closings(grammar: Grammar, text: str, budget: Budget) -> Iterator[Source]:
    """Parse a text that may end inside a body: as it is, then with 1 to 3 closing braces.

    The first that parses cleanly comes first; when none does, all come in order.
    """
    sources: list[Source] = []
    for count in range(4):
        source = grammar.parse(text + "\n" * (count > 0) + "}" * count, budget)
        if source.clean:
            yield source
            return
        sources.append(source)
    yield from sources
