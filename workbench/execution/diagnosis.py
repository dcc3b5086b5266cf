"""What went wrong, where, and what was expected: read from what toolchain and program wrote.

A language folder says how its tools speak (`located`, `frames`, `told` in language.toml); nothing
here knows a language. What is read was written by programs nobody trusts: patterns see bounded
text, and what they find is cut and made safe to show.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any

from workbench.execution.program import (
    CaseReport,
    Diagnostic,
    DiagnosticKind,
    Program,
    StepReport,
)
from workbench.outcomes import Outcome
from workbench.text import clean_line

LINES = 250
"""Lines of each end of a stream that are looked at: errors of compilers stand at the start,
traces at either end."""
WIDEST = 400
"""Characters of each of them."""
MESSAGE = 300
"""Characters of a message, an assertion or a value that are kept."""
FRAMES = 2_000
"""Frames of a stack trace that are looked at."""

_KINDS: Mapping[Outcome, DiagnosticKind] = {
    Outcome.COMPILE_ERROR: "compile",
    Outcome.WRONG_ANSWER: "assertion",
    Outcome.RUNTIME_ERROR: "exception",
    Outcome.TIMEOUT: "limit",
    Outcome.OUT_OF_MEMORY: "limit",
    Outcome.OUTPUT_LIMIT: "limit",
}


@dataclass(frozen=True)
class Patterns:
    """How a language's tools name places: the `[outcome]` table of its language.toml.

    `located` are patterns whose first match names a place, best first, by the groups `file`,
    `line`, `column`, `message` (and `also`, put behind it), `assertion`; `source` and `caret` (a line of code as it is
    printed, and the blanks before the `^` under it) give a column, too. `frames` finds one frame
    of a stack trace (`file`, `line`, `column`), of which the innermost comes last when
    `frames_inward` is set. `told` finds what a test says: `expected`, `actual`, `assertion`,
    `message`; each is taken from the first pattern that has it.
    """

    located: tuple[str, ...] = ()
    frames: str = ""
    inward: bool = False
    told: tuple[str, ...] = ()

    @classmethod
    def of(cls, outcome: Mapping[str, Any]) -> Patterns:
        """Read the `[outcome]` table."""
        return cls(
            tuple(outcome.get("located", ())),
            str(outcome.get("frames", "")),
            bool(outcome.get("frames_inward", False)),
            tuple(outcome.get("told", ())),
        )

    @cached_property
    def places(self) -> list[re.Pattern[str]]:
        """`located`, compiled."""
        return [re.compile(pattern, re.MULTILINE) for pattern in self.located]

    @cached_property
    def trace(self) -> re.Pattern[str] | None:
        """`frames`, compiled."""
        return re.compile(self.frames, re.MULTILINE) if self.frames else None

    @cached_property
    def words(self) -> list[re.Pattern[str]]:
        """`told`, compiled."""
        return [re.compile(pattern, re.MULTILINE) for pattern in self.told]


@lru_cache(maxsize=64)
def _compiled(patterns: Patterns) -> Patterns:
    """One instance for equal tables, so that each is compiled once."""
    return patterns


@dataclass(slots=True)
class _Found:
    file: str = ""
    line: int | None = None
    column: int | None = None
    message: str = ""
    assertion: str = ""
    expected: str = ""
    actual: str = ""


def diagnose(
    outcome: Outcome,
    detail: str,
    steps: Sequence[StepReport],
    case: CaseReport | None,
    program: Program,
    patterns: Patterns,
) -> Diagnostic | None:
    """What went wrong; None where nothing did, or where no program ran.

    Args:
        outcome: of the execution.
        detail: its one line.
        steps: its steps; the last one is what failed.
        case: the data case that failed, where tests are data.
        program: what was executed: its lines are looked up.
        patterns: of its language.
    """
    kind = _KINDS.get(outcome)
    if kind is None or not steps:
        return None
    known = _compiled(patterns)
    files = {file.name: file.text.split("\n") for file in program.files}
    output = _output(steps[-1])
    # A program may print anything before it runs into a limit: that names no place.
    found = _Found() if kind == "limit" else _place(output, known, files, program)
    if case is not None:
        kind = "case" if kind == "assertion" else kind
        found.assertion = case.shown
        found.expected, found.actual = case.expected, case.actual
    elif kind == "assertion":
        _hear(found, output, known)
        found.assertion = found.assertion or _line_of(files, found)
    message = " ".join((found.message or detail).split())
    return Diagnostic(
        kind=kind,
        message=_short(message),
        file=_short(found.file),
        line=found.line,
        column=found.column,
        own_line=_own_line(found, program),
        assertion=_short(found.assertion.strip()),
        expected=_short(found.expected),
        actual=_short(found.actual),
    )


def _short(text: str) -> str:
    return clean_line(text, max_line=MESSAGE)


def _output(step: StepReport) -> str:
    """Both streams, the error stream first, as the outcome was decided from them."""
    parts: list[str] = []
    for clip in (step.stderr, step.stdout):
        lines = (f"{clip.head}\n{clip.tail}" if clip.tail else clip.head).split("\n")
        if len(lines) > 2 * LINES:
            lines = [*lines[:LINES], *lines[-LINES:]]
        parts += [line[:WIDEST] for line in lines]
    return "\n".join(parts)


def _place(
    output: str, patterns: Patterns, files: Mapping[str, Sequence[str]], program: Program
) -> _Found:
    for pattern in patterns.places:
        for match in islice(pattern.finditer(output), 50):
            found = _read(match, files)
            if found.line is None or found.file in files:
                return found
    return _innermost(output, patterns, files, program) or _Found()


def _read(match: re.Match[str], files: Mapping[str, Sequence[str]]) -> _Found:
    groups = {name: text or "" for name, text in match.groupdict().items()}
    found = _Found(
        file=groups.get("file", "").rpartition("/")[2],
        line=_number(groups.get("line", "")),
        column=_number(groups.get("column", "")),
        message=": ".join(filter(None, (groups.get("message"), groups.get("also")))),
        assertion=groups.get("assertion", ""),
    )
    if found.column is None and "caret" in groups and match["caret"] is not None:
        found.column = _column(groups.get("source", ""), groups["caret"], _line_of(files, found))
    return found


def _number(text: str) -> int | None:
    return int(text[:7]) if text else None


def _column(printed: str, caret: str, real: str) -> int | None:
    """The column of a `^` under a printed line, which may be indented otherwise than the real."""
    at = real.find(printed.strip())
    if at < 0 or not printed.strip():
        return None
    return at + len(caret) - (len(printed) - len(printed.lstrip())) + 1


def _innermost(
    output: str, patterns: Patterns, files: Mapping[str, Sequence[str]], program: Program
) -> _Found | None:
    """The innermost frame in the candidate's file, else in another file of the program."""
    if patterns.trace is None:
        return None
    frames = [_read(match, files) for match in islice(patterns.trace.finditer(output), FRAMES)]
    if patterns.inward:
        frames.reverse()
    own = [frame for frame in frames if frame.file == program.candidate_file]
    other = [frame for frame in frames if frame.file in files]
    return next(iter(own or other), None)


def _hear(found: _Found, output: str, patterns: Patterns) -> None:
    """Take what the test says that wasn't found yet."""
    for pattern in patterns.words:
        match = pattern.search(output)
        for name, text in (match.groupdict() if match else {}).items():
            if text and not getattr(found, name):
                setattr(found, name, text)


def _line_of(files: Mapping[str, Sequence[str]], found: _Found) -> str:
    """The line of the program where it failed."""
    lines = files.get(found.file, ())
    if found.line is None or not 1 <= found.line <= len(lines):
        return ""
    return lines[found.line - 1]


def _own_line(found: _Found, program: Program) -> int | None:
    """The line in the candidate's own text; None where the place is assembly's or unknown."""
    first, last = program.candidate_lines
    if found.file != program.candidate_file or found.line is None:
        return None
    return found.line - first + 1 if first <= found.line <= last else None
