"""What speaks for or against a benchmark having been learnt by heart: copies, dates, a statement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench import languages
from workbench.benchmarks.load import load_set
from workbench.benchmarks.task import Task
from workbench.errors import WorkbenchError
from workbench.generation.extraction.source import Grammar
from workbench.generation.sameness import normal_form
from workbench.protocol.records import RecordPart
from workbench.report import numbers
from workbench.report.sections import Section
from workbench.session.records import CellRow
from workbench.session.store import SessionReader

MOST = 2_000
"""Distinct programs of a cell that are looked at: parsing takes most of a report's time."""


@dataclass(frozen=True, slots=True)
class Copies:
    """Samples of one language that are the reference but for names and layout."""

    language: str
    copies: int
    passed: int
    """Samples that passed and were looked at; no other can be the reference."""
    scored: int
    """All scored samples of the cell."""
    skipped: int = 0
    """Passing samples that weren't looked at, there being too many."""
    why: str = ""
    """Why nothing could be looked at."""

    def to_json(self) -> dict[str, Any]:
        """As exported; `share` is of all scored samples."""
        known = not self.why and not self.skipped and self.scored
        return {
            "language": self.language,
            "copies": None if self.why else self.copies,
            "looked_at": self.passed,
            "skipped": self.skipped,
            "scored": self.scored,
            "share": self.copies / self.scored if known else None,
            "why": self.why,
        }


def copies(reader: SessionReader) -> list[Copies]:
    """One a language: first programs, of the plain cell where there is one."""
    cells: dict[str, CellRow] = {}
    for cell in reader.cells():
        if cell.language not in cells or cell.mode == "plain":
            cells.setdefault(cell.language, cell)
    spec: Mapping[str, Any] = reader.meta().get("spec") or {}
    found: list[Copies] = []
    for language, cell in cells.items():
        counts = reader.counts().get(cell.id, {})
        lost = ("open", "generation_failed", "sandbox_error")
        scored = sum(n for outcome, n in counts.items() if outcome not in lost)
        tasks = _tasks(spec, cell, language)
        if isinstance(tasks, str):
            found.append(Copies(language, 0, 0, scored, why=tasks))
        else:
            found.append(_count(reader, cell, tasks, scored))
    return found


def _tasks(spec: Mapping[str, Any], cell: CellRow, language: str) -> dict[str, Task] | str:
    """The benchmark's tasks by id, or why they can't be had."""
    if not spec:
        return "the session doesn't say where its tasks come from"
    try:
        found = load_set(
            spec.get("benchmark") or None,
            [language],
            Path(spec["data_dir"]) if spec.get("data_dir") else None,
            Path(spec["problems"]) if spec.get("problems") else None,
        )
    except WorkbenchError as error:
        return str(error)
    tasks = {task.id: task for task in found.tasks if task.reference.strip()}
    revision = str(cell.protocol["eval"].get("revision", ""))
    if found.revision != revision:
        return f"the benchmark here is {found.revision}, the session's was {revision}"
    return tasks or "the benchmark has no references"


def _count(reader: SessionReader, cell: CellRow, tasks: Mapping[str, Task], scored: int) -> Copies:
    grammar = Grammar(languages.load(cell.language))
    references: dict[str, str | None] = {}
    equal = looked = skipped = 0
    for number, program in enumerate(reader.first_programs(cell.id)):
        task = tasks.get(program.task_id)
        if task is None or number >= MOST:
            skipped += program.count
            continue
        if task.id not in references:
            whole = _whole(task, task.reference, task.reference_form)
            references[task.id] = normal_form(grammar, whole, task.entry_point)
        known = references[task.id]
        if known is None:
            skipped += program.count
            continue
        looked += program.count
        form = normal_form(grammar, _whole(task, program.code, program.form), task.entry_point)
        equal += program.count if form == known else 0
    return Copies(cell.language, equal, looked, scored, skipped)


def _whole(task: Task, code: str, form: str) -> str:
    return f"{task.prompt}{code}" if form == "body" else code


def memory_section(found: Sequence[Copies], records: Sequence[RecordPart]) -> list[Section]:
    """As one part of a report, in which what isn't known is said to be unknown."""
    rows = tuple((c.language, *((numbers.NOTHING,) * 3 if c.why else _row(c))) for c in found)
    notes = [
        "copies: first programs that are the reference but for names and layout, of all scored; few "
        "ways lead through a short task, so some are chance"
    ]
    reasons: dict[str, list[str]] = {}
    for c in found:
        if c.why:
            reasons.setdefault(c.why, []).append(c.language)
    notes += [f"not looked at ({', '.join(names)}): {why}" for why, names in reasons.items()]
    notes += list(dict.fromkeys(line for record in records for line in _dates(record)))
    return [
        Section(
            "memorisation",
            "memorisation and contamination",
            ("language", "copies", "share", "not looked at"),
            rows,
            tuple(notes),
            {
                "copies": [c.to_json() for c in found],
                "published": sorted({r.published for r in records if r.published}),
                "cutoff": sorted({r.cutoff for r in records if r.cutoff}),
                "statement": sorted({r.contamination for r in records if r.contamination}),
            },
            frozenset({1, 2, 3}),
        )
    ]


def _row(c: Copies) -> tuple[str, ...]:
    share = numbers.NOTHING if c.skipped else numbers.share_of(c.copies, c.scored)
    return f"{c.copies}/{c.scored}", share, str(c.skipped) if c.skipped else numbers.NOTHING


def _dates(record: RecordPart) -> tuple[str, str]:
    return (date_line(record), f"statement: {record.contamination or 'none (--statement)'}")


def date_line(record: RecordPart) -> str:
    """The benchmark's date against the declared end of the model's training data."""
    published = record.published or "unknown"
    if not record.cutoff:
        return f"benchmark published {published}; the model's cutoff isn't declared (--cutoff)"
    if not record.published:
        return f"benchmark's date unknown; the model's cutoff, as declared, is {record.cutoff}"
    # ISO dates; a month or a year is as early as its first day.
    late = record.published[: len(record.cutoff)] > record.cutoff
    verdict = (
        "after it: not in its training data, if that holds"
        if late
        else "not after it: it may be in its training data"
    )
    return f"benchmark published {published}, the model's cutoff, as declared, is {record.cutoff}: {verdict}"
