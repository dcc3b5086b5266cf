"""What is put before the judge, and what the judge says: programs, limits, executions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from workbench.outcomes import Outcome

TOKEN_MARK = "{pass token}"
"""How the place of the pass token is shown to people; the real one is drawn per execution."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Code of one model answer, before it is assembled with its task."""

    text: str
    form: Literal["body", "full"]
    """`body`: continues the task's prompt, byte for byte. `full`: defines the entry point itself."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file of a program, in pieces between which the pass token is put.

    The token is drawn inside the sandbox for each execution, so it is in no stored text, and a
    candidate can't get it by writing a placeholder: the gaps are structure, not text.
    """

    name: str
    """Relative path inside the work dir; plain file name."""
    pieces: tuple[str, ...]
    """The text is `token.join(pieces)`."""

    @property
    def text(self) -> str:
        """The file as shown to people."""
        return TOKEN_MARK.join(self.pieces)


@dataclass(frozen=True, slots=True)
class DataCase:
    """One case of a test that is data, compared by the supervisor outside the candidate's process."""

    expected: Any
    """JSON value."""
    kind: str = "exact"
    """`exact`, or `float` (compare numbers anywhere in the value within `tolerance`)."""
    tolerance: float = 1e-9
    shown: str = ""
    """The call as a person would write it in this language, such as `add(2, 3)`."""


@dataclass(frozen=True, slots=True)
class Program:
    """Candidate and task assembled: everything one execution needs beside the toolchain."""

    language: str
    files: tuple[SourceFile, ...]
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Values for the `{name}` words of the toolchain's commands, such as `{"link": ("-lcrypto",)}`."""
    cases: tuple[DataCase, ...] | None = None
    """Expected values when the tests are data; `None` when they are code."""
    candidate_file: str = ""
    """The file in which the candidate's text stands."""
    candidate_lines: tuple[int, int] = (0, 0)
    """First and last line (from 1) of the candidate's text in that file; the rest is assembly's."""
    deterministic: bool = True
    """Whether two executions of it must agree (false: tests draw random inputs)."""

    def digest(self) -> str:
        """SHA-256 of everything that can change the outcome: text, options and cases."""
        body = {
            "language": self.language,
            "files": [[f.name, list(f.pieces)] for f in self.files],
            "options": {k: list(v) for k, v in sorted(self.options.items())},
            "cases": None if self.cases is None else [_case_body(c) for c in self.cases],
        }
        text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()


def _case_body(case: DataCase) -> dict[str, Any]:
    """As `asdict` would, which takes longer than hashing."""
    return {
        "expected": case.expected,
        "kind": case.kind,
        "tolerance": case.tolerance,
        "shown": case.shown,
    }


@dataclass(frozen=True, slots=True)
class Limits:
    """What one step (compile or run) may use. CPU decides; wall is the wider net for sleepers."""

    cpu_s: float
    wall_s: float
    memory_mb: int
    output_bytes: int = 1_048_576
    """Per stream; more is `output_limit` on run, cut on compile."""
    processes: int = 128
    file_mb: int = 64


@dataclass(frozen=True, slots=True)
class Clip:
    """Head and tail of a stream that was read with a cap."""

    head: str = ""
    tail: str = ""
    size: int = 0
    """Bytes that the program wrote in all."""

    @property
    def omitted(self) -> int:
        """Bytes between head and tail that were not kept (0: head holds everything)."""
        return max(0, self.size - len(self.head.encode()) - len(self.tail.encode()))


@dataclass(frozen=True, slots=True)
class StepReport:
    """One command that was run for a program."""

    name: Literal["compile", "run"]
    exit_code: int | None
    signal: int | None
    cpu_s: float
    wall_s: float
    memory_mb: float
    """Peak resident memory of the largest process, MB (2^20 bytes); 0 when unknown."""
    stdout: Clip
    stderr: Clip
    stopped_by: Literal["", "cpu", "wall", "memory", "output"] = ""


@dataclass(frozen=True, slots=True)
class CaseReport:
    """The first case that failed, when tests are data."""

    index: int
    expected: str
    actual: str
    """JSON text, or empty when the program gave no value."""
    shown: str = ""


DiagnosticKind = Literal["compile", "assertion", "case", "exception", "limit"]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """What went wrong, where, and what was expected instead; made safe to show."""

    kind: DiagnosticKind
    message: str
    """As toolchain or runtime said it, one line."""
    file: str = ""
    """File of the program; empty when no place is known."""
    line: int | None = None
    """From 1, in that file."""
    column: int | None = None
    own_line: int | None = None
    """From 1, in the candidate's own text; `None`: the place is in assembly's, or unknown."""
    assertion: str = ""
    """The assertion or call that failed, where tests tell."""
    expected: str = ""
    actual: str = ""


@dataclass(frozen=True, slots=True)
class Execution:
    """One program put before one set of tests."""

    outcome: Outcome
    detail: str
    """One line: the diagnostic that says why, as the toolchain gave it; untrusted text."""
    steps: tuple[StepReport, ...] = ()
    flags: tuple[str, ...] = ()
    case: CaseReport | None = None
    cases_passed: int = 0
    cases_total: int = 0
    """0 when tests are code."""
    queued_s: float = 0.0
    """How long it waited for a slot."""
    sandbox: str = ""
    """Launcher id: `docker`, `gvisor`, `bubblewrap`, `unshare`, `process`."""
    retried: int = 0
    """How often infrastructure faults or an unused CPU budget made it run again."""
    diagnostic: Diagnostic | None = None
    """What `detail` says in parts; `None`: it passed, or nothing ran."""
    outcomes: tuple[str, ...] = ()
    """What each execution came to where it was judged several times; see `execution.repeat`."""


def read_execution(body: Mapping[str, Any]) -> Execution:
    """An execution from the JSON that `dataclasses.asdict` made of it."""
    values = dict(body)
    values["outcome"] = Outcome(values["outcome"])
    values["flags"] = tuple(values["flags"])
    values["outcomes"] = tuple(values.get("outcomes", ()))
    values["case"] = None if values["case"] is None else CaseReport(**values["case"])
    values["steps"] = tuple(_read_step(step) for step in values["steps"])
    # Sessions that an earlier version stored have none.
    found = values.get("diagnostic")
    values["diagnostic"] = None if found is None else Diagnostic(**found)
    return Execution(**values)


def read_program(body: Mapping[str, Any]) -> Program:
    """A program from the JSON that `dataclasses.asdict` made of it."""
    values = dict(body)
    values["files"] = tuple(SourceFile(f["name"], tuple(f["pieces"])) for f in values["files"])
    values["options"] = {name: tuple(words) for name, words in values["options"].items()}
    cases = values["cases"]
    values["cases"] = None if cases is None else tuple(DataCase(**case) for case in cases)
    values["candidate_lines"] = tuple(values["candidate_lines"])
    return Program(**values)


def _read_step(body: Mapping[str, Any]) -> StepReport:
    values = dict(body)
    values["stdout"] = Clip(**values["stdout"])
    values["stderr"] = Clip(**values["stderr"])
    return StepReport(**values)
