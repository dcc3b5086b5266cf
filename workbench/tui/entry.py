"""Ways into the terminal UI: run it, print it as lines, draw it as a picture."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.errors import UsageError
from workbench.session import catalogue
from workbench.session.store import SessionReader

if TYPE_CHECKING:
    from workbench.tui.app import Workbench

Engine = Callable[[], Awaitable[object]]
SCREENS = ("sessions", "live", "tasks", "sample", "compare", "recipes", "help")
"""What `export_svg` can draw."""


def run_app(
    sessions_dir: Path, open_session: str | None = None, engine: Engine | None = None
) -> int:
    """Run the terminal UI until it is left; returns the exit code.

    Args:
        sessions_dir: folder whose sessions are shown; it need not exist.
        open_session: name or path of the session to open at once, in Live.
        engine: as for `make_app`.

    Raises:
        SessionError: there is no session `open_session`.
        BaseException: whatever `engine` raised, after the UI has been left.
    """
    first = None if open_session is None else catalogue.find(sessions_dir, open_session)
    app = make_app(sessions_dir, first, engine=engine)
    app.run()
    if app.engine_error is not None:
        raise app.engine_error
    return app.return_code or 0


def make_app(
    sessions_dir: Path, first: Path | None = None, *, engine: Engine | None = None
) -> Workbench:
    """Make the application, for `run()` or, in a loop that runs an engine too, `run_async()`.

    Args:
        sessions_dir: folder whose sessions are shown; it need not exist.
        first: folder of the session to open at once, in Live.
        engine: awaited as a worker in the same event loop: it runs `first`, or waits for whatever
            runs it there. While it goes on, leaving asks whether to stop the session, tells it to,
            and waits until `engine` is done.
    """
    # Textual takes a quarter of a second to import: only who shows a screen pays for it.
    from workbench.tui import measuring
    from workbench.tui.app import Workbench
    from workbench.tui.keymap import keymap_file, read_keymap

    app = Workbench(
        sessions_dir,
        measure=measuring.readings,
        headline=measuring.headline,
        open_session=first,
        keymap=read_keymap(keymap_file()),
    )
    if engine is not None:
        app.run_with(engine)
    return app


def plain_view(reader: SessionReader, unit_id: int | None = None) -> Iterator[str]:
    """A session, or one sample of it, as lines: see `plain.plain_view`."""
    from workbench.tui import plain

    return plain.plain_view(reader, unit_id)


def export_svg(
    session: Path, screen: str, size: tuple[int, int], path: Path, *, theme: str = "workbench-dark"
) -> None:
    """Draw one screen of a session as SVG, without a terminal.

    Args:
        session: the session's folder.
        screen: one of `SCREENS`; `sample` shows the first that failed, else the first.
        size: columns and rows.
        path: file to write.
        theme: name of a theme.

    Raises:
        UsageError: no such screen, or the file can't be written.
        SessionError: there is no such session.
    """
    if screen not in SCREENS:
        raise UsageError(f"no screen {screen!r}: there are {', '.join(SCREENS)}")
    from workbench.tui.picture import draw

    app = make_app(session.parent, session)
    app.theme = theme
    picture = asyncio.run(draw(app, screen, size))
    try:
        path.write_text(picture, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path} can't be written: {error.strerror}") from None
