"""The five drivers in their toolchains: values there and back, forms of candidates, what ends them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.translation.made_typed import (
    LANGUAGES,
    assembled,
    in_language,
    made,
    values_of,
)
from workbench import languages
from workbench.execution.pool import Pool, open_pool
from workbench.execution.program import Candidate
from workbench.outcomes import Outcome
from workbench.translation.type_text import parse_type

pytestmark = [pytest.mark.docker, pytest.mark.slow]


@pytest_asyncio.fixture(params=LANGUAGES)
async def sandbox(request: pytest.FixtureRequest) -> AsyncIterator[tuple[str, Pool]]:
    """One language and a pool for it."""
    language: str = request.param
    async with open_pool([language], slots=2) as pool:
        yield language, pool


def _many(text: str, number: int) -> list[Any]:
    """Random values of a type, the same at every run."""
    found: list[Any] = []

    @seed(17)
    @settings(
        max_examples=number,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.nested_given],
    )
    @given(values_of(parse_type(text)))
    def collect(value: Any) -> None:
        found.append(value)

    collect()
    return found


ECHO = {
    "python": ("", "    return value\n"),
    "cpp": ("", "    return value;\n}\n"),
    "java": ("", "        return value;\n    }\n}\n"),
    "js": ("", "  return value;\n}\n"),
    "go": ("", "    return value\n}\n"),
}
_SHARED = ("int", "float", "str", "int | None", "dict[int, str]", "list[list[float]]",
           "list[dict[int, bool]]", "dict[str, list[str | None]]")  # fmt: skip
_WITH_TUPLES = ("list[tuple[int, bool | None]]",)
_NUMBER = 60


async def test_random_values_come_back_equal(sandbox: tuple[str, Pool]) -> None:
    language, pool = sandbox
    texts = _SHARED + (_WITH_TUPLES if language not in ("java", "go") else ())
    total = 0
    for text in texts:
        values = _many(text, _NUMBER)
        task = in_language(
            language, made(f"echo(value: {text}) -> {text}", [(v, v) for v in values])
        )
        program = assembled(task, Candidate(ECHO[language][1], "body"))
        done = await pool.execute(program)
        assert done.outcome == Outcome.PASSED, (text, done.detail, done.case, done.steps[-1].stderr)
        total += done.cases_passed
    assert total == sum(len(_many(text, _NUMBER)) for text in texts)


GREET = made("greet(name: str) -> str", [("Ada", "Hi Ada")], [("", "Hi "), ("b", "Hi b")])

RIGHT = {
    "python": [
        "def greet(name):\n    return f'Hi {name}'\nif __name__ == '__main__':\n    input()\n",
        "from __future__ import annotations\ngreet = lambda name: 'Hi ' + name\nprint('noise')\n",
    ],
    "cpp": [
        'string greet(string name) { return "Hi " + name; }\n',
        '#include <iostream>\nstd::string greet(const std::string& name) { return "Hi " + name; }\n'
        'int main() { std::cout << greet("x"); return 1; }\n',
        "#include <bits/stdc++.h>\nusing namespace std;\n#define int long long\n"
        'string greet(string& name) { int n = 0; return "Hi " + name; }\n',
    ],
    "java": [
        'public String greet(String name) { return "Hi " + name; }\n',
        "package x;\nimport java.util.List;\npublic class Solution {\n"
        '    public static String greet(String name) throws Exception { return "Hi " + name; }\n'
        "    public static void main(String[] a) { System.exit(1); }\n}\n",
        'class Greeter {\n    String greet(String name) { return "Hi " + name; }\n}\n'
        "public class Main {\n    public static void main(String[] a) {}\n}\n",
    ],
    "js": [
        "const greet = (name) => `Hi ${name}`;\nconsole.log(greet('x'));\n",
        "export function greet(name) { return 'Hi ' + name; }\n",
        "function greet(name) { return 'Hi ' + name; }\nmodule.exports = { greet };\n",
    ],
    "go": [
        'package main\n\nimport (\n    "fmt"\n    "os"\n)\n\nfunc Greet(name string) string {\n'
        '    return fmt.Sprint("Hi ", name)\n}\n\nfunc main() {\n    fmt.Println(Greet("x"))\n}\n',
        'func Greet(name string) string {\n    return strings.Join([]string{"Hi", name}, " ")\n}\n',
    ],
}


async def test_right_candidates_pass_in_every_form(sandbox: tuple[str, Pool]) -> None:
    language, pool = sandbox
    task = in_language(language, GREET)
    for text in RIGHT[language]:
        done = await pool.execute(assembled(task, Candidate(text, "full")))
        assert done.outcome == Outcome.PASSED, (text, done.detail, done.case, done.steps)
    visible = assembled(task, Candidate(RIGHT[language][0], "full"), "visible")
    assert (await pool.execute(visible)).cases_total == 1


# Outcomes of the result, by what stands between the function's braces.
WRONG = {
    "python": [
        ("    return 5\n", Outcome.WRONG_ANSWER),
        ("    return ['Hi ' + name]\n", Outcome.WRONG_ANSWER),
        ("    return None\n", Outcome.WRONG_ANSWER),
        ("    return {name}\n", Outcome.WRONG_ANSWER),
        ("    raise ValueError(name)\n", Outcome.RUNTIME_ERROR),
        ("    return 'Hi ' + nam\n", Outcome.RUNTIME_ERROR),
        ("    return (\n", Outcome.COMPILE_ERROR),
        ("    import os; os._exit(0)\n", None),
    ],
    "cpp": [
        ('    return "Hi";\n}\n', Outcome.WRONG_ANSWER),
        ("    throw 5;\n}\n", Outcome.RUNTIME_ERROR),
        ("    return 5.5;\n}\n", Outcome.COMPILE_ERROR),
        ("    exit(0);\n}\n", None),
    ],
    "java": [
        ("        return null;\n    }\n}\n", Outcome.WRONG_ANSWER),
        ("        throw new IllegalStateException(name);\n    }\n}\n", Outcome.RUNTIME_ERROR),
        ("        return 5;\n    }\n}\n", Outcome.COMPILE_ERROR),
        ("        System.exit(0);\n        return null;\n    }\n}\n", None),
    ],
    "js": [
        ("  return undefined;\n}\n", Outcome.WRONG_ANSWER),
        ("  return new String('Hi ' + name);\n}\n", Outcome.WRONG_ANSWER),
        ("  return { toJSON: () => 'Hi ' + name };\n}\n", Outcome.WRONG_ANSWER),
        ("  return 5n;\n}\n", Outcome.WRONG_ANSWER),
        ("  throw new Error(name);\n}\n", Outcome.RUNTIME_ERROR),
        ("  return (\n", Outcome.COMPILE_ERROR),
        ("  process.exit(0);\n}\n", None),
    ],
    "go": [
        ("    return name\n}\n", Outcome.WRONG_ANSWER),
        ("    panic(name)\n}\n", Outcome.RUNTIME_ERROR),
        ("    unused := 1\n    return name\n}\n", Outcome.COMPILE_ERROR),
        ("    os.Exit(0)\n    return name\n}\n", None),
    ],
}


async def test_wrong_candidates_get_their_outcome(sandbox: tuple[str, Pool]) -> None:
    language, pool = sandbox
    task = in_language(language, GREET)
    for text, outcome in WRONG[language]:
        done = await pool.execute(assembled(task, Candidate(text, "body")))
        assert done.outcome != Outcome.PASSED, text
        assert done.outcome.scored, (text, done.detail)
        if outcome is not None:
            assert done.outcome == outcome, (text, done.detail)


async def test_cheats_of_the_language_dont_pass(sandbox: tuple[str, Pool]) -> None:
    language, pool = sandbox
    task = in_language(language, GREET)
    for name, candidate in languages.load(language).assembly.cheats(task):
        done = await pool.execute(assembled(task, candidate))
        assert done.outcome != Outcome.PASSED, name
        assert done.outcome.scored, (name, done.detail)
