"""`workbench score` and `check`: the machine's side alone, without any model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from workbench.cli.options import (
    judge_options,
    numbers,
    reasons,
    repeat_option,
    task_options,
    words,
)
from workbench.cli.progress import Counter
from workbench.session.plan import Plan, make_plan
from workbench.session.spec import parse_spec
from workbench.text import clean_line

if TYPE_CHECKING:
    from workbench.session.score import Rows


def _plan(options: dict[str, Any], **more: Any) -> Plan:
    """What `score` and `check` share: the tasks, languages and limits that a session would have."""
    plan = make_plan(
        parse_spec(
            {
                "model": "none",
                "benchmark": options["benchmark"],
                "languages": words(options["languages"]),
                "exclude": reasons(options["exclude"]),
                **{k: options[k] for k in ("tasks", "limit", "data_dir", "problems", "limits")},
                **{k: options[k] for k in ("sandbox", "slots", "cold")},
                **more,
            }
        )
    )
    if plan.taskset.known is not None and plan.taskset.known.notice:
        click.echo(plan.taskset.known.notice, err=True)
    return plan


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("-b", "--benchmark", default="", help="Such as humaneval, humaneval-x.")
@click.option("-l", "--language", "languages", default="python", show_default=True)
@task_options
@judge_options
@repeat_option
@click.option("-k", "k", metavar="LIST", help="k of pass@k; default: those of 1, 10, 100 ≤ n.")
@click.option("--subset", is_flag=True, help="Tasks without a sample are left out, and named.")
@click.option(
    "--extraction",
    type=click.Choice(["none", "tree-sitter"]),
    default="none",
    show_default=True,
    help="none: completions are judged as they are.",
)
@click.option(
    "--rows",
    "rows_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write one JSON row a sample.",
)
@click.option("--json", "as_json", is_flag=True)
def score(file: Path, k: str | None, subset: bool, extraction: str, rows_file: Path | None,
          as_json: bool, repeat_judging: int, **options: Any) -> None:  # fmt: skip
    """Judge completions that exist already: JSONL (gz or not) or an EvalPlus folder."""
    from workbench.report.diagnoses import of_measured
    from workbench.report.tables import render
    from workbench.session.score import score_file

    kind = "raw" if extraction == "none" else extraction
    plan = _plan(options, extraction=kind, repeat_judging=repeat_judging)
    counter = Counter(quiet=as_json)
    with _rows_into(rows_file) as rows:
        result = asyncio.run(
            score_file(
                plan, file, numbers("-k", k), subset=subset, progress=counter.show, rows=rows
            )
        )
    counter.end()
    form = "json" if as_json else "table"
    title = f"{clean_line(str(file))} · {result.samples} samples · sandbox {result.sandbox}"
    click.echo(
        render(
            result.measurements,
            form,
            result.protocols,
            title=title,
            wrong=of_measured(result.measurements, result.wrong),
            unstable=result.unstable,
        )
    )
    if not as_json:
        for note in result.notes:
            click.echo(f"  {clean_line(note)}")
    lost = sum(m.units.lost for m in result.measurements[:1])
    if lost:
        raise SystemExit(1)


@contextmanager
def _rows_into(file: Path | None) -> Generator[Rows | None]:
    """What writes rows into a file as they come; the file is there only when all are in it."""
    if file is None:
        yield None
        return
    part = file.with_name(f"{file.name}.part")
    with part.open("w", encoding="utf-8") as out:
        yield lambda row: print(json.dumps(row, ensure_ascii=False), file=out)
    part.replace(file)


@click.command()
@click.option("-b", "--benchmark", default="starter", show_default=True)
@click.option("-l", "--languages", default="", metavar="LIST", help="Default: all it has.")
@task_options
@judge_options
@click.option(
    "--cheats",
    "cheat_tasks",
    type=click.IntRange(0),
    default=3,
    show_default=True,
    metavar="N",
    help="Tasks a language on which cheats are tried.",
)
@click.option("--json", "as_json", is_flag=True)
def check(cheat_tasks: int, as_json: bool, **options: Any) -> None:  # fmt: skip
    """Prove the toolchains: references must pass; stubs and cheats must not."""
    from workbench.checking import check as run_check
    from workbench.execution.pool import open_pool

    if not options["languages"]:
        from workbench.benchmarks.registry import benchmark

        options["languages"] = ",".join(benchmark(options["benchmark"]).languages)
    plan = _plan(options)
    counter = Counter(quiet=as_json)

    async def judged() -> Any:
        asked = plan.spec
        async with open_pool(
            list(plan.languages.values()),
            asked.sandbox,
            slots=asked.slots,
            warm=not asked.cold,
        ) as judge:
            limits = {name: found for name in plan.languages if (found := plan.limits(name))}
            return await run_check(
                judge,
                plan.taskset.tasks,
                cheat_tasks=cheat_tasks,
                limits=limits,
                progress=lambda done, total, _row: counter.show(done, total),
            )

    report = asyncio.run(judged())
    counter.end()
    if as_json:
        from workbench.report import tables
        from workbench.session.score import measure_references

        measurements, protocols = measure_references(plan, report)
        check_part = {"benchmark": plan.taskset.benchmark, **report.to_json()}
        click.echo(tables.as_json(measurements, protocols, check=check_part))
    else:
        _print_check(plan.taskset.benchmark, report.to_json(), report.sandbox)
    if not report.ok:
        raise SystemExit(1)


def _print_check(benchmark: str, body: Mapping[str, Any], sandbox: str) -> None:
    click.echo(f"{benchmark} · sandbox {sandbox}")
    click.echo(f"  {'language':<10}{'references':>12}{'known bad':>11}{'stubs passed':>14}"
               f"{'cheats passed':>15}")  # fmt: skip
    for row in body["languages"]:
        references, stubs, cheats = row["references"], row["stubs"], row["cheats"]
        passed = f"{references['passed']}/{references['total']}"
        bad = len(references["known_bad"])
        click.echo(
            f"  {row['language']:<10}{passed:>12}{bad or '–':>11}"
            f"{stubs['passed']:>7} of {stubs['total']:<4}{cheats['passed']:>8} of {cheats['total']:<4}"
        )
    for row in body["languages"]:
        name, proofs, buggy = row["language"], row["proofs"], row["buggy"]
        if proofs["total"]:
            click.echo(
                f"  {name}: not every task has a reference; of the toolchain's own tasks in the "
                f"benchmark's form {proofs['passed']} of {proofs['total']} passed"
            )
        if buggy["total"]:
            click.echo(
                f"  {name}: {buggy['passed']} of {buggy['total']} published buggy solutions passed"
            )
        _print_rows("known to pass", buggy["known_good"])
        _print_rows("known to fail", row["references"]["known_bad"])
        _print_rows("suspect by its text", row["references"]["suspects"])
        _print_rows("NOT AS IT MUST BE", row["unexpected"])
    click.echo("all as it must be" if body["ok"] else "something isn't as it must be")


def _print_rows(what: str, rows: Sequence[Mapping[str, Any]]) -> None:
    for row in rows[:20]:
        why = row["known_bad"] or row["known_good"] or "; ".join(row["suspicions"]) or row["detail"]
        name = f" {row['name']}" if row["name"] else ""
        click.echo(
            f"  {what}: {row['task']} {row['kind']}{name}: {row['outcome']}: {clean_line(why)[:160]}"
        )
    if len(rows) > 20:
        click.echo(f"  … and {len(rows) - 20} more")
