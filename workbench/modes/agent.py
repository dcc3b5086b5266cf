"""Agent mode: the model works with tools until it hands in; a turn is one message of it.

After each turn the program as it stands is judged by the scored tests in a fresh sandbox, unseen by
the model: `solved@≤t` is what would be handed in when it is cut after t turns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from workbench.benchmarks.task import Task
from workbench.errors import GenerationFailed
from workbench.execution.program import Candidate, Execution, Program, read_execution
from workbench.generation.extracted import Extraction, ExtractionStep
from workbench.generation.model import Completion, Message, Request, ToolCall
from workbench.modes.context import Context
from workbench.modes.episode import Taken, lost
from workbench.modes.recipe import Recipe
from workbench.modes.repair import ended
from workbench.modes.result import UnitEnd, unanswered
from workbench.modes.self_tests import fence_for, form_of
from workbench.modes.spent import Spent, of_completion, of_stored
from workbench.modes.stored import StoredTurn
from workbench.modes.tools import ToolLost, Workbench, offered, written_calls
from workbench.modes.turns import Turn, score, stored_completion
from workbench.outcomes import Flag, Outcome

_NO_CALL = {
    "native": "There was no tool call in that answer. Use a tool, or submit.",
    "text": "There was no line that begins with `ACTION:` in that answer, so nothing was done. "
    "Write one, such as `ACTION: write_file` with the whole code in a fenced block behind it.",
}


async def run_agent(
    context: Context,
    task: Task,
    recipe: Recipe,
    first: Request,
    stored: Sequence[StoredTurn],
) -> UnitEnd:
    """Bring one agent's episode to its outcome; stored answers and outcomes are taken as they are."""
    kept = {s.turn: s for s in stored}
    bench = Workbench(context, task, recipe)
    request = opening(context, task, recipe, first)
    taken: list[Taken] = []
    spent, feedback = Spent(), ""
    for number in range(1, recipe.max_turns + 1):
        old = kept.get(number)
        if old is None and spent.exhausts(recipe.budget):
            break
        try:
            if old is None:
                limit = spent.within(recipe.budget, request.sampling)
                request = replace(request, sampling=replace(request.sampling, max_tokens=limit))
                completion = await context.generate(request, number)
                await context.store_completion(number, request, feedback, completion)
                spent += of_completion(completion)
                calls = completion.tool_calls
            else:
                # As it was sent: an execution told again might be worded otherwise.
                request = replace(request, messages=_messages(old.request))
                completion = stored_completion(old.raw, old.completion)
                spent += of_stored(old.completion)
                calls = tuple(ToolCall(**c) for c in old.completion.get("tool_calls", ()))
            if recipe.agent is not None and recipe.agent.calls == "text":
                calls = written_calls(completion.text)
            if number + 1 in kept:
                for call in calls:
                    bench.replay(call)
                results: list[str] = []
            else:
                results = [await bench.use(call) for call in calls if not bench.submitted]
        except GenerationFailed as error:
            return unanswered(error, number)
        except ToolLost as error:
            return UnitEnd(Outcome.SANDBOX_ERROR, f"turn {number}: {error}", ())
        taken.append(await _judged(context, task, bench, request, completion, taken, old))
        why = lost(taken[-1])
        if why is not None:
            return UnitEnd(Outcome.SANDBOX_ERROR, f"turn {number}: {why}", ())
        if bench.submitted:
            break
        request, feedback = _next(recipe, request, completion, calls, results, number + 1)
    return ended(recipe, taken)


def opening(context: Context, task: Task, recipe: Recipe, first: Request) -> Request:
    """The first request: the task as plain mode puts it, then what the model may do."""
    agent, language = recipe.agent, context.language
    form = form_of(task)
    text = recipe.templates["agent"].render(
        task=first.messages[-1].content,
        language=language.name,
        tools=agent.tools if agent else (),
        calls=agent.calls if agent else "native",
        turns=recipe.max_turns,
        typed=task.typed is not None,
        form=form,
        tag=language.fence_tags[0] if language.fence_tags else language.id,
        fence=fence_for(form),
        entry_point=task.entry_point,
    )
    messages = (*first.messages[:-1], Message("user", text))
    return replace(first, messages=messages, tools=offered(recipe, task))


def _next(
    recipe: Recipe,
    request: Request,
    completion: Completion,
    calls: Sequence[ToolCall],
    results: Sequence[str],
    number: int,
) -> tuple[Request, str]:
    """The next request, and what is new in it."""
    form = recipe.agent.calls if recipe.agent else "native"
    feedback = "\n\n".join(results) or _NO_CALL[form]
    native = bool(request.tools) and bool(calls)
    said = Message("assistant", completion.text, tuple(calls) if native else ())
    answers = (
        tuple(Message("tool", r, (), c.id) for c, r in zip(calls, results, strict=False))
        if native
        else (Message("user", feedback),)
    )
    key = f"{request.key.rpartition('/')[0]}/{number}"
    sampling = recipe.later(request.sampling)
    messages = (*request.messages, said, *answers)
    return replace(request, messages=messages, sampling=sampling, key=key), feedback


def _messages(request: Mapping[str, Any]) -> tuple[Message, ...]:
    return tuple(
        Message(
            m["role"],
            m["content"],
            tuple(ToolCall(**call) for call in m.get("tool_calls", ())),
            m.get("tool_call_id", ""),
        )
        for m in request["messages"]
    )


async def _judged(
    context: Context,
    task: Task,
    bench: Workbench,
    request: Request,
    completion: Completion,
    taken: Sequence[Taken],
    old: StoredTurn | None,
) -> Taken:
    """Judge the program as it stands after a turn; one that didn't change has its outcome already."""
    number, code = len(taken) + 1, bench.code
    if old is not None and old.scored is not None:
        turn = Turn(completion.text, code, None, read_execution(old.scored), old.flags)
        return Taken(number, turn, bench.submitted, request)
    program: Program | None = None
    before = taken[-1].turn if taken else None
    flags: tuple[str, ...] = (Flag.TRUNCATED.value,) if completion.truncated else ()
    if not code:
        scored = Execution(Outcome.NO_CODE, "the agent has written no file")
    elif before is not None and before.code == code:
        scored, flags = before.scored, before.flags
    else:
        scored, program, flags = await score(context, task, Candidate(code, "full"), completion)
    candidate = Candidate(code, "full") if code else None
    steps = (ExtractionStep("agent.file", "the file that the agent wrote"),)
    await context.store_outcome(
        number,
        Extraction(candidate, steps, extractor="agent/1"),
        program,
        None,
        scored,
        flags,
        bench.submitted,
    )
    return Taken(number, Turn(completion.text, code, None, scored, flags), bench.submitted, request)
