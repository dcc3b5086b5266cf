"""Selection without an oracle: what a user gets who picks one of k without the scored tests."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache

from workbench.metrics.estimable import NotEstimable


def picked_at_k(passed: Sequence[bool], scores: Sequence[float], k: int) -> float:
    """Chance, for one task, that the best-scored of k drawn samples passes; ties are drawn by lot.

    The exact mean over all C(n, k) choices of k among the n samples: a pick comes from a group of
    equal scores when the k hold one of it and none better, which C(h+g, k) − C(h, k) choices do, h
    samples being worse and g in the group.

    Args:
        passed: per sample, whether it passes the scored tests.
        scores: per sample, what the pick goes by, higher is better: visible tests passed (1 or 0),
            mean log-probability.
        k: samples picked from; at 1 it is pass@1.

    Raises:
        NotEstimable: n < k.
    """
    if len(scores) != len(passed):
        raise ValueError(f"{len(passed)} samples, {len(scores)} scores: one score a sample")
    return picked_of_groups(groups_of(zip(passed, scores, strict=True)), k)


Groups = tuple[tuple[int, int], ...]
"""(passing, all) of the samples of each score, the worst score first."""


def groups_of(samples: Iterable[tuple[bool, float]]) -> Groups:
    """Samples of one task, (passed, score) each, by their score."""
    found: dict[float, list[int]] = {}
    for hit, score in samples:
        group = found.setdefault(score, [0, 0])
        group[0] += hit
        group[1] += 1
    return tuple((hits, size) for _, (hits, size) in sorted(found.items()))


@lru_cache(maxsize=4096)
def picked_of_groups(groups: Groups, k: int) -> float:
    """The same from groups: many tasks have the same. Raises as `picked_at_k`."""
    n = sum(size for _, size in groups)
    if k < 1:
        raise ValueError(f"k is {k}: it counts draws and starts at 1")
    if n < k:
        raise NotEstimable(f"n {n} < k {k}")
    total, worse = math.comb(n, k), 0
    parts: list[float] = []
    for hits, size in groups:
        if hits:
            choices = math.comb(worse + size, k) - math.comb(worse, k)
            # Whole numbers up to the division, which rounds once.
            parts.append(hits * choices / (size * total))
        worse += size
    return min(1.0, math.fsum(parts))
