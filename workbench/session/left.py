"""What is left to do in a session, read from its rows and from nothing else."""

from __future__ import annotations

from decimal import Decimal
from functools import partial

from workbench.generation.model import Attempt, Completion, ToolCall, Usage
from workbench.session.firsts import FirstAnswers
from workbench.session.live import Board
from workbench.session.plan import Plan, PlannedUnit
from workbench.session.records import StepRow, TurnRow
from workbench.session.store import SessionReader


def open_units(
    reader: SessionReader, plan: Plan
) -> tuple[list[PlannedUnit], dict[int, list[TurnRow]], Board, FirstAnswers]:
    """What is left to do, and what is there already."""
    cells = {c.id: c for c in reader.cells()}
    tasks = {(t.language, t.id): t for t in plan.taskset.tasks}
    rows = reader.tasks()
    rank = {key: i for i, key in enumerate(tasks)}
    units: list[PlannedUnit] = []
    stored: dict[int, list[TurnRow]] = {}
    done = lost = planned = 0
    for unit in reader.units():
        cell, row = cells[unit.cell_id], rows[unit.task_pk]
        planned += 1
        if unit.outcome is not None:
            if unit.outcome in ("generation_failed", "sandbox_error"):
                lost += 1
            else:
                done += 1
            continue
        task = tasks[row.language, row.task_id]
        if unit.turns:
            stored[unit.id] = reader.turns(unit.id)
        units.append(
            PlannedUnit(
                unit.id,
                unit.cell_id,
                task,
                unit.index,
                cell.recipe,
                plan.first_request(task, unit.index, cell.recipe),
                partial(reader.turns, unit.id),
                partial(_steps, reader, unit.id) if cell.recipe else dict,
            )
        )
    # Index by index, task by task, languages in turn: early values rest on many tasks, and no
    # language waits for another.
    units.sort(key=lambda u: (u.index, rank[u.task.language, u.task.id], u.cell_id))
    firsts = FirstAnswers(len(plan.spec.modes))
    if len(plan.spec.modes) > 1:
        for key, turn in reader.first_answers():
            firsts.add(key, read_completion(turn))
    board = Board(planned, done, lost)
    totals = reader.totals()
    board.prompt_tokens = totals["prompt_tokens"]
    board.completion_tokens = totals["completion_tokens"]
    board.cost = None if totals["cost_usd"] is None else Decimal(str(totals["cost_usd"]))
    return units, stored, board, firsts


def _steps(reader: SessionReader, unit_id: int) -> dict[tuple[int, str], Completion]:
    return {(row.turn, row.step): read_completion(row) for row in reader.steps(unit_id)}


def read_completion(turn: TurnRow | StepRow) -> Completion:
    """A stored answer as the record it was."""
    body = turn.completion
    cost = body["cost_usd"]
    return Completion(
        text=turn.raw,
        finish_reason=body["finish_reason"],
        model=body["model"],
        usage=Usage(**body["usage"]),
        cost_usd=None if cost is None else Decimal(cost),
        logprob_mean=body["logprob_mean"],
        started=body["started"],
        seconds=body["seconds"],
        attempts=tuple(Attempt(**a) for a in body["attempts"]),
        reasoning=body["reasoning"],
        tool_calls=tuple(ToolCall(**call) for call in body.get("tool_calls", ())),
    )
