"""The grammar of --tasks, --limit and --exclude."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.benchmarks.selection import WHOLE, Selection, parse_selection
from workbench.benchmarks.task import Task
from workbench.errors import UsageError

PREFIX = {"python": "Python", "go": "Go"}


def tasks(count: int = 12, languages: tuple[str, ...] = ("python", "go")) -> list[Task]:
    return [
        Task("b", "humaneval-x", f"{PREFIX[lang]}/{i}", str(i), lang, "f", "", "")
        for i in range(count)
        for lang in languages
    ]


def problems(selection: Selection, of: list[Task] | None = None) -> list[str]:
    return list(dict.fromkeys(t.problem for t in selection.apply(of or tasks())))


def test_everything_is_chosen_unless_said_otherwise() -> None:
    assert WHOLE.whole
    assert WHOLE.text == ""
    assert parse_selection() == WHOLE
    assert WHOLE.apply(tasks()) == tasks()


def test_numbers_ranges_and_ids() -> None:
    chosen = parse_selection("0, 3-5,Go/11")
    assert problems(chosen) == ["0", "3", "4", "5", "11"]
    assert [t.id for t in chosen.apply(tasks())][-1] == "Go/11"
    assert chosen.text == "0,3-5,Go/11"
    assert not chosen.whole


def test_a_limit_counts_problems_not_tasks() -> None:
    assert len(parse_selection(limit=3).apply(tasks())) == 6
    assert parse_selection("5-9", limit=2).text == "5-9, first 2"
    assert problems(parse_selection("5-9", limit=2)) == ["5", "6"]


def test_exclusions_have_reasons() -> None:
    chosen = parse_selection(exclude=["3=wrong = test", "Go/4=slow"])
    assert chosen.excluded == {"3": "wrong = test", "Go/4": "slow"}
    assert "without 3,Go/4" in chosen.text
    kept = {t.id for t in chosen.apply(tasks())}
    assert "Python/3" not in kept
    assert "Go/3" not in kept
    assert "Python/4" in kept
    assert "Go/4" not in kept


@pytest.mark.parametrize("text", ["", ",", "1,,2", "5-3", "1, "])
def test_what_is_no_choice_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--tasks"):
        parse_selection(text)


@pytest.mark.parametrize("text", ["99", "50-60", "Rust/0", "-1"])
def test_what_names_no_task_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=f"--tasks {text}: no such task"):
        parse_selection(text).apply(tasks())


@pytest.mark.parametrize("item", ["3", "3=", "=why", " = "])
def test_an_exclusion_without_id_or_reason_is_refused(item: str) -> None:
    with pytest.raises(UsageError, match="ID=REASON"):
        parse_selection(exclude=[item])


def test_the_rest_is_refused() -> None:
    with pytest.raises(UsageError, match="at least 1"):
        parse_selection(limit=0)
    with pytest.raises(UsageError, match="--exclude 99"):
        parse_selection(exclude=["99=x"]).apply(tasks())
    with pytest.raises(UsageError, match="leaves none"):
        parse_selection("3", exclude=["3=x"]).apply(tasks())


@given(
    st.lists(
        st.one_of(
            st.integers(0, 11).map(lambda n: (str(n), {n})),
            st.tuples(st.integers(0, 11), st.integers(0, 30)).map(
                lambda p: (f"{p[0]}-{p[0] + p[1]}", set(range(p[0], p[0] + p[1] + 1)))
            ),
        ),
        min_size=1,
        max_size=6,
    )
)
def test_the_choice_is_the_union_in_the_benchmarks_order(
    items: list[tuple[str, set[int]]],
) -> None:
    chosen = parse_selection(",".join(text for text, _ in items))
    wanted = set[int]().union(*(numbers for _, numbers in items)) & set(range(12))
    assert problems(chosen) == [str(n) for n in sorted(wanted)]


@given(st.text(alphabet="0123456789-,/ a=", max_size=12))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    said = ""
    try:
        parse_selection(text).apply(tasks())
    except UsageError as error:
        said = str(error)
    assert "\n" not in said
