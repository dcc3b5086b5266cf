"""Who runs a session: a lock that dies with its process, a heartbeat, and the way to its socket."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from workbench import paths
from workbench.errors import SessionError

LOCK = "lock"
STALL_S = 5.0
"""A beat older than this is no beat."""


@dataclass(frozen=True, slots=True)
class Owner:
    """The process that runs a session."""

    pid: int
    started: float
    """Unix time, seconds."""
    socket: str
    beat: float
    """Unix time of the last heartbeat."""

    @property
    def silent_s(self) -> float:
        """Seconds since the last beat."""
        return max(0.0, time.time() - self.beat)


class SessionLock:
    """Exclusive right to write one session, held while the process lives.

    The kernel drops it when the process dies, however it dies, so no stale lock can be left.
    """

    def __init__(self, path: Path) -> None:
        """Prepare for the session in folder `path`; take it with `with`."""
        self._file = path / LOCK
        self._name = path.name
        digest = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]
        self.socket = paths.runtime_dir() / f"{digest}.sock"
        self._fd: int | None = None

    def __enter__(self) -> SessionLock:
        """Take the lock.

        Raises:
            SessionError: another process holds it, or the folder can't be written.
        """
        try:
            fd = os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise SessionError(f"{self._name}: {self._file}: {error.strerror}") from None
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
            owner = read_owner(self._file.parent)
            who = f"process {owner.pid}" if owner else "another process"
            raise SessionError(
                f"session {self._name} is run by {who}: watch it with `workbench {self._name}`, "
                "or stop it there"
            ) from None
        body = {"pid": os.getpid(), "started": time.time(), "socket": str(self.socket)}
        os.ftruncate(fd, 0)
        os.pwrite(fd, json.dumps(body).encode(), 0)
        self._fd = fd
        return self

    def beat(self) -> None:
        """Say that the process is alive and its loop turns."""
        if self._fd is not None:
            os.utime(self._fd)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Give the lock back."""
        if self._fd is not None:
            os.ftruncate(self._fd, 0)
            os.close(self._fd)
            self._fd = None


def read_owner(path: Path) -> Owner | None:
    """The process that holds the lock of the session in folder `path`; `None` when none does."""
    file = path / LOCK
    try:
        fd = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        try:
            fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            body = json.loads(os.pread(fd, 4096, 0) or b"{}")
            beat = os.fstat(fd).st_mtime
            return Owner(
                body.get("pid", 0), body.get("started", beat), body.get("socket", ""), beat
            )
        return None
    except ValueError:
        return Owner(0, time.time(), "", time.time())
    finally:
        os.close(fd)
