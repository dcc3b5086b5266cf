"""What lost units could have changed: bounds on a value, and when a headline is doubtful."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.metrics.estimable import NotEstimable
from workbench.metrics.passk import mean_pass_at_k

DOUBTFUL_SHARE = 0.01
"""Above this share of lost units a value is shown with a warning."""


def bounds(passed: int, scored: int, lost: int) -> tuple[float, float]:
    """Share passed if all lost units had failed, and if all had passed.

    Raises:
        NotEstimable: there is no unit at all.
    """
    planned = scored + lost
    if planned == 0:
        raise NotEstimable("no unit is planned")
    return passed / planned, (passed + lost) / planned


def pass_at_k_bounds(counts: Sequence[tuple[int, int, int]], k: int) -> tuple[float, float]:
    """pass@k over tasks if all lost units had failed, and if all had passed.

    Args:
        counts: (scored, passed, lost) of each task.

    Raises:
        NotEstimable: some task has fewer than k units even with the lost ones.
    """
    worst = mean_pass_at_k([(n + lost, c) for n, c, lost in counts], k)
    best = mean_pass_at_k([(n + lost, c + lost) for n, c, lost in counts], k)
    return worst, best


def doubtful(scored: int, lost: int) -> bool:
    """Whether so much is lost that a loss which goes with the task could bias the value."""
    return lost > DOUBTFUL_SHARE * (scored + lost)
