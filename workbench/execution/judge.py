"""The door to the machine's side: who judges a program, and what it tells while it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from workbench.execution.program import Execution, Limits, Program


@dataclass(frozen=True, slots=True)
class SlotCounts:
    """How busy one language's slots are."""

    slots: int
    busy: int
    queued: int


class Judge(Protocol):
    """Puts programs before tests in a sandbox."""

    sandbox: str
    """Launcher id: `docker`, `gvisor`, `bubblewrap`, `unshare`, `process`."""

    async def execute(
        self,
        program: Program,
        *,
        limits: Mapping[str, Limits] | None = None,
        on_wait: Callable[[str], None] | None = None,
    ) -> Execution:
        """Judge one program; waits for a slot of its language.

        `limits` replaces the toolchain's own by step name (`compile`, `run`). Infrastructure
        faults are retried here and nowhere else; when they persist the outcome is
        `sandbox_error`. Never raises for anything that a candidate did.
        """
        ...

    def slots(self) -> Mapping[str, SlotCounts]:
        """How busy each language is now."""
        ...

    def set_slots(self, language: str, slots: int) -> None:
        """Change how many programs of a language run at once, while it runs; at least one."""
        ...

    async def manifest(self, language: str) -> Mapping[str, object]:
        """The toolchain manifest of a language: versions, flags, image, folder hash."""
        ...
