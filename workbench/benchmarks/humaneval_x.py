"""HumanEval-X: HumanEval's problems by hand in five languages; the tests call the function."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from workbench.benchmarks.defects import Defect, reason_in
from workbench.benchmarks.rows import Row
from workbench.benchmarks.task import Task
from workbench.errors import DataError

FIELDS = ("task_id", "prompt", "declaration", "canonical_solution", "test", "example_test")
_PARTS = ("declaration", "import", "docstring", "test_setup", "text")

LANGUAGES = {"Python": "python", "CPP": "cpp", "Java": "java", "JavaScript": "js", "Go": "go"}
"""Language id by the first half of a task's id."""

RANDOM_TESTS = frozenset({"32", "38", "50", "53"})
"""Problems whose tests draw random inputs, in every language."""

WRONG_REFERENCES: Mapping[str, Defect] = {
    "JavaScript/112": Defect(
        "e090f783105e064b", "returns `(z, true)`, the boolean alone, where a pair is wanted"
    ),
    "JavaScript/155": Defect("86c87ec7165b3d51", "counts no even digit in 0, where one is wanted"),
}
"""References that fail their own test, which is right."""

WRONG_EXAMPLES: Mapping[str, Defect] = {
    "JavaScript/32": Defect(
        "5827cabfcccae312", "example_test calls testfindZero, which it doesn't define"
    ),
}
"""Visible tests that no solution can pass: such a task has none."""

BARE_TESTS = {
    "python": "pass\n",
    "cpp": "int main() {\n    return 0;\n}\n",
    "java": "public class Main {\n    public static void main(String[] args) {\n    }\n}\n",
    "js": ";\n",
    "go": "func TestNothing(t *testing.T) {\n}\n",
}
"""A test in the benchmark's form that tests nothing, for tasks without examples: with it a program
can be compiled and loaded."""

# The name before the parameters of the last function that a declaration opens.
_ENTRY_POINT = {
    "python": r"^def\s+(\w+)\s*\(",
    "cpp": r"(\w+)\s*\([^(){}]*\)\s*\{",
    "java": r"(\w+)\s*\([^(){}]*\)\s*(?:throws\s+[\w.,\s]+)?\{",
    "js": r"^(?:const|let|var)\s+(\w+)\s*=|^function\s+(\w+)",
    "go": r"^func\s+(\w+)\s*\(",
}
_NO_FUNCTIONS = frozenset({"for", "while", "if", "switch", "catch"})


def recognises(row: Row) -> bool:
    """Whether a row has HumanEval-X's fields and one of its languages."""
    known = str(row.fields.get("task_id", "")).split("/", 1)[0] in LANGUAGES
    return known and all(field in row.fields for field in FIELDS)


def tasks(rows: Sequence[Row], benchmark: str) -> list[Task]:
    """The tasks of HumanEval-X's rows, of whatever languages.

    Raises:
        DataError: a field is missing or the language is none of the five; the line names it.
    """
    return [_task(row, benchmark) for row in rows]


def entry_point(language: str, declaration: str) -> str:
    """Name of the function that a declaration opens; empty when none can be found."""
    found = re.findall(_ENTRY_POINT[language], declaration, re.MULTILINE)
    names = ["".join(match) for match in found]
    return next((name for name in reversed(names) if name not in _NO_FUNCTIONS), "")


def _task(row: Row, benchmark: str) -> Task:
    name = row.text("task_id")
    prefix, _, problem = name.partition("/")
    if prefix not in LANGUAGES:
        raise DataError(f"{row.place}: task_id {name!r} begins with none of {', '.join(LANGUAGES)}")
    language = LANGUAGES[prefix]
    called = entry_point(language, row.text("declaration"))
    if not called:
        raise DataError(f"{row.place}: no function found in field 'declaration'")
    reference, examples = row.text("canonical_solution"), row.text("example_test")
    return Task(
        benchmark=benchmark,
        family="humaneval-x",
        id=name,
        problem=problem,
        language=language,
        entry_point=called,
        prompt=row.text("prompt"),
        reference=reference,
        test=row.text("test"),
        visible_test="" if reason_in(WRONG_EXAMPLES, name, examples) else examples,
        parts={
            **{part: row.text(part) for part in _PARTS if part in row.fields},
            "bare_test": BARE_TESTS[language],
        },
        random_tests=problem in RANDOM_TESTS,
        reference_known_bad=reason_in(WRONG_REFERENCES, name, reference),
    )
