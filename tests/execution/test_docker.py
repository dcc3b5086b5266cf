"""Containers: the right outcome in each language, and nothing left behind whatever happens."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import textwrap
from collections.abc import AsyncGenerator
from typing import Any

import pytest
import pytest_asyncio

from tests.execution.programs import CODE, OUTCOMES, outcome_program
from workbench import languages
from workbench.errors import SandboxUnavailable
from workbench.execution.launchers import leftovers, sweep
from workbench.execution.launchers.docker import DockerLauncher
from workbench.execution.pool import Pool, open_pool
from workbench.execution.program import Limits, Program, SourceFile
from workbench.outcomes import Outcome

pytestmark = [pytest.mark.docker, pytest.mark.asyncio(loop_scope="module")]
LIMITS = {
    "compile": Limits(cpu_s=30.0, wall_s=120.0, memory_mb=1024, processes=256),
    "run": Limits(cpu_s=1.5, wall_s=60.0, memory_mb=384),
}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pool() -> AsyncGenerator[Pool]:
    async with open_pool(list(CODE), "docker") as opened:
        yield opened


@pytest.fixture(scope="module")
def client() -> Any:
    import docker

    with_engine = docker.from_env()
    yield with_engine
    with_engine.close()


def python(code: str, **options: Any) -> Program:
    return Program("python", (SourceFile("main.py", tuple(code.split("@@"))),), **options)


def containers(client: Any, owner: int) -> list[Any]:
    found = client.containers.list(all=True, filters={"label": f"{leftovers.LABEL}=1"})
    return [c for c in found if c.labels.get(leftovers.OWNER, "").startswith(f"{owner}:")]


@pytest.mark.slow
@pytest.mark.parametrize("language", list(CODE))
async def test_every_outcome_in_every_language(pool: Pool, language: str) -> None:
    programs = {name: outcome_program(language, name) for name in OUTCOMES}
    found = await asyncio.gather(*(pool.execute(p, limits=LIMITS) for p in programs.values()))
    told = dict(zip(programs, found, strict=True))
    wanted = {n: Outcome("runtime_error" if n == "exit 0" else n) for n in programs}
    assert {n: e.outcome for n, e in told.items()} == wanted, {n: e.detail for n, e in told.items()}
    assert told["exit 0"].detail == "ended with 0 before its tests finished"
    assert all(e.retried == 0 and e.sandbox == "docker" for e in found)
    assert told["timeout"].steps[-1].stopped_by == "cpu"


async def test_the_kernel_counts_memory_and_a_slot_survives_it(pool: Pool, client: Any) -> None:
    code = "x = []\nwhile True: x.append(b'x' * (16 << 20))"
    limits = {"run": Limits(cpu_s=10.0, wall_s=60.0, memory_mb=1024)}
    before = {c.id for c in containers(client, os.getpid())}
    for number in range(2):
        execution = await pool.execute(python(f"{code}#{number}"), limits=limits)
        assert (execution.outcome, execution.steps[-1].stopped_by) == (
            Outcome.OUT_OF_MEMORY,
            "memory",
        )
    if before:
        assert before & {c.id for c in containers(client, os.getpid())}


@pytest.mark.slow
async def test_many_children_that_eat_memory_are_counted_together(pool: Pool) -> None:
    code = (
        "import os, time\n"
        "for _ in range(20):\n"
        "    if os.fork() == 0: x = b'x' * (100 << 20); time.sleep(9); os._exit(0)\n"
        "time.sleep(9)"
    )
    execution = await pool.execute(python(code))
    assert execution.outcome is Outcome.OUT_OF_MEMORY


async def test_the_manifest_is_the_images(pool: Pool) -> None:
    manifest: Any = await pool.manifest("python")
    assert manifest["versions"]["tools"]["python"].startswith("3.")
    assert manifest["image"].startswith("workbench/python:")
    assert manifest["image_id"].startswith("sha256:")


async def test_a_killed_container_is_replaced_and_the_program_runs_again(client: Any) -> None:
    async with open_pool(["python"], "docker", slots=1) as own:
        slow = "import os, time\ntime.sleep(2)\nos.write(3, b'@@\\n')"
        task = asyncio.create_task(own.execute(python(slow)))
        for _ in range(100):
            await asyncio.sleep(0.1)
            if own._idle["python"] == [] and containers(client, os.getpid()):
                break
        await asyncio.sleep(0.5)
        for container in containers(client, os.getpid()):
            if container.labels["workbench.slot"] == "python":
                await asyncio.to_thread(_kill, container)
        execution = await task
    assert (execution.outcome, execution.retried >= 1) == (Outcome.PASSED, True)


def _kill(container: Any) -> None:
    from docker.errors import NotFound

    with contextlib.suppress(NotFound):
        container.kill()


async def test_a_closed_pool_leaves_no_container(client: Any) -> None:
    before = {c.id for c in containers(client, os.getpid())}
    async with open_pool(["python"], "docker", slots=2) as own:
        await asyncio.gather(*(own.execute(python(f"#{i}")) for i in range(2)))
    assert {c.id for c in containers(client, os.getpid())} <= before


OWNER = """
import asyncio, sys
from workbench.execution.pool import open_pool
from workbench.execution.program import Program, SourceFile
async def main():
    async with open_pool(["python"], "docker", slots=2) as pool:
        code = "import time; time.sleep(300)"
        one = asyncio.create_task(pool.execute(Program("python", (SourceFile("main.py", (code,)),))))
        await pool.execute(Program("python", (SourceFile("main.py", ("",)),)))
        print("ready", flush=True)
        await one
asyncio.run(main())
"""


async def test_a_killed_owner_leaves_no_container(client: Any) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", textwrap.dedent(OWNER), stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    assert (await process.stdout.readline()).strip() == b"ready"
    assert containers(client, process.pid)
    os.kill(process.pid, signal.SIGKILL)
    await process.wait()
    for _ in range(100):
        if not containers(client, process.pid):
            break
        await asyncio.sleep(0.1)
    assert containers(client, process.pid) == []


async def test_sweeping_removes_what_dead_owners_left_and_nothing_else(client: Any) -> None:
    launcher = DockerLauncher()
    image = launcher._tag(languages.load("python"))
    own = leftovers.labels()
    dead = {**own, leftovers.OWNER: "4194304:1"}
    far = {**dead, leftovers.MACHINE: "elsewhere/boot/pid:[1]"}
    made = [client.containers.create(image, "true", labels=labels) for labels in (own, dead, far)]
    try:
        assert await sweep() >= 1
        left = {c.id for c in client.containers.list(all=True)}
        assert [c.id in left for c in made] == [True, False, True]
    finally:
        for container in (made[0], made[2]):
            container.remove(force=True)


async def test_an_image_that_is_missing_is_told_in_one_line() -> None:
    language = languages.load("python")
    table = {**language.settings, "image": {"tag": "workbench/none:0"}}
    object.__setattr__(language, "settings", table)
    with pytest.raises(SandboxUnavailable, match="run `workbench images build python`"):
        async with open_pool([language], "docker"):
            pass
