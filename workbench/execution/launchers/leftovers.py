"""Whose containers are whose, and removing those whose owner is gone."""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docker import DockerClient
    from docker.errors import APIError

LABEL = "workbench"
OWNER = "workbench.owner"
MACHINE = "workbench.machine"


def labels() -> dict[str, str]:
    """Labels of a container that this process starts."""
    return {LABEL: "1", OWNER: owner(), MACHINE: machine()}


def owner() -> str:
    """This process: its number, and when it started, for numbers come again."""
    pid = os.getpid()
    return f"{pid}:{_start_time(pid)}"


def machine() -> str:
    """Where an owner's process number means something: host name, start of the system, namespace."""
    boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return f"{socket.gethostname()}/{boot}/{Path('/proc/self/ns/pid').readlink()}"


def _start_time(pid: int) -> str:
    """When the process started, in clock ticks since boot; empty when there is none."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    fields = text.rpartition(")")[2].split()
    return "" if fields[0] in "ZX" else fields[19]


def is_gone(owner: str) -> bool:
    """Whether the process of an owner label no longer lives."""
    pid, _, started = owner.partition(":")
    return not pid.isdigit() or _start_time(int(pid)) != started


def sweep(client: DockerClient) -> int:
    """Remove the containers of this machine's owners that are gone; how many those were.

    Containers of another machine at the same engine are left alone, whatever became of it, except
    those from before this host's restart.
    """
    here = machine()
    removed = 0
    for found in client.api.containers(all=True, filters={"label": LABEL + "=1"}):
        named = found.get("Labels") or {}
        if _is_leftover(named.get(OWNER, ""), named.get(MACHINE, ""), here):
            remove(client, found["Id"], 0.0)
            removed += 1
    return removed


def _is_leftover(owner: str, where: str, here: str) -> bool:
    if where == here:
        return is_gone(owner)
    host, _, rest = where.partition("/")
    own_host, _, own_rest = here.partition("/")
    return host == own_host and rest.partition("/")[0] != own_rest.partition("/")[0]


def remove(client: DockerClient, container: str, grace_s: float) -> None:
    """Remove a container that may be removing itself; waits `grace_s` for that, then forces it."""
    from docker.errors import APIError

    deadline = time.monotonic() + grace_s
    while time.monotonic() < deadline:
        try:
            client.api.inspect_container(container)
        except APIError as error:
            if _says_gone(error):
                return
            raise
        time.sleep(0.05)
    try:
        client.api.remove_container(container, force=True, v=True)
    except APIError as error:
        if error.status_code != 409 and not _says_gone(error):  # 409: it is being removed already
            raise


def _says_gone(error: APIError) -> bool:
    """Whether there is no such container; Podman may say so as an error of its own."""
    return error.status_code == 404 or "no such container" in str(error).lower()
