"""The seam between the one retry loop and the ways of reaching a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from workbench.generation.model import Completion, Request
from workbench.generation.prices import Prices

Progress = Callable[[str], None]
"""Is told, in a phrase for people, what a model's start is busy with."""


class AttemptFailed(Exception):
    """One call gave no answer, and another may."""

    def __init__(
        self, reason: str, *, retry_after: float | None = None, holds_all: bool = False
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        """One short line, such as `429` or `connection cut`."""
        self.retry_after = retry_after
        """Seconds that the provider asked to wait, when it did."""
        self.holds_all = holds_all
        """The provider is busy as a whole: every request waits, not only this one."""


class Transport(Protocol):
    """One way of reaching a model; makes single calls and never repeats one itself."""

    async def open(self, progress: Progress) -> None:
        """Get ready. Raises `UsageError` when no request could ever work."""
        ...

    async def close(self) -> None:
        """Stop everything that `open` started."""
        ...

    async def send(self, request: Request) -> Completion:
        """Make one call.

        Times and attempts of the completion are filled in by the caller.

        Raises:
            AttemptFailed: this call failed, the next may not.
            GenerationFailed: this request can't be answered, others may be.
            UsageError: no request like this can ever work.
        """
        ...

    def identity(self) -> Mapping[str, Any]:
        """Say what answers, for the protocol: provider, host, versions; never a secret."""
        ...

    def prices(self) -> Prices | None:
        """Say what tokens cost, once open; `None`: unknown."""
        ...


def sample_seed(request: Request) -> int | None:
    """Seed that is sent for this sample: the session's seed + the sample's index."""
    seed = request.sampling.seed
    return None if seed is None else seed + request.index
