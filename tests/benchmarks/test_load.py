"""Tasks from files: known formats, missing fields, look-up order, wrong hashes."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from workbench.benchmarks import registry
from workbench.benchmarks.load import load, load_set
from workbench.benchmarks.locate import list_data
from workbench.benchmarks.selection import parse_selection
from workbench.errors import DataError, UsageError

Make = Callable[..., dict[str, Any]]
Write = Callable[..., Path]


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch, humaneval_row: Make) -> bytes:
    """Bytes that the registry takes for HumanEval's, in no installed package."""
    rows = [humaneval_row(i) for i in (0, 1, 2, 10)]
    data = gzip.compress("".join(json.dumps(r) + "\n" for r in rows).encode(), mtime=0)
    file = replace(
        registry.HUMANEVAL.files[0], sha256=hashlib.sha256(data).hexdigest(), package_path=""
    )
    monkeypatch.setattr(registry, "HUMANEVAL", replace(registry.HUMANEVAL, files=(file,)))
    return data


def put(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def test_a_problems_file_is_recognised_by_its_fields(
    humaneval_row: Make, write_jsonl: Write
) -> None:
    found = load_set(
        None, problems=write_jsonl("mine.v2.jsonl", humaneval_row(0), humaneval_row(7))
    )
    assert found.benchmark == "problems/mine"
    assert found.revision.startswith("sha256:")
    assert found.known is None
    assert [(t.id, t.problem, t.language, t.family) for t in found.tasks] == [
        ("HumanEval/0", "0", "python", "humaneval"),
        ("HumanEval/7", "7", "python", "humaneval"),
    ]
    assert found.tasks[0].visible_test == "assert f0(1) == 1\n"


def test_a_problems_file_may_hold_several_languages(
    humaneval_x_row: Make, write_jsonl: Write
) -> None:
    go = humaneval_x_row(1, "Go", declaration="\nfunc F1(x int) int {\n", test_setup="package main")
    path = write_jsonl("x.jsonl.gz", humaneval_x_row(1), go)
    assert [t.language for t in load(None, problems=path)] == ["js", "go"]
    assert [t.language for t in load(None, ["go"], problems=path)] == ["go"]
    assert load(None, ["go"], problems=path)[0].parts["test_setup"] == "package main"
    with pytest.raises(UsageError, match="no tasks in 'java'"):
        load(None, ["java"], problems=path)


def test_a_problems_file_must_be_of_the_named_benchmarks_format(
    humaneval_row: Make, write_jsonl: Write
) -> None:
    with pytest.raises(UsageError, match="format of humaneval, not of humaneval-x"):
        load("humaneval-x", problems=write_jsonl("p.jsonl", humaneval_row()))


def test_an_unknown_format_names_its_fields(write_jsonl: Write) -> None:
    with pytest.raises(DataError, match=r"p\.jsonl, line 1: no known format has the fields a, b"):
        load(None, problems=write_jsonl("p.jsonl", {"b": 1, "a": 2}))


@pytest.mark.parametrize("field", ["prompt", "entry_point", "canonical_solution", "test"])
def test_a_missing_field_names_line_and_field(
    humaneval_row: Make, write_jsonl: Write, field: str
) -> None:
    path = write_jsonl("p.jsonl", humaneval_row(0), humaneval_row(1, **{field: None}))
    with pytest.raises(DataError, match=rf"p\.jsonl, line 2: field '{field}' is missing"):
        load(None, problems=path)


def test_a_field_of_another_type_is_named(humaneval_row: Make, write_jsonl: Write) -> None:
    path = write_jsonl("p.jsonl", humaneval_row(0), humaneval_row(1, test=3))
    with pytest.raises(DataError, match="line 2: field 'test' is int, not text"):
        load(None, problems=path)


def test_a_task_twice_is_refused(humaneval_row: Make, write_jsonl: Write) -> None:
    with pytest.raises(DataError, match="HumanEval/0 is there twice"):
        load(None, problems=write_jsonl("p.jsonl", humaneval_row(0), humaneval_row(0)))


def test_an_unknown_language_prefix_is_refused(humaneval_x_row: Make, write_jsonl: Write) -> None:
    path = write_jsonl("p.jsonl", humaneval_x_row(0), humaneval_x_row(1, "Rust"))
    with pytest.raises(DataError, match=r"line 2: task_id 'Rust/1'"):
        load(None, problems=path)


def test_a_mended_reference_isnt_taken_for_the_wrong_one(
    humaneval_x_row: Make, write_jsonl: Write
) -> None:
    (task,) = load(None, problems=write_jsonl("p.jsonl", humaneval_x_row(112)))
    assert task.id == "JavaScript/112"
    assert task.reference_known_bad == ""


def test_lookup_order(
    published: bytes, tmp_path: Path, nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(DataError, match="workbench data fetch humaneval"):
        load("humaneval")
    put(nowhere / "data", "humaneval/HumanEval.jsonl.gz", published)
    assert load_set("humaneval").sources[0].found_in == "cache"
    put(tmp_path / "env", "HumanEval.jsonl.gz", published)
    monkeypatch.setenv("WORKBENCH_DATA", str(tmp_path / "env"))
    assert load_set("humaneval").sources[0].found_in == "WORKBENCH_DATA"
    put(tmp_path / "named", "humaneval/HumanEval.jsonl.gz", published)
    found = load_set("humaneval", data_dir=tmp_path / "named")
    assert found.sources[0].found_in == "--data"
    assert found.totals == {"python": 4}


def test_an_installed_package_is_found_without_importing_it(
    published: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = replace(registry.HUMANEVAL.files[0], package_path="made_package/data.gz")
    monkeypatch.setattr(registry, "HUMANEVAL", replace(registry.HUMANEVAL, files=(file,)))
    put(tmp_path / "site", "made_package/data.gz", published)
    put(tmp_path / "site", "made_package/__init__.py", b"raise RuntimeError")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    assert load_set("humaneval").sources[0].found_in == "package"


def test_a_wrong_hash_names_file_expected_and_got(published: bytes, nowhere: Path) -> None:
    path = put(nowhere / "data", "humaneval/HumanEval.jsonl.gz", published + b"x")
    with pytest.raises(DataError) as caught:
        load("humaneval")
    for part in (
        str(path),
        hashlib.sha256(published).hexdigest(),
        hashlib.sha256(published + b"x").hexdigest(),
    ):
        assert part in str(caught.value)
    state = next(s for s in list_data() if s.benchmark.id == "humaneval")
    assert "SHA-256" in state.problem


def test_a_registered_file_given_as_problems_keeps_its_name(
    published: bytes, tmp_path: Path
) -> None:
    found = load_set(None, problems=put(tmp_path, "copy.jsonl.gz", published))
    assert found.benchmark == "humaneval"
    assert found.known is not None


def test_a_data_folder_that_isnt_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such folder"):
        load("humaneval", data_dir=tmp_path / "none")


def test_unknown_names_are_answered_with_those_there_are() -> None:
    with pytest.raises(UsageError, match="no benchmark 'humanevil': there are humaneval, "):
        load("humanevil")
    with pytest.raises(UsageError, match="isn't there in 'go'"):
        load("humaneval", ["go"])
    with pytest.raises(UsageError, match="no benchmark named"):
        load(None)


def test_a_selection_is_applied_and_the_whole_is_remembered(
    published: bytes, nowhere: Path
) -> None:
    put(nowhere / "data", "humaneval/HumanEval.jsonl.gz", published)
    found = load_set("humaneval", selection=parse_selection("1-9", exclude=["2=flaky"]))
    assert [t.problem for t in found.tasks] == ["1"]
    assert found.totals == {"python": 4}


def test_starter_ships_with_the_product() -> None:
    found = load_set("starter", ["python"], selection=parse_selection(limit=2))
    assert len(found.tasks) == 2
    assert found.sources[0].found_in == "product"
    assert len(found.sources[0].sha256) == 64


def test_starter_is_in_every_language_that_can_print_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, "sh/language.toml", b"")
    monkeypatch.setenv("WORKBENCH_LANGUAGES", str(tmp_path))
    assert set(registry.benchmark("starter").languages) == {"python", "cpp", "java", "js", "go"}


@pytest.mark.parametrize(
    ("benchmark", "languages", "tasks"),
    [("humaneval", ["python"], 164), ("humaneval-x", ["python", "cpp", "java", "js", "go"], 820)],
)
def test_the_published_files_load_whole(
    shared_data: Path, benchmark: str, languages: list[str], tasks: int
) -> None:
    found = load_set(benchmark, data_dir=shared_data)
    assert list(dict.fromkeys(t.language for t in found.tasks)) == languages
    assert len(found.tasks) == tasks
    assert set(found.totals.values()) == {164}
    assert all(t.entry_point and t.prompt and t.test and t.reference for t in found.tasks)
    random = {t.problem for t in found.tasks if t.random_tests}
    assert random == {"32", "38", "50", "53"}
    bad = [t.id for t in found.tasks if t.reference_known_bad]
    without = {t.id for t in found.tasks if not t.has_visible_tests}
    if benchmark == "humaneval-x":
        assert "JavaScript/32" in without
        assert len(without) == 6 * 5 + 1
    else:
        assert "HumanEval/47" in without
        assert len(without) == 164 - 68
    assert bad == (["JavaScript/112", "JavaScript/155"] if benchmark == "humaneval-x" else [])
