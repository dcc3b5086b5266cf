"""Folders of this process in places that everybody uses, and removing those of processes that died.

A folder's name tells whose it is: machine, process number, when the process started. So the next
start can remove what a killed one left, and nothing of one that lives.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
from pathlib import Path

from workbench.execution.launchers.leftovers import is_gone, machine, owner

_NAME = re.compile(r"(?P<machine>[0-9a-f]{8})-(?P<pid>\d+)-(?P<started>\d+)-")


def own_folder(prefix: str, parent: Path) -> Path:
    """Make a folder that is this process's, readable by it alone."""
    pid, _, started = owner().partition(":")
    return Path(tempfile.mkdtemp(prefix=f"{prefix}{_machine()}-{pid}-{started}-", dir=parent))


def remove_folder(folder: Path) -> None:
    """Remove a folder whole, whatever rights programs took from each other in it."""
    shutil.rmtree(folder, onerror=_opened)


def sweep_folders(prefix: str, parent: Path) -> int:
    """Remove the folders that `own_folder` made for processes which are gone; how many.

    Only this user's, on this machine since its start: in a folder that several machines share,
    another one's process numbers mean nothing here.
    """
    removed = 0
    try:
        found = [entry for entry in os.scandir(parent) if entry.name.startswith(prefix)]
    except OSError:
        return 0
    for entry in found:
        named = _NAME.match(entry.name.removeprefix(prefix))
        if (
            named is not None
            and named["machine"] == _machine()
            and is_gone(f"{named['pid']}:{named['started']}")
            and entry.is_dir(follow_symlinks=False)
            and entry.stat(follow_symlinks=False).st_uid == os.getuid()
        ):
            remove_folder(Path(entry.path))
            removed += not os.path.lexists(entry.path)
    return removed


def _machine() -> str:
    return hashlib.sha256(machine().encode()).hexdigest()[:8]


def _opened(_action: object, path: str, _error: object) -> None:
    """Give back the rights that a program took, and try once more.

    Not as root, who needs none, and whose change of rights a link could lead elsewhere.
    """
    if os.getuid() == 0:
        return
    blocked = Path(path)
    try:
        blocked.parent.chmod(0o700)
        if blocked.is_dir() and not blocked.is_symlink():
            blocked.chmod(0o700)
            shutil.rmtree(blocked, ignore_errors=True)
        else:
            blocked.unlink()
    except OSError:
        return  # what stays is looked for again by the next sweep
