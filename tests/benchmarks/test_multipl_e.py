"""MultiPL-E's rows as tasks, and how its programs are put together."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.made_families import LANGUAGES, MULTIPL_E
from workbench import languages
from workbench.benchmarks.continuation import cut, stop_tokens
from workbench.benchmarks.load import load, load_set
from workbench.benchmarks.registry import benchmark, benchmarks
from workbench.benchmarks.selection import parse_selection
from workbench.benchmarks.task import Task
from workbench.errors import DataError, UsageError
from workbench.execution.program import TOKEN_MARK, Candidate
from workbench.samples import candidates_from

Write = Callable[..., Path]


@pytest.fixture
def tasks(write_jsonl: Write) -> dict[str, Task]:
    """The made task in every language."""
    path = write_jsonl("made.jsonl", *(MULTIPL_E[name].row for name in LANGUAGES))
    return {task.language: task for task in load(None, problems=path)}


def put_together(task: Task, text: str, form: str = "body", suite: str = "scored") -> str:
    """All files of a program."""
    hooks = languages.load(task.language).assembly
    program = hooks.assemble(task, Candidate(text, form), suite)  # pyright: ignore[reportArgumentType]
    return "\n".join(f"== {file.name}\n{file.text}" for file in program.files)


def test_a_task_is_called_by_language_and_name(tasks: dict[str, Task]) -> None:
    assert [t.id for t in tasks.values()] == [f"{x}/HumanEval_900_ends" for x in LANGUAGES]
    assert {t.problem for t in tasks.values()} == {"900"}
    assert {t.family for t in tasks.values()} == {"multipl-e"}
    assert {t.entry_point for t in tasks.values()} == {"ends"}
    assert not any(t.reference or t.random_tests for t in tasks.values())


@pytest.mark.parametrize("field", ["name", "prompt", "tests", "stop_tokens"])
def test_a_missing_field_names_line_and_field(write_jsonl: Write, field: str) -> None:
    row = {k: v for k, v in MULTIPL_E["js"].row.items() if k != field}
    with pytest.raises(DataError, match=rf"line 2: field '{field}' is"):
        load(None, problems=write_jsonl("p.jsonl", MULTIPL_E["cpp"].row, row))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"language": "rs"}, "language 'rs' is none of py, cpp, java, js, go_test.go"),
        ({"name": "ends"}, "name 'ends' isn't such as"),
        ({"prompt": "// nothing\n"}, "no function found"),
        ({"stop_tokens": "}"}, "'stop_tokens' is no list of texts"),
        ({"stop_tokens": ["}", 3]}, "'stop_tokens' is no list of texts"),
    ],
)
def test_a_row_that_isnt_right_is_refused(
    write_jsonl: Write, changes: dict[str, Any], said: str
) -> None:
    path = write_jsonl("p.jsonl", MULTIPL_E["cpp"].row, {**MULTIPL_E["js"].row, **changes})
    with pytest.raises(DataError, match=said):
        load(None, problems=path)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_continuation_is_cut_at_the_stop_tokens(tasks: dict[str, Task], language: str) -> None:
    made, task = MULTIPL_E[language], tasks[language]
    text = put_together(task, made.runs_on)
    assert "more(" in made.runs_on
    assert "more(" not in text
    assert made.good.strip("\n}") in text
    text = cut(made.runs_on, stop_tokens(task))
    assert cut(text, stop_tokens(task)) == text


def test_cut_takes_the_first_token_wherever_it_stands() -> None:
    assert cut("a\n}b", ["\n}", "x"]) == "a"
    assert cut("ab struct c\n}", ["\n}", "struct"]) == "ab "
    assert cut("abc", []) == "abc"
    assert cut("\n}abc", ["\n}"]) == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_program_is_prompt_completion_and_tests(tasks: dict[str, Task], language: str) -> None:
    """Nothing published is lost: only lines of assembly's own come between and behind."""
    made, task = MULTIPL_E[language], tasks[language]
    text = put_together(task, made.good)
    joined = f"{task.prompt}{made.good}\n{task.test}"
    lines, wanted = text.split("\n"), [line for line in joined.split("\n") if line.strip()]
    for line in wanted:
        while lines and lines[0] != line:
            lines.pop(0)
        assert lines, f"{line!r} isn't there, or not in order"
    assert text.count(TOKEN_MARK) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_token_comes_after_the_last_assertion(tasks: dict[str, Task], language: str) -> None:
    text = put_together(tasks[language], MULTIPL_E[language].good)
    if language in ("python", "js"):
        main = text[text.index("== main") : text.index("== program")]
        assert TOKEN_MARK in main[main.index("program.") :]
    else:
        assert text.index(TOKEN_MARK) > text.rindex("8")


def test_cpp_defines_assert_anew_behind_the_candidate(tasks: dict[str, Task]) -> None:
    text = put_together(tasks["cpp"], "#define assert(x)\n    return {};")
    assert text.index("#undef NDEBUG\n#include <assert.h>") > text.index("return {};\n}")
    assert text.index("#undef NDEBUG") < text.index("int main()")


def test_java_asserts_and_finds_javatuples(tasks: dict[str, Task]) -> None:
    program = languages.load("java").assembly.assemble(
        tasks["java"], Candidate(MULTIPL_E["java"].good, "body"), "scored"
    )
    assert "-ea" in program.options["run_options"]
    assert any("javatuples" in word for word in program.options["compile_options"])
    assert any("javatuples" in word for word in program.options["run_options"])
    words = json.dumps(languages.load("java").settings["run"]["argv"])
    assert "{run_options}" in words


def test_java_gives_a_whole_program_the_tests_main_and_no_other(tasks: dict[str, Task]) -> None:
    text = put_together(tasks["java"], MULTIPL_E["java"].whole, "full")
    assert "RuntimeException" not in text
    assert text.count("static void main") == 2  # the tests', and the one that calls it
    assert "public class Ends" not in text


def test_go_puts_a_continuation_into_one_test_file_of_the_published_package(
    tasks: dict[str, Task],
) -> None:
    text = put_together(tasks["go"], MULTIPL_E["go"].good)
    assert "== program_test.go" in text
    assert "== program.go" not in text
    assert text.count("package ends_test") == 2


def test_go_gives_a_whole_program_its_own_imports(tasks: dict[str, Task]) -> None:
    text = put_together(tasks["go"], MULTIPL_E["go"].whole, "full")
    head = text[text.index("== program.go") : text.index("== program_test.go")]
    assert '"sort"' in head
    assert "package main" not in head


def test_js_counts_assertions_and_knows_its_assert(tasks: dict[str, Task]) -> None:
    text = put_together(tasks["js"], MULTIPL_E["js"].good)
    assert "held < 2" in text
    assert "module.exports = assert;" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_visible_tests_are_the_examples_that_call_the_function(
    tasks: dict[str, Task], language: str
) -> None:
    test = tasks[language].visible_test
    assert "tails" not in test
    assert "4" in test
    for scored in ("3", "5", "8"):
        assert scored not in test
    text = put_together(tasks[language], MULTIPL_E[language].good, suite="visible")
    assert "8" not in text.replace("utf-8", "")
    assert text.count(TOKEN_MARK) == 1


def test_a_prompt_without_examples_has_no_visible_tests(write_jsonl: Write) -> None:
    row = MULTIPL_E["js"].row
    bare = {**row, "prompt": "//First and last.\nfunction ends(numbers){\n"}
    (task,) = load(None, problems=write_jsonl("p.jsonl", bare))
    assert not task.has_visible_tests
    with pytest.raises(ValueError, match="no visible tests"):
        put_together(task, MULTIPL_E["js"].good, suite="visible")


def test_examples_known_to_be_wrong_are_no_visible_tests(write_jsonl: Write) -> None:
    row = {**MULTIPL_E["js"].row, "name": "HumanEval_47_median"}
    (task,) = load(None, problems=write_jsonl("p.jsonl", row))
    assert not task.has_visible_tests


def test_samples_may_be_called_by_the_published_name_in_one_language(
    tasks: dict[str, Task], write_jsonl: Write
) -> None:
    short = write_jsonl("s.jsonl", {"task_id": "HumanEval_900_ends", "completion": "  x"})
    whole = write_jsonl("w.jsonl", {"task_id": "go/HumanEval_900_ends", "completion": "  x"})
    assert candidates_from(short, [tasks["js"]]).samples[0].task_id == "js/HumanEval_900_ends"
    both = [tasks["js"], tasks["go"]]
    assert candidates_from(whole, both, subset=True).counts["go/HumanEval_900_ends"] == 1
    with pytest.raises(DataError, match="no task 'HumanEval_900_ends' among the 2 chosen"):
        candidates_from(short, both, subset=True)


@pytest.mark.parametrize("name", ["multipl-e/humaneval", "multipl-e/mbpp"])
def test_the_licence_and_what_it_forbids_are_known(name: str) -> None:
    known = benchmark(name)
    assert "training" in known.notice
    assert "training" in known.licence
    assert all(file.url.count(known.revision) == 1 for file in known.files)


def test_only_licences_that_ask_for_it_have_a_notice() -> None:
    assert [b.id for b in benchmarks().values() if b.notice] == [
        "multipl-e/humaneval",
        "multipl-e/mbpp",
    ]


def test_a_problems_file_of_another_family_is_refused(write_jsonl: Write) -> None:
    path = write_jsonl("p.jsonl", MULTIPL_E["js"].row)
    with pytest.raises(UsageError, match="format of multipl-e, not of humaneval-x"):
        load("humaneval-x", problems=path)


@pytest.mark.parametrize(
    ("name", "counts", "visible"),
    [
        ("multipl-e/humaneval", (161, 161, 158, 161, 154), (149, 146, 142, 148, 139)),
        ("multipl-e/mbpp", (399, 398, 387, 399, 375), (0, 0, 0, 0, 0)),
    ],
)
def test_the_published_files_load_whole(
    shared_data: Path, name: str, counts: tuple[int, ...], visible: tuple[int, ...]
) -> None:
    found = load_set(name, data_dir=shared_data)
    by_language = {x: [t for t in found.tasks if t.language == x] for x in LANGUAGES}
    assert tuple(len(by_language[x]) for x in LANGUAGES) == counts
    shown = tuple(sum(t.has_visible_tests for t in by_language[x]) for x in LANGUAGES)
    assert shown == visible
    assert len({t.id for t in found.tasks}) == len(found.tasks)
    stops = {x: languages.load(x).stop_sequences("multipl-e", "complete") for x in LANGUAGES}
    for task in found.tasks:
        # Whatever calls the function in the tests calls it by the name found in the prompt.
        assert task.entry_point in task.test or task.problem == "568"
        assert set(stop_tokens(task)) == set(stops[task.language])


def test_a_problem_is_chosen_in_every_language_by_its_number(shared_data: Path) -> None:
    chosen = parse_selection("103")
    found = load_set("multipl-e/humaneval", None, shared_data, selection=chosen)
    assert [t.language for t in found.tasks] == ["python", "cpp", "js"]
