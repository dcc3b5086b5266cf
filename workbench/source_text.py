"""Source code as text: files put together piece by piece, and what a syntax tree says about it.

Language folders build programs from these; nothing here knows a language.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from tree_sitter import Language, Node, Parser

from workbench.execution.program import SourceFile

_HALF_CHARACTERS = re.compile("[\ud800-\udfff]")


@cache
def _parser(grammar: str) -> Parser:
    pointer: object = importlib.import_module(grammar).language()
    return Parser(Language(pointer))


@dataclass(frozen=True, slots=True)
class Source:
    """Code with its syntax tree; offsets are bytes of UTF-8."""

    data: bytes
    root: Node

    @classmethod
    def parse(cls, grammar: str, code: str) -> Source:
        """Parse `code`, however broken it is; `grammar` is a module such as `tree_sitter_go`."""
        data = code.encode("utf-8", "replace")
        return cls(data, _parser(grammar).parse(data).root_node)

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
        text, last = "", 0
        for start, end in sorted(spans):
            gone = self.data[max(start, last) : end].decode("utf-8", "replace")
            text += self.data[last:start].decode("utf-8", "replace")
            text += re.sub(r"[^\r\n]", " ", gone)
            last = max(last, end)
        return text + self.data[last:].decode("utf-8", "replace")


def bare_code(grammar: str, code: str, kinds: Sequence[str]) -> str:
    """The code with the nodes of `kinds` (comments, text of strings) blanked."""
    source = Source.parse(grammar, code)
    return source.without((n.start_byte, n.end_byte) for n in source.nodes(*kinds))


def tricks_in(code: str, patterns: Mapping[str, str]) -> tuple[str, ...]:
    """Names of the patterns (regular expressions by name) that occur in `code`."""
    return tuple(name for name, pattern in patterns.items() if re.search(pattern, code))


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


def before_entry(grammar: str, prompt: str, pattern: str, comments: Sequence[str]) -> str:
    """What stands in a prompt before the line where the last match of `pattern` begins.

    That is what a candidate of form `full` still needs: imports, helper functions. Matches inside
    `comments` (kinds of nodes) don't count; without a match everything stands before.
    """
    matches = list(re.finditer(pattern, bare_code(grammar, prompt, comments), re.MULTILINE))
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
    """Byte offset of the brace that closes the last function for which `wanted` holds.

    Raises:
        ValueError: there is no such function.
    """
    found = [node for node in source.nodes(*kinds) if wanted(node)]
    body = found[-1].child_by_field_name("body") if found else None
    if body is None:
        raise ValueError("the tests have no function whose end could be found")
    return body.end_byte - 1
