"""MultiPL-E in Go: prompt + completion + tests are one `_test.go` file, as published.

The prompt has the package clause and imports testing and fmt; a continuation can import no more,
and what it then lacks is a compile error, as with the published judge. A whole program brings its
own imports, and is put together like any other (`assembly.py`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from workbench.benchmarks.continuation import cut, stop_tokens
from workbench.benchmarks.examples import Example, with_assertions
from workbench.benchmarks.task import Task
from workbench.execution.program import Candidate
from workbench.source_text import Draft

_HEAD = re.compile(r"\A\s*package (\w+)\s*\n(import \((?:[^()]*)\))?")


@lru_cache(maxsize=2048)
def _head(prompt: str) -> tuple[str, str, str]:
    """The prompt's package, its import block, and what follows.

    Raises:
        ValueError: there is no package clause.
    """
    found = _HEAD.match(prompt)
    if found is None:
        raise ValueError("the prompt doesn't begin with a package clause")
    return found[1], found[2] or "", prompt[found.end() :]


def package_of(task: Task) -> str:
    """The package that the prompt belongs to."""
    return _head(task.prompt)[0]


def without_head(task: Task) -> Task:
    """The same task with package and imports beside the prompt instead of in it."""
    package, imports, rest = _head(task.prompt)
    setup = f"package {package}\n\n{imports}\n"
    return replace(task, prompt=rest, parts={**task.parts, "import": "", "test_setup": setup})


def one_file(task: Task, candidate: Candidate, test: str) -> Draft:
    """The published program of a continuation, in one file.

    Raises:
        ValueError: the tests have no function whose end could be found.
    """
    head, brace, tail = test.rpartition("}")
    if not brace:
        raise ValueError("the tests have no function whose end could be found")
    draft = Draft("program_test.go").add(task.prompt)
    draft.candidate(cut(candidate.text, stop_tokens(task)))
    return draft.add(f'\n{head}\n    workbenchReached(t, "').token().add(f'")\n{brace}{tail}')


def visible_test(task: Task, examples: Sequence[Example]) -> str:
    """The prompt's examples as a test in the published form."""
    return with_assertions(
        task.test,
        "{ actual: candidate(",
        examples,
        lambda e: f"     {{ actual: candidate({e.arguments}), expected: {e.value} }},",
    )
