"""A table with a heading and notes: one shape for everything that stands beside the chief numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from workbench.report.diagnoses import escaped
from workbench.text import clean_line


@dataclass(frozen=True, slots=True)
class Section:
    """One part of a report."""

    key: str
    """What it is called in JSON; empty: its numbers stand among the measurements."""
    title: str
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    """Untrusted texts may be among them: every renderer cleans what it prints."""
    notes: tuple[str, ...] = ()
    body: Any = None
    """The same for JSON, unrounded."""
    right: frozenset[int] = frozenset()
    """Columns of numbers."""


def as_lines(sections: Sequence[Section]) -> list[str]:
    """For people and pipes."""
    lines: list[str] = []
    for section in sections:
        lines += ["", clean_line(section.title)]
        if section.rows:
            lines += columns([section.head, *section.rows], section.right)
        lines += [f"  {clean_line(note, max_line=8000)}" for note in section.notes]
    return lines


def as_markdown(sections: Sequence[Section]) -> list[str]:
    """For a README or an issue."""
    lines: list[str] = []
    for section in sections:
        lines += ["", f"_{escaped(section.title)}_"]
        if section.rows:
            rule = ["---:" if i in section.right else "---" for i in range(len(section.head))]
            lines += ["", _row(section.head), f"|{'|'.join(rule)}|"]
            lines += [_row(row) for row in section.rows]
        lines += ["", *(f"- {escaped(note)}" for note in section.notes)] if section.notes else []
    return lines


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(escaped(cell) for cell in cells)} |"


def columns(rows: Sequence[Sequence[str]], right: frozenset[int] | set[int]) -> list[str]:
    """Rows of one length as lines, each column as wide as its widest cell."""
    table = [[clean_line(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    return [
        "  "
        + "  ".join(
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in table
    ]
