"""Python's driver, run with this interpreter: what is written, what ends it, what can't fool it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from tests.translation.made_typed import assembled, in_language, made, run_python
from workbench.execution.program import Candidate, Program

ECHO = made("echo(text: str) -> str", [("seen", "seen")], [("kept back", "kept back")])


def program(returned: str, before: str = "") -> Program:
    task = in_language("python", ECHO)
    text = f"{before}\ndef echo(text):\n    return {returned}\n"
    return assembled(task, Candidate(text, "full"))


def first(tmp_path: Path, returned: str, before: str = "") -> Any:
    exit_code, values, ended, stderr = run_python(program(returned, before), tmp_path)
    assert exit_code == 0, stderr
    assert ended
    assert len(values) == 2
    return values[0]


@pytest.mark.parametrize(
    ("returned", "value"),
    [
        ("text", "seen"),
        ("'a\"b\\\\c\\n\\x00\\u20ac\\U0001f600'", 'a"b\\c\n\0€😀'),
        ("'\\ud800'", "\ud800"),
        ("True", True),
        ("-12345678901234567890", -12345678901234567890),
        ("0.1", 0.1),
        ("float('-inf')", -math.inf),
        ("[1, (2, [None])]", [1, [2, [None]]]),
        ("{'a': {}, 'b': []}", {"a": {}, "b": []}),
        ("{2: 'b', 1: 'a'}", [[1, "a"], [2, "b"]]),
    ],
)
def test_a_value_is_written_as_what_it_is(tmp_path: Path, returned: str, value: Any) -> None:
    found = first(tmp_path, returned)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("returned", "named"),
    [
        ("{1, 2}", "set"),
        ("map(str, [1])", "map"),
        ("b'x'", "bytes"),
        ("echo", "function"),
        ("1j", "complex"),
        ("10 ** 5000", "int too large"),
    ],
)
def test_another_type_equals_nothing_and_breaks_nothing(
    tmp_path: Path, returned: str, named: str
) -> None:
    assert first(tmp_path, returned) == {"__type__": named}


def test_a_list_that_holds_itself_is_written_to_a_depth(tmp_path: Path) -> None:
    found = first(tmp_path, "loop()", "def loop():\n    x = []\n    x.append(x)\n    return x\n")
    for _ in range(61):
        (found,) = found
    assert found == {"__type__": "nested too deep"}


def test_overridden_methods_of_a_result_are_never_asked(tmp_path: Path) -> None:
    liar = (
        "class Liar(str):\n"
        "    def __eq__(self, other): return True\n"
        "    __class__ = int\n"
        "    def __str__(self): return 'seen'\n"
        "    def __iter__(self): return iter('seen')\n"
    )
    assert first(tmp_path, "Liar('wrong')", liar) == "wrong"
    assert first(tmp_path, "Odd()", "class Odd:\n    __eq__ = lambda a, b: True\n") == {
        "__type__": "Odd"
    }


def test_what_the_candidate_prints_or_tests_of_its_own_changes_nothing(tmp_path: Path) -> None:
    noise = "print('0123456789abcdef' * 2, 'end')\nif __name__ == '__main__':\n    raise SystemExit(3)\n"
    assert first(tmp_path, "text", noise) == "seen"


@pytest.mark.parametrize(
    ("before", "returned"),
    [
        ("import sys", "sys.exit(0)"),
        ("import os", "os._exit(0)"),
        ("raise SystemExit(0)", "text"),
    ],
)
def test_an_early_exit_never_reaches_the_end(tmp_path: Path, before: str, returned: str) -> None:
    exit_code, values, ended, _ = run_python(program(returned, before), tmp_path)
    assert exit_code == 0
    assert not values
    assert not ended


def test_an_exception_ends_the_program_as_any_other(tmp_path: Path) -> None:
    exit_code, _, ended, stderr = run_python(program("1 // 0"), tmp_path)
    assert exit_code == 1
    assert not ended
    assert "program.py" in stderr
    assert stderr.strip().endswith("ZeroDivisionError: integer division or modulo by zero")


def test_a_case_that_fails_late_leaves_the_earlier_values(tmp_path: Path) -> None:
    _, values, ended, _ = run_python(program("text if text == 'seen' else 1 // 0"), tmp_path)
    assert values == ["seen"]
    assert not ended


def test_a_missing_function_is_the_candidates_error(tmp_path: Path) -> None:
    task = in_language("python", ECHO)
    made_program = assembled(task, Candidate("def other(text): return text\n", "full"))
    exit_code, _, _, stderr = run_python(made_program, tmp_path)
    assert exit_code == 1
    assert "has no attribute 'echo'" in stderr


def test_a_syntax_error_names_the_candidates_file_and_line(tmp_path: Path) -> None:
    task = in_language("python", ECHO)
    made_program = assembled(task, Candidate("    return (\n", "body"))
    exit_code, _, _, stderr = run_python(made_program, tmp_path)
    assert exit_code == 1
    assert f'File "program.py", line {made_program.candidate_lines[0]}' in stderr
    assert "SyntaxError" in stderr


def test_dataclasses_and_annotations_find_their_module(tmp_path: Path) -> None:
    before = (
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "@dataclass\nclass Box:\n    text: str\n"
    )
    assert first(tmp_path, "Box(text).text", before) == "seen"
