"""Nothing is left of a run, however it ends: no container, no process, no folder."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from workbench.errors import SandboxUnavailable
from workbench.execution.launchers import choose_launcher, leftovers
from workbench.execution.launchers.folders import own_folder, sweep_folders

pytestmark = pytest.mark.slow
SANDBOXES = [
    pytest.param("docker", marks=pytest.mark.docker),
    pytest.param("gvisor", marks=pytest.mark.docker),
    "bubblewrap",
    "unshare",
    "process",
]
ENDINGS = ("by itself", "Ctrl-C", "SIGTERM", "SIGKILL")
# The sleeper has a name of its own, by which this machine's processes tell whether it lives.
SAMPLE = """\
def double_it(number):
    import os
    os.execv("/bin/sleep", ["{mark}", "{seconds}"])
"""


class Run:
    """`workbench score` on one sample that sleeps."""

    def __init__(self, folder: Path, sandbox: str, seconds: float) -> None:
        self.mark = f"left-{uuid.uuid4().hex}"
        code = SAMPLE.format(mark=self.mark, seconds=seconds)
        file = folder / "samples.jsonl"
        file.write_text(json.dumps({"task_id": "starter/0", "solution": code}) + "\n")
        words = ["score", str(file), "-b", "starter", "--tasks", "0", "--sandbox", sandbox]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "workbench", *words, "--slots", "1"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env={**os.environ, "WORKBENCH_SESSIONS": str(folder / "sessions")},
        )

    def sleeps(self, sandbox: str) -> bool:
        """Whether its program runs now."""
        if sandbox == "gvisor":  # its processes aren't this machine's
            return bool(self.containers())
        return bool(self.pids())

    def pids(self) -> list[int]:
        """Processes of its program on this machine, those in containers included."""
        found: list[int] = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = path.read_bytes().split(b"\0")
            except OSError:
                continue
            if words[0] == self.mark.encode():
                found.append(int(path.parent.name))
        return found

    def containers(self) -> list[str]:
        """Containers that it started and that are there."""
        import docker
        from docker.errors import DockerException

        try:
            client = docker.from_env()
        except DockerException:
            return []
        # One call: some that are listed are gone a moment later.
        found = client.api.containers(all=True, filters={"label": f"{leftovers.LABEL}=1"})
        client.close()
        owner = f"{self.process.pid}:"
        return [c["Id"] for c in found if c["Labels"].get(leftovers.OWNER, "").startswith(owner)]

    def folders(self) -> list[Path]:
        """Folders in the temporary folder that are its own."""
        mine = f"-{self.process.pid}-"
        return [p for p in Path(tempfile.gettempdir()).glob("workbench-*") if mine in p.name]

    def left(self) -> list[object]:
        """Everything of it that is still there."""
        return [*self.pids(), *self.containers(), *self.folders()]


@contextmanager
def running(folder: Path, sandbox: str, seconds: float) -> Iterator[Run]:
    """A run whose program sleeps."""
    run = Run(folder, sandbox, seconds)
    try:
        wait_for(lambda: run.sleeps(sandbox) or run.process.poll() is not None, 60)
        if run.process.poll() is not None:
            assert run.process.stdout is not None
            pytest.fail(f"it ended before: {run.process.stdout.read().decode()}")
        yield run
    finally:
        if run.process.poll() is None:
            run.process.kill()
        run.process.wait()
        for pid in run.pids():
            os.kill(pid, signal.SIGKILL)


def wait_for(condition: Any, seconds: float) -> bool:
    """Wait until a condition holds; whether it did in time."""
    ends = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > ends:
            return False
        time.sleep(0.1)
    return True


@pytest.fixture
def sandbox(request: pytest.FixtureRequest) -> str:
    wanted: str = request.param

    async def works() -> None:
        launcher = await choose_launcher(wanted)
        await launcher.close()

    try:
        asyncio.run(works())
    except SandboxUnavailable as error:
        pytest.skip(str(error))
    return wanted


@pytest.mark.parametrize(
    ("sandbox", "ending"),
    [
        *(pytest.param("docker", end, marks=pytest.mark.docker) for end in ENDINGS),
        pytest.param("gvisor", "SIGKILL", marks=pytest.mark.docker),
        ("bubblewrap", "Ctrl-C"),
        ("bubblewrap", "SIGKILL"),
        ("unshare", "SIGKILL"),
        ("process", "by itself"),
        ("process", "SIGKILL"),
    ],
    indirect=["sandbox"],
)
def test_nothing_is_left(tmp_path: Path, sandbox: str, ending: str) -> None:
    with running(tmp_path, sandbox, 2.0 if ending == "by itself" else 600.0) as run:
        if ending == "Ctrl-C":
            run.process.send_signal(signal.SIGINT)
        elif ending == "SIGTERM":
            run.process.terminate()
        elif ending == "SIGKILL":
            run.process.kill()
        run.process.wait(timeout=60)
        # What dies with its owner may take a moment; what doesn't, the next start removes.
        if ending == "SIGKILL" and not wait_for(lambda: not run.left(), 15):
            swept(sandbox)
        wait_for(lambda: not run.left(), 10)
        assert run.left() == []
    if ending == "Ctrl-C":
        assert run.process.returncode == 130


@pytest.mark.parametrize("sandbox", SANDBOXES, indirect=True)
def test_what_a_killed_supervisor_left_is_removed_at_the_next_start(
    tmp_path: Path, sandbox: str
) -> None:
    with running(tmp_path, sandbox, 600.0) as run:
        supervisors = _descendants(run.process.pid)
        run.process.kill()
        for pid in supervisors:
            with suppress(ProcessLookupError):  # some die with another
                os.kill(pid, signal.SIGKILL)
        run.process.wait()
        wait_for(lambda: not (run.pids() or run.containers()), 15)
        if sandbox == "process":
            assert run.folders(), "nobody was left to remove it"
        swept(sandbox)
        assert run.left() == []


def swept(sandbox: str) -> None:
    """What every start does."""

    async def sweep() -> None:
        launcher = await choose_launcher(sandbox)
        await launcher.sweep()
        await launcher.close()

    asyncio.run(sweep())


def _descendants(pid: int) -> list[int]:
    """Children of a process and theirs, those of a candidate excepted: it dies with its parent."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, task.read_text().split()):
            found += [child, *_descendants(child)]
    return found


def test_only_folders_of_processes_that_are_gone_are_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = own_folder("x-", tmp_path)
    monkeypatch.setattr(
        "workbench.execution.launchers.folders.owner", lambda: "4194304:1"
    )  # no process has this number
    dead = own_folder("x-", tmp_path)
    (dead / "a" / "b").mkdir(parents=True)
    (dead / "a" / "link").symlink_to(own)
    monkeypatch.setattr("workbench.execution.launchers.folders.machine", lambda: "elsewhere")
    far = own_folder("x-", tmp_path)
    monkeypatch.undo()
    other = tmp_path / "x-of-somebody"
    other.mkdir()
    assert sweep_folders("x-", tmp_path) == 1
    assert set(tmp_path.iterdir()) == {own, far, other}
    assert sweep_folders("x-", tmp_path / "nowhere") == 0
