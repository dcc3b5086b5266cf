"""Comparisons as the parts of a report."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.report import numbers
from workbench.report.comparison import By, Compared, ProblemTable
from workbench.report.sections import Section

FLIPS = 20
"""Tasks named in a text; JSON has all."""


def difference_section(compared: Sequence[Compared], by: By) -> Section:
    """A row a comparison, then what differs besides, flips and refusals."""
    head = (
        "A",
        "B",
        "metric",
        "common",
        "A %",
        "B %",
        "B − A",
        "p",
        "p Holm",
        "lost",
        "gained",
        "",
    )
    notes: list[str] = []
    for c in compared:
        if c.refused:
            notes.append(f"refused: {_name(c, by, 0)} and {_name(c, by, 1)}: {c.refused}")
            continue
        assert c.found is not None
        pair = f"{_name(c, by, 0)} → {_name(c, by, 1)}"
        notes += [f"{pair}: they differ in {d}" for d in c.differs]
        notes += [f"{pair}: {what} {_some(tasks)}" for what, tasks in (
            ("left out, in A only:", c.found.only_a), ("left out, in B only:", c.found.only_b),
            ("lost:", c.found.lost), ("gained:", c.found.gained)) if tasks]  # fmt: skip
    if any(c.found is not None for c in compared):
        notes.append("differences: in percentage points, paired on common tasks, before rounding")
    return Section(
        "comparisons",
        f"differences by {by}",
        head,
        tuple(_row(c, by) for c in compared if c.found is not None),
        tuple(notes),
        [c.to_json() for c in compared],
        frozenset(range(3, 11)),
    )


def _name(compared: Compared, by: By, side: int) -> str:
    arm = (compared.a, compared.b)[side]
    language, mode = arm.place
    return f"{arm.session} {language} {mode}" if by == "model" else f"{language} {mode}"


def _row(c: Compared, by: By) -> tuple[str, ...]:
    found = c.found
    assert found is not None
    tasks = len(found.tasks)
    return (
        _name(c, by, 0),
        _name(c, by, 1),
        c.metric,
        str(tasks),
        numbers.arm(c.means[0], tasks),
        numbers.arm(c.means[1], tasks),
        numbers.difference(found),
        numbers.NOTHING if found.p is None else numbers.p_value(found.p),
        numbers.NOTHING if c.p_holm is None else numbers.p_value(c.p_holm),
        str(len(found.lost)),
        str(len(found.gained)),
        _verdict(c),
    )


def _verdict(c: Compared) -> str:
    assert c.found is not None
    if numbers.separable(c.p_holm):
        return "separable"
    least = c.found.detectable
    if not least:
        return "no difference found"
    return f"no difference found; {100 * least:.1f} points could have been"


def _some(tasks: Sequence[str]) -> str:
    more = f", … {len(tasks) - FLIPS} more" if len(tasks) > FLIPS else ""
    return ", ".join(tasks[:FLIPS]) + more


def problem_section(table: ProblemTable) -> Section:
    """One row a problem, one column a language: units passed of units scored."""
    rows = tuple(
        (problem, *(_units(row[language]) for language in table.languages))
        for problem, row in table.rows.items()
    )
    return Section(
        "",
        f"{table.session}, {table.mode}: passed of scored, a row a problem",
        ("problem", *table.languages),
        rows,
        ("·: none of it passed; –: not there, or lost",),
        right=frozenset(range(1, len(table.languages) + 1)),
    )


def _units(counts: tuple[int, int] | None) -> str:
    if counts is None:
        return numbers.NOTHING
    return f"{counts[0]}/{counts[1]}" if counts[0] else "·"


def problems_json(tables: Sequence[ProblemTable]) -> list[dict[str, object]]:
    """The tables for JSON: `[passed, scored]` of each language, null where there is none."""
    return [
        {
            "session": table.session,
            "mode": table.mode,
            "problem": problem,
            "languages": {name: None if at is None else list(at) for name, at in row.items()},
        }
        for table in tables
        for problem, row in table.rows.items()
    ]
