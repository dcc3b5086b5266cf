"""Open a unit of a session that isn't read yet, or hasn't begun yet."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.session.store import DATABASE

if TYPE_CHECKING:
    from workbench.tui.app import Workbench

LOOK_S = 0.05


async def open_when_read(app: Workbench, path: Path, unit_id: int | None) -> None:
    """Make the session in folder `path` the one at hand and open a unit of it, `None`: the first.

    Gives up when its process ended without having begun it, when it can't be read, and when another
    session is opened meanwhile.
    """
    while not (path / DATABASE).is_file():
        if all(s.path != path for s in app.starting):
            return
        await asyncio.sleep(LOOK_S)
    app.open_session(path)
    app.go("tasks")
    while True:
        opened = app.session
        if opened is None or opened.model.path != path or opened.model.problem:
            return
        units = opened.model.units
        if units if unit_id is None else unit_id in units:
            app.open_unit(min(units) if unit_id is None else unit_id)
            return
        await asyncio.sleep(LOOK_S)
