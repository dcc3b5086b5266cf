"""An engine that is restarted under a run costs time, and nothing else.

On an engine of this test's own, beside the machine's: only with WORKBENCH_TEST_DOCKERD=1, as root.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from workbench import images
from workbench.execution.pool import open_pool
from workbench.execution.program import Program, SourceFile
from workbench.outcomes import Outcome

pytestmark = [
    pytest.mark.docker,
    pytest.mark.slow,
    pytest.mark.skipif(
        os.environ.get("WORKBENCH_TEST_DOCKERD") != "1", reason="WORKBENCH_TEST_DOCKERD isn't 1"
    ),
]


class Engine:
    """A dockerd with folders and a socket of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.host = f"unix://{folder}/docker.sock"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        words = [f"--{name}-root={self.folder / name}" for name in ("data", "exec")]
        words += [f"--pidfile={self.folder / 'pid'}", f"--host={self.host}"]
        words += ["--iptables=false", "--ip6tables=false", "--bridge=none"]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(["dockerd", *words], stdout=log, stderr=log)
        for _ in range(300):
            if self.docker("info").returncode == 0:
                return
            time.sleep(0.1)
        pytest.fail((self.folder / "log").read_text()[-2000:])

    def stop(self) -> None:
        """End it; its containers end with it."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(timeout=60)

    def docker(self, *words: str) -> subprocess.CompletedProcess[bytes]:
        """Its client."""
        return subprocess.run(["docker", "-H", self.host, *words], capture_output=True)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    folder = Path(tempfile.mkdtemp(prefix="wbd-"))  # short: sockets have short names
    own = Engine(folder)
    own.start()
    try:
        tag = images.content_tag("python")
        saved = subprocess.Popen(["docker", "save", tag], stdout=subprocess.PIPE)
        subprocess.run(
            ["docker", "-H", own.host, "load"], stdin=saved.stdout, check=True, capture_output=True
        )
        monkeypatch.setenv("DOCKER_HOST", own.host)
        yield own
    finally:
        own.stop()
        for mount in sorted(_mounts(folder), reverse=True):
            subprocess.run(["umount", "-l", mount], check=False)
        shutil.rmtree(folder, ignore_errors=True)


def _mounts(folder: Path) -> list[str]:
    lines = Path("/proc/mounts").read_text().splitlines()
    return [path for path in (line.split()[1] for line in lines) if path.startswith(f"{folder}/")]


async def test_a_restarted_engine_loses_no_program(engine: Engine) -> None:
    code = "import os, time\ntime.sleep(3)\nos.write(3, b'@@\\n')"
    program = Program("python", (SourceFile("main.py", tuple(code.split("@@"))),))
    async with open_pool(["python"], "docker", slots=2, reuse=False) as pool:
        tasks = [asyncio.create_task(pool.execute(program)) for _ in range(4)]
        await asyncio.sleep(2.0)
        await asyncio.to_thread(engine.stop)
        await asyncio.sleep(3.0)
        await asyncio.to_thread(engine.start)
        found = await asyncio.gather(*tasks)
    assert [e.outcome for e in found] == [Outcome.PASSED] * 4
    assert sum(e.retried for e in found) >= 2
    left = engine.docker("ps", "-aq", "--filter", "label=workbench=1")
    assert left.stdout.strip() == b""
