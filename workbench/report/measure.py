"""From a session's rows to its measurements: the one way every report and screen takes."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.metrics.measure import measure_plain
from workbench.metrics.measure_repair import measure_repair
from workbench.metrics.measurement import Measurement
from workbench.metrics.units import TurnResult, UnitResult
from workbench.protocol.records import Protocol
from workbench.session.records import CellRow, TaskRow, UnitRow
from workbench.session.store import SessionReader, TurnOutcome


def measure_session(reader: SessionReader) -> list[Measurement]:
    """Every measurement of a session, cell by cell in planned order.

    Only units with an outcome count; a session that still runs gives provisional values.
    """
    return [m for found in measure_cells(reader).values() for m in found]


def measure_cells(reader: SessionReader) -> dict[int, list[Measurement]]:
    """Cell id -> its measurements, the headline first."""
    tasks = reader.tasks()
    by_cell: dict[int, list[UnitRow]] = {cell.id: [] for cell in reader.cells()}
    for unit in reader.units():
        by_cell[unit.cell_id].append(unit)
    repaired = any(cell.mode == "repair" for cell in reader.cells())
    turns = reader.turn_outcomes() if repaired else {}
    return {cell.id: measure_cell(cell, by_cell[cell.id], tasks, turns) for cell in reader.cells()}


def measure_cell(
    cell: CellRow,
    units: Sequence[UnitRow],
    tasks: dict[int, TaskRow],
    turns: dict[int, list[TurnOutcome]],
) -> list[Measurement]:
    """The measurements of one cell: pass@k, or solved@≤t from the last t down and any-turn."""
    protocol = Protocol.model_validate(cell.protocol)
    results = [
        UnitResult(
            tasks[u.task_pk].task_id,
            u.index,
            u.outcome,
            () if cell.mode == "plain" else _turns(turns.get(u.id, ())),
            u.solved_turn,
        )
        for u in units
        if u.outcome is not None
    ]
    if cell.mode == "plain":
        return measure_plain(protocol, results, units_planned=len(units))
    found = measure_repair(protocol, results, units_planned=len(units))
    solved, oracle = found[:-1], found[-1:]
    return [*reversed(solved), *oracle]


def _turns(rows: Sequence[TurnOutcome]) -> tuple[TurnResult, ...]:
    return tuple(
        TurnResult(r.outcome, r.accepted, r.completion_tokens, r.prompt_tokens)
        for r in rows
        if r.outcome is not None
    )
