"""`workbench report`, `rows`, `export` and `import`: what a session measured, and the session itself."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from workbench import paths
from workbench.cli.options import positive
from workbench.session import catalogue
from workbench.session.store import SessionReader
from workbench.text import clean_line

if TYPE_CHECKING:
    from workbench.report.analysis import CellAnalysis

FIELDS = (
    *("task_id", "problem", "language", "benchmark", "suite", "mode", "recipe", "sample", "turn"),
    *(
        "visible_outcome",
        "outcome",
        "unit_outcome",
        "flags",
        "detail",
        "diagnostic",
        "started",
        "seconds",
    ),
    *("cpu_s", "prompt_tokens", "completion_tokens", "finish_reason", "shared", "label"),
    "attempts",
)


def open_session(name: str) -> SessionReader:
    """The session of that name in the present sessions folder."""
    return SessionReader.open(catalogue.find(paths.sessions_dir(), name))


@click.command()
@click.argument("name")
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "md", "csv", "json", "html"]),
    default="table",
    show_default=True,
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Write it to a file."
)
@click.option("--tokens", metavar="LIST", help="Budgets of solved@≤B tok, such as 500,1000.")
def report(
    name: str, form: str, as_json: bool, output: Path | None, tokens: str | None
) -> None:  # fmt: skip
    """The numbers of a session, each with its label; `html` is one page with plots."""
    budgets = positive("--tokens", tokens) or ()
    with open_session(name) as reader:
        text = session_report(reader, "json" if as_json else form, budgets)
    if output is None:
        click.echo(text)
    else:
        output.write_text(text + "\n", encoding="utf-8")


def session_report(reader: SessionReader, form: str, tokens: Sequence[int] = ()) -> str:
    """The report of a session in one of the formats; `tokens`: budgets of solved@≤B tok."""
    from workbench.report import numbers
    from workbench.report.analysis import analyse
    from workbench.report.diagnoses import diagnose_session
    from workbench.report.parts import parts_of
    from workbench.report.tables import protocols, render

    meta = reader.meta()
    totals = reader.totals()
    local = str(meta.get("model", "")).startswith(("local/", "replay:", "scripted:"))
    spent = numbers.money(totals["cost_usd"], local=local)
    title = (
        f"{reader.name} · {clean_line(str(meta.get('model', '')))} · "
        f"{numbers.tokens(totals['prompt_tokens'])} + {numbers.tokens(totals['completion_tokens'])} "
        f"tokens · {spent}"
    )
    if totals["retries"]:
        title += f" · {totals['retries']} retries"
    cells = analyse(reader, tokens)
    measured = {c.cell.id: c.measured for c in cells}
    chief = [m for c in cells for m in c.measured]
    if form == "html":
        return _page(reader, cells, title)
    return render(
        chief,
        form,
        protocols(reader.cells()),
        title=title,
        wrong=[] if form == "csv" else diagnose_session(reader, measured),
        unstable=reader.unstable(),
        beside=[m for c in cells for m in c.beside],
        parts=[] if form == "csv" else parts_of(reader, cells),
    )


def _page(reader: SessionReader, cells: Sequence[CellAnalysis], title: str) -> str:
    from workbench.report.charts import charts
    from workbench.report.diagnoses import diagnose_session
    from workbench.report.html import page
    from workbench.report.parts import parts_of

    return page(
        title,
        [m for c in cells for m in c.measured],
        [m for c in cells for m in c.beside],
        parts_of(reader, cells),
        charts(cells),
        diagnose_session(reader, {c.cell.id: c.measured for c in cells}),
    )


@click.command()
@click.argument("name")
@click.option(
    "--format", "form", type=click.Choice(["jsonl", "csv"]), default="jsonl", show_default=True
)
@click.option("--texts", is_flag=True, help="With answers, code and feedback.")
def rows(name: str, form: str, texts: bool) -> None:  # fmt: skip
    """One row a sample or turn."""
    with open_session(name) as reader:
        found = session_rows(reader, texts)
        if form == "jsonl":
            for row in found:
                click.echo(json.dumps(row, ensure_ascii=False))
            return
        fields = [*FIELDS, *(("answer", "code", "feedback") if texts else ())]
        writer = csv.DictWriter(sys.stdout, fields, lineterminator="\n")
        writer.writeheader()
        for row in found:
            flat = {**row, "flags": " ".join(row["flags"]), "attempts": len(row["attempts"])}
            flat["diagnostic"] = json.dumps(row["diagnostic"], ensure_ascii=False)
            writer.writerow(flat)


def session_rows(reader: SessionReader, texts: bool) -> Iterator[dict[str, Any]]:
    """Rows of a session; a unit without any turn (lost or not begun) is one row with turn 0."""
    cells = {c.id: c for c in reader.cells()}
    tasks = reader.tasks()
    for unit in reader.units():
        cell, task = cells[unit.cell_id], tasks[unit.task_pk]
        base = {
            "task_id": task.task_id, "problem": task.problem, "language": task.language,
            "benchmark": cell.benchmark, "suite": cell.suite, "mode": cell.mode,
            "recipe": cell.recipe, "sample": unit.index,
        }  # fmt: skip
        turns = reader.turns(unit.id)
        if not turns:
            yield {
                **base, "turn": 0, "visible_outcome": None, "outcome": None,
                "unit_outcome": unit.outcome, "flags": list(unit.flags), "detail": unit.detail,
                "diagnostic": None,
                "started": None, "seconds": unit.seconds, "cpu_s": unit.cpu_s,
                "prompt_tokens": None, "completion_tokens": None, "finish_reason": None,
                "shared": False, "label": cell.label, "attempts": list(unit.attempts),
            }  # fmt: skip
        for turn in turns:
            usage = turn.completion["usage"]
            runs = [e for e in (turn.visible, turn.scored) if e]
            row = {
                **base,
                "turn": turn.turn,
                "visible_outcome": turn.visible_outcome,
                "outcome": turn.outcome,
                "unit_outcome": unit.outcome,
                "flags": list(turn.flags),
                "detail": turn.scored["detail"] if turn.scored else unit.detail,
                "diagnostic": turn.scored.get("diagnostic") if turn.scored else None,
                "started": turn.completion["started"],
                "seconds": turn.completion["seconds"],
                "cpu_s": round(sum(s["cpu_s"] for e in runs for s in e["steps"]), 4),
                "prompt_tokens": usage["prompt_tokens"],
                "completion_tokens": usage["completion_tokens"],
                "finish_reason": turn.completion["finish_reason"],
                "shared": turn.completion["shared"],
                "label": cell.label,
                "attempts": turn.completion["attempts"],
            }
            if texts:
                row |= {"answer": turn.raw, "code": turn.code, "feedback": turn.feedback}
            yield row


@click.command()
@click.argument("name")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="Default: NAME.workbench.zip."
)
def export(name: str, output: Path | None) -> None:
    """Write a session as one file."""
    from workbench.session import archive

    path = catalogue.find(paths.sessions_dir(), name)
    file = archive.export(path, output or Path(f"{path.name}.workbench.zip"))
    click.echo(f"{file}  {file.stat().st_size / 1e6:.1f} MB")


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--name", help="Another name for the session.")
def import_(file: Path, name: str | None) -> None:
    """Check an exported session and put it among the others."""
    from workbench.session import archive

    path = archive.import_(file, paths.sessions_dir(), name)
    click.echo(f"imported {path.name} into {path.parent}")
