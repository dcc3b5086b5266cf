"""Tests that the model writes for itself: asked for once an episode, run apart from all others.

Where a benchmark's tests are data the model gives cases as JSON, which are checked against the
task's types; where they are code it writes code in the form of the visible tests.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from workbench.apart import apart
from workbench.benchmarks.task import Task
from workbench.execution.program import Candidate, Execution
from workbench.generation.model import Message, Request
from workbench.modes.context import Context
from workbench.modes.recipe import Recipe
from workbench.modes.spent import Spent, of_completion
from workbench.outcomes import Outcome
from workbench.translation.typed import Case, TypedTask
from workbench.translation.values import fit

CASES = 20
"""Cases that are taken of an answer at most."""
CODE_CHARS = 20_000
_FENCED = re.compile(r"^(`{3,})[^\n`]*\n(.*?)^\1`*[ \t]*$", re.MULTILINE | re.DOTALL)


class SandboxLost(Exception):
    """The machine lost an execution on which feedback rests: the episode is lost with it."""


class SelfTests:
    """The model's own tests of one episode."""

    def __init__(self, context: Context, task: Task, recipe: Recipe, first: Request) -> None:
        """Nothing is asked before the first program wants to be tested."""
        self._context = context
        self._task = task
        self._recipe = recipe
        self._first = first
        self._tested: Task | None = None
        self._asked = False

    async def ask(self) -> Spent:
        """Have the tests written, unless they are; returns what that took.

        Raises:
            GenerationFailed: no answer came.
        """
        if self._asked:
            return Spent()
        request = self_tests_request(self._recipe, self._task, self._context, self._first)
        completion = await self._context.ask("self-tests", 1, request)
        self._tested = with_tests(self._task, completion.text)
        self._asked = True
        return of_completion(completion)

    async def run(self, candidate: Candidate) -> Execution | None:
        """Put a program before them; `None`: the model gave no test that can be run.

        Raises:
            SandboxLost: the machine lost the execution.
        """
        tested = self._tested
        if tested is None:
            return None
        assemble = self._context.language.assembly.assemble
        try:
            program = await apart(candidate.text, lambda: assemble(tested, candidate, "visible"))
        except ValueError:  # tests that no program can be made with
            return None
        execution = await self._context.execute(program, "self")
        if execution.outcome is Outcome.SANDBOX_ERROR:
            raise SandboxLost(execution.detail)
        return execution


def self_tests_request(recipe: Recipe, task: Task, context: Context, first: Request) -> Request:
    """What asks for the tests: the task's first prompt, then what is wanted of it."""
    language = context.language
    form = form_of(task)
    text = recipe.templates["self-tests"].render(
        language=language.name,
        entry_point=task.entry_point,
        tag=language.fence_tags[0] if language.fence_tags else language.id,
        form=form,
        typed=task.typed is not None,
        parameters=len(task.typed.signature.parameters) if task.typed else 0,
        fence=fence_for(form),
    )
    # The task as it was put for the program, then another wish in its place.
    messages = (*first.messages, Message("user", text))
    return replace(
        first,
        messages=messages,
        sampling=recipe.step("self-tests", first.sampling),
        key=f"{first.key.rpartition('/')[0]}/self-tests",
    )


def form_of(task: Task) -> str:
    """A test as this task's tests look: its visible ones, or one that tests nothing."""
    return task.visible_test or task.parts.get("bare_test", "")


def fence_for(*texts: str) -> str:
    """A fence longer than any in the texts."""
    runs = [len(run) for text in texts for run in re.findall(r"`{3,}", text)]
    return "`" * (max(runs, default=2) + 1)


def with_tests(task: Task, answer: str) -> Task | None:
    """The task with the tests of an answer as its visible ones; `None`: there are none in it."""
    blocks = [match[2] for match in _FENCED.finditer(answer)]
    if task.typed is None:
        code = blocks[-1] if blocks else ""
        if not code.strip() or len(code) > CODE_CHARS:
            return None
        return replace(task, visible_test=code)
    for text in (*reversed(blocks), answer):
        cases = _cases(task.typed, text)
        if cases:
            return replace(task, typed=replace(task.typed, visible=cases, held_out=()))
    return None


def _cases(typed: TypedTask, text: str) -> tuple[Case, ...]:
    """Those of the cases in a JSON text that fit the signature."""
    try:
        rows: object = json.loads(text)
    except (ValueError, RecursionError):
        return ()
    if not isinstance(rows, list):
        return ()
    found: list[Case] = []
    for row in cast("list[object]", rows)[:CASES]:
        case = _case(typed, cast("Mapping[str, Any]", row)) if isinstance(row, dict) else None
        if case is not None:
            found.append(case)
    return tuple(found)


def _case(typed: TypedTask, row: Mapping[str, Any]) -> Case | None:
    arguments = case_arguments(typed, row.get("arguments"))
    try:
        if arguments is None or "expected" not in row:
            return None
        return Case(arguments, fit(typed.signature.result, row["expected"], "expected"))
    except (ValueError, OverflowError):
        return None


def case_arguments(typed: TypedTask, given: object) -> tuple[Any, ...] | None:
    """Arguments of a call, each in the form of its type; `None`: they don't fit."""
    parameters = typed.signature.parameters
    if not isinstance(given, list):
        return None
    values = cast("list[object]", given)
    if len(values) != len(parameters):
        return None
    try:
        return tuple(fit(p.type, v, p.name) for p, v in zip(parameters, values, strict=True))
    except (ValueError, OverflowError):
        return None
