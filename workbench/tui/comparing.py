"""From sessions to what Compare shows. Imports numpy and scipy, reads whole sessions: for a thread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from workbench.errors import SessionError
from workbench.metrics.equal_budget import BUDGETS, mean_cost
from workbench.metrics.estimable import NotEstimable
from workbench.metrics.measure import measure_plain
from workbench.metrics.measure_repair import measure_repair
from workbench.metrics.measurement import Measurement
from workbench.metrics.passk import mean_over_tasks
from workbench.metrics.units import UnitResult
from workbench.report import numbers
from workbench.report.analysis import CellAnalysis, analyse
from workbench.report.budget import BudgetRow, budget_rows
from workbench.report.comparison import Arm, Compared, compare_cells, problem_tables, unmatched
from workbench.session.store import SessionReader
from workbench.tui.model.comparison import (
    LETTERS,
    UNITS,
    Block,
    Budget,
    Comparison,
    Counts,
    Difference,
    Equal,
    Flip,
    Point,
    ProblemRow,
    Row,
    Series,
    Side,
)
from workbench.tui.model.feed import DAMAGED, damage
from workbench.tui.model.readings import reading

MOST_POINTS = 24
"""Values of k that a curve shows."""
UnitIds = Mapping[tuple[int, str, int], int]
"""(cell, task id, index) -> unit."""


def compare(paths: Sequence[Path]) -> Comparison:
    """Set sessions beside each other; the first is what the others are set beside.

    Raises:
        SessionError: one can't be read.
    """
    sides: list[Side] = []
    sessions: list[list[Arm]] = []
    units: list[UnitIds] = []
    names: dict[tuple[str, str], str] = {}
    for letter, path in zip(LETTERS, paths, strict=False):
        try:
            with SessionReader.open(path) as reader:
                model = str(reader.meta().get("model", ""))
                sessions.append([Arm(path.name, model, cell) for cell in analyse(reader)])
                tasks = reader.tasks()
                units.append({(u.cell_id, tasks[u.task_pk].task_id, u.index): u.id
                              for u in reader.units()})  # fmt: skip
                names |= {(t.language, t.task_id): t.entry_point for t in tasks.values()}
        except DAMAGED as error:
            raise SessionError(damage(path.name, error)) from error
        sides.append(Side(letter, path.name, model, path))
    compared = compare_cells(sessions, "model") if len(sessions) > 1 else []
    flips = list(_flips(sessions, units, names))
    return Comparison(
        tuple(sides),
        tuple(_blocks(sides, sessions, compared)),
        tuple(_refused(sides, sessions, compared)),
        tuple(flips),
        _counts(sessions),
        _curves(sides, sessions),
        tuple(b for side, arms in zip(sides, sessions, strict=True) for b in _budgets(side, arms)),
        _problems(sessions),
    )


def _modes(sessions: Sequence[Sequence[Arm]]) -> list[str]:
    return list(dict.fromkeys(arm.cell.name for arms in sessions for arm in arms))


def _blocks(
    sides: Sequence[Side], sessions: Sequence[Sequence[Arm]], compared: Sequence[Compared]
) -> Iterator[Block]:
    letter_of = {side.name: side.letter for side in sides}
    # Another metric or another benchmark is another block: what may not share a column doesn't.
    found: dict[tuple[str, ...], dict[str, dict[str, Measurement]]] = {}
    repairs: set[str] = set()
    for side, arms in zip(sides, sessions, strict=True):
        for arm in arms:
            chief, cell = arm.cell.chief, arm.cell.cell
            if chief is None:
                continue
            key = (arm.cell.name, str(chief.metric), f"{cell.benchmark}+{cell.suite}")
            found.setdefault(key, {}).setdefault(cell.language, {})[side.letter] = chief
            if cell.mode != "plain":
                repairs.add(arm.cell.name)
    order = _modes(sessions)
    for key in sorted(found, key=lambda k: order.index(k[0])):
        mode, metric, data = key
        rows = tuple(
            Row(
                language,
                {letter: reading(m) for letter, m in of_row.items()},
                tuple(
                    _difference(c, letter_of[c.b.session])
                    for c in compared
                    if c.a.place == (language, mode) and letter_of[c.b.session] in of_row
                    and "A" in of_row
                ),
            )
            for language, of_row in found[key].items()
        )  # fmt: skip
        yield Block(mode, mode in repairs, metric, data, rows)


def _difference(c: Compared, letter: str) -> Difference:
    if c.found is None:
        return Difference(letter, "", note=c.refused)
    least = c.found.detectable
    note = f"{100 * least:.1f} points could have been shown" if least else ""
    return Difference(
        letter, numbers.difference(c.found), numbers.separable(c.p_holm), note, c.differs
    )


def _refused(
    sides: Sequence[Side], sessions: Sequence[Sequence[Arm]], compared: Sequence[Compared]
) -> Iterator[str]:
    for c in compared:
        if c.found is None:
            yield f"{' '.join(c.a.place)}: {c.refused}"
    if len(sessions) > 1:
        yield from unmatched(sessions)
    modes = _modes(sessions)
    if len(modes) > 1:
        yield f"beside, not in one column: {', '.join(modes)} (mode and metric differ)"


def _by_task(cell: CellAnalysis) -> dict[str, list[UnitResult]]:
    found: dict[str, list[UnitResult]] = {}
    for unit in cell.results:
        if not unit.lost:
            found.setdefault(unit.task, []).append(unit)
    return found


def _solved(units: Sequence[UnitResult]) -> bool:
    """The majority of samples; with one sample, that one."""
    return 2 * sum(u.passed for u in units) > len(units)


def _common(
    sessions: Sequence[Sequence[Arm]],
) -> Iterator[tuple[str, int, Arm, Arm, str, list[UnitResult], list[UnitResult]]]:
    """(mode, number of the other session, arms, task, units in A, units there)."""
    for number, other in enumerate(sessions[1:], 1):
        there = {arm.place: arm for arm in other}
        for arm in sessions[0]:
            beside = there.get(arm.place)
            if beside is None or not _same_metric(arm, beside):
                continue
            ours, theirs = _by_task(arm.cell), _by_task(beside.cell)
            for task, units in ours.items():
                if task in theirs:
                    yield arm.cell.name, number, arm, beside, task, units, theirs[task]


def _same_metric(a: Arm, b: Arm) -> bool:
    """Only then a task can be said to turn: one greedy draw and a majority are different things."""
    one, two = a.cell.chief, b.cell.chief
    return one is not None and two is not None and one.metric == two.metric


def _flips(
    sessions: Sequence[Sequence[Arm]], ids: Sequence[UnitIds], names: Mapping[tuple[str, str], str]
) -> Iterator[Flip]:
    for mode, number, a, b, task, ours, theirs in _common(sessions):
        before, after = _solved(ours), _solved(theirs)
        if before == after:
            continue
        shown = [_typical(units, solved=s) for units, s in ((ours, before), (theirs, after))]
        yield Flip(
            mode,
            a.cell.cell.language,
            task,
            names.get((a.cell.cell.language, task), ""),
            (shown[0].outcome, shown[1].outcome),
            LETTERS[number],
            after,
            (ids[0][a.cell.cell.id, task, shown[0].index],
             ids[number][b.cell.cell.id, task, shown[1].index]),
        )  # fmt: skip


def _typical(units: Sequence[UnitResult], *, solved: bool) -> UnitResult:
    of_kind = [u for u in units if u.passed == solved]
    common = Counter(u.outcome for u in of_kind).most_common(1)[0][0]
    return next(u for u in of_kind if u.outcome == common)


def _counts(sessions: Sequence[Sequence[Arm]]) -> dict[tuple[str, str], Counts]:
    tallies: dict[tuple[str, str], Counter[tuple[bool, bool]]] = {}
    for mode, number, _, _, _, ours, theirs in _common(sessions):
        tally = tallies.setdefault((mode, LETTERS[number]), Counter())
        tally[_solved(ours), _solved(theirs)] += 1
    return {
        key: Counts(t[True, True], t[True, False], t[False, True], t[False, False])
        for key, t in tallies.items()
    }


# --- curves


def _curves(
    sides: Sequence[Side], sessions: Sequence[Sequence[Arm]]
) -> dict[str, tuple[Series, ...]]:
    found: dict[str, list[Series]] = {}
    for side, arms in zip(sides, sessions, strict=True):
        for arm in arms:
            points = _pass_at_k(arm.cell)
            if len(points) > 1:
                found.setdefault(arm.cell.cell.language, []).append(
                    Series(side.letter, False, tuple(Point(k, reading(m)) for k, m in points))
                )
    return {language: tuple(series) for language, series in found.items()}


def _pass_at_k(cell: CellAnalysis) -> list[tuple[int, Measurement]]:
    """pass@k for as many k as every task has samples for; none of a greedy cell."""
    if cell.cell.mode != "plain" or not cell.results:
        return []
    most = min(len(units) for units in _by_task(cell).values()) if _by_task(cell) else 0
    if cell.protocol.gen.regime == "greedy":
        most = min(most, 1)
    step = -(-most // MOST_POINTS) if most else 1
    ks = [k for k in range(1, most + 1) if k in (1, most) or k % step == 0]
    if not ks:
        return []
    measured = measure_plain(cell.protocol, cell.results, ks)
    return [(k, m) for k, m in zip(ks, measured, strict=True) if m.value is not None]


def _budgets(side: Side, arms: Sequence[Arm]) -> Iterator[Budget]:
    cells = [arm.cell for arm in arms]
    by_pair: dict[tuple[str, str], list[BudgetRow]] = {}
    for row in budget_rows(cells):
        by_pair.setdefault((row.language, row.mode), []).append(row)
    for (language, mode), rows in by_pair.items():
        plain = next(c for c in cells if c.cell.language == language and c.cell.mode == "plain")
        repair = next(c for c in cells if (c.cell.language, c.name) == (language, mode))
        curves: dict[str, tuple[Series, ...]] = {}
        unknown: dict[str, str] = {}
        for unit in UNITS:
            try:
                curves[unit] = (_repair_curve(repair, unit), _resampling(plain, unit))
            except NotEstimable as why:
                unknown[unit] = "price unknown" if unit == "money" else why.reason
        yield Budget(
            side.letter, language, mode, rows[0].metric, rows[0].labels, curves, unknown,
            tuple(_equal(row) for row in rows),
        )  # fmt: skip


def _resampling(plain: CellAnalysis, unit: str) -> Series:
    one = mean_cost(plain.costs, unit, list(_by_task(plain)))
    if not one:
        raise NotEstimable(f"a sample costs no {unit}")
    points = tuple(Point(k * one, reading(m)) for k, m in _pass_at_k(plain))
    return Series("resampling", False, points)


def _repair_curve(repair: CellAnalysis, unit: str) -> Series:
    """solved@≤t over what episodes took up to turn t, mean over tasks."""
    if repair.protocol.gen.recipe is not None and repair.protocol.gen.recipe.shape is not None:
        raise NotEstimable("a tree has no single line of turns")
    last = repair.protocol.gen.recipe.turns if repair.protocol.gen.recipe else 1
    if unit == "money":
        cost = mean_cost(repair.costs, unit, list(_by_task(repair)))
        measured = repair.chief
        if not cost or measured is None or measured.value is None:
            raise NotEstimable("an episode costs no money")
        return Series(f"repair ≤{last}", True, (Point(cost, reading(measured)),))
    cuts = list(range(1, last + 1))
    measured_cuts = measure_repair(repair.protocol, repair.results, cuts)[:-1]
    points = [
        Point(_spent(repair, unit, cut), reading(m))
        for cut, m in zip(cuts, measured_cuts, strict=True)
        if m.value is not None
    ]
    return Series(f"repair ≤{last}", True, tuple(points))


def _spent(repair: CellAnalysis, unit: str, cut: int) -> float:
    assert unit in BUDGETS
    per_task: list[float] = []
    for units in _by_task(repair).values():
        costs: list[float] = []
        for each in units:
            turns = each.turns[:cut]
            if unit == "calls":
                costs.append(sum(t.calls for t in turns))
                continue
            written = [t.generated_tokens for t in turns]
            read = [t.prompt_tokens for t in turns] if unit == "total tokens" else []
            if None in written or None in read:
                raise NotEstimable(f"{unit} of some turns aren't known")
            costs.append(float(sum(n or 0 for n in (*written, *read))))
        per_task.append(mean_over_tasks(costs))
    return mean_over_tasks(per_task)


def _equal(row: BudgetRow) -> Equal:
    found = row.found
    if found is None:
        return Equal(row.budget, row.against, "", "", "", "", "", row.missing)
    tasks = len(found.difference.tasks)
    money = row.budget == "money"
    return Equal(
        row.budget,
        row.against,
        numbers.money(found.episode) if money else f"{found.episode:.{2 if found.episode < 100 else 0}f}",
        f"{found.samples:.2f}",
        numbers.arm(found.repair, tasks),
        numbers.arm(found.plain, tasks),
        numbers.difference(found.difference),
        "",
    )  # fmt: skip


def _problems(sessions: Sequence[Sequence[Arm]]) -> dict[str, tuple[ProblemRow, ...]]:
    """Every mode's problems: per language, passed of scored in each session."""
    tables = [{t.mode: t for t in problem_tables([arms])} for arms in sessions]
    found: dict[str, tuple[ProblemRow, ...]] = {}
    for mode in _modes(sessions):
        of_mode = [t.get(mode) for t in tables]
        languages = list(dict.fromkeys(x for t in of_mode if t for x in t.languages))
        names = list(dict.fromkeys(p for t in of_mode if t for p in t.rows))
        found[mode] = tuple(
            ProblemRow(
                name,
                {x: tuple(t.rows.get(name, {}).get(x) if t else None for t in of_mode)
                 for x in languages},
            )
            for name in names
        )  # fmt: skip
    return found
