"""The pool: warm slots for every language, shared fairly, replaced when they aren't clean."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace

from workbench import languages as folders
from workbench.errors import SandboxFault, SandboxUnavailable, WorkbenchError
from workbench.execution import messages
from workbench.execution.faults import DEATHS, Fault, Faults
from workbench.execution.judge import SlotCounts
from workbench.execution.launchers import choose_launcher
from workbench.execution.launchers.base import Launcher
from workbench.execution.program import Execution, Limits, Program
from workbench.execution.reuse import Reuse
from workbench.execution.schedule import Schedule
from workbench.execution.slots import Progress, Slot, SupervisorFailed
from workbench.languages import Language
from workbench.outcomes import Outcome

REMIND_S = 1.0

Tell = Callable[[str], None]


@asynccontextmanager
async def open_pool(
    languages: Iterable[str | Language],
    launcher: Launcher | str | None = None,
    *,
    slots: int | None = None,
    reuse: bool = True,
    warm: bool = True,
    say: Callable[[str], None] | None = None,
) -> AsyncGenerator[Pool]:
    """Open a pool for these languages; slots start when they are first needed.

    `launcher` is one, an id, or None for the best that works here. `slots` is how many programs
    run at once, over all languages and of each (default: this machine's cores). With `reuse` an
    identical program isn't executed twice. With `warm` a sandbox keeps ready what its language can
    keep, where the launcher does so; else every program is run by the plain commands. `say` hears
    what takes long before the first program.

    Raises:
        SandboxUnavailable: no sandbox of the wanted kind works here, or a language isn't
            available in it; one line that says why and what to do.
        UsageError: an unknown language or launcher.
    """
    wanted = [item if isinstance(item, Language) else folders.load(item) for item in languages]
    chosen = await choose_launcher(launcher) if isinstance(launcher, str | None) else launcher
    chosen.say = say
    chosen.keeps_warm = chosen.keeps_warm and warm
    try:
        reasons = await chosen.unavailable(wanted)
        if reasons:
            raise SandboxUnavailable("; ".join(reasons.values()))
        await chosen.sweep()
        pool = Pool(chosen, wanted, slots or len(os.sched_getaffinity(0)), reuse)
        reminder = asyncio.create_task(pool.remind())
        try:
            yield pool
        finally:
            reminder.cancel()
            await asyncio.shield(asyncio.gather(pool.close(), reminder, return_exceptions=True))
    finally:
        with contextlib.suppress(WorkbenchError):  # the next start sweeps again
            await chosen.sweep()
        await chosen.close()


class Pool:
    """A `Judge`; made by `open_pool`."""

    def __init__(
        self, launcher: Launcher, languages: Iterable[Language], places: int, reuse: bool
    ) -> None:
        """Start with no slot; `places` programs run at once."""
        self.sandbox = launcher.id
        self._launcher = launcher
        self._languages = {language.id: language for language in languages}
        self._schedule = Schedule(places, places)
        for name in self._languages:
            self._schedule.lane(name)
        self._idle: dict[str, list[Slot]] = {name: [] for name in self._languages}
        self._closing: set[asyncio.Task[None]] = set()
        self._reuse = Reuse() if reuse else None
        self._manifests: dict[str, Mapping[str, object]] = {}

    # -- the Judge protocol

    async def execute(
        self,
        program: Program,
        *,
        limits: Mapping[str, Limits] | None = None,
        on_wait: Tell | None = None,
    ) -> Execution:
        """Judge one program; see `Judge.execute`."""
        language = self._language(program.language)
        in_force = {
            n: limit for n, (_, limit) in messages.effective_limits(language, limits).items()
        }
        if self._reuse is None or not program.deterministic:
            return await self._settled(program, language, in_force, on_wait)
        key = f"{program.digest()} {in_force}"
        return await self._reuse.get(
            key, lambda: self._settled(program, language, in_force, on_wait)
        )

    def slots(self) -> Mapping[str, SlotCounts]:
        """How busy each language is now."""
        return self._schedule.counts()

    async def manifest(self, language: str) -> Mapping[str, object]:
        """The toolchain manifest: versions, commands, folder hash, sandbox and image."""
        if language not in self._manifests:
            read = self._language(language)
            steps = {"compile": read.compile, "run": read.run}
            self._manifests[language] = {
                "language": language,
                "sandbox": self.sandbox,
                "folder": read.content_hash,
                "warm": self._launcher.keeps_warm and bool(read.warm_files),
                "steps": {
                    name: {"argv": list(step.argv), "env": dict(step.env)}
                    for name, step in steps.items()
                    if step is not None
                },
                **await self._launcher.toolchain(read),
            }
        return self._manifests[language]

    # -- beside it

    def set_slots(self, language: str, slots: int) -> None:
        """Change how many programs of a language run at once, while it runs; at least one."""
        self._language(language)
        self._schedule.set_slots(language, max(1, slots))
        while len(self._idle[language]) > max(1, slots):
            self._discard(self._idle[language].pop())

    async def close(self) -> None:
        """Close every slot, all at the same time."""
        for slots in self._idle.values():
            while slots:
                self._discard(slots.pop())
        while self._closing:
            await asyncio.gather(*self._closing, return_exceptions=True)

    async def remind(self) -> None:
        """Keep those that wait informed, until cancelled."""
        while True:
            await asyncio.sleep(REMIND_S)
            self._schedule.remind()

    # -- one program

    async def _settled(
        self,
        program: Program,
        language: Language,
        limits: Mapping[str, Limits],
        on_wait: Tell | None,
    ) -> Execution:
        """Execute, and execute once more where the first outcome doesn't count yet.

        That is a wall timeout while CPU time was left (the machine may have been busy: it runs
        again alone), and a failure under tests that draw random inputs.
        """
        first = await self._judged(program, language, limits, on_wait, alone=False)
        wall = bool(first.steps) and first.steps[-1].stopped_by == "wall"
        chance = not program.deterministic and first.outcome is not Outcome.PASSED
        if first.outcome.scored and (wall or chance):
            again = await self._judged(program, language, limits, on_wait, alone=wall)
            return replace(
                again,
                retried=first.retried + again.retried + 1,
                queued_s=first.queued_s + again.queued_s,
            )
        return first

    async def _judged(
        self,
        program: Program,
        language: Language,
        limits: Mapping[str, Limits],
        on_wait: Tell | None,
        *,
        alone: bool,
    ) -> Execution:
        """Execute in a slot; faults of the machine's side are retried here and nowhere else."""
        message, deadline = messages.request(program, language, limits)
        memory = max(limit.memory_mb for limit in limits.values())
        said = _progress(language, limits, on_wait)
        queued, reason = 0.0, ""
        faults, pause = Faults(deadline), 0.0
        while pause is not None:
            await asyncio.sleep(pause)
            began = time.monotonic()
            async with self._schedule.turn(language.id, on_wait, alone=alone):
                queued += time.monotonic() - began
                began, kind = time.monotonic(), Fault.NO_START
                try:
                    async with self._slot(language, memory) as slot:
                        kind = Fault.DEATH
                        answer = await slot.ask(message, deadline, said)
                        found = messages.execution(
                            answer, limits, self.sandbox, queued, program, language
                        )
                        if not answer["clean"]:
                            slot.spent = True
                    return replace(found, retried=faults.count)
                except SupervisorFailed as error:
                    reason, kind = str(error), Fault.FAILURE
                except (SandboxFault, SandboxUnavailable) as error:
                    reason = str(error)
                except WorkbenchError as error:  # an engine that answers, and refuses
                    reason, kind = str(error), Fault.FAILURE
                except (KeyError, TypeError, ValueError) as error:
                    reason = f"the sandbox answered something else: {error!r}"
            pause = faults.pause(kind, began, time.monotonic())
        outcome = Outcome.SANDBOX_ERROR
        if self._launcher.dies_of_memory and faults.deaths > DEATHS:
            outcome = Outcome.OUT_OF_MEMORY
            reason = f"{faults.deaths} sandboxes ended under it: here that is how memory runs out"
        return Execution(
            outcome=outcome,
            detail=reason,
            queued_s=queued,
            sandbox=self.sandbox,
            retried=faults.count - 1,
        )

    @asynccontextmanager
    async def _slot(self, language: Language, memory_mb: int) -> AsyncGenerator[Slot]:
        """Lend a slot; it comes back only when nothing went wrong with it."""
        idle = self._idle[language.id]
        slot = idle.pop() if idle else None
        if slot is not None and slot.memory_mb < memory_mb:
            self._discard(slot)
            slot = None
        if slot is None:
            slot = await self._launcher.open(language, memory_mb)
        try:
            yield slot
        except BaseException:
            self._discard(slot)
            raise
        counts = self._schedule.counts()[language.id]
        if slot.spent or len(idle) >= counts.slots:
            self._discard(slot)
        else:
            idle.append(slot)

    def _discard(self, slot: Slot) -> None:
        """Close a slot beside everything else."""
        task = asyncio.create_task(_closed(slot))
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    def _language(self, name: str) -> Language:
        if name not in self._languages:
            known = ", ".join(self._languages)
            raise SandboxUnavailable(f"this pool wasn't opened for {name}: it has {known}")
        return self._languages[name]


async def _closed(slot: Slot) -> None:
    # What can't be removed now is swept at the next start: no program's outcome hangs on it.
    with contextlib.suppress(SandboxFault):
        await slot.close()


def _progress(
    language: Language, limits: Mapping[str, Limits], on_wait: Tell | None
) -> Progress | None:
    """Turn progress frames into the phrases that screens show."""
    if on_wait is None:
        return None

    def told(step: str, cpu_s: float) -> None:
        compiles = step == "compile" and language.compile is not None
        tool = f"{language.compile.argv[0]} " if compiles and language.compile else ""
        on_wait(f"{tool}running, {cpu_s:.1f} of {limits[step].cpu_s:g} s CPU")

    return told
