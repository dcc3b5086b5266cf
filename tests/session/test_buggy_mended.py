"""A scripted model that answers with a published buggy solution, and mends it on its second turn."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.session.test_sessions_run import Bench, answer, script
from workbench.benchmarks.load import load_set
from workbench.benchmarks.task import Task

pytestmark = [pytest.mark.docker, pytest.mark.slow]
MEND = 'description = "Twice."\nfeedback = ["reask"]\nstop = "none"\nsubmit = "last"\nturns = 2\n'
TASKS = "0-163" if os.environ.get("WORKBENCH_TEST_WHOLE") else "0-9"


def fenced(task: Task, solution: str) -> str:
    return f"```{task.language}\n{task.prompt}{solution}\n```"


@pytest.mark.parametrize("language", ["python", "cpp", "java", "js", "go"])
def test_nothing_is_solved_before_it_is_mended(
    tmp_path: Path, shared_data: Path, language: str
) -> None:
    data = shared_data / "humanevalpack"
    tasks = load_set("humanevalpack", [language], data).tasks
    bench = Bench(tmp_path)
    (tmp_path / "mend.toml").write_text(MEND, encoding="utf-8")
    model = script(
        tmp_path,
        *(answer(f"*/{t.id}/*/1", fenced(t, t.buggy)) for t in tasks),
        *(answer(f"*/{t.id}/*/2", fenced(t, t.reference)) for t in tasks),
    )
    words = ["run", "-b", "humanevalpack", "-l", language, "-m", model, "--data", str(data)]
    words += ["--mode", str(tmp_path / "mend.toml"), "--sandbox", "docker", "--tasks", TASKS]
    done = subprocess.run(
        [sys.executable, "-m", "workbench", *words, "--name", "mended"],
        capture_output=True, text=True, env=bench.env, cwd=tmp_path, timeout=900, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    report = json.loads(bench("report", "mended", "--json").stdout)
    found = {m["metric"].split(" (")[0]: m["value"] for m in report["measurements"]}
    rows = [json.loads(line) for line in bench("rows", "mended").stdout.splitlines()]
    known = {t.id for t in tasks if t.buggy_known_good}
    bad = {t.id for t in tasks if t.reference_known_bad}
    assert {r["task_id"] for r in rows if r["turn"] == 1 and r["outcome"] == "passed"} <= known
    assert {r["task_id"] for r in rows if r["turn"] == 2 and r["outcome"] != "passed"} <= bad
    assert found["solved@≤2"] >= 1 - len(bad) / len(tasks)
    assert found["solved@≤1"] <= len(known) / len(tasks)
