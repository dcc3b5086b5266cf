"""`workbench doctor`: what works on this machine, what doesn't, and what to do about it."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby
from typing import TYPE_CHECKING

import click

from workbench import languages, paths
from workbench.errors import WorkbenchError
from workbench.text import clean_line

if TYPE_CHECKING:
    from workbench.benchmarks.locate import DataState

_GIB = 1024**3
_LOW_DISK = 2 * _GIB


@click.command()
@click.option("--sweep", is_flag=True, help="Remove sandboxes that dead processes left behind.")
def doctor(sweep: bool) -> None:
    """Say what works here, line by line; exit code 1 when no session could run."""
    good = asyncio.run(_doctor(sweep))
    raise SystemExit(0 if good else 1)


async def _doctor(sweep: bool) -> bool:
    from workbench.execution.launchers import choose_launcher, engine, probe_launchers
    from workbench.execution.launchers import sweep as remove_leftovers

    _line(True, "python", sys.version.split()[0])
    for line in _folders():
        _line(*line)
    if described := await engine():
        _line(True, "engine", described)
    best = ""
    for name, works, why in await probe_launchers():
        _line(works or None, f"sandbox {name}", why)
        if works and not best and name != "process":
            best = name
    if not best:
        _line(False, "sandbox", "none works: install Docker, or bubblewrap")
    else:
        launcher = await choose_launcher(best)
        try:
            known = [languages.load(name) for name in languages.language_folders()]
            known.sort(key=lambda language: (language.rank, language.id))
            reasons = await launcher.unavailable(known)
        finally:
            await launcher.close()
        for language in known:
            reason = reasons.get(language.id, "")
            _line(not reason or None, f"language {language.id}", reason or f"in {best}")
    for line in (*_models(), *_data()):
        _line(*line)
    if sweep:
        removed = await remove_leftovers()
        _line(True, "leftovers", f"{removed} sandboxes removed")
    return bool(best)


def _line(works: bool | None, what: str, said: str) -> None:
    """`None`: it doesn't work, and nothing depends on it."""
    mark = {True: "ok", False: "!!", None: "--"}[works]
    click.echo(f"{mark}  {what:<20} {clean_line(said)}")


def _folders() -> Iterator[tuple[bool | None, str, str]]:
    folder = paths.sessions_dir()
    near = next(p for p in (folder, *folder.parents) if p.exists())
    free = shutil.disk_usage(near).free
    yield free > _LOW_DISK, "disk", f"{free / _GIB:.1f} GiB free for sessions in {folder}"


def _models() -> Iterator[tuple[bool | None, str, str]]:
    from workbench.generation import weights

    try:
        weights.find("smollm2-135m")
        yield True, "model local/", f"xllamacpp {version('xllamacpp')}"
    except (WorkbenchError, PackageNotFoundError) as error:
        yield None, "model local/", str(error)
    yield True, "model others", f"litellm {version('litellm')}"


def _data() -> Iterator[tuple[bool | None, str, str]]:
    from workbench.benchmarks.locate import list_data

    for known, group in groupby(list_data(), key=lambda state: state.benchmark.id):
        yield _data_of(known, list(group))


def _data_of(benchmark: str, states: Sequence[DataState]) -> tuple[bool | None, str, str]:
    """One line a benchmark: a damaged file first, then a missing one, else where they are."""
    name = f"data {benchmark}"
    files = [(state.file, state) for state in states if state.file is not None]
    if not files:
        return True, name, "ships with workbench"
    for _, state in files:
        if state.problem:
            return False, name, state.problem
    missing = [file for file, state in files if state.located is None]
    if missing:
        some = missing[0].name if len(files) == 1 else f"{len(missing)} of {len(files)} files"
        verb = "is" if len(missing) == 1 else "are"
        return None, name, f"{some} {verb} missing: workbench data fetch {benchmark}"
    places = sorted({state.located.found_in for _, state in files if state.located is not None})
    what = files[0][0].name if len(files) == 1 else f"{len(files)} files"
    return True, name, f"{what} in {', '.join(places)}"
