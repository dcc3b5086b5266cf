"""What tools print becomes file, line, column and message; what tests say, expected and actual."""

from __future__ import annotations

from dataclasses import asdict
from time import thread_time
from typing import Any

import pytest

from workbench import languages
from workbench.execution.diagnosis import Patterns, diagnose
from workbench.execution.program import (
    CaseReport,
    Clip,
    Diagnostic,
    Execution,
    Program,
    SourceFile,
    StepReport,
    read_execution,
)
from workbench.outcomes import Outcome

LANGUAGES = ("python", "cpp", "java", "js", "go")
BODY = "head\n\n    first;\n  second;\n}\ntest of line six\n"


def said(
    language: str, outcome: str, stderr: str, stdout: str = "", case: CaseReport | None = None
) -> dict[str, Any]:
    """The diagnostic's parts that are there; the candidate's are lines 3 to 5 of its file."""
    name = languages.load(language).source_file
    files = (SourceFile(name, (BODY,)), SourceFile("program_test.go", ("a\nassert.Equal(1)\n",)))
    program = Program(language, files, candidate_file=name, candidate_lines=(3, 5))
    step = "compile" if outcome == "compile_error" else "run"
    streams = (Clip(stdout, "", len(stdout)), Clip(stderr, "", len(stderr)))
    report = StepReport(step, 1, None, 0.1, 0.1, 10.0, *streams)
    patterns = Patterns.of(languages.load(language).settings["outcome"])
    found = diagnose(Outcome(outcome), "the detail", (report,), case, program, patterns)
    assert found is not None
    return {name: value for name, value in asdict(found).items() if value not in ("", None)}


def at(file: str, line: int, column: int | None = None, own: int | None = None) -> dict[str, Any]:
    place = {"file": file, "line": line, "column": column, "own_line": own}
    return {name: value for name, value in place.items() if value is not None}


COMPILE = {
    "python": (
        'Traceback (most recent call last):\n  File "/box/main.py", line 10, in <module>\n'
        '    code = compile(x)\n  File "program.py", line 3\n    first;\n         ^\n'
        "SyntaxError: invalid syntax\n",
        {"message": "SyntaxError: invalid syntax", **at("program.py", 3, 10, 1)},
    ),
    "cpp": (
        "program.cpp: In function 'int f()':\nprogram.cpp:4:3: error: 'second' was not declared\n"
        "    4 |   second;\n      |   ^~~~~~\nprogram.cpp:9:1: error: another\n",
        {"message": "'second' was not declared", **at("program.cpp", 4, 3, 2)},
    ),
    "java": (
        "Main.java:3: error: cannot find symbol\n    first;\n    ^\n"
        "  symbol:   variable first\n  location: class Solution\n1 error\n",
        {"message": "cannot find symbol: variable first", **at("Main.java", 3, 5, 1)},
    ),
    "js": (
        "/box/run/program.js:6\ntest of line six\n     ^^\n\nSyntaxError: Unexpected identifier\n"
        "    at wrapSafe (node:internal/modules/cjs/loader:1472:18)\n",
        {"message": "SyntaxError: Unexpected identifier", **at("program.js", 6, 6)},
    ),
    "go": (
        "# _/box/run\n./program.go:3:5: undefined: first\n./program.go:4:3: undefined: second\n",
        {"message": "undefined: first", **at("program.go", 3, 5, 1)},
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_compile_error_has_its_place(language: str) -> None:
    stderr, wanted = COMPILE[language]
    assert said(language, "compile_error", stderr) == {"kind": "compile", **wanted}


EXCEPTION = {
    "python": (
        'Traceback (most recent call last):\n  File "/box/main.py", line 11, in <module>\n    x\n'
        '  File "program.py", line 6, in check\n    y\n  File "program.py", line 4, in f\n    z\n'
        '  File "/usr/lib/python3.13/json/decoder.py", line 361, in raw_decode\n    w\n'
        "IndexError: list index out of range\n",
        at("program.py", 4, own=2),
    ),
    "java": (
        'Exception in thread "main" java.lang.NullPointerException: x\n'
        "\tat java.base/java.util.Objects.requireNonNull(Objects.java:233)\n"
        "\tat Solution.f(Main.java:3)\n\tat Main.main(Main.java:6)\n",
        at("Main.java", 3, own=1),
    ),
    "js": (
        "/box/run/program.js:4\n  second;\n  ^\n\nReferenceError: second is not defined\n"
        "    at f (/box/run/program.js:4:3)\n    at test (/box/run/program.js:6:1)\n"
        "    at Object.<anonymous> (/box/run/main.js:14:5)\n",
        at("program.js", 4, 3, 2),
    ),
    "go": (
        "panic: boom\n\ngoroutine 5 [running]:\ntesting.tRunner.func1()\n"
        "\t/usr/lib/go-1.24/src/testing/testing.go:1737 +0x35e\n_/box/run.F(...)\n"
        "\t/box/run/program.go:3\n_/box/run.TestF(0xc0)\n\t/box/run/program_test.go:2 +0x25\n",
        at("program.go", 3, own=1),
    ),
}


@pytest.mark.parametrize("language", EXCEPTION)
def test_an_exception_is_where_the_candidate_was(language: str) -> None:
    stderr, wanted = EXCEPTION[language]
    found = said(language, "runtime_error", stderr)
    assert found == {"kind": "exception", "message": "the detail", **wanted}


def test_a_thrown_value_without_a_trace_has_its_place() -> None:
    stderr = "\n/box/run/program.js:3\n    first;\n    ^\nx\n(Use `node --trace-uncaught ...` to\n"
    wanted = {"kind": "exception", "message": "x", **at("program.js", 3, 5, 1)}
    assert said("js", "runtime_error", stderr) == wanted


def test_what_an_uncaught_exception_says_is_one_line() -> None:
    stderr = "terminate called after throwing an instance of 'std::out_of_range'\n  what():  v.at\n"
    message = "terminate called after throwing an instance of 'std::out_of_range' what(): v.at"
    assert said("cpp", "runtime_error", stderr) == {"kind": "exception", "message": message}


def test_assertions_are_told_with_what_the_test_says() -> None:
    stderr = "program: program.cpp:6: int main(): Assertion `f(2)==true' failed.\n"
    found = said("cpp", "wrong_answer", stderr)
    assert (found["assertion"], found["line"]) == ("f(2)==true", 6)
    assert "own_line" not in found

    stderr = "AssertionError: Assertion failed\n    at test (/box/run/program.js:6:11)\n"
    assert said("js", "wrong_answer", stderr)["assertion"] == "test of line six"

    stdout = (
        "--- FAIL: TestF (0.00s)\n    program_test.go:2: \n        \tError Trace:\t"
        "/box/run/program_test.go:2\n        \tError:      \tNot equal: \n"
        "        \t            \texpected: 5\n        \t            \tactual  : 3\n"
    )
    found = said("go", "wrong_answer", "", stdout)
    assert (found["assertion"], found["expected"], found["actual"]) == ("assert.Equal(1)", "5", "3")
    assert (found["file"], found["line"]) == ("program_test.go", 2)

    stderr = '  File "program.py", line 6, in check\n    x\nAssertionError: 3 != 5\n'
    found = said("python", "wrong_answer", stderr)
    assert (found["actual"], found["expected"]) == ("3", "5")

    stderr = (
        "AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal:\n"
        "    at test (/box/run/program.js:6:8) {\n  generatedMessage: true,\n  actual: [ 1 ],\n"
        "  expected: [ 2 ],\n  operator: 'deepEqual'\n}\n"
    )
    found = said("js", "wrong_answer", stderr)
    assert (found["actual"], found["expected"]) == ("[ 1 ]", "[ 2 ]")


def test_a_data_case_tells_the_call_with_expected_and_actual() -> None:
    case = CaseReport(2, "[1, 2]", "[2]", "f(3)")
    assert said("python", "wrong_answer", "", case=case) == {
        "kind": "case", "message": "the detail", "assertion": "f(3)",
        "expected": "[1, 2]", "actual": "[2]",
    }  # fmt: skip


def test_what_ran_into_a_limit_names_no_place() -> None:
    stderr = '  File "program.py", line 3, in f\n'
    assert said("python", "timeout", stderr) == {"kind": "limit", "message": "the detail"}


@pytest.mark.parametrize("outcome", ["passed", "no_code", "refused", "sandbox_error"])
def test_where_nothing_failed_in_a_program_there_is_none(outcome: str) -> None:
    step = StepReport("run", 0, None, 0.1, 0.1, 1.0, Clip(), Clip("x.cpp:1:1: error: no"))
    program = Program("cpp", (SourceFile("x.cpp", ("",)),))
    patterns = Patterns.of(languages.load("cpp").settings["outcome"])
    assert diagnose(Outcome(outcome), "", (step,), None, program, patterns) is None


def test_files_that_arent_the_programs_name_no_place() -> None:
    found = said("cpp", "compile_error", "/usr/include/vector:3:4: error: deep in a header\n")
    assert "line" not in found


def test_foreign_text_is_cut_and_made_safe() -> None:
    stderr = "program.cpp:3:5: error: \x1b[31mred\x1b[0m \u202e" + "x" * 5_000 + "\n"
    message = said("cpp", "compile_error", stderr)["message"]
    assert "\x1b" not in message
    assert "\u202e" not in message
    assert len(message) <= 300


@pytest.mark.parametrize("language", LANGUAGES)
def test_output_made_to_be_hard_to_search_takes_little_time(language: str) -> None:
    began = thread_time()
    pieces = ("\n", " ", "\t", "/", "    at /", '  File "', "a: b:1: ", "!= ", "`' failed.")
    for piece in pieces:
        said(language, "wrong_answer", piece * 20_000, (piece * 90 + "\n") * 200)
    assert thread_time() - began < 0.1 * len(pieces)


def test_an_execution_with_a_diagnostic_reads_back() -> None:
    found = Execution(Outcome.COMPILE_ERROR, "x", diagnostic=Diagnostic("compile", "x", "a.go", 3))
    assert read_execution(asdict(found)) == found
