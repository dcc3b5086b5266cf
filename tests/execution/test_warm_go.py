"""Compiler and linker called without the go command: its verdicts and its words all the same."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from tests.execution.both_ways import (
    DATA,
    WHOLE,
    BothWays,
    both_ways,
    program,
    published,
    starters,
    told,
    without_token,
)
from workbench.execution.program import Program

pytestmark = [pytest.mark.docker, pytest.mark.asyncio(loop_scope="module")]

TEST = ("test", "-vet=off", "-c")
END = (
    'import (\n"os"\n"testing"\n)\n\nfunc reached(t *testing.T) {\n'
    'os.NewFile(3, "channel").WriteString("@@\\n")\n}\n'
)
ASSERT = 'import (\n"testing"\n"github.com/stretchr/testify/assert"\n)\n\n'


def main(body: str, imports: str = "", beside: str = "") -> Program:
    code = (
        f'package main\n\nimport "os"\n{imports}\n{beside}\nfunc main() {{\n{body}\n'
        'os.NewFile(3, "channel").WriteString("@@\\n")\n}\n'
    )
    return program("go", {"main.go": code}, build=("build",))


def go_test(
    code: str,
    test: str = "func TestF(t *testing.T) {\nassert.Equal(t, 1, f())\nreached(t)\n}\n",
    head: str = ASSERT,
    package: str = "program",
) -> Program:
    files = {
        "program.go": f"package {package}\n\n{code}\n",
        "program_test.go": f"package {package}\n\n{head}{test}",
        "end_test.go": f"package {package}\n\n{END}",
    }
    files = {name: text for name, text in files.items() if code or name != "program.go"}
    return program("go", files, build=TEST, arguments=("-test.paniconexit0",))


F = "func f() int { return 1 }"
PROGRAMS = {
    "passes": go_test(F),
    "a wrong answer": go_test("func f() int { return 2 }"),
    "a panic": go_test("func f() int { var a []int; return a[len(a)] }"),
    "nil panics as it did before 1.21": go_test("func f() int { panic(nil) }"),
    "a type error": go_test('func f() int { x := 1; return "s" }'),
    "many errors": go_test(F + "".join(f'\nvar v{i} int = "s"' for i in range(20))),
    "a syntax error": go_test("func f( int {"),
    "declared twice": go_test(F + "\n" + F),
    "a test of its own": go_test(F + "\nfunc TestF() {}"),
    "another return type": go_test('func f() string { return "1" }'),
    "an unused import": go_test('import "os"\n' + F),
    "imports": go_test(
        'import (\n\t"math"\n\ts "strings" // why\n)\nvar _ = s.ToLower\nvar _ = math.Pi\n' + F
    ),
    "a missing package": go_test('import "github.com/nobody/nothing"\n' + F),
    "an internal package": go_test('import _ "internal/testlog"\n' + F),
    "the assertion library": go_test(
        'import "github.com/stretchr/testify/assert"\nvar _ = assert.Equal\n' + F
    ),
    "the rest of it": go_test(
        F, "func TestF(t *testing.T) {\nassert.JSONEq(t, `[1]`, `[1]`)\nreached(t)\n}\n"
    ),
    "requirements": go_test(
        F,
        "func TestF(t *testing.T) {\nrequire.Equal(t, 1, f())\nreached(t)\n}\n",
        ASSERT.replace("assert", "require"),
    ),
    "unsafe": go_test('import "unsafe"\nvar _ = unsafe.Sizeof(1)\n' + F),
    "C": go_test('import "C"\n' + F),
    "a directive": go_test("//go:noinline\n" + F),
    "a constraint": go_test("// +build ignore\n\n" + F),
    "a file for another system": go_test("//go:build windows\n\n" + F),
    "an import that comes late": go_test(F + '\nimport "os"'),
    "package clauses that differ": program(
        "go",
        {"program.go": "package a\n", "program_test.go": "package b\n"},
        build=TEST,
    ),
    "tests in a package of their own": go_test(
        "",
        "func f() int { return 1 }\nfunc TestF(t *testing.T) {\nassert.Equal(t, 1, f())\nreached(t)\n}\n",
        package="p_test",
    ),
    "an error there": go_test(
        "",
        'func f() int { return "" }\nfunc TestF(t *testing.T) {\nassert.Equal(t, 1, f())\nreached(t)\n}\n',
        package="p_test",
    ),
    "a syntax error in a test": go_test(F, "func TestF(t *testing.T) {\nreached(t\n}\n"),
    "two tests": go_test(
        F,
        "func TestA(t *testing.T) { assert.Equal(t, 1, f()) }\n"
        "func TestB(t *testing.T) {\nassert.Equal(t, 2, f())\nreached(t)\n}\n",
    ),
    "a test that is commented": go_test(
        F,
        "/*\nfunc TestA(t *testing.T) { t.Fatal(1) }\n*/\nvar s = `\nfunc TestB(t *testing.T) {\n`\n"
        "func TestF(t *testing.T) {\nassert.Equal(t, 1, f())\nreached(t)\n}\n",
    ),
    "a test with a comment in its head": go_test(
        F,
        "func /* so */ TestA(t *testing.T) { t.Fatal(1) }\n"
        "func TestF(t *testing.T) {\nassert.Equal(t, 1, f())\nreached(t)\n}\n",
    ),
    "an example": go_test(
        F,
        "func ExampleF() {\nprintln(f())\n// Output: 2\n}\n"
        "func TestF(t *testing.T) {\nassert.Equal(t, 1, f())\nreached(t)\n}\n",
    ),
    "a main of its tests": go_test(
        F,
        "func TestMain(m *testing.M) { m.Run() }\n"
        "func TestF(t *testing.T) {\nassert.Equal(t, 1, f())\nreached(t)\n}\n",
    ),
    "a test that isn't one": go_test(
        F,
        "func Testify(t *testing.T) {}\nfunc TestF(t *testing.T) {\nassert.Equal(t, 1, f())\nreached(t)\n}\n",
    ),
    "an exit": go_test('import "os"\nfunc f() int { os.Exit(0); return 1 }'),
    "a program": main("println(1)"),
    "a program with generics": main(
        "println(largest(1, 2))",
        beside="func largest[T int | string](a, b T) T { if a > b { return a }; return b }",
    ),
    "a program without main": program("go", {"main.go": "package main\n"}, build=("build",)),
    "a program with an error": main("x := 1"),
    "a program that panics": main("var m map[string]int\nm[os.Args[0]] = 1"),
    "memory": main(
        "var a [][]byte\nfor { b := make([]byte, 1<<26); for i := range b { b[i] = 1 }; a = append(a, b) }\n_ = a"
    ),
    "a giant array": main(f"a := []int{{{','.join(map(str, range(60_000)))}}}\n_ = a"),
    "deep": main(f"x := {'(' * 20_000}1{')' * 20_000}\n_ = x"),
}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def ways() -> AsyncGenerator[BothWays]:
    async with both_ways("go") as pools:
        yield pools


@pytest.mark.parametrize("name", PROGRAMS)
async def test_a_program_is_judged_as_by_the_go_command(ways: BothWays, name: str) -> None:
    warm, plain = await ways.execute(PROGRAMS[name])
    assert told(warm) == told(plain)
    if warm.steps[-1].name == "run":
        assert words(warm.steps[-1].stdout.head) == words(plain.steps[-1].stdout.head)


def words(text: str) -> str:
    """Without addresses, times and the frames of the test's generated main."""
    text = "".join(line for line in without_token(text).splitlines(True) if "_testmain" not in line)
    for pattern in (r"0x[0-9a-f?]+", r"\d+\.\d+s", r"goroutine \d+"):
        text = re.sub(pattern, "", text)
    return text


@pytest.mark.slow
async def test_the_quick_way_is_taken_and_quicker(ways: BothWays) -> None:
    await ways.execute(PROGRAMS["passes"])
    warm, plain = await ways.execute(PROGRAMS["passes"])
    assert warm.steps[0].cpu_s < plain.steps[0].cpu_s / 1.5


@pytest.mark.slow
async def test_references_and_stubs_are_judged_alike(ways: BothWays) -> None:
    assert await ways.differences(starters("go", 3)) == []


@pytest.mark.slow
@pytest.mark.skipif(not WHOLE, reason="WORKBENCH_TEST_WHOLE=1 runs it: minutes")
@pytest.mark.skipif(not (DATA / "humaneval-x").is_dir(), reason="no published files beside it")
async def test_published_programs_and_real_samples_are_judged_alike(ways: BothWays) -> None:
    assert await ways.differences(published("go", "go/data/samples_go.jsonl")) == []
