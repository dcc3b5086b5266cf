"""The javac that stays gives the verdicts and the words of a fresh one, and survives its programs."""

from __future__ import annotations

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
)
from workbench.execution.program import Program
from workbench.outcomes import Outcome

pytestmark = [pytest.mark.docker, pytest.mark.asyncio(loop_scope="module")]

TUPLES = "/usr/share/java/javatuples.jar:."
PASS = (
    'try (var out = new java.io.FileOutputStream("/proc/self/fd/3"))'
    ' { out.write("@@\\n".getBytes()); }'
)


def main(body: str, beside: str = "", imports: str = "") -> dict[str, str]:
    return {
        "Main.java": f"{imports}\n{beside}\npublic class Main {{\n"
        f"    public static void main(String[] args) throws Exception {{\n{body}\n{PASS}\n}}\n}}\n"
    }


CODES: dict[str, dict[str, str]] = {
    "passes": main("int x = 1;"),
    "streams and lambdas": main(
        'System.out.println(List.of(3, 1).stream().map(a -> "x" + a).sorted().toList());',
        imports="import java.util.*;",
    ),
    "another class": main("new Other().go();", "class Other { void go() {} class In {} }"),
    "a record and an enum": main(
        "new R(1, E.A).toString();", "record R(int a, E e) {} enum E { A }"
    ),
    "a type error": main('int x = "a"; String y = 1;'),
    "a missing name": main("undefined(1); Undefined y; x.y();"),
    "a syntax error": main("int x = ; }"),
    "no return": main("", "class B { int f() { } }"),
    "many errors": main("\n".join(f"int v{i} = a{i};" for i in range(150))),
    "a note": main("List a = new ArrayList(); a.add(1);", imports="import java.util.*;"),
    "a note and an error": main(
        "List a = new ArrayList(); a.add(b);", imports="import java.util.*;"
    ),
    "deprecated": main("new Integer(1);\nThread.currentThread().stop();"),
    "not ASCII": main('String größe = "grün ∑ 😀"; int x = größe;'),
    "tabs": main('\t\tint\tx = "a";'),
    "a directory": {"Main.java": "package some.where;\npublic class Main {}\n"},
    "another public class": {"Main.java": "public class Other { }\n"},
    "no class": {"Main.java": "// nothing\n"},
    "a module": {"Main.java": "module m { }\n"},
    "another file": {
        **main("new Solution().go();"),
        "Solution.java": "class Solution { void go() {} }",
    },
    "an error in another file": {
        **main("new Solution().go();"),
        "Solution.java": "class Solution {\n    int go() { return x; }\n}\n",
    },
    "another file that isn't what its name says": {
        **main("new Solution().go();"),
        "Solution.java": "class Other { void go() {} }",
    },
    "an unused file": {**main("int x;"), "Unused.java": "class Unused { int x = ; }"},
    "a class of the JDK's": {"Main.java": "package java.lang;\nclass Main {}\n"},
    "a clash": main("", "class String {} class A {} class A {}"),
    "a missing package": main("", imports="import org.nothing.*; import java.util.Nothing;"),
    "an inner package": main("", imports="import com.sun.tools.javac.main.Main;"),
    "generics": main("List<String> a = new ArrayList<Integer>();", imports="import java.util.*;"),
    "a name too long": main("", f"class {'N' * 300} {{}}"),
    "a method too long": main("".join(f'System.out.println("{i}");' for i in range(9000))),
    "deep": main(f"int x = {'(' * 900}1{')' * 900};"),
    "far too deep": main(f"int x = {'(' * 20000}1{')' * 20000};"),
    "a lone surrogate": main('int x = "\ud800";'),
    "an exception": main("new int[0][1] = 2;"),
    "an assertion": main('throw new AssertionError("why");'),
    "a cause": main('throw new RuntimeException("a", new Error("b"));'),
    "memory": main("int[][] a = new int[4000][]; for (int i = 0; ; i++) a[i] = new int[10000000];"),
    "a recursion without end": {
        "Main.java": "public class Main { static void f() { f(); }"
        " public static void main(String[] a) { f(); } }"
    },
}
OPTIONS: dict[str, Program] = {
    "tuples": program(
        "java",
        main("Pair<Integer, Integer> p = Pair.with(1, 2);", imports="import org.javatuples.*;"),
        compile_options=("-cp", TUPLES),
        run_options=("-ea", "-cp", TUPLES),
    ),
    "tuples wrongly": program(
        "java",
        main("Pair<Integer> p = Pair.with(1, 2);", imports="import org.javatuples.*;"),
        compile_options=("-cp", TUPLES),
    ),
    "tuples without a class path": program("java", main("", imports="import org.javatuples.*;")),
    "an assert": program("java", main("assert 1 > 2;"), run_options=("-ea",)),
    "an assert that isn't heard": program("java", main("assert 1 > 2;")),
}
BOMBS = {
    "ten megabytes": main("".join(f"int v{i} = {i};\n" for i in range(2000)), f"/*{'x' * 10**7}*/"),
    "a giant array": main(f"int[] a = {{{','.join(map(str, range(300_000)))}}};"),
    "nested generics": main(
        f"{'List<' * 200}String{'>' * 200} a = f(f(f(f(f(f(f(f(f(f(null))))))))));",
        imports="import java.util.*;",
    ),
    "nested lambdas": main(
        "Supplier<Object> a = " + "() -> (Supplier<Object>) " * 60 + "() -> 1;",
        imports="import java.util.function.*;",
    ),
}
GOOD = program("java", main("int x = 1;"))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def ways() -> AsyncGenerator[BothWays]:
    async with both_ways("java") as pools:
        yield pools


@pytest.mark.parametrize("name", [*CODES, *OPTIONS])
async def test_a_program_is_judged_as_by_a_fresh_compiler(ways: BothWays, name: str) -> None:
    made = OPTIONS[name] if name in OPTIONS else program("java", CODES[name])
    warm, plain = await ways.execute(made)
    assert told(warm) == told(plain)
    if warm.steps[-1].name == "run" and warm.outcome is not Outcome.OUT_OF_MEMORY:
        assert warm.steps[-1].stderr == plain.steps[-1].stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
async def test_a_bomb_is_judged_alike_and_spoils_nothing(ways: BothWays, name: str) -> None:
    warm, plain = await ways.execute(program("java", BOMBS[name]))
    assert told(warm) == told(plain)
    after = await ways.warm(GOOD)
    assert (after.outcome, after.retried) == (Outcome.PASSED, 0)


@pytest.mark.slow
async def test_a_stayed_compiler_takes_a_fraction_of_a_fresh_one(ways: BothWays) -> None:
    await ways.differences([GOOD] * 10)
    warm, plain = await ways.execute(GOOD)
    assert warm.steps[0].cpu_s < plain.steps[0].cpu_s / 3


@pytest.mark.slow
async def test_references_and_stubs_are_judged_alike(ways: BothWays) -> None:
    assert await ways.differences(starters("java", 3)) == []


@pytest.mark.slow
@pytest.mark.skipif(not WHOLE, reason="WORKBENCH_TEST_WHOLE=1 runs it: minutes")
@pytest.mark.skipif(not (DATA / "humaneval-x").is_dir(), reason="no published files beside it")
async def test_published_programs_and_real_samples_are_judged_alike(ways: BothWays) -> None:
    programs = published("java", "java/data/samples_java.jsonl")
    assert await ways.differences(programs) == []
