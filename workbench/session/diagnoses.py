"""Like errors counted together: what goes wrong in a cell, the commonest first."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from workbench.execution.program import Diagnostic
from workbench.outcomes import Outcome
from workbench.text import clean_line

SHOWN = 10
KEPT = 5_000
"""Different errors that are told apart; what comes after them is counted as other."""
OTHER = "other"
_WIDEST = 160

_PLACE = re.compile(r"^(?:[\w./+-]{1,200}:\d+(?::\d+)?:\s*)+(?:(?:fatal )?error:\s*)?")
_QUOTED = re.compile(r"'[^']{0,200}'|\"[^\"]{0,200}\"|`[^`']{0,200}[`']|‘[^’]{0,200}’")
_NUMBER = re.compile(r"(?<![A-Za-z_])-?(?:0x[0-9a-fA-F]+|\d+(?:\.\d+)?(?:e[+-]?\d+)?)")
# Compilers that quote no names put them behind a colon: "undefined: x", "not used: y".
_NAMED = re.compile(
    r"^([a-z][a-z ]{3,60}: (?:[a-z]{1,20} )?)[A-Za-z_][\w.]{0,100}(?:\([^()]{0,200}\))?$"
)


@dataclass(frozen=True, slots=True)
class Failure:
    """One unit that failed: whose, and why."""

    outcome: str
    detail: str
    diagnostic: Diagnostic | None
    """`None`: nothing ran, or an earlier version judged it."""
    task_id: str
    index: int
    """Which sample or episode of its task, from 0."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One kind of error, with how often it occurred."""

    outcome: str
    message: str
    """Names in quotes and numbers replaced."""
    count: int
    example: Failure


class Diagnoses:
    """Counts the failures of one cell, in bounded memory."""

    def __init__(self) -> None:
        """Start with none."""
        self.failed = 0
        self._counts: dict[tuple[str, str], int] = {}
        self._examples: dict[tuple[str, str], Failure] = {}

    def add(self, failure: Failure) -> None:
        """Count one."""
        self.failed += 1
        key = (failure.outcome, normal(failure))
        if key not in self._counts and len(self._counts) >= KEPT:
            key = (failure.outcome, OTHER)
        self._counts[key] = self._counts.get(key, 0) + 1
        self._examples.setdefault(key, failure)

    def top(self, most: int = SHOWN) -> list[Diagnosis]:
        """The commonest, each with the first that was counted as its example."""
        order = {outcome.value: place for place, outcome in enumerate(Outcome)}
        ranked = sorted(self._counts, key=lambda key: (-self._counts[key], order[key[0]], key[1]))
        return [
            Diagnosis(key[0], key[1], self._counts[key], self._examples[key])
            for key in ranked[:most]
        ]


def of_failures(failures: Iterable[Failure]) -> Diagnoses:
    """Count all of them."""
    found = Diagnoses()
    for failure in failures:
        found.add(failure)
    return found


def normal(failure: Failure) -> str:
    """What is the same in all errors of a kind: no place, no names, no numbers.

    What a failed assertion says of itself is the test's text, another one for each task: such
    failures are one kind, unless the test has words for it.
    """
    found = failure.diagnostic
    message = found.message if found is not None and found.message else failure.detail
    if failure.outcome == Outcome.WRONG_ANSWER.value:
        if found is None or found.kind == "case":
            return "another value than expected" if found else "a test failed"
        if message == failure.detail or message in found.assertion:
            return "an assertion failed"
    if failure.outcome in (Outcome.TIMEOUT.value, Outcome.OUTPUT_LIMIT.value):
        message = re.sub(r" \(limit .*", "", message)
    text = _PLACE.sub("", " ".join(message.split()))
    text = _NUMBER.sub("N", _QUOTED.sub("‘…’", text))
    return clean_line(_NAMED.sub(r"\1…", text), max_line=_WIDEST) or "no message"


def place(found: Diagnostic | None) -> str:
    """Where an error is, in words: `program.cpp:19:12, line 1 of the answer`; empty if unknown."""
    if found is None or not found.file or found.line is None:
        return ""
    column = "" if found.column is None else f":{found.column}"
    own = "" if found.own_line is None else f", line {found.own_line} of the answer"
    return f"{found.file}:{found.line}{column}{own}"
