"""Strips, intervals, sparklines: pure functions of counts and width."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workbench.tui.draw import bars
from workbench.tui.draw.glyphs import MARKS
from workbench.tui.draw.ink import Row, cells, plain

COUNTS = st.dictionaries(st.sampled_from(list(MARKS)), st.integers(0, 4_000))


@given(COUNTS, st.integers(1, 120))
def test_a_strip_fills_its_width(counts: dict[str, int], width: int) -> None:
    runs = bars.strip(counts, width)
    assert cells(plain(runs)) == (width if sum(counts.values()) else 0)


@given(st.lists(st.integers(0, 10_000), min_size=1, max_size=13), st.integers(13, 100))
def test_every_outcome_that_occurs_has_a_mark(counts: list[int], width: int) -> None:
    found = bars.shares(counts, width)
    assert sum(found) == (width if sum(counts) else 0)
    assert all((n == 0) == (c == 0) for n, c in zip(counts, found, strict=True))


def test_the_strip_is_headed_by_glyphs_in_order() -> None:
    counts = {"passed": 10, "wrong_answer": 6, "compile_error": 2, "in_flight": 1}
    assert plain(bars.strip(counts, 20, planned=20)) == "●━━━━━━━━━W━━━━━C━◦·"
    assert bars.strip_plain(counts, 20) == "●50.0 W30.0 C10.0"


def test_the_interval_stands_on_an_axis_from_0_to_100() -> None:
    assert plain(bars.interval(0.5, 0.25, 0.75, 9)) == "··━━◆━━··"
    assert plain(bars.interval(0.0, 0.0, 0.0, 5)) == "◆····"
    assert plain(bars.interval(1.0, 0.9, 1.0, 5, mode="repair")) == "····◇"


def test_a_sparkline_is_scaled_to_its_greatest() -> None:
    assert bars.sparkline([0, 1, 2, 4], 6) == "  ▁▃▅█"
    assert bars.sparkline([], 3) == "   "
    assert bars.sparkline(list(range(100)), 4)[-1] == "█"


def test_a_bar_is_full_only_when_all_is_done() -> None:
    assert plain(bars.progress(999, 1000, 5)) == "━━━━─"
    assert plain(bars.progress(1, 1000, 5)) == "━────"
    assert plain(bars.progress(5, 5, 5)) == "━━━━━"


@given(
    st.lists(st.tuples(st.integers(0, 30), st.text(alphabet="ab中é", max_size=12))),
    st.integers(1, 30),
    st.tuples(st.integers(0, 30), st.integers(0, 30)),
)
def test_a_row_is_always_as_wide_as_the_screen(
    puts: list[tuple[int, str]], width: int, tint: tuple[int, int]
) -> None:
    row = Row(width)
    for column, text in puts:
        row.put(column, text)
    row.tint(*tint, "cursor")
    assert sum(cells(text) for text, _ in row.finish()) == width


def test_later_writing_stands_over_earlier() -> None:
    row = Row(10)
    row.put(0, "abcdefghij")
    row.put(3, "中")
    assert plain(row.finish()) == "abc中fghij"
