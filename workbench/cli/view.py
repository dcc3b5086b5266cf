"""`workbench view`, and the terminal application that `workbench` alone opens."""

from __future__ import annotations

from pathlib import Path

import click

from workbench import paths
from workbench.cli.progress import wants_screen
from workbench.errors import UsageError
from workbench.session import catalogue
from workbench.session.engine import Engine


def open_home() -> int:
    """Open the terminal application on the list of sessions; returns the exit code."""
    if not wants_screen():
        raise UsageError(
            "the terminal application needs a terminal: `workbench sessions` lists, "
            "`workbench --help` says what else there is"
        )
    from workbench.tui.entry import run_app

    return run_app(paths.sessions_dir())


@click.command()
@click.argument("name")
@click.option("--plain", is_flag=True, help="Print every screen's content as lines.")
@click.option("--svg", type=click.Path(path_type=Path), metavar="FILE", help="Draw a screen.")
@click.option(
    "--screen",
    default="live",
    show_default=True,
    metavar="NAME",
    help="Which screen --svg draws: sessions, live, tasks, sample, compare, recipes.",
)
@click.option("--size", default="120x40", show_default=True, metavar="COLSxROWS")
def view(name: str, plain: bool, svg: Path | None, screen: str, size: str) -> None:  # fmt: skip
    """Open a session in the terminal, or print it."""
    path = catalogue.find(paths.sessions_dir(), name)
    if svg is not None:
        from workbench.tui.entry import export_svg

        columns, _, lines = size.partition("x")
        if not (columns.isdigit() and lines.isdigit()):
            raise UsageError(f"--size {size!r}: columns and rows, such as 120x40")
        export_svg(path, screen, (int(columns), int(lines)), svg)
        click.echo(svg)
        return
    if plain or not wants_screen():
        from workbench.session.store import SessionReader
        from workbench.tui.entry import plain_view

        with SessionReader.open(path) as reader:
            for line in plain_view(reader):
                click.echo(line)
        return
    from workbench.tui.entry import run_app

    raise SystemExit(run_app(path.parent, path.name))


async def screen_front(engine: Engine, path: Path) -> None:
    """Show a session of this process until the person leaves."""
    from workbench.tui.entry import make_app

    app = make_app(path.parent, path, engine=engine.finished.wait)
    await app.run_async()


screen_front.stays = True  # type: ignore[attr-defined]
