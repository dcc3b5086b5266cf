"""What `check` expects of buggy solutions, and of benchmarks that have no references."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.benchmarks.made_families import HUMANEVALPACK, MULTIPL_E
from tests.scoring.conftest import KnowingJudge
from workbench import languages
from workbench.benchmarks.load import load
from workbench.benchmarks.task import Task
from workbench.checked import Checked
from workbench.checking import check, prove_families
from workbench.errors import SandboxFault
from workbench.outcomes import Outcome

Write = Callable[..., Path]


@pytest.fixture
def pack(write_jsonl: Write) -> list[Task]:
    return load(None, problems=write_jsonl("pack.jsonl", HUMANEVALPACK["python"]))


@pytest.fixture
def bare(write_jsonl: Write) -> list[Task]:
    return load(None, problems=write_jsonl("bare.jsonl", MULTIPL_E["python"].row))


async def test_a_buggy_solution_that_passes_is_unexpected(pack: list[Task]) -> None:
    report = await check(KnowingJudge(lambda text: "* x" in text), pack, cheat_tasks=0)
    assert not report.ok
    (found,) = report.languages
    assert [(r.kind, r.outcome) for r in found.unexpected] == [("buggy", Outcome.PASSED)]
    assert found.to_json()["buggy"] == {"total": 1, "passed": 1, "known_good": []}


async def test_buggy_solutions_fail_and_are_counted(pack: list[Task]) -> None:
    report = await check(KnowingJudge(lambda text: "3 * x" in text), pack, cheat_tasks=0)
    assert report.ok
    (found,) = report.languages
    assert [r.kind for r in found.rows] == ["reference", "buggy", "stub"]
    assert found.to_json()["buggy"] == {"total": 1, "passed": 0, "known_good": []}


@pytest.mark.parametrize(
    ("outcome", "known_good", "right"),
    [
        (Outcome.WRONG_ANSWER, "", True),
        (Outcome.PASSED, "", False),
        (Outcome.PASSED, "the test doesn't reach it", True),
        (Outcome.WRONG_ANSWER, "the test doesn't reach it", False),
        (Outcome.SANDBOX_ERROR, "", False),
    ],
)
def test_a_buggy_solution_known_to_pass_must(
    outcome: Outcome, known_good: str, right: bool
) -> None:
    row = Checked("t", "js", "buggy", "", outcome, "", (), known_good=known_good)
    assert row.as_expected is right


async def test_a_benchmark_without_references_is_checked_with_the_familys_proof(
    bare: list[Task],
) -> None:
    report = await check(KnowingJudge(lambda text: "numbers[-1]" in text), bare, cheat_tasks=0)
    (found,) = report.languages
    assert [(r.kind, r.task) for r in found.rows] == [
        ("proof", "proof/multipl-e"),
        ("stub", "python/HumanEval_900_ends"),
    ]
    assert report.ok
    assert found.to_json()["references"]["total"] == 0


async def test_a_toolchain_on_which_nothing_passes_isnt_right(bare: list[Task]) -> None:
    report = await check(KnowingJudge(lambda _text: False), bare, cheat_tasks=1)
    assert [r.kind for r in report.languages[0].unexpected] == ["proof"]


async def test_what_a_familys_programs_need_is_said_when_it_is_missing() -> None:
    judge = KnowingJudge(lambda _text: False)
    with pytest.raises(SandboxFault, match=r"java: .* need javatuples in .*libjavatuples-java"):
        await prove_families(judge, languages.load("java"), ("multipl-e",))
    await prove_families(judge, languages.load("java"), ("a family without a proof",))
