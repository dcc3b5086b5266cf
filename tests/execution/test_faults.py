"""How long faults of the machine's side are forgiven."""

from __future__ import annotations

from workbench.execution.faults import (
    DEATHS,
    FAILURES,
    LOST,
    PAUSES_S,
    START_PATIENCE_S,
    Fault,
    Faults,
)

DEADLINE_S = 60.0


def met(kind: Fault, seconds_each: float) -> tuple[int, float]:
    """How many faults of one kind end it, and how long that took."""
    faults, now = Faults(DEADLINE_S), 0.0
    while True:
        pause = faults.pause(kind, now, now + seconds_each)
        now += seconds_each + (pause or 0)
        if pause is None:
            return faults.count, now
        assert PAUSES_S[0] <= pause <= PAUSES_S[-1]


def test_sandboxes_that_end_at_once_are_replaced_a_few_times() -> None:
    count, took = met(Fault.DEATH, 0.5)
    assert count == DEATHS + 1
    assert took < 15


def test_sandboxes_that_never_answer_cost_a_few_deadlines_at_most() -> None:
    count, took = met(Fault.DEATH, DEADLINE_S)
    assert count == LOST + 1
    assert took <= (LOST + 1) * (DEADLINE_S + PAUSES_S[-1])


def test_a_supervisor_that_fails_is_asked_twice_more() -> None:
    assert met(Fault.FAILURE, 0.1)[0] == FAILURES + 1


def test_an_engine_that_restarts_is_waited_for() -> None:
    _, took = met(Fault.NO_START, 0.01)
    assert START_PATIENCE_S <= took < START_PATIENCE_S + 5


def test_a_start_that_works_begins_the_patience_anew() -> None:
    faults = Faults(DEADLINE_S)
    assert faults.pause(Fault.NO_START, 0, START_PATIENCE_S - 1) is not None
    assert faults.pause(Fault.DEATH, START_PATIENCE_S, START_PATIENCE_S + 1) is not None
    late = START_PATIENCE_S + 10
    assert faults.pause(Fault.NO_START, late, late + 1) is not None
