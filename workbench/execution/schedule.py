"""Who may run next: slots per language, places on the machine, and fair turns between languages.

Two numbers bound what runs at once: a language's slots, and the machine's places (its cores, and
what was added by hand). Places go round the languages that wait, so a long queue of one keeps no
other waiting; within a language the first to come is the first to go. Whoever must run alone waits
until the others' queues are empty, or until it has waited PATIENCE_S, and then all that wait for
that go one after the other while nothing else runs.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from workbench.execution.judge import SlotCounts

PATIENCE_S = 20.0

Tell = Callable[[str], None]


@dataclass(slots=True, eq=False)
class _Waiter:
    granted: asyncio.Future[None]
    tell: Tell | None
    since: float
    told: str = ""

    def say(self, phrase: str) -> None:
        if self.tell is not None and phrase != self.told:
            self.told = phrase
            self.tell(phrase)


@dataclass(slots=True)
class _Lane:
    slots: int
    busy: int = 0
    waiters: deque[_Waiter] = field(default_factory=deque[_Waiter])


class Schedule:
    """Grants turns; all of it runs in one event loop."""

    def __init__(self, places: int, slots: int) -> None:
        """`places` on the machine, and `slots` of each language until they are set."""
        self._places = places
        self._slots = slots
        self._lanes: dict[str, _Lane] = {}
        self._alone: deque[_Waiter] = deque()
        self._running = 0
        self._exclusive = False

    def counts(self) -> Mapping[str, SlotCounts]:
        """How busy each language is."""
        lanes = self._lanes.items()
        return {name: SlotCounts(lane.slots, lane.busy, len(lane.waiters)) for name, lane in lanes}

    def lane(self, language: str) -> None:
        """Make a language known, so that it is counted before its first turn."""
        self._lanes.setdefault(language, _Lane(self._slots))

    def set_slots(self, language: str, slots: int) -> None:
        """Set a language's slots; places on the machine grow and shrink along with it."""
        self.lane(language)
        lane = self._lanes[language]
        self._places = max(1, self._places + slots - lane.slots)
        lane.slots = slots
        self._grant()

    @asynccontextmanager
    async def turn(
        self, language: str, tell: Tell | None = None, *, alone: bool = False
    ) -> AsyncGenerator[None]:
        """Wait for a turn and hold it; `tell` hears why it waits."""
        self.lane(language)
        waiter = _Waiter(asyncio.get_running_loop().create_future(), tell, time.monotonic())
        queue = self._alone if alone else self._lanes[language].waiters
        queue.append(waiter)
        self._grant()
        if not waiter.granted.done():
            waiter.say(self._phrase(language, len(queue) - 1))
        try:
            await waiter.granted
        except asyncio.CancelledError:
            if waiter in queue:
                queue.remove(waiter)
                self._grant()
            else:
                self._end(language, alone)
            raise
        try:
            yield
        finally:
            self._end(language, alone)

    def remind(self) -> None:
        """Tell those that wait how many are before them; called now and then."""
        for language, lane in self._lanes.items():
            for ahead, waiter in enumerate(lane.waiters):
                waiter.say(self._phrase(language, ahead))
        self._grant()

    def _phrase(self, language: str, ahead: int) -> str:
        lane = self._lanes[language]
        if lane.busy >= lane.slots or self._exclusive:
            return f"queued for a {language} slot: {lane.busy} of {lane.slots} busy, {ahead} ahead"
        return f"queued for a slot: {self._running} of {self._places} busy, {ahead} ahead"

    def _end(self, language: str, alone: bool) -> None:
        self._running -= 1
        self._lanes[language].busy -= not alone
        if alone:
            self._exclusive = False
        self._grant()

    def _grant(self) -> None:
        if self._exclusive:
            return
        if self._alone and self._alone_now():
            if self._running == 0:
                self._exclusive = True
                self._start(self._alone)
            return
        while self._running < self._places:
            ready = [
                n for n, lane in self._lanes.items() if lane.waiters and lane.busy < lane.slots
            ]
            if not ready:
                return
            lane = self._lanes.pop(ready[0])
            self._lanes[ready[0]] = lane  # to the end of the round
            lane.busy += 1
            self._start(lane.waiters)

    def _alone_now(self) -> bool:
        quiet = not any(lane.waiters for lane in self._lanes.values())
        return quiet or time.monotonic() - self._alone[0].since >= PATIENCE_S

    def _start(self, queue: deque[_Waiter]) -> None:
        self._running += 1
        waiter = queue.popleft()
        if not waiter.granted.cancelled():  # else its task gives the turn back when it wakes
            waiter.granted.set_result(None)
