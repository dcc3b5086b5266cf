"""Differences between cells: paired on common tasks, with the flips; other identities are refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal

from workbench.metrics.compare import PairedDifference, holm, paired_difference
from workbench.metrics.estimable import NotEstimable
from workbench.metrics.measurement import Measurement
from workbench.metrics.passk import mean_over_tasks
from workbench.protocol.comparison import may_pair
from workbench.protocol.kinds import Kind
from workbench.report.analysis import CellAnalysis

By = Literal["model", "language", "mode"]
LANGUAGE = "eval.language"


@dataclass(frozen=True, slots=True)
class Arm:
    """One cell of one session."""

    session: str
    model: str
    cell: CellAnalysis

    @property
    def place(self) -> tuple[str, str]:
        """Language and mode (or recipe's name): what is looked for in another session."""
        return self.cell.cell.language, self.cell.name


@dataclass(frozen=True, slots=True)
class Compared:
    """B beside A in one metric, or why they don't stand beside each other."""

    a: Arm
    b: Arm
    metric: str
    labels: tuple[str, str]
    found: PairedDifference | None
    means: tuple[float, float] = (0.0, 0.0)
    """Over the common tasks."""
    refused: str = ""
    differs: tuple[str, ...] = ()
    """Material differences: what the difference may come from beside the one that is meant."""
    p_holm: float | None = None
    """Corrected for all comparisons made at once."""

    def to_json(self) -> dict[str, Any]:
        """As exported, unrounded; shares in 0..1."""
        found = self.found
        interval = None if found is None else found.interval
        return {
            "a": _arm_json(self.a, self.labels[0]),
            "b": _arm_json(self.b, self.labels[1]),
            "metric": self.metric,
            "refused": self.refused,
            "differs": list(self.differs),
            "value_a": None if found is None else self.means[0],
            "value_b": None if found is None else self.means[1],
            "difference": None if found is None else found.delta,
            "interval": None if interval is None else interval.to_json(),
            "test": None if found is None else found.test,
            "p": None if found is None else found.p,
            "p_holm": self.p_holm,
            "detectable": None if found is None else found.detectable,
            "common": None if found is None else len(found.tasks),
            "only_a": [] if found is None else list(found.only_a),
            "only_b": [] if found is None else list(found.only_b),
            "lost": [] if found is None else list(found.lost),
            "gained": [] if found is None else list(found.gained),
        }


def _arm_json(arm: Arm, label: str) -> dict[str, str]:
    language, mode = arm.place
    return {
        "session": arm.session, "model": arm.model, "language": language, "mode": mode,
        "label": label,
    }  # fmt: skip


def compare_cells(sessions: Sequence[Sequence[Arm]], by: By) -> list[Compared]:
    """Every comparison that is asked for, p-values corrected together.

    Args:
        sessions: the cells of each; the first is what others are set beside.
        by: `model`: the same cell of the first session and each other one. `language`: in each
            session, every language beside the first, on common problems. `mode`: in each session,
            every two modes of a language.
    """
    pairs = {"model": _by_session, "language": _by_language, "mode": _by_mode}[by]
    found = [_compare(a, b, of_problems=by == "language") for a, b in pairs(sessions)]
    tested = [i for i, c in enumerate(found) if c.found is not None and c.found.p is not None]
    adjusted = holm([p for c in found if c.found is not None and (p := c.found.p) is not None])
    for i, p in zip(tested, adjusted, strict=True):
        found[i] = replace(found[i], p_holm=p)
    return found


def _by_session(sessions: Sequence[Sequence[Arm]]) -> Iterator[tuple[Arm, Arm]]:
    first, *others = sessions
    for other in others:
        there = {arm.place: arm for arm in other}
        for arm in first:
            if arm.place in there:
                yield arm, there[arm.place]


def _by_language(sessions: Sequence[Sequence[Arm]]) -> Iterator[tuple[Arm, Arm]]:
    for session in sessions:
        of_mode: dict[str, Arm] = {}
        for arm in session:
            first = of_mode.setdefault(arm.cell.name, arm)
            if first is not arm:
                yield first, arm


def _by_mode(sessions: Sequence[Sequence[Arm]]) -> Iterator[tuple[Arm, Arm]]:
    for session in sessions:
        of_language: dict[str, list[Arm]] = {}
        for arm in session:
            of_language.setdefault(arm.cell.cell.language, []).append(arm)
        for arms in of_language.values():
            yield from combinations(arms, 2)


def _compare(a: Arm, b: Arm, *, of_problems: bool) -> Compared:
    one, two = a.cell.chief, b.cell.chief
    if one is None or two is None:
        return Compared(a, b, "", ("", ""), None, refused="nothing was measured yet")
    labels = (str(one.label), str(two.label))
    verdict = may_pair(a.cell.protocol, b.cell.protocol, (one.metric, two.metric))
    refused = Compared(a, b, str(one.metric), labels, None)
    if not verdict.side_by_side:
        return replace(refused, refused=_identity(verdict.reason, one, two))
    for m in (one, two):
        if m.value is None:
            return replace(refused, refused=f"{m.metric} of {m.language}: {m.missing}")
    named = tuple(
        str(d)
        for d in verdict.differences
        if d.kind is Kind.MATERIAL and not (of_problems and d.field == LANGUAGE)
    )
    arms = [_values(arm.cell, m, of_problems=of_problems) for arm, m in ((a, one), (b, two))]
    try:
        found = paired_difference(arms[0], arms[1])
    except NotEstimable as why:
        return replace(refused, refused=why.reason)
    means = (
        mean_over_tasks([arms[0][task] for task in found.tasks]),
        mean_over_tasks([arms[1][task] for task in found.tasks]),
    )
    return replace(refused, found=found, means=means, differs=named)


def delta(a: Arm, b: Arm) -> Compared:
    """A cell and what rescoring made of it: whatever differs is what was asked for, and named."""
    one, two = a.cell.chief, b.cell.chief
    if one is None or two is None:
        return Compared(a, b, "", ("", ""), None, refused="nothing was measured")
    same = one.metric == two.metric
    metric = str(one.metric) if same else f"{one.metric} → {two.metric}"
    made = Compared(a, b, metric, (str(one.label), str(two.label)), None)
    verdict = may_pair(a.cell.protocol, b.cell.protocol)
    named = tuple(str(d) for d in verdict.differences if d.kind > Kind.INCIDENTAL)
    try:
        found = paired_difference(one.by_task, two.by_task)
    except NotEstimable as why:
        return replace(made, refused=why.reason, differs=named)
    means = (
        mean_over_tasks([one.by_task[task] for task in found.tasks]),
        mean_over_tasks([two.by_task[task] for task in found.tasks]),
    )
    return replace(made, found=found, means=means, differs=named, p_holm=found.p)


def _identity(reason: str, one: Measurement, two: Measurement) -> str:
    if one.mode != two.mode:
        return f"{one.metric} and {two.metric} are no one metric: see equal budget"
    return f"another identity: {reason}"


def _values(cell: CellAnalysis, m: Measurement, *, of_problems: bool) -> Mapping[str, float]:
    if not of_problems:
        return m.by_task
    return {cell.problems[task]: value for task, value in m.by_task.items()}


def unmatched(sessions: Sequence[Sequence[Arm]]) -> list[str]:
    """Cells of one session that the first, or the other, doesn't have: a line each."""
    first, *others = sessions
    here = {arm.place for arm in first}
    lines: list[str] = []
    for other in others:
        if not other or not first:
            continue
        there = {arm.place for arm in other}
        lines += [
            f"{' '.join(place)}: in {own.session} only"
            for own, places in ((first[0], here - there), (other[0], there - here))
            for place in sorted(places)
        ]
    return lines


@dataclass(frozen=True, slots=True)
class ProblemTable:
    """One row a problem, one column a language: of one mode of one session."""

    session: str
    mode: str
    languages: tuple[str, ...]
    rows: Mapping[str, Mapping[str, tuple[int, int] | None]]
    """Problem -> language -> (passed, scored); `None`: not there, or all lost."""


def problem_tables(sessions: Sequence[Sequence[Arm]]) -> list[ProblemTable]:
    """The table of every mode that has several languages."""
    tables: list[ProblemTable] = []
    for session in sessions:
        of_mode: dict[str, list[Arm]] = {}
        for arm in session:
            of_mode.setdefault(arm.cell.name, []).append(arm)
        tables += [_table(arms) for arms in of_mode.values() if len(arms) > 1]
    return tables


def _table(arms: Sequence[Arm]) -> ProblemTable:
    rows: dict[str, dict[str, tuple[int, int] | None]] = {}
    languages = tuple(arm.cell.cell.language for arm in arms)
    for arm in arms:
        for unit in arm.cell.results:
            problem = arm.cell.problems[unit.task]
            row = rows.setdefault(problem, dict.fromkeys(languages))
            passed, scored = row[arm.cell.cell.language] or (0, 0)
            if not unit.lost:
                row[arm.cell.cell.language] = (passed + unit.passed, scored + 1)
    ordered = {problem: rows[problem] for problem in sorted(rows, key=_natural)}
    return ProblemTable(arms[0].session, arms[0].cell.name, languages, ordered)


def _natural(problem: str) -> tuple[int, str]:
    return (int(problem), "") if problem.isdigit() else (10**9, problem)
