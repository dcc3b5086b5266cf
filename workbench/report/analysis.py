"""All that a session's rows say, cell by cell: what reports and comparisons are made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from workbench.metrics.equal_budget import Cost, cost_of
from workbench.metrics.measure import measure_pass_hat
from workbench.metrics.measure_picked import Sample, measure_picked
from workbench.metrics.measure_repair import (
    measure_episodes,
    measure_repair_budget,
    measure_repair_detail,
)
from workbench.metrics.measurement import Measurement
from workbench.metrics.units import UnitResult
from workbench.protocol.records import Protocol
from workbench.report.measure import measure_cells, results_of
from workbench.session.records import CellRow, Pick, TaskRow, TurnOutcome, UnitRow
from workbench.session.store import SessionReader

NO_PROGRAM = ("no_code", "refused")
"""Outcomes without a program: nobody picks one where another is there."""


@dataclass(frozen=True, slots=True)
class CellAnalysis:
    """One cell with everything that was measured in it."""

    cell: CellRow
    protocol: Protocol
    results: Sequence[UnitResult]
    """Units that have ended; tasks by the benchmark's own id."""
    measured: Sequence[Measurement]
    """The chief numbers, the headline first."""
    beside: Sequence[Measurement]
    """What stands beside them: picking without an oracle, reliability; of repair, what it does."""
    costs: Sequence[Cost]
    """What each unit took."""
    scores: Mapping[str, Mapping[Sample, float | None]]
    """Plain cells: picker -> sample -> what it is picked by."""
    visible: Mapping[Sample, str | None]
    """Sample or episode -> visible outcome of the program handed in, where the tests were run."""
    problems: Mapping[str, str]
    """Task id -> what the same task is called in every language."""

    @property
    def name(self) -> str:
        """The mode, or the recipe's name."""
        return self.cell.recipe or self.cell.mode

    @property
    def tree(self) -> bool:
        """Whether its episodes are trees, of which an oracle picks a program."""
        recipe = self.protocol.gen.recipe
        return recipe is not None and recipe.shape is not None

    @property
    def chief(self) -> Measurement | None:
        """The headline."""
        return self.measured[0] if self.measured else None


def analyse(reader: SessionReader, tokens: Sequence[int] = ()) -> list[CellAnalysis]:
    """Every cell of a session, in planned order.

    Args:
        reader: the session.
        tokens: budgets of generated tokens for `solved@≤B tok`.

    Raises:
        SessionError: the session can't be read.
    """
    measured = measure_cells(reader)
    turns = reader.turn_outcomes()
    tasks = reader.tasks()
    by_cell: dict[int, list[UnitRow]] = {}
    for unit in reader.units():
        by_cell.setdefault(unit.cell_id, []).append(unit)
    return [
        _analyse(reader, cell, by_cell.get(cell.id, []), tasks, turns, measured[cell.id], tokens)
        for cell in reader.cells()
    ]


def _analyse(
    reader: SessionReader,
    cell: CellRow,
    units: Sequence[UnitRow],
    tasks: Mapping[int, TaskRow],
    turns: Mapping[int, Sequence[TurnOutcome]],
    measured: Sequence[Measurement],
    tokens: Sequence[int],
) -> CellAnalysis:
    protocol = Protocol.model_validate(cell.protocol)
    results = results_of(cell, units, tasks, turns)
    ended = [u for u in units if u.outcome is not None]
    picks = {p.unit_id: p for p in reader.picks(cell.id)} if cell.mode == "plain" else {}
    scores = _scores(ended, tasks, picks, turns) if cell.mode == "plain" else {}
    beside = (
        _beside_plain(protocol, results, scores, len(units))
        if cell.mode == "plain"
        else _beside_repair(protocol, results, tokens, len(units))
    )
    shared = measured[0].flags if measured else {}
    return CellAnalysis(
        cell=cell,
        protocol=protocol,
        results=results,
        measured=measured,
        beside=[replace(m, flags=shared) for m in beside],
        costs=_costs(ended, results, turns, plain=cell.mode == "plain"),
        scores=scores,
        visible={
            (r.task, r.index): _visible_of(turns.get(u.id, ()))
            for u, r in zip(ended, results, strict=True)
        },
        problems={t.task_id: t.problem for t in tasks.values() if t.language == cell.language},
    )


def _scores(
    units: Sequence[UnitRow],
    tasks: Mapping[int, TaskRow],
    picks: Mapping[int, Pick],
    turns: Mapping[int, Sequence[TurnOutcome]],
) -> dict[str, dict[Sample, float | None]]:
    """What each sample is picked by: an answer without a program comes last, whatever the picker."""
    seen: dict[Sample, float | None] = {}
    likely: dict[Sample, float | None] = {}
    for unit in units:
        task = tasks[unit.task_pk]
        sample = (task.task_id, unit.index)
        pick = picks.get(unit.id)
        if unit.outcome in NO_PROGRAM:
            seen[sample], likely[sample] = -1.0, float("-inf")
            continue
        visible = pick.visible_outcome if pick is not None else None
        if not task.has_visible_tests:
            seen[sample] = 0.0  # nothing tells them apart: a lot
        elif visible is None or visible == "sandbox_error":
            seen[sample] = None
        else:
            seen[sample] = float(visible == "passed")
        likely[sample] = pick.logprob if pick is not None else None
    found = {"visible-tests": seen}
    if any(value is not None and value > float("-inf") for value in likely.values()):
        found["mean-logprob"] = likely
    return found


def _beside_plain(
    protocol: Protocol,
    results: Sequence[UnitResult],
    scores: Mapping[str, Mapping[Sample, float | None]],
    planned: int,
) -> list[Measurement]:
    """For each k > 1: all of k, and one of k picked without an oracle."""
    ks = [k for k in protocol.record.ks if k > 1]
    if not ks:
        return []
    found = measure_pass_hat(protocol, results, ks, units_planned=planned)
    for picker, of_sample in scores.items():
        found += measure_picked(protocol, results, of_sample, picker, ks, units_planned=planned)
    return found


def _beside_repair(
    protocol: Protocol, results: Sequence[UnitResult], tokens: Sequence[int], planned: int
) -> list[Measurement]:
    """What repair does turn by turn, whole episodes as draws, and token budgets; none of it of a
    tree, whose turns don't follow each other."""
    if protocol.gen.recipe is not None and protocol.gen.recipe.shape is not None:
        return []
    found = measure_repair_detail(protocol, results, units_planned=planned)
    ks = [k for k in protocol.record.ks if k > 1]
    if ks:
        found += measure_episodes(protocol, results, ks, units_planned=planned)
    if tokens:
        found += measure_repair_budget(protocol, results, tokens, units_planned=planned)
    return found


def _costs(
    units: Sequence[UnitRow],
    results: Sequence[UnitResult],
    turns: Mapping[int, Sequence[TurnOutcome]],
    *,
    plain: bool,
) -> list[Cost]:
    """What each scored unit took; a first answer that two modes share counts in both."""
    found: list[Cost] = []
    for unit, result in zip(units, results, strict=True):
        rows = turns.get(unit.id, ())
        if result.lost or not rows:
            continue
        prices = [row.cost_usd for row in rows]
        money = None if None in prices else sum(p or 0.0 for p in prices)
        if plain:
            written, read = rows[0].completion_tokens, rows[0].prompt_tokens
            whole = None if written is None or read is None else written + read
            found.append(Cost(result.task, 1, written, whole, money))
        else:
            found.append(cost_of(result, money))
    return found


def _visible_of(turns: Sequence[TurnOutcome]) -> str | None:
    """Visible outcome of the program handed in: the first accepted, else the last."""
    if not turns:
        return None
    handed = next((t for t in turns if t.accepted), turns[-1])
    return handed.visible_outcome
