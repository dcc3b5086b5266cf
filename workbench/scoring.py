"""Judge existing completions as they are: sample files in, an execution for each out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from workbench import languages as language_folders
from workbench.benchmarks.task import Task
from workbench.execution.judge import Judge
from workbench.execution.program import Candidate, Execution, Limits
from workbench.outcomes import Flag, Outcome
from workbench.samples import Sample

Extract = Callable[[Task, str], Candidate | None]
"""Turns a sample's text into code; None when there is none in it."""
Progress = Callable[[int, int, "ScoreRow"], None]
"""Called with how many are done, how many there are, and the one that was done last."""


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


async def score(
    judge: Judge,
    tasks: Sequence[Task],
    samples: Sequence[Sample],
    *,
    limits: Mapping[str, Mapping[str, Limits]] | None = None,
    extract: Extract | None = None,
    progress: Progress | None = None,
) -> list[ScoreRow]:
    """Judge every sample; rows come in the order of `samples`.

    Args:
        judge: an open judge with a slot for every language of `samples`.
        tasks: every task that a sample belongs to.
        samples: as `workbench.samples` reads them.
        limits: limits that replace the toolchain's own, by language and step.
        extract: without it, texts are judged as they are.
        progress: called after each.
    """
    by_id = {task.id: task for task in tasks}
    loaded = {name: language_folders.load(name) for name in {t.language for t in tasks}}
    room = asyncio.Semaphore(2 * max(1, sum(s.slots for s in judge.slots().values())))
    rows: dict[int, ScoreRow] = {}

    async def one(position: int, sample: Sample) -> None:
        task = by_id[sample.task_id]
        language = loaded[task.language]
        candidate = sample.candidate
        if extract is not None:
            candidate = extract(task, sample.candidate.text)
        # An empty completion is a function without a body, and judged like any other.
        if candidate is None or (candidate.form == "full" and not candidate.text.strip()):
            execution = Execution(Outcome.NO_CODE, "no code in the sample", sandbox=judge.sandbox)
            rows[position] = ScoreRow(task, sample.index, None, execution)
        else:
            async with room:
                program = language.assembly.assemble(task, candidate, "scored")
                execution = await judge.execute(program, limits=(limits or {}).get(language.id))
            tricks = tuple(language.assembly.suspicions(task, candidate.text))
            if tricks:
                execution = replace(execution, flags=(*execution.flags, Flag.SUSPECT))
            rows[position] = ScoreRow(task, sample.index, candidate, execution, tricks)
        if progress is not None:
            progress(len(rows), len(samples), rows[position])

    async with asyncio.TaskGroup() as group:
        for position, sample in enumerate(samples):
            group.create_task(one(position, sample))
    return [rows[position] for position in range(len(samples))]
