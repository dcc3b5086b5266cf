"""The published data and verdicts, whole: minutes, where data and images are at hand."""

from __future__ import annotations

import json
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


@pytest.mark.parametrize(
    ("benchmark", "language", "passed"),
    [
        ("humaneval", "python", 164),
        ("humaneval-x", "python", 164),
        ("humaneval-x", "cpp", 164),
        ("humaneval-x", "java", 164),
        ("humaneval-x", "js", 162),
        ("humaneval-x", "go", 164),
    ],
)
async def test_references_pass_stubs_and_cheats_dont(
    shared_data: Path, benchmark: str, language: str, passed: int
) -> None:
    tasks = load_set(benchmark, [language], shared_data).tasks
    async with open_pool([language], "docker") as pool:
        report = await check(pool, tasks)
    (found,) = report.languages
    assert [r.to_json() for r in found.unexpected] == []
    assert len(found.passed("reference")) == passed
    assert found.passed("stub") == []
    assert found.passed("cheat") == []
    assert found.suspects == []
    bad = [r.task for r in found.known_bad]
    assert bad == (["JavaScript/112", "JavaScript/155"] if language == "js" else [])


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
