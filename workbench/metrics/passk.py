"""pass@k and pass^k: per task, then the mean over tasks; never pooled, never extrapolated.

Source: Chen et al. 2021 (arXiv 2107.03374) for pass@k; Yao et al. 2024 (arXiv 2406.12045) for
pass^k. The numerics differ from the published product: see `_log_none_drawn`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from workbench.metrics.estimable import NotEstimable


def _check(n: int, c: int, k: int) -> None:
    if k < 1:
        raise ValueError(f"k is {k}: it counts draws and starts at 1")
    if not 0 <= c <= n:
        raise ValueError(f"{c} of {n} units passed: impossible")
    if n < k:
        raise NotEstimable(f"n {n} < k {k}")


def _log_none_drawn(n: int, c: int, k: int) -> float:
    """log of C(n−c, k) / C(n, k): that none of c marked units is among k drawn without return.

    Both products below are equal; the one with fewer factors is summed as log1p with `fsum`, which
    keeps the relative error near 1e-16 even where the result is 1e-5 (differences of lgamma lose
    nine digits there). Needs 0 ≤ c, 1 ≤ k and n − c ≥ k.
    """
    if c <= k:
        return math.fsum(math.log1p(-k / i) for i in range(n - c + 1, n + 1))
    return math.fsum(math.log1p(-c / (n - i)) for i in range(k))


def pass_at_k(n: int, c: int, k: int) -> float:
    """Estimate, for one task, the chance that at least one of k draws passes.

    1 − C(n−c, k) / C(n, k): unbiased for 1 − (1−p)^k when c of n independent draws pass.

    Args:
        n: scored units of the task.
        c: those that passed.
        k: draws.

    Raises:
        NotEstimable: n < k. (It isn't 1, whatever c is.)
        ValueError: the counts are impossible.
    """
    _check(n, c, k)
    if k == 1:
        return c / n
    if c == 0:
        return 0.0
    if n - c < k:
        return 1.0
    return -math.expm1(_log_none_drawn(n, c, k))


def pass_hat_k(n: int, c: int, k: int) -> float:
    """Estimate, for one task, the chance that all of k draws pass: C(c, k) / C(n, k).

    Raises:
        NotEstimable: n < k.
        ValueError: the counts are impossible.
    """
    _check(n, c, k)
    if k == 1:
        return c / n
    if c < k:
        return 0.0
    return math.exp(_log_none_drawn(n, n - c, k))


def per_task_pass_at_k(counts: Sequence[tuple[int, int]], k: int) -> list[float]:
    """pass@k of each task from its (n, c); equal counts are computed once.

    Raises:
        NotEstimable: some task has n < k; the message counts them.
    """
    _check_all(counts, k)
    known = {pair: pass_at_k(*pair, k) for pair in set(counts)}
    return [known[pair] for pair in counts]


def per_task_pass_hat_k(counts: Sequence[tuple[int, int]], k: int) -> list[float]:
    """pass^k of each task from its (n, c); raises as `per_task_pass_at_k`."""
    _check_all(counts, k)
    known = {pair: pass_hat_k(*pair, k) for pair in set(counts)}
    return [known[pair] for pair in counts]


def mean_pass_at_k(counts: Sequence[tuple[int, int]], k: int) -> float:
    """pass@k of a set of tasks: the unweighted mean of the tasks' estimates.

    Args:
        counts: (n, c) of each task; n may differ as long as every n ≥ k.

    Raises:
        NotEstimable: there is no task, or some task has n < k.
    """
    return mean_over_tasks(per_task_pass_at_k(counts, k))


def mean_pass_hat_k(counts: Sequence[tuple[int, int]], k: int) -> float:
    """pass^k of a set of tasks; arguments and errors as `mean_pass_at_k`."""
    return mean_over_tasks(per_task_pass_hat_k(counts, k))


def restrict(counts: Sequence[tuple[int, int]], k: int) -> list[tuple[int, int]]:
    """The tasks that can carry k (n ≥ k): a subset, to be labelled as one."""
    return [(n, c) for n, c in counts if n >= k]


def mean_over_tasks(values: Sequence[float]) -> float:
    """Mean with one rounding, at the end.

    Raises:
        NotEstimable: there is no task.
    """
    if len(values) == 0:
        raise NotEstimable("no task is scored")
    return math.fsum(values) / len(values)


def estimator_moments(n: int, p: float, k: int) -> tuple[float, float]:
    """Exact mean and variance of one task's pass@k estimate when c ~ Binomial(n, p).

    The mean is 1 − (1−p)^k: the estimator has no bias. The variance is the part of the uncertainty
    that more samples remove; with p = c/n it is the plug-in for a task.

    Raises:
        NotEstimable: n < k.
    """
    _check(n, 0, k)
    if not 0.0 <= p <= 1.0:
        raise ValueError(f"p is {p}: a probability lies in 0..1")
    weights = binomial_weights(n, p)
    values = [pass_at_k(n, c, k) for c in range(n + 1)]
    mean = math.fsum(w * v for w, v in zip(weights, values, strict=True))
    variance = math.fsum(w * (v - mean) ** 2 for w, v in zip(weights, values, strict=True))
    return mean, variance


def binomial_weights(n: int, p: float) -> list[float]:
    """P(c successes of n) for c = 0..n."""
    if p in (0.0, 1.0):
        hit = 0 if p == 0.0 else n
        return [1.0 if c == hit else 0.0 for c in range(n + 1)]
    log_p, log_q = math.log(p), math.log1p(-p)
    logs = [math.log(math.comb(n, c)) + c * log_p + (n - c) * log_q for c in range(n + 1)]
    return [math.exp(value) for value in logs]


def _check_all(counts: Sequence[tuple[int, int]], k: int) -> None:
    short = [n for n, _ in counts if n < k]
    if len(counts) == 1 and short:
        raise NotEstimable(f"n {short[0]} < k {k}")
    if short and min(short) == max(n for n, _ in counts):
        raise NotEstimable(f"n {short[0]} < k {k}")
    if short:
        tasks = "1 task has" if len(short) == 1 else f"{len(short)} tasks have"
        raise NotEstimable(f"{tasks} n < k {k} (smallest n {min(short)})")
