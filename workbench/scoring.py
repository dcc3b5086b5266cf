"""Judge existing completions as they are: sample files in, an execution for each out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, replace

from workbench import languages as language_folders
from workbench.apart import apart
from workbench.benchmarks.task import Task
from workbench.execution.judge import Judge
from workbench.execution.program import Candidate, Execution, Limits
from workbench.languages import AssemblyHooks
from workbench.outcomes import Flag, Outcome
from workbench.samples import Sample

Extract = Callable[[Task, str], Candidate | None]
"""Turns a sample's text into code; None when there is none in it."""
Take = Callable[[int, "ScoreRow"], None]
"""Gets a sample's place among the samples, and what came of it."""


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One sample, judged."""

    task: Task
    index: int
    """Which sample of its task, from 0."""
    candidate: Candidate | None
    """None: extraction found no code."""
    execution: Execution
    suspicions: tuple[str, ...] = ()
    """Known tricks in the text; when there are any, the flags have `suspect`."""


async def score_each(
    judge: Judge,
    tasks: Sequence[Task],
    samples: Iterable[Sample],
    take: Take,
    *,
    limits: Mapping[str, Mapping[str, Limits]] | None = None,
    extract: Extract | None = None,
) -> None:
    """Judge every sample and hand each on as it is done: only those in flight are in memory.

    Args:
        judge: an open judge with a slot for every language of `samples`.
        tasks: every task that a sample belongs to.
        samples: as `workbench.samples` reads them; read no faster than they are judged.
        take: gets each row with its place among `samples`, in the order in which they are done.
        limits: limits that replace the toolchain's own, by language and step.
        extract: without it, texts are judged as they are.
    """
    numbered = enumerate(samples)
    with ThreadPoolExecutor(1, "extraction") as extracting:
        names = {task.language for task in tasks}
        scoring = _Scoring(
            judge=judge,
            tasks={task.id: task for task in tasks},
            hooks={name: language_folders.load(name).assembly for name in names},
            limits=limits or {},
            extract=extract,
            extracting=extracting,
        )

        async def work() -> None:
            for position, sample in numbered:
                take(position, await scoring.row(sample))

        async with asyncio.TaskGroup() as group:
            for _ in range(2 * max(1, sum(s.slots for s in judge.slots().values()))):
                group.create_task(work())


async def score(
    judge: Judge,
    tasks: Sequence[Task],
    samples: Iterable[Sample],
    *,
    limits: Mapping[str, Mapping[str, Limits]] | None = None,
    extract: Extract | None = None,
) -> list[ScoreRow]:
    """Judge every sample; all rows, in the order of `samples`. See `score_each`."""
    rows: dict[int, ScoreRow] = {}
    await score_each(judge, tasks, samples, rows.__setitem__, limits=limits, extract=extract)
    return [rows[position] for position in sorted(rows)]


@dataclass(frozen=True, slots=True)
class _Scoring:
    judge: Judge
    tasks: Mapping[str, Task]
    hooks: Mapping[str, AssemblyHooks]
    limits: Mapping[str, Mapping[str, Limits]]
    extract: Extract | None
    extracting: Executor

    async def row(self, sample: Sample) -> ScoreRow:
        """One sample, judged."""
        task = self.tasks[sample.task_id]
        candidate = await self._candidate(task, sample)
        # An empty completion is a function without a body, and judged like any other.
        if candidate is None or (candidate.form == "full" and not candidate.text.strip()):
            nothing = Execution(
                Outcome.NO_CODE, "no code in the sample", sandbox=self.judge.sandbox
            )
            return ScoreRow(task, sample.index, None, nothing)
        hooks = self.hooks[task.language]
        program, tricks = await apart(
            candidate.text,
            lambda: (
                hooks.assemble(task, candidate, "scored"),
                tuple(hooks.suspicions(task, candidate.text)),
            ),
        )
        execution = await self.judge.execute(program, limits=self.limits.get(task.language))
        if tricks:
            execution = replace(execution, flags=(*execution.flags, Flag.SUSPECT.value))
        return ScoreRow(task, sample.index, candidate, execution, tricks)

    async def _candidate(self, task: Task, sample: Sample) -> Candidate | None:
        if self.extract is None:
            return sample.candidate
        # Milliseconds for a program, but seconds for a text made to be hard to read; and one
        # thread, because parsers must not be shared.
        return await asyncio.get_running_loop().run_in_executor(
            self.extracting, self.extract, task, sample.candidate.text
        )
