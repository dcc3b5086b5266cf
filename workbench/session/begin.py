"""Begin, resume or extend a session: from a spec to a running engine and back to the folder."""

from __future__ import annotations

import asyncio
import json
import os
import platform
import re
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from workbench import __version__
from workbench.checking import prove
from workbench.errors import SessionError, UsageError
from workbench.execution.judge import Judge
from workbench.generation.budget import Budget, Capped, Spending
from workbench.generation.model import Generator
from workbench.generation.open import OpenedModel, open_generator
from workbench.protocol.comparison import may_share_column
from workbench.protocol.kinds import Kind
from workbench.protocol.records import Protocol
from workbench.session.catalogue import check_name
from workbench.session.engine import Ended, Engine
from workbench.session.judging import open_judge
from workbench.session.left import open_units
from workbench.session.live import Board
from workbench.session.lock import SessionLock
from workbench.session.models import check_prices, model_options, open_critics
from workbench.session.plan import CellPlan, Plan, make_plan, plan_cells
from workbench.session.signals import stopping_on_signals
from workbench.session.source import check_source, take_first_programs
from workbench.session.spec import SessionSpec, parse_spec
from workbench.session.store import PROTOCOL, SessionReader
from workbench.session.writer import SessionWriter

Say = Callable[[str], None]
Front = Callable[[Engine, Path], Awaitable[None]]
"""What shows a running session; it is cancelled when the engine has ended, unless it waits."""


@dataclass(frozen=True, slots=True)
class Workshop:
    """A plan with its machines open: the judge proved, the model reachable."""

    plan: Plan
    judge: Judge
    generator: OpenedModel
    cells: list[CellPlan]
    identity: Mapping[str, Any]
    critics: Mapping[str, OpenedModel]
    """Other models by name, which explain what is wrong."""


@asynccontextmanager
async def workshop(plan: Plan, say: Say, sessions: Path) -> AsyncGenerator[Workshop]:
    """Open sandbox and model for a plan; both are closed at the end, whatever happens.

    Raises:
        SandboxUnavailable: no sandbox, or a language has no toolchain in it.
        SandboxFault: a toolchain doesn't give the outcomes it must.
        UsageError: the model can't be used.
    """
    asked = plan.spec
    generator = open_generator(asked.model, model_options(asked, say, sessions))
    if plan.taskset.known is not None and plan.taskset.known.notice:
        say(plan.taskset.known.notice)
    async with open_judge(plan) as judge:
        say(f"sandbox: {judge.sandbox}")
        started = time.monotonic()
        await asyncio.gather(
            *(
                prove(judge, language, (plan.taskset.family,))
                for language in plan.languages.values()
            )
        )
        names = ", ".join(plan.languages)
        say(f"toolchains proved: {names} ({time.monotonic() - started:.1f} s)")
        async with AsyncExitStack() as opened:
            await opened.enter_async_context(generator)
            critics = await open_critics(plan, say, sessions, opened)
            check_prices(plan, generator, critics)
            identity = dict(generator.identity())
            if critics:
                identity["critics"] = {name: dict(c.identity()) for name, c in critics.items()}
            manifests = {name: await judge.manifest(name) for name in plan.languages}
            cells = plan_cells(plan, manifests, identity, judge.sandbox)
            yield Workshop(plan, judge, generator, cells, identity, critics)


async def begin(
    asked: SessionSpec, sessions: Path, name: str | None, front: Front, say: Say
) -> tuple[Path, Ended]:
    """Make a new session and run it.

    Raises:
        UsageError: something asked for can't be, or the name is taken.
        WorkbenchError: no sandbox, no space, …; when a session was made it stays and can be resumed.
    """
    plan = make_plan(asked)
    check_source(sessions, plan)
    path = sessions / check_name(name or free_name(sessions, asked))
    if path.exists():
        raise UsageError(f"a session {path.name} exists already: choose another --name")
    async with workshop(plan, say, sessions) as shop:
        _make_folder(path)
        with SessionLock(path) as lock:
            writer = SessionWriter(path, create=True)
            try:
                await _describe(writer, path, shop)
                await _plan_units(writer, shop)
                await take_first_programs(sessions, path, plan, writer)
                return path, await _run(path, writer, lock, shop, front)
            finally:
                writer.close()


async def resume(
    path: Path, front: Front, say: Say, *, n: int | None = None, changes: Mapping[str, Any] = {}
) -> Ended:
    """Go on with a session: what is open is done, what was lost is tried again.

    Args:
        path: the session's folder.
        front: what shows it.
        say: takes a line for people.
        n: samples a task to extend it to; `None` leaves it.
        changes: fields of the spec that may change without changing what is measured
            (concurrency, slots, caps, api_base).

    Raises:
        SessionError: it is running elsewhere, or its protocol is no longer the same.
    """
    with SessionReader.open(path) as reader:
        stored = reader.meta()["spec"]
    asked = parse_spec({**stored, **changes})
    if n is not None:
        asked = _extended(asked, n)
    plan = make_plan(asked)
    with SessionLock(path) as lock:
        async with workshop(plan, say, path.parent) as shop:
            _same_protocol(path, shop.cells)
            writer = SessionWriter(path)
            try:
                if n is not None:
                    await writer.set_meta({"spec": json.loads(asked.model_dump_json())})
                await _plan_units(writer, shop)
                await take_first_programs(path.parent, path, plan, writer)
                reopened = await writer.reopen_lost()
                if reopened:
                    say(f"{len(reopened)} lost units are tried again")
                await writer.add_event("info", "resumed" if n is None else f"extended to n = {n}")
                return await _run(path, writer, lock, shop, front)
            finally:
                writer.close()


def _extended(asked: SessionSpec, n: int) -> SessionSpec:
    if n < asked.n:
        raise UsageError(f"-n {n}: the session has n = {asked.n} already, it can only grow")
    if asked.temperature == 0 and n > 1:
        raise UsageError(
            f"-n {n}: this session is greedy, a second draw would be the same: begin a new one with -T"
        )
    body = asked.model_dump()
    # What n = 1 or n > 1 implied at the start stays what the session means.
    body["sampling"] |= {"temperature": asked.temperature, "top_p": asked.top_p}
    return parse_spec({**body, "n": n})


def free_name(sessions: Path, asked: SessionSpec) -> str:
    """A name for a new session, made of benchmark, model and time, that none in `sessions` has."""
    model = re.sub(r"[^A-Za-z0-9.+-]+", "-", asked.model.rsplit("/", 1)[-1]).strip("-.")[:30]
    bench = re.sub(r"[^A-Za-z0-9.+-]+", "-", asked.benchmark or "problems")
    base = f"{bench}-{model or 'model'}-{time.strftime('%m%d-%H%M')}"
    name, count = base, 2
    while (sessions / name).exists():
        name, count = f"{base}-{count}", count + 1
    return name


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True)
    except FileExistsError:
        raise UsageError(f"a session {path.name} exists already: choose another --name") from None
    except OSError as error:
        raise SessionError(f"{path} can't be made: {error.strerror}") from None


async def _describe(writer: SessionWriter, path: Path, shop: Workshop) -> None:
    """Write what the session is, before anything is asked of the model."""
    asked = shop.plan.spec
    meta = {
        "model": asked.model,
        "created": time.time(),
        "spec": json.loads(asked.model_dump_json()),
        "identity": dict(shop.identity),
        "benchmark": shop.plan.taskset.benchmark,
        "sandbox": shop.judge.sandbox,
        "environment": environment(),
        "tags": [],
        **({} if asked.source is None else {"repairs": {"session": asked.source.session}}),
    }
    await writer.set_meta(meta)
    body = {
        "workbench": __version__,
        **meta,
        "cells": [
            {
                "label": c.label,
                "fingerprint": c.fingerprint,
                "protocol": c.protocol.model_dump(mode="json"),
            }
            for c in shop.cells
        ],
    }
    part = path / f"{PROTOCOL}.part"
    part.write_text(json.dumps(body, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    part.replace(path / PROTOCOL)


def environment() -> dict[str, str]:
    """The machine, as far as it explains a difference between two runs."""
    return {
        "system": f"{platform.system()} {'.'.join(platform.release().split('.')[:2])}",
        "machine": platform.machine(),
        "cores": str(os.cpu_count()),
        "python": platform.python_version(),
    }


async def _plan_units(writer: SessionWriter, shop: Workshop) -> None:
    """Add cells, tasks and units; on resume those that are there stay."""
    plan = shop.plan
    tasks = [
        {
            "benchmark": t.benchmark,
            "language": t.language,
            "task_id": t.id,
            "problem": t.problem,
            "entry_point": t.entry_point,
            "prompt": t.prompt,
            "has_visible_tests": t.has_visible_tests,
        }
        for t in plan.taskset.tasks
    ]
    rows = await writer.add_tasks(tasks)
    for cell in shop.cells:
        cell_id = await writer.add_cell(
            {
                "benchmark": plan.taskset.benchmark,
                "suite": plan.spec.suite,
                "language": cell.language,
                "mode": "repair" if cell.recipe else "plain",
                "recipe": cell.recipe,
                "n": plan.spec.n,
                "max_turns": cell.max_turns,
                "fingerprint": cell.fingerprint,
                "label": cell.label,
                "protocol": cell.protocol.model_dump(mode="json"),
            }
        )
        await writer.plan_units(
            (cell_id, rows[cell.language, task.id], index)
            for index in range(plan.spec.n)
            for task in plan.tasks(cell.language)
        )


def _same_protocol(path: Path, cells: list[CellPlan]) -> None:
    """Refuse to mix numbers of two protocols in one cell."""
    with SessionReader.open(path) as reader:
        stored = {(c.language, c.recipe): c for c in reader.cells()}
    for cell in cells:
        old = stored.get((cell.language, cell.recipe))
        if old is None or old.fingerprint == cell.fingerprint:
            continue
        before = Protocol.model_validate(old.protocol)
        found = may_share_column(before, cell.protocol).differences
        changed = [d for d in found if d.kind > Kind.INCIDENTAL]
        said = "; ".join(f"{d.field}: {d.a!s:.40} → {d.b!s:.40}" for d in changed[:3])
        raise SessionError(
            f"{path.name} can't go on in {cell.language}: its protocol changed ({said or 'unknown'}): "
            "begin a new session instead"
        )


async def _run(
    path: Path, writer: SessionWriter, lock: SessionLock, shop: Workshop, front: Front
) -> Ended:
    """Run what is open, with the front beside it."""
    with SessionReader.open(path) as reader:
        units, stored, board, firsts = open_units(reader, shop.plan)
        spec = shop.plan.spec
        generator, critics = _capped(shop, board)
        engine = Engine(
            writer=writer,
            lock=lock,
            generator=generator,
            critics=critics,
            judge=shop.judge,
            plan=shop.plan,
            units=units,
            stored=stored,
            board=board,
            firsts=firsts,
            concurrency=spec.concurrency or shop.generator.max_concurrency,
        )
        with stopping_on_signals(engine):
            return await _beside(engine, front, path)


def _capped(shop: Workshop, board: Board) -> tuple[Generator, Mapping[str, Generator]]:
    """The models behind the session's caps, what was spent before counted in."""
    asked = shop.plan.spec
    if asked.max_cost is None and asked.max_tokens_total is None:
        return shop.generator, shop.critics
    spent = Spending(board.prompt_tokens + board.completion_tokens, board.cost or Decimal(0))
    budget = Budget(
        max_cost=None if asked.max_cost is None else Decimal(str(asked.max_cost)),
        max_tokens=asked.max_tokens_total,
        prices=shop.generator.prices(),
        spent=spent,
    )
    critics = {name: Capped(model, budget) for name, model in shop.critics.items()}
    return Capped(shop.generator, budget), critics


async def _beside(engine: Engine, front: Front, path: Path) -> Ended:
    running = asyncio.create_task(engine.run())
    showing = asyncio.ensure_future(front(engine, path))
    try:
        await asyncio.wait([running, showing], return_when=asyncio.FIRST_COMPLETED)
        if running.done() and engine.signalled:
            showing.cancel()  # nobody may be there any more to leave the screen
        if showing.done() and not running.done():
            showing.result()  # a front that failed says why
            await engine.stop("its screen was left")
        return await running
    except asyncio.CancelledError:
        if engine.aborted:
            return Ended(True, "stopped at once", by_person=True)
        raise
    finally:
        if not running.done():
            running.cancel()
            await asyncio.wait([running])
        if not showing.done() and not getattr(front, "stays", False):
            showing.cancel()
        await asyncio.wait([showing])
