"""Texts made to be hard to read are taken as they are, soon; words come before parsing."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from time import thread_time

import pytest

from workbench import languages
from workbench.benchmarks.task import Task
from workbench.execution.program import Candidate
from workbench.needed_text import needed_text
from workbench.source_text import Source

LANGUAGES = ("python", "cpp", "java", "js", "go")


@pytest.mark.parametrize("key", LANGUAGES)
@pytest.mark.parametrize(
    "text",
    ["<" * 48_000, "class A { exit( " * 16_000, "a<" * 4_000],
    ids=["deep", "long", "costly"],
)
def test_assembling_a_hard_text_takes_little_time(
    made_tasks: dict[str, Task], key: str, text: str
) -> None:
    task = made_tasks[key]
    hooks = languages.load(task.language).assembly
    began = thread_time()
    for form in ("body", "full"):
        program = hooks.assemble(task, Candidate(text, form), "scored")
        assert text[:1000] in "".join(file.text for file in program.files)
    hooks.suspicions(task, text)
    assert thread_time() - began < 3.0


def test_tricks_in_a_text_too_deep_to_parse_are_still_named(made_tasks: dict[str, Task]) -> None:
    code = "x = " + "(" * 5_000 + "\nimport os; os._exit(0)\n"
    task = made_tasks["humaneval"]
    assert "exit" in languages.load(task.language).assembly.suspicions(task, code)


def test_parsers_are_not_shared_between_threads() -> None:
    codes = [f"def f{i}():\n    return {i}\n" * 50 for i in range(60)]

    def names(code: str) -> list[str]:
        source = Source.of_candidate("tree_sitter_python", code)
        return [source.text(n) for n in source.nodes("identifier")]

    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(names, codes))
    assert found == [[f"f{i}"] * 50 for i in range(60)]


@pytest.mark.parametrize(
    ("pattern", "texts"),
    [
        (r"\bsys\s*\.\s*exit\b", {"exit"}),
        (r"__(?:eq|ne)__", {"__eq__", "__ne__"}),
        (r"(?:foo|ba[rz])\s*=", {"foo", "bar", "baz"}),
        (r"a?bc*", {"b"}),
        (r"(?:abc)+x?", {"abc"}),
        (r"(?<!y)word(?=z)", {"word"}),
    ],
)
def test_needed_text(pattern: str, texts: set[str]) -> None:
    assert needed_text(pattern) == texts


@pytest.mark.parametrize("pattern", [r"\w+", r"a*", r"abc|\d", r"(?i)abc", r"(?:abc)?"])
def test_a_pattern_that_needs_nothing_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="nothing stands"):
        needed_text(pattern)


def test_whatever_a_pattern_matches_has_its_needed_text() -> None:
    samples = ["os.write(3)", "os . dup2 (", "os.sendfile", "fdopen", "open( 3)", "os.dup("]
    pattern = r"\bfdopen\b|\bos\s*\.\s*(?:write|dup2?|sendfile)\b|\bopen\s*\(\s*3\b"
    for text in samples:
        match = re.search(pattern, text)
        assert match is not None
        assert any(word in match[0] for word in needed_text(pattern)), text
