"""Results that others published, task by task: read, labelled !IMPORTED, kept apart from ours.

A file is JSON lines; of a row only `task_id` and `is_solved` count, one row a task. What the
numbers mean nobody measured here, so a label has to be given, and it stands on every line.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.errors import DataError, UsageError
from workbench.metrics.compare import PairedDifference, paired_difference
from workbench.metrics.estimable import NotEstimable
from workbench.metrics.interval import Interval
from workbench.metrics.intervals import choose_interval
from workbench.metrics.passk import mean_over_tasks
from workbench.protocol.label import Label
from workbench.protocol.metric import LabelError
from workbench.protocol.parse import parse_label
from workbench.report import numbers
from workbench.report.sections import Section


@dataclass(frozen=True, slots=True)
class Published:
    """One file of results."""

    file: str
    label: Label
    by_task: Mapping[str, float]
    """1 solved, 0 not."""

    @property
    def solved(self) -> int:
        """Tasks that are solved."""
        return int(sum(self.by_task.values()))

    @property
    def interval(self) -> Interval:
        """Over tasks, as if they were drawn."""
        return choose_interval(list(self.by_task.values()))

    def to_json(self) -> dict[str, Any]:
        """As exported; never among measurements."""
        return {
            "file": self.file,
            "label": str(self.label),
            "solved": self.solved,
            "tasks": len(self.by_task),
            "value": mean_over_tasks(list(self.by_task.values())),
            "interval": self.interval.to_json(),
        }


def read_published(file: Path, text: str) -> Published:
    """Read a file of results under a label.

    Raises:
        UsageError: the label isn't one, or doesn't say !IMPORTED.
        DataError: the file can't be read, or a row is wrong: file, line and what is missing.
    """
    try:
        label = parse_label(text)
    except LabelError as error:
        raise UsageError(f"--label: {error}") from None
    if "IMPORTED" not in label.flags:
        raise UsageError(f"--label {text!r}: what was published elsewhere ends with !IMPORTED")
    by_task: dict[str, float] = {}
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{file}: {getattr(error, 'strerror', None) or error}") from None
    for number, line in enumerate(lines, 1):
        if line.strip():
            task, solved = _row(file, number, line)
            if task in by_task:
                raise DataError(f"{file}, line {number}: {task} a second time: one row a task")
            by_task[task] = float(solved)
    if not by_task:
        raise DataError(f"{file}: no rows")
    return Published(file.name, label, by_task)


def _row(file: Path, number: int, line: str) -> tuple[str, bool]:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise DataError(f"{file}, line {number}: no JSON: {error}") from None
    found = row if isinstance(row, dict) else {}
    task, solved = found.get("task_id"), found.get("is_solved")
    if not isinstance(task, str) or not isinstance(solved, bool):
        raise DataError(
            f"{file}, line {number}: needs `task_id` (text) and `is_solved` (true, false)"
        )
    return task, solved


def published_sections(found: Sequence[Published]) -> list[Section]:
    """Each file, and each after the first beside it: paired, with the flips."""
    rows = tuple(
        (p.file, f"{p.solved}/{len(p.by_task)}", numbers.percent_digits(p.solved / len(p.by_task)),
         _range(p.interval), str(p.label))
        for p in found
    )  # fmt: skip
    parts = [
        Section(
            "published",
            "published elsewhere, not measured here: per cent of tasks",
            ("file", "solved", "%", "95 %", "label"),
            rows,
            ("apart from every measured number: how they were judged isn't known here",),
            [p.to_json() for p in found],
            frozenset({1, 2, 3}),
        )
    ]
    return [*parts, *([_differences(found)] if len(found) > 1 else [])]


def _range(interval: Interval) -> str:
    return "–".join(numbers.percent_digits(end) for end in (interval.low, interval.high))


def _differences(found: Sequence[Published]) -> Section:
    first, bodies, rows, notes = (
        found[0],
        list[dict[str, Any]](),
        list[tuple[str, ...]](),
        list[str](),
    )
    for other in found[1:]:
        try:
            d = paired_difference(first.by_task, other.by_task)
        except NotEstimable as why:
            notes.append(f"{first.file} → {other.file}: {why.reason}")
            continue
        p = numbers.NOTHING if d.p is None else numbers.p_value(d.p)
        rows.append((f"{first.file} → {other.file}", str(len(d.tasks)), numbers.difference(d), p,
                     str(len(d.lost)), str(len(d.gained))))  # fmt: skip
        notes += [f"{what}: {', '.join(tasks[:20])}" for what, tasks in (
            ("lost", d.lost), ("gained", d.gained)) if tasks]  # fmt: skip
        bodies.append(_body(first, other, d))
    head = ("from → to", "common", "difference", "p", "lost", "gained")
    return Section("differences", "from the first to each other, paired (McNemar, exact)", head,
                   tuple(rows), tuple(notes), bodies, frozenset({1, 2, 3, 4, 5}))  # fmt: skip


def _body(first: Published, other: Published, d: PairedDifference) -> dict[str, Any]:
    return {
        "from": first.file,
        "to": other.file,
        "common": len(d.tasks),
        "difference": d.delta,
        "interval": None if d.interval is None else d.interval.to_json(),
        "p": d.p,
        "lost": list(d.lost),
        "gained": list(d.gained),
    }
