"""Numbers on the screens come from measurements, and means over languages are over problems."""

from __future__ import annotations

import pytest

from tests.metrics.cells import plain, samples
from workbench.metrics.measure import measure_plain
from workbench.metrics.measurement import Measurement
from workbench.report.over_languages import mean_over_languages
from workbench.session.records import CellRow, TaskRow
from workbench.tui.model.readings import reading


def cell(number: int, language: str) -> CellRow:
    return CellRow(number, "starter", "base", language, "plain", "", 2, 1, "", "", {})


def task(number: int, language: str, name: str) -> TaskRow:
    return TaskRow(number, "starter", language, name, name, "f", "", True)


def measured(language: str, *rows: str) -> Measurement:
    return measure_plain(plain(len(rows), len(rows[0]), language=language), samples(*rows), [1])[0]


TASKS = {
    i: task(i, language, f"t{number}")
    for i, (language, number) in enumerate(
        (language, number) for language in ("python", "go") for number in range(40)
    )
}


def test_the_mean_is_over_problems_each_the_mean_of_its_languages() -> None:
    python = measured("python", *["●●"] * 30, *["WW"] * 10)
    go = measured("go", *["●W"] * 40)
    mean = mean_over_languages([(cell(1, "python"), python), (cell(2, "go"), go)], TASKS)
    assert mean is not None
    assert mean.value == pytest.approx((0.75 + 0.5) / 2)
    assert "mean(python,go)" in str(mean.label)
    assert mean.units.scored == 160
    assert mean.tasks.scored == 40
    # Forty problems, not eighty tasks: the interval is no narrower than over forty.
    assert mean.interval is not None
    assert len(mean.by_task) == 40


def test_only_common_problems_count() -> None:
    python = measured("python", *["●●"] * 40)
    go = measured("go", *["WW"] * 20)
    mean = mean_over_languages([(cell(1, "python"), python), (cell(2, "go"), go)], TASKS)
    assert mean is not None
    assert mean.tasks.scored == 20
    assert mean.value == pytest.approx(0.5)


def test_one_language_is_its_own_mean_and_different_metrics_have_none() -> None:
    python = measured("python", "●●", "WW")
    assert mean_over_languages([(cell(1, "python"), python)], TASKS) is python
    greedy = measure_plain(plain(2, 1, regime="greedy", language="go"), samples("●", "W"), [1])[0]
    assert (
        mean_over_languages([(cell(1, "python"), python), (cell(2, "go"), greedy)], TASKS) is None
    )


def test_a_reading_says_what_the_formatter_says() -> None:
    found = reading(measured("python", *["●W"] * 40))
    assert found.text.startswith("50.0 ")
    assert found.field == " 50.0 ±14.8"
    assert found.bold
    assert found.short == "pass@1"
    few = reading(measured("python", "●●", "●W"))
    assert few.text == "1.5/2"
    assert "python" in few.label


def test_an_unfinished_cell_is_provisional_and_an_impossible_one_says_why() -> None:
    protocol = plain(40, 2, language="python")
    open_cell = measure_plain(protocol, samples(*["●"] * 40), [1])[0]
    assert reading(open_cell).field.startswith("~")
    assert not reading(open_cell).bold
    impossible = reading(measure_plain(protocol, samples(*["●●"] * 40), [10])[0])
    assert impossible.text == "–"
    assert impossible.note == "not estimable: n 2 < k 10"
    assert impossible.value is None
