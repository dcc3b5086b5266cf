"""First answers are shared between modes, and forgotten once every mode has its own."""

from __future__ import annotations

import asyncio

from workbench.generation.model import Completion
from workbench.session.firsts import FirstAnswers

ANSWER = Completion("text", "stop", "model")


async def test_who_asks_first_pays_and_the_others_wait() -> None:
    firsts = FirstAnswers(3)
    assert await firsts.claim("key") is None
    waiting = [asyncio.create_task(firsts.claim("key")) for _ in range(2)]
    await asyncio.sleep(0)
    assert not any(task.done() for task in waiting)
    firsts.settle("key", ANSWER)
    assert [await task for task in waiting] == [ANSWER, ANSWER]


async def test_an_answer_is_forgotten_when_every_mode_has_it() -> None:
    firsts = FirstAnswers(2)
    assert await firsts.claim("key") is None
    firsts.settle("key", ANSWER)
    assert await firsts.claim("key") == ANSWER
    assert await firsts.claim("key") is None  # nothing is held of it any more

    alone = FirstAnswers(1)
    assert await alone.claim("key") is None
    alone.settle("key", ANSWER)
    assert await alone.claim("key") is None


async def test_who_waited_takes_no_later_claim_away() -> None:
    firsts = FirstAnswers(1)
    assert await firsts.claim("key") is None
    late = asyncio.create_task(firsts.claim("key"))
    await asyncio.sleep(0)
    firsts.settle("key", ANSWER)
    assert await firsts.claim("key") is None
    third = asyncio.create_task(firsts.claim("key"))
    assert await late == ANSWER
    firsts.settle("key", ANSWER)
    assert await asyncio.wait_for(third, 1) == ANSWER
