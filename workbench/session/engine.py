"""Run a session: one pipeline from requests to outcomes, steered while it runs, safe to kill."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from workbench.bodies import body_of
from workbench.errors import SessionError, UsageError, WorkbenchError
from workbench.execution.judge import Judge
from workbench.generation.model import Generator
from workbench.modes.plain import run_sample
from workbench.modes.result import UnitEnd
from workbench.modes.run import run_recipe
from workbench.session import control
from workbench.session.firsts import FirstAnswers
from workbench.session.live import Board
from workbench.session.lock import SessionLock
from workbench.session.plan import Plan, PlannedUnit
from workbench.session.records import InFlight, TurnRow
from workbench.session.unit import Stopped, UnitContext
from workbench.session.writer import SessionWriter

BEAT_S = 1.0


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run of the engine ended; totals are read from the store, never from here."""

    stopped: bool
    """Someone asked it to stop, or a cap was reached, before all units were done."""
    reason: str = ""
    by_person: bool = False
    """A person stopped it, by signal, key or command."""


class Engine:
    """Works through the open units of one session, whose lock the caller holds."""

    def __init__(
        self,
        *,
        writer: SessionWriter,
        lock: SessionLock,
        generator: Generator,
        judge: Judge,
        plan: Plan,
        units: Sequence[PlannedUnit],
        stored: Mapping[int, list[TurnRow]],
        board: Board,
        firsts: FirstAnswers,
        concurrency: int,
        critics: Mapping[str, Generator] = {},
    ) -> None:
        """`critics` are other models by name, which explain what is wrong. `units` are those without an outcome; `stored` has the turns that are kept of them."""
        self.writer = writer
        self.lock = lock
        self.generator = generator
        self.critics = critics
        self.judge = judge
        self.plan = plan
        self.board = board
        self.firsts = firsts
        self.limits = {name: plan.limits(name) for name in plan.languages}
        # One thread: parsers are kept from answer to answer, and must not be shared.
        self.extracting = ThreadPoolExecutor(1, "extraction")
        self.finished = asyncio.Event()
        self.gate = asyncio.Event()
        self.gate.set()
        self.stopping = False
        self.aborted = False
        self._concurrency = concurrency
        self._free = concurrency
        self._calls = asyncio.Condition()
        self._queue: deque[PlannedUnit] = deque(units)
        self._all: dict[int, PlannedUnit] = {u.unit_id: u for u in units}
        self._stored = dict(stored)
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._wake = asyncio.Condition()
        self._fatal: WorkbenchError | None = None
        self._reason = ""
        self._by_person = False
        self._main: asyncio.Task[Any] | None = None
        board.generation_slots = concurrency

    # --- running

    async def run(self) -> Ended:
        """Work until every unit has an outcome, or until stopped.

        Raises:
            UsageError: the model can't be used as asked (no key, unknown, unsupported parameter).
            SessionError: the session can't be written (a full disk): what is kept is whole.
        """
        self._main = asyncio.current_task()
        async with control.ControlServer(self.lock.socket, self._command):
            self.board.state = "running"
            await self._say_what_begins()
            beat = asyncio.create_task(self._beat())
            try:
                async with asyncio.TaskGroup() as group:
                    for _ in range(self._window()):
                        group.create_task(self._work())
                if self._fatal is None:
                    await self.writer.flush()
            except* asyncio.CancelledError:
                raise asyncio.CancelledError from None
            finally:
                beat.cancel()
                self.extracting.shutdown(wait=False, cancel_futures=True)
                self.board.state = "finished"
                self.finished.set()
        if self._fatal is not None:
            raise self._fatal
        return Ended(self.stopping, self._reason, self._by_person)

    async def _say_what_begins(self) -> None:
        again = f", {len(self._stored)} of them begun before" if self._stored else ""
        await self.event(
            "info", f"{len(self._queue)} units to do{again}, {self._concurrency} requests at once"
        )

    def _window(self) -> int:
        """Units in flight at most: enough to keep both stages busy, and no more (back-pressure)."""
        slots = max((s.slots for s in self.judge.slots().values()), default=2)
        return max(1, min(len(self._queue), self._concurrency + 8 * max(2, slots)))

    async def _beat(self) -> None:
        while True:
            self.lock.beat()
            await asyncio.sleep(BEAT_S)

    async def _work(self) -> None:
        while (unit := await self._next()) is not None:
            task = asyncio.create_task(self._unit(unit))
            self._tasks[unit.unit_id] = task
            try:
                await asyncio.shield(task)
            except asyncio.CancelledError:
                if not task.cancelled():
                    task.cancel()
                    await asyncio.wait([task])
                    raise
                await self._cancelled(unit)  # one unit was taken out by a watcher
            finally:
                del self._tasks[unit.unit_id]
                async with self._wake:
                    self._wake.notify_all()

    async def _next(self) -> PlannedUnit | None:
        """The next open unit; waits while others are in flight, since those may come back."""
        async with self._wake:
            while True:
                if self._fatal is not None or self.stopping:
                    return None
                if self._queue:
                    return self._queue.popleft()
                if not self._tasks:
                    self._wake.notify_all()
                    return None
                await self._wake.wait()

    async def _unit(self, unit: PlannedUnit) -> None:
        """Bring one unit to its outcome, or leave it open when the session stops."""
        board = self.board
        shown = InFlight(
            unit.unit_id, unit.cell_id, unit.task.language, unit.task.id, unit.index, 1,
            "generate", "", 0.0,
        )  # fmt: skip
        board.enter(shown)
        stored = self._stored.pop(unit.unit_id, [])
        context = UnitContext(self, unit, stored)
        try:
            if unit.recipe:
                recipe = self.plan.recipes[unit.recipe]
                end = await run_recipe(context, unit.task, recipe, unit.first, stored)
            else:
                end = await run_sample(
                    context, unit.task, unit.first, stored, visible=self.plan.picks
                )
            await self._finish(unit, end, context.cost)
        except Stopped:
            return
        except (UsageError, SessionError) as error:
            await self._give_up(error)
        finally:
            board.leave(unit.unit_id)

    async def _finish(self, unit: PlannedUnit, end: UnitEnd, cost: Decimal | None) -> None:
        await self.writer.finish_unit(
            unit.unit_id,
            outcome=end.outcome.value,
            solved_turn=end.solved_turn,
            flags=end.flags,
            detail=end.detail,
            cost_usd=None if cost is None else str(cost),
            attempts=[body_of(attempt) for attempt in end.attempts],
        )
        if end.outcome.scored:
            self.board.done += 1
        else:
            self.board.lost += 1
            await self.event(
                "warning",
                f"lost {unit.task.language} {unit.task.id} #{unit.index}: {end.outcome}: {end.detail}",
            )

    async def _give_up(self, error: WorkbenchError) -> None:
        """Nothing further can work: end the run, keep what there is."""
        if self._fatal is None:
            self._fatal = error
            self.board.event("error", str(error))
            if not isinstance(error, SessionError):
                await self.writer.add_event("error", str(error))
        self.stopping = True
        async with self._wake:
            self._wake.notify_all()
        async with self._calls:
            self._calls.notify_all()

    async def _cancelled(self, unit: PlannedUnit) -> None:
        await self.writer.finish_unit(
            unit.unit_id, outcome="generation_failed", solved_turn=None, flags=(),
            detail="cancelled by a person", cost_usd=None,
        )  # fmt: skip
        self.board.lost += 1
        await self.event("warning", f"cancelled {unit.task.language} {unit.task.id} #{unit.index}")

    async def event(self, level: Any, text: str) -> None:
        """Tell watchers now and keep it in the session's log."""
        self.board.event(level, text)
        await self.writer.add_event(level, text)

    # --- requests in flight

    async def acquire_call(self) -> None:
        """Wait for the right to send one request.

        Raises:
            Stopped: the session stops; the unit stays open.
        """
        async with self._calls:
            while self._free <= 0 and not self.stopping:
                await self._calls.wait()
            if self.stopping:
                raise Stopped
            self._free -= 1

    async def release_call(self) -> None:
        """Give that right back."""
        async with self._calls:
            self._free += 1
            self._calls.notify()

    # --- steering

    async def stop(self, reason: str, *, by_person: bool = True) -> None:
        """Begin nothing new; what is in flight is finished first."""
        if self.stopping:
            return
        self.stopping = True
        self._by_person = by_person
        self._reason = reason
        self.board.state = "stopping"
        self.gate.set()
        in_flight = len(self._tasks)
        await self.event("info", f"stopping ({reason}): {in_flight} in flight")
        async with self._wake:
            self._wake.notify_all()
        async with self._calls:
            self._calls.notify_all()

    @property
    def signalled(self) -> bool:
        """Whether a signal stopped it: then no screen should wait for a key."""
        return self._reason.startswith("SIG")

    def abort(self) -> None:
        """Stop at once: what is in flight is dropped and stays open."""
        self.aborted = True
        if self._main is not None:
            self._main.cancel()

    async def _command(self, name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        match name:
            case "snapshot":
                return control.encode(self.board.snapshot(self.judge.slots()))
            case "pause":
                self.gate.clear()
                self.board.state = "paused"
                await self.event("info", "paused")
            case "resume":
                self.gate.set()
                self.board.state = "stopping" if self.stopping else "running"
                await self.event("info", "resumed")
            case "stop":
                await self.stop("asked to")
            case "cancel":
                unit_id = int(arguments["unit_id"])
                task = self._tasks.get(unit_id)
                if task is None:
                    raise SessionError(f"unit {unit_id} isn't in flight")
                task.cancel()
            case "slots":
                return await self._change_slots(str(arguments["language"]), int(arguments["delta"]))
            case "concurrency":
                return await self._change_concurrency(int(arguments["delta"]))
            case "retry_lost":
                return {"retried": await self._retry_lost()}
            case _:
                raise SessionError(f"no command {name!r}")
        return {}

    async def _change_slots(self, language: str, delta: int) -> Mapping[str, Any]:
        counts = self.judge.slots().get(language)
        if counts is None:
            raise SessionError(f"no slots for {language!r} in this session")
        number = max(1, counts.slots + delta)
        self.judge.set_slots(language, number)
        await self.event("info", f"{language}: {number} slots")
        return {"slots": number}

    async def _change_concurrency(self, delta: int) -> Mapping[str, Any]:
        number = max(1, self._concurrency + delta)
        async with self._calls:
            self._free += number - self._concurrency
            self._concurrency = number
            self._calls.notify_all()
        self.board.generation_slots = number
        await self.event("info", f"{number} requests at once")
        return {"concurrency": number}

    async def _retry_lost(self) -> int:
        ids = await self.writer.reopen_lost()
        again = [self._all[i] for i in ids if i in self._all and i not in self._tasks]
        for unit in again:
            self._stored[unit.unit_id] = await asyncio.to_thread(unit.read_turns)
        self.board.lost -= len(ids)
        async with self._wake:
            self._queue.extend(again)
            self._wake.notify_all()
        await self.event("info", f"{len(ids)} lost units are tried again")
        return len(ids)
