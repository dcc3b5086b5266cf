"""Turns: bounded, fair between languages, told to those that wait, and alone when asked."""

from __future__ import annotations

import asyncio

import pytest

from workbench.execution import schedule as module
from workbench.execution.schedule import Schedule


class _Run:
    """Programs that take turns; `order` is who began when."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule
        self.order: list[str] = []
        self.said: list[str] = []
        self.running = self.most = 0

    async def turn(self, language: str, alone: bool = False, ticks: int = 1) -> None:
        async with self.schedule.turn(language, self.said.append, alone=alone):
            self.running += 1
            self.most = max(self.most, self.running)
            self.order.append(language + ("!" if alone else ""))
            assert not alone or self.running == 1
            for _ in range(ticks):
                await asyncio.sleep(0)
            self.running -= 1


async def test_no_more_run_than_there_are_places_and_all_get_their_turn() -> None:
    run = _Run(Schedule(places=2, slots=2))
    await asyncio.gather(*(run.turn("java") for _ in range(10)), *(run.turn("go") for _ in "abc"))
    assert run.most == 2
    assert len(run.order) == 13
    assert all(c.busy == 0 and c.queued == 0 for c in run.schedule.counts().values())


async def test_a_long_queue_of_one_language_keeps_no_other_waiting() -> None:
    run = _Run(Schedule(places=1, slots=1))
    await asyncio.gather(*(run.turn("java") for _ in range(50)), run.turn("go"), run.turn("go"))
    assert [i for i, name in enumerate(run.order) if name == "go"][-1] <= 4


async def test_those_that_wait_hear_why_in_the_words_of_the_screen() -> None:
    run = _Run(Schedule(places=4, slots=2))
    async with asyncio.TaskGroup() as group:
        for _ in range(5):
            group.create_task(run.turn("java", ticks=5))
        await asyncio.sleep(0)
        counts = run.schedule.counts()["java"]
        assert (counts.slots, counts.busy, counts.queued) == (2, 2, 3)
        assert run.said[0] == "queued for a java slot: 2 of 2 busy, 0 ahead"
        assert run.said[2] == "queued for a java slot: 2 of 2 busy, 2 ahead"
        await asyncio.sleep(0)
        run.schedule.remind()
    assert "queued for a slot" not in "".join(run.said)


async def test_a_full_machine_is_told_apart_from_a_full_language() -> None:
    run = _Run(Schedule(places=1, slots=2))
    await asyncio.gather(run.turn("java"), run.turn("go"))
    assert run.said == ["queued for a slot: 1 of 1 busy, 0 ahead"]


async def test_slots_can_be_added_and_taken_while_it_runs() -> None:
    run = _Run(Schedule(places=1, slots=1))
    async with asyncio.TaskGroup() as group:
        for _ in range(12):
            group.create_task(run.turn("java", ticks=4))
        await asyncio.sleep(0)
        run.schedule.set_slots("java", 3)
        for _ in range(4):
            await asyncio.sleep(0)
        assert run.most == 3
        run.schedule.set_slots("java", 1)
        run.most = 0
        await asyncio.sleep(0)
    assert run.schedule.counts()["java"].slots == 1
    assert len(run.order) == 12


async def test_who_must_run_alone_runs_alone_when_the_queues_are_empty() -> None:
    run = _Run(Schedule(places=2, slots=2))
    await asyncio.gather(
        run.turn("go", alone=True, ticks=3),
        *(run.turn("java") for _ in range(6)),
        run.turn("java", alone=True),
    )
    assert sorted(run.order[-1:]) == ["java!"] or run.order[0] == "go!"
    assert len(run.order) == 8


async def test_who_waited_long_to_run_alone_goes_before_the_queue(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "PATIENCE_S", 0.0)
    run = _Run(Schedule(places=2, slots=2))
    await asyncio.gather(
        *(run.turn("java") for _ in range(6)),
        run.turn("go", alone=True),
        *(run.turn("java") for _ in range(6)),
    )
    assert run.order.index("go!") <= 3


async def test_whoever_gives_up_leaves_no_turn_behind() -> None:
    schedule = Schedule(places=1, slots=1)
    run = _Run(schedule)
    for alone in (False, True):
        first = asyncio.create_task(run.turn("java", ticks=3))
        waiting = [asyncio.create_task(run.turn("java", alone=alone)) for _ in range(3)]
        await asyncio.sleep(0)
        for task in waiting[:2]:
            task.cancel()
        first.cancel()
        await asyncio.gather(first, *waiting, return_exceptions=True)
        assert schedule.counts()["java"].busy == 0
    run.running = 0
    await run.turn("java")
    await run.turn("java", alone=True)
