"""What is compared: programs that somebody published together with what their judge said of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.benchmarks.load import load
from workbench.benchmarks.rows import read_bytes, read_rows
from workbench.benchmarks.task import Task
from workbench.errors import DataError
from workbench.execution.program import Candidate
from workbench.samples import Sample, candidates_from

SAMPLES = Path("model-samples")
QWEN = SAMPLES / "qwen2.5-coder" / "1.5b-base"
GPT = SAMPLES / "humaneval-x-gpt" / "cpp" / "data"


@dataclass(frozen=True, slots=True)
class Material:
    """One set, read: its programs and the published verdicts."""

    tasks: Sequence[Task]
    samples: Sequence[Sample]
    published: Mapping[str, bool]
    """Whether the published judge passed it, by task id."""


@dataclass(frozen=True, slots=True)
class PublishedSet:
    """One set by name."""

    name: str
    title: str
    language: str
    read: Callable[[Path], Material]
    """Reads it out of the data folder; raises DataError."""
    tries: int = 1
    """How often a program that fails is run again: those that must pass may hang on chance."""


def _json(path: Path) -> Any:
    try:
        return json.loads(read_bytes(path))
    except ValueError as error:
        raise DataError(f"{path}: not valid JSON: {error}") from None


def _matched(
    tasks: Sequence[Task], samples: Sequence[Sample], published: dict[str, bool]
) -> Material:
    """One sample and one verdict a task, or the files don't belong together."""
    for what, names in (("sample", [s.task_id for s in samples]), ("verdict", list(published))):
        if sorted(names) != sorted(task.id for task in tasks):
            raise DataError(f"{len(tasks)} tasks, but not one published {what} of each")
    return Material(tasks, samples, published)


def _qwen_humaneval(data: Path) -> Material:
    tasks = load("humaneval", data_dir=data)
    folder = data / QWEN / "evalplus" / "humaneval"
    found = candidates_from(folder / "generated.jsonl", tasks)
    verdicts = _json(folder / "generated_eval_results.json")["eval"]
    passed = {name: rows[0]["base_status"] == "pass" for name, rows in verdicts.items()}
    return _matched(tasks, tuple(found.samples), passed)


def _qwen_multipl_e(language: str) -> Callable[[Path], Material]:
    def read(data: Path) -> Material:
        tasks = load("multipl-e/humaneval", [language], data)
        by_name = {task.parts["name"]: task for task in tasks}
        folder = data / QWEN / "multipl-e"
        samples: list[Sample] = []
        for row in read_rows(folder / f"pred_{language}_output.jsonl"):
            task, text = by_name[row.text("task_id")], row.text("generation")
            if not text.startswith(task.prompt):
                raise DataError(f"{row.place}: the generation doesn't begin with the task's prompt")
            body = Candidate(text.removeprefix(task.prompt), "body")
            samples.append(Sample(task.id, 0, body, row.place))
        details = _json(folder / f"humaneval-{language}-details.json")
        passed = {by_name[name].id: rows[0][1]["passed"] for name, rows in details.items()}
        return _matched(tasks, samples, passed)

    return read


def _gpt_cpp(data: Path) -> Material:
    tasks = load("humaneval-x", ["cpp"], data)
    found = candidates_from(data / GPT / "samples_cpp_GPT3.5.jsonl", tasks)
    rows = read_rows(data / GPT / "samples_cpp_results_GPT3.5.jsonl")
    passed = {row.text("task_id"): bool(row.fields["passed"]) for row in rows}
    return _matched(tasks, tuple(found.samples), passed)


def _pack(language: str, solution: Callable[[Task], str], good: bool) -> Callable[[Path], Material]:
    def read(data: Path) -> Material:
        tasks = load("humanevalpack", [language], data)
        samples = [Sample(t.id, 0, Candidate(solution(t), "body"), t.id) for t in tasks]
        return _matched(tasks, samples, {task.id: good for task in tasks})

    return read


def _packs() -> Iterator[PublishedSet]:
    for language in ("python", "cpp", "java", "js", "go"):
        yield PublishedSet(
            f"pack-{language}-references",
            f"HumanEvalPack {language}: references",
            language,
            _pack(language, lambda task: task.reference, good=True),
            tries=4,
        )
        yield PublishedSet(
            f"pack-{language}-buggy",
            f"HumanEvalPack {language}: buggy solutions",
            language,
            _pack(language, lambda task: task.buggy, good=False),
        )


SETS = (
    PublishedSet("qwen-humaneval", "HumanEval base, Qwen2.5-Coder-1.5B", "python", _qwen_humaneval),
    *(
        PublishedSet(
            f"qwen-multipl-e-{language}",
            f"MultiPL-E HumanEval {language}, Qwen2.5-Coder-1.5B",
            language,
            _qwen_multipl_e(language),
        )
        for language in ("cpp", "java", "js")
    ),
    PublishedSet("gpt35-humaneval-x-cpp", "HumanEval-X cpp, GPT-3.5", "cpp", _gpt_cpp),
    *_packs(),
)
