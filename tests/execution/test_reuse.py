"""Identical programs: executed once, unless what came of it may be another thing next time."""

from __future__ import annotations

import asyncio

import pytest

from workbench.execution.program import Execution
from workbench.execution.reuse import KEPT, Reuse
from workbench.outcomes import Outcome


class _Judge:
    """Counts how often it is asked."""

    def __init__(self, outcome: Outcome = Outcome.PASSED) -> None:
        self.outcome = outcome
        self.asked = 0

    async def __call__(self) -> Execution:
        self.asked += 1
        await asyncio.sleep(0)
        return Execution(self.outcome, "", queued_s=3.0)


async def test_an_identical_program_is_executed_once_and_says_so() -> None:
    reuse, judge = Reuse(), _Judge()
    found = await asyncio.gather(*(reuse.get("a", judge) for _ in range(5)))
    found.append(await reuse.get("a", judge))
    assert judge.asked == 1
    assert sum("duplicate" in e.flags for e in found) == 5
    assert {e.outcome for e in found} == {Outcome.PASSED}
    assert found[-1].queued_s == 0
    await reuse.get("b", judge)
    assert judge.asked == 2


@pytest.mark.parametrize("outcome", [Outcome.TIMEOUT, Outcome.SANDBOX_ERROR])
async def test_timeouts_and_faults_are_never_taken_over(outcome: Outcome) -> None:
    reuse, judge = Reuse(), _Judge(outcome)
    found = await asyncio.gather(*(reuse.get("a", judge) for _ in range(3)))
    assert judge.asked == 3
    assert all(e.flags == () for e in found)


async def test_when_the_first_is_cancelled_the_next_runs_itself() -> None:
    reuse, judge = Reuse(), _Judge()
    first = asyncio.create_task(reuse.get("a", judge))
    second = asyncio.create_task(reuse.get("a", judge))
    await asyncio.sleep(0)
    first.cancel()
    assert (await second).outcome is Outcome.PASSED
    assert judge.asked == 2


async def test_only_so_many_are_remembered() -> None:
    reuse, judge = Reuse(), _Judge()
    for number in range(KEPT + 1):
        await reuse.get(str(number), judge)
    await reuse.get("1", judge)
    assert judge.asked == KEPT + 1
    await reuse.get("0", judge)
    assert judge.asked == KEPT + 2
