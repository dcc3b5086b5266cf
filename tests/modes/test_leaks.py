"""No held-out test reaches a prompt: real tasks with canaries, real assembly, every recipe.

The sandbox of these tests tells all it was given, so whatever stands in a program that feedback is made
of would reach the model. Two things are searched for in everything that is sent: a canary planted in
whatever is held out, and the held-out (input, expected) pairs themselves, normalised.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import cast

import pytest

from tests.benchmarks.made_families import MULTIPL_E
from tests.modes.scripted import Scripted, ran
from workbench import languages
from workbench.benchmarks import humaneval, humaneval_x, multipl_e
from workbench.benchmarks.rows import Row, read_rows
from workbench.benchmarks.starter import load_starter
from workbench.benchmarks.task import Task
from workbench.execution.program import Candidate, CaseReport, Execution, Program
from workbench.generation.extracted import Extraction
from workbench.generation.model import Completion, Request, Sampling, ToolCall
from workbench.generation.prompt_view import view_of
from workbench.generation.prompts import first_request, prompting
from workbench.languages import Language
from workbench.modes.recipe import Recipe
from workbench.modes.recipe_file import load_recipe, recipe_files
from workbench.modes.run import run_recipe
from workbench.outcomes import Outcome
from workbench.translation.typed import Case

CANARY = "zebra7411"
LANGUAGES = ("python", "cpp", "java", "js", "go")
MODES = [f"{name}:x/critic" if name == "repair-other" else name for name in sorted(recipe_files())]


class Telling(Scripted):
    """A sandbox that tells everything it was given: the whole program and every expected value."""

    own: Language
    task: Task

    async def generate(self, request: Request, turn: int) -> Completion:
        """An agent's turns: whatever there is to try, then a further message."""
        completion = await super().generate(request, turn)
        if not request.tools and "ACTION" not in request.messages[-1].content:
            return completion
        typed = self.task.typed
        own = {"arguments": list(typed.visible[0].arguments)} if typed else {"code": "nothing"}
        wanted = [
            ("write_file", {"code": "def nothing(): pass"}),
            ("compile", {}),
            ("run_visible_tests", {}),
            ("run", own),
            ("read_output", {"start": 0}),
        ]
        if request.tools:
            calls = [ToolCall(str(i), n, json.dumps(a)) for i, (n, a) in enumerate(wanted)]
            return replace(completion, tool_calls=tuple(calls))
        said = [f"ACTION: {n}\n```\n{next(iter(a.values()), '')}\n```" for n, a in wanted]
        return replace(completion, text="\n".join(said))

    async def ask(self, step: str, turn: int, request: Request, by: str = "") -> Completion:
        self.requests.append(request)
        if step == "self-tests" and self.task.typed is not None:
            cases = [{"arguments": list(c.arguments), "expected": c.expected}
                     for c in self.task.typed.visible]  # fmt: skip
            return Completion(f"```json\n{json.dumps(cases)}\n```", "stop", "x")
        return Completion(f"```\n{self.task.visible_test or 'nothing'}\n```", "stop", "x")

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
        # Behind every call inside a test, where no language's assembly cuts it off.
        test = re.sub(r"(?m)^([ \t]+.*\(.*)$", rf"\1 {CANARY}", task.test)
        return replace(task, test=test, reference=CANARY)
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


def roomy(name: str) -> Recipe:
    """A recipe that would show whatever it gets, as many turns as it may."""
    recipe = replace(load_recipe(name), feedback_chars=100_000)
    if recipe.stop == "compiles":  # every other outcome would end it
        recipe = replace(recipe, stop="none")
    return recipe if recipe.tree else replace(recipe, max_turns=4)


def normalised(text: str) -> str:
    """Without what a quotation may change: white space, kinds of quotes, escapes, capitals."""
    return re.sub(r"[\s\\'\"`]", "", text).casefold()


def pairs(task: Task, own: Language) -> Iterator[str]:
    """Held-out tests as they would stand in a text: calls, or assertions; none that is visible."""
    if task.typed is not None:
        shown = {normalised(own.printer.call(task.typed, c)) for c in task.typed.visible}
        for case in task.typed.held_out:
            call = normalised(own.printer.call(task.typed, case))
            if call not in shown:
                yield call
        return
    known = normalised(task.prompt + task.visible_test)
    for line in task.test.splitlines():
        test = normalised(line)
        called = re.search(r"assert|candidate\(|equal", test)
        if called and "(" in test and len(test) > 20 and test not in known:
            yield test


@lru_cache
def starter(language: str) -> tuple[Task, ...]:
    return tuple(load_starter([language]))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("language", LANGUAGES)
async def test_starter_s_held_out_cases_reach_no_prompt(language: str, mode: str) -> None:
    tasks = [t for t in starter(language) if strings(planted(t))]
    for task in tasks[:1]:
        await check(task, languages.load(language), mode)


def strings(task: Task) -> bool:
    typed = task.typed
    return typed is not None and CANARY in json.dumps(
        [(c.arguments, c.expected) for c in typed.held_out]
    )


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("language", LANGUAGES)
async def test_multipl_e_s_tests_reach_no_prompt(language: str, mode: str) -> None:
    row = Row(Path("made"), 1, MULTIPL_E[language].row)
    [task] = multipl_e.tasks([row], "multipl-e/humaneval")
    await check(task, languages.load(language), mode)


@pytest.mark.parametrize("mode", MODES)
async def test_humaneval_s_tests_reach_no_prompt(mode: str, shared_data: Path) -> None:
    tasks = humaneval.tasks(
        read_rows(shared_data / "humaneval" / "HumanEval.jsonl.gz"), "humaneval"
    )
    bare = next(t for t in tasks if not t.visible_test)
    for task in (tasks[0], bare):
        await check(task, languages.load("python"), mode)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_humaneval_x_s_tests_reach_no_prompt(language: str, shared_data: Path) -> None:
    file = shared_data / "humaneval-x" / f"humaneval_{language}.jsonl.gz"
    tasks = humaneval_x.tasks(read_rows(file), language)
    bare = next(t for t in tasks if not t.visible_test)
    for task in (*tasks[:2], bare):
        await check(task, languages.load(language), "repair-visible")


async def check(task: Task, own: Language, mode: str) -> None:
    """Run an episode whose every program fails and whose sandbox tells all, and search what is sent."""
    marked = planted(task)
    recipe = roomy(mode)
    context = Telling(["def nothing(): pass"] * 30)
    context.own, context.task = own, marked
    first = first_request(view_of(marked, own), prompting("chat"), Sampling(temperature=0.5))
    await run_recipe(context, marked, recipe, first, [])
    everything = "".join(m.content for r in context.requests for m in r.messages)
    prompts = normalised(everything)
    judged = "".join(text for purpose, text in context.executed if purpose == "scored")
    assert CANARY in judged, "the scored program holds the canary"
    assert task.entry_point in everything
    assert len(context.requests) >= 4
    found = [pair for pair in pairs(marked, own) if pair in prompts]
    if recipe.leaks:
        assert "!LEAK" in recipe.label
        assert CANARY in everything, "a leak that this test can't see"
        return
    assert "!LEAK" not in recipe.label
    assert CANARY not in everything
    assert found == []
