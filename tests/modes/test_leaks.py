"""No held-out test reaches a prompt: real tasks with canaries, real assembly, every recipe."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from tests.modes.scripted import Scripted, ran
from workbench import languages
from workbench.benchmarks.starter import load_starter
from workbench.benchmarks.task import Task
from workbench.execution.program import Candidate, CaseReport, Execution, Program
from workbench.generation.extracted import Extraction
from workbench.generation.model import Sampling
from workbench.generation.prompt_view import view_of
from workbench.generation.prompts import first_request, prompting
from workbench.languages import Language
from workbench.modes.recipe import load_recipe, recipe_files
from workbench.modes.repair import run_episode
from workbench.outcomes import Outcome
from workbench.translation.typed import Case

CANARY = "zebra7411"
LANGUAGES = ("python", "cpp", "java", "js", "go")


class Telling(Scripted):
    """A sandbox that tells everything it was given: the whole program and every expected value."""

    own: Language

    @property
    def language(self) -> Language:
        return self.own

    async def extract(self, text: str, previous: str) -> Extraction:
        return Extraction(Candidate(text, "full"), (), extractor="made/1")

    async def execute(self, program: Program, purpose: str) -> Execution:
        everything = json.dumps([f.pieces for f in program.files])
        everything += json.dumps([(c.expected, c.shown) for c in program.cases or ()])
        self.executed.append((purpose, everything))
        outcome = (Outcome.COMPILE_ERROR, Outcome.RUNTIME_ERROR, Outcome.WRONG_ANSWER)[
            len(self.requests) % 3
        ]
        step = "compile" if outcome is Outcome.COMPILE_ERROR else "run"
        execution = ran(outcome, everything, step=step)
        last = (program.cases or (None,))[-1]
        if last is None:
            return execution
        case = CaseReport(0, json.dumps(last.expected), everything, last.shown)
        return replace(execution, case=case)


def planted(task: Task) -> Task:
    """The task with a canary in everything that is held out."""
    if task.typed is None:
        return replace(task, test=f"{task.test}\n{CANARY}\n", reference=CANARY)
    held_out = tuple(
        Case(tuple(_marked(a) for a in case.arguments), _marked(case.expected))
        for case in task.typed.held_out
    )
    return replace(task, typed=replace(task.typed, held_out=held_out), reference=CANARY)


def _marked(value: object) -> object:
    if isinstance(value, str):
        return value + CANARY
    if isinstance(value, list):
        return [_marked(v) for v in cast(list[object], value)]
    return value


def roomy(name: str):
    """A recipe that would show whatever it gets, as many turns as it may."""
    return replace(load_recipe(name), max_turns=6, feedback_chars=100_000)


def strings(task: Task) -> bool:
    typed = task.typed
    return typed is not None and CANARY in json.dumps(
        [(c.arguments, c.expected) for c in typed.held_out]
    )


@pytest.mark.parametrize("recipe", sorted(recipe_files()))
@pytest.mark.parametrize("language", LANGUAGES)
async def test_starter_s_held_out_cases_reach_no_prompt(language: str, recipe: str) -> None:
    own = languages.load(language)
    tasks = [planted(t) for t in load_starter([language])]
    tasks = [t for t in tasks if strings(t)][:3]
    assert tasks
    for task in tasks:
        await check(task, own, recipe)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_humaneval_x_s_tests_reach_no_prompt(language: str, shared_data: Path) -> None:
    from workbench.benchmarks import humaneval_x
    from workbench.benchmarks.rows import read_rows

    file = shared_data / "humaneval-x" / f"humaneval_{language}.jsonl.gz"
    own = languages.load(language)
    for task in [t for t in humaneval_x.tasks(read_rows(file), language) if t.visible_test][:4]:
        await check(planted(task), own, "repair-visible")


async def check(task: Task, own: Language, recipe: str) -> None:
    context = Telling(["def nothing(): pass"] * 6)
    context.own = own
    first = first_request(view_of(task, own), prompting("chat"), Sampling())
    await run_episode(context, task, roomy(recipe), first, [])
    prompts = "".join(m.content for r in context.requests for m in r.messages)
    told = [text for purpose, text in context.executed if purpose == "scored"]
    assert CANARY in "".join(told), "the scored program holds the canary"
    assert CANARY not in prompts
    assert task.entry_point in prompts
