"""Repair beside resampling at one cost: what a gain over pass@1 doesn't say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from workbench.metrics.equal_budget import BUDGETS, AtBudget, Curve, at_equal_budget
from workbench.metrics.estimable import NotEstimable
from workbench.metrics.passk import per_task_pass_at_k
from workbench.metrics.picking import groups_of, picked_of_groups
from workbench.report import numbers
from workbench.report.analysis import CellAnalysis
from workbench.report.sections import Section

ANY = "any of k′ (oracle)"
FREE = "a sample costs no money"
PICKED = "one of k′ by visible tests"


@dataclass(frozen=True, slots=True)
class BudgetRow:
    """One repair cell beside the plain cell of its language."""

    language: str
    mode: str
    metric: str
    """Of repair: `solved@≤3`."""
    budget: str
    """One of `BUDGETS`."""
    against: str
    """How one of the plain samples is chosen."""
    labels: tuple[str, str]
    """Whole, of repair and of plain."""
    found: AtBudget | None
    missing: str = ""

    def to_json(self) -> dict[str, Any]:
        """As exported, unrounded; shares in 0..1."""
        found = self.found
        difference = None if found is None else found.difference
        interval = None if difference is None else difference.interval
        return {
            "language": self.language,
            "mode": self.mode,
            "metric": self.metric,
            "budget": self.budget,
            "against": self.against,
            "labels": list(self.labels),
            "missing": self.missing,
            "episode": None if found is None else found.episode,
            "samples": None if found is None else found.samples,
            "repair": None if found is None else found.repair,
            "plain": None if found is None else found.plain,
            "gain": None if difference is None else difference.delta,
            "interval": None if interval is None else interval.to_json(),
            "p": None if difference is None else difference.p,
            "tasks": None if difference is None else len(difference.tasks),
        }


def budget_rows(cells: Sequence[CellAnalysis]) -> list[BudgetRow]:
    """Every repair cell that has a plain cell of the same tasks, at each budget."""
    plain = {(c.cell.benchmark, c.cell.suite, c.cell.language): c
             for c in cells if c.cell.mode == "plain"}  # fmt: skip
    rows: list[BudgetRow] = []
    for cell in cells:
        beside = plain.get((cell.cell.benchmark, cell.cell.suite, cell.cell.language))
        if cell.cell.mode == "plain" or beside is None:
            continue
        rows += _of_pair(cell, beside)
    return rows


def _of_pair(repair: CellAnalysis, plain: CellAnalysis) -> list[BudgetRow]:
    chief, other = repair.chief, plain.chief
    if chief is None or other is None or chief.value is None:
        return []
    if (chief.metric.programs or 1) > 1:
        return []  # a unit is one first program with its repairs, not a tree of several
    rows: list[BudgetRow] = []
    for against, curve, most in curves(plain):
        if chief.metric.oracle and against != ANY:
            continue  # an oracle is set beside an oracle
        for budget in BUDGETS:
            found, missing = None, ""
            try:
                found = at_equal_budget(
                    budget, chief.by_task, repair.costs, curve, plain.costs, most
                )
            except NotEstimable as why:
                missing = why.reason
            rows.append(
                BudgetRow(
                    repair.cell.language,
                    repair.name,
                    str(chief.metric),
                    budget,
                    against,
                    (str(chief.label), str(other.label)),
                    found,
                    missing,
                )
            )
    return rows


def curves(plain: CellAnalysis) -> list[tuple[str, Curve, int]]:
    """How plain sampling grows with k: (how one of k is chosen, the curve, greatest k)."""
    by_task: dict[str, list[tuple[bool, float | None]]] = {}
    seen = plain.scores.get("visible-tests", {})
    for unit in plain.results:
        if not unit.lost:
            score = seen.get((unit.task, unit.index))
            by_task.setdefault(unit.task, []).append((unit.passed, score))
    if not by_task:
        return []
    most = min(len(samples) for samples in by_task.values())
    counts = [(len(s), sum(hit for hit, _ in s)) for s in by_task.values()]

    groups = {
        task: groups_of((hit, score or 0.0) for hit, score in samples)
        for task, samples in by_task.items()
    }

    @cache
    def any_of(k: int) -> Mapping[str, float]:
        return dict(zip(by_task, per_task_pass_at_k(counts, k), strict=True))

    @cache
    def one_of(k: int) -> Mapping[str, float]:
        return {task: picked_of_groups(found, k) for task, found in groups.items()}

    found: list[tuple[str, Curve, int]] = [(ANY, any_of, most)]
    known = all(score is not None for samples in by_task.values() for _, score in samples)
    if known and most > 1:
        found.append((PICKED, one_of, most))
    return found


def budget_section(rows: Sequence[BudgetRow]) -> list[Section]:
    """As one part of a report; none without a repair cell beside a plain one."""
    if not rows:
        return []
    pairs: dict[tuple[str, str, str], list[BudgetRow]] = {}
    for row in rows:
        pairs.setdefault((row.language, row.mode, row.against), []).append(row)
    head = ("language", "mode", "equal", "an episode", "k′", "repair", "plain", "gain", "plain is")
    return [
        Section(
            "equal_budget",
            "equal budget: repair beside resampling at the same cost",
            head,
            tuple(line for of_pair in pairs.values() for line in _lines(of_pair)),
            (
                "k′: samples that cost as much as a mean episode. gain: repair minus plain at k′, paired "
                "over tasks, in percentage points. Any of k′ needs the scored tests to pick, one "
                "of k′ doesn't; nor does repair, unless its metric says (oracle)",
            ),
            [row.to_json() for row in rows],
            frozenset({3, 4, 5, 6, 7}),
        )
    ]


def _lines(rows: Sequence[BudgetRow]) -> list[tuple[str, ...]]:
    """A line a budget; one for all where none can be compared, and none for what costs nothing."""
    if all(row.found is None for row in rows):
        first = rows[0]
        return [(first.language, f"{first.mode} {first.metric}", "any", *[""] * 4, numbers.NOTHING,
                 f"{first.against}: not estimable: by {first.budget} {first.missing}")]  # fmt: skip
    lines: list[tuple[str, ...]] = []
    for row in rows:
        if row.found is not None:
            lines.append(_shown(row, row.found))
        elif row.missing != FREE:
            lines.append((row.language, f"{row.mode} {row.metric}", row.budget, *[""] * 4,
                          numbers.NOTHING, f"{row.against}: not estimable: {row.missing}"))  # fmt: skip
    return lines


def _shown(row: BudgetRow, found: AtBudget) -> tuple[str, ...]:
    tasks = len(found.difference.tasks)
    cost = (
        numbers.money(found.episode)
        if row.budget == "money"
        else f"{found.episode:.{2 if found.episode < 100 else 0}f}"
    )
    return (
        row.language,
        f"{row.mode} {row.metric}",
        row.budget,
        cost,
        f"{found.samples:.2f}",
        numbers.arm(found.repair, tasks),
        numbers.arm(found.plain, tasks),
        numbers.difference(found.difference),
        row.against,
    )
