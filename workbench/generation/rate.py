"""The gate that every request of a session passes: the provider's holds and our own limits."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from workbench.generation import phrases

_TICK_S = 1.0


class RateGate:
    """Spaces requests out evenly; one provider's `Retry-After` holds them all.

    Requests are spaced by 60 / limit seconds, tokens likewise by what each is expected to use,
    corrected when the answer tells what it did use.
    """

    def __init__(
        self,
        *,
        requests_per_minute: float | None = None,
        tokens_per_minute: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock = clock
        self._per_request = 60 / requests_per_minute if requests_per_minute else 0.0
        self._per_token = 60 / tokens_per_minute if tokens_per_minute else 0.0
        self._requests_limit = f"{requests_per_minute or 0:g} requests/min"
        self._tokens_limit = f"{tokens_per_minute or 0:g} tokens/min"
        self._held_until = 0.0
        self._next_request = 0.0
        self._next_token = 0.0

    def hold(self, seconds: float) -> None:
        """Let nobody pass for so long; a longer hold is never shortened."""
        self._held_until = max(self._held_until, self._clock() + seconds)

    def delay(self) -> tuple[float, str]:
        """Seconds until the next request may pass (0: now), and the phrase that says why."""
        now = self._clock()
        held, request, token = (
            moment - now for moment in (self._held_until, self._next_request, self._next_token)
        )
        longest = max(held, request, token, 0.0)
        if longest == 0.0:
            return 0.0, ""
        if longest == held:
            return held, phrases.held_by_provider(held)
        limit = self._requests_limit if longest == request else self._tokens_limit
        return longest, phrases.held_by_limit(limit, longest)

    async def enter(self, tokens: int, tell: Callable[[str], None]) -> None:
        """Wait until a request that is expected to use `tokens` may be sent."""
        while True:
            seconds, why = self.delay()
            if seconds <= 0:
                break
            tell(why)
            await asyncio.sleep(min(seconds, _TICK_S))
        now = self._clock()
        self._next_request = max(now, self._next_request) + self._per_request
        self._next_token = max(now, self._next_token) + tokens * self._per_token

    def settle(self, expected: int, used: int) -> None:
        """Correct for an answer that used more or fewer tokens than expected."""
        self._next_token += (used - expected) * self._per_token
