"""The base image: there already, pulled, or made from Debian packages."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from workbench import paths
from workbench.errors import SandboxUnavailable, UsageError, WorkbenchError
from workbench.images import engine
from workbench.images.content import BASE
from workbench.images.progress import Steps

if TYPE_CHECKING:
    from docker import DockerClient

PULL_SECONDS = 120.0
"""Longest time in which a pull says nothing."""

SCRIPT = "base/debian-trixie-slim.sh"
"""In the images folder: makes the default base image without a registry."""


def ensure_base(
    client: DockerClient, name: str, make: bool, steps: Steps, folder: Path | None = None
) -> None:
    """See to it that the base image is there.

    Args:
        client: the engine.
        name: the base image's name.
        make: make it from Debian packages if it is missing, and ask no registry.
        steps: told what goes on.
        folder: the images folder; that of this installation by default.

    Raises:
        SandboxUnavailable: it is missing and could be had neither way.
        UsageError: only the default base image can be made from packages.
        WorkbenchError: no space.
    """
    from docker.errors import ImageNotFound

    try:
        client.images.get(name)
    except ImageNotFound:
        pass
    else:
        return
    if make:
        if name != BASE:
            raise UsageError(f"only {BASE} can be made from Debian packages, not {name}")
        _make(folder or paths.images_dir(), steps)
    else:
        _pull(client, name, PULL_SECONDS, steps)


def _pull(client: DockerClient, name: str, seconds: float, steps: Steps) -> None:
    from requests.exceptions import RequestException

    steps.step(f"pulling {name}")
    repository, _, tag = name.rpartition(":")
    try:
        # Not by `api.pull`, which waits without end: this is what it asks, with a deadline.
        with client.api.post(
            f"{client.api.base_url}/v{client.api.api_version}/images/create",
            params={"fromImage": repository or name, "tag": tag if repository else "latest"},
            stream=True,
            timeout=seconds,
        ) as answer:
            for line in answer.iter_lines():
                event = json.loads(line) if line.strip() else {}
                if "error" in event or "message" in event:
                    raise _unreachable(name, str(event.get("error") or event["message"]))
                doing = f"{event.get('id', '')} {event.get('status', '')}"
                steps.detail(engine.one_line(doing, 80))
            answer.raise_for_status()
    except (RequestException, ValueError) as error:
        raise _unreachable(name, str(error)) from error


def _unreachable(name: str, reason: str) -> WorkbenchError:
    if engine.is_no_space(reason):
        return engine.no_space()
    remedy = (
        "run scripts/make-base-image.sh as root, or `workbench images build --base mmdebstrap`"
        if name == BASE
        else "pull or load it by hand"
    )
    return SandboxUnavailable(
        f"no base image {name}, and it can't be pulled ({engine.one_line(reason, 120)}): {remedy}"
    )


def _make(folder: Path, steps: Steps) -> None:
    script = folder / SCRIPT
    steps.step(f"making {BASE} from Debian packages")
    last = ""
    with subprocess.Popen(
        ["sh", str(script)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        try:
            for line in process.stdout or ():
                last = engine.one_line(line)
                steps.step(last)
        except BaseException:
            process.terminate()
            raise
    if process.returncode != 0:
        if engine.is_no_space(last):
            raise engine.no_space()
        raise SandboxUnavailable(f"{script} failed: {last}")
