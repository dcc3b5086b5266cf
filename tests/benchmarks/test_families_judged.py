"""The made rows of MultiPL-E and HumanEvalPack before the judge, in all five languages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.benchmarks.made_families import HUMANEVALPACK, LANGUAGES, MULTIPL_E
from workbench import languages
from workbench.benchmarks.load import load
from workbench.checking import check, prove_families
from workbench.execution.pool import open_pool
from workbench.execution.program import Candidate
from workbench.outcomes import Outcome

pytestmark = pytest.mark.docker

Write = Callable[..., Path]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_multipl_e(write_jsonl: Write, language: str) -> None:
    made = MULTIPL_E[language]
    (task,) = load(None, problems=write_jsonl("made.jsonl", made.row))
    hooks = languages.load(language).assembly
    async with open_pool([language], "docker", slots=1) as pool:

        async def outcome(text: str, form: str = "body", suite: str = "scored") -> Outcome:
            candidate = Candidate(text, form)  # pyright: ignore[reportArgumentType]
            return (await pool.execute(hooks.assemble(task, candidate, suite))).outcome

        assert await outcome(made.good) is Outcome.PASSED
        assert await outcome(made.runs_on) is Outcome.PASSED
        assert await outcome(made.whole, "full") is Outcome.PASSED
        assert await outcome(made.bad) is Outcome.WRONG_ANSWER
        assert await outcome(made.good, suite="visible") is Outcome.PASSED
        assert await outcome(made.bad, suite="visible") is Outcome.WRONG_ANSWER
        report = await check(pool, [task], cheat_tasks=1)
    (found,) = report.languages
    assert [row.to_json() for row in found.unexpected] == []
    assert len(found.passed("proof")) == 1
    assert len(found.of("cheat")) >= 4
    # A stub or a cheat that didn't even compile would show nothing.
    assert [r.to_json() for r in found.rows if r.outcome is Outcome.COMPILE_ERROR] == []


@pytest.mark.parametrize("language", LANGUAGES)
async def test_humanevalpack(write_jsonl: Write, language: str) -> None:
    tasks = load(None, problems=write_jsonl("made.jsonl", HUMANEVALPACK[language]))
    async with open_pool([language], "docker", slots=1) as pool:
        report = await check(pool, tasks, cheat_tasks=0)
        await prove_families(pool, languages.load(language), ("humanevalpack",))
    (found,) = report.languages
    assert [row.to_json() for row in found.unexpected] == []
    assert len(found.passed("reference")) == 1
    assert [row.outcome for row in found.of("buggy")] == [Outcome.WRONG_ANSWER]
