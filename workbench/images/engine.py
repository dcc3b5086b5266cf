"""Reaching the Docker engine: every call has a deadline, every failure says what to do."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from workbench.errors import SandboxUnavailable, WorkbenchError

if TYPE_CHECKING:
    from docker import DockerClient

CALL_SECONDS = 60.0
"""How long an ordinary call may take on a busy machine; building and pulling have deadlines of
their own."""

REMOVE_SECONDS = 180.0
"""How long removing an image may take: it deletes tens of thousands of files."""

_NO_SPACE = "no space left on device"


def address() -> str:
    """Where the engine is looked for."""
    return os.environ.get("DOCKER_HOST") or "unix:///var/run/docker.sock"


@contextmanager
def connect(seconds: float = CALL_SECONDS) -> Generator[DockerClient]:
    """A client of the engine, closed at the end; its errors become those of `workbench.errors`.

    Args:
        seconds: deadline of each single answer of the engine.

    Raises:
        SandboxUnavailable: there is no engine, or it stopped answering.
        WorkbenchError: the engine refused something.
    """
    # Imported late: it takes a third of a second, and most commands need no engine.
    import docker
    from docker.errors import DockerException
    from requests.exceptions import RequestException

    client: DockerClient | None = None
    try:
        client = docker.from_env(version="auto", timeout=max(1, round(seconds)))
        yield client
    except (DockerException, RequestException) as error:
        raise explain(error, started=client is not None) from error
    finally:
        if client is not None:
            client.close()


def explain(error: Exception, started: bool) -> WorkbenchError:
    """The one line that tells a person what an engine's error means.

    Args:
        error: what docker-py or requests raised.
        started: whether the engine had answered before.
    """
    from docker.errors import APIError
    from requests.exceptions import ReadTimeout

    text = one_line(error.explanation or error if isinstance(error, APIError) else error)
    if _NO_SPACE in text.lower():
        return no_space()
    if isinstance(error, APIError):
        return WorkbenchError(f"Docker refused: {text}")
    if "permission denied" in text.lower():
        return SandboxUnavailable(
            f"Docker at {address()} refuses this user: join the group docker, or run as root"
        )
    if started and isinstance(error, ReadTimeout):
        return SandboxUnavailable(
            f"Docker at {address()} took too long over an answer: look at the machine's load and"
            " Docker's log, then try again"
        )
    end = "stopped answering" if started else "doesn't answer"
    return SandboxUnavailable(
        f"Docker {end} at {address()}: start it, or run scripts/install-docker.sh"
    )


def no_space() -> WorkbenchError:
    """The error of a full disk where the engine keeps its images."""
    return WorkbenchError(
        "no space left where Docker keeps its images: free some (`workbench images prune`,"
        " `docker system df` tells what takes it) and try again"
    )


def is_no_space(text: str) -> bool:
    """Whether `text` tells of a full disk."""
    return _NO_SPACE in text.lower()


def one_line(text: object, limit: int = 200) -> str:
    """`text` as one printable line of at most `limit` characters."""
    flat = " ".join(str(text).split())
    flat = "".join(c for c in flat if c.isprintable())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"
