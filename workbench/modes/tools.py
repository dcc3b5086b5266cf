"""An agent's tools: what each does in the sandbox, and how a model asks for it.

Every tool that runs something leases a sandbox of the judge's kind for that one execution; the files
are kept here, between. No tool can reach a held-out test: programs are made with the visible tests or
with what the model wrote.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from workbench.apart import apart
from workbench.benchmarks.task import Task
from workbench.execution.program import Candidate, Execution, Program
from workbench.generation.model import Tool, ToolCall
from workbench.modes.context import Context
from workbench.modes.feedback import Evidence, cut, judge_turn, output_of
from workbench.modes.recipe import Recipe
from workbench.modes.self_tests import case_arguments
from workbench.modes.turns import is_bare, visibly
from workbench.outcomes import Outcome
from workbench.text import encodable
from workbench.translation.typed import Case
from workbench.translation.values import zero

CODE_CHARS = 100_000
OUTPUT_CHARS = 200_000
_NO_PROGRAM = "No program can be made with that code: give it the form that you were shown"
_NEVER = {"workbench": "no value is this"}
_ACTION = re.compile(
    r"^[ \t]*ACTION:[ \t]*(\w+)[^\n]*(?:\n\s*^(`{3,})[^\n`]*\n(.*?)^\2`*[ \t]*$)?",
    re.MULTILINE | re.DOTALL,
)
_TAKES = {"write_file": "code", "run": "code", "read_output": "start"}
"""The argument that stands in the fence of an action."""


class Workbench:
    """What one agent has before it: its file and its last output."""

    def __init__(self, context: Context, task: Task, recipe: Recipe) -> None:
        """Begin with no file."""
        self._context = context
        self._task = task
        self._recipe = recipe
        self._output = ""
        self.code = ""
        self.submitted = False

    def replay(self, call: ToolCall) -> None:
        """Do again what a call of a kept turn changed; nothing is executed."""
        arguments = _arguments(call)
        if call.name == "write_file" and isinstance(arguments.get("code"), str):
            self._write(arguments)
        elif call.name == "submit" and self.code:
            self.submitted = True

    async def use(self, call: ToolCall) -> str:
        """Do what a call asks for; what can't be done is told in a sentence."""
        allowed = self._recipe.agent.tools if self._recipe.agent else ()
        if call.name not in allowed:
            return f"There is no tool {call.name[:40]!r}: there are {', '.join(allowed)}."
        arguments = _arguments(call)
        if call.name == "write_file":
            return self._write(arguments)
        if call.name == "read_output":
            return self._read(arguments.get("start", 0))
        if not self.code:
            return "There is no code yet: write_file first."
        if call.name == "submit":
            self.submitted = True
            return "Submitted."
        said = await self._executed(call.name, arguments)
        self._output = said[:OUTPUT_CHARS]
        shown = cut(said, self._recipe.feedback_chars)
        return shown if shown == said else f"{shown}\n(read_output shows the rest)"

    def _write(self, arguments: Mapping[str, Any]) -> str:
        code = arguments.get("code")
        if not isinstance(code, str) or not code.strip():
            return "write_file needs `code`: the whole program text."
        if len(code) > CODE_CHARS:
            return f"That is more than {CODE_CHARS} characters: nothing was written."
        self.code = writable(code)
        return f"Written: {len(code.splitlines())} lines."

    def _read(self, start: object) -> str:
        try:
            first = max(0, int(str(start)))
        except ValueError:
            return "read_output needs `start`: a whole number."
        part = self._output[first : first + self._recipe.feedback_chars]
        return part or f"There is no output from character {first} on."

    async def _executed(self, name: str, arguments: Mapping[str, Any]) -> str:
        task = visibly(self._task)
        if name == "run":
            return await self._run(arguments)
        if task is None:
            return "This task has no visible tests, and nothing to compile the code with."
        visible = await self._execute(await self._program(task))
        if name == "compile":
            if visible.outcome is not Outcome.COMPILE_ERROR:
                return "It compiles."
        elif is_bare(self._task):
            return "This task has no visible tests."
        told = replace(
            self._recipe,
            feedback=("verdict", "compiler", "runtime", "visible-tests"),
            stop="visible",
            feedback_chars=OUTPUT_CHARS,
        )
        said = judge_turn(told, visible, code=True, evidence=Evidence(bare=is_bare(self._task)))
        if said.accepted:
            return "The visible tests pass."
        return "\n".join(f"{part.title}\n{part.text}".strip() for part in said.parts)

    async def _run(self, arguments: Mapping[str, Any]) -> str:
        typed = self._task.typed
        try:
            program = await self._own_program(arguments)
        except ValueError as error:  # what the model wrote fits nowhere
            return f"{error}."
        ran = await self._execute(program)
        said = [f"Outcome: {_word(ran, typed is not None)}."]
        if ran.case is not None and ran.case.actual:
            said.append(f"{ran.case.shown} returned {ran.case.actual}")
        if ran.outcome is Outcome.COMPILE_ERROR:
            told = replace(self._recipe, feedback=("compiler",), stop="visible")
            said += [part.text for part in judge_turn(told, ran, code=True).parts]
        return "\n".join([*said, output_of(ran, OUTPUT_CHARS)]).strip()

    async def _own_program(self, arguments: Mapping[str, Any]) -> Program:
        """The program of what the model wants to see run.

        Raises:
            ValueError: none can be made with what it gave; a sentence without its stop.
        """
        typed = self._task.typed
        if typed is None:
            code = arguments.get("code")
            if not isinstance(code, str) or not code.strip():
                raise ValueError("run needs `code`: what stands in the place of the tests")
            asked = replace(self._task, visible_test=writable(code[:CODE_CHARS]))
            try:
                return await self._program(asked)
            except ValueError as error:
                raise ValueError(f"{_NO_PROGRAM} ({error})") from error
        given = case_arguments(typed, _values(arguments.get("arguments", arguments.get("code"))))
        if given is None:
            raise ValueError("run needs `arguments`: a JSON list of values that fit the parameters")
        case = Case(given, zero(typed.signature.result))
        asked = replace(self._task, typed=replace(typed, visible=(case,), held_out=()))
        program = await self._program(asked)
        # No value equals this, so that what the call returned is always told.
        cases = tuple(replace(c, expected=_NEVER, kind="exact") for c in program.cases or ())
        return replace(program, cases=cases)

    async def _program(self, task: Task) -> Program:
        candidate = Candidate(self.code, "full")
        assemble = self._context.language.assembly.assemble
        return await apart(self.code, lambda: assemble(task, candidate, "visible"))

    async def _execute(self, program: Program) -> Execution:
        execution = await self._context.execute(program, "tool")
        if execution.outcome is Outcome.SANDBOX_ERROR:
            raise ToolLost(execution.detail)
        return execution


def writable(code: str) -> str:
    """Code as a file can hold it: an escape in the JSON of a call can make what none can."""
    return encodable(code).replace("\0", "\ufffd")


class ToolLost(Exception):
    """The machine lost a tool's execution: the episode is lost with it."""


def _word(ran: Execution, typed: bool) -> str:
    if ran.outcome is Outcome.PASSED or (typed and ran.case is not None and ran.case.actual):
        return "it ran to its end"
    if ran.outcome is Outcome.WRONG_ANSWER:
        return "an assertion failed"
    return ran.outcome.value.replace("_", " ")


def _arguments(call: ToolCall) -> Mapping[str, Any]:
    try:
        found: object = json.loads(call.arguments or "{}")
    except (ValueError, RecursionError):
        return {}
    return cast("Mapping[str, Any]", found) if isinstance(found, dict) else {}


def _values(given: object) -> object:
    """A list of values, also where it came as JSON text."""
    if not isinstance(given, str):
        return given
    try:
        return json.loads(given)
    except (ValueError, RecursionError):
        return None


def offered(recipe: Recipe, task: Task) -> tuple[Tool, ...]:
    """The tools as a provider is told of them; none in the text form."""
    agent = recipe.agent
    if agent is None or agent.calls == "text":
        return ()
    typed = task.typed is not None
    text: dict[str, Any] = {"type": "string"}
    own = {"arguments": {"type": "array", "items": {}}} if typed else {"code": text}
    described = {
        "write_file": ("Write the solution, whole.", {"code": text}),
        "compile": ("Compile the solution.", {}),
        "run": (
            "Call the function with these arguments and show what it returns and prints."
            if typed
            else "Run code of your own in the place of the tests and show what it prints.",
            own,
        ),
        "run_visible_tests": ("Run the examples of the description.", {}),
        "read_output": ("Show the last output from a character on.", {"start": {"type": "integer"}}),
        "submit": ("Hand in the solution and end.", {}),
    }  # fmt: skip
    return tuple(
        Tool(name, said, json.dumps({"type": "object", "properties": p, "required": list(p)}))
        for name, (said, p) in described.items()
        if name in agent.tools
    )


def written_calls(text: str) -> tuple[ToolCall, ...]:
    """The actions written in an answer, for models without tool calls: `ACTION: name`, and what it
    takes in a fenced block behind it."""
    found: list[ToolCall] = []
    for number, match in enumerate(_ACTION.finditer(text)):
        name, block = match[1], match[3]
        body = {} if block is None else {_TAKES.get(name, "code"): block}
        found.append(ToolCall(f"action-{number}", name, json.dumps(body)))
    return tuple(found[:32])
