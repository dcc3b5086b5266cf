"""Whatever a model, a program or a provider writes: the screen stays whole, and shows it."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

from tests.tui import made
from tests.tui.driving import opened, shown, until
from workbench.session.records import InFlight
from workbench.session.store import SessionReader
from workbench.tui.draw.ink import cells
from workbench.tui.plain import plain_view
from workbench.tui.screens.sample import SampleScreen

FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u200b]")
EVIL = (
    "x[/b] [@click=app.quit]hi[/] [red] \x1b[2J\x1b[31m\x1b]0;title\x07\x1b]52;c;ZXZpbA==\x07"
    "\x00\x07\x08\x9b31m\u202eevil\u200b\t\r\n中文字 e\u0301 {0} %s \\ $EDITOR"
)
LONG = "長" * 50_000


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A session whose every foreign field is hostile."""
    path = made.write_session(tmp_path_factory.mktemp("evil"), "evil", tasks=2, n=2, repair=1,
                              open_share=0)  # fmt: skip
    program = {
        "files": {"Main.java": f"{EVIL}\n{LONG}\n{EVIL}"},
        "candidate_file": "Main.java",
        "candidate_lines": [1, 2],
    }
    run = made.execution(
        "wrong_answer", detail=EVIL + LONG, stderr=f"Main.java:2:1: error: {EVIL}\n{EVIL}{LONG}",
        stdout=EVIL * 2_000,
        case={"index": 0, "expected": EVIL, "actual": LONG, "shown": EVIL},
    )  # fmt: skip
    turn = {
        "raw": f"{EVIL}\n{LONG}", "code": "", "program": program, "scored": run, "visible": run,
        "feedback": EVIL + LONG, "request": made.request(EVIL + LONG),
        "extraction": {"steps": [{"rule": EVIL, "note": EVIL}], "span": [0, 5],
                       "refused": False, "extractor": EVIL, "form": None},
    }  # fmt: skip
    with sqlite3.connect(path / "session.db") as db:
        db.execute("UPDATE task SET entry_point = ?, prompt = ?", (EVIL, EVIL + LONG))
        db.execute("UPDATE task SET task_id = task_id || ?, problem = problem || ?", (EVIL, EVIL))
        db.execute("UPDATE unit SET detail = ?, outcome = 'wrong_answer', turns = 0, "
                   "flags = 'truncated,suspect,unheard_of'", (EVIL,))  # fmt: skip
        db.execute("UPDATE unit SET outcome = 'from_the_future' WHERE id = 3")
        db.execute("UPDATE event SET text = ?", (EVIL + LONG,))
        db.execute("UPDATE cell SET label = ?, benchmark = 'b[/b]'", (EVIL,))
        db.execute("UPDATE task SET benchmark = 'b[/b]'")
        db.execute("UPDATE meta SET value = ? WHERE key = 'model'", ('"[/b]\\u001b[2J"',))
        units = [
            made.unit_id(db, "java", mode, f"0{EVIL}") for mode in ("plain", "repair")
        ]  # fmt: skip
    made.add_turns(path, units[0], [turn])
    made.add_turns(path, units[1], [turn, turn])
    return path


@pytest.mark.parametrize("size", [(60, 16), (200, 60)])
@pytest.mark.slow
async def test_every_screen_stays_whole(hostile: Path, size: tuple[int, int]) -> None:
    async with opened(hostile.parent, size, first="evil") as (app, pilot):

        def check() -> None:
            app.screen.paint()  # type: ignore[attr-defined]
            rows = app.screen.canvas.rows  # type: ignore[attr-defined]
            assert len(rows) == size[1]
            for row in rows:
                assert sum(cells(text) for text, _ in row) == size[0]
            assert not FORBIDDEN.search(shown(app))

        assert app.session is not None
        check()
        model = app.session.model
        model.owner = 1
        flying = tuple(
            InFlight(i, 1, EVIL, EVIL, i, 2, "generate", EVIL, made.NOW - i) for i in range(3)
        )
        snapshot = made.snapshot()
        object.__setattr__(snapshot, "in_flight", flying)
        object.__setattr__(snapshot, "slots", {EVIL: (1, 1, 1)})
        model.take_snapshot(snapshot)
        check()
        await pilot.press("1")
        check()
        await pilot.press("3")
        check()
        await pilot.press("/", *"x[/b]")
        check()
        await pilot.press("escape")
        for mode in ("plain", "repair"):
            with sqlite3.connect(hostile / "session.db") as db:
                unit = made.unit_id(db, "java", mode, f"0{EVIL}")
            app.open_unit(unit)
            await until(
                pilot, lambda: isinstance(app.screen, SampleScreen) and bool(app.screen.sample)
            )
            for _ in range(7):
                check()
                await pilot.press("tab", "w", "pagedown")
            await pilot.press("L")
            check()
            await pilot.press("escape", "?")
            check()
            await pilot.press("escape", "escape")
        app.screen.say(EVIL)  # type: ignore[attr-defined]
        check()
        assert app.is_running


async def test_what_reaches_the_terminal_has_no_foreign_control(hostile: Path) -> None:
    async with opened(hostile.parent, first="evil") as (app, pilot):
        await pilot.press("3")
        app.screen.paint()  # type: ignore[attr-defined]
        canvas = app.screen.canvas  # type: ignore[attr-defined]
        for y in range(app.size.height):
            text = "".join(segment.text for segment in canvas.render_line(y))
            assert not FORBIDDEN.search(text)


def test_plain_lines_are_clean_too(hostile: Path) -> None:
    with SessionReader.open(hostile) as reader:
        from workbench.tui import plain

        original = plain.measuring.readings
        plain.measuring.readings = made.readings  # type: ignore[assignment]
        try:
            lines = list(plain_view(reader))
            with sqlite3.connect(hostile / "session.db") as db:
                unit = made.unit_id(db, "java", "repair", f"0{EVIL}")
            lines += plain_view(reader, unit)
        finally:
            plain.measuring.readings = original
    for line in lines:
        assert not FORBIDDEN.search(line)
        assert "\n" not in line
    text = "\n".join(lines)
    assert "x[/b] [@click=app.quit]hi[/]" in text
    assert "W wrong answer" in text
