"""The closed set of outcomes and flags: every count, filter, strip and legend is made from it."""

from __future__ import annotations

from enum import StrEnum


class Outcome(StrEnum):
    """What came of one program put before one set of tests, in the order used everywhere."""

    PASSED = "passed"
    WRONG_ANSWER = "wrong_answer"
    RUNTIME_ERROR = "runtime_error"
    COMPILE_ERROR = "compile_error"
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "out_of_memory"
    OUTPUT_LIMIT = "output_limit"
    NO_CODE = "no_code"
    REFUSED = "refused"
    GENERATION_FAILED = "generation_failed"
    SANDBOX_ERROR = "sandbox_error"

    @property
    def scored(self) -> bool:
        """Whether it counts for or against the model; the others are infrastructure losses."""
        return self not in (Outcome.GENERATION_FAILED, Outcome.SANDBOX_ERROR)


class Flag(StrEnum):
    """What stands beside an outcome and never changes it."""

    TRUNCATED = "truncated"
    """The answer hit the token limit; it is executed all the same."""
    SUSPECT = "suspect"
    """A known trick is in the text."""
    NEAR_LIMIT = "near_limit"
    """CPU time, wall time or memory came within 20 % of its limit."""
    DUPLICATE = "duplicate"
    """The same program was executed already; that execution was taken."""
    UNSTABLE = "unstable"
    """Executed several times, it didn't come to the same outcome each time."""
