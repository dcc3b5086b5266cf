"""What a running session publishes: what is in flight and why it waits, rates, and the time left."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from workbench.execution.judge import SlotCounts
from workbench.session.records import EventRow, InFlight, LiveSnapshot, StageRate

BUCKET_S = 5.0
BUCKETS = 60
SHOWN = 200
"""Units in flight that a snapshot lists at most."""

State = Literal["starting", "running", "paused", "stopping", "finished"]


class Rate:
    """How many things were finished, in buckets of 5 s over the last five minutes."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Count with `clock` (seconds)."""
        self._clock = clock
        self._start = clock()
        self._buckets: deque[int] = deque([0], maxlen=BUCKETS)
        self._current = 0

    def _turn(self) -> None:
        now = int((self._clock() - self._start) / BUCKET_S)
        for _ in range(min(now - self._current, BUCKETS)):
            self._buckets.append(0)
        self._current = max(self._current, now)

    def count(self) -> None:
        """One more is finished."""
        self._turn()
        self._buckets[-1] += 1

    def per_minute(self) -> float:
        """Mean rate over the last minute, or over the time since the start if that is shorter."""
        self._turn()
        recent = list(self._buckets)[-int(60 / BUCKET_S) :]
        span = min(self._clock() - self._start, 60.0)
        return 0.0 if span < 1 else sum(recent) * 60.0 / span

    def history(self) -> tuple[float, ...]:
        """Counts per bucket, oldest first."""
        self._turn()
        return tuple(float(n) for n in self._buckets)


@dataclass(slots=True)
class _Unit:
    shown: InFlight
    waiting_since: float


class Board:
    """The running process's knowledge of itself; snapshots are made from it on demand."""

    def __init__(self, planned: int, done: int, lost: int) -> None:
        """Start with what the store says: units planned, scored and lost."""
        self.state: State = "starting"
        self.planned = planned
        self.done = done
        self.lost = lost
        self.started = time.time()
        self.prompt_tokens = 0
        self.completion_tokens = 0
        self.cost: Decimal | None = Decimal(0)
        self.generation_slots = 0
        self._first_done = done + lost
        self._generated = Rate()
        self._executed = Rate()
        self._units: dict[int, _Unit] = {}
        self._events: deque[EventRow] = deque(maxlen=50)
        self._event_id = 0

    # --- units

    def enter(self, unit: InFlight) -> None:
        """A unit is being worked on."""
        self._units[unit.unit_id] = _Unit(unit, time.time())

    def stage(self, unit_id: int, stage: Literal["generate", "execute"], turn: int) -> None:
        """A unit entered a stage of a turn."""
        if entry := self._units.get(unit_id):
            entry.shown = replace(entry.shown, stage=stage, turn=turn, since=time.time(), why="")

    def why(self, unit_id: int, phrase: str) -> None:
        """Why nothing has come of a unit yet."""
        if entry := self._units.get(unit_id):
            entry.shown = replace(entry.shown, why=phrase)

    def leave(self, unit_id: int) -> None:
        """A unit is no longer worked on."""
        self._units.pop(unit_id, None)

    def in_stage(self, stage: str) -> int:
        """How many units are in a stage."""
        return sum(u.shown.stage == stage for u in self._units.values())

    # --- counts

    def generated(self, prompt_tokens: int, completion_tokens: int, cost: Decimal | None) -> None:
        """An answer arrived."""
        self._generated.count()
        self.prompt_tokens += prompt_tokens
        self.completion_tokens += completion_tokens
        self.cost = None if self.cost is None or cost is None else self.cost + cost

    def executed(self) -> None:
        """A program was judged."""
        self._executed.count()

    def event(self, level: Literal["info", "warning", "error"], text: str) -> None:
        """Something a watcher should know."""
        self._event_id += 1
        self._events.append(EventRow(self._event_id, time.time(), level, text))

    # --- what watchers see

    def snapshot(self, slots: Mapping[str, SlotCounts]) -> LiveSnapshot:
        """The state of everything now."""
        oldest = sorted((u.shown for u in self._units.values()), key=lambda u: u.since)
        calling = sum(u.stage == "generate" and not u.why.startswith("held") for u in oldest)
        busy = sum(s.busy for s in slots.values())
        return LiveSnapshot(
            state=self.state,
            pid=os.getpid(),
            beat=time.time(),
            started=self.started,
            planned=self.planned,
            done=self.done,
            lost=self.lost,
            in_flight=tuple(oldest[:SHOWN]),
            in_flight_total=len(oldest),
            stages=(
                StageRate(
                    "generate",
                    self._generated.per_minute(),
                    min(calling, self.generation_slots),
                    self.generation_slots,
                    max(0, calling - self.generation_slots),
                    self._generated.history(),
                ),
                StageRate(
                    "compile+run",
                    self._executed.per_minute(),
                    busy,
                    sum(s.slots for s in slots.values()),
                    sum(s.queued for s in slots.values()),
                    self._executed.history(),
                ),
            ),
            prompt_tokens=self.prompt_tokens,
            completion_tokens=self.completion_tokens,
            cost_usd=None if self.cost is None else float(self.cost),
            eta_s=self._eta(),
            events=tuple(self._events),
            slots={k: (s.slots, s.busy, s.queued) for k, s in slots.items()},
        )

    def _eta(self) -> float | None:
        """Seconds left at the mean speed since the start; `None` before anything is finished."""
        finished = self.done + self.lost - self._first_done
        if finished <= 0:
            return None
        each = (time.time() - self.started) / finished
        return each * max(0, self.planned - self.done - self.lost)
