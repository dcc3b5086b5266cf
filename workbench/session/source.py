"""A session that repairs the programs of another: its first answers are taken over, not drawn.

Every sample of the plain session is taken, not only those that fail: which fail is known from the
scored tests, and a choice by them would be an oracle's. What passes the visible tests ends at turn 1
and costs nothing, so `solved@≤1` is the plain session's own pass@1.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workbench.bodies import body_of
from workbench.errors import UsageError
from workbench.modes.recipe_file import load_recipe
from workbench.session.catalogue import find
from workbench.session.firsts import key_of_body, request_key
from workbench.session.plan import Plan
from workbench.session.records import CellRow, TurnRow
from workbench.session.spec import SessionSpec, parse_spec
from workbench.session.store import SessionReader
from workbench.session.writer import SessionWriter

MAY_CHANGE = (
    "concurrency", "slots", "attempts", "request_timeout", "requests_per_minute", "price",
    "max_cost", "max_tokens_total", "api_base", "api_key_env", "data_dir", "cold", "sandbox",
    "repeat_judging",
)  # fmt: skip
"""Fields of the spec that a session may have of its own: none of them changes a first answer."""


def spec_of_source(
    sessions: Path, name: str, modes: tuple[str, ...], given: Mapping[str, Any]
) -> SessionSpec:
    """What repairing the programs of a session asks for.

    Raises:
        UsageError: no recipe is named, or the session isn't plain, not finished or lost answers.
        SessionError: there is no such session.
    """
    if not modes or "plain" in modes:
        raise UsageError(
            "--from repairs programs: name recipes with --mode, such as repair-visible"
        )
    for mode in modes:
        if load_recipe(mode).agent is not None:
            raise UsageError(
                f"--from {name}: {mode} begins with nothing: it takes no first program"
            )
    with SessionReader.open(find(sessions, name)) as reader:
        cells = _plain_cells(reader)
        stored: dict[str, Any] = reader.meta().get("spec") or {}
    if not stored:
        raise UsageError(f"{name} wasn't made by `workbench run`: it can't say how it asked")
    seen = "\n".join(sorted(f"{c.language} {c.fingerprint}" for c in cells))
    start = hashlib.sha256(seen.encode()).hexdigest()[:12]
    source = {"session": name, "start": start}
    sampling = parse_spec(stored)
    body = sampling.model_dump()
    # What n implied there is meant here, too.
    body["sampling"] |= {"temperature": sampling.temperature, "top_p": sampling.top_p}
    return parse_spec({**body, "max_cost": None, "max_tokens_total": None, **given,
                       "modes": modes, "source": source})  # fmt: skip


def _plain_cells(reader: SessionReader) -> list[CellRow]:
    """The plain cells of a session that can be repaired.

    Raises:
        UsageError: there is none, or units are open or lost.
    """
    cells = [cell for cell in reader.cells() if cell.mode == "plain"]
    if not cells:
        raise UsageError(f"{reader.name} has no plain mode: --from repairs plain samples")
    counts = reader.counts()
    for cell in cells:
        found = counts.get(cell.id, {})
        undone = sum(found.get(o, 0) for o in ("open", "generation_failed", "sandbox_error"))
        if undone:
            raise UsageError(
                f"{reader.name}: {undone} {cell.language} samples are open or lost: "
                f"`workbench resume {reader.name}` first"
            )
    return cells


def _answers(reader: SessionReader) -> dict[tuple[str, str, int], TurnRow]:
    """First answers by language, task id and index."""
    tasks = reader.tasks()
    found: dict[tuple[str, str, int], TurnRow] = {}
    for cell in _plain_cells(reader):
        for unit in reader.units(cell.id):
            task = tasks[unit.task_pk]
            turns = reader.turns(unit.id)
            found[task.language, task.task_id, unit.index] = turns[0]
    return found


def check_source(sessions: Path, plan: Plan) -> None:
    """Refuse first programs that answer something else than this session would ask.

    Raises:
        UsageError: the prompts are no longer the same, or a task has no answer there.
    """
    source = plan.spec.source
    if source is None:
        return
    with SessionReader.open(find(sessions, source.session)) as reader:
        found = _answers(reader)
    for task in plan.taskset.tasks:
        for index in range(plan.spec.n):
            turn = found.get((task.language, task.id, index))
            if turn is None:
                raise UsageError(f"{source.session} has no sample {index} of {task.id}")
            if key_of_body(turn.request) != request_key(plan.first_request(task, index, "")):
                raise UsageError(
                    f"{source.session} asked something else for {task.id} than is asked now (another "
                    "version's prompt or data?): run the plain session again"
                )


async def take_first_programs(
    sessions: Path, path: Path, plan: Plan, writer: SessionWriter
) -> None:
    """Store the answers of the source as turn 1 of every episode that has none yet.

    They count as paid for there; what is judged of them is judged anew.
    """
    source = plan.spec.source
    if source is None:
        return
    with SessionReader.open(path) as reader:
        cells = {cell.id: cell for cell in reader.cells()}
        tasks = reader.tasks()
        empty = [unit for unit in reader.units() if unit.turns == 0 and unit.outcome is None]
    if not empty:
        return
    with SessionReader.open(find(sessions, source.session)) as reader:
        found = _answers(reader)
    by_task = {(task.language, task.id): task for task in plan.taskset.tasks}
    for unit in empty:
        row = tasks[unit.task_pk]
        turn = found[row.language, row.task_id, unit.index]
        task = by_task[row.language, row.task_id]
        request = plan.first_request(task, unit.index, cells[unit.cell_id].recipe)
        completion = {k: v for k, v in turn.completion.items() if k != "shared"}
        await writer.add_completion(
            unit.id,
            1,
            request_key=request_key(request),
            request=body_of(request),
            feedback="",
            completion={**completion, "text": turn.raw},
            shared=True,
        )
    await writer.add_event("info", f"{len(empty)} first programs are those of {source.session}")
