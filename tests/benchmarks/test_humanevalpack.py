"""HumanEvalPack's rows as tasks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.benchmarks.made_families import HUMANEVALPACK, LANGUAGES
from workbench import languages
from workbench.benchmarks.load import load, load_set
from workbench.errors import DataError
from workbench.execution.program import Candidate
from workbench.generation.prompt_view import view_of

Write = Callable[..., Path]


def test_rows_are_told_from_humaneval_xs(write_jsonl: Write) -> None:
    path = write_jsonl("made.jsonl", *(HUMANEVALPACK[x] for x in LANGUAGES))
    tasks = load(None, problems=path)
    assert [t.language for t in tasks] == list(LANGUAGES)
    assert {t.family for t in tasks} == {"humanevalpack"}
    assert all(t.buggy and t.reference and t.buggy != t.reference for t in tasks)
    plain = {k: v for k, v in HUMANEVALPACK["js"].items() if k != "buggy_solution"}
    (task,) = load(None, problems=write_jsonl("x.jsonl", plain))
    assert (task.family, task.buggy) == ("humaneval-x", "")


def test_a_buggy_solution_that_is_missing_is_said(write_jsonl: Write) -> None:
    row = {k: v for k, v in HUMANEVALPACK["go"].items() if k != "buggy_solution"}
    with pytest.raises(DataError, match="line 2: field 'buggy_solution' is missing"):
        load(None, problems=write_jsonl("p.jsonl", HUMANEVALPACK["go"], row))


@pytest.mark.parametrize("language", LANGUAGES)
def test_programs_are_put_together_like_humaneval_xs(write_jsonl: Write, language: str) -> None:
    row = HUMANEVALPACK[language]
    plain = {k: v for k, v in row.items() if k != "buggy_solution"}
    (task,) = load(None, problems=write_jsonl("p.jsonl", row))
    (like,) = load(None, problems=write_jsonl("x.jsonl", plain))
    hooks = languages.load(language).assembly
    for suite in ("scored", "visible"):
        candidate = Candidate(task.buggy, "body")
        assert hooks.assemble(task, candidate, suite) == hooks.assemble(like, candidate, suite)


def test_a_prompt_shows_neither_solution(write_jsonl: Write) -> None:
    for language in LANGUAGES:
        (task,) = load(None, problems=write_jsonl("p.jsonl", HUMANEVALPACK[language]))
        shown = str(view_of(task, languages.load(language)))
        assert task.reference.strip() not in shown
        assert task.buggy.strip() not in shown


def test_the_published_files_load_whole(shared_data: Path) -> None:
    found = load_set("humanevalpack", data_dir=shared_data)
    assert len(found.tasks) == 5 * 164
    assert len({s.name for s in found.sources}) == 5
    assert all(t.buggy and t.reference and t.entry_point for t in found.tasks)
    assert [t.id for t in found.tasks if t.reference_known_bad] == []
    without = {t.problem for t in found.tasks if not t.has_visible_tests}
    assert without == {"38", "41", "50", "83", "84", "160"}


def test_files_of_one_name_are_told_apart_by_their_folder(
    shared_data: Path, tmp_path: Path
) -> None:
    for language in ("js", "go"):
        folder = tmp_path / language
        folder.mkdir()
        source = shared_data / "humanevalpack" / language / "humanevalpack.jsonl"
        (folder / "humanevalpack.jsonl").symlink_to(source)
    found = load_set("humanevalpack", ["js", "go"], tmp_path)
    assert [s.name for s in found.sources] == ["js/humanevalpack.jsonl", "go/humanevalpack.jsonl"]
