"""Sessions: moving, filtering, opening, deleting."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tui import made
from tests.tui.driving import opened, settled, shown, until
from workbench.session.detached import Detached
from workbench.tui.draw.ink import Page
from workbench.tui.draw.jump import jumps
from workbench.tui.screens.sessions import SessionsScreen


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[list[str]]]:
    """Instead of sessions, processes that do nothing; what they were asked for."""
    asked: list[list[str]] = []
    begun: list[subprocess.Popen[bytes]] = []

    def start(path: Path, arguments: list[str]) -> Detached:
        asked.append(arguments)
        begun.append(subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE))
        return Detached(path, path.parent / "none.log", begun[-1])

    monkeypatch.setattr("workbench.tui.app.start", start)
    yield asked
    for process in begun:
        process.kill()
        process.communicate()


async def test_it_groups_sessions_and_says_what_came_out(folder: Path) -> None:
    async with opened(folder, first=None) as (app, _):
        text = shown(app)
        assert text.index("Interrupted 1") < text.index("Finished 2")
        assert "slv≤3" in text
        assert "workbench resume qwen2.5-coder-7b" in text


async def test_a_session_that_cannot_be_read_is_a_row_that_says_why(tmp_path: Path) -> None:
    for name in ("no-database", "another-version"):
        (tmp_path / name).mkdir()
    (tmp_path / "no-database" / "session.db").write_bytes(b"this never was a database" * 50)
    path = tmp_path / "another-version"
    shutil.rmtree(path)
    made.write_session(tmp_path, "another-version", tasks=1, n=1, repair=0)
    with sqlite3.connect(path / "session.db") as db:
        db.execute("UPDATE cell SET protocol = 'not json'")
    async with opened(tmp_path, first=None) as (app, pilot):
        text = shown(app)
        assert "no-database" in text
        assert text.count("unreadable") == 2
        await pilot.press("enter")
        assert app.current_mode == "sessions"
        app.open_session(path)
        app.go("live")
        await until(pilot, lambda: "another version" in shown(app))


async def test_enter_opens_a_finished_session_at_its_tasks(folder: Path) -> None:
    async with opened(folder, first=None) as (app, pilot):
        await pilot.press("end", "enter")
        await until(pilot, lambda: app.current_mode == "tasks" and settled(app))
        assert app.session is not None
        assert app.session.model.name == "gpt-4o-mini"
        await pilot.press("escape")
        assert app.current_mode == "sessions"


async def test_a_filter_is_typed_and_taken_away(folder: Path) -> None:
    async with opened(folder, first=None) as (app, pilot):
        await pilot.press("/", *"star")
        text = shown(app)
        assert "starcoder2-15b" in text
        assert "gpt-4o-mini" not in text
        await pilot.press(*"zz")
        assert "No session matches `starzz`" in shown(app)
        await pilot.press("escape")
        assert "gpt-4o-mini" in shown(app)
        # q was typed into the filter, not taken as a key
        await pilot.press("/", "q", "enter")
        assert app.is_running
        assert app.catalogue.words == "q"


async def test_an_empty_folder_says_what_to_do(tmp_path: Path) -> None:
    async with opened(tmp_path / "none", first=None, size=(80, 24)) as (app, _):
        text = shown(app)
        assert "No sessions yet." in text
        assert "workbench demo" in text
        assert "enter open" not in text


async def test_enter_in_an_empty_folder_starts_the_demo_in_a_process_of_its_own(
    tmp_path: Path, commands: list[list[str]]
) -> None:
    async with opened(tmp_path / "none", first=None, size=(80, 24)) as (app, pilot):
        await pilot.press("enter")
        assert commands[0][:2] == ["demo", "--name"]
        assert "starting demo-" in shown(app)


async def test_resume_goes_on_with_what_is_open_and_with_nothing_else(
    tmp_path: Path, commands: list[list[str]]
) -> None:
    made.write_session(tmp_path, "open", tasks=2, n=2, repair=0, open_share=1)
    made.write_session(tmp_path, "whole", languages=("go",), tasks=1, n=1, repair=0, open_share=0)
    with sqlite3.connect(tmp_path / "whole" / "session.db") as db:
        db.execute("UPDATE unit SET outcome = 'passed'")
    async with opened(tmp_path, first=None) as (app, pilot):
        assert "r resume" in shown(app)
        await pilot.press("r", "r")
        assert commands == [["resume", "open"]]
        assert "is being started already" in shown(app)
        await pilot.press("end", "r")
        assert "whole is complete" in shown(app)
        assert "r resume" not in shown(app).split("\n")[-1]


async def test_extend_asks_for_more_than_there_is(folder: Path, commands: list[list[str]]) -> None:
    async with opened(folder, first=None) as (app, pilot):
        await pilot.press("end", "+")
        assert "extend gpt-4o-mini to n =" in shown(app)
        await pilot.press("2", "enter")
        assert "whole number above 2" in shown(app)
        await pilot.press("+", "9", "escape")
        assert commands == []
        await pilot.press("+", "1", "0", "enter")
        assert commands == [["extend", "gpt-4o-mini", "-n", "10"]]


async def test_tags_are_typed_found_and_taken_back(tmp_path: Path) -> None:
    made.write_session(tmp_path, "one", tasks=1, n=1, repair=0, open_share=0)
    made.write_session(tmp_path, "two", tasks=1, n=1, repair=0, open_share=0)
    async with opened(tmp_path, first=None) as (app, pilot):
        await pilot.press("t", *"paper [b]", "enter")
        await until(pilot, lambda: "one #paper #[b]" in shown(app))
        await pilot.press("/", *"#paper", "enter")
        assert "two" not in shown(app)
        await pilot.press("escape", "U")
        await until(pilot, lambda: app.catalogue.rows()[0].tags == ())
        await pilot.press("t", *("x" * 41), "enter")
        await until(pilot, lambda: "is no tag" in shown(app))


async def test_a_process_that_fails_is_told_with_its_reason(tmp_path: Path) -> None:
    made.write_session(tmp_path, "one", tasks=1, n=1, repair=0)
    async with opened(tmp_path, first=None) as (app, pilot):
        app.start_session(tmp_path / "one", ["resume", "nothing-like-this"])
        app.starting[0].process.wait(10)
        await until(pilot, lambda: not app.starting)
        assert "one: no session 'nothing-like-this'" in shown(app)


async def test_delete_asks_and_can_be_undone(tmp_path: Path) -> None:
    made.write_session(tmp_path, "one", tasks=1, n=1, repair=0, open_share=0)
    made.write_session(tmp_path, "two", tasks=1, n=1, repair=0, open_share=0)
    async with opened(tmp_path, first=None) as (app, pilot):
        await pilot.press("d")
        assert "delete one?" in shown(app)
        await pilot.press("escape")
        assert (tmp_path / "one").exists()
        await pilot.press("d", "enter")
        await until(pilot, lambda: len(app.catalogue.sessions) == 1)
        assert not (tmp_path / "one").exists()
        await pilot.press("U")
        await until(pilot, lambda: len(app.catalogue.sessions) == 2)
        assert (tmp_path / "one" / "session.db").is_file()


async def test_sorting_goes_round(folder: Path) -> None:
    async with opened(folder, first=None) as (app, pilot):
        assert app.catalogue.sort == "newest"
        await pilot.press("s")
        assert app.catalogue.sort == "name"
        await pilot.press("s", "s", "s")
        assert app.catalogue.sort == "newest"


async def test_the_palette_opens_sessions_and_runs_actions(folder: Path) -> None:
    async with opened(folder, first=None) as (app, pilot):
        await pilot.press(":", *"gpt")
        assert "Session gpt-4o-mini" in shown(app)
        await pilot.press("enter")
        await until(pilot, lambda: app.current_mode == "live" and settled(app))
        await pilot.press("1", ":", *"sortses", "enter")
        await until(pilot, lambda: app.catalogue.sort == "name")


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_help_covers_the_screen_and_gives_it_back(
    folder: Path, size: tuple[int, int]
) -> None:
    async with opened(folder, first=None, size=size) as (app, pilot):
        await pilot.press("?")
        assert "filter as you type" in shown(app)
        await pilot.press("escape")
        assert isinstance(app.screen, SessionsScreen)


async def test_a_click_focuses_and_footer_entries_are_buttons(folder: Path) -> None:
    async with opened(folder, first=None) as (app, pilot):
        rows = shown(app).split("\n")
        y = next(i for i, row in enumerate(rows) if "starcoder2-15b" in row)
        await pilot.click(offset=(10, y))
        screen = app.screen
        assert isinstance(screen, SessionsScreen)
        assert screen.under_cursor() is not None
        assert screen.under_cursor().name == "starcoder2-15b"  # type: ignore[union-attr]
        last = shown(app).split("\n")[-1]
        await pilot.click(offset=(last.index("sort"), len(rows) - 1))
        assert app.catalogue.sort == "name"


async def test_themes_go_round_and_plain_ansi_is_among_them(folder: Path) -> None:
    async with opened(folder, first=None) as (app, pilot):
        seen = [app.theme]
        for _ in range(4):
            await pilot.press("ctrl+t")
            seen.append(app.theme)
        assert seen[0] == seen[4] == "workbench-dark"
        assert "ansi-light" in seen


async def test_a_jump_letter_goes_where_a_click_would(folder: Path) -> None:
    async with opened(folder, first=None) as (app, pilot):
        screen = app.screen
        assert isinstance(screen, SessionsScreen)
        await pilot.press("'")
        codes = {target: code for code, (_, _, target) in screen._jumps.items()}
        assert len(codes) == len(screen._jumps)
        await pilot.press(*codes["session:gpt-4o-mini"])
        assert screen.under_cursor() is not None
        assert screen.under_cursor().name == "gpt-4o-mini"  # type: ignore[union-attr]
        await pilot.press("'", "escape")
        assert screen.jumping is None
        await pilot.press("'")
        await pilot.press(*{t: c for c, (_, _, t) in screen._jumps.items()}["everywhere.live"])
        assert app.current_mode == "live"


def test_more_targets_than_letters_get_two_letters_each() -> None:
    page = Page(80, 40)
    for number in range(30):
        page.row(number).put(3, "x", target=f"row:{number}")
    found = jumps(page)
    assert len(found) == 30
    assert {len(code) for code in found} == {2}
