"""Where a toolchain points: positions in a program, from what it printed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

MAX_FOUND = 50
_SEVERITY = re.compile(r"^(?:fatal )?(?:error|warning|note)(?:\[[^\]]*\])?:\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One place in a source file."""

    line: int
    """From 1."""
    column: int | None
    """From 1; `None` when the toolchain names no column."""
    message: str
    """Untrusted."""


def find(output: str, file: str, detail: str) -> list[Diagnostic]:
    """Find places in `file` that the output names, one a line of code, in order.

    Knows `file:12:5: message` and `file:12: message` of compilers, and the frames of stack traces
    (`File "file", line 12`, `(file:12:5)`), whose message is the execution's detail line: of a
    trace the last frame of `file` counts when frames go inward, as Python's do, else the first.

    Args:
        output: compiler or program output, not cleaned.
        file: name of the source file, without folders.
        detail: the execution's detail line.
    """
    if not file:
        return []
    name = re.escape(file)
    compiler = re.compile(rf"^(?:[^\s:]*/)?{name}:(\d+)(?::(\d+))?:[ \t]+(.*)$")
    inward = re.compile(rf'File "(?:[^"]*/)?{name}", line (\d+)')
    outward = re.compile(rf"(?:^|[\s(/]){name}:(\d+)(?::(\d+))?\b")
    found: list[Diagnostic] = []
    frames: list[Diagnostic] = []
    last_inward: Diagnostic | None = None
    for line in output.splitlines():
        if match := compiler.match(line):
            found.append(_diagnostic(match[1], match[2], _SEVERITY.sub("", match[3]) or detail))
        elif match := inward.search(line):
            last_inward = _diagnostic(match[1], None, detail)
        elif match := outward.search(line):
            frames.append(_diagnostic(match[1], match[2], detail))
        if len(found) >= MAX_FOUND:
            break
    if not found:
        found = [last_inward] if last_inward is not None else frames[:1]
    return _one_a_line(found)


def _diagnostic(line: str, column: str | None, message: str) -> Diagnostic:
    return Diagnostic(int(line[:7]), int(column[:7]) if column else None, message)


def _one_a_line(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    by_line: dict[int, Diagnostic] = {}
    for diagnostic in found:
        by_line.setdefault(diagnostic.line, diagnostic)
    return [by_line[line] for line in sorted(by_line)]
