"""How sure a mean over tasks is, and which interval says it.

Unless named otherwise the question is "other tasks of this kind": tasks are a sample of a larger
population (Miller 2024, arXiv 2411.00640), and the variance over tasks already holds the part that
comes from drawing samples within a task. The two are never added.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from workbench.metrics.estimable import NotEstimable
from workbench.metrics.interval import FEW_TASKS, LEVEL, Interval
from workbench.metrics.passk import mean_over_tasks

RESAMPLES = 10_000
"""Bootstrap resamples unless another number is asked for."""

Floats = NDArray[np.float64]


def z_value(level: float = LEVEL) -> float:
    """Two-sided normal quantile, 1.95996… for 0.95."""
    return NormalDist().inv_cdf(0.5 + level / 2)


def t_value(df: float, level: float = LEVEL) -> float:
    """Two-sided quantile of Student's t."""
    from scipy.special import stdtrit

    return float(stdtrit(df, 0.5 + level / 2))


def wilson(x: float, n: float, level: float = LEVEL) -> Interval:
    """Wilson's score interval for x successes of n (Wilson 1927).

    x need not be whole: with x = T·mean and n = T it is the interval for a mean of values in 0..1,
    conservative because their variance is at most mean·(1−mean).

    Raises:
        NotEstimable: n is 0.
    """
    if n <= 0:
        raise NotEstimable("no task is scored")
    if not 0 <= x <= n:
        raise ValueError(f"{x} of {n}: impossible")
    z = z_value(level)
    p = x / n
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low = 0.0 if x == 0 else max(0.0, centre - half)
    high = 1.0 if x == n else min(1.0, centre + half)
    return Interval(low, high, "wilson", level, n < FEW_TASKS)


def wilson_on_mean(mean: float, tasks: int, level: float = LEVEL) -> Interval:
    """Wilson's interval for the mean of `tasks` values in 0..1."""
    return wilson(min(float(tasks), mean * tasks), tasks, level)


def clopper_pearson(x: int, n: int, level: float = LEVEL) -> Interval:
    """Interval whose coverage is never below the level (Clopper and Pearson 1934): wide."""
    from scipy.special import betaincinv

    if n <= 0:
        raise NotEstimable("no task is scored")
    tail = (1 - level) / 2
    low = 0.0 if x == 0 else float(betaincinv(x, n - x + 1, tail))
    high = 1.0 if x == n else float(betaincinv(x + 1, n - x, 1 - tail))
    return Interval(low, high, "clopper-pearson", level, n < FEW_TASKS)


def standard_error(values: Sequence[float] | Floats) -> float:
    """Standard error of a mean over tasks: sd with T−1 in the denominator, over √T.

    Raises:
        NotEstimable: fewer than two tasks.
    """
    array = np.asarray(values, dtype=np.float64)
    if array.size < 2:
        raise NotEstimable("one task has no spread")
    return float(array.std(ddof=1) / math.sqrt(array.size))


def t_interval(values: Sequence[float] | Floats, level: float = LEVEL) -> Interval:
    """t interval for the mean of per-task values, T−1 degrees of freedom. Not clipped to 0..1.

    Raises:
        NotEstimable: fewer than two tasks.
    """
    array = np.asarray(values, dtype=np.float64)
    half = t_value(array.size - 1, level) * standard_error(array)
    mean = mean_over_tasks(array.tolist())
    return Interval(mean - half, mean + half, "t", level, array.size < FEW_TASKS)


def choose_interval(values: Sequence[float] | Floats, level: float = LEVEL) -> Interval:
    """Interval for a mean of per-task values in 0..1, by one rule.

    * every value is 0 or 1 (one attempt a task, or all agree): Wilson;
    * mean in 0.1..0.9 and at least 100 tasks: t, clipped to 0..1;
    * else Wilson on the mean: near 0 and 1, or with few tasks, t and the percentile bootstrap cover
      far less than they promise (0.64 instead of 0.95 at 20 tasks and a mean of 0.95).

    Raises:
        NotEstimable: there is no task.
    """
    array = np.asarray(values, dtype=np.float64)
    mean = mean_over_tasks(array.tolist())
    binary = bool(np.all((array == 0.0) | (array == 1.0)))
    if binary or array.size < 100 or not 0.1 <= mean <= 0.9:
        return wilson_on_mean(mean, array.size, level)
    found = t_interval(array, level)
    return Interval(max(0.0, found.low), min(1.0, found.high), "t", level, found.few)


def bootstrap(
    values: Sequence[float] | Floats,
    *,
    seed: int,
    statistic: Callable[[Floats], Floats] | None = None,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> tuple[Interval, float]:
    """Percentile interval and standard error by resampling whole tasks.

    Args:
        values: shape [T] or [T, …]: all that belongs to a task is one row.
        seed: recorded in the interval.
        statistic: from resampled rows, shape [b, T, …], to shape [b]; the mean when left out.

    Raises:
        NotEstimable: there is no task.
    """
    array = np.asarray(values, dtype=np.float64)
    tasks = array.shape[0]
    if tasks == 0:
        raise NotEstimable("no task is scored")
    if statistic is None:
        drawn = resample_weights(tasks, seed, resamples) @ array / tasks
        return _percentiles(drawn, tasks, seed, level), float(drawn.std(ddof=1))
    random = np.random.default_rng(seed)
    chunk = max(1, 2_000_000 // array.size)
    parts = [
        statistic(array[random.integers(0, tasks, (min(chunk, resamples - start), tasks))])
        for start in range(0, resamples, chunk)
    ]
    drawn = np.concatenate(parts)
    return _percentiles(drawn, tasks, seed, level), float(drawn.std(ddof=1))


@lru_cache(maxsize=2)
def resample_weights(tasks: int, seed: int, resamples: int = RESAMPLES) -> Floats:
    """[resamples, T]: how often each task occurs in each resample; one draw serves many values.

    Cells of one session have as many tasks and one seed, so the last draws are kept; read only.
    """
    random = np.random.default_rng(seed)
    drawn = random.integers(0, max(1, tasks), (resamples, tasks))
    flat = (drawn + np.arange(resamples)[:, None] * tasks).ravel()
    counts = np.bincount(flat, minlength=resamples * tasks)
    weights = counts.reshape(resamples, tasks).astype(np.float64)
    weights.flags.writeable = False
    return weights


def ratio_interval(
    numerators: Sequence[float] | Floats,
    denominators: Sequence[float] | Floats,
    weights: Floats,
    *,
    seed: int,
    level: float = LEVEL,
) -> Interval:
    """Percentile interval of Σ numerators / Σ denominators, resampling tasks.

    Args:
        numerators: one a task.
        denominators: one a task; resamples in which they sum to 0 are left out.
        weights: from `resample_weights` with this seed.

    Raises:
        NotEstimable: the denominators sum to 0.
    """
    above = np.asarray(numerators, dtype=np.float64)
    below = np.asarray(denominators, dtype=np.float64)
    if not below.sum():
        raise NotEstimable("nothing to divide by")
    sums = weights @ np.stack([above, below], axis=1)
    sums = sums[sums[:, 1] > 0]
    return _percentiles(sums[:, 0] / sums[:, 1], above.size, seed, level, weights.shape[0])


def _percentiles(
    drawn: Floats, tasks: int, seed: int, level: float, resamples: int | None = None
) -> Interval:
    tail = (1 - level) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail], method="inverted_cdf")
    few = tasks < FEW_TASKS
    count = drawn.size if resamples is None else resamples
    return Interval(float(low), float(high), "bootstrap", level, few, seed, count)


def clustered_error(clusters: Sequence[Sequence[float]], *, corrected: bool = True) -> float:
    """Standard error of the mean of all values when values in a cluster move together.

    Clusters: one problem in five languages, several episodes of a task. Miller's appendix A:
    (1/n²) Σ_clusters (Σ (s − mean))²; `corrected` multiplies by C/(C−1), which for equal cluster
    sizes is the standard error of the cluster means.

    Raises:
        NotEstimable: fewer than two clusters when corrected, or no value.
    """
    values = [value for cluster in clusters for value in cluster]
    mean = mean_over_tasks(values)
    square = math.fsum(math.fsum(value - mean for value in cluster) ** 2 for cluster in clusters)
    if corrected:
        if len(clusters) < 2:
            raise NotEstimable("one cluster has no spread")
        square *= len(clusters) / (len(clusters) - 1)
    return math.sqrt(square) / len(values)


def rerun_error(counts: Sequence[tuple[int, int]]) -> float:
    """Standard error of mean pass@1 over reruns on these same tasks (tasks fixed).

    √((1/T²) Σ p̂(1−p̂)/(n−1)). Label it so: it answers another question than `standard_error`.

    Raises:
        NotEstimable: some task has one unit only.
    """
    if any(n < 2 for n, _ in counts):
        raise NotEstimable("a task with one unit has no spread within it")
    parts = ((c / n) * (1 - c / n) / (n - 1) for n, c in counts)
    return math.sqrt(math.fsum(parts)) / len(counts)
