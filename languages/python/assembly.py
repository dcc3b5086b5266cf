"""Python programs: `program.py` holds candidate and tests, `main.py` runs it and tells the end.

HumanEval's own judge executes prompt + completion + test + call as one text whose `__name__` is
no `__main__`; so does this, in a module of its own. The token stands in neither that text nor
anything it can name.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from workbench.benchmarks.continuation import cut, stop_tokens
from workbench.benchmarks.examples import Example, with_assertions
from workbench.benchmarks.task import Task
from workbench.execution.program import Candidate, Program
from workbench.source_text import (
    Draft,
    Source,
    Tricks,
    before_entry,
    scored_or_visible,
)

_GRAMMAR = "tree_sitter_python"

_RUN = '''\
import os
import sys
import types

write = os.write
program = types.ModuleType("program")
program.__file__ = "program.py"
sys.modules["program"] = program
with open("program.py", encoding="utf-8") as file:
    code = compile(file.read(), "program.py", "exec")
exec(code, program.__dict__)
write(3, b"'''

_ZERO = {
    "bool": "False",
    "int": "0",
    "float": "0.0",
    "complex": "0j",
    "str": '""',
    "bytes": 'b""',
    "List": "[]",
    "list": "[]",
    "Dict": "{}",
    "dict": "{}",
    "Set": "set()",
    "set": "set()",
    "Tuple": "()",
    "tuple": "()",
    "Optional": "None",
    "Any": "None",
    "None": "None",
}

_BUILT_IN = (
    "abs|all|any|bool|dict|enumerate|filter|float|frozenset|int|isinstance|iter|len|list|map|max|min"
    "|next|range|repr|reversed|round|set|sorted|str|sum|tuple|type|zip"
)

_TRICKS = Tricks(
    _GRAMMAR,
    ("comment", "string_content"),
    {
        "exit": r"\b_exit\s*\(|\bsys\s*\.\s*exit\b|(?<![\w.])(?:exit|quit)\s*\(|\bSystemExit\b",
        "exit hook": r"\batexit\b|\bexcepthook\b|\bunraisablehook\b",
        "frame walk": r"\b_getframe\b|\bcurrentframe\b|\binspect\s*\.\s*stack\b|\bf_back\b|\bf_globals\b"
        r"|\btb_frame\b|\bgi_frame\b|\bcr_frame\b|\bwalk_(?:stack|tb)\b",
        "trace hook": r"\bset(?:trace|profile)\b|\bsys\s*\.\s*monitoring\b",
        "equality overridden": r"\bdef\s+__(?:eq|ne|bool|instancecheck)__\b|\b__eq__\s*=",
        "AssertionError shadowed": r"\bclass\s+AssertionError\b|\bAssertionError\s*=",
        "builtins changed": r"\b__builtins__\b|\bbuiltins\s*\.\s*\w+\s*=|\bsetattr\s*\(\s*builtins\b",
        "reads its own program": r"\b__file__\b|\bgetsource\w*\b|\bsys\s*\.\s*modules\b|\bgc\s*\.\s*get_",
        "pass channel": r"\bfdopen\b|\bos\s*\.\s*(?:write|dup2?|sendfile)\b|\bopen\s*\(\s*3\b",
        "native code": r"\bctypes\b|\bcffi\b",
        "another process": r"\bos\s*\.\s*(?:exec[lv]\w*|posix_spawn\w*|spawn\w+|fork\w*|system|popen)\b"
        r"|\bsubprocess\b|\bmultiprocessing\b",
        "opens files": r"(?<![\w.])open\s*\(|\bos\s*\.\s*open\b|\bread_text\b|\bread_bytes\b",
        "lists files": r"\bos\s*\.\s*(?:listdir|scandir|f?walk)\b|\bglob\s*\.\s*i?glob\b|\biterdir\b|\brglob\b",
        "built-in shadowed": rf"(?m)^(?:def|class)[ \t]+(?:{_BUILT_IN})\b|^(?:{_BUILT_IN})[ \t]*=[^=]",
        "decorates the tests": r"(?m)^@[^\n]*\s*\Z",
    },
    {
        "reads /proc": r"/proc/(?:self|\d|\*)",
        "reads its own program": r"[\"'/](?:main|program)\.py\b",
    },
)


def _before_entry(task: Task) -> str:
    """Imports and helper functions that stand before the entry point in the prompt."""
    name = re.escape(task.entry_point)
    return before_entry(
        _GRAMMAR, task.prompt, rf"^(?:async[ \t]+)?def[ \t]+{name}\b", ("comment", "string_content")
    )


def _full(task: Task, text: str) -> tuple[str, str, str]:
    """What stands before, the candidate's head (`from __future__`), and its rest."""
    source = Source.of_candidate(_GRAMMAR, text)
    last = max((n.end_byte for n in source.top_level("future_import_statement")), default=0)
    head = source.data[:last].decode("utf-8", "replace")
    return _before_entry(task), head, text[len(head) :]


def assemble(task: Task, candidate: Candidate, suite: str) -> Program:
    """Put a candidate before the tests of a suite."""
    if task.family == "typed":
        from .driver import assemble_typed

        return assemble_typed(task, candidate, suite)
    test = scored_or_visible(suite, task.test, task.visible_test, task.id)
    if task.family == "humaneval" and suite == "scored":
        test = f"{test}\ncheck({task.entry_point})"
    draft = Draft("program.py")
    if candidate.form == "body":
        # A family that publishes stop tokens cuts completions there; the others have none.
        draft.add(task.prompt).candidate(cut(candidate.text, stop_tokens(task)))
    else:
        preamble, head, rest = _full(task, candidate.text)
        if head:
            draft.add(f"{head}\n{preamble}").candidate(rest)
        else:
            draft.add(preamble).candidate(candidate.text)
    # A statement in front, so that a decorator left open takes none of the tests.
    draft.add(f"\n\npass\n{test}\n")
    main = Draft("main.py").add(_RUN).token().add('\\n")\n')
    return Program(
        language=task.language,
        files=(main.file(), draft.file()),
        candidate_file=draft.name,
        candidate_lines=draft.lines,
        deterministic=not task.random_tests,
    )


def _zero(task: Task) -> str:
    """The zero value of the annotated result; `0`, which equals False too, without annotation."""
    tree = ast.parse(
        f"{task.prompt}    pass\n" if task.prompt.endswith("\n") else f"{task.prompt}\n    pass\n"
    )
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == task.entry_point and node.returns:
            name = re.match(r"\w+", ast.unparse(node.returns))
            return _ZERO.get(name.group() if name else "", "None")
    return "0"


def visible_test(task: Task, examples: Sequence[Example]) -> str:
    """Write a prompt's examples as the visible test of a task of the family `multipl-e`."""
    return with_assertions(
        task.test,
        "assert candidate(",
        examples,
        lambda e: f"    assert candidate({e.arguments}) == {e.value}",
    )


def stub(task: Task) -> Candidate:
    """Return the zero value of the result's type."""
    if task.family == "typed":
        from .driver import typed_stub

        return typed_stub(task)
    return Candidate(f"    return {_zero(task)}\n", "body")


def cheats(task: Task) -> Sequence[tuple[str, Candidate]]:
    """Wrong candidates that end the process well, or hide that the assertion failed."""
    base = stub(task)

    def inside(statement: str) -> Candidate:
        head, _, value = base.text.rpartition("    return ")
        return Candidate(f"{head}    {statement}\n    return {value}", base.form)

    def behind(code: str) -> Candidate:
        return Candidate(f"{base.text}\n{code}\n", base.form)

    return (
        ("os._exit in the function", inside("import os; os._exit(0)")),
        ("sys.exit in the function", inside("import sys; sys.exit(0)")),
        ("exit while loading", behind("import sys\nsys.exit(0)")),
        ("exit hook", behind("import atexit, os\natexit.register(os._exit, 0)")),
        ("exception hook", behind("import os, sys\nsys.excepthook = lambda *_: os._exit(0)")),
        ("guess on the channel", inside('import os; os.write(3, b"passed\\n"); os._exit(0)')),
        ("AssertionError shadowed", behind("class AssertionError(Exception): pass")),
    )


def suspicions(task: Task, code: str) -> Sequence[str]:
    """Name the known tricks in `code`, comments and text of strings aside."""
    own = {"built-in shadowed"} if re.fullmatch(_BUILT_IN, task.entry_point) else set[str]()
    return tuple(name for name in _TRICKS.found_in(code) if name not in own)
