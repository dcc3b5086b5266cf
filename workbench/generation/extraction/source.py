"""Parse code with a language's grammar and tell what its top level is made of.

Which node is what is written in the language folder's `extraction.scm`; docs/extraction.md lists
the captures. Nothing here knows a language.
"""

from __future__ import annotations

import importlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from time import thread_time

from tree_sitter import Language as TreeSitterLanguage
from tree_sitter import Node, Parser, Query, QueryCursor

from workbench.errors import UsageError
from workbench.generation.extraction.bounds import (
    Budget,
    ParseBudgetSpent,
    is_deep,
    is_garbage,
)
from workbench.languages import Language
from workbench.source_text import WATCHED

_CHUNK = 65_536


ROLES = frozenset(
    (
        "definition", "container", "assign", "import", "preamble", "first", "package", "main",
        "test", "example", "forward", "export", "comment",
    )
)  # fmt: skip
_PARTS = frozenset(("name", "body", "filler", "strip", "hollow"))
_WORDS = frozenset(("mention", "local", "shared"))
_STRUCTURE_DEPTH = 7
"""How deep in the tree structure is looked for: a method's statements in a nested class."""


@dataclass(frozen=True, slots=True)
class Item:
    """One node of the top level, or of a container's body."""

    start: int
    end: int
    """Byte range."""
    roles: frozenset[str]
    names: tuple[str, ...]
    broken: bool
    """A part of it can't be parsed."""
    hollow: bool
    """A definition without a body that does anything."""
    body: tuple[int, int] | None = None
    """Byte range of a container's body, braces included."""
    members: tuple[Item, ...] = ()

    def __contains__(self, role: str) -> bool:
        return role in self.roles

    @property
    def is_statement(self) -> bool:
        """Whether it is neither a definition nor anything that stands for one."""
        return not self.roles & _LASTING


_LASTING = ROLES - {"assign", "example", "export"}


@dataclass(frozen=True, slots=True)
class Found:
    """Where a name is defined: at the top level, or inside a container."""

    item: Item
    member: Item | None = None

    @property
    def definition(self) -> Item:
        """The definition itself."""
        return self.member or self.item

    @property
    def solid(self) -> bool:
        """Whether it is a definition with a body that does something."""
        return not self.definition.hollow


@dataclass(frozen=True)
class Source:
    """A parsed text."""

    text: str
    data: bytes
    root: Node
    grammar: Grammar = field(repr=False)

    @property
    def clean(self) -> bool:
        """Whether all of it could be parsed."""
        return not self.root.has_error

    def slice(self, start: int, end: int) -> str:
        """Text of a byte range."""
        return self.data[start:end].decode("utf-8", "replace")

    def of(self, item: Item) -> str:
        """Text of an item."""
        return self.slice(item.start, item.end)

    @cached_property
    def _matches(self) -> list[tuple[int, dict[str, list[Node]]]]:
        cursor = QueryCursor(self.grammar.query)
        cursor.set_max_start_depth(_STRUCTURE_DEPTH)
        return cursor.matches(self.root)

    @cached_property
    def _captured(self) -> dict[int, dict[str, list[Node]]]:
        """What the query says of a node: node id -> capture -> nodes of the same matches."""
        found: dict[int, dict[str, list[Node]]] = {}
        for _, captures in self._matches:
            for name in captures.keys() & (ROLES | {"filler", "hollow"}):
                for node in captures[name]:
                    about = found.setdefault(node.id, {})
                    about.setdefault(name, [])
                    for part in captures.keys() & _PARTS:
                        about.setdefault(part, []).extend(captures[part])
        return found

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """The top level in order."""
        return tuple(self._items(self.root, 0))

    def _items(self, parent: Node, depth: int) -> Iterator[Item]:
        last: Item | None = None
        for node in parent.children:
            if node.type == ";" and last is not None:
                # A semicolon that the grammar keeps outside belongs to what it ends.
                last = _longer(last, node.end_byte)
                continue
            if not node.is_named and depth:
                continue  # a container's braces
            if last is not None:
                yield last
            last = self._item(node, depth)
        if last is not None:
            yield last

    def _item(self, node: Node, depth: int) -> Item:
        about = self._captured.get(node.id, {})
        roles = frozenset(about) & ROLES
        # Where a whole text is an error, its fragments lie side by side.
        stray = not roles and self.root.is_error and not depth
        bodies = [b for b in about.get("body", ()) if not b.has_error or not node.is_error]
        members: tuple[Item, ...] = ()
        body: tuple[int, int] | None = None
        if "container" in roles and bodies and depth < 3:
            body = bodies[0].byte_range
            members = tuple(self._items(bodies[0], depth + 1))
        hollow = "hollow" in about or (
            "definition" in roles and bool(bodies) and all(self._is_hollow(b) for b in bodies)
        )
        return Item(
            start=node.start_byte,
            end=node.end_byte,
            roles=roles,
            names=tuple(dict.fromkeys(_text(n) for n in about.get("name", ()))),
            broken=node.has_error or node.is_missing or not (roles or node.is_named) or stray,
            hollow=hollow,
            body=body,
            members=members,
        )

    def _is_hollow(self, body: Node) -> bool:
        """A body with nothing but comments and fillers (docstring, `pass`)."""
        return body.type != "ERROR" and all(
            child.is_extra or "filler" in self._captured.get(child.id, {})
            for child in body.named_children
        )

    def find(self, name: str) -> Found | None:
        """Where `name` is defined: the first solid definition, else the first of any kind."""
        found = list(self._where(name, self.items))
        return next((f for f in found if f.solid), found[0] if found else None)

    def _where(self, name: str, items: Iterable[Item]) -> Iterator[Found]:
        for item in items:
            if item.roles & {"definition", "container", "assign"} and name in item.names:
                yield Found(item)
            for member in item.members:
                if "definition" in member and name in member.names:
                    yield Found(item, member)

    @cached_property
    def _words(self) -> dict[str, list[tuple[int, int, str]]]:
        """Capture -> (start, end, name) of every node of it, in order."""
        captures = QueryCursor(self.grammar.query).captures(self.root)
        return {
            kind: sorted({(n.start_byte, n.end_byte, _text(n)) for n in captures.get(kind, ())})
            for kind in _WORDS
        }

    def words(self, start: int, end: int) -> frozenset[str]:
        """Names that a byte range refers to, without those that it declares for itself."""
        inside: dict[str, set[str]] = {}
        for kind, places in self._words.items():
            first = bisect_left(places, start, key=lambda place: place[0])
            last = bisect_left(places, end, key=lambda place: place[0])
            inside[kind] = {place[2] for place in places[first:last]}
        return frozenset(inside["mention"] - (inside["local"] - inside["shared"]))

    def stripped(self) -> list[tuple[int, int]]:
        """Byte ranges of words that must go, such as a top-level class's `public`."""
        nodes = [n for _, captures in self._matches for n in captures.get("strip", ())]
        return sorted({n.byte_range for n in nodes})

    def identifiers(self, name: str) -> list[tuple[int, int]]:
        """Byte ranges of every mention of `name`."""
        return [(start, end) for start, end, word in self._words["mention"] if word == name]


class Grammar:
    """A language's tree-sitter grammar and extraction query."""

    def __init__(self, language: Language) -> None:
        """Load both.

        Raises:
            UsageError: the grammar isn't installed, or the query doesn't fit it.
        """
        where = language.folder / "extraction.scm"
        try:
            module = importlib.import_module(language.grammar)
            capsule: object = module.language()
            self.language = TreeSitterLanguage(capsule)
        except ImportError:
            raise UsageError(
                f"language {language.id}: grammar {language.grammar} isn't installed: "
                "run `make setup`, or pip install it"
            ) from None
        try:
            self.query = Query(self.language, language.extraction_query)
        except FileNotFoundError:
            raise UsageError(f"{where} is missing: extraction needs it") from None
        except ValueError as error:
            raise UsageError(f"{where}: {_one_line(error)}") from None
        known = ROLES | _PARTS | _WORDS
        names = {self.query.capture_name(i) for i in range(self.query.capture_count)}
        unknown = sorted(n for n in names - known if not n.startswith("_"))
        if unknown:
            raise UsageError(
                f"{where}: no capture @{unknown[0]}: there are {', '.join(sorted(known))}"
            )

    def parse(self, text: str, budget: Budget) -> Source:
        """Parse a text; raises ParseBudgetSpent."""
        budget.spend(len(text))
        if is_deep(text):
            raise ParseBudgetSpent
        data = text.encode("utf-8", "replace")
        before = thread_time()

        def read(offset: int, point: object) -> bytes:
            return data[offset : offset + _CHUNK]

        def too_long(offset: int, has_error: bool) -> bool:
            return thread_time() - before > budget.cpu_s

        parser = Parser(self.language)
        try:
            tree = (
                parser.parse(data)
                if len(text) < WATCHED
                else parser.parse(read, progress_callback=too_long)
            )
        except ValueError:  # the callback stopped it
            raise ParseBudgetSpent from None
        budget.cpu_s -= thread_time() - before
        if is_garbage(tree.root_node):
            raise ParseBudgetSpent
        return Source(text, data, tree.root_node, self)


def _longer(item: Item, end: int) -> Item:
    return Item(
        item.start, end, item.roles, item.names, item.broken, item.hollow, item.body, item.members
    )


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
