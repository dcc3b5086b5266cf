"""The sessions of a folder: what each is, how far it came, and what state it is in."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from workbench.errors import SessionError, UsageError
from workbench.session import lock
from workbench.session.store import DATABASE, SessionReader

State = Literal["running", "stalled", "interrupted", "finished", "unreadable"]
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,79}\Z")


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """One row of the session list."""

    name: str
    path: Path
    state: State
    pid: int = 0
    """Process that runs it; 0 when none does."""
    model: str = ""
    benchmarks: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    """`plain`, or recipe ids."""
    planned: int = 0
    done: int = 0
    """Scored units."""
    lost: int = 0
    created: float = 0.0
    updated: float = 0.0
    """Unix time of the last write."""
    cost_usd: float | None = None
    problem: str = ""
    """Why it can't be read, one line."""
    tags: tuple[str, ...] = ()
    """Words that a person put on it."""


def check_name(name: str) -> str:
    """Return `name` if a session may be called so.

    Raises:
        UsageError: it may not.
    """
    if not _NAME.match(name):
        raise UsageError(
            f"{name!r} is no session name: letters, digits, . _ + - only, at most 80 of them"
        )
    return name


def find(sessions: Path, name: str) -> Path:
    """Folder of the session called `name` (or of the folder `name` itself is, if it is a path).

    Raises:
        SessionError: there is none; the message names the nearest.
    """
    for path in (sessions / name, Path(name)):
        if (path / DATABASE).is_file():
            return path
    known = sorted(p.parent.name for p in sessions.glob(f"*/{DATABASE}"))
    if not known:
        raise SessionError(f"no session {name!r}: there are none in {sessions} yet")
    import difflib

    near = difflib.get_close_matches(name, known, n=3) or known[-3:]
    raise SessionError(f"no session {name!r} in {sessions}: did you mean {', '.join(near)}?")


def summarise(path: Path) -> SessionSummary:
    """Read one session's row; a session that can't be read is a row that says why."""
    owner = lock.read_owner(path)
    pid = owner.pid if owner else 0
    try:
        with SessionReader.open(path) as reader:
            cells = reader.cells()
            counts = reader.counts()
            meta = reader.meta()
            cost = reader.cost()
    except (SessionError, ValueError, KeyError) as error:
        return SessionSummary(path.name, path, "unreadable", pid, problem=str(error))
    flat: dict[str, int] = {}
    for of_cell in counts.values():
        for outcome, number in of_cell.items():
            flat[outcome] = flat.get(outcome, 0) + number
    planned = sum(flat.values())
    lost = flat.get("generation_failed", 0) + flat.get("sandbox_error", 0)
    still_open = flat.get("open", 0)
    state: State
    if owner is not None:
        state = "stalled" if owner.silent_s > lock.STALL_S else "running"
    else:
        state = "interrupted" if still_open or not planned else "finished"
    files = [path / DATABASE, path / f"{DATABASE}-wal"]
    return SessionSummary(
        name=path.name,
        path=path,
        state=state,
        pid=pid,
        model=str(meta.get("model", "")),
        benchmarks=_unique(c.benchmark for c in cells),
        languages=_unique(c.language for c in cells),
        modes=_unique(c.recipe or c.mode for c in cells),
        planned=planned,
        done=planned - lost - still_open,
        lost=lost,
        created=float(meta.get("created", 0)),
        updated=max((f.stat().st_mtime for f in files if f.exists()), default=time.time()),
        cost_usd=cost,
        tags=tuple(str(tag) for tag in meta.get("tags") or ()),
    )


def _unique(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))


def list_sessions(sessions: Path) -> list[SessionSummary]:
    """Every session in folder `sessions`, the newest first. An absent folder has none."""
    rows = [summarise(file.parent) for file in sessions.glob(f"*/{DATABASE}")]
    return sorted(rows, key=lambda s: s.created or s.updated, reverse=True)


def delete(path: Path, trash: Path) -> Path:
    """Move a session to the folder `trash`, from where it can be restored; returns its new place.

    Raises:
        SessionError: it is running.
    """
    owner = lock.read_owner(path)
    if owner is not None:
        raise SessionError(f"session {path.name} is run by process {owner.pid}: stop it first")
    trash.mkdir(parents=True, exist_ok=True)
    target = trash / f"{path.name}.{int(time.time())}"
    shutil.move(path, target)
    return target


def restore(trashed: Path, sessions: Path) -> Path:
    """Bring a deleted session back under its name.

    Raises:
        SessionError: a session of that name exists again.
    """
    target = sessions / trashed.name.rsplit(".", 1)[0]
    if target.exists():
        raise SessionError(f"a session {target.name} exists already: rename it first")
    shutil.move(trashed, target)
    return target
