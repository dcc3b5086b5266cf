"""A model behind a transport: retries, rates and identity around single calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from workbench.generation.model import Completion, Request
from workbench.generation.prices import Prices
from workbench.generation.rate import RateGate
from workbench.generation.retries import RetryPolicy, ask
from workbench.generation.transport import Progress, Transport


def silent(_phrase: str) -> None:
    """Tell nobody."""


class Client:
    """A `Generator` over any transport."""

    def __init__(
        self,
        model: str,
        transport: Transport,
        *,
        policy: RetryPolicy | None = None,
        gate: RateGate | None = None,
        max_concurrency: int = 8,
        progress: Progress = silent,
    ) -> None:
        self.model = model
        self.max_concurrency = max_concurrency
        """How many requests at once are sensible; the engine holds to it."""
        self._transport = transport
        self._policy = policy or RetryPolicy()
        self._gate = gate or RateGate()
        self._progress = progress

    async def __aenter__(self) -> Client:
        try:
            await self._transport.open(self._progress)
        except BaseException:
            await self._transport.close()
            raise
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._transport.close()

    def identity(self) -> Mapping[str, Any]:
        """Say what answers, for the protocol; complete once the client is open."""
        return {"model": self.model, **self._transport.identity()}

    def prices(self) -> Prices | None:
        """The model's price list, once open; `None`: unknown."""
        return self._transport.prices()

    async def complete(
        self, request: Request, on_wait: Callable[[str], None] | None = None
    ) -> Completion:
        """Get one answer; see `Generator.complete`."""
        return await ask(
            self._transport,
            request,
            policy=self._policy,
            gate=self._gate,
            tell=on_wait or silent,
        )
