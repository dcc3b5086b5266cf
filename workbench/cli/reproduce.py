"""`workbench reproduce`: one stored program again, and how to do it by hand."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from workbench.cli.reports import open_session
from workbench.execution.program import Execution
from workbench.text import clean_line


@click.command()
@click.argument("name")
@click.argument("row")
@click.option("-l", "--language", default="", help="Where several languages have such a row.")
@click.option(
    "--mode", default="", metavar="MODE", help="Where several modes do: plain, or a recipe."
)
@click.option(
    "--to",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write the program's files into a new folder.",
)
@click.option("--sandbox", metavar="KIND", help="Another sandbox than the session's.")
@click.option("--json", "as_json", is_flag=True)
def reproduce(name: str, row: str, language: str, mode: str, folder: Path | None,
              sandbox: str | None, as_json: bool) -> None:  # fmt: skip
    """Execute one stored program again: the same outcome is exit code 0, another one 1.

    ROW is TASK:SAMPLE or TASK:SAMPLE:TURN as `rows` and `report` have them, such as
    HumanEval/3:0, or a unit's number as `view --plain` has it. Without TURN: the last one.
    """
    from workbench.session import reproduce as again

    with open_session(name) as reader:
        stored = again.find(reader, row, language, mode)
    if folder is not None:
        again.write_files(stored.program, folder)
    hand = again.by_hand(stored, folder)
    found = asyncio.run(again.execute(stored, sandbox))
    same = found.outcome is stored.execution.outcome
    where = f"{stored.cell.language} {stored.cell.recipe or stored.cell.mode}"
    if as_json:
        import json

        body: dict[str, Any] = {
            "row": stored.row,
            "language": stored.cell.language,
            "mode": stored.cell.recipe or stored.cell.mode,
            "same": same,
            "stored": asdict(stored.execution),
            "now": asdict(found),
            "container": hand.container,
            "steps": list(hand.steps),
        }
        click.echo(json.dumps(body, indent=1, ensure_ascii=False))
    else:
        click.echo(clean_line(f"{reader.name} {stored.row} · {where} · unit {stored.unit.id}"))
        click.echo(f"stored   {_said(stored.execution)}")
        click.echo(f"now      {_said(found)}")
        click.echo("the same outcome" if same else "ANOTHER OUTCOME")
        if again.changed(stored):
            click.echo(f"the language folder of {stored.cell.language} has changed since")
        _print_by_hand(hand, folder, data=stored.program.cases is not None)
    if not same:
        raise SystemExit(1)


def _said(execution: Execution) -> str:
    from workbench.session.diagnoses import place

    told = execution.diagnostic
    where = place(told)
    parts = [execution.outcome.value.replace("_", " "), execution.sandbox]
    steps = [f"{s.name} {s.cpu_s:.2f} s CPU, {s.memory_mb:.0f} MB" for s in execution.steps]
    text = " · ".join([*(p for p in parts if p), *steps])
    detail = told.message if told is not None and told.message else execution.detail
    return clean_line(f"{text} · {detail}{f' ({where})' if where else ''}" if detail else text)


def _print_by_hand(hand: Any, folder: Path | None, *, data: bool) -> None:
    click.echo("")
    if folder is None:
        click.echo("by hand, in the folder that --to DIR writes the program's files into:")
    else:
        click.echo(f"by hand, with the files in {clean_line(str(folder))}:")
    click.echo("")
    click.echo(hand.container)
    click.echo("")
    if data:
        click.echo("It prints one line a case, `00… INDEX VALUE`: cases.json has what is expected.")
    else:
        click.echo("A pass ends with exit code 0 after a line of 32 zeros, the pass token's place.")
