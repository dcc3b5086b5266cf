"""Assembled programs in the real toolchains: what is right passes, what isn't doesn't."""

from __future__ import annotations

from dataclasses import replace

import pytest

from workbench import languages
from workbench.benchmarks.task import Task
from workbench.checking import check, prove
from workbench.execution.pool import open_pool
from workbench.execution.program import Candidate
from workbench.outcomes import Outcome

pytestmark = pytest.mark.docker

LANGUAGES = ("python", "cpp", "java", "js", "go")

WRONG = {
    "python": "    return 4 * x\n",
    "cpp": "    return 4*x;\n}\n",
    "java": "        return 4 * x;\n    }\n}\n",
    "js": "  return 4 * x;\n}\n",
    "go": "    return 4 * x\n}\n",
}
CRASHING = {
    "python": "    return eval('(')\n",
    "cpp": "    throw 1;\n}\n",
    "java": "        return new int[0][x].length;\n    }\n}\n",
    "js": "  return JSON.parse('{');\n}\n",
    "go": "    return []int{}[x]\n}\n",
}
BROKEN = {
    "python": "    return (\n",
    "cpp": "    return what;\n}\n",
    "java": "        return what;\n    }\n}\n",
    "js": "  return (;\n}\n",
    "go": "    return what\n}\n",
}


@pytest.mark.parametrize("name", LANGUAGES)
async def test_outcomes(made_tasks: dict[str, Task], name: str) -> None:
    task = made_tasks[name]
    assemble = languages.load(name).assembly.assemble
    async with open_pool([name], "docker") as pool:
        report = await check(pool, [task], cheat_tasks=1)
        assert report.ok, report.to_json()
        full = assemble(task, Candidate(task.prompt + task.reference, "full"), "scored")
        assert (await pool.execute(full)).outcome is Outcome.PASSED
        visible = assemble(task, Candidate(task.reference, "body"), "visible")
        assert (await pool.execute(visible)).outcome is Outcome.PASSED
        for texts, outcome in (
            (WRONG, Outcome.WRONG_ANSWER),
            (CRASHING, Outcome.RUNTIME_ERROR),
            (BROKEN, Outcome.COMPILE_ERROR),
        ):
            program = assemble(task, Candidate(texts[name], "body"), "scored")
            execution = await pool.execute(program)
            assert execution.outcome is outcome
            assert execution.detail


@pytest.mark.parametrize("name", LANGUAGES)
async def test_the_toolchain_is_proved(name: str) -> None:
    async with open_pool([name], "docker") as pool:
        found = await prove(pool, languages.load(name), ["humaneval", "humaneval-x"])
    assert found.ok


async def test_libcs_strlen_is_no_answer(made_tasks: dict[str, Task]) -> None:
    # As in CPP/23: the test calls the entry point with a text literal.
    task = replace(
        made_tasks["cpp"],
        entry_point="strlen",
        prompt="#include<stdio.h>\n#include<string>\nusing namespace std;\nint strlen(string text){\n",
        test='#undef NDEBUG\n#include<assert.h>\nint main(){\n    assert (strlen("abc") == 3);\n}\n',
    )
    hooks = languages.load("cpp").assembly
    async with open_pool(["cpp"], "docker") as pool:
        stub = await pool.execute(hooks.assemble(task, hooks.stub(task), "scored"))
        right = Candidate("    return text.length();\n}\n", "body")
        good = await pool.execute(hooks.assemble(task, right, "scored"))
    assert stub.outcome is Outcome.WRONG_ANSWER
    assert good.outcome is Outcome.PASSED


async def test_a_program_may_print_what_it_likes(made_tasks: dict[str, Task]) -> None:
    chatty = "  console.log('x'); console.error('Assertion failed'); return 3 * x;\n}\n"
    hooks = languages.load("js").assembly
    async with open_pool(["js"], "docker") as pool:
        program = hooks.assemble(made_tasks["js"], Candidate(chatty, "body"), "scored")
        assert (await pool.execute(program)).outcome is Outcome.PASSED
        silent = replace(made_tasks["js"], test="const never = () => {}\nnever()\n")
        program = hooks.assemble(silent, Candidate(chatty, "body"), "scored")
        assert (await pool.execute(program)).outcome is Outcome.RUNTIME_ERROR
