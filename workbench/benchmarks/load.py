"""Load tasks: from a registered benchmark, or from a file in a known format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from workbench.benchmarks import humaneval, humaneval_x, humanevalpack, multipl_e
from workbench.benchmarks.locate import require
from workbench.benchmarks.registry import Benchmark, benchmark, benchmarks
from workbench.benchmarks.rows import Row, read_rows, sha256_of
from workbench.benchmarks.selection import WHOLE, Selection
from workbench.benchmarks.task import Task
from workbench.errors import DataError, UsageError


@dataclass(frozen=True, slots=True)
class SourceRecord:
    """One file that tasks came from."""

    name: str
    sha256: str
    found_in: str
    """`--data`, `WORKBENCH_DATA`, `cache`, `package`, `--problems` or `product`."""


@dataclass(frozen=True, slots=True)
class TaskSet:
    """Tasks, and everything about their origin that a protocol records."""

    benchmark: str
    """Benchmark id, or `problems/NAME` for a file that is none of the registered ones."""
    family: str
    revision: str
    sources: tuple[SourceRecord, ...]
    tasks: tuple[Task, ...]
    totals: Mapping[str, int]
    """How many problems the benchmark has in each chosen language before the selection."""
    selection: Selection
    known: Benchmark | None
    """The registry's entry; `None` for a file of the user's."""


@dataclass(frozen=True, slots=True)
class _Format:
    family: str
    recognises: Callable[[Row], bool]
    tasks: Callable[[Sequence[Row], str], list[Task]]


# The first that recognises a row: HumanEvalPack's rows have all of HumanEval-X's fields too.
_FORMATS = (
    _Format("multipl-e", multipl_e.recognises, multipl_e.tasks),
    _Format("humanevalpack", humanevalpack.recognises, humanevalpack.tasks),
    _Format("humaneval-x", humaneval_x.recognises, humaneval_x.tasks),
    _Format("humaneval", humaneval.recognises, humaneval.tasks),
)


def load(
    name: str | None,
    languages: Sequence[str] | None = None,
    data_dir: Path | None = None,
    problems: Path | None = None,
    selection: Selection = WHOLE,
) -> list[Task]:
    """The tasks of a benchmark in some languages; see `load_set`."""
    return list(load_set(name, languages, data_dir, problems, selection).tasks)


def load_set(
    name: str | None,
    languages: Sequence[str] | None = None,
    data_dir: Path | None = None,
    problems: Path | None = None,
    selection: Selection = WHOLE,
) -> TaskSet:
    """The tasks of a benchmark with their origin, ordered by problem, then by language.

    Args:
        name: benchmark id; with `problems` it may be None, or must be of the file's format.
        languages: None for all that the benchmark has.
        data_dir: the folder that `--data` names.
        problems: a file in a known format instead of the registered data.
        selection: which tasks count.

    Raises:
        UsageError: unknown benchmark or language, or a selection that names no task.
        DataError: a file is missing or damaged; the line names file, line and field.
    """
    if problems is not None:
        return _from_file(name, languages, problems, selection)
    if name is None:
        raise UsageError("no benchmark named: there are " + ", ".join(benchmarks()))
    known = benchmark(name)
    wanted = list(dict.fromkeys(languages)) if languages is not None else list(known.languages)
    for language in wanted:
        if language not in known.languages:
            raise UsageError(
                f"{known.id} isn't there in {language!r}: there are {', '.join(known.languages)}"
            )
    if not known.files:
        from workbench.benchmarks.starter import content_sha256, load_starter

        tasks = load_starter(wanted)
        sources = (SourceRecord(known.id, content_sha256(), "product"),)
        return _chosen(known.id, known.family, known.revision, sources, tasks, selection, known)
    tasks, records = [], []
    for file in known.files:
        if any(language in wanted for language in file.languages):
            found = require(known, file, data_dir)
            records.append(SourceRecord(file.name, file.sha256, found.found_in))
            tasks += _format_of(known.family).tasks(read_rows(found.path), known.id)
    tasks = _in_order([t for t in tasks if t.language in wanted], wanted)
    return _chosen(known.id, known.family, known.revision, tuple(records), tasks, selection, known)


def _from_file(
    name: str | None, languages: Sequence[str] | None, path: Path, selection: Selection
) -> TaskSet:
    rows = read_rows(path)
    known_format = next((f for f in _FORMATS if f.recognises(rows[0])), None)
    if known_format is None:
        have = ", ".join(sorted(rows[0].fields)) or "none"
        raise DataError(f"{rows[0].place}: no known format has the fields {have}")
    if name is not None and benchmark(name).family != known_format.family:
        raise UsageError(f"{path}: is in the format of {known_format.family}, not of {name}")
    digest = sha256_of(path)
    label = f"problems/{path.name.split('.')[0]}"
    registered = next(
        (b for b in benchmarks().values() for f in b.files if f.sha256 == digest), None
    )
    if registered is not None:
        label = registered.id
    tasks = known_format.tasks(rows, label)
    _no_doubles(tasks, path)
    present = list(dict.fromkeys(t.language for t in tasks))
    wanted = list(dict.fromkeys(languages)) if languages is not None else present
    for language in wanted:
        if language not in present:
            raise UsageError(f"{path}: has no tasks in {language!r}, only in {', '.join(present)}")
    tasks = _in_order([t for t in tasks if t.language in wanted], wanted)
    revision = registered.revision if registered is not None else f"sha256:{digest[:12]}"
    source = SourceRecord(path.name, digest, "--problems")
    return _chosen(label, known_format.family, revision, (source,), tasks, selection, registered)


def _chosen(
    label: str,
    family: str,
    revision: str,
    sources: tuple[SourceRecord, ...],
    tasks: Sequence[Task],
    selection: Selection,
    known: Benchmark | None,
) -> TaskSet:
    return TaskSet(
        benchmark=label,
        family=family,
        revision=revision,
        sources=sources,
        tasks=tuple(selection.apply(tasks)),
        totals=Counter(language for language, _ in {(t.language, t.problem) for t in tasks}),
        selection=selection,
        known=known,
    )


def _format_of(family: str) -> _Format:
    return next(f for f in _FORMATS if f.family == family)


def _in_order(tasks: Sequence[Task], languages: Sequence[str]) -> list[Task]:
    problems = {problem: i for i, problem in enumerate(dict.fromkeys(t.problem for t in tasks))}
    return sorted(tasks, key=lambda t: (problems[t.problem], languages.index(t.language)))


def _no_doubles(tasks: Sequence[Task], path: Path) -> None:
    seen: set[str] = set()
    for task in tasks:
        if task.id in seen:
            raise DataError(f"{path}: task {task.id} is there twice")
        seen.add(task.id)
