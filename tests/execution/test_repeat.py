"""Judging several times: the first counts, what isn't stable is named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from workbench.execution.program import Execution, Program, SourceFile, read_execution
from workbench.execution.repeat import Repeated
from workbench.outcomes import Flag, Outcome

PROGRAM = Program("python", (SourceFile("main.py", ("",)),))


class Wavering:
    """Gives the outcomes it is made with, one after the other."""

    sandbox = "wavering"

    def __init__(self, outcomes: Sequence[Outcome]) -> None:
        self._left = list(outcomes)

    async def execute(self, program: Program, **_: Any) -> Execution:
        outcome = self._left.pop(0)
        return Execution(outcome, f"detail of {outcome}", queued_s=1.0)


@pytest.mark.parametrize(
    ("outcomes", "counted", "unstable"),
    [
        ("passed passed passed", "passed", False),
        ("passed wrong_answer passed", "passed", True),
        ("timeout passed passed", "timeout", True),
        ("sandbox_error passed passed", "passed", False),
        ("passed sandbox_error passed", "passed", False),
        ("sandbox_error sandbox_error sandbox_error", "sandbox_error", False),
    ],
)
async def test_the_first_execution_counts(outcomes: str, counted: str, unstable: bool) -> None:
    each = [Outcome(word) for word in outcomes.split()]
    judge = Repeated(Wavering(each), 3)  # type: ignore[arg-type]
    found = await judge.execute(PROGRAM)
    assert found.outcome == counted
    assert found.detail == f"detail of {counted}"
    assert found.outcomes == tuple(each)
    assert (Flag.UNSTABLE in found.flags) is unstable
    assert found.queued_s == 3.0


def test_what_was_stored_before_reads_without_outcomes() -> None:
    stored = {"outcome": "passed", "detail": "", "steps": [], "flags": [], "case": None}
    assert read_execution(stored) == Execution(Outcome.PASSED, "")
    again = {**stored, "outcomes": ["passed", "timeout"]}
    assert read_execution(again) == replace(
        Execution(Outcome.PASSED, ""), outcomes=("passed", "timeout")
    )
