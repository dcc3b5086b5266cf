"""JavaScript programs: `program.js` holds candidate and tests, `main.js` loads it and tells the end.

The tests call console.assert, which only prints: here it throws, can't be replaced, and counts,
so that a program none of whose assertions was reached can't pass. `program.js` hands back what it
calls `console`, so that another one of that name is noticed.
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
    scored_or_visible,
)

_GRAMMAR = "tree_sitter_javascript"

_RUN = """\
'use strict';
const { writeSync } = require('fs');
let reached = 0;
class AssertionError extends Error {}
AssertionError.prototype.name = 'AssertionError';
const assert = (condition, ...words) => {
  reached += 1;
  if (!condition) throw new AssertionError(['Assertion failed', ...words].join(': '));
};
const fixed = { writable: false, configurable: false, enumerable: true };
Object.defineProperty(console, 'assert', { ...fixed, value: assert });
Object.defineProperty(globalThis, 'console', { ...fixed, value: console });
Object.freeze(JSON);
if (require('./program.js') !== console) throw new Error('console was replaced');
if (reached === 0) throw new Error('no assertion was reached');
writeSync(3, '"""

_TRICKS = Tricks(
    _GRAMMAR,
    ("comment", "string_fragment", "regex_pattern"),
    {
        "exit": r"\bprocess\s*\.\s*(?:exit|reallyExit|abort|kill|exitCode)\b",
        "exit hook": r"\bprocess\s*\.\s*(?:on|once|addListener|prependListener|emit)\b",
        "console replaced": r"\bconsole\s*(?:\.\s*assert|\[[^\]]*\])?\s*=[^=>]|\b(?:const|let|var|function|class)\s+console\b"
        r"|\bconsole\s*\.\s*assert\s*=",
        "assertion replaced": r"\bdeepEqual\s*=[^=]|\brequire\s*=[^=>]",
        "output muted": r"\bprocess\s*\.\s*std(?:err|out)\b",
        "equality overridden": r"\bJSON\s*\.\s*\w+\s*=[^=]|\btoJSON\b|\bSymbol\s*\.\s*toPrimitive\b",
        "built-in changed": r"\b(?:Object|Array|String|Number|Math|Function|Error)(?:\s*\.\s*prototype)?\s*\.\s*\w+\s*=[^=>]"
        r"|\bObject\s*\.\s*(?:defineProperty|setPrototypeOf|assign)\s*\(\s*(?:console|globalThis|Object|Array|JSON)\b",
        "reads its own program": r"\b__filename\b|\b__dirname\b|\brequire\s*\.\s*(?:main|cache)\b|\bmodule\s*\.\s*(?:parent|children)\b",
        "pass channel": r"\b(?:writeSync|writeFileSync|createWriteStream|fs\s*\.\s*write)\b",
        "binding": r"\bprocess\s*\.\s*(?:binding|dlopen|mainModule)\b",
        "built-in shadowed": r"\b(?:const|let|var|function|class)\s+(?:Math|JSON|Object|Array|Number|String|Boolean|Map|Set|Symbol|Error|Reflect|Proxy|undefined|NaN)\b",
        "member by text": r"\b(?:process|console|require|module|globalThis|global)\s*\[",
        "module changed": r"\bObject\s*\.\s*define\w+\s*\(\s*module\b|(?m:^return\b)|\barguments\s*\.\s*callee\b",
        "opens files": r"\bread(?:File|dir)\w*|\bopenSync\b|\bcreateReadStream\b",
    },
    {
        "reads /proc": r"/proc/(?:self|\d|\*)",
        "reads its own program": r"[\"'`/](?:main|program)\.js\b|[\"'`]\./(?:main|program)\b",
        "another process": r"[\"'`](?:node:)?(?:child_process|worker_threads|cluster)[\"'`]",
        "binding": r"[\"'`](?:node:)?(?:module|vm|v8|inspector)[\"'`]\s*\)",
    },
)


_DECLARATIONS = (
    "function_declaration",
    "generator_function_declaration",
    "class_declaration",
    "lexical_declaration",
    "variable_declaration",
)


@lru_cache(maxsize=512)
def _parsed(prompt: str) -> Source:
    """What stands in a prompt, parsed once for all its candidates."""
    return Source.parse(_GRAMMAR, prompt)


def _names(source: Source, declaration: Node) -> set[str]:
    """Names that one declaration binds."""
    parts = (declaration, *(n for n in declaration.children if n.type == "variable_declarator"))
    targets = [name for part in parts if (name := part.child_by_field_name("name")) is not None]
    return {
        source.text(node)
        for target in targets
        for node in source.nodes(
            "identifier", "shorthand_property_identifier_pattern", under=target
        )
    }


def _full(task: Task, text: str) -> tuple[str, str]:
    """Helpers from the prompt that the candidate doesn't declare, and its text as a script."""
    source = Source.of_candidate(_GRAMMAR, text)
    own: set[str] = set()
    exports: list[tuple[int, int]] = []
    for node in source.root.children:
        declaration = node
        if node.type == "export_statement":
            inner = node.child_by_field_name("declaration")
            if inner is None:
                continue
            # A script can't export: only the keyword goes, and every line keeps its place.
            exports.append((node.start_byte, inner.start_byte))
            declaration = inner
        if declaration.type in _DECLARATIONS:
            own |= _names(source, declaration)
    name = re.escape(task.entry_point)
    before = before_entry(
        _GRAMMAR,
        task.prompt,
        rf"^(?:(?:const|let|var)[ \t]+{name}\b|(?:async[ \t]+)?function\b[ \t*]*{name}\b)",
        ("comment",),
    )
    helpers = _parsed(before)
    twice = [
        (node.start_byte, node.end_byte)
        for node in helpers.top_level(*_DECLARATIONS)
        if _names(helpers, node) & own
    ]
    return helpers.without(twice), source.without(exports) if exports else text


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

        return multipl_e.assemble_continued(task, candidate.form, before, text, test)
    draft = (
        Draft("program.js")
        .add(before)
        .candidate(text)
        # What ends an unfinished statement stands first, so that none of the tests' does.
        .add(f"\n;{test}\nmodule.exports = console;\n")
    )
    main = Draft("main.js").add(_RUN).token().add("\\n');\n")
    return Program(
        language=task.language,
        files=(main.file(), draft.file()),
        candidate_file=draft.name,
        candidate_lines=draft.lines,
        deterministic=not task.random_tests,
    )


def visible_test(task: Task, examples: Sequence[Example]) -> str:
    """Write a prompt's examples as the visible test of a task of the family `multipl-e`."""
    from . import multipl_e

    return multipl_e.visible_test(task, examples)


def stub(task: Task) -> Candidate:
    """Return null: the language has no result type to take a zero value from."""
    if task.family == "typed":
        from .driver import typed_stub

        return typed_stub(task)
    return Candidate("  return null;\n}\n", "body")


def cheats(task: Task) -> Sequence[tuple[str, Candidate]]:
    """Wrong candidates that end the process well, or hide that the assertion failed."""
    if task.family == "multipl-e":
        from . import multipl_e

        return multipl_e.cheats(task)
    base = stub(task)

    def inside(statement: str) -> Candidate:
        head, _, value = base.text.rpartition("return ")
        return Candidate(f"{head}{statement} return {value}", base.form)

    def behind(code: str) -> Candidate:
        return Candidate(f"{base.text}\n{code}\n", base.form)

    return (
        ("process.exit in the function", inside("process.exit(0);")),
        ("exit while loading", behind("process.exit(0);")),
        ("console.assert replaced", behind("console.assert = () => {};")),
        (
            "console shadowed",
            behind("globalThis.console.assert(true);\nconst console = { assert() {} };"),
        ),
        ("standard error muted", behind("process.stderr.write = () => true;")),
        ("exception swallowed", behind("process.on('uncaughtException', () => {});")),
        ("JSON.stringify replaced", behind("JSON.stringify = () => '';")),
        (
            "guess on the channel",
            inside("require('fs').writeSync(3, 'passed\\n'); process.exit(0);"),
        ),
    )


def suspicions(task: Task, code: str) -> Sequence[str]:
    """Name the known tricks in `code`, comments and text of strings aside."""
    return _TRICKS.found_in(code)
