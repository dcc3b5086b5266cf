"""One thread that writes to a database for many callers, and commits in groups."""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from workbench.errors import SessionError

T = TypeVar("T")
GROUP = 4_096
"""Writes that share one commit at most."""
EVERY_S, CROWDED_S = 0.1, 0.25
"""Seconds between commits while rows keep coming, by whether CROWD answers came between the last
two: each commit writes whole pages anew, however little changed in them."""
CROWD = 4
BACKLOG = 20_000
"""Writes nobody waits for that may be queued."""


@dataclass(frozen=True, slots=True)
class _Job:
    write: Callable[[sqlite3.Connection], Any]
    waiting: tuple[asyncio.Future[Any], asyncio.AbstractEventLoop] | None
    """Who waits for it to be on the disk."""
    urgent: bool
    """Whether it is committed at once."""


class Commits:
    """Takes writes in order and commits them a few times a second while they keep coming."""

    def __init__(self, db: sqlite3.Connection, what: str, rolled_back: Callable[[], None]) -> None:
        """Write to `db` from now on, nobody else does. `what` names it in errors; `rolled_back` is
        called in the thread when what was written is gone again."""
        self._db = db
        self._what = what
        self._rolled_back = rolled_back
        self._failed: SessionError | None = None
        self._committed = 0.0
        self._answers = 0
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="session-writer", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Finish what is queued and end the thread."""
        self._jobs.put(None)
        self._thread.join()

    async def now(self, write: Callable[[sqlite3.Connection], T]) -> T:
        """Write, and return once it is on the disk, at once.

        Raises:
            SessionError: it can't be written, or something before it couldn't.
        """
        return await self._do(write, urgent=True)

    async def soon(self, write: Callable[[sqlite3.Connection], T]) -> T:
        """Write, and return once it is on the disk, with others' writes; raises as `now` does."""
        return await self._do(write, urgent=False)

    async def later(self, write: Callable[[sqlite3.Connection], Any]) -> None:
        """Write without waiting, unless the disk is far behind.

        Raises:
            SessionError: something before it couldn't be written.
        """
        self._raise_failed()
        self._jobs.put(_Job(write, None, urgent=False))
        if self._jobs.qsize() > BACKLOG:
            await self.flush()

    async def flush(self) -> None:
        """Return once everything is on the disk.

        Raises:
            SessionError: something couldn't be written.
        """
        await self.now(lambda db: None)
        self._raise_failed()

    async def _do(self, write: Callable[[sqlite3.Connection], T], *, urgent: bool) -> T:
        self._raise_failed()
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._jobs.put(_Job(write, (future, loop), urgent))
        return await asyncio.shield(future)

    def _raise_failed(self) -> None:
        if self._failed is not None:
            raise self._failed

    # --- the thread

    def _work(self) -> None:
        while True:
            first = self._jobs.get()
            if first is None:
                return
            batch, last = self._gather(first)
            self._commit(batch)
            if last:
                return

    def _gather(self, first: _Job) -> tuple[list[_Job], bool]:
        """What is committed together: all that comes until some time after the last commit, or
        until somebody can't wait."""
        batch = [first]
        until = self._committed + (EVERY_S if self._answers < CROWD else CROWDED_S)
        while len(batch) < GROUP:
            left = 0.0 if batch[-1].urgent else until - time.monotonic()
            try:
                job = self._jobs.get(timeout=left) if left > 0 else self._jobs.get_nowait()
            except queue.Empty:
                return batch, False
            if job is None:
                return batch, True
            batch.append(job)
        return batch, False

    def _commit(self, batch: list[_Job]) -> None:
        """Run the jobs in one transaction, each in a savepoint: one that fails harms no other."""
        settled: list[tuple[_Job, Any, SessionError | None]] = []
        try:
            self._db.execute("BEGIN IMMEDIATE")
            for job in batch:
                self._db.execute("SAVEPOINT job")
                try:
                    settled.append((job, job.write(self._db), None))
                    self._db.execute("RELEASE job")
                except sqlite3.Error as error:
                    self._db.execute("ROLLBACK TO job")
                    self._db.execute("RELEASE job")
                    self._rolled_back()
                    settled.append((job, None, self._error(error)))
            self._db.execute("COMMIT")
        except sqlite3.Error as error:  # a full disk, mostly
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            self._rolled_back()
            settled = [(job, None, self._error(error)) for job in batch]
        self._committed = time.monotonic()
        self._answers = sum(job.waiting is not None for job in batch)
        for job, value, error in settled:
            if job.waiting is not None:
                future, loop = job.waiting
                loop.call_soon_threadsafe(_settle, future, value, error)
            elif error is not None and self._failed is None:
                self._failed = error

    def _error(self, error: sqlite3.Error) -> SessionError:
        return SessionError(f"{self._what} can't be written: {error}")


def _settle(future: asyncio.Future[Any], value: Any, error: BaseException | None) -> None:
    if future.done():
        return
    if error is not None:
        future.set_exception(error)
    else:
        future.set_result(value)
