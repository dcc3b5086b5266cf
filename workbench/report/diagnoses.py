"""The commonest errors of each cell, beside its numbers; and what to check where nothing passed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from workbench.metrics.measurement import Measurement
from workbench.outcomes import Outcome
from workbench.report import numbers
from workbench.session.diagnoses import Diagnoses, Diagnosis, Failure, of_failures, place
from workbench.session.store import SessionReader
from workbench.text import clean_line

_EXAMPLE = 110
"""Characters of an example in a table."""

_CHECKS: Mapping[str, str] = {
    Outcome.COMPILE_ERROR.value: "the prompt (does it ask for this language?), extraction and the toolchain",
    Outcome.NO_CODE.value: "extraction and the prompt style: read an answer as it came",
    Outcome.REFUSED.value: "the prompt: the model declines it",
    Outcome.TIMEOUT.value: "the limits, and how busy the machine was",
    Outcome.OUT_OF_MEMORY.value: "the memory limit",
}
_CHECK_ELSE = "extraction (is the entry point there?), the prompt and the toolchain"


@dataclass(frozen=True, slots=True)
class CellDiagnoses:
    """What went wrong in one cell."""

    language: str
    mode: str
    """`plain`, or the recipe's name."""
    fingerprint: str
    scored: int
    passed: int
    found: Diagnoses

    @property
    def suspicious(self) -> str:
        """Why a cell at 0 % looks like a fault of the set-up, and what to check; else empty."""
        if self.passed or not self.scored:
            return ""
        top = self.found.top(1)
        often = ""
        check = _CHECK_ELSE
        if top:
            word = _word(top[0])
            often = f"; commonest: {word}: {clean_line(top[0].message)} ({top[0].count})"
            check = _CHECKS.get(top[0].outcome, _CHECK_ELSE)
        return f"0 %: none of {self.scored} passed. Before you believe it, check {check}{often}"

    def to_json(self) -> dict[str, Any]:
        """The object of every `--json`."""
        return {
            "language": self.language,
            "mode": self.mode,
            "fingerprint": self.fingerprint,
            "scored": self.scored,
            "failed": self.found.failed,
            "suspicious": self.suspicious,
            "top": [_diagnosis_json(d, self.found.failed) for d in self.found.top()],
        }


def _diagnosis_json(found: Diagnosis, failed: int) -> dict[str, Any]:
    example = found.example
    return {
        "outcome": found.outcome,
        "message": found.message,
        "count": found.count,
        "share": found.count / failed,
        "example": {
            "task_id": example.task_id,
            "sample": example.index,
            "detail": example.detail,
            "diagnostic": None if example.diagnostic is None else asdict(example.diagnostic),
        },
    }


def of_measured(
    measurements: Sequence[Measurement], counted: Mapping[str, Diagnoses]
) -> list[CellDiagnoses]:
    """The same for what was scored without a session; `counted` by language."""
    chiefs = {m.fingerprint: m for m in reversed(measurements)}
    return [
        _of_cell(m, counted.get(m.language, Diagnoses())) for m in reversed(list(chiefs.values()))
    ]


def diagnose_session(
    reader: SessionReader, measured: Mapping[int, Sequence[Measurement]]
) -> list[CellDiagnoses]:
    """The diagnoses of every cell of a session that has a number, in planned order."""
    return [
        _of_cell(measured[cell.id][0], of_failures(reader.failures(cell.id)))
        for cell in reader.cells()
        if measured.get(cell.id)
    ]


def _of_cell(chief: Measurement, found: Diagnoses) -> CellDiagnoses:
    return CellDiagnoses(
        language=chief.language,
        mode=chief.recipe or chief.mode,
        fingerprint=chief.fingerprint,
        scored=chief.units.scored,
        passed=chief.outcomes.get(Outcome.PASSED.value, 0),
        found=found,
    )


def as_lines(cells: Sequence[CellDiagnoses]) -> list[str]:
    """For people and pipes."""
    lines: list[str] = []
    for cell in cells:
        if not cell.found.failed and not cell.suspicious:
            continue
        lines += ["", f"  {_heading(cell)}"]
        if cell.suspicious:
            lines.append(f"  suspicious: {cell.suspicious}")
        for d in cell.found.top():
            share = numbers.share_of(d.count, cell.found.failed)
            lines.append(f"  {d.count:>6}  {share:>5}  {_word(d):<13}  {clean_line(d.message)}")
            lines.append(f"{'':24}{_example(d.example)}")
    return ["", "what went wrong, the commonest first", *lines] if lines else []


def as_markdown(cells: Sequence[CellDiagnoses]) -> list[str]:
    """Tables for a README or an issue."""
    lines: list[str] = []
    for cell in cells:
        if not cell.found.failed and not cell.suspicious:
            continue
        lines += ["", f"_{escaped(_heading(cell))}_"]
        if cell.suspicious:
            lines += ["", f"**suspicious:** {escaped(cell.suspicious)}"]
        if cell.found.failed:
            lines += [
                "",
                "| count | share | outcome | diagnostic | example |",
                "|---:|---:|---|---|---|",
            ]
        for d in cell.found.top():
            share = numbers.share_of(d.count, cell.found.failed)
            lines.append(
                f"| {d.count} | {share} | {_word(d)} | {escaped(d.message)} "
                f"| {escaped(_example(d.example))} |"
            )
    return lines


def _heading(cell: CellDiagnoses) -> str:
    return f"{cell.language} {cell.mode}: {cell.found.failed} of {cell.scored} failed"


def _word(found: Diagnosis) -> str:
    return found.outcome.replace("_", " ")


def _example(example: Failure) -> str:
    told = example.diagnostic
    message = told.message if told and told.message else example.detail
    if told is not None and (told.expected or told.actual):
        message = f"{told.assertion}: expected {told.expected}, got {told.actual or 'no value'}"
    where = place(told)
    text = f"{message} ({where})" if where else message
    name = f"{example.task_id}:{example.index}"
    return clean_line(f"such as {name} {text}", max_line=_EXAMPLE + 40)


def escaped(text: str) -> str:
    """Foreign text that stays text in Markdown."""
    safe = clean_line(text).replace("\\", "\\\\")
    return "".join(f"\\{c}" if c in "|*_`<>[]" else c for c in safe)
