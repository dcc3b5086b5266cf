"""One screen of a session as SVG, drawn by the application itself without a terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from textual.pilot import Pilot

from workbench.tui.app import FLUSH_S, Workbench
from workbench.tui.screens.compare import CompareScreen
from workbench.tui.screens.recipes import RecipesScreen
from workbench.tui.screens.sample import SampleScreen

DEADLINE_S = 120.0


async def draw(app: Workbench, screen: str, size: tuple[int, int]) -> str:
    """Open `screen` in an application that shows a session, and draw it once all is read.

    Raises:
        TimeoutError: the session can't be read and measured in two minutes.
    """
    async with app.run_test(size=size) as pilot, asyncio.timeout(DEADLINE_S):
        await _until(pilot, lambda: _listed(app) and _measured(app))
        if screen == "sessions":
            await pilot.press("1")
        elif screen in ("tasks", "sample"):
            await pilot.press("3")
        elif screen == "help":
            await pilot.press("?")
        elif screen in ("compare", "recipes"):
            await pilot.press("4" if screen == "compare" else "5")
            await _until(pilot, lambda: _read(app))
        if screen == "sample" and open_first_failure(app):
            await _until(pilot, lambda: _sample_shown(app))
        await pilot.pause(2 * FLUSH_S)  # what was read is painted with the next flush
        return app.export_screenshot()


async def _until(pilot: Pilot[int], ready: Callable[[], bool]) -> None:
    while not ready():
        await pilot.pause(0.02)


def _listed(app: Workbench) -> bool:
    return app.catalogue.loaded and all(
        s.path in app.headlines for s in app.catalogue.sessions if s.state != "unreadable"
    )


def _measured(app: Workbench) -> bool:
    return app.session is None or bool(app.session.model.problem or app.session.model.readings)


def _read(app: Workbench) -> bool:
    """Whether Compare or Recipes shows what it is about."""
    if isinstance(app.screen, CompareScreen):
        return app.screen.found is not None or bool(app.screen.problem)
    return isinstance(app.screen, RecipesScreen) and app.screen.cards is not None


def _sample_shown(app: Workbench) -> bool:
    return isinstance(app.screen, SampleScreen) and app.screen.sample is not None


def open_first_failure(app: Workbench) -> bool:
    """Open the first sample that failed, else the first; whether there is one."""
    if app.session is None or not app.session.model.units:
        return False
    units = app.session.model.units.values()
    failed = (u for u in units if u.outcome not in (None, "passed") and u.turns)
    app.open_unit(next(failed, next(iter(units))).id)
    return True
