"""A judge that knows its answers, and tasks to put before it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

import pytest

from workbench.benchmarks.task import Task
from workbench.execution.judge import SlotCounts
from workbench.execution.program import Execution, Limits, Program
from workbench.outcomes import Outcome


class KnowingJudge:
    """Passes the programs for which `passes` holds, and remembers what it was asked."""

    sandbox = "knowing"

    def __init__(self, passes: Callable[[str], bool]) -> None:
        self.passes = passes
        self.asked: list[tuple[Program, Mapping[str, Limits] | None]] = []
        self.most_at_once = 0
        self._now = 0

    async def execute(
        self,
        program: Program,
        *,
        limits: Mapping[str, Limits] | None = None,
        on_wait: Callable[[str], None] | None = None,
    ) -> Execution:
        self.asked.append((program, limits))
        self._now += 1
        self.most_at_once = max(self.most_at_once, self._now)
        await asyncio.sleep(0)
        self._now -= 1
        text = "".join(f.text for f in program.files)
        if "LOST" in text:
            return Execution(Outcome.SANDBOX_ERROR, "the sandbox went away", sandbox=self.sandbox)
        outcome = Outcome.PASSED if self.passes(text) else Outcome.WRONG_ANSWER
        return Execution(outcome, "" if outcome is Outcome.PASSED else "no", sandbox=self.sandbox)

    def slots(self) -> Mapping[str, SlotCounts]:
        return {"python": SlotCounts(2, 0, 0)}

    async def manifest(self, language: str) -> Mapping[str, object]:
        return {"language": language}


@pytest.fixture
def judge() -> KnowingJudge:
    """A judge for which what holds `RIGHT` is right."""
    return KnowingJudge(lambda text: "RIGHT" in text)


def made_task(number: int, **changes: str) -> Task:
    return Task(
        benchmark="made",
        family="humaneval",
        id=f"HumanEval/{number}",
        problem=str(number),
        language="python",
        entry_point=f"f{number}",
        prompt=f'def f{number}(x: int) -> int:\n    """ x """\n',
        reference="    return x  # RIGHT\n",
        test="\n\ndef check(candidate):\n    assert candidate(2) == 2\n",
        **changes,
    )


@pytest.fixture
def three_tasks() -> list[Task]:
    return [made_task(n) for n in range(3)]
