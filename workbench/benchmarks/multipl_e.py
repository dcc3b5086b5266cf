"""MultiPL-E: HumanEval and MBPP translated by machine; a program is prompt + completion + tests.

A completion is cut at the stop tokens of its row. Where the language closes a function by a brace,
the tests begin with that brace, so a completion has none. There are no reference solutions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import cast

from workbench import languages as language_folders
from workbench.benchmarks.continuation import PART
from workbench.benchmarks.examples import Example, examples_in
from workbench.benchmarks.rows import Row
from workbench.benchmarks.task import Task
from workbench.errors import DataError

FIELDS = ("name", "language", "prompt", "tests", "stop_tokens")

LANGUAGES = {"py": "python", "cpp": "cpp", "java": "java", "js": "js", "go_test.go": "go"}
"""Language id by the publisher's."""

WRONG_EXAMPLES: Mapping[str, str] = {
    "HumanEval_47_median": "wants 15.0 for the median of -10, 4, 6, 1000, 10, 20",
    "HumanEval_116_sort_array": "sorts by value, where the task and its tests sort by ones",
    "HumanEval_128_prod_signs": "has lost the minus of -9",
    "HumanEval_140_fix_spaces": "has lost the underscore for a leading space",
    "HumanEval_148_bf": "wants one text where the tests want several",
}
"""Why a task's examples are wrong, in every language: such a task has no visible tests."""

UNTYPED_EXAMPLES = frozenset(
    f"{language}/HumanEval_{name}"
    for name, languages in {
        "22_filter_integers": ("cpp", "java", "go"),
        "87_get_row": ("go",),
        "95_check_dict_case": ("cpp", "java", "go"),
        "137_compare_one": ("cpp",),
        "151_double_the_difference": ("java", "go"),
    }.items()
    for language in languages
)
"""Tasks whose examples have values of other types than the function takes: they don't compile."""

_Writer = Callable[[Task, Sequence[Example]], str]

_NAME = re.compile(r"[A-Za-z]+_(\d+)_\w+")
# The last function that the prompt opens.
_ENTRY_POINT = {
    "python": r"^def (\w+)\(",
    "cpp": r"(\w+)\([^()]*\) \{\s*$",
    "java": r"(\w+)\([^()]*\) \{\s*$",
    "js": r"^function (\w+)\(",
    "go": r"^func (\w+)\(",
}


def recognises(row: Row) -> bool:
    """Whether a row has MultiPL-E's fields and one of its languages."""
    known = row.fields.get("language") in LANGUAGES
    return known and all(field in row.fields for field in FIELDS)


def tasks(rows: Sequence[Row], benchmark: str) -> list[Task]:
    """The tasks of MultiPL-E's rows, of whatever languages.

    Raises:
        DataError: a field is missing or isn't as it should be; the line names it.
    """
    writers = cache(_writer)  # a folder is read once a call, not once a task
    made = (_task(row, benchmark) for row in rows)
    return [replace(task, visible_test=_visible_test(task, writers)) for task in made]


def _task(row: Row, benchmark: str) -> Task:
    name, published, prompt = (row.text(f) for f in ("name", "language", "prompt"))
    if published not in LANGUAGES:
        raise DataError(f"{row.place}: language {published!r} is none of {', '.join(LANGUAGES)}")
    language = LANGUAGES[published]
    number = _NAME.fullmatch(name)
    if number is None:
        raise DataError(f"{row.place}: name {name!r} isn't such as HumanEval_0_has_close_elements")
    functions = re.findall(_ENTRY_POINT[language], prompt, re.MULTILINE)
    if not functions:
        raise DataError(f"{row.place}: no function found at the end of field 'prompt'")
    return Task(
        benchmark=benchmark,
        family="multipl-e",
        id=f"{language}/{name}",
        problem=number[1],
        language=language,
        entry_point=functions[-1],
        prompt=prompt,
        reference="",
        test=row.text("tests"),
        parts={"name": name, PART: json.dumps(_stop_tokens(row))},
    )


def _stop_tokens(row: Row) -> list[str]:
    value = row.fields.get("stop_tokens")
    if not isinstance(value, list):
        raise DataError(f"{row.place}: field 'stop_tokens' is no list of texts")
    tokens = cast(list[object], value)
    if not all(isinstance(token, str) for token in tokens):
        raise DataError(f"{row.place}: field 'stop_tokens' is no list of texts")
    return cast(list[str], tokens)


def _writer(language: str) -> _Writer | None:
    return getattr(language_folders.load(language).assembly, "visible_test", None)


def _visible_test(task: Task, writers: Callable[[str], _Writer | None]) -> str:
    """The prompt's examples as a test; empty when it has none that call the entry point.

    They are translated like the tests, so a language's hook can write them as such
    (`visible_test(task, examples)` in its assembly.py).
    """
    if task.parts["name"] in WRONG_EXAMPLES or task.id in UNTYPED_EXAMPLES:
        return ""
    examples = examples_in(task.prompt, task.entry_point)
    hook = writers(task.language) if examples else None
    return hook(task, examples) if hook is not None else ""
