"""Recipes in sessions: a scripted model, real programs, everything kept and counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.session.test_sessions_run import Bench, answer, measurements, script

pytestmark = pytest.mark.slow

WRONG = "```python\ndef double_it(number):\n    result = number + 2\n    return result\n```"
RIGHT = "```python\ndef double_it(number):\n    return number * 2\n```"
CASES = '```json\n[{"arguments": [5], "expected": 10}, {"arguments": ["x"], "expected": 1}]\n```'


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture
def model(bench: Bench) -> str:
    return script(
        bench.folder,
        answer("*/self-tests", CASES),
        answer("*-explain", "It adds two."),
        answer("*/1", WRONG),
        answer("*/tree*/2", "no code here"),
        answer("*", RIGHT),
    )


def test_every_recipe_repairs_the_same_first_program(bench: Bench, model: str) -> None:
    other = f"repair-other:{model}"
    modes = f"plain,repair-explain,repair-trace,repair-selftests,repair-hidden,tree,{other}"
    done = bench(*bench.run(model, "--mode", modes, "-T", "0.5", "--name", "s", tasks="0"))
    assert done.returncode == 0, done.stderr
    found = measurements(bench("report", "s", "--json"))
    assert found["plain", "pass@1"]["value"] == 0
    assert found["repair", "tree-rate 1×3 (oracle)"]["value"] == 1
    assert found["repair", "tree-rate 1×0 (oracle)"]["value"] == 0
    assert "hidden-tests!LEAK" in done.stdout
    with bench.reader("s") as reader:
        cells = {c.id: c.recipe for c in reader.cells()}
        units = {cells[u.cell_id]: u for u in reader.units()}
        told = {r: reader.turns(u.id)[1].feedback for r, u in units.items() if r}
        steps = {r: [s.step for s in reader.steps(u.id)] for r, u in units.items() if r}
        totals = reader.totals()
        generated = {
            recipe: sum(t.completion_tokens or 0 for t in reader.turn_outcomes()[u.id])
            for recipe, u in units.items()
        }
        assert generated["repair-explain"] == units["repair-explain"].completion_tokens
    assert all(u.outcome == "passed" for r, u in units.items() if r)
    assert "line 2: result = number + 2" in told["repair-trace"]
    assert "result = 5" in told["repair-trace"]
    assert "double_it(5)\nexpected: 10\ngot:      7" in told["repair-selftests"]
    assert "Your own explanation of it:\n```\nIt adds two.\n```" in told["repair-explain"]
    assert "What a reviewer says" in told[other]
    assert steps["repair-explain"] == steps[other] == ["explain"]
    assert steps["repair-selftests"] == ["self-tests"]
    assert totals["completions"] == 1 + 5 + 3 + 3, "one first answer, repairs, a tree, steps"


def test_a_tree_of_one_draw_many_times_is_refused(bench: Bench, model: str) -> None:
    done = bench(*bench.run(model, "--mode", "tree", tasks="0"))
    assert done.returncode == 2
    assert "temperature 0 draws one repair 3 times" in done.stderr
    done = bench(*bench.run(model, "--mode", "tree:4x2", "-n", "3", tasks="0"))
    assert "4 first programs a task need -n 4 or more" in done.stderr


def test_a_plain_session_s_programs_are_repaired_in_a_session_of_their_own(
    bench: Bench, model: str
) -> None:
    done = bench(*bench.run(model, "--name", "plain", tasks="0"))
    assert done.returncode == 0, done.stderr
    done = bench(
        "run", "--from", "plain", "--mode", "repair-visible", "--name", "mended", "--plain"
    )
    assert done.returncode == 0, done.stderr
    assert "from=" in done.stdout
    found = measurements(bench("report", "mended", "--json"))
    assert found["repair", "solved@≤1"]["value"] == 0
    assert found["repair", "solved@≤3"]["value"] == 1
    with bench.reader("plain") as before, bench.reader("mended") as after:
        first = before.turns(before.units()[0].id)[0]
        turns = after.turns(after.units()[0].id)
        assert turns[0].raw == first.raw
        assert turns[0].completion["shared"]
        assert after.totals()["completions"] == 1, "the first answer was paid for there"
        assert after.meta()["repairs"] == {"session": "plain"}
        assert before.units()[0].outcome == "wrong_answer"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--mode", "plain"), "name recipes with --mode"),
        (("--mode", "repair-visible", "-T", "0.5"), "takes temperature from the session"),
        (("--mode", "repair-visible", "-b", "humaneval"), "takes benchmark from the session"),
    ],
)
def test_what_a_source_decides_isn_t_asked_again(
    bench: Bench, model: str, words: tuple[str, ...], said: str
) -> None:
    done = bench("run", "--from", "plain", *words)
    assert done.returncode == 2
    assert said in done.stderr


def test_a_source_that_lost_answers_is_refused(bench: Bench) -> None:
    lost = script(bench.folder, answer("*", "x", faults=["500"], always=True))
    bench(*bench.run(lost, "--name", "plain", "--attempts", "1", tasks="0"))
    done = bench("run", "--from", "plain", "--mode", "repair-visible")
    assert done.returncode == 2
    assert "`workbench resume plain` first" in done.stderr
