"""`workbench rescore`: a session's stored answers judged by other rules, without a model."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from workbench import paths
from workbench.session import catalogue
from workbench.session.store import SessionReader
from workbench.text import clean_line

if TYPE_CHECKING:
    from workbench.report.comparison import Arm, Compared


@click.command()
@click.argument("session")
@click.option(
    "--suite",
    type=click.Choice(["held-out"]),
    help="Only the scored tests that don't stand in the prompt.",
)
@click.option("--limits", type=click.Choice(["default", "published"]))
@click.option("--extraction", type=click.Choice(["tree-sitter", "raw"]))
@click.option("--turns", type=click.IntRange(1), metavar="T", help="Cut episodes at T turns.")
@click.option("--sandbox", metavar="KIND", help="Another sandbox than the session's.")
@click.option("--slots", type=click.IntRange(1), metavar="N", help="Programs run at once.")
@click.option("--data", "data_dir", metavar="DIR", help="Benchmark files (WORKBENCH_DATA).")
@click.option("--name", help="Name of the new session.")
@click.option("--json", "as_json", is_flag=True, help="The differences as JSON.")
def rescore(
    session: str,
    suite: str | None,
    limits: str | None,
    extraction: str | None,
    turns: int | None,
    sandbox: str | None,
    slots: int | None,
    data_dir: str | None,
    name: str | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Judge a session's answers by other rules: no model is asked, SESSION stays as it is.

    The result is a session of its own; what it changed is printed, with the tasks that flipped.
    """
    from workbench.session.rescore import Rescoring
    from workbench.session.rescore import rescore as judge_anew

    def say(line: str) -> None:
        click.echo(clean_line(line), err=as_json)

    source = catalogue.find(paths.sessions_dir(), session)
    asked = Rescoring(suite, limits, extraction, turns, sandbox, slots, data_dir)
    target = asyncio.run(judge_anew(source, name, asked, say))
    _print(source, target, as_json)


def _print(source: Path, target: Path, as_json: bool) -> None:
    from workbench.report import sections
    from workbench.report.comparison_parts import difference_section

    before, after = _arms(source), _arms(target)
    compared = _deltas(before, after)
    part = difference_section(compared, "model")
    if as_json:
        body = {"source": source.name, "session": target.name, "differences": part.body}
        click.echo(json.dumps(body, indent=1, ensure_ascii=False))
        return
    click.echo("\n".join(sections.as_lines([part])))
    click.echo(f"\nsession {target.name}  in {target}")


def _deltas(before: list[Arm], after: list[Arm]) -> list[Compared]:
    from workbench.report.comparison import delta

    at = {arm.place: arm for arm in before}
    return [delta(at[arm.place], arm) for arm in after]


def _arms(path: Path) -> list[Arm]:
    from workbench.report.analysis import analyse
    from workbench.report.comparison import Arm

    with SessionReader.open(path) as reader:
        model = str(reader.meta().get("model", ""))
        return [Arm(path.name, model, cell) for cell in analyse(reader)]
