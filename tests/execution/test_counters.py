"""What the kernel counts for a container, in both versions of control groups."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from workbench.execution.inside import kernel

V1 = {
    "memory/memory.limit_in_bytes": "1174405120\n",
    "memory/memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n",
    "cpuacct/cpuacct.usage": "2500000000\n",
}
V2 = {
    "memory.max": "1174405120\n",
    "memory.events": "low 0\nhigh 1\nmax 7\noom 4\noom_kill 3\noom_group_kill 9\n",
    "cpu.stat": "usage_usec 2500000\nuser_usec 2000000\nsystem_usec 500000\n",
}


@pytest.fixture
def groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that stands for /sys/fs/cgroup."""
    real = {"os": os.open, "builtins": open}

    def redirected(which: str) -> Any:
        def opened(path: Any, *rest: Any, **more: Any) -> Any:
            inside = str(path).removeprefix("/sys/fs/cgroup/")
            moved = str(tmp_path / inside) if inside != str(path) else path
            return real[which](moved, *rest, **more)

        return opened

    monkeypatch.setattr(kernel.os, "open", redirected("os"))
    monkeypatch.setattr(kernel, "open", redirected("builtins"), raising=False)
    return tmp_path


def fill(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)


@pytest.mark.parametrize(("version", "files"), [("cgroup v1", V1), ("cgroup v2", V2)])
def test_kills_and_time_are_read_again_and_again(
    groups: Path, version: str, files: dict[str, str]
) -> None:
    fill(groups, files)
    counters = kernel.Counters()
    assert (counters.version, counters.oom_kills(), counters.cpu_s()) == (version, 3, 2.5)
    for name, text in files.items():
        (groups / name).write_text(text.replace("oom_kill 3", "oom_kill 4"))
    assert counters.oom_kills() == 4


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"cpu.stat": V2["cpu.stat"]},
        {**V1, "memory/memory.limit_in_bytes": "9223372036854771712\n"},
        {**V2, "memory.max": "max\n"},
    ],
    ids=["none", "no memory", "the machine's, version 1", "the machine's, version 2"],
)
def test_a_container_whose_memory_nobody_counts_has_no_counters(
    groups: Path, files: dict[str, str]
) -> None:
    # As with an engine without root to which no memory controller was delegated.
    fill(groups, files)
    with pytest.raises(FileNotFoundError):
        kernel.Counters()
