"""Seeds for answers that would otherwise be the same draw."""

from __future__ import annotations

from dataclasses import replace

from workbench.generation.model import Sampling

_APART = 1_000_003
"""Seeds of two turns of a sample are so far apart, so that no sample of either shares one."""


def seeded(sampling: Sampling, number: int) -> Sampling:
    """Sampling with a seed of its own for a turn, where a seed is sent."""
    if sampling.seed is None:
        return sampling
    return replace(sampling, seed=(sampling.seed + _APART * number) % 2**31)
