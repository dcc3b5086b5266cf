"""Estimators and intervals against a known truth over tasks: chances redrawn for every run.

A model whose chance on a task is drawn from a Beta distribution, anew each run: the truth is then
the mean over all tasks of that kind, which is what an interval promises to hold. 164 tasks, 5
languages (a distribution each), 3 modes, 500 seeded runs.
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest
from numpy.typing import NDArray

from workbench.metrics import passk, repair
from workbench.metrics.intervals import choose_interval

TASKS, RUNS, TURNS = 164, 500, 3
USUAL = ((0.5, 2.0), (0.6, 1.2), (0.5, 0.5), (1.2, 0.6), (2.0, 0.7))
"""Beta's a and b by language: means from 0.2 to 0.74."""
BOUND = NormalDist().inv_cdf(1 - 0.001 / 2 / 30)
"""Standard errors that all 30 biases (2 × 3 modes × 5 languages) stay within, 99.9 % of the time."""
EXTREME = ((0.03, 3.0), (0.1, 4.0), (4.0, 0.1), (3.0, 0.03), (0.05, 2.0))
"""Means of 0.01 to 0.025, and of 0.975 to 0.99."""


def any_of(a: float, b: float, k: int) -> float:
    """E[1 − (1−p)^k] for p ~ Beta(a, b): 1 − B(a, b+k)/B(a, b)."""
    log = math.lgamma(b + k) - math.lgamma(b) + math.lgamma(a + b) - math.lgamma(a + b + k)
    return -math.expm1(log)


def greedy(chances: NDArray[np.float64], draw: np.random.Generator) -> list[float]:
    """One attempt a task."""
    return (draw.random(TASKS) < chances).astype(float).tolist()


def sampled(chances: NDArray[np.float64], draw: np.random.Generator) -> list[float]:
    """pass@3 of 8 samples."""
    counts = [(8, int(c)) for c in draw.binomial(8, chances)]
    return passk.per_task_pass_at_k(counts, 3)


def episodes(chances: NDArray[np.float64], draw: np.random.Generator) -> list[float]:
    """solved@≤3 of 4 episodes that stop when solved."""
    first = np.ones((TASKS, 4), dtype=np.int64) * (TURNS + 1)
    for turn in range(TURNS, 0, -1):
        first[draw.random((TASKS, 4)) < chances[:, None]] = turn
    solved = repair.solved_from_first(first.ravel().tolist(), TURNS)[:, -1]
    return solved.reshape(TASKS, 4).mean(axis=1).tolist()


MODES = {"greedy": (greedy, 1), "pass@3": (sampled, 3), "solved@≤3": (episodes, TURNS)}


def runs(mode: str, kinds: tuple[tuple[float, float], ...], seed: int) -> tuple[float, list[float]]:
    """Coverage over all languages, and each language's error in standard errors."""
    estimate, k = MODES[mode]
    draw = np.random.default_rng(seed)
    held, errors = 0, []
    for a, b in kinds:
        truth = any_of(a, b, k)
        means = np.empty(RUNS)
        for run in range(RUNS):
            values = estimate(draw.beta(a, b, TASKS), draw)
            found = choose_interval(values)
            held += found.low <= truth <= found.high
            means[run] = passk.mean_over_tasks(values)
        errors.append(float((means.mean() - truth) / (means.std(ddof=1) / math.sqrt(RUNS))))
    return held / (RUNS * len(kinds)), errors


@pytest.mark.parametrize("mode", MODES)
def test_usual_means_are_unbiased_and_covered_as_promised(mode: str) -> None:
    covered, errors = runs(mode, USUAL, seed=4)
    assert max(map(abs, errors)) < BOUND
    assert 0.93 <= covered <= 0.97


@pytest.mark.parametrize("mode", MODES)
def test_near_nothing_and_everything_the_interval_still_holds(mode: str) -> None:
    covered, errors = runs(mode, EXTREME, seed=5)
    assert max(map(abs, errors)) < BOUND
    assert covered >= 0.93
