"""What a mode reads of turns that an earlier run kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class StoredTurn(Protocol):
    """A kept turn: its answer always, its outcomes when they were known."""

    @property
    def turn(self) -> int:
        """From 1."""
        ...

    @property
    def raw(self) -> str:
        """The answer."""
        ...

    @property
    def completion(self) -> Mapping[str, Any]:
        """Finish reason, model, …"""
        ...

    @property
    def extraction(self) -> Mapping[str, Any]:
        """Form of the code, steps, …; empty when it wasn't extracted."""
        ...

    @property
    def code(self) -> str:
        """Extracted code; empty when there is none."""
        ...

    @property
    def request(self) -> Mapping[str, Any]:
        """What was sent."""
        ...

    @property
    def feedback(self) -> str:
        """The feedback in its request."""
        ...

    @property
    def accepted(self) -> bool:
        """The stop rule took its program."""
        ...

    @property
    def visible(self) -> Mapping[str, Any] | None:
        """Execution with the visible tests, as JSON."""
        ...

    @property
    def scored(self) -> Mapping[str, Any] | None:
        """Execution with the scored tests, as JSON; `None` when it wasn't judged."""
        ...

    @property
    def flags(self) -> tuple[str, ...]:
        """Of the turn's program."""
        ...
