"""Like errors are counted together; a cell at 0 % is called suspicious, with what to check."""

from __future__ import annotations

import json

import pytest

from workbench.execution.program import Diagnostic
from workbench.report import diagnoses as report
from workbench.report.diagnoses import CellDiagnoses
from workbench.session.diagnoses import KEPT, OTHER, Diagnoses, Failure, normal, of_failures


def failure(outcome: str, message: str, index: int = 0, **told: str | int) -> Failure:
    kinds = {"compile_error": "compile", "wrong_answer": "assertion"}
    found = Diagnostic(kinds.get(outcome, "exception"), message, **told)  # type: ignore[arg-type]
    return Failure(outcome, message, found, "t/1", index)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("‘foo’ was not declared in this scope", "‘bar’ was not declared in this scope"),
        ("NameError: name 'a' is not defined", "NameError: name 'long_name' is not defined"),
        ("index 5 out of bounds for length 3", "index 10 out of bounds for length 0"),
        ("undefined: foo", "undefined: Bar"),
        ("cannot find symbol: variable x", "cannot find symbol: variable total"),
        ("cannot find symbol: method f(int)", "cannot find symbol: method g(String,int)"),
        ("program.cpp:3:4: error: expected ;", "program.cpp:30:1: error: expected ;"),
        ("run stopped after 10.1 s of CPU time", "run stopped after 10.2 s of CPU time"),
    ],
)
def test_errors_of_a_kind_count_together(one: str, other: str) -> None:
    assert normal(failure("compile_error", one)) == normal(failure("compile_error", other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("undefined: foo", "declared and not used: foo"),
        ("NameError: name 'a' is not defined", "TypeError: 'a' is not callable"),
        ("cannot find symbol: variable x", "cannot find symbol: method x()"),
    ],
)
def test_other_errors_count_apart(one: str, other: str) -> None:
    assert normal(failure("runtime_error", one)) != normal(failure("runtime_error", other))


def test_failed_assertions_are_one_kind_unless_they_have_words() -> None:
    first = failure("wrong_answer", "assert f(1) == 2", assertion="assert f(1) == 2")
    second = failure("wrong_answer", "assert g(3) == 4", assertion="assert g(3) == 4")
    words = Failure(
        "wrong_answer", "AssertionError: too long",
        Diagnostic("assertion", "too long", assertion="assert h()"), "t/1", 0,
    )  # fmt: skip
    assert normal(first) == normal(second) == "an assertion failed"
    assert normal(words) == "too long"


def test_the_commonest_come_first_each_with_an_example() -> None:
    found = of_failures(
        [
            *(failure("compile_error", f"undefined: x{i}", i) for i in range(5)),
            *(failure("runtime_error", "panic: it went boom", i) for i in range(7)),
            *(failure("runtime_error", f"kind {chr(97 + i)} of panic") for i in range(20)),
        ]
    )
    top = found.top()
    assert found.failed == 32
    assert len(top) == 10
    assert [(d.outcome, d.message, d.count) for d in top[:2]] == [
        ("runtime_error", "panic: it went boom", 7),
        ("compile_error", "undefined: …", 5),
    ]
    assert top[1].example.detail == "undefined: x0"


def test_memory_is_bounded_whatever_programs_print() -> None:
    words = (f"{chr(97 + i // 676 % 26)}{chr(97 + i // 26 % 26)}{chr(97 + i % 26)}{'x' * (i // 17576)}"
             for i in range(KEPT + 500))  # fmt: skip
    found = of_failures(failure("runtime_error", word) for word in words)
    assert found.top(1)[0].message == OTHER
    assert found.top(1)[0].count == 500


def cell(scored: int, passed: int, *failures: Failure) -> CellDiagnoses:
    return CellDiagnoses("go", "plain", "f" * 12, scored, passed, of_failures(failures))


def test_a_cell_at_zero_is_suspicious_and_says_what_to_check() -> None:
    found = cell(5, 0, *(failure("compile_error", f"undefined: x{i}") for i in range(5)))
    text = "\n".join(report.as_lines([found]))
    assert "suspicious: 0 %: none of 5 passed" in text
    assert "extraction and the toolchain" in text
    assert "commonest: compile error: undefined: … (5)" in text
    assert "suspicious" in "\n".join(report.as_markdown([found]))
    none = cell(5, 0, *(Failure("no_code", "there is no code", None, "t/1", i) for i in range(5)))
    assert "extraction and the prompt style" in none.suspicious
    assert cell(5, 1).suspicious == ""
    assert cell(0, 0).suspicious == ""


def test_examples_say_where_and_what_was_expected() -> None:
    located = failure("compile_error", "undefined: x", file="a.go", line=12, column=3, own_line=2)
    compared = failure("wrong_answer", "Not equal", 4, assertion="f(2)", expected="5", actual="3")
    text = "\n".join(report.as_lines([cell(9, 1, located, compared)]))
    assert "such as t/1:0 undefined: x (a.go:12:3, line 2 of the answer)" in text
    assert "such as t/1:4 f(2): expected 5, got 3" in text


def test_json_has_counts_shares_and_examples() -> None:
    body = cell(
        8, 4, *(failure("runtime_error", "panic: it went boom", i) for i in range(4))
    ).to_json()
    (top,) = json.loads(json.dumps(body))["top"]
    assert (body["failed"], top["count"], top["share"]) == (4, 4, 1.0)
    assert top["example"]["task_id"] == "t/1"
    assert top["example"]["diagnostic"]["message"] == "panic: it went boom"


def test_foreign_text_is_harmless_in_every_form() -> None:
    bad = failure("runtime_error", "\x1b[31m| <b>*x*</b> \u202e")
    for lines in (report.as_lines([cell(3, 1, bad)]), report.as_markdown([cell(3, 1, bad)])):
        text = "\n".join(lines)
        assert "\x1b" not in text
        assert "\u202e" not in text
    assert "\\| \\<b\\>" in "\n".join(report.as_markdown([cell(3, 1, bad)]))


def test_an_empty_cell_says_nothing() -> None:
    assert report.as_lines([cell(3, 3)]) == []
    assert Diagnoses().top() == []
