"""The published data and verdicts, where data and images are at hand.

Every fourth problem and the difficult ones; `WORKBENCH_TEST_WHOLE=1` takes all, in ten minutes.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from workbench import languages
from workbench.benchmarks.load import load_set
from workbench.checking import check
from workbench.execution.pool import open_pool
from workbench.outcomes import Outcome
from workbench.samples import candidates_from
from workbench.scoring import score

pytestmark = [pytest.mark.docker, pytest.mark.slow]


WHOLE = bool(os.environ.get("WORKBENCH_TEST_WHOLE"))
DIFFICULT = {
    "17",
    "22",
    "23",
    "27",
    "32",
    "38",
    "50",
    "53",
    "95",
    "108",
    "112",
    "137",
    "155",
    "162",
}
"""Problems with libraries, imports, random tests, names of libc or wrong references."""


@pytest.mark.parametrize(
    ("benchmark", "language"),
    [("humaneval", "python")] + [("humaneval-x", x) for x in ("python", "cpp", "java", "js", "go")],
)
async def test_references_pass_stubs_and_cheats_dont(
    shared_data: Path, benchmark: str, language: str
) -> None:
    every = load_set(benchmark, [language], shared_data).tasks
    assert len(every) == 164
    tasks = [t for t in every if WHOLE or t.problem in DIFFICULT or int(t.problem) % 4 == 0]
    async with open_pool([language], "docker") as pool:
        report = await check(pool, tasks)
    (found,) = report.languages
    wrong = ["JavaScript/112", "JavaScript/155"] if language == "js" else []
    assert [r.to_json() for r in found.unexpected] == []
    assert [r.task for r in found.known_bad] == wrong
    assert len(found.passed("reference")) == len(tasks) - len(wrong)
    assert found.passed("stub") == []
    assert found.passed("cheat") == []
    assert found.suspects == []


async def test_example_samples_give_one_half(shared_data: Path) -> None:
    tasks = load_set(None, problems=shared_data / "humaneval/example_problem.jsonl").tasks
    found = candidates_from(shared_data / "humaneval/example_samples.jsonl", tasks)
    limits = {"python": languages.load("python").published_limits("humaneval")}
    async with open_pool(["python"], "docker") as pool:
        rows = await score(pool, tasks, found.samples, limits=limits)
    assert [r.execution.outcome is Outcome.PASSED for r in rows] == [False] * 3 + [True] * 3


async def test_verdicts_equal_the_published_ones(shared_data: Path) -> None:
    folder = shared_data / "model-samples/qwen2.5-coder/1.5b-base/evalplus/humaneval"
    if not folder.is_dir():
        pytest.skip(f"no {folder}")
    tasks = load_set("humaneval", data_dir=shared_data).tasks
    found = candidates_from(folder / "generated.jsonl", tasks)
    published = json.loads((folder / "generated_eval_results.json").read_text())["eval"]
    async with open_pool(["python"], "docker") as pool:
        rows = await score(pool, tasks, found.samples)
    ours = {r.task.id: r.execution.outcome is Outcome.PASSED for r in rows}
    assert ours == {name: row[0]["base_status"] == "pass" for name, row in published.items()}
    assert sum(ours.values()) == 72
