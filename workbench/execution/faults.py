"""How often faults of the machine's side are forgiven before a program counts as lost.

Three kinds, each bounded by itself, for they mean different things. A sandbox that can't be
started says nothing about the program: the engine may be restarting, so it is waited for. A sandbox
that ended under the program may have been killed by anybody: it is given several others. An engine
or a supervisor that lives and says that it fails will say so again: it is asked twice more.
"""

from __future__ import annotations

from enum import Enum, auto

START_PATIENCE_S = 30.0
"""How long sandboxes may fail to start, one after the other, until the program is lost."""
DEATHS = 5
"""How many sandboxes may end under a program, each time with another one after it."""
FAILURES = 2
"""How often an engine or a supervisor may say that it fails."""
LOST = 2.0
"""How many whole deadlines may be lost by sandboxes that end or never answer."""
PAUSES_S = (0.2, 0.5, 1.0, 2.0)
"""How long it waits after each fault, without holding a turn; the last again and again."""


class Fault(Enum):
    """What went wrong."""

    NO_START = auto()
    DEATH = auto()
    FAILURE = auto()


class Faults:
    """The faults that one program has met."""

    def __init__(self, deadline_s: float) -> None:
        """`deadline_s` is how long one answer may take."""
        self.count = 0
        self.deaths = 0
        self._failures = 0
        self._deadline_s = deadline_s
        self._lost_s = 0.0
        self._starting_s: float | None = None
        """Since when sandboxes have failed to start."""

    def pause(self, kind: Fault, began_s: float, now_s: float) -> float | None:
        """Seconds until the next attempt; None when there is none.

        Args:
            kind: what went wrong.
            began_s: when the attempt began, by a clock that only goes forward.
            now_s: the time now, by the same clock.
        """
        self.count += 1
        if kind is Fault.NO_START:
            if self._starting_s is None:
                self._starting_s = began_s
            if now_s - self._starting_s >= START_PATIENCE_S:
                return None
        else:
            self._starting_s = None
            self._lost_s += now_s - began_s
            self.deaths += kind is Fault.DEATH
            self._failures += kind is Fault.FAILURE
            if (
                self.deaths > DEATHS
                or self._failures > FAILURES
                or self._lost_s > LOST * self._deadline_s
            ):
                return None
        return PAUSES_S[min(self.count, len(PAUSES_S)) - 1]
