"""A session in a process of its own, which goes on whatever becomes of the one that started it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from workbench.errors import SessionError
from workbench.session.lock import read_owner
from workbench.session.store import DATABASE

LOGS = ".logs"
"""Folder beside the sessions with what their processes printed."""
_TAIL = 4096


@dataclass
class Detached:
    """A process that makes, resumes or extends one session."""

    path: Path
    """The session's folder; it may not be there yet."""
    log: Path
    process: subprocess.Popen[bytes]

    @property
    def ended(self) -> bool:
        """Whether the process is gone."""
        return self.process.poll() is not None

    @property
    def at_work(self) -> bool:
        """Whether the session is there and its process has taken it."""
        return (self.path / DATABASE).is_file() and read_owner(self.path) is not None

    def last_line(self) -> str:
        """What it printed last; untrusted, and empty before it said anything."""
        try:
            with self.log.open("rb") as file:
                file.seek(0, 2)
                file.seek(max(0, file.tell() - _TAIL))
                lines = file.read().decode("utf-8", "replace").splitlines()
        except OSError:
            return ""
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    def failure(self) -> str:
        """Why it ended without having run its session; empty while it runs or when it did.

        A process that ends with units open or lost has run: the session itself says so.
        """
        code = self.process.poll()
        if code is None or code == 0:
            return ""
        last = self.last_line()
        if last.startswith("workbench: "):
            return last.removeprefix("workbench: ")
        if code in (1, 130) and (self.path / DATABASE).is_file():
            return ""
        return f"its process ended with {code}: {last or 'it said nothing'} (see {self.log})"


def start(path: Path, arguments: Sequence[str]) -> Detached:
    """Start `workbench ARGUMENTS --plain` for the session in folder `path`, in a new process group.

    Raises:
        SessionError: the log can't be written, or the process can't be started.
    """
    log = path.parent / LOGS / f"{path.name}.log"
    command = [sys.executable, "-m", "workbench", "--sessions", str(path.parent)]
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("wb") as output:
            process = subprocess.Popen(
                [*command, *arguments, "--plain"],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
    except OSError as error:
        raise SessionError(f"{path.name} can't be started: {error.strerror or error}") from None
    return Detached(path, log, process)
