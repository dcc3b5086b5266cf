"""A language's programs by what is kept warm and by the plain commands, in two pools."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from workbench import languages
from workbench.benchmarks.load import load_set
from workbench.benchmarks.task import Task
from workbench.execution.pool import Pool, open_pool
from workbench.execution.program import Candidate, Execution, Limits, Program, SourceFile
from workbench.outcomes import Outcome
from workbench.samples import candidates_from

DATA = Path(__file__).parents[3] / "shared" / "data"
WHOLE = bool(os.environ.get("WORKBENCH_TEST_WHOLE"))
IN_FLIGHT = 4


class BothWays:
    """Two pools of one language."""

    def __init__(self, warm: Pool, plain: Pool) -> None:
        self._pools = (warm, plain)

    async def execute(
        self, program: Program, limits: dict[str, Limits] | None = None
    ) -> tuple[Execution, Execution]:
        """One program (warm, plain)."""
        warm, plain = self._pools
        return await asyncio.gather(
            warm.execute(program, limits=limits), plain.execute(program, limits=limits)
        )

    async def warm(self, program: Program) -> Execution:
        return await self._pools[0].execute(program)

    async def differences(self, programs: Iterable[Program]) -> list[str]:
        """Programs whose verdict or compiler's words aren't the same."""
        room = asyncio.Semaphore(IN_FLIGHT)

        async def one(program: Program) -> str:
            async with room:
                warm, plain = await self.execute(program)
                if told(warm) != told(plain):
                    # What chance decides is tried again.
                    warm, plain = await self.execute(program)
            same = told(warm) == told(plain)
            return "" if same else f"{program.files[0].text}\n{told(warm)}\n{told(plain)}"

        return [text for text in await asyncio.gather(*map(one, programs)) if text]


@asynccontextmanager
async def both_ways(language: str) -> AsyncGenerator[BothWays]:
    async with (
        open_pool([language], "docker", slots=1, reuse=False) as warm,
        open_pool([language], "docker", slots=1, reuse=False, warm=False) as plain,
    ):
        yield BothWays(warm, plain)


def told(execution: Execution) -> list[object]:
    """What may not differ: outcome, detail, how the steps ended, and the compiler's words."""
    ends = [(s.name, s.exit_code, s.signal, bool(s.stopped_by)) for s in execution.steps]
    compiled = execution.steps[0]
    said = [without_token(c.head + c.tail) for c in (compiled.stdout, compiled.stderr)]
    # How far a program got before it was stopped is chance.
    detail = "" if execution.outcome is Outcome.TIMEOUT else without_token(execution.detail)
    if any("StackOverflowError" in words for words in said):
        # Where the stack of a compiler runs out is chance, with the same command, too.
        return [execution.outcome, detail, ends]
    return [execution.outcome, detail, ends, said, compiled.stderr.size]


def without_token(text: str) -> str:
    """A compiler cites the line with the token, which is another one each time."""
    return re.sub(r"[0-9a-f]{32}", "token", text)


def program(language: str, files: dict[str, str], **options: tuple[str, ...]) -> Program:
    """A program of its own; `@@` is where the pass token stands."""
    made = tuple(SourceFile(name, tuple(text.split("@@"))) for name, text in files.items())
    return Program(language, made, options)


def starters(language: str, every: int) -> list[Program]:
    """References and stubs of the product's own tasks."""
    return _references(load_set("starter", [language]).tasks[::every])


def published(language: str, samples: str) -> list[Program]:
    """References, stubs and a real model's samples of HumanEval-X."""
    tasks = load_set("humaneval-x", [language], DATA / "humaneval-x").tasks
    found = candidates_from(DATA / "model-samples" / "humaneval-x-gpt" / samples, tasks)
    by_id = {task.id: task for task in tasks}
    real = [_assembled(by_id[sample.task_id], sample.candidate) for sample in found]
    return [*_references(tasks), *real]


def _references(tasks: Iterable[Task]) -> list[Program]:
    made: list[Program] = []
    for task in tasks:
        form = "full" if task.reference_form == "full" else "body"
        stub = languages.load(task.language).assembly.stub(task)
        made += [_assembled(task, c) for c in (Candidate(task.reference, form), stub)]
    return made


def _assembled(task: Task, candidate: Candidate) -> Program:
    hooks = languages.load(task.language).assembly
    return replace(hooks.assemble(task, candidate, "scored"), deterministic=True)
