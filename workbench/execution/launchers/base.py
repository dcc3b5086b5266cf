"""What every launcher offers: start a sandbox with a supervisor in it, for one language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from workbench.execution.slots import Slot
from workbench.languages import Language

Say = Callable[[str], None]
"""Hears one line about what takes long before the first program runs."""


class Launcher(Protocol):
    """Starts sandboxes of one kind."""

    id: str
    """`docker`, `gvisor`, `bubblewrap`, `unshare` or `process`."""

    say: Say | None
    dies_of_memory: bool
    """Whether a program that uses up the memory takes its sandbox with it."""
    keeps_warm: bool
    """Whether its sandboxes keep ready what a language's `warm` folder can keep."""
    guarantees: str
    """One line for people: what it keeps a program from."""

    async def check(self) -> None:
        """Find out whether it works on this machine; raises `SandboxUnavailable` when not."""
        ...

    async def lacking(self) -> str:
        """What it lacks on this machine, one line; asked only where it works."""
        ...

    async def unavailable(self, languages: Sequence[Language]) -> Mapping[str, str]:
        """Which of these languages can't be judged here, each with one line that says why."""
        ...

    async def open(self, language: Language, memory_mb: int) -> Slot:
        """Start a sandbox in which a step may use `memory_mb`.

        Raises:
            SandboxUnavailable: there is no such sandbox on this machine, or no image.
            SandboxFault: it was started and failed; trying again may help.
        """
        ...

    async def toolchain(self, language: Language) -> Mapping[str, object]:
        """What the toolchain is here: versions that can change a verdict, and where they are from."""
        ...

    async def sweep(self) -> int:
        """Remove what owners that are gone left behind; how many sandboxes that were."""
        ...

    async def close(self) -> None:
        """Let go of the engine; slots are closed by whoever opened them."""
        ...
