"""Our own limits, on a clock that the test moves."""

from __future__ import annotations

from workbench.generation.rate import RateGate


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


async def pass_once(gate: RateGate, tokens: int = 0) -> None:
    assert gate.delay() == (0.0, "")
    await gate.enter(tokens, lambda _phrase: None)


async def test_requests_are_spaced_evenly():
    clock = Clock()
    gate = RateGate(requests_per_minute=30, clock=clock)
    await pass_once(gate)
    assert gate.delay() == (2.0, "held: own limit of 30 requests/min, 2 s")
    clock.now = 2.0
    await pass_once(gate)
    clock.now = 10.0
    await pass_once(gate)
    assert gate.delay()[0] == 2.0


async def test_tokens_are_spaced_and_settled_by_what_was_used():
    clock = Clock()
    gate = RateGate(tokens_per_minute=600, clock=clock)
    await pass_once(gate, 100)
    assert gate.delay() == (10.0, "held: own limit of 600 tokens/min, 10 s")
    gate.settle(100, 40)
    assert gate.delay()[0] == 4.0


async def test_the_longest_hold_wins():
    clock = Clock()
    gate = RateGate(requests_per_minute=60, clock=clock)
    gate.hold(12)
    gate.hold(3)
    assert gate.delay() == (12.0, "held: provider asked for 12 s")
    clock.now = 12.0
    await pass_once(gate)


async def test_without_limits_nothing_is_held():
    gate = RateGate(clock=Clock())
    for _ in range(100):
        await pass_once(gate, 10_000)
