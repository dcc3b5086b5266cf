"""Programs to time the judge with: references, each as often as needed and each another text.

HumanEval-X's and HumanEval's where their files are (`WORKBENCH_DATA`, or `shared/data` beside the
checkout), else those of the tasks that ship with the product.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from workbench import languages
from workbench.benchmarks.load import load_set
from workbench.benchmarks.task import Task
from workbench.errors import WorkbenchError
from workbench.execution.program import Candidate, Program

COMMENT = {"python": "#"}


@dataclass(frozen=True, slots=True)
class Load:
    """Samples of one language that all should pass."""

    benchmark: str
    language: str
    data: Path | None
    rows: Sequence[tuple[Task, Candidate]]

    def write(self, path: Path) -> None:
        """Write them as a file for `workbench score`."""
        fields = {"full": "solution", "body": "completion"}
        with path.open("w", encoding="utf-8") as file:
            for task, candidate in self.rows:
                row = {"task_id": task.id, fields[candidate.form]: candidate.text}
                file.write(json.dumps(row) + "\n")

    def programs(self) -> list[Program]:
        """The same, assembled."""
        hooks = languages.load(self.language).assembly
        return [hooks.assemble(task, candidate, "scored") for task, candidate in self.rows]

    def some(self, count: int) -> Load:
        """`count` of them, spread over all."""
        chosen = [self.rows[i * len(self.rows) // count] for i in range(count)]
        return Load(self.benchmark, self.language, self.data, chosen)


def data_folder() -> Path | None:
    """Where published benchmark files are on this machine; None when nowhere."""
    named = os.environ.get("WORKBENCH_DATA")
    for folder in [Path(named)] if named else [Path(__file__).parents[3] / "shared" / "data"]:
        if (folder / "humaneval-x").is_dir():
            return folder / "humaneval-x"
    return None


def references(language: str, count: int, samples: int, *, published: bool = False) -> Load:
    """`count` samples, `samples` a task where there are tasks enough, in the order of the tasks.

    With `published` Python's are HumanEval's, as its own judge takes them.
    """
    data = data_folder()
    benchmark = "humaneval" if published else "humaneval-x" if data else "starter"
    tasks = _tasks(benchmark, language, None if published else data)
    mark = COMMENT.get(language, "//")
    rows: list[tuple[Task, Candidate]] = []
    samples = max(samples, -(-count // len(tasks)))
    for task in tasks:
        for number in range(samples):
            if len(rows) == count:
                break
            text = f"{task.reference.rstrip()}\n{mark} sample {number}\n"
            form = "full" if task.reference_form == "full" else "body"
            rows.append((task, Candidate(text, form)))
    return Load(benchmark, language, data if benchmark == "humaneval-x" else None, rows)


def whole_header(load: Load) -> Load:
    """The same as whole programs that begin with the header that includes all others."""
    rows: list[tuple[Task, Candidate]] = []
    for task, candidate in load.rows:
        prompt = "\n".join(
            line for line in task.prompt.splitlines() if not line.lstrip().startswith("#")
        )
        start = "#include <bits/stdc++.h>\nusing namespace std;\n"
        rows.append((task, Candidate(f"{start}{prompt}\n{candidate.text}", "full")))
    return Load(load.benchmark, load.language, load.data, rows)


def _tasks(benchmark: str, language: str, data: Path | None) -> list[Task]:
    try:
        found = load_set(benchmark, [language], data).tasks
    except WorkbenchError:
        if benchmark != "humaneval":
            raise
        found = load_set("starter", [language]).tasks
    return [t for t in found if t.reference.strip() and not t.reference_known_bad]
