"""An application over sessions on disk, driven without a terminal."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot
from textual.worker import WorkerError

from tests.tui import made
from workbench.tui.app import Workbench


def application(folder: Path, first: str | None = "qwen2.5-coder-7b") -> Workbench:
    """An application with a frozen clock and stand-in numbers."""
    return Workbench(
        folder,
        measure=made.readings,
        headline=made.headline,
        open_session=folder / first if first else None,
        now=lambda: made.NOW,
    )


async def until(pilot: Pilot[int], ready: Callable[[], bool]) -> None:
    """Wait for something to become true, at most ten seconds."""
    async with asyncio.timeout(10):
        while not ready():
            await pilot.pause(0.01)


def settled(app: Workbench) -> bool:
    """Whether list, headlines, and the session at hand are read."""
    listed = app.catalogue.loaded and all(
        s.path in app.headlines for s in app.catalogue.sessions if s.state != "unreadable"
    )
    return listed and (app.session is None or bool(app.session.model.readings))


@asynccontextmanager
async def opened(
    folder: Path, size: tuple[int, int] = (120, 40), first: str | None = "qwen2.5-coder-7b"
) -> AsyncIterator[tuple[Workbench, Pilot[int]]]:
    """Open an application and wait until what it shows is read."""
    app = application(folder, first)
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: settled(app))
        await pilot.pause()
        app.screen.paint()  # type: ignore[attr-defined]
        yield app, pilot


def shown(app: Workbench) -> str:
    """What is on the screen."""
    rows = app.screen.canvas.rows  # type: ignore[attr-defined]
    return "\n".join("".join(text for text, _ in row).rstrip() for row in rows)


async def freeze(app: Workbench) -> None:
    """Let the session at hand look as if process 4127 ran it, and stop following it."""
    assert app.session is not None
    assert app.session.worker is not None
    app.session.worker.cancel()
    with contextlib.suppress(WorkerError):
        await app.session.worker.wait()
    app.session.model.owner = 4127
    app.session.model.take_snapshot(made.snapshot())
    app.screen.paint()  # type: ignore[attr-defined]
