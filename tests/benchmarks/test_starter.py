"""The starter benchmark: what each task has, in every language, and that it judges truly."""

from __future__ import annotations

import asyncio
import re
from collections import Counter

import pytest

from workbench import languages
from workbench.benchmarks import starter
from workbench.benchmarks.task import Task
from workbench.execution.pool import open_pool
from workbench.execution.program import Candidate
from workbench.outcomes import Outcome
from workbench.translation.type_text import show_type
from workbench.translation.typed import TypedTask
from workbench.translation.values import holds, same, zero

LANGUAGES = ("python", "cpp", "java", "js", "go")
TYPED = [typed for typed, _ in starter.typed_tasks()]


def test_there_are_enough_tasks_of_rising_difficulty() -> None:
    counts = Counter(t.difficulty for t in TYPED)
    assert len(TYPED) >= 24
    assert counts[1] >= 8
    assert all(counts[level] >= 3 for level in range(1, 6))
    assert [t.difficulty for t in TYPED] == sorted(t.difficulty for t in TYPED)


def test_the_first_five_are_the_easiest_and_of_five_types() -> None:
    first = [t.signature.parameters[0].type for t in TYPED[:5]]
    results = [show_type(t.signature.result) for t in TYPED[:5]]
    assert results == ["int", "str", "bool", "int", "float"]
    assert show_type(first[3]) == "list[int]"


@pytest.mark.parametrize("typed", TYPED, ids=lambda t: t.id)
def test_a_task_has_its_cases_and_a_wrong_answer_can_be_told(typed: TypedTask) -> None:
    assert 2 <= len(typed.visible) <= 4
    assert len(typed.held_out) >= 8
    result = typed.signature.result
    cases = (*typed.visible, *typed.held_out)
    assert any(not same(result, c.expected, zero(result)) for c in typed.held_out)
    assert len({repr(c.expected) for c in cases}) > 1


@pytest.mark.parametrize("typed", TYPED, ids=lambda t: t.id)
def test_values_mean_the_same_in_every_language(typed: TypedTask) -> None:
    values = [v for c in (*typed.visible, *typed.held_out) for v in (*c.arguments, c.expected)]
    assert repr(values).isascii()
    assert all(abs(int(n)) < 2**53 for n in re.findall(r"(?<![\w.])-?\d+(?![\w.])", repr(values)))
    assert not any(holds(p.type, "tuple") for p in typed.signature.parameters)


def test_every_language_has_prompt_entry_point_and_reference() -> None:
    tasks = starter.load_starter(LANGUAGES)
    assert len(tasks) == len(TYPED) * len(LANGUAGES)
    assert [t.language for t in tasks[:5]] == list(LANGUAGES)
    for number, task in enumerate(tasks):
        assert task.family == "typed"
        assert task.problem == str(number // len(LANGUAGES))
        assert task.id == f"starter/{task.problem}"
        assert task.entry_point in task.prompt
        assert task.entry_point in task.reference
        assert task.reference_form == "full"
        assert task.has_visible_tests
    assert len({(t.id, t.language) for t in tasks}) == len(tasks)


def test_the_content_has_a_hash_of_its_own() -> None:
    assert re.fullmatch(r"[0-9a-f]{64}", starter.content_sha256())


async def _outcomes(language: str) -> list[tuple[Task, str, Outcome, str]]:
    hooks = languages.load(language).assembly
    work: list[tuple[Task, str, Candidate]] = []
    for task in starter.load_starter([language]):
        work.append((task, "reference", Candidate(task.reference, "full")))
        work.append((task, "stub", hooks.stub(task)))
    async with open_pool([language]) as pool:
        programs = (hooks.assemble(task, candidate, "scored") for task, _, candidate in work)
        done = await asyncio.gather(*(pool.execute(program) for program in programs))
    return [
        (task, kind, e.outcome, e.detail) for (task, kind, _), e in zip(work, done, strict=True)
    ]


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
async def test_references_pass_and_stubs_fail(language: str) -> None:
    wanted = {"reference": Outcome.PASSED, "stub": Outcome.WRONG_ANSWER}
    wrong = [
        (task.id, kind, outcome, detail)
        for task, kind, outcome, detail in await _outcomes(language)
        if outcome != wanted[kind]
    ]
    assert not wrong
