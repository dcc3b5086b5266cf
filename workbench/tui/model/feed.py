"""Look at a session again and again, off the event loop, and say what is new."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from workbench.errors import SessionError
from workbench.session.control import ControlClient
from workbench.session.lock import read_owner
from workbench.session.records import LiveSnapshot, TurnRow
from workbench.session.store import SessionReader
from workbench.tui.model.readings import Reading
from workbench.tui.model.session import Update

Measure = Callable[[SessionReader], Mapping[int, Sequence[Reading]]]
"""Every number of a session by cell id; may take seconds, runs in its own thread."""
META_EVERY_S = 5.0
DAMAGED = (ValueError, LookupError, TypeError, AttributeError)
"""What reading rows of another shape raises: a damaged file, or one of another version."""


def damage(name: str, error: BaseException) -> str:
    """One line for a session whose rows can't be understood."""
    what = f"{type(error).__name__}: {error}".splitlines()[0]
    return f"{name}: damaged, or written by another version ({what}): try `workbench export {name}`"


class SessionFeed:
    """The reading end of one session. Every method that reads does so in a thread of its own."""

    def __init__(self, path: Path, measure: Measure) -> None:
        """Read the session in folder `path`; numbers come from `measure`."""
        self.path = path
        self._measure = measure
        self._reading = ThreadPoolExecutor(1, "session-reader")
        self._measuring = ThreadPoolExecutor(1, "session-measure")
        self._reader: SessionReader | None = None
        self._change = 0
        self._event = 0
        self._meta_at = 0.0
        self._shape = -1
        self._client: ControlClient | None = None

    async def poll(self) -> Update:
        """What changed since the last look."""
        return await asyncio.get_running_loop().run_in_executor(self._reading, self._look)

    def _look(self) -> Update:
        return self._guarded(self._read)

    def _guarded(self, read: Callable[[], Update]) -> Update:
        """A session that can't be read is an update that says so, never the end of the UI."""
        try:
            return read()
        except SessionError as error:
            return Update(problem=str(error))
        except DAMAGED as error:
            return Update(problem=damage(self.path.name, error))

    def _open(self) -> SessionReader:
        if self._reader is None:
            self._reader = SessionReader.open(self.path)
        return self._reader

    def _read(self) -> Update:
        reader = self._open()
        owner = read_owner(self.path)
        units = reader.units(since=self._change)
        events = reader.events(since=self._event)
        now = time.monotonic()
        new_rows = any(u.outcome is None and u.turns == 0 for u in units)
        full = self._shape < 0 or new_rows or now - self._meta_at > META_EVERY_S
        update = Update(
            meta=reader.meta() if full else None,
            cells=reader.cells() if full else None,
            tasks=reader.tasks() if self._shape < 0 or new_rows else None,
            units=units,
            events=events,
            owner=owner.pid if owner else 0,
            problem="",
        )
        if full:
            self._meta_at = now
        self._change = max((u.change for u in units), default=self._change)
        self._event = max((e.id for e in events), default=self._event)
        self._shape = len(update.tasks) if update.tasks is not None else self._shape
        return update

    async def totals(self) -> Update:
        """Tokens and money over everything stored: reads every turn, so ask seldom."""

        return await asyncio.get_running_loop().run_in_executor(
            self._measuring, self._guarded, lambda: Update(totals=self._open().totals())
        )

    async def readings(self) -> Update:
        """Every number of the session, measured now."""
        return await asyncio.get_running_loop().run_in_executor(
            self._measuring,
            self._guarded,
            lambda: Update(readings=self._measure(self._open())),
        )

    async def turns(self, unit_id: int) -> list[TurnRow]:
        """The turns of one unit.

        Raises:
            SessionError: the session can't be read.
        """

        def read() -> list[TurnRow]:
            try:
                return self._open().turns(unit_id)
            except DAMAGED as error:
                raise SessionError(damage(self.path.name, error)) from error

        return await asyncio.get_running_loop().run_in_executor(self._reading, read)

    async def snapshot(self) -> LiveSnapshot:
        """What the running process says of itself.

        Raises:
            SessionError: nobody runs the session, or its process doesn't answer.
        """
        return await self._ask(ControlClient.snapshot)

    async def command(self, name: str, **arguments: object) -> None:
        """Steer the running process.

        Raises:
            SessionError: nobody runs the session, or the command was refused.
        """
        await self._ask(lambda client: client.command(name, **arguments))

    async def _ask(self, ask: Callable[[ControlClient], object]) -> LiveSnapshot:
        if self._client is None:
            self._client = await ControlClient.connect(self.path)
        try:
            return await ask(self._client)  # type: ignore[misc,return-value]
        except SessionError:
            # A refused command and a dead connection look alike here: a new connection is cheap.
            await self._hang_up()
            raise

    async def _hang_up(self) -> None:
        if self._client is not None:
            client, self._client = self._client, None
            await client.close()

    async def close(self) -> None:
        """Stop reading; waits for what is being read."""
        await self._hang_up()

        def shut() -> None:
            if self._reader is not None:
                self._reader.close()
                self._reader = None

        self._measuring.shutdown(wait=False, cancel_futures=True)
        await asyncio.get_running_loop().run_in_executor(self._reading, shut)
        self._reading.shutdown(wait=False)
