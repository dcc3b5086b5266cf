"""Whether our judge says of published programs what their judges said, task by task.

    python -m tests.agreement [--data DIR] [--sandbox ID] [--only SET,…] [--slots N]

Exits with 1 when a difference isn't explained in explanations.toml, when an explanation no longer
applies, or when the data aren't there.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from tests.agreement.comparison import Compared, compare, judge_set
from tests.agreement.explanations import Difference, read_table
from tests.agreement.sets import SETS, Material, PublishedSet
from workbench.errors import DataError, UsageError, WorkbenchError
from workbench.execution.pool import open_pool
from workbench.text import clean_line

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


@click.command()
@click.option(
    "--data", type=click.Path(path_type=Path), default=DATA, help="Default: ../shared/data"
)
@click.option("--sandbox", default="docker", show_default=True)
@click.option("--only", default="", metavar="LIST", help="Sets by name, separated by commas.")
@click.option("--tasks", default="", metavar="LIST", help="Task ids; tasks of any set.")
@click.option("--slots", type=click.IntRange(1), default=None, help="Programs at once.")
@click.option("--rows", type=click.Path(path_type=Path), help="Write one JSON row a program.")
def main(
    data: Path, sandbox: str, only: str, tasks: str, slots: int | None, rows: Path | None
) -> None:
    """Compare our verdicts with the published ones."""
    try:
        ok = asyncio.run(_run(data, sandbox, _chosen(only), _words(tasks), slots, rows))
    except WorkbenchError as error:
        click.echo(f"agreement: {error}", err=True)
        # Data that aren't there are no wrong call.
        raise SystemExit(1 if isinstance(error, DataError) else error.exit_code) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    raise SystemExit(0 if ok else 1)


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _chosen(only: str) -> list[PublishedSet]:
    by_name = {which.name: which for which in SETS}
    names = _words(only) or list(by_name)
    for name in names:
        if name not in by_name:
            raise UsageError(f"no set {name!r}: there are {', '.join(by_name)}")
    return [by_name[name] for name in names]


async def _run(
    data: Path,
    sandbox: str,
    chosen: Sequence[PublishedSet],
    tasks: Sequence[str],
    slots: int | None,
    rows: Path | None,
) -> bool:
    if not data.is_dir():
        raise WorkbenchError(f"{data}: no such folder: name the one with published data by --data")
    table = read_table()
    # All are read before any is judged: what is missing is said at once.
    read = [(which, _part(which.read(data), tasks)) for which in chosen]
    read = [(which, material) for which, material in read if material.samples]
    found: list[Compared] = []
    kept: list[str] = []
    languages = sorted({which.language for which, _ in read})
    # Without reuse: what must pass is run again when it fails.
    async with open_pool(languages, sandbox, slots=slots, reuse=False) as judge:
        for which, material in read:
            ours = await judge_set(judge, which, material, _Progress(which.name))
            found.append(compare(which, material.published, ours, table))
            kept += [
                json.dumps(
                    {
                        "set": which.name,
                        "task": task,
                        "published": material.published[task],
                        "ours": execution.outcome.value,
                        "detail": execution.detail,
                    }
                )
                for task, execution in ours.items()
            ]
        click.echo(_report(found, judge.sandbox))
    if rows is not None:
        rows.write_text("".join(f"{line}\n" for line in kept), encoding="utf-8")
    return all(one.ok for one in found)


def _part(material: Material, tasks: Sequence[str]) -> Material:
    """Only some of the tasks, when some are named."""
    if not tasks:
        return material
    return Material(
        material.tasks, [s for s in material.samples if s.task_id in tasks], material.published
    )


class _Progress:
    """How far a set is: one line on a terminal, rewritten; elsewhere a line every quarter."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._said = 0

    def __call__(self, done: int, total: int) -> None:
        if sys.stderr.isatty():
            end = "\n" if done == total else ""
            click.echo(f"\r{self.name}: {done}/{total}{end}", nl=False, err=True)
        elif (quarter := 4 * done // total) > self._said:
            self._said = quarter
            click.echo(f"{self.name}: {done}/{total}", err=True)


def _report(found: Sequence[Compared], sandbox: str) -> str:
    head = ("set", "tasks", "published", "ours", "differ", "explained", "unexplained")
    lines = [
        (
            one.title,
            one.tasks,
            one.published_passes,
            one.our_passes,
            len(one.explained) + len(one.unexplained),
            len(one.explained),
            len(one.unexplained),
        )
        for one in found
    ]
    width = max(len(str(row[0])) for row in [head, *lines])
    text = [
        f"published judges compared with this one (sandbox {sandbox})",
        "",
        *(
            f"{row[0]!s:<{width}}" + "".join(f"{value!s:>12}" for value in row[1:])
            for row in [head, *lines]
        ),
        "",
    ]
    for one in found:
        text += [f"{_of(difference)}: {entry.reason}" for difference, entry in one.explained]
        text += [
            f"UNEXPLAINED {_of(difference)}: {clean_line(difference.detail)[:160]}"
            for difference in one.unexplained
        ]
        text += [f"NO LONGER SO {e.set} {e.task}: {e.reason}" for e in one.stale]
    unexplained = sum(len(one.unexplained) for one in found)
    stale = sum(len(one.stale) for one in found)
    text.append(
        f"unexplained: {unexplained or 'none'}; "
        f"explanations without a difference: {stale or 'none'}"
    )
    return "\n".join(text)


def _of(difference: Difference) -> str:
    published = "passed" if difference.published else "failed"
    return (
        f"{difference.set} {difference.task}: published {published}, ours {difference.ours.value}"
    )


if __name__ == "__main__":
    main()
