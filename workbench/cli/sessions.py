"""`workbench sessions`: what there is, and taking one away or back."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from workbench import paths
from workbench.errors import SessionError
from workbench.session import catalogue
from workbench.text import clean_line


def trash_dir() -> Path:
    """Where deleted sessions wait to be restored."""
    return paths.sessions_dir() / ".trash"


@click.group(invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a session.")
@click.pass_context
def sessions(ctx: click.Context, as_json: bool) -> None:
    """List sessions, newest first."""
    if ctx.invoked_subcommand is not None:
        return
    folder = paths.sessions_dir()
    rows = catalogue.list_sessions(folder)
    if as_json:
        for row in rows:
            click.echo(json.dumps({**asdict(row), "path": str(row.path)}))
        return
    if not rows:
        click.echo(f"no sessions in {folder} yet: `workbench demo` makes the first")
        return
    for row in rows:
        if row.state == "unreadable":
            click.echo(f"× {row.name:<28} unreadable  {clean_line(row.problem)}")
            continue
        mark = {"running": "▸", "stalled": "!", "interrupted": "□", "finished": "■"}[row.state]
        what = f"{'+'.join(row.benchmarks)} × {','.join(row.languages)} × {','.join(row.modes)}"
        lost = f", {row.lost} lost" if row.lost else ""
        tags = "".join(f"  #{clean_line(tag)}" for tag in row.tags)
        click.echo(
            f"{mark} {row.name:<28} {row.state:<12} {row.done}/{row.planned}{lost}  "
            f"{clean_line(row.model)}  {clean_line(what)}{tags}"
        )


@sessions.command()
@click.argument("name")
def delete(name: str) -> None:
    """Move a session to the trash."""
    path = catalogue.find(paths.sessions_dir(), name)
    place = catalogue.delete(path, trash_dir())
    click.echo(f"deleted {path.name}: `workbench sessions restore {place.name}` brings it back")


@sessions.command()
@click.argument("name")
def restore(name: str) -> None:
    """Bring a deleted session back."""
    found = sorted(trash_dir().glob(f"{name}*"))
    if not found:
        raise SessionError(f"no deleted session {name!r} in {trash_dir()}")
    click.echo(f"restored {catalogue.restore(found[-1], paths.sessions_dir()).name}")


@sessions.command()
@click.argument("name")
@click.argument("words", nargs=-1)
def tag(name: str, words: tuple[str, ...]) -> None:
    """Put words on a session to find it by; without words: take them away."""
    from workbench.session.tags import parse_tags, set_tags

    path = catalogue.find(paths.sessions_dir(), name)
    tags = parse_tags(" ".join(words))
    set_tags(path, tags)
    click.echo(f"{path.name}: {' '.join(tags) or 'no tags'}")
