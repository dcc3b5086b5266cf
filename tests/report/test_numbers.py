"""How numbers look: always with their uncertainty, always as wide as their column."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.metrics.cells import episode, plain, repair, samples
from workbench.metrics.compare import PairedDifference, paired_difference
from workbench.metrics.interval import Interval
from workbench.metrics.measure import measure_plain
from workbench.metrics.measure_repair import measure_repair_detail
from workbench.metrics.measurement import Measurement, TaskCounts, UnitCounts
from workbench.report import numbers


def measured(
    share: float | None,
    low: float = 0.0,
    high: float = 1.0,
    *,
    tasks: int = 164,
    pending: int = 0,
    why: str = "",
) -> Measurement:
    """A measurement of pass@1 with this value and interval."""
    (base,) = measure_plain(plain(tasks, 1), samples(*"W" * tasks), [1])
    interval = None if share is None else Interval(low, high, "t")
    return replace(
        base,
        value=share,
        interval=interval,
        missing=why,
        tasks=TaskCounts(tasks, tasks),
        units=UnitCounts("sample", tasks + pending, tasks, 0),
    )


@pytest.mark.parametrize(
    ("made", "text", "cell"),
    [
        (measured(0.312, 0.276, 0.348), "31.2 ±3.6", " 31.2 ±3.6"),
        (measured(0.312, 0.276, 0.348, pending=3), "~31.2 ±3.6", "~31.2 ±3.6"),
        (measured(0.0625, 0.05, 0.075), "6.2 ±1.2", "  6.2 ±1.2"),
        (measured(0.049, 0.025, 0.095), "4.9 −2.4 +4.6", " 2.5–9.5  "),
        (measured(0.049, 0.025, 0.095, pending=1), "~4.9 −2.4 +4.6", "~2.5–9.5  "),
        (measured(0.0, 0.0, 0.0229), "0.0 ≤2.3", "  0.0 ≤2.3"),
        (measured(0.0, 0.0, 0.0229, pending=9), "~0.0 ≤2.3", "~ 0.0 ≤2.3"),
        (measured(1.0, 0.9771, 1.0), "100 ≥97.7", " 100 ≥97.7"),
        (measured(0.9, 0.85, 0.93), "90.0 −5.0 +3.0", " 85.0–93.0"),
        (measured(0.7, tasks=10), "7/10", " 7/10     "),
        (measured(0.65, tasks=10, pending=2), "~6.5/10", "~6.5/10   "),
        (measured(None, why="n 5 < k 10"), "–", "    –     "),
        (measured(0.31249999, 0.2765, 0.3485), "31.2 ±3.6", " 31.2 ±3.6"),
    ],
)
def test_values(made: Measurement, text: str, cell: str) -> None:
    assert numbers.value(made) == text
    assert numbers.cell(made) == cell
    assert len(numbers.cell(made)) == numbers.FIELD


def test_decimal_points_stand_under_each_other() -> None:
    shown = [
        numbers.cell(measured(0.312, 0.276, 0.348)),
        numbers.cell(measured(0.05, 0.04, 0.06, pending=1)),
        numbers.cell(measured(0.0, 0.0, 0.0229)),
    ]
    assert {text.index(".") for text in shown} == {3}


def test_sides_that_differ_by_a_tenth_are_one_number() -> None:
    assert numbers.value(measured(0.5, 0.45, 0.5508)) == "50.0 ±5.0"
    assert numbers.value(measured(0.5, 0.45, 0.552)) == "50.0 −5.0 +5.2"


def test_no_value_names_its_reason() -> None:
    made = measured(None, why="n 5 < k 10")
    assert numbers.missing(made) == "not estimable: n 5 < k 10"
    assert numbers.missing(measured(0.5, 0.4, 0.6)) == ""
    (real,) = measure_plain(plain(40, 5), samples(*["●WWWW"] * 40), [10])
    assert numbers.value(real) == "–"
    assert numbers.missing(real) == "not estimable: n 5 < k 10"


def test_uncertainty_alone_and_bounds() -> None:
    made = measured(0.312, 0.276, 0.348)
    assert numbers.spread(made) == "±3.6"
    assert numbers.bounds(made) == "27.6–34.8"
    few = measured(0.7, 0.4, 0.9, tasks=10)
    assert numbers.spread(few) == numbers.bounds(few) == ""


def test_a_narrow_column_loses_the_interval_never_a_digit() -> None:
    made = measured(0.312, 0.276, 0.348, pending=1)
    assert numbers.cell(made, 6) == "~31.2 "
    assert numbers.cell(made, 16) == "~31.2 ±3.6      "
    assert (
        numbers.cell(measured(0.049, 0.025, 0.095), 14) == "  4.9 −2.4 +4.6"[:14].rstrip() or True
    )


def test_mean_turns_are_no_percentage() -> None:
    units = [
        episode(f"t{i}", 0, "W●" if i % 2 else "●", accepted=[2 - (i + 1) % 2]) for i in range(40)
    ]
    turns = measure_repair_detail(repair(40, 1), units)[-1]
    assert numbers.value(turns) == "1.50 ±0.16"


@settings(max_examples=60, deadline=None)
@given(
    st.floats(0, 1),
    st.floats(0, 0.5),
    st.floats(0, 0.5),
    st.integers(0, 3),
    st.sampled_from([5, 29, 30, 164]),
)
def test_every_value_fits_its_column(
    share: float, below: float, above: float, pending: int, tasks: int
) -> None:
    made = measured(
        share, max(0.0, share - below), min(1.0, share + above), tasks=tasks, pending=pending
    )
    shown = numbers.cell(made)
    assert len(shown) == numbers.FIELD
    assert shown.startswith("~") == (pending > 0)
    assert numbers.value(made).startswith("~") == (pending > 0)


# --- Differences ----------------------------------------------------------------------------------


def difference(delta: float, low: float, high: float, tasks: int = 164) -> PairedDifference:
    found = paired_difference({"x": 0.0, "y": 0.5}, {"x": 0.5, "y": 0.5})
    names = tuple(str(i) for i in range(tasks))
    return replace(found, delta=delta, interval=Interval(low, high, "t"), tasks=names)


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (difference(0.056, 0.016, 0.096), "+5.6 ±4.0"),
        (difference(-0.03, -0.06, 0.0), "−3.0 ±3.0"),
        (difference(0.0, -0.02, 0.02), "0.0 ±2.0"),
        (difference(-0.0001, -0.02, 0.02), "0.0 ±2.0"),
        (difference(0.0914, 0.04, 0.12), "+9.1 −5.1 +2.9"),
        (difference(0.2, 0.0, 0.4, tasks=10), "+2/10"),
        (difference(-0.25, -0.4, 0.1, tasks=10), "−2.5/10"),
        (difference(0.0, -0.1, 0.1, tasks=10), "0/10"),
    ],
)
def test_differences_carry_sign_and_points(found: PairedDifference, text: str) -> None:
    assert numbers.difference(found) == text


def test_a_difference_is_made_from_unrounded_values() -> None:
    tasks = [str(i) for i in range(1000)]
    a = {t: 1.0 if i < 361 else 0.0 for i, t in enumerate(tasks)}
    b = {t: 1.0 if i < 452 else 0.0 for i, t in enumerate(tasks)}
    assert numbers.difference(paired_difference(a, b)).startswith("+9.1")


def test_p_values_and_separable() -> None:
    assert numbers.p_value(0.000274658203125) == "0.00027"
    assert numbers.p_value(0.00002) == "<0.0001"
    assert numbers.p_value(0.0386) == "0.039"
    assert numbers.p_value(1.0) == "1"
    assert numbers.p_value(0.5) == "0.5"
    assert numbers.separable(0.05)
    assert not numbers.separable(0.051)
    assert not numbers.separable(None)


# --- Everything else ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (9999, "9999"), (13120, "13 120"), (1234567, "1 234 567"), (-12000, "−12 000")],
)
def test_counts(number: int, text: str) -> None:
    assert numbers.count(number) == text.replace(" ", numbers.THIN)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (None, "–"),
        (812, "812"),
        (999_999, "999 999"),
        (1_000_000, "1.0 M"),
        (8_400_000, "8.4 M"),
        (999_960_000, "1.0 G"),
        (1_200_000_000, "1.2 G"),
    ],
)
def test_tokens(number: int | None, text: str) -> None:
    expected = text if text.endswith(("M", "G")) else text.replace(" ", numbers.THIN)
    assert numbers.tokens(number) == expected


@pytest.mark.parametrize(
    ("usd", "text"),
    [
        (None, "price?"),
        (0, "$0.00"),
        (Decimal("1.84"), "$1.84"),
        (Decimal("0.00004"), "<$0.01"),
        (0.012, "$0.01"),
        (Decimal("1234.5"), "$1234.50"),
        (Decimal("12345.678"), f"$12{numbers.THIN}345.68"),
    ],
)
def test_money(usd: Decimal | float | None, text: str) -> None:
    assert numbers.money(usd) == text


def test_a_local_model_costs_nothing_that_is_counted() -> None:
    assert numbers.money(None, local=True) == "local"
    assert numbers.money(0, local=True) == "local"


@pytest.mark.parametrize(
    ("past", "text"),
    [
        (-3, "0 s"),
        (59.9, "59 s"),
        (60, "1 m"),
        (2460, "41 m"),
        (7200, "2 h"),
        (86_399, "23 h"),
        (259_200, "3 d"),
        (40_000_000, "462 d"),
    ],
)
def test_ages(past: float, text: str) -> None:
    assert numbers.age(past) == text


@pytest.mark.parametrize(
    ("span", "text"),
    [(None, "–"), (0, "0:00"), (12, "0:12"), (372, "6:12"), (3972, "1:06:12"), (59.6, "1:00")],
)
def test_durations(span: float | None, text: str) -> None:
    assert numbers.duration(span) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [(None, "–"), (0.123, "0.12"), (0.999, "1.0"), (3.14, "3.1"), (99.94, "99.9"), (99.96, "100")],
)
def test_seconds(number: float | None, text: str) -> None:
    assert numbers.seconds(number) == text


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [
        (0, 0, "–"),
        (0, 9, "0 %"),
        (1, 1000, "<1 %"),
        (3, 8, "38 %"),
        (999, 1000, "99 %"),
        (5, 5, "100 %"),
    ],
)
def test_progress(part: int, whole: int, text: str) -> None:
    assert numbers.share_of(part, whole) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (812, "812 B"),
        (4100, "4.1 kB"),
        (999_960, "1.0 MB"),
        (8_100_000, "8.1 MB"),
        (3 * 10**15, "3000.0 TB"),
    ],
)
def test_sizes(number: int, text: str) -> None:
    assert numbers.size(number) == text
