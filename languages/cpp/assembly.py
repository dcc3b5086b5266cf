"""C++ programs: one `program.cpp` of headers, prompt, candidate and tests; the end of main tells
the end.

A continuation can't include what the prompt forgot, so the published judge puts headers in front,
and so does this, but for <cstring>: with it visible, CPP/23's test would call the C library's
strlen instead of the candidate. The token is written through a declaration local to main, because
<unistd.h> would put `read`, `link` and the like among the candidate's names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from tree_sitter import Node

from workbench.benchmarks.examples import Example
from workbench.benchmarks.task import Task
from workbench.execution.program import Candidate, Program
from workbench.source_text import (
    Draft,
    Source,
    Tricks,
    before_entry,
    closing_brace,
    scored_or_visible,
)

_GRAMMAR = "tree_sitter_cpp"

_HEADERS = ("stdlib.h", "algorithm", "math.h", "stdio.h", "vector", "string", "climits", "iostream")

_END = (
    '\n    { long workbench_write(int, const void *, unsigned long) __asm__("write");'
    ' if (workbench_write(3, "',
    '\\n", 33) != 33) return 1; }\n',
)

_TYPES = ("struct_specifier", "class_specifier", "union_specifier", "enum_specifier")

# Functions of the C library that a header makes visible under the name of a task's entry point.
_LIBRARY = {
    "strlen": r"^[ \t]*#[ \t]*include[ \t]*[<\"](?:cstring|string\.h|memory\.h|bits/stdc\+\+\.h|boost/[^>\"]*)[>\"]",
}

_TRICKS = Tricks(
    _GRAMMAR,
    ("comment", "string_content", "raw_string_content", "character"),
    {
        "exit": r"(?<![\w.>])(?:_?exit|_Exit|quick_exit|abort|exit_group)\s*\(",
        "exit hook": r"\b(?:at_quick_exit|atexit|on_exit|set_terminate|signal|sigaction)\s*\(",
        "runs before main": r"__attribute__\s*\(\s*\(\s*(?:__)?(?:con|de)structor",
        "assertion replaced": r"(?m)^[ \t]*#[ \t]*(?:define[ \t]+(?:assert|NDEBUG|main|return|if|int|abs|fabs|true|false|bool)|undef[ \t]+assert)\b|__assert_fail\b",
        "equality overridden": r"\boperator\s*==|\boperator\s*!=",
        "reads its own program": r"__FILE__|\bsyscall\s*\(|\bptrace\s*\(",
        "pass channel": r"\b(?:fdopen|pwrite|writev|dup2?)\s*\(|(?<![\w.>])write\s*\(\s*3\b|\bworkbench_\w+",
        "assembler": r"\basm\b|\b__asm(?:__)?\b",
        "long jump": r"\blongjmp\b|\bsetjmp\b",
        "another process": r"\b(?:execl[pe]?|execv[pe]{0,2}|fexecve|v?fork|popen|posix_spawnp?)\s*\(|(?<![\w.>])system\s*\(",
        "opens files": r"\b(?:ifstream|fopen|freopen|opendir|mmap|openat)\b|(?<![\w.>])open\s*\(",
        # Never needed: another spelling of # that hides a directive from a reader.
        "digraph": r"%:",
    },
    {
        "reads /proc": r"/proc/(?:self|\d|\*)",
        "reads its own program": r"[\"/]program\.cpp\b|\"\./program\"",
        "includes a file": r"(?m)^[ \t]*(?:#|%:)[ \t]*include[ \t]*[\"<](?:/|\.\.|program\b)",
    },
)


@lru_cache(maxsize=512)
def _parsed(prompt: str) -> Source:
    """What stands in a prompt, parsed once for all its candidates."""
    return Source.parse(_GRAMMAR, prompt)


def _function_name(source: Source, function: Node) -> str:
    """Name of a function definition, whatever pointers or references stand around it."""
    node = function.child_by_field_name("declarator")
    while node is not None and node.type != "function_declarator":
        node = node.child_by_field_name("declarator") or next(
            (child for child in node.children if child.type.endswith("declarator")), None
        )
    name = node.child_by_field_name("declarator") if node is not None else None
    return source.text(name) if name is not None else ""


def _functions(source: Source) -> dict[str, Node]:
    """Function definitions of the outermost level by name."""
    return {_function_name(source, n): n for n in source.top_level("function_definition")}


def _types(source: Source) -> dict[str, Node]:
    """Types of the outermost level by name."""
    found: dict[str, Node] = {}
    for node in source.top_level(*_TYPES):
        name = node.child_by_field_name("name")
        if name is not None and node.child_by_field_name("body") is not None:
            found[source.text(name)] = node
    return found


def _full(task: Task, text: str) -> tuple[str, str]:
    """What the prompt has before the entry point and the candidate lacks; its text without main."""
    source = Source.of_candidate(_GRAMMAR, text)
    own = _functions(source)
    main = own.get("main")
    if main is not None:
        text = source.without([(main.start_byte, main.end_byte)])
    name = re.escape(task.entry_point)
    before = before_entry(
        _GRAMMAR,
        task.prompt,
        rf"^[ \t]*[\w:<>,*& \t]+\b{name}[ \t]*\(",
        ("comment",),
    )
    helpers = _parsed(before)
    twice = [
        (node.start_byte, node.end_byte)
        for called, node in _functions(helpers).items()
        if called in own
    ]
    types = _types(source)
    twice += [(n.start_byte, n.end_byte) for name, n in _types(helpers).items() if name in types]
    return helpers.without(twice), text


def _headers(before: str) -> str:
    """Includes of the headers that the prompt doesn't include itself."""
    present = set(re.findall(r"^[ \t]*#[ \t]*include[ \t]*<([^>]+)>", before, re.MULTILINE))
    return "".join(f"#include<{name}>\n" for name in _HEADERS if name not in present)


@lru_cache(maxsize=2048)
def _end_of_main(test: str) -> int:
    source = Source.parse(_GRAMMAR, test)
    return closing_brace(
        source, lambda n: _function_name(source, n) == "main", ("function_definition",)
    )


def _with_token(draft: Draft, test: str) -> None:
    """Append the tests, the token's statement at the end of main."""
    end = _end_of_main(test)
    draft.add(test[:end] + _END[0]).token().add(_END[1] + test[end:])


def assemble(task: Task, candidate: Candidate, suite: str) -> Program:
    """Put a candidate before the tests of a suite."""
    if task.family == "typed":
        from .driver import assemble_typed

        return assemble_typed(task, candidate, suite)
    test = scored_or_visible(suite, task.test, task.visible_test, task.id)
    before, text = (
        (task.prompt, candidate.text) if candidate.form == "body" else _full(task, candidate.text)
    )
    if task.family == "multipl-e":
        from . import multipl_e

        return multipl_e.assemble_continued(task, candidate.form, before, text, test, _END)
    draft = Draft("program.cpp").add(_headers(before)).add(before).candidate(text).add("\n")
    _with_token(draft, test)
    needs_crypto = "openssl/" in before or "openssl/" in text
    return Program(
        language=task.language,
        files=(draft.file(),),
        options={"link": ("-lcrypto",) if needs_crypto else ()},
        candidate_file=draft.name,
        candidate_lines=draft.lines,
        deterministic=not task.random_tests,
    )


def visible_test(task: Task, examples: Sequence[Example]) -> str:
    """Write a prompt's examples as the visible test of a task of the family `multipl-e`."""
    from . import multipl_e

    return multipl_e.visible_test(task, examples)


def stub(task: Task) -> Candidate:
    """Return the value-initialised result."""
    if task.family == "typed":
        from .driver import typed_stub

        return typed_stub(task)
    return Candidate("    return {};\n}\n", "body")


def cheats(task: Task) -> Sequence[tuple[str, Candidate]]:
    """Wrong candidates that end the process well, or hide that the assertion failed."""
    if task.family == "multipl-e":
        from . import multipl_e

        return multipl_e.cheats(task)
    base = stub(task)
    declare = 'extern "C" [[noreturn]] void _exit(int);'

    def inside(statement: str) -> Candidate:
        head, _, value = base.text.rpartition("return ")
        return Candidate(f"{head}{statement} return {value}", base.form)

    def behind(code: str) -> Candidate:
        return Candidate(f"{base.text}\n{code}\n", base.form)

    quiet = 'void quiet_exit(int) __asm__("_exit"); void on_signal(int, void (*)(int)) __asm__("signal");'
    return (
        ("exit in the function", inside('void leave(int) __asm__("exit"); leave(0);')),
        (
            "exit before main",
            behind(f"{declare}\nstruct Early {{ Early() {{ _exit(0); }} }} early;"),
        ),
        (
            "signal handler",
            behind(f"{quiet}\nstruct Armed {{ Armed() {{ on_signal(6, quiet_exit); }} }} armed;"),
        ),
        ("assert replaced", behind("#undef assert\n#define assert(x) ((void)0)\n#define NDEBUG")),
        ("exit after main", behind(f"{declare}\nstruct Late {{ ~Late() {{ _exit(0); }} }} late;")),
    )


def suspicions(task: Task, code: str) -> Sequence[str]:
    """Name the known tricks in `code`, comments and text of strings aside."""
    found = _TRICKS.found_in(code)
    macro = rf"(?m)^[ \t]*#[ \t]*define[ \t]+{re.escape(task.entry_point)}\b"
    if "define" in code and re.search(macro, _TRICKS.bare(code)):
        found += ("entry point is a macro",)
    # The name of a header in quotes is text of a string: the code as it is tells.
    library = _LIBRARY.get(task.entry_point)
    if library and re.search(library, code, re.MULTILINE):
        found += ("library function of the same name",)
    return found
