"""Every shipped language folder says what a toolchain needs to know."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from workbench import languages, paths
from workbench.languages import Language

SHIPPED = sorted(p.name for p in paths.language_dirs()[-1].iterdir() if p.is_dir())


@pytest.fixture(params=SHIPPED)
def language(request: pytest.FixtureRequest) -> Language:
    return languages.read_folder(paths.language_dirs()[-1] / request.param)


def test_five_languages_ship() -> None:
    assert SHIPPED == ["cpp", "go", "java", "js", "python"]


def test_id_is_the_folders_name(language: Language) -> None:
    assert language.id == language.folder.name


def test_limits_are_generous(language: Language) -> None:
    for step in (language.compile, language.run):
        if step is not None:
            assert step.limits.cpu_s >= 10
            assert step.limits.wall_s >= 3 * step.limits.cpu_s or step.limits.wall_s >= 90
            assert step.limits.memory_mb >= 512


def test_patterns_are_regular_expressions(language: Language) -> None:
    for pattern in (
        language.wrong_answer,
        language.compile_error,
        language.out_of_memory,
        *language.diagnostic,
    ):
        re.compile(pattern)


def test_a_language_tells_compile_errors_one_way(language: Language) -> None:
    assert bool(language.compile_error) == (language.compile is None)


@pytest.mark.parametrize("family", ["humaneval-x", "typed"])
def test_stop_sequences_are_for_base_models_only(language: Language, family: str) -> None:
    assert language.stop_sequences(family, "chat") == ()
    assert all(s.startswith("\n") for s in language.stop_sequences(family, "complete"))
    assert language.stop_sequences(family, "complete")


def test_published_limits_are_humanevals_three_seconds() -> None:
    python = languages.load("python")
    assert python.published_limits("humaneval")["run"].wall_s == 3.0
    assert python.published_limits("never-heard-of") == {}


def test_commands_take_options_as_whole_words(language: Language) -> None:
    for step in (language.compile, language.run):
        for word in step.argv if step else ():
            assert "{" not in word or re.fullmatch(r"\{\w+\}", word)


def test_content_hash_follows_every_file(tmp_path: Path) -> None:
    folder = tmp_path / "sh"
    folder.mkdir()
    text = 'id="sh"\nname="Shell"\n[run]\nargv=["sh"]\nlimits={cpu_s=1.0,wall_s=1.0,memory_mb=64}\n'
    (folder / "language.toml").write_text(text)
    before = languages.read_folder(folder).content_hash
    (folder / "helper.txt").write_text("x")
    assert languages.read_folder(folder).content_hash != before


@pytest.mark.parametrize(
    ("name", "output", "detail"),
    [
        ("python", "Traceback:\n  File\nException: plain\n", "Exception: plain"),
        (
            "python",
            "Traceback:\njson.decoder.JSONDecodeError: x\n",
            "json.decoder.JSONDecodeError: x",
        ),
        (
            "python",
            "Traceback:\n    assert f(1) == 2\n      ^^^\nAssertionError\n",
            "assert f(1) == 2",
        ),
        ("python", "    assert f(1) == 2, 'no'\nAssertionError: no\n", "AssertionError: no"),
        (
            "python",
            "    assert f(1) == 2\n    return 1 / 0\nZeroDivisionError: x\n",
            "ZeroDivisionError: x",
        ),
        (
            "js",
            "x.js:3\n  throw err;\n\nError: Cannot find module\n    at f\n\nNode.js v20\n",
            "Error: Cannot find module",
        ),
        ("js", "\nTypeError: x is not a function\n    at f\n", "TypeError: x is not a function"),
        ("go", "./program.go:4:2: undefined: x\n", "./program.go:4:2: undefined: x"),
        ("go", "--- FAIL: TestX\npanic: boom [recovered]\n", "panic: boom [recovered]"),
        (
            "cpp",
            "program.cpp: In function\nprogram.cpp:3:4: error: no\n",
            "program.cpp:3:4: error: no",
        ),
        ("cpp", "terminate called\n  what():  bad\n", "  what():  bad"),
        ("java", "Main.java:3: error: no\n    x\n", "Main.java:3: error: no"),
        (
            "java",
            'Exception in thread "main" java.lang.Error: x\n\tat y\n',
            'Exception in thread "main" java.lang.Error: x',
        ),
    ],
)
def test_the_line_that_says_why_is_found(name: str, output: str, detail: str) -> None:
    patterns = languages.load(name).diagnostic
    found = next(m for p in patterns if (m := re.search(p, output)))
    assert found.group() == detail
