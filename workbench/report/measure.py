"""From a session's rows to its measurements: the one way every report and screen takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from workbench.metrics.measure import measure_plain
from workbench.metrics.measure_repair import measure_repair
from workbench.metrics.measure_tree import measure_tree
from workbench.metrics.measurement import Measurement
from workbench.metrics.units import TurnResult, UnitResult, count_flags
from workbench.protocol.records import Protocol
from workbench.report import numbers
from workbench.session.records import Access, CellRow, TaskRow, TurnOutcome, UnitRow
from workbench.session.store import SessionReader


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
    access, repeated = reader.access(), reader.repeated()
    found: dict[int, list[Measurement]] = {}
    for cell in reader.cells():
        measured = measure_cell(cell, by_cell[cell.id], tasks, turns)
        notes = tuple(_origin(access.get(cell.id), repeated.get(cell.id) if cell.n > 1 else None))
        flags = _flags(by_cell[cell.id])
        found[cell.id] = [replace(m, notes=(*m.notes, *notes), flags=flags) for m in measured]
    return found


def _flags(units: Sequence[UnitRow]) -> dict[str, int]:
    """How many units that have ended carry each flag."""
    return count_flags(Counter(flag for u in units if u.outcome is not None for flag in u.flags))


def _origin(access: Access | None, repeated: tuple[int, int] | None) -> Iterator[str]:
    """Who answered and when, and how many answers repeat another: said under every number."""
    if access is not None and access.first > 0:
        days = [f"{datetime.fromtimestamp(t, UTC):%Y-%m-%d}" for t in (access.first, access.last)]
        when = days[0] if days[0] == days[1] else f"{days[0]} to {days[1]}"
        yield f"answered by {', '.join(filter(None, access.models)) or 'nobody named'}, accessed {when}"
    if repeated is not None and repeated[1]:
        share = numbers.share_of(*repeated)
        yield f"{repeated[0]} of {repeated[1]} programs ({share}) repeat another of their task"


def measure_cell(
    cell: CellRow,
    units: Sequence[UnitRow],
    tasks: dict[int, TaskRow],
    turns: dict[int, list[TurnOutcome]],
) -> list[Measurement]:
    """The measurements of one cell: pass@k; solved@≤t from the last t down and any-turn; or a tree-rate."""
    protocol = Protocol.model_validate(cell.protocol)
    results = results_of(cell, units, tasks, turns)
    if cell.mode == "plain":
        return measure_plain(protocol, results, units_planned=len(units))
    if protocol.gen.recipe is not None and protocol.gen.recipe.shape is not None:
        return measure_tree(protocol, results, units_planned=len(units))
    found = measure_repair(protocol, results, units_planned=len(units))
    solved, oracle = found[:-1], found[-1:]
    return [*reversed(solved), *oracle]


def results_of(
    cell: CellRow,
    units: Sequence[UnitRow],
    tasks: Mapping[int, TaskRow],
    turns: Mapping[int, Sequence[TurnOutcome]],
) -> list[UnitResult]:
    """What came of a cell's units that have ended; tasks by the benchmark's own id."""
    return [
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


def _turns(rows: Sequence[TurnOutcome]) -> tuple[TurnResult, ...]:
    return tuple(
        TurnResult(r.outcome, r.accepted, r.completion_tokens, r.prompt_tokens, r.calls)
        for r in rows
        if r.outcome is not None
    )
