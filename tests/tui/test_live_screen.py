"""Live: what is shown of a running session, and how it is steered through its socket."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.tui import made
from tests.tui.driving import application, freeze, opened, settled, shown, until
from workbench.session import control
from workbench.session.lock import SessionLock


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_the_matrix_shows_values_done_in_flight_and_lost(
    folder: Path, size: tuple[int, int]
) -> None:
    async with opened(folder, size) as (app, _):
        await freeze(app)
        text = shown(app)
        assert "solved@≤3 %" in text
        for language in made.LANGUAGES:
            assert language in text
        assert "stalled: no byte for 5:40; attempt limit 8:00"[: 60 if size[0] > 80 else 40] in text
        assert "61 queued" in text
        assert "of 16 busy" in text
        assert "sandbox_error" in text
        assert "▸ running" in text
        # Nothing touches what stands beside it: each row is exactly as wide as the screen.
        assert all(len(row) <= size[0] for row in text.split("\n"))


async def test_a_session_that_does_not_run_shows_what_its_numbers_stand_on(folder: Path) -> None:
    async with opened(folder, first="gpt-4o-mini") as (app, pilot):
        text = shown(app)
        assert "Footing" in text
        assert "samples planned" in text
        assert "Oldest in flight" not in text
        assert "pause" not in text
        await pilot.press("S")
        assert "it doesn't run" in shown(app)


async def test_an_interrupted_session_says_how_to_go_on(folder: Path) -> None:
    async with opened(folder) as (app, _):
        assert "workbench resume qwen2.5-coder-7b" in shown(app)


async def test_why_slow_goes_to_the_oldest_of_the_language(folder: Path) -> None:
    async with opened(folder) as (app, pilot):
        await freeze(app)
        await pilot.press("j", "j", "w")
        text = shown(app)
        assert "java only · 3" in text
        assert "retry 3 of 8" not in text
        await pilot.press("w")
        assert "retry 3 of 8" in shown(app)


async def test_a_silent_process_is_never_shown_as_none(folder: Path) -> None:
    async with opened(folder) as (app, _):
        await freeze(app)
        app.now = lambda: made.NOW + 31
        app.screen.paint()  # type: ignore[attr-defined]
        text = shown(app)
        assert "no beat for 0:31" in text
        assert "values as of 15:04:09" in text
        assert "queued for a java slot" in text


class Engine:
    """Holds a session's lock, answers on its socket, and remembers what it was told."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.told: list[tuple[str, Mapping[str, Any]]] = []
        self.state = "running"

    async def handle(self, command: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        if command == "snapshot":
            return control.encode(made.snapshot(state=self.state))
        self.told.append((command, dict(arguments)))
        if command == "pause":
            self.state = "paused"
        if command == "resume":
            self.state = "running"
        return {}


@pytest.fixture
def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small session of its own, with a socket of its own."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    return made.write_session(tmp_path / "s", "watched", languages=("python", "java"), tasks=2)


async def test_keys_steer_the_process_that_runs_the_session(running: Path) -> None:
    engine = Engine(running)
    with SessionLock(running) as lock:
        async with (
            control.ControlServer(lock.socket, engine.handle),
            opened(running.parent, first="watched") as (app, pilot),
        ):
            await until(pilot, lambda: bool(app.session and app.session.model.snapshot))
            await pilot.press("j", "+", "-", "p")
            await until(pilot, lambda: "= paused" in shown(app))
            assert "p resume" in shown(app)
            await pilot.press("p", "r", "S")
            assert "stop watched? 100 in flight" in shown(app)
            await pilot.press("escape", "S", "enter", "tab", "x")
            assert "cancel java HumanEval/141 s1?" in shown(app)
            await pilot.press("enter")
            await pilot.pause()
    assert [c for c, _ in engine.told] == [
        "slots", "slots", "pause", "resume", "retry_lost", "stop", "cancel"
    ]  # fmt: skip
    assert engine.told[0][1] == {"language": "java", "delta": 1}
    assert engine.told[-1][1] == {"unit_id": 1}


async def test_it_follows_a_session_that_grows(running: Path) -> None:
    async with opened(running.parent, first="watched") as (app, pilot):
        assert app.session is not None
        before = app.session.model.total.open
        db = sqlite3.connect(running / "session.db")
        with db:
            db.execute(
                "UPDATE unit SET outcome = 'passed', change = (SELECT max(change) + 1 FROM unit) "
                "WHERE id = (SELECT id FROM unit WHERE outcome IS NULL LIMIT 1)"
            )
            db.execute(
                "INSERT INTO event (at, level, text) VALUES (?, 'info', 'one more has come')",
                (made.NOW,),
            )
        db.close()
        model = app.session.model
        await until(pilot, lambda: model.total.open == before - 1)
        await until(pilot, lambda: "one more has come" in shown(app))


async def test_a_process_that_does_not_answer_is_named(running: Path) -> None:
    with SessionLock(running):
        async with opened(running.parent, first="watched") as (app, pilot):
            await until(pilot, lambda: "doesn't answer" in shown(app))
            assert "isn't known" in shown(app)


async def test_leaving_asks_while_this_process_runs_the_session(running: Path) -> None:
    ended = asyncio.Event()
    engine = Engine(running)

    async def handle(command: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        if command == "stop":
            ended.set()
        return await engine.handle(command, arguments)

    with SessionLock(running) as lock:
        async with control.ControlServer(lock.socket, handle):
            app = application(running.parent, "watched")
            app.run_with(ended.wait)
            async with app.run_test(size=(120, 40)) as pilot:
                await until(pilot, lambda: settled(app))
                await until(pilot, lambda: bool(app.session and app.session.model.snapshot))
                await pilot.press("q")
                assert "this process runs the session" in shown(app)
                await pilot.press("escape")
                assert not ended.is_set()
                await pilot.press("q", "enter")
                await until(pilot, lambda: not app.is_running or app.return_code is not None)
    assert ended.is_set()


async def test_an_engine_that_fails_is_said_and_raised_afterwards(running: Path) -> None:
    async def engine() -> None:
        await asyncio.sleep(0.05)
        raise RuntimeError("no space left")

    app = application(running.parent, "watched")
    app.run_with(engine)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: "no space left" in shown(app))
    assert isinstance(app.engine_error, RuntimeError)
