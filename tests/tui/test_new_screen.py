"""New session: the form, its checks, the command it stands for, and starting it."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.tui import made
from tests.tui.driving import opened, shown, until
from workbench.session.preflight import Check, Preflight
from workbench.session.spec import SessionSpec
from workbench.tui import choosing
from workbench.tui.model.draft import Draft, forked
from workbench.tui.screens.new import NewScreen


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Path, list[str]]]:
    """No process and no sandbox: what would be started, and checks that hold go up."""

    async def preflight(spec: SessionSpec, sessions: Path) -> Preflight:
        checks = [Check("data", "ok", "10 tasks")]
        if "go" in spec.languages:
            checks.append(Check("go", "stops", "image missing: build it"))
        return Preflight(tuple(checks), None)

    asked: list[tuple[Path, list[str]]] = []
    monkeypatch.setattr(choosing, "preflight", preflight)
    monkeypatch.setattr(choosing, "models", lambda first: [*first, "openai/gpt-4o-mini"])
    monkeypatch.setattr(
        "workbench.tui.app.Workbench.start_session",
        lambda _app, path, arguments: asked.append((path, arguments)),
    )
    return asked


def screen_of(app: Any) -> NewScreen:
    """The form."""
    assert isinstance(app.screen, NewScreen)
    return app.screen


async def test_the_draft_starts_as_the_command_says(
    tmp_path: Path, started: list[tuple[Path, list[str]]]
) -> None:
    async with opened(tmp_path, first=None, size=(120, 40)) as (app, pilot):
        await pilot.press("n")
        screen = screen_of(app)
        await until(pilot, lambda: not screen.view.checking and "languages" in screen.view.options)
        await until(pilot, lambda: "S starts it" in shown(app))
        assert "--model local/smollm2-135m" in shown(app)
        await pilot.press("S")
        path, arguments = started[0]
        assert path.parent == tmp_path
        assert arguments[:3] == ["run", "--model", "local/smollm2-135m"]
        assert arguments[-2:] == ["--name", path.name]
        assert app.current_mode == "sessions"
        assert "starts in a process of its own" in shown(app)


async def test_a_check_that_stops_holds_the_start_and_says_why(
    tmp_path: Path, started: list[tuple[Path, list[str]]]
) -> None:
    async with opened(tmp_path, first=None, size=(120, 40)) as (app, pilot):
        await pilot.press("n")
        screen = screen_of(app)
        await until(pilot, lambda: "languages" in screen.view.options)
        options = list(screen.view.options["languages"])
        await pilot.press("j", "j", "j", *("l" * options.index("go")), "space")
        assert screen.draft.words("languages") == ["python", "go"]
        await until(pilot, lambda: not screen.view.checking)
        await pilot.press("S")
        assert started == []
        assert "start is held: go: image missing" in shown(app)
        await pilot.press("space")
        assert screen.draft.words("languages") == ["python"]


async def test_an_impossible_value_stays_as_typed_with_what_would_be_valid(
    tmp_path: Path, started: list[tuple[Path, list[str]]]
) -> None:
    async with opened(tmp_path, first=None, size=(120, 40)) as (app, pilot):
        await pilot.press("n", "j", "j", "j", "j", "j", "enter", "backspace", *"many", "enter")
        screen = screen_of(app)
        await until(pilot, lambda: bool(screen.view.problem))
        assert screen.draft.values["n"] == "many"
        await until(pilot, lambda: "is not a whole number" in shown(app))
        assert screen.view.field_of_problem == "n"
        await pilot.press("S")
        assert started == []


async def test_models_are_completed(tmp_path: Path, started: list[tuple[Path, list[str]]]) -> None:
    async with opened(tmp_path, first=None, size=(80, 24)) as (app, pilot):
        await pilot.press("n")
        screen = screen_of(app)
        await until(pilot, lambda: "openai/gpt-4o-mini" in screen.view.options.get("model", ()))
        await pilot.press("enter", "ctrl+u", *"gpt", "tab")
        assert "openai/gpt-4o-mini" in shown(app)
        await pilot.press("enter")
        assert screen.draft.values["model"] == "openai/gpt-4o-mini"


async def test_escape_keeps_the_draft(
    tmp_path: Path, started: list[tuple[Path, list[str]]]
) -> None:
    async with opened(tmp_path, first=None, size=(120, 40)) as (app, pilot):
        await pilot.press("n", "enter", "ctrl+u", *"openai/x", "enter", "escape", "n")
        assert screen_of(app).draft.values["model"] == "openai/x"
        await pilot.press("y")
        assert app.clipboard.startswith("workbench run --model openai/x")


async def test_a_fork_begins_with_all_that_its_session_was_asked_for(
    tmp_path: Path, started: list[tuple[Path, list[str]]]
) -> None:
    made.write_session(tmp_path, "one", tasks=1, n=1, repair=0, open_share=0)
    spec = SessionSpec(model="m/x", benchmark="starter", languages=("python", "go"), n=3,
                       system="be brief")  # fmt: skip
    async with opened(tmp_path, first=None, size=(120, 40)) as (app, pilot):
        await pilot.press("f")
        assert "wasn't generated here" in shown(app)
        with sqlite3.connect(tmp_path / "one" / "session.db") as db:
            db.execute("INSERT INTO meta VALUES ('spec', ?)", (spec.model_dump_json(),))
        await pilot.press("f")
        await until(pilot, lambda: isinstance(app.screen, NewScreen))
        assert "from one" in shown(app)
        assert screen_of(app).draft.spec() == spec


def test_a_draft_is_the_spec_that_its_fields_say() -> None:
    draft = Draft()
    draft.values |= {
        "n": "20",
        "temperature": "0.2",
        "modes": "plain,repair-visible",
        "tasks": "0-4",
    }
    spec = draft.spec()
    assert (spec.n, spec.temperature, spec.modes) == (20, 0.2, ("plain", "repair-visible"))
    again = forked("x", spec.model_dump()).spec()
    assert again == spec
