"""What a check counts, and when a toolchain counts as proved."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from workbench import languages
from workbench.benchmarks.task import Task
from workbench.checked import Checked
from workbench.checking import check, items, proof_tasks, prove
from workbench.errors import SandboxFault
from workbench.execution.program import Candidate
from workbench.outcomes import Outcome


async def test_all_is_well(judge: Any, three_tasks: list[Task]) -> None:
    seen: list[tuple[int, int]] = []

    def progress(done: int, total: int, _row: Checked) -> None:
        seen.append((done, total))

    report = await check(judge, three_tasks, cheat_tasks=1, progress=progress)
    (found,) = report.languages
    assert report.ok
    assert (len(found.of("reference")), len(found.passed("reference"))) == (3, 3)
    assert (len(found.of("stub")), len(found.passed("stub"))) == (3, 0)
    assert len(found.of("cheat")) >= 3
    assert found.passed("cheat") == []
    assert seen[-1] == (len(found.rows), len(found.rows))
    assert judge.most_at_once <= 4
    assert report.manifests == {"python": {"language": "python"}}
    json.dumps(report.to_json())


async def test_rows_come_in_the_order_of_the_tasks(judge: Any, three_tasks: list[Task]) -> None:
    report = await check(judge, three_tasks, cheat_tasks=0)
    assert [r.task for r in report.languages[0].rows] == [t.id for t in three_tasks for _ in "ab"]


async def test_a_reference_that_fails_is_unexpected(judge: Any, three_tasks: list[Task]) -> None:
    tasks = [replace(three_tasks[0], reference="    return 0\n"), *three_tasks[1:]]
    report = await check(judge, tasks, cheat_tasks=0)
    assert not report.ok
    assert [r.task for r in report.languages[0].unexpected] == ["HumanEval/0"]


async def test_a_reference_known_to_be_bad_must_fail(judge: Any, three_tasks: list[Task]) -> None:
    bad = replace(three_tasks[0], reference="    return 0\n", reference_known_bad="wrong")
    report = await check(judge, [bad, *three_tasks[1:]], cheat_tasks=0)
    assert report.ok
    assert [r.task for r in report.languages[0].known_bad] == ["HumanEval/0"]
    good = replace(three_tasks[0], reference_known_bad="wrong")
    assert not (await check(judge, [good], cheat_tasks=0)).ok


async def test_a_reference_that_chance_decides_is_run_again_and_named(
    judge: Any, three_tasks: list[Task]
) -> None:
    left = [False, False]
    judge.passes = lambda text: "RIGHT" in text and (not left or left.pop())
    report = await check(judge, three_tasks[:1], cheat_tasks=0)
    assert report.ok
    assert [(r.task, r.tries) for r in report.languages[0].unsteady] == [("HumanEval/0", 3)]
    runs = [p.deterministic for p, _ in judge.asked if any("RIGHT" in f.text for f in p.files)]
    assert runs == [True, False, False]


async def test_a_stub_or_cheat_that_passes_is_unexpected(
    judge: Any, three_tasks: list[Task]
) -> None:
    judge.passes = lambda _text: True
    found = (await check(judge, three_tasks, cheat_tasks=1)).languages[0]
    kinds = {r.kind for r in found.unexpected}
    assert kinds == {"stub", "cheat"}
    assert not found.ok


async def test_what_is_lost_proves_nothing(judge: Any, three_tasks: list[Task]) -> None:
    lost = replace(three_tasks[0], prompt=three_tasks[0].prompt + "    # LOST\n")
    found = (await check(judge, [lost], cheat_tasks=1)).languages[0]
    assert len(found.unexpected) == len(found.rows)
    assert {r.outcome for r in found.rows} == {Outcome.SANDBOX_ERROR}


async def test_tricks_in_references_are_reported(judge: Any, three_tasks: list[Task]) -> None:
    odd = replace(three_tasks[0], reference="    import sys; sys.exit  # RIGHT\n")
    found = (await check(judge, [odd], cheat_tasks=0)).languages[0]
    assert found.ok
    assert [r.suspicions for r in found.suspects] == [("exit",)]


def test_cheats_are_spread_over_the_tasks(three_tasks: list[Task]) -> None:
    many = [replace(three_tasks[0], id=f"HumanEval/{i}") for i in range(100)]
    on = {item.task.id for item in items(many, 4) if item.kind == "cheat"}
    assert on == {"HumanEval/0", "HumanEval/25", "HumanEval/50", "HumanEval/75"}
    everywhere = {item.task.id for item in items(many, None) if item.kind == "cheat"}
    assert len(everywhere) == 100


def test_every_language_has_tasks_to_prove_itself_with() -> None:
    for name in ("python", "cpp", "java", "js", "go"):
        tasks = proof_tasks(languages.load(name))
        assert len(tasks) == 2
        assert all(t.language == name and t.reference.strip() for t in tasks)


@pytest.mark.parametrize(
    ("name", "families"),
    [
        ("python", ["humaneval", "humaneval-x"]),
        ("cpp", ["humaneval-x"]),
        ("java", ["humaneval-x"]),
        ("js", ["humaneval-x"]),
        ("go", ["humaneval-x"]),
    ],
)
def test_what_a_family_needs_is_proved_too(name: str, families: list[str]) -> None:
    tasks = proof_tasks(languages.load(name), [*families, "typed", "never-heard-of"])
    assert [t.family for t in tasks] == ["typed", "typed", *families]
    for task in tasks:
        hooks = languages.load(name).assembly
        reference = Candidate(task.reference, "full" if task.reference_form == "full" else "body")
        assert hooks.assemble(task, reference, "scored").files
        assert hooks.assemble(task, hooks.stub(task), "scored").files


async def test_a_toolchain_that_lets_everything_pass_isnt_proved(judge: Any) -> None:
    judge.passes = lambda _text: True
    with pytest.raises(
        SandboxFault, match=r"python: the toolchain isn't right: stub of starter/0 was passed"
    ):
        await prove(judge, languages.load("python"))


async def test_a_toolchain_that_lets_nothing_pass_isnt_proved(judge: Any) -> None:
    judge.passes = lambda _text: False
    with pytest.raises(SandboxFault, match=r"reference of starter/0 was wrong_answer \(no\)"):
        await prove(judge, languages.load("python"))


async def test_a_toolchain_that_judges_rightly_is_proved(judge: Any) -> None:
    reference = proof_tasks(languages.load("python"))
    texts = [t.reference for t in reference]
    judge.passes = lambda text: any(t in text for t in texts)
    found = await prove(judge, languages.load("python"))
    assert found.ok
    assert len(found.of("cheat")) == 3
