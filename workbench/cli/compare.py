"""`workbench compare`: differences of models, languages and modes; the best of temperatures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from workbench import paths
from workbench.errors import UsageError
from workbench.session import catalogue
from workbench.session.store import SessionReader
from workbench.text import clean_line

if TYPE_CHECKING:
    from workbench.report.comparison import Arm, By, Compared
    from workbench.report.sections import Section


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="A [B C…]")
@click.option(
    "--by",
    type=click.Choice(["model", "language", "mode"]),
    help="Default: model for several sessions, else language, else mode.",
)
@click.option("--mode", metavar="MODE", help="Only cells of this mode or recipe.")
@click.option("-l", "--language", metavar="LANGUAGE", help="Only cells of this language.")
@click.option("--max-T", "best", is_flag=True, help="Best of their temperatures, named as such.")
@click.option(
    "--format", "form", type=click.Choice(["table", "md", "json"]), default="table",
    show_default=True,
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
def compare(
    names: tuple[str, ...],
    by: By | None,
    mode: str | None,
    language: str | None,
    best: bool,
    form: str,
    as_json: bool,
) -> None:  # fmt: skip
    """Set sessions, languages or modes beside each other, paired on common tasks."""
    form = "json" if as_json else form
    found = [catalogue.find(paths.sessions_dir(), name) for name in dict.fromkeys(names)]
    if best:
        click.echo(grid_report(found, form))
        return
    sessions = [_arms(path, mode, language) for path in found]
    if not any(sessions):
        raise UsageError("no cell of that language and mode: see `workbench report NAME`")
    click.echo(_shown(sessions, by or _default(sessions), form))


def _arms(path: Path, mode: str | None, language: str | None) -> list[Arm]:
    from workbench.report.analysis import analyse
    from workbench.report.comparison import Arm

    with SessionReader.open(path) as reader:
        model = str(reader.meta().get("model", ""))
        arms = [Arm(path.name, model, cell) for cell in analyse(reader)]
    return [
        arm
        for arm in arms
        if mode in (None, arm.cell.name) and language in (None, arm.cell.cell.language)
    ]


def _default(sessions: Sequence[Sequence[Arm]]) -> By:
    if len(sessions) > 1:
        return "model"
    several = len({arm.cell.cell.language for arm in sessions[0]}) > 1
    return "language" if several else "mode"


def _shown(sessions: Sequence[Sequence[Arm]], by: By, form: str) -> str:
    from workbench.report.budget import budget_rows, budget_section
    from workbench.report.comparison import compare_cells, problem_tables, unmatched
    from workbench.report.comparison_parts import (
        difference_section,
        problem_section,
        problems_json,
    )
    from workbench.report.sections import Section

    compared = compare_cells(sessions, by)
    tables = problem_tables(sessions) if by == "language" else []
    budgets = [
        part
        for arms in sessions
        if by == "mode"
        for part in budget_section(budget_rows([arm.cell for arm in arms]))
    ]
    only = unmatched(sessions) if by == "model" else []
    _refuse_nothing(compared, only, bool(budgets) or bool(tables))
    parts = [
        *(problem_section(table) for table in tables),
        difference_section(compared, by),
        *([Section("", "not in both", notes=tuple(only))] if only else []),
        *budgets,
    ]
    if form == "json":
        body = {
            "by": by,
            "sessions": _sessions(sessions),
            **{part.key: part.body for part in parts if part.key},
            "problems": problems_json(tables),
            "unmatched": only,
        }
        return json.dumps(body, indent=1, ensure_ascii=False)
    return _text(_title(sessions), parts, form)


def _refuse_nothing(compared: Sequence[Compared], only: Sequence[str], shown: bool) -> None:
    """Say so in a line where nothing at all can be compared.

    Raises:
        UsageError: every comparison is refused, or there is none.
    """
    if shown or any(c.found is not None for c in compared):
        return
    why = next((c.refused for c in compared), "") or "; ".join(only[:3]) or "one cell alone"
    raise UsageError(f"nothing to compare: {why}")


def _sessions(sessions: Sequence[Sequence[Arm]]) -> list[dict[str, str]]:
    return [{"name": arms[0].session, "model": arms[0].model} for arms in sessions if arms]


def _title(sessions: Sequence[Sequence[Arm]]) -> str:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    named = [
        f"{letters[i % 26]} {each['name']} ({each['model']})"
        for i, each in enumerate(_sessions(sessions))
    ]
    return clean_line(" · ".join(named), max_line=1000)


def _text(title: str, parts: Sequence[Section], form: str) -> str:
    from workbench.report import sections
    from workbench.report.diagnoses import escaped

    if form == "md":
        return "\n".join([f"**{escaped(title)}**", *sections.as_markdown(parts)])
    return "\n".join([title, *sections.as_lines(parts)])


def grid_report(found: Sequence[Path], form: str = "table") -> str:
    """The best of several temperatures, of sessions that differ in nothing else.

    Raises:
        UsageError: they differ in something else, or there are fewer than two.
    """
    from workbench.report.grid import best_of
    from workbench.report.tables import render

    if len(found) < 2:
        raise UsageError("--max-T: at least two sessions that differ in temperature")
    sessions = [_arms(path, None, None) for path in found]
    places = [arm.place for arm in sessions[0] if all(_at(s, arm.place) for s in sessions)]
    if not places:
        raise UsageError("--max-T: the sessions have no cell in common")
    cells = [[arm.cell for s in sessions for arm in _at(s, place)] for place in places]
    best = [m for of_place in cells for m in best_of(of_place)]
    each = [m for of_place in cells for cell in of_place for m in cell.measured]
    title = f"temperatures: {', '.join(path.name for path in found)}"
    protocols = {c.cell.fingerprint[:12]: c.cell.protocol for of_place in cells for c in of_place}
    if form == "table":
        return render(best, form, protocols, title=title)
    return render([*best, *each] if form == "json" else best, form, protocols, title=title)


def _at(arms: Sequence[Arm], place: tuple[str, str]) -> list[Arm]:
    return [arm for arm in arms if arm.place == place]
