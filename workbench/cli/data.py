"""`workbench data`: where benchmark files are, and getting them."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import click

from workbench.benchmarks import fetch as fetching
from workbench.benchmarks.locate import cache_folder, list_data, require
from workbench.benchmarks.registry import benchmark
from workbench.errors import UsageError
from workbench.text import clean_line


@click.group()
def data() -> None:
    """Benchmark files: list, fetch, path."""


_data_option = click.option("--data", "data_dir", type=click.Path(path_type=Path), metavar="DIR")


@data.command("list")
@_data_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object a file.")
def list_(data_dir: Path | None, as_json: bool) -> None:
    """List every known benchmark file and where it was found."""
    for state in list_data(data_dir):
        known, place = state.benchmark, state.located
        name = state.file.name if state.file else "(ships with workbench)"
        found = f"{place.found_in}: {place.path}" if place else ""
        if not state.file:
            found = "ready"
        if as_json:
            row = {
                "benchmark": known.id, "revision": known.revision, "licence": known.licence,
                "published": known.published, "languages": known.languages,
                "file": state.file.name if state.file else None,
                "url": state.file.url if state.file else None,
                "sha256": state.file.sha256 if state.file else None,
                "path": str(place.path) if place else None, "problem": state.problem,
            }  # fmt: skip
            click.echo(json.dumps(row))
            continue
        status = state.problem or found or f"missing: workbench data fetch {known.id}"
        click.echo(f"{known.id:<19} {name:<30} {known.licence:<25} {clean_line(status)}")


@data.command()
@click.argument("names", nargs=-1, required=True)
def fetch(names: tuple[str, ...]) -> None:
    """Download a benchmark's published files into the user's cache, and check them."""

    def progress(name: str, done: int, total: int | None) -> None:
        if total and done == total:
            click.echo(f"{name}: {done} bytes")

    for name in names:
        known = benchmark(name)
        if not known.files:
            click.echo(f"{name} ships with workbench: nothing to fetch")
            continue
        asyncio.run(fetching.fetch(name, progress))
        click.echo(f"{name}: in {cache_folder()}")
        if known.notice:
            click.echo(known.notice)


@data.command()
@click.argument("name")
@_data_option
def path(name: str, data_dir: Path | None) -> None:
    """Print where a benchmark's files are."""
    known = benchmark(name)
    if not known.files:
        raise UsageError(f"{name} ships with workbench: it has no file of its own")
    for file in known.files:
        click.echo(require(known, file, data_dir).path)
