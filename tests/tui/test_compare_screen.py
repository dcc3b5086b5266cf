"""Compare: differences, flips, curves, budgets, and what may not share a column."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tui.driving import opened, settled, shown, until
from workbench import paths
from workbench.tui.comparing import compare
from workbench.tui.draw import curve
from workbench.tui.draw.curve import Plot
from workbench.tui.draw.ink import Page, plain
from workbench.tui.model.comparison import Point, Series
from workbench.tui.model.readings import Reading
from workbench.tui.screens.beside import BesideScreen
from workbench.tui.screens.compare import CompareScreen
from workbench.tui.screens.sample import SampleScreen


def changed(path: Path, change: Callable[[dict[str, object]], None]) -> None:
    """Change the protocol of every plain cell."""
    with sqlite3.connect(path / "session.db") as db:
        rows = db.execute("SELECT id, protocol FROM cell WHERE mode = 'plain'").fetchall()
        for cell, text in rows:
            protocol = json.loads(text)
            change(protocol)
            db.execute("UPDATE cell SET protocol = ? WHERE id = ?", (json.dumps(protocol), cell))


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recorded example three times: as it is, with Python solved less often, and sampled."""
    root = tmp_path_factory.mktemp("compare")
    example = paths.example_session()
    assert example is not None
    for name in ("first", "second", "sampled"):
        shutil.copytree(
            example, root / name, ignore=shutil.ignore_patterns("lock", "*-wal", "*-shm")
        )
    with sqlite3.connect(root / "second" / "session.db") as db:
        db.execute(
            "UPDATE unit SET outcome = 'wrong_answer' WHERE outcome = 'passed' AND cell_id IN "
            "(SELECT id FROM cell WHERE language = 'python' AND mode = 'plain') "
            "AND task_pk % 2 = 0"
        )

    def sample(protocol: dict[str, object]) -> None:
        generation = protocol["gen"]
        assert isinstance(generation, dict)
        generation |= {"regime": "sampled", "temperature": "0.8"}

    changed(root / "sampled", sample)
    return root


def test_what_turned_is_named_with_a_unit_of_each_side(pair: Path) -> None:
    found = compare([pair / "first", pair / "second"])
    flips = [f for f in found.flips if f.mode == "plain"]
    assert flips
    assert all(f.outcomes == ("passed", "wrong_answer") and not f.gained for f in flips)
    counts = found.counts["plain", "B"]
    assert counts.only_a == len(flips)
    assert counts.only_b == 0
    python = next(r for b in found.blocks if b.mode == "plain" for r in b.rows
                  if r.language == "python")  # fmt: skip
    assert python.differences[0].text.startswith("−")


def test_values_of_different_metrics_stand_in_blocks_of_their_own(pair: Path) -> None:
    found = compare([pair / "first", pair / "sampled"])
    plain_blocks = [b for b in found.blocks if b.mode == "plain"]
    assert [b.metric for b in plain_blocks] == ["pass@1 (greedy)", "pass@1"]
    assert all(len(row.readings) == 1 for b in plain_blocks for row in b.rows)
    assert any(s.startswith("python plain: another identity") for s in found.refused)
    assert {f.mode for f in found.flips} <= {"repair-visible"}


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_two_marked_sessions_are_compared(pair: Path, size: tuple[int, int]) -> None:
    async with opened(pair, first=None, size=size) as (app, pilot):
        names = [s.path.name for s in app.catalogue.rows()]
        await pilot.press(*("j" * names.index("first")), "c")
        assert "first is A" in shown(app)
        await pilot.press("home", *("j" * names.index("second")), "c")
        assert app.current_mode == "compare"
        await until(pilot, lambda: "A first  B second" in shown(app))
        text = shown(app)
        assert "plain · pass@1 (greedy) %" in text
        assert "B−A −" in text
        assert "loses" in text
        await pilot.press("m")
        assert "repair-visible · solved@≤3 %" in shown(app)


async def test_views_go_round_and_a_session_is_added_and_taken_away(pair: Path) -> None:
    async with opened(pair, first=None) as (app, pilot):
        app.compare_view.paths[:] = [pair / "first"]
        await pilot.press("4")
        await until(pilot, lambda: "choose a second session: a" in shown(app))
        await pilot.press("a", *"sec", "tab", "enter")
        await until(pilot, lambda: "B second" in shown(app))
        await pilot.press("tab")
        assert app.compare_view.view == "flips"
        await pilot.press("tab")
        assert "one sample a task" in shown(app)
        await pilot.press("tab")
        assert "Solved % over tokens a task" in shown(app)
        assert "not estimable: an episode costs" in shown(app)
        assert "dollars: price unknown" in shown(app)
        await pilot.press("u")
        assert "Solved % over tokens written a task" in shown(app)
        await pilot.press("h", "h")
        assert app.compare_view.line == 0
        await pilot.press("l", "j")
        assert (app.compare_view.line, app.compare_view.budget) == (1, 1)
        await pilot.press("tab")
        assert "10 problems" in shown(app)
        await pilot.press("down", "end", "home", "shift+tab", "b", "x")
        await until(pilot, lambda: "B second" not in shown(app))


async def test_enter_on_a_flip_sets_a_unit_of_each_beside_the_other(pair: Path) -> None:
    async with opened(pair, first=None) as (app, pilot):
        app.compare_view.paths[:] = [pair / "first", pair / "second"]
        await pilot.press("4")
        await until(pilot, lambda: "B second" in shown(app))
        await pilot.press("enter")
        screen = app.screen
        assert isinstance(screen, BesideScreen)
        await until(pilot, lambda: screen.units is not None)
        text = shown(app)
        assert "A ● passed" in text
        assert "B W wrong answer" in text
        await pilot.press("tab")
        assert "[answer]" in shown(app)
        await pilot.press("shift+tab", "j", "k", "pagedown", "pageup", "end", "home", "l", "h", "y")
        assert "def " in app.clipboard
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, SampleScreen) and settled(app))
        assert app.session is not None
        assert app.session.model.name == "first"
        await until(pilot, lambda: "● passed" in shown(app))


async def test_copying_gives_each_value_with_its_label(pair: Path) -> None:
    async with opened(pair, first=None) as (app, pilot):
        app.compare_view.paths[:] = [pair / "first", pair / "second"]
        await pilot.press("4")
        await until(pilot, lambda: "B second" in shown(app))
        assert isinstance(app.screen, CompareScreen)
        await pilot.press("y")
        assert "python A: 8/10  starter/python@" in app.clipboard
        assert "python B−A: −" in app.clipboard


def test_a_curve_climbs_in_steps_and_is_named_at_its_end() -> None:
    def at(value: float) -> Reading:
        return Reading("pass@1", "pass@1", "", "", "", value, None, None, True, "label")

    series = (
        Series("A", False, (Point(1, at(0.4)), Point(5, at(0.5)), Point(10, at(0.6)))),
        Series("B", False, (Point(1, at(0.5)), Point(10, at(0.7)))),
    )
    page = Page(60, 20)
    curve.draw(page, Plot(0, 60, 0, 20), series, 5.0, "k")
    rows = [plain(row) for row in page.finish()]
    assert [r[-1] for r in rows if r.endswith(("A", "B"))] == ["B", "A"]
    assert any("╯" in r for r in rows)
    assert any("┛" in r for r in rows)
    assert rows[-1].split() == ["1", "5", "10", "k"]
