"""Samples and episodes: the line it failed on, the turn it turned at."""

from __future__ import annotations

import os
import sqlite3
import stat
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.tui import made
from tests.tui.driving import opened, shown, until
from workbench.tui.app import Workbench
from workbench.tui.model.diagnostics import find
from workbench.tui.screens.sample import SampleScreen


def unit(folder: Path, mode: str) -> int:
    """The unit of the pictures."""
    db = sqlite3.connect(folder / "qwen2.5-coder-7b" / "session.db")
    try:
        return made.unit_id(db, "java", mode, "6")
    finally:
        db.close()


async def go_to(app: Workbench, pilot: Pilot[int], unit_id: int) -> SampleScreen:
    """Open a unit and wait until it is shown."""
    await pilot.press("3")
    app.open_unit(unit_id)
    await until(pilot, lambda: isinstance(app.screen, SampleScreen) and bool(app.screen.sample))
    await pilot.pause()
    screen = app.screen
    assert isinstance(screen, SampleScreen)
    screen.paint()
    return screen


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_the_diagnostic_hangs_under_its_line(folder: Path, size: tuple[int, int]) -> None:
    async with opened(folder, size) as (app, pilot):
        await go_to(app, pilot, unit(folder, "plain"))
        rows = shown(app).split("\n")
        at = next(i for i, row in enumerate(rows) if "13 C" in row)
        assert "return l == down.toArray();" in rows[at]
        assert "╰─ incomparable types: List<Integer> and Object[]" in rows[at + 1]
        assert "C compile error" in rows[0] + rows[1]
        assert any("added by assembly: the scored tests" in row for row in rows)
        assert any("compile exit 1" in row for row in rows)


async def test_narrow_screens_have_views(folder: Path) -> None:
    async with opened(folder, (80, 24)) as (app, pilot):
        await go_to(app, pilot, unit(folder, "plain"))
        await pilot.press("p")
        assert "Complete the Java method." in shown(app)
        await pilot.press("a")
        text = shown(app)
        assert "Here is the completed method:" in text
        assert "│ class Solution {" in text
        await pilot.press("end")
        assert "took the java block" in shown(app)


async def test_samples_of_a_task_are_gone_through(folder: Path) -> None:
    async with opened(folder) as (app, pilot):
        screen = await go_to(app, pilot, unit(folder, "plain"))
        assert "sample 1 of 4" in shown(app)
        await pilot.press("]")
        await until(pilot, lambda: "sample 2 of 4" in shown(app))
        await pilot.press("[", "[")
        assert "no further one" in shown(app)
        assert screen.unit_id == unit(folder, "plain")


async def test_an_episode_shows_where_it_was_fixed(folder: Path) -> None:
    async with opened(folder) as (app, pilot):
        await go_to(app, pilot, unit(folder, "repair"))
        text = shown(app)
        assert "solved at turn 3" in text
        assert "first fixed" in text
        assert "compiles now" in text
        assert "Change from turn 2 to turn 3" in text
        assert "−1 +1" in text
        assert "visible 3 of 3" in text
        await pilot.press("h", "h")
        assert "Complete the Java method." in shown(app)
        await pilot.press("f")
        assert "Feedback as sent before turn 3" in shown(app)
        await pilot.press("g")
        assert "no such turn" in shown(app)


async def test_visible_and_scored_tests_are_never_mixed(folder: Path) -> None:
    async with opened(folder) as (app, pilot):
        await go_to(app, pilot, unit(folder, "repair"))
        await pilot.press("h")
        text = shown(app)
        assert "Visible tests at turn 2" in text
        assert "Scored tests at turn 2" in text
        assert "W 1 of 3" in text
        assert "W 1 of 7" in text


async def test_an_editor_gets_the_program_as_it_is_stored(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy"
    editor = tmp_path / "editor"
    editor.write_text(f'#!/bin/sh\ncp "$1" {copy}\n')
    editor.chmod(editor.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("EDITOR", str(editor))
    monkeypatch.delenv("VISUAL", raising=False)
    async with opened(folder) as (app, pilot):
        screen = await go_to(app, pilot, unit(folder, "plain"))
        # Without a terminal there is nothing to suspend.
        monkeypatch.setattr(app, "suspend", lambda: __import__("contextlib").nullcontext())
        await pilot.press("o")
        assert copy.read_text() == made.JAVA + made.JAVA_TESTS
        monkeypatch.setenv("EDITOR", os.fspath(tmp_path / "missing"))
        await pilot.press("o")
        assert "set $EDITOR or $PAGER" in shown(app)
        assert "Main.java" in screen.copied() or "class Solution" in screen.copied()


async def test_long_lines_are_wrapped_on_wish(folder: Path) -> None:
    async with opened(folder) as (app, pilot):
        await go_to(app, pilot, unit(folder, "plain"))
        assert "10)…" in shown(app)
        await pilot.press("w", "end")
        assert "10)…" not in shown(app)


GCC = "program.cpp: In function 'f':\nprogram.cpp:12:5: error: 'x' was not declared\n  12 | x\n"
PYTHON = (
    'Traceback (most recent call last):\n  File "/w/main.py", line 9, in <module>\n    f()\n'
    '  File "/w/main.py", line 3, in f\n    1/0\nZeroDivisionError: division by zero\n'
)
NODE = (
    "/w/main.js:7\n  throw 1\nError: no\n    at f (/w/main.js:7:3)\n    at main (/w/main.js:1:1)\n"
)


@pytest.mark.parametrize(
    ("output", "file", "line", "column", "message"),
    [
        (GCC, "program.cpp", 12, 5, "'x' was not declared"),
        (PYTHON, "main.py", 3, None, "the detail"),
        (NODE, "main.js", 7, None, "the detail"),
        ("./main.go:4:2: undefined: y", "main.go", 4, 2, "undefined: y"),
        ("Main.java:13: error: bad\n", "Main.java", 13, None, "bad"),
    ],
)
def test_places_are_found_in_what_toolchains_print(
    output: str, file: str, line: int, column: int | None, message: str
) -> None:
    found = find(output, file, "the detail")[0]
    assert (found.line, found.column, found.message) == (line, column, message)


def test_other_files_are_not_places_of_the_program() -> None:
    assert find("/usr/include/x.h:3:1: error: no", "program.cpp", "d") == []
    assert find("anything", "", "d") == []


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_v_sets_another_unit_of_the_problem_beside_it(
    folder: Path, size: tuple[int, int]
) -> None:
    async with opened(folder, size=size) as (app, pilot):
        await go_to(app, pilot, unit(folder, "plain"))
        await pilot.press("v", *"java plain s2")
        assert "beside" in shown(app)
        await pilot.press("enter")
        await until(pilot, lambda: "B " in shown(app) and "sample 2" in shown(app))
        assert "C compile error" in shown(app)
        await pilot.press("escape", "v", "escape")
