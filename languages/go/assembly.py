"""Go programs: candidate, tests and the end's witness in three files of one package.

The published form puts candidate and tests into one file of package main. Apart, each file has
imports of its own, a candidate's `main` is a function like any other, and its TestMain is none,
because only _test.go files can have one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from workbench.benchmarks.examples import Example
from workbench.benchmarks.task import Task
from workbench.execution.program import Candidate, Program, SourceFile
from workbench.source_text import (
    Draft,
    Source,
    Tricks,
    before_entry,
    closing_brace,
    scored_or_visible,
)

from .imports import (
    GRAMMAR,
    Import,
    functions_in,
    header,
    imports_in,
    packages_used,
    without_header,
)

_PACKAGE = "program"

_END = """
import (
    "os"
    "testing"
)

func workbenchReached(t *testing.T, token string) {
    if t.Failed() {
        return
    }
    if _, err := os.NewFile(3, "channel").WriteString(token + "\\n"); err != nil {
        t.Fatal(err)
    }
}
"""

_TRICKS = Tricks(
    GRAMMAR,
    (
        "comment",
        "interpreted_string_literal_content",
        "raw_string_literal_content",
        "rune_literal",
    ),
    {
        "exit": r"\bos\s*\.\s*Exit\b|\blog\s*\.\s*Fatal\w*\b|\bruntime\s*\.\s*Goexit\b",
        "system call": r"\bsyscall\b",
        "test main": r"\bfunc\s+TestMain\b",
        "runs before main": r"\bfunc\s+init\s*\(",
        "unsafe": r"\bunsafe\b",
        "reflection": r"\breflect\s*\.\s*(?:ValueOf|NewAt)\b",
        "frame walk": r"\bruntime\s*\.\s*Callers?\b",
        "tests named": r"\bfunc\s+(?:Test|Benchmark|Fuzz|Example)[A-Z_]\w*\s*\(|\btesting\b",
        "pass channel": r"\bos\s*\.\s*NewFile\b|\bworkbench[A-Z]\w*",
        "another process": r"\bexec\s*\.\s*Command",
        "opens files": r"\bos\s*\.\s*(?:Open\w*|ReadFile|ReadDir|DirFS|Executable)\b|\bioutil\s*\.\s*Read|\bfilepath\s*\.\s*(?:Walk|Glob)",
        "test flags": r"\bflag\s*\.\s*(?:Set|Parse|Lookup|CommandLine)\b|\bos\s*\.\s*Args\b",
        "assertion replaced": r"\b(?:var|const|type|func)\s+assert\b",
        # Only outside of functions: inside, `len` is a name like others; `max` and `min` are new ones.
        "predeclared name shadowed": r"(?m)^(?:var|const|type|func)[ \t]*\(?\s*(?:true|false|nil|iota|bool|byte|error|float64|int|int64|rune|string|any|append|cap|len|make|new|panic)\b",
    },
    {
        "reads /proc": r"/proc/(?:self|\d|\*)",
        "reads its own program": r"[\"`/](?:program|program_test|end_test|main)\.go\b|[\"`]\./program[\"`]",
        # Directives are comments.
        "linkname": r"//go:linkname\b",
        "embeds files": r"//go:embed\b",
        "another language": r'(?m)^\s*(?:import\s*)?"C"\s*$',
    },
)


@lru_cache(maxsize=2048)
def _imports_of(code: str) -> tuple[Import, ...]:
    return tuple(imports_in(Source.parse(GRAMMAR, code)))


def _prompt_parts(task: Task) -> tuple[tuple[Import, ...], str]:
    """The prompt's imports, and the prompt without them."""
    published = task.parts.get("import", "")
    prompt = task.prompt.replace(published, "", 1) if published.strip() else task.prompt
    return _imports_of(published), prompt


def _helpers(task: Task, own: set[str]) -> str:
    """Functions that stand before the entry point in the prompt and the candidate lacks."""
    _, prompt = _prompt_parts(task)
    found = _functions_before(prompt, task.entry_point)
    return "".join(f"{code}\n\n" for name, code in found.items() if name not in own)


@lru_cache(maxsize=512)
def _functions_before(prompt: str, entry_point: str) -> dict[str, str]:
    name = re.escape(entry_point)
    before = Source.parse(
        GRAMMAR, before_entry(GRAMMAR, prompt, rf"^func[ \t]+{name}\b", ("comment",))
    )
    return {name: before.text(node) for name, node in functions_in(before).items()}


def _candidate_file(task: Task, candidate: Candidate) -> Draft:
    published, prompt = _prompt_parts(task)
    imports = [*_imports_of(task.parts.get("test_setup", "")), *published]
    if candidate.form == "body":
        before, text = prompt.lstrip("\n"), candidate.text
    else:
        source = Source.of_candidate(GRAMMAR, candidate.text)
        imports += imports_in(source)
        before, text = _helpers(task, set(functions_in(source))), without_header(source)
    used = packages_used(Source.of_candidate(GRAMMAR, before + text))
    draft = Draft("program.go").add(header(_PACKAGE, used, imports) + before)
    return draft.candidate(text).add("\n")


@lru_cache(maxsize=1024)
def _test_file(test_setup: str, test: str) -> SourceFile:
    setup = Source.parse(GRAMMAR, test_setup)
    code = without_header(setup).strip() + test
    source = Source.parse(GRAMMAR, code)
    end = closing_brace(
        source,
        lambda n: source.text(n).startswith("func Test"),
        ("function_declaration",),
    )
    head, tail = code[:end], code[end:]
    draft = Draft("program_test.go").add(header(_PACKAGE, packages_used(source), imports_in(setup)))
    return draft.add(f'{head}\n    workbenchReached(t, "').token().add(f'")\n{tail}\n').file()


def assemble(task: Task, candidate: Candidate, suite: str) -> Program:
    """Put a candidate before the tests of a suite."""
    if task.family == "typed":
        from .driver import assemble_typed

        return assemble_typed(task, candidate, suite)
    test = scored_or_visible(suite, task.test, task.visible_test, task.id)
    if task.family == "multipl-e":
        from . import multipl_e

        if candidate.form == "body":
            draft = multipl_e.one_file(task, candidate, test)
            return _program(task, draft, (draft.file(), _end_file(multipl_e.package_of(task))))
        task = multipl_e.without_head(task)
    draft = _candidate_file(task, candidate)
    test_file = _test_file(task.parts.get("test_setup", ""), test)
    return _program(task, draft, (draft.file(), test_file, _end_file(_PACKAGE)))


def _end_file(package: str) -> SourceFile:
    return Draft("end_test.go").add(f"package {package}\n{_END}").file()


def _program(task: Task, draft: Draft, files: tuple[SourceFile, ...]) -> Program:
    """The program of some files; the candidate stands in the one that `draft` wrote."""
    return Program(
        language=task.language,
        files=files,
        options={
            "build": ("test", "-vet=off", "-c"),
            # Without it os.Exit(0) in a candidate would end the binary well.
            "arguments": ("-test.paniconexit0",),
        },
        candidate_file=draft.name,
        candidate_lines=draft.lines,
        deterministic=not task.random_tests,
    )


def _result_types(task: Task) -> list[str]:
    """The entry point's result types as they are spelled."""
    code = f"package p\n{task.prompt}\n}}\n"
    source = Source.parse(GRAMMAR, code)
    result = functions_in(source)[task.entry_point].child_by_field_name("result")
    if result is None:
        return []
    if result.type != "parameter_list":
        return [source.text(result)]
    types: list[str] = []
    for one in source.nodes("parameter_declaration", under=result):
        kind = one.child_by_field_name("type")
        names = max(1, len(one.children_by_field_name("name")))
        types += [source.text(kind) if kind is not None else ""] * names
    return types


def visible_test(task: Task, examples: Sequence[Example]) -> str:
    """Write a prompt's examples as the visible test of a task of the family `multipl-e`."""
    from . import multipl_e

    return multipl_e.visible_test(task, examples)


def stub(task: Task) -> Candidate:
    """Return the zero value of every result."""
    if task.family == "typed":
        from .driver import typed_stub

        return typed_stub(task)
    if task.family == "multipl-e":
        from . import multipl_e

        task = multipl_e.without_head(task)
    types = _result_types(task)
    zeros = "".join(f"    var zero{i} {kind}\n" for i, kind in enumerate(types))
    values = ", ".join(f"zero{i}" for i in range(len(types)))
    return Candidate(f"{zeros}    return {values}\n}}\n", "body")


def cheats(task: Task) -> Sequence[tuple[str, Candidate]]:
    """Wrong candidates that end the process well, or keep the tests from running."""
    base = stub(task)
    if task.family == "multipl-e":
        from . import multipl_e

        # A continuation can import nothing; a whole program can.
        base = Candidate(multipl_e.without_head(task).prompt + base.text, "full")

    def inside(statement: str) -> Candidate:
        head, _, value = base.text.rpartition("return ")
        return Candidate(f"{head}{statement}\n    return {value}", base.form)

    def behind(code: str) -> Candidate:
        return Candidate(f"{base.text}\n{code}\n", base.form)

    return (
        ("os.Exit in the function", inside("os.Exit(0)")),
        ("system call in the function", inside("syscall.Exit(0)")),
        ("exit before main", behind("func init() { syscall.Exit(0) }")),
        ("TestMain that runs nothing", behind("func TestMain(m *testing.M) {}")),
        ("end of the goroutine", inside("runtime.Goexit()")),
    )


def suspicions(task: Task, code: str) -> Sequence[str]:
    """Name the known tricks in `code`, comments and text of strings aside."""
    return _TRICKS.found_in(code)
