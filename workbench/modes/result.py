"""How a unit ended: the record that engine and store take from a mode."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.errors import GenerationFailed
from workbench.generation.model import Attempt
from workbench.generation.retries import NoAnswer
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
    attempts: tuple[Attempt, ...] = ()
    """Calls that gave no answer, when generation failed."""


def unanswered(error: GenerationFailed, turn: int) -> UnitEnd:
    """The end of a unit whose model gave no answer at `turn`: lost whole, whatever came before."""
    attempts = error.attempts if isinstance(error, NoAnswer) else ()
    why = str(error) if turn == 1 else f"turn {turn}: {error}"
    return UnitEnd(Outcome.GENERATION_FAILED, why, (), attempts=attempts)
