"""Programs into requests, answers into executions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from workbench.execution.diagnosis import Patterns, diagnose
from workbench.execution.program import (
    CaseReport,
    Clip,
    Execution,
    Limits,
    Program,
    StepReport,
)
from workbench.languages import Language, StepSpec
from workbench.outcomes import Flag, Outcome

NEAR = 0.8
"""From this share of a limit on an execution is flagged `near_limit`."""
SPARE_S = 30.0
"""What an answer may take beyond the wall limits of its steps: killing, wiping, transport."""


def effective_limits(
    language: Language, replaced: Mapping[str, Limits] | None
) -> dict[str, tuple[StepSpec, Limits]]:
    """Each step of a language with the limits that hold, in the order they run."""
    steps = {"compile": language.compile, "run": language.run}
    chosen = replaced or {}
    return {n: (s, chosen.get(n, s.limits)) for n, s in steps.items() if s is not None}


def expand(argv: Sequence[str], options: Mapping[str, Sequence[str]]) -> list[str]:
    """Replace each word `{name}` by the words of that option, by none when there is no such."""
    words: list[str] = []
    for word in argv:
        if word.startswith("{") and word.endswith("}"):
            words.extend(options.get(word[1:-1], ()))
        else:
            words.append(word)
    return words


def step_request(
    name: str, argv: Sequence[str], env: Mapping[str, str], limits: Limits, address_space: bool
) -> dict[str, Any]:
    """One step as the supervisor takes it."""
    table = {**asdict(limits), "address_space": address_space}
    return {"name": name, "argv": list(argv), "env": dict(env), "limits": table}


def request(
    program: Program, language: Language, limits: Mapping[str, Limits] | None
) -> tuple[dict[str, Any], float]:
    """The request that puts a program before its tests, and the seconds its answer may take."""
    bounded = bool(language.settings.get("host", {}).get("address_space", False))
    steps: list[dict[str, Any]] = []
    deadline = SPARE_S
    for name, (spec, limit) in effective_limits(language, limits).items():
        argv = expand(spec.argv, program.options)
        steps.append(step_request(name, argv, spec.env, limit, bounded))
        deadline += limit.wall_s
    outcome = language.settings["outcome"]
    message = {
        "files": [[file.name, list(file.pieces)] for file in program.files],
        "steps": steps,
        "cases": None if program.cases is None else [asdict(case) for case in program.cases],
        "rules": {
            "wrong_answer": language.wrong_answer,
            "out_of_memory": outcome.get("out_of_memory", ""),
            "compile_error": outcome.get("compile_error", ""),
            "diagnostic": list(language.diagnostic),
        },
    }
    return message, deadline


def execution(
    answer: Mapping[str, Any],
    limits: Mapping[str, Limits],
    sandbox: str,
    queued_s: float,
    program: Program,
    language: Language,
) -> Execution:
    """An answer as an execution.

    Args:
        answer: the sandbox's, on `program`.
        limits: those that held, by step name.
        sandbox: launcher id.
        queued_s: how long it waited for a slot.
        program: what was executed.
        language: whose tools wrote what is read.
    """
    steps = tuple(_step(step) for step in answer["steps"])
    outcome = Outcome(answer["outcome"])
    flags: tuple[str, ...] = ()
    if outcome not in (Outcome.TIMEOUT, Outcome.OUT_OF_MEMORY) and any(
        step.cpu_s >= NEAR * limits[step.name].cpu_s
        or step.wall_s >= NEAR * limits[step.name].wall_s
        or step.memory_mb >= NEAR * limits[step.name].memory_mb
        for step in steps
    ):
        flags = (Flag.NEAR_LIMIT.value,)
    detail = answer["detail"]
    case = None if answer["case"] is None else CaseReport(**answer["case"])
    patterns = Patterns.of(language.settings["outcome"])
    return Execution(
        outcome=outcome,
        detail=detail,
        steps=steps,
        flags=flags,
        case=case,
        diagnostic=diagnose(outcome, detail, steps, case, program, patterns),
        cases_passed=answer["cases_passed"],
        cases_total=answer["cases_total"],
        queued_s=queued_s,
        sandbox=sandbox,
    )


def _step(step: Mapping[str, Any]) -> StepReport:
    table: dict[str, Any] = dict(step)
    table["stdout"], table["stderr"] = Clip(**step["stdout"]), Clip(**step["stderr"])
    return StepReport(**table)
