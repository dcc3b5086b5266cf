"""MultiPL-E in Java: class Problem with the candidate's method and the tests' main.

The tests use `assert`, so the program runs with -ea; prompts import javatuples, so its jar is on
the class path. `Main`, which the toolchain starts, only calls the main that the tests are.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from tree_sitter import Node

from workbench.benchmarks.continuation import cut, stop_tokens
from workbench.benchmarks.examples import Example, with_assertions
from workbench.benchmarks.task import Task
from workbench.execution.program import Candidate, Program
from workbench.source_text import Draft, Source

_GRAMMAR = "tree_sitter_java"

# Where Debian's package libjavatuples-java puts it, in the image and elsewhere.
_CLASS_PATH = ".:/usr/share/java/javatuples.jar"

# A program that passes because nothing was asserted would be worse than none.
_ENABLED = """\
    boolean workbenchAsserts = false;
    assert workbenchAsserts = true;
    if (!workbenchAsserts) throw new IllegalStateException("assertions are off");
    """


@lru_cache(maxsize=2048)
def _parts(test: str) -> tuple[str, str]:
    """The test behind the brace that closes the candidate's method: main up to its own brace, and
    what follows, without the brace that closes the class.

    Raises:
        ValueError: it isn't of the published form.
    """
    _, first, rest = test.partition("}")
    head, _, _ = rest.rpartition("}")
    main, last, tail = head.rpartition("}")
    if not (first and last) or test.lstrip()[:1] != "}":
        raise ValueError("the tests don't begin with the brace that closes the candidate")
    return main, last + tail


def _add_main(draft: Draft, test: str) -> Draft:
    """Append the main method, the token's statement at its end."""
    main, tail = _parts(test)
    draft.add(f'{main}{_ENABLED}WorkbenchEnd.reached("').token()
    return draft.add(f'");\n    {tail}')


def _starting(name: str) -> str:
    return (
        "final class Main {\n    public static void main(String[] args) throws Throwable {\n"
        f"        {name}.main(args);\n    }}\n}}\n"
    )


def _program(task: Task, draft: Draft) -> Program:
    return Program(
        language=task.language,
        files=(draft.file(),),
        options={
            "compile_options": ("-cp", _CLASS_PATH),
            "run_options": ("-ea", "-cp", _CLASS_PATH),
        },
        candidate_file=draft.name,
        candidate_lines=draft.lines,
        deterministic=not task.random_tests,
    )


def assemble_body(task: Task, text: str, test: str, end: str) -> Program:
    """Put a continuation of the prompt before the tests; `end` is the class that tells the end."""
    draft = Draft("Main.java").add(task.prompt)
    draft.candidate(cut(text, stop_tokens(task))).add("\n    }")
    _add_main(draft, test).add("\n}\n" + _starting("Problem") + end)
    return _program(task, draft)


def assemble_full(task: Task, before: str, code: str, test: str, end: str) -> Program:
    """Put a whole candidate, whose class is called Solution, before the tests.

    Without such a class there is nothing to test: the program doesn't compile.
    """
    code, place = _place_of_main(code)
    draft = Draft("Main.java").add(before).candidate(code[:place])
    if place < len(code):
        _add_main(draft, test)
    draft.add(code[place:] + "\n" + _starting("Solution") + end)
    return _program(task, draft)


def _place_of_main(code: str) -> tuple[str, int]:
    """The code without main methods of class Solution, and where that class ends in it."""
    source = Source.parse(_GRAMMAR, code)
    found = [n for n in source.top_level("class_declaration") if _called(source, n, "Solution")]
    body = found[0].child_by_field_name("body") if found else None
    if body is None:
        return code, len(code)
    mains = [
        (n.start_byte, n.end_byte)
        for n in body.children
        if n.type == "method_declaration" and _called(source, n, "main")
    ]
    place = len(source.data[: body.end_byte - 1].decode("utf-8", "replace"))
    return source.without(mains), place


def _called(source: Source, node: Node, name: str) -> bool:
    own = node.child_by_field_name("name")
    return own is not None and source.text(own) == name


def visible_test(task: Task, examples: Sequence[Example]) -> str:
    """The prompt's examples as a test, with values compared as in the scored one."""
    first = next((x for x in task.test.split("\n") if x.lstrip().startswith("assert(")), "")
    objects = ").equals(" in first

    def assertion(example: Example) -> str:
        call = f"{task.entry_point}({example.arguments})"
        equal = f"{call}.equals({example.value})" if objects else f"{call} == {example.value}"
        return f"    assert({equal});"

    return with_assertions(task.test, "assert(", examples, assertion)


def cheats(task: Task, value: str) -> Sequence[tuple[str, Candidate]]:
    """Wrong candidates; `value` is what they return."""

    def body(statement: str) -> Candidate:
        # `if (true)`: javac refuses a return that can't be reached.
        return Candidate(f"        if (true) {{ {statement} }} return {value};", "body")

    def member(code: str) -> Candidate:
        return Candidate(f"        return {value};\n    }} {code} static void more() {{", "body")

    hook = "java.lang.Runtime.getRuntime().addShutdownHook(new java.lang.Thread(() -> java.lang.Runtime.getRuntime().halt(0)));"
    return (
        ("System.exit in the function", body("java.lang.System.exit(0);")),
        ("halt in the function", body("java.lang.Runtime.getRuntime().halt(0);")),
        ("exit while loading", member("static { if (true) java.lang.System.exit(0); }")),
        ("exit hook", member(f"static {{ {hook} }}")),
        (
            "assertions off",
            member(
                "static { java.lang.ClassLoader.getSystemClassLoader()"
                ".setDefaultAssertionStatus(false); }"
            ),
        ),
    )
