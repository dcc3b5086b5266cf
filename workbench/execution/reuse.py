"""Identical programs are executed once: what was found for the first is taken for the others."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import replace

from workbench.execution.program import Execution
from workbench.outcomes import Flag, Outcome

KEPT = 2048
"""How many executions are remembered; identical answers come close to one another."""
_NEVER = (Outcome.TIMEOUT, Outcome.SANDBOX_ERROR)


class Reuse:
    """Remembers executions by a key that holds everything that can change an outcome."""

    def __init__(self) -> None:
        """Start empty: what another run found was found with another toolchain."""
        self._found: OrderedDict[str, Execution] = OrderedDict()
        self._running: dict[str, asyncio.Future[Execution | None]] = {}

    async def get(self, key: str, execute: Callable[[], Awaitable[Execution]]) -> Execution:
        """What was found for `key`, flagged `duplicate`, else what `execute` finds.

        While one program runs, others like it wait for it. Timeouts and faults are never taken
        over: each such program runs itself.
        """
        while key in self._running:
            found = await asyncio.shield(self._running[key])
            if found is not None:
                return _duplicate(found)
        if key in self._found:
            self._found.move_to_end(key)
            return _duplicate(self._found[key])
        running: asyncio.Future[Execution | None] = asyncio.get_running_loop().create_future()
        self._running[key] = running
        kept: Execution | None = None
        try:
            found = await execute()
            if found.outcome not in _NEVER:
                kept = self._found[key] = found
                if len(self._found) > KEPT:
                    self._found.popitem(last=False)
            return found
        finally:
            del self._running[key]
            running.set_result(kept)


def _duplicate(found: Execution) -> Execution:
    return replace(found, flags=(*found.flags, Flag.DUPLICATE.value), queued_s=0.0, retried=0)
