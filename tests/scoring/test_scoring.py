"""Samples are judged as they are."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from workbench.benchmarks.task import Task
from workbench.execution.program import Candidate, Limits
from workbench.outcomes import Flag, Outcome
from workbench.samples import Sample
from workbench.scoring import ScoreRow, score, score_each


def sample(number: int, text: str, index: int = 0) -> Sample:
    return Sample(f"HumanEval/{number}", index, Candidate(text, "body"), "here")


async def test_rows_come_in_the_order_of_the_samples(judge: Any, three_tasks: list[Task]) -> None:
    samples = [sample(2, "    RIGHT"), sample(0, "    no"), sample(2, "    RIGHT", 1)]
    rows = await score(judge, three_tasks, samples)
    assert [(r.task.id, r.index, r.execution.outcome) for r in rows] == [
        ("HumanEval/2", 0, Outcome.PASSED),
        ("HumanEval/0", 0, Outcome.WRONG_ANSWER),
        ("HumanEval/2", 1, Outcome.PASSED),
    ]


async def test_a_completion_is_put_behind_the_prompt_as_it_is(
    judge: Any, three_tasks: list[Task]
) -> None:
    await score(judge, three_tasks, [sample(0, "\t x\r\n``` ")])
    program, limits = judge.asked[0]
    code = next(f.text for f in program.files if f.name == "program.py")
    assert code.startswith(three_tasks[0].prompt + "\t x\r\n``` \n")
    assert limits is None


async def test_an_empty_completion_is_judged_too(judge: Any, three_tasks: list[Task]) -> None:
    rows = await score(judge, three_tasks, [sample(0, "")])
    assert rows[0].execution.outcome is Outcome.WRONG_ANSWER


async def test_limits_and_tricks_are_handed_on(judge: Any, three_tasks: list[Task]) -> None:
    limits = {"python": {"run": Limits(3.0, 3.0, 512)}}
    rows = await score(
        judge, three_tasks, [sample(0, "    import os; os._exit(0)  # RIGHT")], limits=limits
    )
    assert judge.asked[0][1] == limits["python"]
    assert rows[0].suspicions == ("exit",)
    assert Flag.SUSPECT in rows[0].execution.flags
    assert rows[0].execution.outcome is Outcome.PASSED


async def test_extraction_is_only_done_when_asked_for(judge: Any, three_tasks: list[Task]) -> None:
    def extract(_task: Task, text: str) -> Candidate | None:
        return Candidate(text.upper(), "body") if "right" in text else None

    rows = await score(judge, three_tasks, [sample(0, "  right"), sample(1, "x")], extract=extract)
    assert [r.execution.outcome for r in rows] == [Outcome.PASSED, Outcome.NO_CODE]
    assert rows[1].candidate is None
    assert len(judge.asked) == 1


async def test_samples_are_read_no_faster_than_they_are_judged(
    judge: Any, three_tasks: list[Task]
) -> None:
    read = taken = ahead = 0

    def samples() -> Iterator[Sample]:
        nonlocal read, ahead
        for index in range(500):
            read += 1
            ahead = max(ahead, read - taken)
            yield sample(0, "    RIGHT", index)

    def take(position: int, row: ScoreRow) -> None:
        nonlocal taken
        assert row.index == position
        taken += 1

    await score_each(judge, three_tasks, samples(), take)
    assert taken == 500
    assert ahead <= 2 * 2  # slots


async def test_a_long_text_is_assembled_beside_the_loop(
    judge: Any, three_tasks: list[Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    from workbench import languages

    hooks = languages.load("python").assembly
    where: list[bool] = []
    real = hooks.assemble

    def assemble(task: Task, candidate: Candidate, suite: str) -> Any:
        where.append(threading.current_thread() is threading.main_thread())
        return real(task, candidate, suite)

    monkeypatch.setattr(hooks, "assemble", assemble)
    await score(judge, three_tasks, [sample(0, "    RIGHT\n" * 1_000)])
    await score(judge, three_tasks, [sample(0, "    RIGHT\n")])
    assert where == [False, True]
