"""MultiPL-E in JavaScript: `program.js` is prompt + completion + tests, `main.js` loads it.

The tests call node:assert's deepEqual. Here it can't be replaced, and counts: the end is told only
when as many calls as the tests have held. `program.js` hands back what it calls `assert`, so that
another one of that name is noticed.
"""

from __future__ import annotations

from collections.abc import Sequence

from workbench.benchmarks.continuation import cut, stop_tokens
from workbench.benchmarks.examples import Example, with_assertions
from workbench.benchmarks.task import Task
from workbench.execution.program import Candidate, Program
from workbench.source_text import Draft

_ASSERTION = "assert.deepEqual("

_RUN = """\
'use strict';
const { writeSync } = require('fs');
const assert = require('node:assert');
const deepEqual = assert.deepEqual;
let held = 0;
const counted = (...given) => {
  deepEqual(...given);
  held += 1;
};
Object.defineProperty(assert, 'deepEqual', { value: counted, writable: false, configurable: false });
Object.freeze(assert);
if (require('./program.js') !== assert) throw new Error('assert was replaced');
if (held < {wanted}) throw new Error('not every assertion was reached');
writeSync(3, '"""


def assemble_continued(task: Task, form: str, before: str, text: str, test: str) -> Program:
    """Put a candidate before the tests.

    Args:
        task: of the family.
        form: the candidate's.
        before: what stands before the candidate's text.
        text: of the candidate; a continuation is cut at the stop tokens.
        test: of the suite.

    Raises:
        ValueError: the test asserts nothing.
    """
    wanted = test.count(_ASSERTION)
    if not wanted:
        raise ValueError(f"the tests of task {task.id} assert nothing")
    draft = Draft("program.js").add(before)
    if form == "body":
        draft.candidate(cut(text, stop_tokens(task)))
        draft.add(f"\n{test}\nmodule.exports = assert;\n")
    else:
        # In a block of its own: a program may have an `assert` or a `test` itself.
        draft.candidate(text).add(f"\n{{\n{test}\nmodule.exports = assert;\n}}\n")
    main = Draft("main.js").add(_RUN.replace("{wanted}", str(wanted))).token().add("\\n');\n")
    return Program(
        language=task.language,
        files=(main.file(), draft.file()),
        candidate_file=draft.name,
        candidate_lines=draft.lines,
        deterministic=not task.random_tests,
    )


def visible_test(task: Task, examples: Sequence[Example]) -> str:
    """The prompt's examples as a test in the published form."""
    return with_assertions(
        task.test,
        _ASSERTION,
        examples,
        lambda e: f"  assert.deepEqual(candidate({e.arguments}),{e.value});",
    )


def cheats(task: Task) -> Sequence[tuple[str, Candidate]]:
    """Wrong candidates that end the process well, or hide that an assertion failed."""

    def behind(code: str) -> Candidate:
        return Candidate(f"  return null;\n}}\n{code}\n", "body")

    return (
        ("process.exit in the function", Candidate("  process.exit(0); return null;\n}\n", "body")),
        ("exit while loading", behind("process.exit(0);")),
        ("deepEqual replaced", behind("require('node:assert').deepEqual = () => {};")),
        ("require replaced", behind("require = () => ({ deepEqual() {} });")),
        ("test replaced", behind("var test = () => {};")),
        ("exception swallowed", behind("process.on('uncaughtException', () => {});")),
    )
