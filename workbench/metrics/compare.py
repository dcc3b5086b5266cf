"""Differences between two cells: paired, on common tasks, tested, corrected for many looks.

Two overlapping intervals are no test: tasks are the same in both arms, and pairing removes what
they share.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from workbench.metrics.estimable import NotEstimable
from workbench.metrics.interval import FEW_TASKS, LEVEL, Interval
from workbench.metrics.intervals import bootstrap, standard_error, t_interval, z_value
from workbench.metrics.passk import mean_over_tasks
from workbench.metrics.power import power_factor


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """B − A on the tasks both have."""

    delta: float
    """Mean over common tasks of b − a, a fraction (times 100: pp)."""
    error: float | None
    """Its standard error; `None` with one common task."""
    interval: Interval | None
    p: float | None
    """Two-sided: McNemar's exact test when every value is 0 or 1, else paired t."""
    test: str
    """`mcnemar` or `t`."""
    tasks: tuple[str, ...]
    """Common tasks, in A's order."""
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]
    lost: tuple[str, ...]
    """Common tasks where b < a."""
    gained: tuple[str, ...]
    """Common tasks where b > a."""

    @property
    def few(self) -> bool:
        """Whether it rests on few tasks."""
        return len(self.tasks) < FEW_TASKS

    @property
    def detectable(self) -> float | None:
        """The smallest difference that this many tasks could have shown: power 0.8, level 0.05.

        From the spread of the differences seen; with one attempt a task never below a net of six
        tasks, the least that McNemar's exact test can call significant. `None` with one task.
        """
        if self.error is None:
            return None
        least = 6 / len(self.tasks) if self.test == "mcnemar" else 0.0
        return max(least, power_factor() * self.error)


def paired_difference(
    a: Mapping[str, float], b: Mapping[str, float], level: float = LEVEL
) -> PairedDifference:
    """Compare per-task estimates of two cells on the tasks they share.

    Each estimate must be unbiased for its task, so n may differ between the arms; the metric, k and
    suite may not (whoever calls this has asked `may_pair`).

    Raises:
        NotEstimable: no common task.
    """
    tasks = tuple(task for task in a if task in b)
    if not tasks:
        raise NotEstimable(f"no common task: {len(a)} and {len(b)} tasks")
    differences = [b[task] - a[task] for task in tasks]
    binary = all(value in (0.0, 1.0) for task in tasks for value in (a[task], b[task]))
    lost = tuple(task for task in tasks if b[task] < a[task])
    gained = tuple(task for task in tasks if b[task] > a[task])
    error: float | None = None
    interval: Interval | None = None
    p: float | None = None
    if len(tasks) > 1:
        error = standard_error(differences)
    if binary:
        p = mcnemar(len(lost), len(gained))
        interval = agresti_min(len(lost), len(gained), len(tasks), level)
    elif error is not None:
        interval = t_interval(differences, level)
        p = _t_test(mean_over_tasks(differences), error, len(tasks) - 1)
    return PairedDifference(
        delta=mean_over_tasks(differences),
        error=error,
        interval=interval,
        p=p,
        test="mcnemar" if binary else "t",
        tasks=tasks,
        only_a=tuple(task for task in a if task not in b),
        only_b=tuple(task for task in b if task not in a),
        lost=lost,
        gained=gained,
    )


def _t_test(mean: float, error: float, df: int) -> float:
    from scipy.special import stdtr

    if error == 0.0:
        return 1.0 if mean == 0.0 else 0.0
    return float(2 * stdtr(df, -abs(mean / error)))


def paired_bootstrap(
    a: Mapping[str, float], b: Mapping[str, float], *, seed: int, level: float = LEVEL
) -> tuple[Interval, float]:
    """Interval and standard error of B − A, drawing tasks and taking both arms of each.

    Raises:
        NotEstimable: no common task.
    """
    differences = [b[task] - a[task] for task in a if task in b]
    return bootstrap(differences, seed=seed, level=level)


def correlation(a: Sequence[float], b: Sequence[float]) -> float:
    """Correlation of two arms over tasks: how much pairing helps.

    Raises:
        NotEstimable: an arm has no spread.
    """
    x, y = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if x.size < 2 or x.std() == 0 or y.std() == 0:
        raise NotEstimable("an arm has no spread")
    return float(np.corrcoef(x, y)[0, 1])


def mcnemar(lost: int, gained: int) -> float:
    """Exact two-sided p of McNemar's test: min(1, 2·P(Bin(lost+gained, ½) ≤ min))."""
    total = lost + gained
    if total == 0:
        return 1.0
    tail = sum(math.comb(total, i) for i in range(min(lost, gained) + 1))
    return float(min(Fraction(1), Fraction(2 * tail, 2**total)))


def mcnemar_mid_p(lost: int, gained: int) -> float:
    """McNemar's test with half of the observed table's weight: less conservative, not exact."""
    total = lost + gained
    if total == 0:
        return 1.0
    smaller = min(lost, gained)
    tail = sum(math.comb(total, i) for i in range(smaller + 1))
    return float(min(Fraction(1), Fraction(2 * tail - math.comb(total, smaller), 2**total)))


def agresti_min(lost: int, gained: int, tasks: int, level: float = LEVEL) -> Interval:
    """Interval for a paired difference of shares, ½ added to each cell (Agresti and Min 2005)."""
    delta, error = agresti_min_estimate(lost, gained, tasks)
    half = z_value(level) * error
    return Interval(
        max(-1.0, delta - half), min(1.0, delta + half), "agresti-min", level, tasks < FEW_TASKS
    )


def agresti_min_estimate(lost: int, gained: int, tasks: int) -> tuple[float, float]:
    """Difference and standard error with ½ added to each of the four cells."""
    n, b, c = tasks + 2, lost + 0.5, gained + 0.5
    delta = (c - b) / n
    return delta, math.sqrt(((b + c) / n - delta * delta) / n)


def holm(p: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values (Holm 1979), in the order given: compare each with the level."""
    order = sorted(range(len(p)), key=lambda i: p[i])
    adjusted = [0.0] * len(p)
    highest = 0.0
    for rank, i in enumerate(order):
        highest = max(highest, min(1.0, (len(p) - rank) * p[i]))
        adjusted[i] = highest
    return adjusted


def family_error(tests: int, level: float = 0.05) -> float:
    """Chance of at least one false alarm among independent tests at this level."""
    return -math.expm1(tests * math.log1p(-level))


def across_languages(
    by_language: Mapping[str, Mapping[str, float]],
) -> tuple[tuple[str, ...], dict[str, float]]:
    """Means of several languages on the problems that all have.

    Args:
        by_language: language -> problem -> estimate; problems are named alike in every language.

    Returns:
        The common problems and each language's mean over them.

    Raises:
        NotEstimable: no common problem.
    """
    arms = list(by_language.values())
    common = tuple(p for p in arms[0] if all(p in arm for arm in arms[1:])) if arms else ()
    if not common:
        raise NotEstimable("no common problem")
    means = {
        language: mean_over_tasks([arm[p] for p in common]) for language, arm in by_language.items()
    }
    return common, means
