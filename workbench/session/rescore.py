"""Judge a session's stored answers anew, elsewise: no model is asked, the source stays as it is."""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from workbench import __version__
from workbench.benchmarks.task import Task
from workbench.checking import prove
from workbench.errors import SessionError, UsageError, WorkbenchError
from workbench.protocol.fingerprint import fingerprint
from workbench.protocol.naming import HELD_OUT, cell_name
from workbench.protocol.records import EvaluationPart, Protocol
from workbench.session.anew import Anew, AnewTurn, copied, cut, judged_turn
from workbench.session.catalogue import check_name
from workbench.session.firsts import key_of_body
from workbench.session.judging import open_judge
from workbench.session.plan import Plan, make_plan, plan_cells
from workbench.session.records import CellRow, TaskRow, TurnRow, UnitRow
from workbench.session.spec import SessionSpec, parse_spec
from workbench.session.store import PROTOCOL, SessionReader
from workbench.session.writer import SessionWriter

AT_ONCE = 16
"""Units that are worked on at once: enough to keep the slots busy."""

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Rescoring:
    """What is to be otherwise; `None` leaves it as the source has it."""

    suite: str | None = None
    """`held-out`: only the scored tests that the model couldn't see."""
    limits: str | None = None
    extraction: str | None = None
    turns: int | None = None
    """Repair: episodes are cut at so many turns."""
    sandbox: str | None = None
    slots: int | None = None
    data_dir: str | None = None

    @property
    def executes(self) -> bool:
        """Whether programs are run; a cut alone is read from the rows."""
        return any((self.suite, self.limits, self.extraction, self.sandbox))


async def rescore(source: Path, name: str | None, asked: Rescoring, say: Say) -> Path:
    """Write the session that `source` would be under other rules; returns its folder.

    The answers, and the turns of an episode with what the model was told in them, stay as they
    were drawn; only what is scored is scored anew. Repair cells are left out of another
    extraction: other code would have got other feedback. The new session appears when it is whole.

    Raises:
        UsageError: nothing is asked for, or it can't be had of this session.
        SessionError: the source has open units, or can't be read.
        SandboxUnavailable: no sandbox or toolchain.
    """
    if not asked.executes and asked.turns is None:
        raise UsageError("rescore what? name --suite, --limits, --extraction, --turns or --sandbox")
    with SessionReader.open(source) as reader:
        _check_whole(reader)
        cells = _cells(reader, asked, say)
        target = source.parent / check_name(name or _free_name(source, asked))
        if target.exists():
            raise UsageError(f"a session {target.name} exists already: choose another --name")
        folder = Path(tempfile.mkdtemp(prefix=".rescore-", dir=source.parent))
        try:
            await _fill(folder, target.name, reader, cells, asked, say)
            folder.rename(target)  # noqa: ASYNC240 - one system call
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    return target


def _check_whole(reader: SessionReader) -> None:
    still_open = sum(counts.get("open", 0) for counts in reader.counts().values())
    if still_open:
        raise SessionError(
            f"{reader.name} has {still_open} open units: `workbench resume {reader.name}` first"
        )


def _cells(reader: SessionReader, asked: Rescoring, say: Say) -> list[CellRow]:
    """The cells that can be had under the new rules; the others are said.

    Raises:
        UsageError: none can.
    """
    kept: list[CellRow] = []
    for cell in reader.cells():
        why = _refused(cell, asked)
        if why:
            say(f"left out: {cell.language} {cell.recipe or cell.mode}: {why}")
        else:
            kept.append(cell)
    if not kept:
        raise UsageError(f"{reader.name}: no cell can be rescored so")
    return kept


def _refused(cell: CellRow, asked: Rescoring) -> str:
    repair = cell.mode == "repair"
    if asked.extraction and repair:
        return "other code would have got other feedback, so its turns can't be had without a model"
    if asked.turns is None:
        return ""
    if not repair:
        return "plain samples have no turns" if not asked.executes else ""
    if cell.protocol["gen"]["recipe"].get("shape"):
        return "the turns of a tree don't follow each other: there is no cut"
    if asked.turns > cell.max_turns:
        return f"it has {cell.max_turns} turns, a cut at {asked.turns} needs more"
    if cell.protocol["gen"]["recipe"].get("announces_budget") and asked.turns < cell.max_turns:
        return f"its prompts announce {cell.max_turns} turns: no cut at {asked.turns}"
    return ""


def _free_name(source: Path, asked: Rescoring) -> str:
    said = [asked.suite, asked.limits, asked.extraction, asked.sandbox]
    said += [f"turns{asked.turns}"] if asked.turns else []
    base = "-".join([source.name[:50], *filter(None, said)])
    name, count = base, 2
    while (source.parent / name).exists():
        name, count = f"{base}-{count}", count + 1
    return name


async def _fill(
    folder: Path,
    name: str,
    reader: SessionReader,
    cells: Sequence[CellRow],
    asked: Rescoring,
    say: Say,
) -> None:
    meta = reader.meta()
    spec = _spec(meta, asked, reader.name) if asked.executes else None
    async with AsyncExitStack() as stack:
        anew: Anew | None = None
        judged: Mapping[str, EvaluationPart] = {}
        if spec is not None:
            plan = _plan(spec, asked)
            judge = await stack.enter_async_context(open_judge(plan))
            say(f"sandbox: {judge.sandbox}")
            for language in plan.languages.values():
                await prove(judge, language, (plan.taskset.family,))
            manifests = {name: await judge.manifest(name) for name in plan.languages}
            planned = plan_cells(plan, manifests, {}, judge.sandbox)
            judged = {cell.language: cell.protocol.eval for cell in planned}
            threads = stack.enter_context(ThreadPoolExecutor(1, "extraction"))
            anew = Anew(plan, judge, threads, again=asked.extraction is not None)
        rows = [(cell, _protocol(cell, judged.get(cell.language), asked)) for cell in cells]
        writer = SessionWriter(folder, create=True)
        try:
            await _describe(writer, folder, name, meta, spec, reader.name, rows, asked)
            copier = _Copier(reader, writer, anew, asked, say)
            for cell, protocol in rows:
                await copier.copy(cell, protocol)
            await writer.add_event("info", f"rescored from {reader.name}: no model was asked")
            await writer.flush()
        finally:
            writer.close()


def _spec(meta: Mapping[str, Any], asked: Rescoring, name: str) -> SessionSpec:
    stored = meta.get("spec") or {}
    if not stored:
        raise UsageError(f"{name} doesn't say how it was made: only --turns can be had of it")
    named = ("limits", "extraction", "sandbox", "slots", "data_dir")
    changes = {key: value for key in named if (value := getattr(asked, key)) is not None}
    return parse_spec({**stored, **changes})


def _plan(spec: SessionSpec, asked: Rescoring) -> Plan:
    plan = make_plan(spec)
    if asked.suite != "held-out":
        return plan
    tasks = tuple(_held_out(task) for task in plan.taskset.tasks)
    return replace(plan, taskset=replace(plan.taskset, tasks=tasks))


def _held_out(task: Task) -> Task:
    """The same task, scored by the tests alone that aren't in its prompt."""
    if task.typed is None:
        raise UsageError(
            f"--suite held-out: the tests of {task.id} are code, from which the visible ones can't "
            "be told apart; `report` bounds the value instead"
        )
    if not task.typed.held_out:
        raise UsageError(f"--suite held-out: every test of {task.id} is visible")
    return replace(task, typed=replace(task.typed, visible=()))


def _protocol(cell: CellRow, judged: EvaluationPart | None, asked: Rescoring) -> Protocol:
    """The source's, with what is otherwise: turns in `gen`, judging in `eval`."""
    protocol = Protocol.model_validate(cell.protocol)
    gen, recipe = protocol.gen, protocol.gen.recipe
    if asked.turns is not None and recipe is not None:
        gen = gen.model_copy(update={"recipe": recipe.model_copy(update={"turns": asked.turns})})
    if judged is not None and asked.suite == "held-out":
        judged = judged.model_copy(
            update={"suite": f"{cell.suite.removesuffix(HELD_OUT)}{HELD_OUT}"}
        )
    record = protocol.record.model_copy(update={"workbench": __version__})
    return protocol.model_copy(
        update={"gen": gen, "eval": judged or protocol.eval, "record": record}
    )


async def _describe(
    writer: SessionWriter,
    folder: Path,
    name: str,
    source: Mapping[str, Any],
    spec: SessionSpec | None,
    of: str,
    rows: Sequence[tuple[CellRow, Protocol]],
    asked: Rescoring,
) -> None:
    changed = {key: getattr(asked, key) for key in ("suite", "limits", "extraction", "turns")}
    meta = {
        **source,
        "created": time.time(),
        "spec": source.get("spec") if spec is None else json.loads(spec.model_dump_json()),
        "rescored_from": {"session": of, "changes": {k: v for k, v in changed.items() if v}},
    }
    await writer.set_meta(meta)
    cells = [
        {
            "label": cell_name(protocol),
            "fingerprint": fingerprint(protocol).whole,
            "protocol": protocol.model_dump(mode="json"),
        }
        for _, protocol in rows
    ]
    body = {"workbench": __version__, "name": name, **meta, "cells": cells}
    text = json.dumps(body, indent=1, ensure_ascii=False)
    (folder / PROTOCOL).write_text(text + "\n", encoding="utf-8")


class _Copier:
    """Writes the units of the source, judged anew where that is asked for."""

    def __init__(
        self,
        reader: SessionReader,
        writer: SessionWriter,
        anew: Anew | None,
        asked: Rescoring,
        say: Say,
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._anew = anew
        self._asked = asked
        self._say = say
        self._tasks = reader.tasks()

    async def copy(self, cell: CellRow, protocol: Protocol) -> None:
        """Write one cell with all its units."""
        units = self._reader.units(cell.id)
        tasks = {u.task_pk: self._tasks[u.task_pk] for u in units}
        keys = await self._writer.add_tasks([_task_row(task) for task in tasks.values()])
        recipe = protocol.gen.recipe
        cell_id = await self._writer.add_cell(
            {
                "benchmark": cell.benchmark,
                "suite": protocol.eval.suite,
                "language": cell.language,
                "mode": cell.mode,
                "recipe": cell.recipe,
                "n": cell.n,
                "max_turns": 1 if recipe is None else recipe.turns,
                "fingerprint": fingerprint(protocol).whole,
                "label": cell_name(protocol),
                "protocol": protocol.model_dump(mode="json"),
            }
        )
        at = {pk: keys[task.language, task.task_id] for pk, task in tasks.items()}
        ids = await self._writer.add_units([(cell_id, at[u.task_pk], u.index) for u in units])
        self._say(f"{cell.language} {cell.recipe or cell.mode}: {len(units)} units")
        at_once = asyncio.Semaphore(AT_ONCE)
        try:
            async with asyncio.TaskGroup() as group:
                for unit, unit_id in zip(units, ids, strict=True):
                    await at_once.acquire()
                    work = self._unit(unit, unit_id, tasks[unit.task_pk], protocol)
                    group.create_task(work).add_done_callback(lambda _: at_once.release())
        except* WorkbenchError as failed:
            raise failed.exceptions[0] from None

    async def _unit(self, unit: UnitRow, unit_id: int, task: TaskRow, protocol: Protocol) -> None:
        recipe = protocol.gen.recipe
        turns = self._reader.turns(unit.id)[: None if recipe is None else recipe.turns]
        done = [await self._turn(turn, task, repair=recipe is not None) for turn in turns]
        for step in self._reader.steps(unit.id):
            if step.turn <= len(turns):
                await self._writer.add_step(
                    unit_id,
                    step.turn,
                    step.step,
                    request=step.request,
                    completion={**step.completion, "text": step.raw},
                )
        for turn, judged in zip(turns, done, strict=True):
            await self._write_turn(unit_id, turn, judged)
        end = cut(unit, done, recipe)
        await self._writer.finish_unit(
            unit_id,
            outcome=end.outcome,
            solved_turn=end.solved_turn,
            flags=end.flags,
            detail=end.detail,
            cost_usd=None if unit.cost_usd is None else str(unit.cost_usd),
            attempts=unit.attempts if end.lost else (),
        )

    async def _turn(self, turn: TurnRow, task: TaskRow, *, repair: bool) -> AnewTurn:
        if self._anew is None or turn.scored is None:
            return copied(turn)
        return await judged_turn(self._anew, task, turn, repair=repair)

    async def _write_turn(self, unit_id: int, turn: TurnRow, judged: AnewTurn) -> None:
        completion = {k: v for k, v in turn.completion.items() if k != "shared"}
        await self._writer.add_completion(
            unit_id,
            turn.turn,
            request_key=key_of_body(turn.request),
            request=turn.request,
            feedback=turn.feedback,
            completion={**completion, "text": turn.raw},
            shared=bool(turn.completion["shared"]),
        )
        if judged.scored is not None or judged.visible is not None:
            await self._writer.add_outcome(
                unit_id,
                turn.turn,
                extraction=judged.extraction,
                code=judged.code,
                program=judged.program or None,
                visible=judged.visible,
                scored=judged.scored,
                flags=judged.flags,
                accepted=turn.accepted,
            )


def _task_row(task: TaskRow) -> dict[str, Any]:
    return {
        "benchmark": task.benchmark,
        "language": task.language,
        "task_id": task.task_id,
        "problem": task.problem,
        "entry_point": task.entry_point,
        "prompt": task.prompt,
        "has_visible_tests": task.has_visible_tests,
    }
