"""Containers are killed in mid-execution, thirty and more: no verdict is wrong, none is lost."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from workbench import languages
from workbench.benchmarks.starter import load_starter
from workbench.benchmarks.task import Task
from workbench.execution.launchers import leftovers
from workbench.execution.pool import Pool, open_pool
from workbench.execution.program import Candidate, Program, SourceFile
from workbench.outcomes import Outcome
from workbench.samples import Sample
from workbench.scoring import score

pytestmark = [pytest.mark.docker, pytest.mark.slow]
LANGUAGES = ("python", "cpp", "java", "js", "go")
TASKS = 4
KILLS = 30
KILLS_A_PASS = 2
"""How often a language's containers are killed while all programs run once. They may all hit the
same program, whose turn comes again after others': it is forgiven so many, however they fell
(`workbench/execution/faults.py`); what is killed more often is rightly lost."""


def samples(tasks: Sequence[Task]) -> list[Sample]:
    """Of each task the reference, the stub, and one that ends early."""
    made: list[Sample] = []
    for task in tasks:
        hooks = languages.load(task.language).assembly
        form = "full" if task.reference_form == "full" else "body"
        candidates = [Candidate(task.reference, form), hooks.stub(task), hooks.cheats(task)[0][1]]
        made += [Sample(task.id, i, c, task.id) for i, c in enumerate(candidates)]
    return made


class Killer:
    """Kills containers of this process while programs run in them."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._client: Any = None
        self._killed: Counter[str] = Counter()
        self.kills = 0

    def next_pass(self) -> None:
        """All programs came through, and run once more."""
        self._killed.clear()

    async def run(self) -> None:
        """Kill until cancelled."""
        import docker

        self._client = docker.from_env()
        try:
            while True:
                await asyncio.sleep(random.uniform(0.05, 0.3))
                await self._kill_one()
        finally:
            self._client.close()

    async def _kill_one(self) -> None:
        busy = [name for name, lane in self._pool.slots().items() if lane.busy]
        able = [name for name in busy if self._killed[name] < KILLS_A_PASS]
        if not able:
            return
        chosen = random.choice(able)
        if found := await asyncio.to_thread(_running, self._client, chosen):
            self._killed[chosen] += 1
            self.kills += await asyncio.to_thread(_kill, random.choice(found))


def _running(client: Any, language: str) -> list[Any]:
    """The containers of this process for a language."""
    wanted = [f"{leftovers.OWNER}={leftovers.owner()}", f"workbench.slot={language}"]
    return list(client.containers.list(filters={"label": wanted, "status": "running"}))


def _kill(container: Any) -> bool:
    from docker.errors import APIError

    with contextlib.suppress(APIError):  # it has ended meanwhile
        container.kill()
        return True
    return False


async def test_no_verdict_is_wrong_and_none_is_lost() -> None:
    tasks = [task for name in LANGUAGES for task in load_starter([name])[:TASKS]]
    tasks = [_named_apart(task) for task in tasks]
    given = samples(tasks)
    async with open_pool(LANGUAGES, "docker", slots=1, reuse=False) as pool:
        pool.set_slots(LANGUAGES[0], 2)  # and so two of all languages at once
        quiet = await score(pool, tasks, given)
        killer = Killer(pool)
        running = asyncio.create_task(killer.run())
        retried = 0
        try:
            while retried < KILLS:
                killer.next_pass()
                rows = await score(pool, tasks, given)
                told = [(r.task.id, r.index, r.execution.outcome) for r in rows]
                assert told == [(r.task.id, r.index, r.execution.outcome) for r in quiet]
                retried += sum(row.execution.retried for row in rows)
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
    assert killer.kills >= KILLS
    assert {r.execution.outcome for r in quiet if r.index == 0} == {Outcome.PASSED}
    assert Outcome.PASSED not in {r.execution.outcome for r in quiet if r.index > 0}
    assert all(r.execution.outcome.scored for r in quiet)


def _named_apart(task: Task) -> Task:
    """Tasks of one scoring have names of their own; a benchmark's are the same in each language."""
    from dataclasses import replace

    return replace(task, id=f"{task.language}/{task.id}")


async def test_a_killed_supervisor_is_replaced_and_the_program_runs_again() -> None:
    slow = "import os, time\ntime.sleep(1.5)\nos.write(3, b'@@\\n')"
    program = Program("python", (SourceFile("main.py", tuple(slow.split("@@"))),))
    import docker

    client = docker.from_env()
    async with open_pool(["python"], "docker", slots=1, reuse=False) as pool:
        await pool.execute(Program("python", (SourceFile("main.py", ("",)),)))
        task = asyncio.create_task(pool.execute(program))
        await asyncio.sleep(0.7)
        (container,) = await asyncio.to_thread(_running, client, "python")
        for pid in _supervisors(container):
            os.kill(pid, signal.SIGKILL)
        execution = await task
    left = _running(client, "python")
    client.close()
    assert (execution.outcome, execution.retried) == (Outcome.PASSED, 1)
    assert left == []


def _supervisors(container: Any) -> list[int]:
    """Process numbers of the supervisor as this machine sees them: the child of the first process."""
    first = container.attrs["State"]["Pid"]
    told = Path(f"/proc/{first}/task/{first}/children").read_text()
    found = [int(word) for word in told.split()]
    assert found, "the container's first process has no child"
    return found
