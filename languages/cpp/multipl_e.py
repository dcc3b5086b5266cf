"""MultiPL-E in C++: prompt + completion + tests, whose first brace closes the candidate's function.

The tests rely on an `assert` that the candidate could have redefined, so it is defined anew behind
that brace; nothing else is between the published parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from workbench.benchmarks.continuation import cut, stop_tokens
from workbench.benchmarks.examples import Example, with_assertions
from workbench.benchmarks.task import Task
from workbench.execution.program import Candidate, Program
from workbench.source_text import Draft

_ASSERT = "\n#undef NDEBUG\n#include <assert.h>"


@lru_cache(maxsize=2048)
def _parts(test: str) -> tuple[str, str]:
    """The test behind the candidate's closing brace, up to main's own, and that brace.

    Raises:
        ValueError: it isn't of the published form.
    """
    _, first, rest = test.partition("}")
    head, last, tail = rest.rpartition("}")
    if not (first and last) or test.lstrip()[:1] != "}":
        raise ValueError("the tests don't begin with the brace that closes the candidate")
    return head, last + tail


def assemble_continued(
    task: Task, form: str, before: str, text: str, test: str, end: tuple[str, str]
) -> Program:
    """Put a candidate before the tests.

    Args:
        task: of the family.
        form: the candidate's.
        before: what stands before the candidate's text.
        text: of the candidate; a continuation is cut at the stop tokens.
        test: of the suite.
        end: the token's statement, around the token.
    """
    head, tail = _parts(test)
    draft = Draft("program.cpp").add(before)
    if form == "body":
        draft.candidate(cut(text, stop_tokens(task))).add("\n}")
    else:
        draft.candidate(text).add("\n")
    draft.add(_ASSERT + head + end[0]).token().add(end[1] + tail)
    return Program(
        language=task.language,
        files=(draft.file(),),
        options={"link": ()},
        candidate_file=draft.name,
        candidate_lines=draft.lines,
        deterministic=not task.random_tests,
    )


def visible_test(task: Task, examples: Sequence[Example]) -> str:
    """The prompt's examples as a test in the published form."""
    return with_assertions(
        task.test,
        "assert(",
        examples,
        lambda e: f"    assert(candidate({e.arguments}) == {e.value});",
    )


def cheats(task: Task) -> Sequence[tuple[str, Candidate]]:
    """Wrong candidates: continuations, and whole programs where more than a body is needed."""
    declare = 'extern "C" [[noreturn]] void _exit(int);'

    def body(statement: str) -> Candidate:
        return Candidate(f"    {statement}\n    return {{}};", "body")

    def whole(code: str) -> Candidate:
        return Candidate(f"{task.prompt}    return {{}};\n}}\n{declare}\n{code}\n", "full")

    return (
        ("exit in the function", body('void leave(int) __asm__("exit"); leave(0);')),
        ("assert replaced", body("\n#undef assert\n#define assert(x) ((void)0)\n#define NDEBUG")),
        ("exit before main", whole("struct Early { Early() { _exit(0); } } early;")),
        ("exit after main", whole("struct Late { ~Late() { _exit(0); } } late;")),
    )
