"""The session list: scanned in steps, filtered, grouped, sorted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from workbench.session import lock
from workbench.session.catalogue import SessionSummary, summarise
from workbench.session.store import DATABASE
from workbench.tui.model.feed import DAMAGED, damage

GROUPS = ("Running", "Interrupted", "Finished")
Sort = Literal["newest", "name", "progress", "cost"]
SORTS: tuple[Sort, ...] = ("newest", "name", "progress", "cost")
_GROUP = {"running": 0, "stalled": 0, "interrupted": 1, "unreadable": 1, "finished": 2}


class Scanner:
    """Summarises the sessions of a folder; what didn't change isn't read again.

    For use by one thread at a time.
    """

    def __init__(self, folder: Path) -> None:
        """Scan `folder`; it need not exist."""
        self._folder = folder
        self._known: dict[Path, tuple[object, SessionSummary]] = {}

    def scan(self) -> list[SessionSummary]:
        """Every session, the newest first."""
        found: dict[Path, tuple[object, SessionSummary]] = {}
        for file in self._folder.glob(f"*/{DATABASE}"):
            path = file.parent
            signature = self._signature(path)
            known = self._known.get(path)
            if known is not None and known[0] == signature and signature is not None:
                found[path] = known
            else:
                found[path] = (signature, _summary(path))
        self._known = found
        return sorted((s for _, s in found.values()), key=lambda s: -(s.created or s.updated))

    def _signature(self, path: Path) -> object:
        """What tells whether a session changed; `None` while a process runs it."""
        if lock.read_owner(path) is not None:
            return None
        stamps: list[tuple[int, int]] = []
        for name in (DATABASE, f"{DATABASE}-wal"):
            try:
                status = (path / name).stat()
            except FileNotFoundError:
                continue
            if status.st_size:  # reading alone leaves an empty write-ahead log behind
                stamps.append((status.st_mtime_ns, status.st_size))
        return tuple(stamps)


def _summary(path: Path) -> SessionSummary:
    try:
        return summarise(path)
    except DAMAGED as error:
        return SessionSummary(path.name, path, "unreadable", problem=damage(path.name, error))


@dataclass
class CatalogueModel:
    """What the session list shows."""

    folder: Path
    sessions: list[SessionSummary] = field(default_factory=list[SessionSummary])
    loaded: bool = False
    version: int = 0
    words: str = ""
    """The filter as typed."""
    sort: Sort = "newest"

    def take(self, sessions: Iterable[SessionSummary]) -> None:
        """Take in a scan."""
        fresh = list(sessions)
        if fresh != self.sessions or not self.loaded:
            self.sessions = fresh
            self.loaded = True
            self.version += 1

    def next_sort(self) -> None:
        """Sort by the next thing."""
        self.sort = SORTS[(SORTS.index(self.sort) + 1) % len(SORTS)]
        self.version += 1

    def groups(self) -> list[tuple[str, list[SessionSummary]]]:
        """Groups that have sessions after filtering, each sorted."""
        out: list[list[SessionSummary]] = [[] for _ in GROUPS]
        for session in self.sessions:
            if self._matches(session):
                out[_GROUP[session.state]].append(session)
        return [
            (name, sorted(group, key=self._key))
            for name, group in zip(GROUPS, out, strict=True)
            if group
        ]

    def _key(self, session: SessionSummary) -> tuple[float, str]:
        if self.sort == "name":
            return (0.0, session.name)
        if self.sort == "progress":
            return (-(session.done / session.planned if session.planned else 0.0), session.name)
        if self.sort == "cost":
            return (-(session.cost_usd or 0.0), session.name)
        return (-(session.created or session.updated), session.name)

    def rows(self) -> list[SessionSummary]:
        """The sessions in the order shown."""
        return [s for _, group in self.groups() for s in group]

    def _matches(self, session: SessionSummary) -> bool:
        text = " ".join(
            (session.name, session.model, *session.benchmarks, *session.languages, *session.modes,
             session.state, *(f"#{tag}" for tag in session.tags))
        ).lower()  # fmt: skip
        return all(word in text for word in self.words.lower().split())
