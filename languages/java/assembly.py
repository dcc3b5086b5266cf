"""Java programs: one `Main.java` with the imports, class Solution and the tests' class Main."""

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

_GRAMMAR = "tree_sitter_java"

# Full names, because a candidate may bring classes of any simple name. The descriptor is opened
# by path: the language has no way to write to one by number.
_END = """
final class WorkbenchEnd {
    static void reached(java.lang.String token) {
        try (java.io.FileOutputStream channel = new java.io.FileOutputStream("/proc/self/fd/3")) {
            channel.write((token + "\\n").getBytes());
        } catch (java.io.IOException error) {
            throw new java.io.UncheckedIOException(error);
        }
    }
}
"""

_TYPES = (
    "class_declaration",
    "interface_declaration",
    "enum_declaration",
    "record_declaration",
    "annotation_type_declaration",
)

_ZERO = {
    "boolean": "false",
    "char": "'\\0'",
    "byte": "0",
    "short": "0",
    "int": "0",
    "long": "0L",
    "float": "0.0f",
    "double": "0.0",
    "Boolean": "false",
    "Integer": "0",
    "Long": "0L",
    "Double": "0.0",
    "String": '""',
}

_LANG = (
    "AssertionError|Error|Exception|RuntimeException|System|Arrays|Objects|Math|List|Boolean|Integer"
    "|Double|Object|String|Long|Float|Character|Number|Map|HashMap|Set|HashSet|ArrayList|Collections"
    "|Optional|Thread|StringBuilder|StringJoiner"
)

_TRICKS = Tricks(
    _GRAMMAR,
    ("line_comment", "block_comment", "string_fragment", "multiline_string_fragment"),
    {
        "exit": r"\bSystem\s*\.\s*exit\b|\bhalt\s*\(|\bRuntime\s*\.\s*getRuntime\b",
        "exit hook": r"\baddShutdownHook\b|\bset(?:Default)?UncaughtExceptionHandler\b",
        "library class shadowed": rf"\b(?:class|interface|enum|record)\s+(?:{_LANG})\b",
        "equality overridden": r"\bboolean\s+equals\s*\(",
        "reflection": r"\bsetAccessible\b|\bUnsafe\b|\bjava\s*\.\s*lang\s*\.\s*reflect\b|\bProxy\b|\bMethodHandles\b",
        "frame walk": r"\bgetStackTrace\b|\bStackWalker\b",
        "output replaced": r"\bSystem\s*\.\s*set(?:Out|Err|In|SecurityManager)\b",
        "pass channel": r"\bFileOutputStream\b|\bFileDescriptor\b|\bWorkbenchEnd\b|\bFileChannel\b",
        "process": r"\bProcessBuilder\b|\bProcessHandle\b",
        "opens files": r"\bFiles\s*\.|\bFile(?:Reader|InputStream|Writer)\b|\bRandomAccessFile\b|\bjava\s*\.\s*nio\s*\.\s*file\b",
        "reads its own program": r"\bgetResource\w*|\bgetProtectionDomain\b|\bClassLoader\b",
        # The compiler reads escapes before anything else: they can hide any word.
        "escaped code": r"\\u+[0-9a-fA-F]{4}",
    },
    {
        "reads /proc": r"/proc/(?:self|\d|\*)",
        "reads its own program": r"[\"/](?:Main|Solution|WorkbenchEnd)\.(?:java|class)\b",
        # A line end, a quote, a slash, a star, a backslash: what ends a comment or a string.
        "escaped code": r"\\u+00(?:0[aAdD]|2[2fFaA7]|5[cC])",
    },
)


def _name(source: Source, node: Node) -> str:
    name = node.child_by_field_name("name")
    return source.text(name) if name is not None else ""


def _methods(source: Source, kind: Node) -> dict[str, Node]:
    """Methods of one type by name."""
    body = kind.child_by_field_name("body")
    found = [n for n in body.children if n.type == "method_declaration"] if body else []
    return {_name(source, n): n for n in found}


@lru_cache(maxsize=512)
def _helpers(prompt: str, entry_point: str) -> tuple[str, dict[str, str]]:
    """The prompt's imports, and the members of Solution that stand before the entry point."""
    name = re.escape(entry_point)
    before = before_entry(
        _GRAMMAR,
        prompt,
        rf"^[ \t]+[\w<>\[\],.? \t]+\b{name}[ \t]*\(",
        ("line_comment", "block_comment"),
    )
    source = Source.parse(_GRAMMAR, before + "\n}")
    imports = "\n".join(source.text(n) for n in source.nodes("import_declaration"))
    return imports, {_name(source, n): source.text(n) for n in source.nodes("method_declaration")}


def _renamed(source: Source, old: str, new: str) -> str:
    """The code with every identifier `old` called `new`."""
    data, last = bytearray(), 0
    for node in source.nodes("identifier", "type_identifier"):
        if source.text(node) == old:
            data += source.data[last : node.start_byte] + new.encode()
            last = node.end_byte
    return (data + source.data[last:]).decode("utf-8", "replace")


def _solution_class(source: Source, entry_point: str) -> Node | None:
    """The type that has the entry point: Solution where it exists, else whichever has it."""
    types = list(source.top_level(*_TYPES))
    named = [n for n in types if _name(source, n) == "Solution"]
    having = [n for n in types if entry_point in _methods(source, n)]
    return next(iter([*[n for n in named if n in having], *having, *named]), None)


def _in_class(source: Source) -> str:
    """Bare methods put into class Solution, imports kept in front of it."""
    moved = list(source.nodes("import_declaration", "package_declaration"))
    imports = "".join(f"{source.text(n)} " for n in moved if n.type == "import_declaration")
    rest = source.without((n.start_byte, n.end_byte) for n in moved)
    return f"{imports}class Solution {{ {rest}\n}}\n"


def _full(task: Task, text: str) -> tuple[str, str]:
    """The prompt's imports, and the candidate as non-public types, one of them Solution."""
    imports, helpers = _helpers(task.prompt, task.entry_point)
    source = Source.of_candidate(_GRAMMAR, text)
    solution = _solution_class(source, task.entry_point)
    if solution is None:
        source = Source.of_candidate(_GRAMMAR, _in_class(source))
        solution = _solution_class(source, task.entry_point)
    elif (called := _name(source, solution)) != "Solution":
        source = Source.of_candidate(_GRAMMAR, _renamed(source, called, "Solution"))
        solution = _solution_class(source, task.entry_point)
    gone = [(n.start_byte, n.end_byte) for n in source.top_level("package_declaration")]
    for node in source.top_level(*_TYPES):
        if _name(source, node) == "Main":
            gone.append((node.start_byte, node.end_byte))
        for modifiers in node.children:
            if modifiers.type == "modifiers":
                gone += [
                    (m.start_byte, m.end_byte) for m in modifiers.children if m.type == "public"
                ]
    code = source.without(gone)
    body = solution.child_by_field_name("body") if solution is not None else None
    if solution is not None and body is not None:
        own = _methods(source, solution)
        missing = [member for called, member in helpers.items() if called not in own]
        at = len(source.data[: body.end_byte - 1].decode("utf-8", "replace"))
        code = code[:at] + "".join(f"\n{member}\n" for member in missing) + code[at:]
    return f"{imports}\n", code


@lru_cache(maxsize=2048)
def _end_of_main(test: str) -> int:
    source = Source.parse(_GRAMMAR, test)
    return closing_brace(source, lambda n: _name(source, n) == "main", ("method_declaration",))


def _with_token(draft: Draft, test: str) -> None:
    """Append the tests, the token's statement at the end of main."""
    end = _end_of_main(test)
    head, tail = test[:end], test[end:]
    draft.add(f'{head}    WorkbenchEnd.reached("').token().add(f'");\n    {tail}\n{_END}')


def assemble(task: Task, candidate: Candidate, suite: str) -> Program:
    """Put a candidate before the tests of a suite."""
    if task.family == "typed":
        from .driver import assemble_typed

        return assemble_typed(task, candidate, suite)
    test = scored_or_visible(suite, task.test, task.visible_test, task.id)
    if task.family == "multipl-e":
        from . import multipl_e

        if candidate.form == "body":
            return multipl_e.assemble_body(task, candidate.text, test, _END)
        return multipl_e.assemble_full(task, *_full(task, candidate.text), test, _END)
    before, text = (
        (task.prompt, candidate.text) if candidate.form == "body" else _full(task, candidate.text)
    )
    draft = Draft("Main.java").add(before).candidate(text).add("\n")
    _with_token(draft, test)
    return Program(
        language=task.language,
        files=(draft.file(),),
        candidate_file=draft.name,
        candidate_lines=draft.lines,
        deterministic=not task.random_tests,
    )


def _zero(task: Task) -> str:
    name = re.escape(task.entry_point)
    result = re.search(
        rf"([\w.]+)(?:<.*>)?(\[\])*[ \t]+{name}[ \t]*\([^\n]*$", task.prompt.rstrip()
    )
    if result is None or result.group(2):
        return "null"
    return _ZERO.get(result.group(1), "null")


def visible_test(task: Task, examples: Sequence[Example]) -> str:
    """Write a prompt's examples as the visible test of a task of the family `multipl-e`."""
    from . import multipl_e

    return multipl_e.visible_test(task, examples)


def stub(task: Task) -> Candidate:
    """Return the zero value of the result's type."""
    if task.family == "typed":
        from .driver import typed_stub

        return typed_stub(task)
    return Candidate(f"        return {_zero(task)};\n    }}\n}}\n", "body")


def cheats(task: Task) -> Sequence[tuple[str, Candidate]]:
    """Wrong candidates that end the process well, or hide that the assertion failed."""
    if task.family == "multipl-e":
        from . import multipl_e

        return multipl_e.cheats(task, _zero(task))
    base = stub(task)

    def inside(statement: str) -> Candidate:
        # `if (true)`: javac refuses a return that can't be reached.
        head, _, value = base.text.rpartition("return ")
        return Candidate(f"{head}if (true) {{ {statement} }} return {value}", base.form)

    def member(code: str) -> Candidate:
        head, _, _ = base.text.rstrip().rpartition("}")
        return Candidate(f"{head}    {code}\n}}\n", base.form)

    hook = "java.lang.Runtime.getRuntime().addShutdownHook(new java.lang.Thread(() -> java.lang.Runtime.getRuntime().halt(0)));"
    return (
        ("System.exit in the function", inside("java.lang.System.exit(0);")),
        ("halt in the function", inside("java.lang.Runtime.getRuntime().halt(0);")),
        ("exit while loading", member("static { if (true) java.lang.System.exit(0); }")),
        ("exit hook", member(f"static {{ {hook} }}")),
        (
            "AssertionError shadowed",
            Candidate(
                f"{base.text}\nclass AssertionError extends java.lang.RuntimeException {{"
                " AssertionError() { java.lang.System.exit(0); } }\n",
                base.form,
            ),
        ),
    )


def suspicions(task: Task, code: str) -> Sequence[str]:
    """Name the known tricks in `code`, comments and text of strings aside."""
    return _TRICKS.found_in(code)
