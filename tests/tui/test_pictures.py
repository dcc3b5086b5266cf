"""How the screens look, at the three sizes and too small, as recorded pictures."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.tui.driving import application, freeze, settled, until
from tests.tui.test_sample_screen import go_to, unit
from workbench.tui.app import Workbench

SIZES = [(80, 24), (120, 40), (200, 60)]


def prepared(
    then: Callable[[Workbench, Pilot[int]], Awaitable[object]],
) -> Callable[[Pilot[int]], Awaitable[None]]:
    """Wait until all is read, then do the rest."""

    async def run(pilot: Pilot[int]) -> None:
        app = pilot.app
        assert isinstance(app, Workbench)
        await until(pilot, lambda: settled(app))
        await then(app, pilot)
        app.screen.paint()  # type: ignore[attr-defined]
        await pilot.pause()

    return run


async def _nothing(app: Workbench, pilot: Pilot[int]) -> None:
    await pilot.pause()


async def _live(app: Workbench, pilot: Pilot[int]) -> None:
    await freeze(app)
    await pilot.press("j", "j")


async def _tasks(app: Workbench, pilot: Pilot[int]) -> None:
    await pilot.press("3", "j", "j", "l", "l")


@pytest.mark.parametrize("size", SIZES)
def test_sessions(snap_compare: Any, folder: Path, size: tuple[int, int]) -> None:
    app = application(folder, None)
    assert snap_compare(app, terminal_size=size, run_before=prepared(_nothing))


@pytest.mark.parametrize("size", SIZES)
def test_live(snap_compare: Any, folder: Path, size: tuple[int, int]) -> None:
    assert snap_compare(application(folder), terminal_size=size, run_before=prepared(_live))


def test_live_light(snap_compare: Any, folder: Path) -> None:
    app = application(folder)
    app.theme = "workbench-light"
    assert snap_compare(app, terminal_size=(120, 40), run_before=prepared(_live))


@pytest.mark.parametrize("size", SIZES)
def test_tasks(snap_compare: Any, folder: Path, size: tuple[int, int]) -> None:
    assert snap_compare(application(folder), terminal_size=size, run_before=prepared(_tasks))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("mode", ["plain", "repair"])
def test_sample(snap_compare: Any, folder: Path, size: tuple[int, int], mode: str) -> None:
    async def then(app: Workbench, pilot: Pilot[int]) -> None:
        await go_to(app, pilot, unit(folder, mode))

    assert snap_compare(application(folder), terminal_size=size, run_before=prepared(then))


def test_help(snap_compare: Any, folder: Path) -> None:
    async def then(app: Workbench, pilot: Pilot[int]) -> None:
        await pilot.press("?")

    assert snap_compare(application(folder), terminal_size=(120, 40), run_before=prepared(then))


def test_too_small(snap_compare: Any, folder: Path) -> None:
    assert snap_compare(application(folder), terminal_size=(40, 10), run_before=prepared(_live))


def test_no_sessions(snap_compare: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    app = application(Path("sessions"), None)
    assert snap_compare(app, terminal_size=(80, 24), run_before=prepared(_nothing))
