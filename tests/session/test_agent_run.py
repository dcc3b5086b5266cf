"""Agents in sessions: a model that calls tools over HTTP, one that writes what it wants done; real programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.generation.provider import Provider, serve
from tests.session.test_sessions_run import Bench, answer, measurements, script

WRONG = "def double_it(number):\n    return number + 2\n"
RIGHT = "def double_it(number):\n    return number * 2\n"
PLAN = (
    (("write_file", {"code": WRONG}), ("run_visible_tests", {})),
    (("write_file", {"code": RIGHT}), ("run", {"arguments": [21]}), ("run_visible_tests", {})),
    (("submit", {}),),
)


def calling(body: dict[str, Any]) -> dict[str, Any]:
    """The message of a model that goes through the plan, a step a turn."""
    turn = sum(m["role"] == "assistant" for m in body["messages"])
    calls = [
        {
            "id": f"call-{turn}-{i}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)},
        }
        for i, (name, arguments) in enumerate(PLAN[turn])
    ]
    # A lone surrogate, which no later request could be sent with as it is.
    said = "Let me see.\ud800" if turn == 0 else None
    return {"role": "assistant", "content": said, "tool_calls": calls}


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture
def provider() -> Iterator[Provider]:
    with serve() as running:
        running.says = calling
        yield running


@pytest.mark.slow
def test_a_model_that_calls_tools_mends_its_program_and_pays_for_each_turn_once(
    bench: Bench, provider: Provider
) -> None:
    words = bench.run("openai/m", "--mode", "agent", "--name", "s", tasks="0")
    words += ["--api-base", provider.base, "--price", "1/1"]
    provider.plan = ["ok", "402", "ok"]
    stopped = bench(*words)
    assert stopped.returncode == 2, stopped.stdout + stopped.stderr
    with bench.reader("s") as reader:
        assert len(reader.turns(1)) == 1, "stopped in the middle of the episode"
    done = bench("resume", "s")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "repair[agent; full; stop=model; submit=last; ≤12; tokens≤12000]" in done.stdout
    with bench.reader("s") as reader:
        [unit] = reader.units()
        turns = reader.turns(unit.id)
    assert (unit.outcome, unit.solved_turn, len(turns)) == ("passed", 2, 3)
    assert unit.cost_usd == pytest.approx(3 * 15e-6), "what was paid before the stop counts"
    assert [bool(t.accepted) for t in turns] == [False, False, True]
    first, refused, second, third = provider.seen
    assert second["messages"] == refused["messages"]
    assert first["tools"][0]["function"]["name"] == "write_file"
    assert "Let me see.\ufffd" in [m["content"] for m in second["messages"]]
    results = [m for m in second["messages"] if m["role"] == "tool"]
    assert [m["tool_call_id"] for m in results] == ["call-0-0", "call-0-1"]
    assert results[0]["content"] == "Written: 2 lines."
    assert "expected" in results[1]["content"]
    said = [m["content"] for m in third["messages"] if m["role"] == "tool"][2:]
    assert "42" in said[1]
    assert said[2] == "The visible tests pass."
    report = bench("report", "s", "--json")
    found = measurements(report)
    assert found["repair", "solved@≤1"]["value"] == 0
    assert found["repair", "solved@≤12"]["value"] == 1
    assert "slv≤12  slv≤8  slv≤4  slv≤2  slv≤1  any≤12*" in done.stdout
    said = "fix-rate@3 … fix-rate@12: not estimable: no unsolved episode (python)"
    assert done.stdout.count("not estimable") == 1
    assert said in done.stdout
    methods = json.loads(report.stdout)["methods"]
    assert "works with tools (write_file, compile" in methods
    assert "The agent's file was run" in methods
    assert not any("pass@" in metric for _, metric in found)


CPP_WRONG = "long long double_it(long long number) {\n    return numbr * 2;\n}\n"
CPP_RIGHT = "long long double_it(long long number) {\n    return number * 2;\n}\n"


@pytest.mark.docker
@pytest.mark.slow
def test_an_agent_reads_the_compiler_mends_its_program_and_submits(bench: Bench) -> None:
    def act(*actions: str) -> str:
        return "\n".join(f"ACTION: {action}" for action in actions)

    model = script(
        bench.folder,
        answer("*/1", act(f"write_file\n```cpp\n{CPP_WRONG}```", "compile")),
        answer("*/2", act(f"write_file\n```cpp\n{CPP_RIGHT}```", "compile", "run\n```\n[21]\n```")),
        answer("*/3", act("run_visible_tests")),
        answer("*/4", act("submit")),
    )
    words = ["run", "-b", "starter", "-l", "cpp", "-m", model, "--tasks", "0", "--slots", "1"]
    done = bench(*words, "--sandbox", "docker", "--mode", "agent-text", "--name", "s")
    assert done.returncode == 0, done.stdout + done.stderr
    with bench.reader("s") as reader:
        [unit] = reader.units()
        turns = reader.turns(unit.id)
    assert (unit.outcome, unit.solved_turn) == ("passed", 2)
    assert [(t.scored or {})["outcome"] for t in turns] == ["compile_error", *["passed"] * 3]
    assert "That code doesn't compile" in turns[1].feedback
    assert "numbr" in turns[1].feedback
    assert "It compiles." in turns[2].feedback
    assert "42" in turns[2].feedback
    assert turns[3].feedback == "The visible tests pass."
    assert turns[3].accepted
