"""What a number of tasks can show: smallest detectable difference, tasks needed.

Formula: δ = (z_{α/2} + z_power)·√((ω² + σ_A²/K_A + σ_B²/K_B)/T), Miller 2024 (arXiv 2411.00640).
"""

from __future__ import annotations

import math
from statistics import NormalDist


def power_factor(alpha: float = 0.05, power: float = 0.8) -> float:
    """z_{α/2} + z_power: 2.80… for two-sided 5 % and 80 %."""
    normal = NormalDist()
    return normal.inv_cdf(1 - alpha / 2) + normal.inv_cdf(power)


def detectable_unpaired(p: float, tasks: int, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """Smallest difference of two shares near p on two separate sets of `tasks` tasks."""
    return power_factor(alpha, power) * math.sqrt(2 * p * (1 - p) / tasks)


def detectable_paired(
    tasks: int,
    omega2: float,
    *,
    within_a: float = 0.0,
    within_b: float = 0.0,
    alpha: float = 0.05,
    power: float = 0.8,
) -> float:
    """Smallest difference that `tasks` common tasks show with this power.

    Args:
        omega2: variance over tasks of the true difference; with one greedy attempt an upper bound
            is the share of tasks on which the arms disagree.
        within_a: σ²/K of arm A: variance within a task over its K samples.
        within_b: the same of arm B.
    """
    return power_factor(alpha, power) * math.sqrt((omega2 + within_a + within_b) / tasks)


def tasks_needed(
    delta: float,
    omega2: float,
    *,
    within_a: float = 0.0,
    within_b: float = 0.0,
    alpha: float = 0.05,
    power: float = 0.8,
) -> int:
    """Tasks that show a difference of `delta` with this power; arguments as `detectable_paired`."""
    factor = power_factor(alpha, power)
    return math.ceil(factor**2 * (omega2 + within_a + within_b) / delta**2)
