"""`repair · pass@3` can't be made, by any door."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.metrics.cells import episode, repair
from workbench.metrics.cell import Cell, Estimate
from workbench.metrics.measure import measure_pass_hat, measure_plain, measure_plain_tally
from workbench.metrics.measure_picked import measure_picked
from workbench.metrics.units import tally
from workbench.protocol.label import Label
from workbench.protocol.metric import LabelError, Metric, MetricKind
from workbench.protocol.naming import label
from workbench.protocol.parse import parse_label
from workbench.protocol.parts import DataName, Draws, FeedbackPart, Spec

CELL = repair(2, 3)
UNITS = [episode("t0", i, "W●", accepted=[2]) for i in range(3)]
METRICS = [
    Metric(MetricKind.PASS_AT, k=3),
    Metric(MetricKind.PASS_GREEDY),
    Metric(MetricKind.PASS_HAT, k=3),
    Metric(MetricKind.PICKED, k=3, picker="visible-tests"),
    Metric(MetricKind.PASS_AT, k=3, grid=("0.2", "0.8")),
]
DOORS: dict[str, Callable[[Metric], Any]] = {
    "label of a protocol": lambda m: label(CELL, m, n=3),
    "label by hand": lambda m: Label(
        DataName("starter", ("python",)),
        "repair",
        Spec((FeedbackPart("compiler"),)),
        m,
        Draws(3, temperature="0.8", top_p="0.95"),
    ),
    "imported label": lambda m: Label(
        DataName("starter", ("python",)),
        "repair",
        Spec((FeedbackPart("compiler"),)),
        m,
        None,
        ("IMPORTED",),
    ),
    "label read": lambda m: parse_label(
        f"starter/python · repair[compiler; last; ≤3] · {m} (m=3, T=0.8, top_p=0.95)"
    ),
    "measurement": lambda m: Cell(CELL, tally(UNITS), 6).measure(Estimate(m, {"t0": 1.0})),
    "missing measurement": lambda m: Cell(CELL, tally(UNITS), 6).missing(m, "why"),
}


@pytest.mark.parametrize("metric", METRICS, ids=str)
@pytest.mark.parametrize("door", DOORS)
def test_no_label_and_no_measurement_calls_turns_samples(door: str, metric: Metric) -> None:
    with pytest.raises(LabelError):
        DOORS[door](metric)


@pytest.mark.parametrize(
    "measure",
    [
        lambda: measure_plain(CELL, UNITS, [3]),
        lambda: measure_plain_tally(CELL, tally(UNITS), [3]),
        lambda: measure_pass_hat(CELL, UNITS, [3]),
        lambda: measure_picked(CELL, UNITS, {}, "visible-tests", [3]),
    ],
)
def test_no_estimator_takes_a_repair_cell_for_plain(measure: Callable[[], Any]) -> None:
    with pytest.raises(LabelError, match="solved"):
        measure()
