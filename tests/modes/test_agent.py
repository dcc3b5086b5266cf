"""Agent mode: what the tools do and tell, when it ends, what is judged, what a resume repeats."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from tests.modes.scripted import FIRST, TASK, Kept, Scripted
from workbench.errors import GenerationFailed
from workbench.generation.model import Completion, Request, ToolCall
from workbench.modes.recipe import Recipe
from workbench.modes.recipe_file import load_recipe
from workbench.modes.result import UnitEnd
from workbench.modes.run import run_recipe
from workbench.modes.tools import written_calls
from workbench.outcomes import Outcome

Calls = list[tuple[str, dict[str, Any]]]


@dataclass
class Agentic(Scripted):
    """A model that calls tools, a list of calls a turn."""

    plan: list[Calls | str | None] = field(default_factory=list[Any])

    async def generate(self, request: Request, turn: int) -> Completion:
        self.requests.append(request)
        wanted = self.plan[turn - 1]
        if wanted is None:
            raise GenerationFailed("429 eight times")
        if isinstance(wanted, str):
            return Completion(wanted, "stop", "scripted", self.usage, self.cost_usd)
        calls = tuple(
            ToolCall(f"c{turn}-{i}", name, json.dumps(arguments))
            for i, (name, arguments) in enumerate(wanted)
        )
        return Completion("", "tool_calls", "scripted", self.usage, self.cost_usd, tool_calls=calls)


def agent(*turns: Calls | str | None) -> Agentic:
    return Agentic([], plan=list(turns))


async def run(context: Agentic, stored: list[Kept] | None = None, name: str = "agent") -> UnitEnd:
    return await run_recipe(context, TASK, load_recipe(name), FIRST, stored or [])


def write(code: str) -> tuple[str, dict[str, Any]]:
    return "write_file", {"code": code}


TESTS: tuple[str, dict[str, Any]] = ("run_visible_tests", {})
SUBMIT: tuple[str, dict[str, Any]] = ("submit", {})


def answers(context: Agentic, turn: int) -> list[str]:
    """What the tools of a turn said, as the next request has it."""
    messages = context.requests[turn].messages
    return [m.content for m in messages if m.tool_call_id.startswith(f"c{turn}-")]


async def test_it_writes_tests_mends_and_submits() -> None:
    context = agent([write("wrong"), TESTS], [write("good"), TESTS], [SUBMIT])
    end = await run(context)
    assert (end.outcome, end.solved_turn) == (Outcome.PASSED, 2)
    assert answers(context, 1)[0] == "Written: 1 lines."
    assert "add(1, 2)\nexpected: 3\ngot:      4" in answers(context, 1)[1]
    assert answers(context, 2)[1] == "The visible tests pass."
    assert [k.accepted for k in context.kept.values()] == [False, False, True]


async def test_a_program_is_judged_once_however_many_turns_it_stands() -> None:
    context = agent([write("good")], [TESTS], [TESTS], [SUBMIT])
    end = await run(context)
    assert [p for p, _ in context.executed] == ["scored", "tool", "tool"]
    assert end.solved_turn == 1
    assert [k.scored["outcome"] for k in context.kept.values() if k.scored] == ["passed"] * 4


async def test_what_isn_t_submitted_is_judged_as_it_stands() -> None:
    context = agent(*[[write(f"wrong {n}")] for n in range(12)])
    end = await run(context)
    assert (end.outcome, len(context.requests)) == (Outcome.WRONG_ANSWER, 12)


async def test_no_held_out_test_is_in_a_program_that_a_tool_runs() -> None:
    context = agent([write("sneaky"), TESTS, ("compile", {}), ("run", {"code": "x"})], [SUBMIT])
    end = await run(context)
    tools = [text for purpose, text in context.executed if purpose == "tool"]
    assert len(tools) == 3
    assert not any("HELD_OUT" in text for text in tools)
    assert "HELD_OUT" not in str(context.requests)
    assert end.outcome is Outcome.WRONG_ANSWER


async def test_nonsense_is_told_in_a_sentence() -> None:
    context = agent(
        [SUBMIT, ("write_file", {"text": 1}), ("fly", {}), ("read_output", {"start": "x"})],
        "I think it is done.",
        [write("good"), ("run", {}), SUBMIT],
    )
    end = await run(context)
    said = answers(context, 1)
    assert said[0] == "There is no code yet: write_file first."
    assert "write_file needs `code`" in said[1]
    assert "There is no tool 'fly': there are write_file" in said[2]
    assert "a whole number" in said[3]
    assert "no tool call" in context.requests[2].messages[-1].content
    assert end.solved_turn == 3


async def test_code_that_no_file_can_hold_is_written_as_near_as_can_be() -> None:
    context = agent([write("good\ud800\0")], [SUBMIT])
    await run(context)
    assert context.kept[1].code == "good\ufffd\ufffd"


async def test_nothing_written_is_no_code() -> None:
    assert (await run(agent(*["Hm."] * 12))).outcome is Outcome.NO_CODE


async def test_a_budget_ends_it() -> None:
    context = agent(*[[write("wrong")] for _ in range(12)])
    recipe = load_recipe("agent")
    small = replace(recipe, budget=replace(recipe.budget, tokens=100))
    await run_recipe(context, TASK, small, FIRST, [])
    assert [r.sampling.max_tokens for r in context.requests] == [100, 60, 20]


async def test_long_output_is_read_in_parts() -> None:
    recipe = replace(load_recipe("agent"), feedback_chars=100)
    context = agent([write("crash"), TESTS, ("read_output", {"start": 90})], [SUBMIT])
    from tests.modes.scripted import ran

    context.judge = lambda code, purpose: ran(Outcome.RUNTIME_ERROR, "y" * 150 + "the end")
    await run_recipe(context, TASK, recipe, FIRST, [])
    said = answers(context, 1)
    assert "read_output shows the rest" in said[1]
    assert said[2].startswith("y") or "y" in said[2]
    assert len(said[2]) == 100


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("judged", [True, False])
async def test_any_break_gives_the_same_requests_and_end(turns: int, judged: bool) -> None:
    plan: list[Calls | str | None] = [[write("wrong"), TESTS], [write("good"), TESTS], [SUBMIT]]
    whole = agent(*plan)
    end = await run(whole)
    stored = [whole.kept[n] for n in range(1, turns + 1)]
    if stored and not judged:
        last = stored[-1]
        stored[-1] = Kept(last.turn, last.raw, last.completion, last.feedback, last.request)
    rest = agent(*plan)
    assert await run(rest, stored) == end
    assert rest.requests == whole.requests[turns:]


async def test_a_lost_answer_loses_the_episode() -> None:
    end = await run(agent([write("good")], None))
    assert (end.outcome, end.detail) == (Outcome.GENERATION_FAILED, "turn 2: 429 eight times")


class TestTextForm:
    async def test_actions_in_the_answer_do_the_same(self) -> None:
        context = agent(
            "Let me see.\nACTION: write_file\n```python\nwrong\n```\nACTION: run_visible_tests\n",
            "ACTION: write_file\n```\ngood\n```\nACTION: submit",
        )
        end = await run(context, name="agent-text")
        assert (end.outcome, end.solved_turn) == (Outcome.PASSED, 2)
        assert context.requests[0].tools == ()
        assert "expected: 3" in context.requests[1].messages[-1].content
        assert context.requests[1].messages[-1].role == "user"

    async def test_an_answer_without_an_action_is_told_how_one_looks(self) -> None:
        context = agent(
            "```python\ngood\n```", "ACTION: write_file\n```\ngood\n```\nACTION: submit"
        )
        end = await run(context, name="agent-text")
        assert "begins with `ACTION:`" in context.requests[1].messages[-1].content
        assert end.solved_turn == 2

    def test_an_action_takes_only_the_fence_behind_it(self) -> None:
        found = written_calls(
            "ACTION: compile\nwords\n```\nno\n```\nACTION: run\n\n```\n[1]\n```\n"
        )
        assert [(c.name, json.loads(c.arguments)) for c in found] == [
            ("compile", {}),
            ("run", {"code": "[1]\n"}),
        ]


def test_its_label_is_an_agent_s() -> None:
    recipe: Recipe = load_recipe("agent")
    assert recipe.mode == "repair[agent; full; stop=model; submit=last; ≤12; tokens≤12000]"
    assert load_recipe("agent-text").sha256 != recipe.sha256
