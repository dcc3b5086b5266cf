"""The comparison with published judges: what counts as explained, and what the table holds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.agreement.comparison import compare
from tests.agreement.explanations import TABLE, Explanation, read_table
from tests.agreement.sets import SETS, PublishedSet
from workbench.errors import DataError
from workbench.execution.program import Execution
from workbench.outcomes import Outcome

ROOT = Path(__file__).resolve().parents[2]
PASSED, WRONG = Execution(Outcome.PASSED, ""), Execution(Outcome.WRONG_ANSWER, "no")
SET = PublishedSet("made", "Made", "python", lambda _data: pytest.fail("not read"))


def entry(task: str, published: bool, ours: Outcome) -> dict[tuple[str, str], Explanation]:
    return {("made", task): Explanation("made", task, published, ours, "because")}


def test_agreement_needs_no_explanation() -> None:
    found = compare(SET, {"a": True, "b": False}, {"a": PASSED, "b": WRONG}, {})
    assert found.ok
    assert (found.tasks, found.published_passes, found.our_passes) == (2, 1, 1)


@pytest.mark.parametrize(("published", "ours"), [(True, WRONG), (False, PASSED)])
def test_a_difference_counts_until_it_is_explained(published: bool, ours: Execution) -> None:
    bare = compare(SET, {"a": published}, {"a": ours}, {})
    assert not bare.ok
    assert [d.task for d in bare.unexplained] == ["a"]
    told = compare(SET, {"a": published}, {"a": ours}, entry("a", published, ours.outcome))
    assert told.ok
    assert [d.task for d, _ in told.explained] == ["a"]


def test_an_explanation_of_another_outcome_explains_nothing() -> None:
    table = entry("a", published=True, ours=Outcome.TIMEOUT)
    found = compare(SET, {"a": True}, {"a": WRONG}, table)
    assert len(found.unexplained) == 1


def test_an_explanation_without_its_difference_is_a_failure() -> None:
    table = entry("a", published=False, ours=Outcome.PASSED)
    found = compare(SET, {"a": True}, {"a": PASSED}, table)
    assert [e.task for e in found.stale] == ["a"]
    assert not found.ok


def test_an_explanation_of_a_task_that_wasnt_judged_is_left_alone() -> None:
    table = entry("b", published=False, ours=Outcome.PASSED)
    assert compare(SET, {"a": True}, {"a": PASSED}, table).ok


def test_every_entry_of_the_table_names_a_set_and_a_reason() -> None:
    names = {which.name for which in SETS}
    for (name, _), explanation in read_table().items():
        assert name in names
        assert len(explanation.reason) > 20
        # The published judge and ours differ, or there is nothing to explain.
        assert explanation.published is not (explanation.ours is Outcome.PASSED)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("difference = [", "not as it should be"),
        ('[[difference]]\nset = "a"\ntasks = ["b"]\n', "not as it should be"),
        (
            '[[difference]]\nset = "a"\ntasks = ["b", "b"]\npublished = "failed"\n'
            'ours = "passed"\nreason = "x"\n',
            "explained twice",
        ),
    ],
)
def test_a_damaged_table_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "table.toml"
    path.write_text(text)
    with pytest.raises(DataError, match=said):
        read_table(path)


def agreement(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.agreement", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_absent_data_are_said_in_one_line(tmp_path: Path) -> None:
    done = agreement("--data", str(tmp_path / "none"))
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "no such folder" in done.stderr
    assert agreement("--only", "nothing").returncode == 2


@pytest.mark.docker
@pytest.mark.slow
def test_some_tasks_of_two_sets_agree(shared_data: Path) -> None:
    tasks = (
        "js/HumanEval_0_has_close_elements,js/HumanEval_101_words_string,HumanEval/0,HumanEval/1"
    )
    done = agreement(
        "--data", str(shared_data), "--only", "qwen-humaneval,qwen-multipl-e-js", "--tasks", tasks
    )
    assert done.returncode == 0, done.stderr + done.stdout
    assert "unexplained: none" in done.stdout


def test_the_table_is_where_it_is_looked_for() -> None:
    assert TABLE.is_file()
