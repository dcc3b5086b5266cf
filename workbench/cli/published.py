"""`workbench published`: results of others, task by task, apart from what was measured here."""

from __future__ import annotations

import json
from pathlib import Path

import click

from workbench.errors import UsageError


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--label", "labels", multiple=True, required=True, metavar="LABEL",
    help="What a file's numbers are, one a file, ending with !IMPORTED.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def published(files: tuple[Path, ...], labels: tuple[str, ...], as_json: bool) -> None:
    """Results that others published (JSON lines with `task_id` and `is_solved`), paired."""
    from workbench.report import sections
    from workbench.report.published import published_sections, read_published

    if len(files) != len(labels):
        raise UsageError(f"{len(files)} files and {len(labels)} labels: --label once for each file")
    found = [read_published(f, text) for f, text in zip(files, labels, strict=True)]
    parts = published_sections(found)
    if as_json:
        body = {part.key: part.body for part in parts}
        click.echo(json.dumps(body, indent=1, ensure_ascii=False))
        return
    click.echo("\n".join(sections.as_lines(parts)).lstrip("\n"))
