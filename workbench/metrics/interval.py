"""A confidence interval, as it is kept and printed: no array library needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

FEW_TASKS = 30
"""Below this many tasks a value is shown as a fraction and called "few tasks"."""

LEVEL = 0.95
"""Confidence level unless another is asked for."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval."""

    low: float
    high: float
    method: str
    """`wilson`, `t`, `clopper-pearson`, `bootstrap`, `agresti-min`."""
    level: float = LEVEL
    few: bool = False
    """Fewer than `FEW_TASKS` tasks: it is wide and rests on little."""
    seed: int | None = None
    """Bootstrap only: what makes it reproducible."""
    resamples: int | None = None

    def to_json(self) -> dict[str, Any]:
        """As exported; bootstrap keys only where they mean something."""
        out: dict[str, Any] = {
            "low": self.low,
            "high": self.high,
            "level": self.level,
            "method": self.method,
        }
        if self.seed is not None:
            out |= {"seed": self.seed, "resamples": self.resamples}
        return out
