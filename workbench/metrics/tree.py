"""Repair trees: the exact expectation over sub-trees, without drawing any.

A task has N initial programs; a failing one has m sampled repairs of which r pass. Olausson et al.
(arXiv 2306.09896) draw sub-trees with replacement, whose expectation is biased low; this is the
mean over all sub-trees without replacement, a U-statistic, so unbiased.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.metrics.estimable import NotEstimable
from workbench.metrics.passk import pass_at_k


@dataclass(frozen=True, slots=True)
class Initial:
    """One initial program of a task."""

    passed: bool
    repairs: int = 0
    """Repairs sampled from it."""
    repaired: int = 0
    """Those that pass."""


def tree_rate(programs: Sequence[Initial], n_p: int, n_fr: int) -> float:
    """Chance, for one task, that a tree of n_p programs with n_fr repairs each holds a pass.

    1 − e_{n_p}(q_1..q_N) / C(N, n_p), with e the elementary symmetric polynomial and
    q_j = C(m_j−r_j, n_fr) / C(m_j, n_fr), 0 for a passing program. n_fr = 0 gives pass@n_p. The
    choice among the tree's programs is made with the scored tests in hand: an oracle's.

    Raises:
        NotEstimable: N < n_p, or a failing program has fewer than n_fr repairs.
    """
    if n_p < 1 or n_fr < 0:
        raise ValueError(f"tree {n_p}×{n_fr}: at least one program, and no negative repairs")
    total = len(programs)
    if total < n_p:
        raise NotEstimable(f"programs {total} < {n_p}")
    none = [0.0] * (n_p + 1)
    none[0] = 1.0
    # none[i] is e_i(q_1..q_j) / C(j, i): the chance that i programs drawn from the first j, with
    # their repairs, hold no pass. This form of the recurrence stays within 0..1.
    for j, program in enumerate(programs, 1):
        q = _all_fail(program, n_fr)
        for i in range(min(j, n_p), 0, -1):
            none[i] = none[i] * (j - i) / j + q * none[i - 1] * i / j
    return 1.0 - none[n_p]


def _all_fail(program: Initial, n_fr: int) -> float:
    if program.passed:
        return 0.0
    if n_fr == 0:
        return 1.0
    if program.repairs < n_fr:
        raise NotEstimable(f"repairs {program.repairs} < {n_fr}")
    return 1.0 - pass_at_k(program.repairs, program.repaired, n_fr)


@dataclass(frozen=True, slots=True)
class TreeCost:
    """What one tree costs."""

    programs: int
    calls: int


def tree_cost(n_p: int, n_f: int, n_r: int, *, joint: bool) -> TreeCost:
    """Programs and model calls of a tree: n_p programs, n_f feedbacks each, n_r repairs each.

    Args:
        joint: feedback and repair come in one answer, so that n_f·n_r calls make both.
    """
    repairs = n_p * n_f * n_r
    feedback = 0 if joint else n_p * n_f
    return TreeCost(programs=n_p + repairs, calls=n_p + feedback + repairs)
