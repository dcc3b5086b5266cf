"""Source code as text: files put together piece by piece, and what a syntax tree says about it.

Language folders build programs from these; nothing here knows a language.
"""

from __future__ import annotations

import importlib
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from time import thread_time

from tree_sitter import Language, Node, Parser, Query, QueryCursor, Tree

from workbench.execution.program import SourceFile
from workbench.needed_text import needed_text

LONG = 4_000
"""Characters from which parsing a text made to be hard may take tens of milliseconds: work on a
candidate that long belongs in a thread."""
WATCHED = 8_000
"""Characters from which a parse is watched so that it can be stopped. Shorter ones end within a
quarter of a second, and the binding keeps a watched text in memory for good."""
LONGEST = 200_000
"""Characters of a candidate that are parsed; a longer one is taken as it is."""
DEEPEST = 1_000
"""Depth of brackets beyond which error recovery takes seconds."""
CPU_S = 1.0
"""A net for texts on which error recovery explodes otherwise; no program comes near it."""
_CHUNK = 65_536
_HALF_CHARACTERS = re.compile("[\ud800-\udfff]")
_NOT_LINE_ENDS = re.compile(r"[^\r\n]")
_PAIRS = tuple(
    (opening, re.compile(f"[{re.escape(opening + closing)}]"))
    for opening, closing in ("()", "[]", "{}", "<>")
)


class _Parsers(threading.local):
    """Parsers of one thread: they can't be shared."""

    def __init__(self) -> None:
        self.by_grammar: dict[str, Parser] = {}


_PARSERS = _Parsers()


@cache
def _grammar(name: str) -> Language:
    pointer: object = importlib.import_module(name).language()
    return Language(pointer)


def _parser(grammar: str) -> Parser:
    found = _PARSERS.by_grammar.get(grammar)
    if found is None:
        found = _PARSERS.by_grammar[grammar] = Parser(_grammar(grammar))
    return found


def is_deep(text: str) -> bool:
    """Whether brackets of one kind are nested deeper than error recovery can bear."""
    for opening, either in _PAIRS:
        if text.count(opening) <= DEEPEST:
            continue
        depth = 0
        for bracket in either.finditer(text):
            depth = depth + 1 if bracket[0] == opening else max(0, depth - 1)
            if depth > DEEPEST:
                return True
    return False


def _bounded(grammar: str, code: str, data: bytes) -> Tree:
    """The tree of a candidate's text; an empty one where parsing it would take too long."""
    parser = _parser(grammar)
    if len(code) < WATCHED:
        return parser.parse(data)
    if len(code) > LONGEST or is_deep(code):
        return parser.parse(b"")
    before = thread_time()

    def read(offset: int, point: object) -> bytes:
        return data[offset : offset + _CHUNK]

    def too_long(offset: int, has_error: bool) -> bool:
        return thread_time() - before > CPU_S

    try:
        # A parser of its own: one that was stopped goes on where it was.
        return Parser(_grammar(grammar)).parse(read, progress_callback=too_long)
    except ValueError:  # the callback stopped it
        return parser.parse(b"")


@dataclass(frozen=True, slots=True)
class Source:
    """Code with its syntax tree; offsets are bytes of UTF-8."""

    data: bytes
    root: Node

    @classmethod
    def parse(cls, grammar: str, code: str) -> Source:
        """Parse text of a task, however long; `grammar` is a module such as `tree_sitter_go`."""
        data = code.encode("utf-8", "replace")
        return cls(data, _parser(grammar).parse(data).root_node)

    @classmethod
    def of_candidate(cls, grammar: str, code: str) -> Source:
        """Parse a candidate's text, however broken it is, in bounded time.

        What is too long, too deep or too costly to parse has no nodes: it is taken as it is.
        """
        data = code.encode("utf-8", "replace")
        return cls(data, _bounded(grammar, code, data).root_node)

    def text(self, node: Node) -> str:
        """The code of one node."""
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def nodes(self, *kinds: str, under: Node | None = None) -> Iterator[Node]:
        """Every node of these kinds in order of appearance, inside `under` or everywhere."""
        stack = [under or self.root]
        while stack:
            node = stack.pop()
            if node.type in kinds:
                yield node
            stack.extend(reversed(node.children))

    def top_level(self, *kinds: str) -> Iterator[Node]:
        """The nodes of these kinds that stand at the outermost level."""
        return (node for node in self.root.children if node.type in kinds)

    def without(self, spans: Iterable[tuple[int, int]]) -> str:
        """The code with byte ranges blanked; every other character keeps its line and column."""
        parts: list[str] = []
        last = 0
        for start, end in sorted(spans):
            gone = self.data[max(start, last) : end].decode("utf-8", "replace")
            parts.append(self.data[last:start].decode("utf-8", "replace"))
            parts.append(_NOT_LINE_ENDS.sub(" ", gone))
            last = max(last, end)
        parts.append(self.data[last:].decode("utf-8", "replace"))
        return "".join(parts)


@dataclass(frozen=True)
class Tricks:
    """Patterns of known tricks, by name, for code whose comments and strings are blanked."""

    grammar: str
    hidden: tuple[str, ...]
    """Kinds of nodes that are blanked."""
    patterns: Mapping[str, str]
    """Regular expressions."""
    anywhere: Mapping[str, str] = field(default_factory=dict[str, str])
    """Regular expressions for the code as it is: for what can only stand in a string or comment."""

    @cached_property
    def _ready(self) -> tuple[tuple[str, frozenset[str], re.Pattern[str]], ...]:
        """Name, texts of which every match has one, pattern."""
        return tuple(
            (name, needed_text(pattern), re.compile(pattern))
            for name, pattern in self.patterns.items()
        )

    def bare(self, code: str) -> str:
        """The code with comments and text of strings blanked."""
        source = Source.of_candidate(self.grammar, code)
        return source.without(_spans(self.grammar, self.hidden, source.root))

    def found_in(self, code: str) -> tuple[str, ...]:
        """Names of the tricks that occur in a candidate's `code`."""
        # Most programs have no word of any trick: then nothing needs to be parsed.
        possible = [
            (name, pattern)
            for name, words, pattern in self._ready
            if any(word in code for word in words)
        ]
        found = [name for name, pattern in self.anywhere.items() if re.search(pattern, code)]
        if possible:
            bare = self.bare(code)
            found += [name for name, pattern in possible if pattern.search(bare)]
        return tuple(dict.fromkeys(found))


@cache
def _query(grammar: str, kinds: tuple[str, ...]) -> Query:
    return Query(_grammar(grammar), " ".join(f"({kind}) @hidden" for kind in kinds))


def _spans(grammar: str, kinds: tuple[str, ...], root: Node) -> list[tuple[int, int]]:
    """Byte ranges of the nodes of some kinds, found without a walk through the tree in Python."""
    found = QueryCursor(_query(grammar, kinds)).captures(root)
    return [node.byte_range for node in found.get("hidden", ())]


@dataclass(slots=True)
class Draft:
    """A source file that is being put together; remembers where the candidate's lines are."""

    name: str
    pieces: list[str] = field(default_factory=lambda: [""])
    lines: tuple[int, int] = (0, 0)

    def add(self, text: str) -> Draft:
        """Append text of assembly's own."""
        # A file can't hold half a character; JSON, and so a model's answer, can.
        self.pieces[-1] += _HALF_CHARACTERS.sub("\ufffd", text)
        return self

    def candidate(self, text: str) -> Draft:
        """Append the candidate's text."""
        first = sum(piece.count("\n") for piece in self.pieces) + 1
        self.lines = (first, first + text.rstrip("\n").count("\n"))
        return self.add(text)

    def token(self) -> Draft:
        """Append the place of the pass token."""
        self.pieces.append("")
        return self

    def file(self) -> SourceFile:
        """The file as it is now."""
        return SourceFile(self.name, tuple(self.pieces))


@lru_cache(maxsize=2048)
def before_entry(grammar: str, prompt: str, pattern: str, comments: tuple[str, ...]) -> str:
    """What stands in a prompt before the line where the last match of `pattern` begins.

    That is what a candidate of form `full` still needs: imports, helper functions. Matches inside
    `comments` (kinds of nodes) don't count; without a match everything stands before.
    """
    source = Source.parse(grammar, prompt)
    bare = source.without(_spans(grammar, comments, source.root))
    matches = list(re.finditer(pattern, bare, re.MULTILINE))
    return prompt[: matches[-1].start()] if matches else prompt


def scored_or_visible(suite: str, scored: str, visible: str, task: str) -> str:
    """The test code of a suite.

    Raises:
        ValueError: another suite, or one for which this task has no tests.
    """
    tests = {"scored": scored, "visible": visible}
    if suite not in tests:
        raise ValueError(f"unknown suite {suite!r}: there are scored, visible")
    if not tests[suite].strip():
        raise ValueError(f"task {task} has no {suite} tests")
    return tests[suite]


def closing_brace(source: Source, wanted: Callable[[Node], bool], kinds: Sequence[str]) -> int:
    """Where in the text the brace stands that closes the last function for which `wanted` holds.

    Raises:
        ValueError: there is no such function.
    """
    found = [node for node in source.nodes(*kinds) if wanted(node)]
    body = found[-1].child_by_field_name("body") if found else None
    if body is None:
        raise ValueError("the tests have no function whose end could be found")
    return len(source.data[: body.end_byte - 1].decode("utf-8", "replace"))
