"""Runs the corpus in one kind of sandbox: one slot a language, two languages at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from tests.hostile.corpus import Hostile, innocent
from workbench.execution.launchers import choose_launcher
from workbench.execution.launchers.base import Launcher
from workbench.execution.pool import Pool, open_pool
from workbench.execution.program import Execution
from workbench.execution.slots import Slot
from workbench.languages import Language, load

AT_ONCE = 2
SLOWEST = ("java", "go", "cpp", "python", "js")
PACE = {"gvisor": 3.0}
"""How much longer everything takes where a kernel in user space does the work."""


class Counted:
    """Counts the sandboxes that a launcher opens."""

    def __init__(self, launcher: Launcher) -> None:
        self.launcher = launcher
        self.opened = 0
        self._open = launcher.open
        launcher.open = self.open  # type: ignore[method-assign]

    async def open(self, language: Language, memory_mb: int) -> Slot:
        """Open a sandbox as the launcher does."""
        self.opened += 1
        return await self._open(language, memory_mb)


@dataclass(frozen=True)
class Fight:
    """What came of an attack, and of the innocent program after it."""

    attack: Execution
    innocent: Execution
    renewed: int
    """How many sandboxes were started for the innocent."""
    world: str
    """What an innocent program printed in a fresh sandbox."""


class Arena:
    """Every wanted program's fight, as it becomes known."""

    def __init__(self, sandbox: str) -> None:
        self.sandbox = sandbox
        self.missing: dict[str, str] = {}
        """Languages that can't be judged here, and why."""
        self._fights: dict[str, asyncio.Future[Fight]] = {}
        self._stopped = False

    def give_up(self, programs: Sequence[Hostile], error: Exception) -> None:
        """Tell those that wait for these that nothing comes any more."""
        for program in programs:
            if not self._fights[program.id].done():
                self._fights[program.id].set_exception(error)

    def stop(self) -> None:
        """Begin no further fight."""
        self._stopped = True

    async def fight(self, program: Hostile) -> Fight:
        """Wait for one."""
        return await self._fights[program.id]

    def expect(self, programs: Sequence[Hostile]) -> None:
        """Make it known what will be run."""
        loop = asyncio.get_running_loop()
        self._fights = {program.id: loop.create_future() for program in programs}

    async def lane(self, pool: Pool, counted: Counted, programs: Sequence[Hostile]) -> None:
        """Run a language's programs one after the other."""
        worlds: dict[str, str] = {}
        for program in programs:
            if self._stopped:
                return
            future = self._fights[program.id]
            try:
                future.set_result(await self._one(pool, counted, program, worlds))
            except Exception as error:
                future.set_exception(error)

    async def _one(
        self, pool: Pool, counted: Counted, program: Hostile, worlds: dict[str, str]
    ) -> Fight:
        after = innocent(program.language, program.task)
        if program.task not in worlds:
            first = await pool.execute(after)
            assert first.outcome == "passed", f"{first.outcome}: {first.detail}"
            worlds[program.task] = first.steps[-1].stdout.head
        attack = await pool.execute(
            program.program(), limits=program.limits(PACE.get(self.sandbox, 1.0))
        )
        opened = counted.opened
        following = await pool.execute(after)
        return Fight(attack, following, counted.opened - opened, worlds[program.task])


@asynccontextmanager
async def open_arena(sandbox: str, programs: Sequence[Hostile]) -> AsyncGenerator[Arena]:
    """Start every language's programs; raises SandboxUnavailable when there is no such sandbox."""
    arena = Arena(sandbox)
    lanes: dict[str, list[Hostile]] = {}
    for program in programs:
        lanes.setdefault(program.language, []).append(program)
    probe = await choose_launcher(sandbox)
    arena.missing = dict(await probe.unavailable([load(name) for name in lanes]))
    await probe.close()
    lanes = {name: lane for name, lane in lanes.items() if name not in arena.missing}
    arena.expect([program for lane in lanes.values() for program in lane])
    room = asyncio.Semaphore(AT_ONCE)
    async with AsyncExitStack() as stack:
        tasks: list[asyncio.Task[None]] = []

        async def run(name: str, lane: list[Hostile]) -> None:
            try:
                async with room:
                    counted = Counted(await choose_launcher(sandbox))
                    async with open_pool([name], counted.launcher, slots=1, reuse=False) as pool:
                        await arena.lane(pool, counted, lane)
            except Exception as error:
                arena.give_up(lane, error)

        # What takes longest first, so that both places are busy to the end.
        for name, lane in sorted(lanes.items(), key=lambda pair: SLOWEST.index(pair[0])):
            tasks.append(asyncio.create_task(run(name, lane)))
        stack.push_async_callback(asyncio.gather, *tasks)
        stack.callback(arena.stop)
        yield arena
