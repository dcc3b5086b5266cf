"""How a unit ended: the record that engine and store take from a mode."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.outcomes import Outcome


@dataclass(frozen=True, slots=True)
class UnitEnd:
    """What came of a whole sample or episode."""

    outcome: Outcome
    """Of the program handed in."""
    detail: str
    """One line that says why; untrusted."""
    flags: tuple[str, ...]
    """Of the program handed in."""
    solved_turn: int | None = None
    """Repair: the first cut at which the program handed in passes; plain: 1 when it passes."""
