"""Selection without an oracle: what a user gets who picks one of k without the scored tests."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby

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
    n = len(passed)
    if len(scores) != n:
        raise ValueError(f"{n} samples, {len(scores)} scores: one score a sample")
    if k < 1:
        raise ValueError(f"k is {k}: it counts draws and starts at 1")
    if n < k:
        raise NotEstimable(f"n {n} < k {k}")
    ranked = sorted(zip(scores, passed, strict=True))
    worse, chance = 0, Fraction(0)
    for _, members in groupby(ranked, key=lambda pair: pair[0]):
        group = [hit for _, hit in members]
        choices = math.comb(worse + len(group), k) - math.comb(worse, k)
        chance += Fraction(sum(group) * choices, len(group))
        worse += len(group)
    return float(chance / math.comb(n, k))
