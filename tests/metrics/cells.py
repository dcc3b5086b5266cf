"""Small cells for tests: a protocol and its units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workbench.metrics.units import TurnResult, UnitResult
from workbench.protocol.fingerprint import tasks_sha256
from workbench.protocol.records import Protocol


def plain(tasks: int, n: int, *, regime: str = "sampled", **judged: Any) -> Protocol:
    """A plain cell of `tasks` tasks with n samples each."""
    sampled = regime == "sampled"
    return Protocol.model_validate(
        {
            "gen": {
                "mode": "plain",
                "prompt_style": "chat",
                "regime": regime,
                "temperature": 0.8 if sampled else None,
                "top_p": 0.95 if sampled else None,
            },
            "eval": _judged(tasks, **judged),
            "record": {"n": n, "ks": [1]},
        }
    )


def repair(
    tasks: int, m: int, *, turns: int = 3, regime: str = "sampled", **recipe: Any
) -> Protocol:
    """A repair cell of `tasks` tasks with m episodes each."""
    made = plain(tasks, m, regime=regime).model_dump()
    made["gen"] |= {
        "mode": "repair",
        "recipe": {
            "name": "repair-visible",
            "feedback": [{"name": "visible-tests"}],
            "turns": turns,
            **recipe,
        },
    }
    return Protocol.model_validate(made)


def _judged(tasks: int, **changes: Any) -> dict[str, Any]:
    return {
        "benchmark": "starter",
        "suite": "base",
        "language": "python",
        "tasks": tasks,
        "tasks_sha256": tasks_sha256(str(i) for i in range(tasks)),
        "extraction": "tree-sitter/1",
        "sandbox": "docker",
        **changes,
    }


WORDS = {"●": "passed", "W": "wrong_answer", "T": "timeout", "?": "generation_failed"}
WORDS |= {"!": "sandbox_error", "C": "compile_error"}


def samples(*rows: str) -> list[UnitResult]:
    """One string a task, one mark a sample: `●●W!`."""
    return [
        UnitResult(f"t{task}", index, WORDS[mark])
        for task, row in enumerate(rows)
        for index, mark in enumerate(row)
    ]


def episode(task: str, index: int, marks: str, *, accepted: Sequence[int] = ()) -> UnitResult:
    """One episode, one mark a turn; `accepted` names turns that the visible tests accepted."""
    turns = tuple(
        TurnResult(WORDS[mark], turn in accepted, generated_tokens=100, prompt_tokens=50)
        for turn, mark in enumerate(marks, 1)
    )
    first = min(accepted, default=len(marks))
    lost = next((WORDS[m] for m in marks if m in "?!"), None)
    return UnitResult(task, index, lost or turns[first - 1].outcome, turns)
