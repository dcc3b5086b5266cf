"""What every language's typed program holds, and what it must not."""

from __future__ import annotations

import pytest

from tests.translation.made_typed import LANGUAGES, assembled, in_language, made
from workbench import languages
from workbench.execution.program import Candidate

TASK = made(
    "greet(name: str) -> str",
    [("visibleArgument", "visibleResult")],
    [("heldOutArgument", "heldOutResult")],
)
SIMPLE = {
    "python": "def greet(name):\n    return name\n",
    "cpp": "string greet(string name) {\n    return name;\n}\n",
    "java": "public String greet(String name) {\n    return name;\n}\n",
    "js": "const greet = (name) => name;\n",
    "go": "package main\n\nfunc Greet(name string) string {\n    return name\n}\n",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_held_out_values_are_only_in_the_cases(language: str) -> None:
    program = assembled(in_language(language, TASK), Candidate(SIMPLE[language], "full"))
    text = "".join(piece for file in program.files for piece in file.pieces)
    assert "visibleArgument" in text
    assert "heldOutArgument" in text
    assert "heldOutResult" not in text
    assert program.cases is not None
    assert [case.expected for case in program.cases] == ["visibleResult", "heldOutResult"]
    assert program.cases[1].shown == languages.load(language).printer.call(TASK, TASK.held_out[0])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("form", ["full", "body"])
def test_nothing_held_out_is_in_the_visible_program(language: str, form: str) -> None:
    task = in_language(language, TASK)
    candidate = (
        Candidate(SIMPLE[language], "full")
        if form == "full"
        else languages.load(language).assembly.stub(task)
    )
    program = assembled(task, candidate, "visible")
    assert "heldOut" not in repr(program)
    assert program.cases is not None
    assert len(program.cases) == 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("form", ["full", "body"])
def test_the_candidates_lines_are_marked(language: str, form: str) -> None:
    task = in_language(language, TASK)
    candidate = (
        Candidate(SIMPLE[language], "full")
        if form == "full"
        else languages.load(language).assembly.stub(task)
    )
    program = assembled(task, candidate)
    (file,) = [f for f in program.files if f.name == program.candidate_file]
    first, last = program.candidate_lines
    marked = "\n".join(file.text.split("\n")[first - 1 : last])
    wanted = [line.strip() for line in candidate.text.split("\n") if "package" not in line]
    assert all(line in marked for line in wanted)
    assert "workbench" not in marked
    assert ">>>" not in marked


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_token_has_one_place_outside_the_candidates_reach(language: str) -> None:
    text = SIMPLE[language] + "\n" + {"python": "#", "go": "//"}.get(language, "//") + " @TOKEN@\n"
    task = in_language(language, made("greet(name: str) -> str", [("@TOKEN@", "x")]))
    program = assembled(task, Candidate(text, "full"))
    assert sum(len(file.pieces) - 1 for file in program.files) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_another_suite_or_an_empty_one_is_refused(language: str) -> None:
    task = in_language(language, TASK)
    with pytest.raises(ValueError, match="unknown suite 'plus'"):
        assembled(task, Candidate(SIMPLE[language], "full"), "plus")
    bare = in_language(language, made("greet(name: str) -> str", [], [("a", "b")]))
    with pytest.raises(ValueError, match="no visible cases"):
        assembled(bare, Candidate(SIMPLE[language], "full"), "visible")


@pytest.mark.parametrize("language", LANGUAGES)
def test_floats_are_compared_with_the_tasks_tolerance_and_nothing_else_is(language: str) -> None:
    floats = made("mean(values: list[float]) -> float", [([1.0], 1.0)])
    program = assembled(in_language(language, floats), Candidate("", "full"))
    assert program.cases is not None
    assert (program.cases[0].kind, program.cases[0].tolerance) == ("float", 1e-9)
    program = assembled(in_language(language, TASK), Candidate("", "full"))
    assert program.cases is not None
    assert program.cases[0].kind == "exact"
