"""Tasks: the board, its filter language, and the way down to a sample."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.tui import made
from tests.tui.driving import opened, shown, until
from workbench.session.store import SessionReader
from workbench.tui.model import board as boards
from workbench.tui.model.session import SessionModel, Update
from workbench.tui.screens.sample import SampleScreen


def write(path: Path, outcomes: dict[tuple[str, str], Sequence[str | None]]) -> None:
    """Set the plain outcomes of (language, problem)."""
    db = sqlite3.connect(path / "session.db")
    with db:
        for (language, problem), values in outcomes.items():
            for index, value in enumerate(values):
                unit = made.unit_id(db, language, "plain", problem, index)
                detail = made.FAILURES.get(value or "", "")
                db.execute("UPDATE unit SET outcome = ?, detail = ?, flags = '' WHERE id = ?",
                           (value, detail, unit))  # fmt: skip
    db.close()


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three problems in two languages, two samples each, outcomes chosen."""
    path = made.write_session(
        tmp_path_factory.mktemp("tasks"), "chosen", languages=("python", "go"), tasks=3, n=2,
        repair=0, open_share=0,
    )  # fmt: skip
    write(
        path,
        {
            ("python", "0"): ("passed", "passed"),
            ("python", "1"): ("passed", "wrong_answer"),
            ("python", "2"): ("passed", "passed"),
            ("go", "0"): ("compile_error", "compile_error"),
            ("go", "1"): ("compile_error", "passed"),
            ("go", "2"): ("passed", "passed"),
        },
    )
    return path


def model_of(path: Path) -> SessionModel:
    """The session, read."""
    model = SessionModel(path)
    with SessionReader.open(path) as reader:
        model.apply(Update(cells=reader.cells(), tasks=reader.tasks(), units=reader.units()))
    return model


@pytest.mark.parametrize(
    ("terms", "problems"),
    [
        ((), "012"),
        (("python:passed",), "02"),
        (("python:passed", "go:compile_error"), "0"),
        (("-python:passed",), "1"),
        (("python:passed", "python:wrong_answer"), "012"),
        (("go:some",), "12"),
        (("some:passed",), "02"),
        (("go:compile_error",), "01"),
        (("below",), "1"),
        (("HumanEval/2",), "2"),
        (("incomparable",), "01"),
        (("nothing-like-it",), ""),
        (("python:passed", "-go:passed"), "0"),
    ],
)
def test_filter_terms(small: Path, terms: tuple[str, ...], problems: str) -> None:
    model = model_of(small)
    board = boards.build(model, "plain")
    assert "".join(p.id for p in boards.select(model, board, terms, "")) == problems


def test_typing_is_completed_where_only_one_word_fits(small: Path) -> None:
    board = boards.build(model_of(small), "plain")
    assert boards.complete(board, "py") == "thon:"
    assert boards.complete(board, "python:comp") == "ile_error"
    assert boards.complete(board, "python:passed -g") == "o:"
    assert boards.complete(board, "zz") == ""


def test_sorting_by_a_column(small: Path) -> None:
    model = model_of(small)
    board = boards.build(model, "plain")
    assert [p.id for p in boards.select(model, board, (), "go")] == ["0", "1", "2"]
    assert [p.id for p in boards.select(model, board, (), "-go")] == ["2", "1", "0"]


async def test_solved_in_python_fails_to_compile_in_go_takes_two_keys_each(small: Path) -> None:
    async with opened(small.parent, first="chosen") as (app, pilot):
        await pilot.press("3", "=", "l", "=")
        text = shown(app)
        assert "1 of 3 problems" in text
        assert "python:passed" in text
        assert "go:compile_error" in text
        await pilot.press("enter")
        assert "e" in text
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, SampleScreen))
        await pilot.press("escape", "escape", "backspace", "backspace")
        assert "3 problems" in shown(app)


async def test_a_filter_that_finds_nothing_names_the_way_back(small: Path) -> None:
    async with opened(small.parent, first="chosen") as (app, pilot):
        await pilot.press("3", "/", *"go:timeout", "enter")
        text = shown(app)
        assert "No problem matches `go:timeout`" in text
        assert "backspace takes `go:timeout` away" in text
        await pilot.press("backspace")
        assert "3 problems" in shown(app)


async def test_typing_filters_at_once_and_tab_completes(small: Path) -> None:
    async with opened(small.parent, first="chosen") as (app, pilot):
        await pilot.press("3", "/", *"go:comp", "tab")
        assert "2 of 3 problems" in shown(app)
        await pilot.press("enter")
        assert app.board_view.chips == ["go:compile_error"]


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_the_board_shows_counts_failures_and_what_failed_alike(
    small: Path, size: tuple[int, int]
) -> None:
    async with opened(small.parent, size, first="chosen") as (app, pilot):
        await pilot.press("3", "l")
        text = shown(app)
        assert "0 of 2 passed" in text
        assert "Main.java:13: error:" in text
        assert "3 of 6" in text
        await pilot.press("j", "j")
        assert "2 of 2 passed" in shown(app)


async def test_repair_mode_counts_solved_episodes(folder: Path) -> None:
    async with opened(folder) as (app, pilot):
        await pilot.press("3", "m")
        text = shown(app)
        assert "repair compiler+visible-tests" in text
        assert "solved" in text


async def test_next_failure_skips_what_passed(small: Path) -> None:
    async with opened(small.parent, first="chosen") as (app, pilot):
        await pilot.press("3", ".")
        assert app.board_view.problem == ("humaneval-x", "1")
        await pilot.press(".")
        assert "no more failures" in shown(app)


async def test_a_click_puts_the_cursor_on_a_cell(small: Path) -> None:
    async with opened(small.parent, first="chosen") as (app, pilot):
        await pilot.press("3")
        rows = shown(app).split("\n")
        y = next(i for i, row in enumerate(rows) if "below_threshold" in row)
        head = next(row for row in rows if "python" in row and "go" in row)
        await pilot.click(offset=(head.index("go") + 1, y))
        assert app.board_view.problem == ("humaneval-x", "1")
        assert app.board_view.language == "go"


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_failures_are_grouped_by_diagnostic_and_lead_to_their_problems(
    small: Path, size: tuple[int, int]
) -> None:
    async with opened(small.parent, size=size, first="chosen") as (app, pilot):
        await pilot.press("3", "g")
        text = shown(app)
        assert "2 diagnostics of 4 failures" in text
        assert text.index("compile error") < text.index("wrong answer")
        await pilot.press("j", "k", "pagedown", "pageup", "end", "home", "y")
        assert app.clipboard == f"3 × compile_error: {made.FAILURES['compile_error']}"
        await pilot.press("enter")
        assert app.board_view.chips == [f'"{made.FAILURES["compile_error"]}"']
        assert "2 of 3 problems" in shown(app)
        await pilot.press("backspace", "g", "o")
        await until(pilot, lambda: isinstance(app.screen, SampleScreen))
