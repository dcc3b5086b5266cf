"""`workbench run`, `resume`, `extend` and `demo`: sessions that generate and judge."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from workbench import paths
from workbench.cli.options import (
    build_spec,
    judge_options,
    model_options,
    repeat_option,
    task_options,
    temperatures,
    words,
)
from workbench.cli.progress import plain_front, wants_screen
from workbench.errors import UsageError
from workbench.session.engine import Ended
from workbench.session.spec import SessionSpec
from workbench.text import clean_line

plain_option = click.option("--plain", is_flag=True, help="Plain lines, also in a terminal.")


@click.command()
@click.option("-b", "--benchmark", default="", help="Such as starter, humaneval, humaneval-x.")
@click.option(
    "-l",
    "--languages",
    default="python",
    show_default=True,
    metavar="LIST",
    help="python,cpp,java,js,go",
)
@click.option("--suite", type=click.Choice(["base"]), default="base", show_default=True)
@model_options
@task_options
@judge_options
@repeat_option
@click.option("--from", "source", metavar="SESSION", help="Repair the programs of a plain session.")
@click.option("--name", help="Name of the session.")
@click.option("--dry-run", is_flag=True, help="Say what it would take; ask nothing of the model.")
@plain_option
def run(
    source: str | None, name: str | None, dry_run: bool, plain: bool, **options: Any
) -> None:  # fmt: skip
    """Generate, judge and report: a new session."""
    if source is not None:
        asked = _from_session(source, options)
        if dry_run:
            _dry_run(asked)
        else:
            run_session(asked, name, plain=plain)
        return
    if not options["model"]:
        raise UsageError("name a model with -m, such as openai/gpt-4o-mini")
    grid = temperatures(options.pop("temperature"))
    specs = [build_spec({**options, "temperature": t}) for t in grid]
    if not specs[0].benchmark and not specs[0].problems:
        raise UsageError("name a benchmark with -b, or a file of tasks with --problems")
    if dry_run:
        for asked in specs:
            _dry_run(asked)
        return
    if len(specs) == 1:
        run_session(specs[0], name, plain=plain)
        return
    _run_grid(specs, name, plain=plain)


def _from_session(name: str, options: dict[str, Any]) -> SessionSpec:
    """What repairing a session's programs asks for: its own spec, and what may be given anew."""
    from workbench.session.source import MAY_CHANGE, spec_of_source

    context = click.get_current_context()
    skip = ("source", "name", "dry_run", "plain", "modes")
    given = {
        key: options[key]
        for key in options
        if key not in skip
        and context.get_parameter_source(key) is not click.core.ParameterSource.DEFAULT
    }
    for key in given:
        if key not in MAY_CHANGE:
            raise UsageError(f"--from takes {key} from the session {name}: leave it out")
    modes = tuple(w for mode in options["modes"] for w in words(mode))
    return spec_of_source(paths.sessions_dir(), name, modes, given)


def _run_grid(specs: Sequence[SessionSpec], name: str | None, *, plain: bool) -> None:
    """A session a temperature, one after another, then the best of each metric, named as such.

    It stops at the first that a person stopped or that lost units: `resume` goes on with that one.
    """
    from workbench.cli.compare import grid_report
    from workbench.session.begin import begin

    paths_made: list[Path] = []
    for asked in specs:
        tagged = None if name is None else f"{name}-T{asked.temperature:g}"
        path, ended = asyncio.run(begin(asked, paths.sessions_dir(), tagged, _front(plain), _say))
        finish(path, ended)
        paths_made.append(path)
    click.echo("")
    click.echo(grid_report(paths_made))


def run_session(asked: SessionSpec, name: str | None, *, plain: bool = False) -> None:
    """Run a new session to its end, show it, print its report, and leave with the right code."""
    from workbench.session.begin import begin

    path, ended = asyncio.run(begin(asked, paths.sessions_dir(), name, _front(plain), _say))
    finish(path, ended)


@click.command()
@click.argument("name")
@click.option("--concurrency", type=click.IntRange(1), metavar="N", help="Requests at once.")
@click.option("--slots", type=click.IntRange(1), metavar="N", help="Programs run at once.")
@click.option("--max-cost", type=float, metavar="USD")
@click.option("--max-tokens-total", type=click.IntRange(1), metavar="N")
@click.option("--api-base", metavar="URL")
@click.option("--data", "data_dir", metavar="DIR")
@plain_option
def resume(name: str, plain: bool, **options: Any) -> None:
    """Go on with an interrupted session; lost units are tried again."""
    _go_on(name, None, plain, options)


@click.command()
@click.argument("name")
@click.option("-n", "n", type=click.IntRange(1), required=True, help="Samples a task in all.")
@click.option("--concurrency", type=click.IntRange(1), metavar="N", help="Requests at once.")
@click.option("--slots", type=click.IntRange(1), metavar="N", help="Programs run at once.")
@click.option("--max-cost", type=float, metavar="USD")
@click.option("--max-tokens-total", type=click.IntRange(1), metavar="N")
@plain_option
def extend(name: str, n: int, plain: bool, **options: Any) -> None:
    """Draw more samples in a session, up to N a task."""
    _go_on(name, n, plain, options)


def _go_on(name: str, n: int | None, plain: bool, options: dict[str, Any]) -> None:
    from workbench.session import catalogue
    from workbench.session.begin import resume as go_on

    path = catalogue.find(paths.sessions_dir(), name)
    changes = {key: value for key, value in options.items() if value is not None}
    ended = asyncio.run(go_on(path, _front(plain), _say, n=n, changes=changes))
    finish(path, ended)


@click.command()
@click.option("--name", help="Name of the session.")
@click.option("--sandbox", metavar="KIND", help="Default: the best there is.")
@plain_option
def demo(name: str | None, sandbox: str | None, plain: bool) -> None:
    """The main job with the embedded model: five easy tasks in every language there is."""
    from workbench.cli.demo import demo_spec

    run_session(asyncio.run(demo_spec(sandbox, _say)), name, plain=plain)


def _front(plain: bool) -> Any:
    if plain or not wants_screen():
        return plain_front
    from workbench.cli.view import screen_front

    return screen_front


def _say(line: str) -> None:
    click.echo(clean_line(line))


def finish(path: Path, ended: Ended) -> None:
    """Print the report and where the session is; exit code 1 when units are open or lost."""
    from workbench.cli.reports import session_report
    from workbench.session.store import SessionReader

    with SessionReader.open(path) as reader:
        click.echo(session_report(reader, "table"))
        counts = [c for of_cell in reader.counts().values() for c in of_cell.items()]
    still_open = sum(n for outcome, n in counts if outcome == "open")
    lost = sum(n for outcome, n in counts if outcome in ("generation_failed", "sandbox_error"))
    click.echo(f"\nsession {path.name}  in {path}")
    if still_open:
        why = f" ({ended.reason})" if ended.reason else ""
        click.echo(f"{still_open} units are open{why}: `workbench resume {path.name}` goes on")
        raise SystemExit(130 if ended.by_person else 1)
    if lost:
        click.echo(f"{lost} units are lost: `workbench resume {path.name}` tries them again")
        raise SystemExit(1)


def _dry_run(asked: SessionSpec) -> None:
    from workbench.report import numbers
    from workbench.session.estimate import estimate_session

    found = asyncio.run(estimate_session(asked, paths.sessions_dir()))
    first = found.first
    _say(f"{found.tasks} tasks, {found.units} units in {', '.join(found.modes)}")
    _say(
        f"first answers: {first.requests} requests, about {numbers.tokens(first.prompt_tokens)} prompt "
        f"tokens, at most {numbers.tokens(first.completion_tokens)} generated"
    )
    if found.repair_turns:
        _say(f"repair: at most {found.repair_turns} further requests, with longer prompts")
    if first.cost is None:
        _say("price unknown: give --price IN/OUT, or cap tokens with --max-tokens-total")
    else:
        _say(f"first answers cost at most {numbers.money(first.cost)} ({first.price_source})")


__all__ = ["demo", "extend", "resume", "run", "run_session"]
