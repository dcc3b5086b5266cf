"""Ways into the terminal UI: run it, print it as lines, draw it as a picture."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from workbench.session import catalogue


def run_app(
    sessions_dir: Path,
    open_session: str | None = None,
    engine: Callable[[], Awaitable[None]] | None = None,
) -> int:
    """Run the terminal UI until it is left; returns the exit code.

    Args:
        sessions_dir: folder whose sessions are shown; it need not exist.
        open_session: name or path of the session to open at once, in Live.
        engine: runs a session in this process, in the same event loop; leaving asks whether to
            stop it, and waits until it has stopped.

    Raises:
        SessionError: there is no session `open_session`.
        BaseException: whatever `engine` raised, after the UI has been left.
    """
    first = None if open_session is None else catalogue.find(sessions_dir, open_session)
    from workbench.tui import measuring
    from workbench.tui.app import Workbench

    app = Workbench(
        sessions_dir,
        measure=measuring.readings,
        headline=measuring.headline,
        engine=engine,
        open_session=first,
    )
    code = app.run()
    if app.engine_error is not None:
        raise app.engine_error
    return app.return_code or code or 0
