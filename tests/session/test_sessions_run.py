"""Sessions from the command line: a scripted model, real programs, real processes, real kills."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from workbench.session.lock import read_owner
from workbench.session.store import SessionReader

RIGHT = {
    "starter/0": "def double_it(number):\n    return number * 2\n",
    "starter/1": "def add_exclamation(word):\n    return word + '!'\n",
    "starter/2": "def is_even(number):\n    return number % 2 == 0\n",
}


def script(folder: Path, *answers: str) -> str:
    file = folder / "model.toml"
    file.write_text("\n".join(answers), encoding="utf-8")
    return f"scripted:{file}"


def answer(key: str, text: str, **more: Any) -> str:
    lines = ["[[answer]]", f"key = {json.dumps(key)}", f"text = {json.dumps(text)}"]
    lines += [f"{name} = {json.dumps(value)}" for name, value in more.items()]
    return "\n".join(lines)


def right(key: str = "starter/python/*/{task}/*", **more: Any) -> list[str]:
    return [
        answer(f"starter/python/{task}/*", f"```python\n{code}```", **more)
        for task, code in RIGHT.items()
    ]


class Bench:
    """The command, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sessions = folder / "sessions"
        self.env = {
            **os.environ,
            "WORKBENCH_SESSIONS": str(self.sessions),
            "XDG_RUNTIME_DIR": str(folder / "run"),
            "XDG_DATA_HOME": str(folder / "data"),
            "CI": "true",
        }
        (folder / "run").mkdir()

    def start(self, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "workbench", *words],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.env,
            cwd=self.folder,
        )  # fmt: skip

    def __call__(self, *words: str) -> subprocess.CompletedProcess[str]:
        process = self.start(*words)
        out, err = process.communicate(timeout=120)
        return subprocess.CompletedProcess(words, process.returncode, out, err)

    def run(self, model: str, *words: str, tasks: str = "0-2") -> list[str]:
        return [
            "run", "-b", "starter", "-l", "python", "-m", model, "--tasks", tasks,
            "--sandbox", "process", "--slots", "2", *words,
        ]  # fmt: skip

    def reader(self, name: str) -> SessionReader:
        return SessionReader.open(self.sessions / name)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def measurements(done: subprocess.CompletedProcess[str]) -> dict[tuple[str, str], Any]:
    body = json.loads(done.stdout)
    found = {(m["mode"], m["metric"]): m for m in body["measurements"]}
    for measured in found.values():
        measured["notes"] = [n for n in measured["notes"] if "accessed" not in n]
    return found


def test_a_session_ends_with_labelled_numbers_and_says_where_it_is(bench: Bench) -> None:
    model = script(
        bench.folder,
        answer("*/starter/2/*", "```python\ndef is_even(n):\n    return True\n```"),
        *right(),
    )
    done = bench(*bench.run(model, "--name", "s"))
    assert done.returncode == 0, done.stderr
    assert "pass@1 (greedy) (n=1) !UNSANDBOXED" in done.stdout
    assert str(bench.sessions / "s") in done.stdout
    found = measurements(bench("report", "s", "--json"))["plain", "pass@1 (greedy)"]
    assert found["value"] == pytest.approx(2 / 3)
    assert found["units"] == {"kind": "sample", "planned": 3, "scored": 3, "lost": 0}
    assert found["outcomes"]["wrong_answer"] == 1
    rows = [json.loads(line) for line in bench("rows", "s").stdout.splitlines()]
    assert [(r["task_id"], r["turn"], r["outcome"]) for r in rows] == [
        ("starter/0", 1, "passed"),
        ("starter/1", 1, "passed"),
        ("starter/2", 1, "wrong_answer"),
    ]


def test_repair_shares_its_first_answer_and_is_never_pass_at_k(bench: Bench) -> None:
    wrong = "```python\ndef double_it(number):\n    return number + 2\n```"
    model = script(
        bench.folder,
        answer("starter/python/starter/0/*/1", wrong),
        answer("starter/python/starter/0/*/2", f"```python\n{RIGHT['starter/0']}```"),
    )
    words = bench.run(
        model, "--mode", "plain", "--mode", "repair-visible", "--name", "s", tasks="0"
    )
    done = bench(*words)
    assert done.returncode == 0, done.stderr
    found = measurements(bench("report", "s", "--json"))
    assert found["plain", "pass@1 (greedy)"]["value"] == 0
    assert found["repair", "solved@≤1"]["value"] == 0
    assert found["repair", "solved@≤3"]["value"] == 1
    assert found["repair", "solved@≤3"]["units"]["kind"] == "episode"
    assert not any(mode == "repair" and "pass@" in metric for mode, metric in found)
    with bench.reader("s") as reader:
        assert reader.totals()["completions"] == 2
        episode = next(u for u in reader.units() if u.turns == 2)
        second = reader.turns(episode.id)[1]
    sent = second.request["messages"][-1]["content"]
    assert second.feedback == sent
    assert "expected" in sent
    assert episode.solved_turn == 2


@pytest.mark.parametrize("fault", [("429:0",), ("500",), ("garbage",), ("cut",)])
@pytest.mark.slow
def test_a_provider_fault_is_retried_and_recorded(bench: Bench, fault: tuple[str, ...]) -> None:
    model = script(bench.folder, *right(faults=list(fault)))
    done = bench(*bench.run(model, "--name", "s", tasks="0"))
    assert done.returncode == 0, done.stdout + done.stderr
    with bench.reader("s") as reader:
        assert len(reader.turns(1)[0].completion["attempts"]) == 1


def test_what_stays_lost_is_named_and_never_counted_against_the_model(bench: Bench) -> None:
    model = script(bench.folder, answer("*/starter/1/*", "", faults=["400"], always=True), *right())
    # 400 means that this can never work: the session ends at once with one line
    done = bench(*bench.run(model, "--name", "s", "--concurrency", "1"))
    assert done.returncode == 2
    assert done.stderr.startswith("workbench: ")
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_killed_session_goes_on_and_nothing_is_paid_twice(bench: Bench) -> None:
    model = script(bench.folder, *right(delay_s=0.15))
    words = bench.run(model, "-n", "6", "--name", "s", "--concurrency", "2", "--seed", "1")
    process = bench.start(*words)
    kept: set[tuple[int, int]] = set()
    for _ in range(2):
        _wait(lambda p=process: _answers(bench, "s") > len(kept) + 2, process)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert read_owner(bench.sessions / "s") is None
        kept = _stored(bench, "s")
        process = bench.start("resume", "s")
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, out + err
    assert kept <= _stored(bench, "s")
    with bench.reader("s") as reader:
        assert reader.totals()["completions"] == 18
    killed = bench("report", "s", "--json")
    again = bench(*bench.run("replay:s", "-n", "6", "--name", "again", "--seed", "1"))
    assert again.returncode == 0, again.stderr
    replayed = bench("report", "again", "--json")
    assert measurements(killed) == measurements(replayed)


def _stored(bench: Bench, name: str) -> set[tuple[int, int]]:
    with bench.reader(name) as reader:
        return {(u.id, t.id) for u in reader.units() for t in reader.turns(u.id)}


def _answers(bench: Bench, name: str) -> int:
    try:
        return len(_stored(bench, name))
    except Exception:
        return 0


def _wait(condition: Any, process: subprocess.Popen[str], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.slow
def test_ctrl_c_stops_cleanly_and_resume_finishes(bench: Bench) -> None:
    model = script(bench.folder, *right(delay_s=0.4))
    process = bench.start(*bench.run(model, "-n", "4", "--name", "s", "--concurrency", "1"))
    _wait(lambda: _answers(bench, "s") >= 1, process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, out + err
    assert "workbench resume s" in out
    with bench.reader("s") as reader:
        assert all(u.outcome is not None for u in reader.units() if u.turns)
    assert bench("resume", "s").returncode == 0
    extended = bench("extend", "s", "-n", "5")
    assert extended.returncode == 0, extended.stderr
    with bench.reader("s") as reader:
        assert len(reader.units()) == 15


@pytest.mark.slow
def test_ctrl_c_twice_stops_at_once_and_what_was_under_way_stays_open(bench: Bench) -> None:
    model = script(bench.folder, *right(delay_s=60))
    process = bench.start(*bench.run(model, "--name", "s", "--concurrency", "2"))
    _wait(lambda: read_owner(bench.sessions / "s") is not None, process)
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130, out + err
    assert "Traceback" not in err
    assert "3 units are open" in out
    assert read_owner(bench.sessions / "s") is None


@pytest.mark.slow
def test_a_greedy_session_is_not_extended_and_a_taken_name_not_taken_again(bench: Bench) -> None:
    model = script(bench.folder, *right())
    assert bench(*bench.run(model, "--name", "s", tasks="0")).returncode == 0
    again = bench(*bench.run(model, "--name", "s", tasks="0"))
    assert (again.returncode, again.stdout) == (2, "")
    assert "exists already" in again.stderr
    greedy = bench("extend", "s", "-n", "2")
    assert greedy.returncode == 2
    assert "greedy" in greedy.stderr


@pytest.mark.slow
def test_a_changed_protocol_is_not_resumed_into(bench: Bench) -> None:
    model = script(bench.folder, *right(delay_s=0.3))
    process = bench.start(*bench.run(model, "-n", "3", "--name", "s", "--concurrency", "1"))
    _wait(lambda: _answers(bench, "s") >= 1, process)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    folder = bench.folder / "languages"
    folder.mkdir()
    import shutil

    from workbench import languages

    shutil.copytree(languages.load("python").folder, folder / "python")
    toml = folder / "python" / "language.toml"
    toml.write_text(re.sub(r"cpu_s = [\d.]+", "cpu_s = 7.5", toml.read_text()))
    bench.env["WORKBENCH_LANGUAGES"] = str(folder)
    done = bench("resume", "s")
    assert done.returncode == 1
    assert "protocol changed" in done.stderr


@pytest.mark.slow
def test_a_token_cap_stops_the_session_and_says_so(bench: Bench) -> None:
    model = script(bench.folder, *right())
    words = bench.run(model, "--name", "s", "--max-tokens-total", "330", "--max-tokens", "200")
    done = bench(*words, "--concurrency", "1")
    assert done.returncode == 1
    assert "max-tokens-total" in done.stdout


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["run", "-b", "nothing", "-m", "local/x"], 2, "nothing"),
        (["run", "-b", "starter", "-l", "cobol", "-m", "local/x"], 2, "cobol"),
        (["run", "-b", "starter", "-m", "gpt"], 2, "gpt"),
        (["run", "-b", "starter", "-m", "scripted:none.toml"], 2, "none.toml"),
        (["run", "-b", "starter", "-m", "local/x", "--mode", "repair-visibel"], 2, "repair-visible"),
        (["run", "-b", "starter", "-m", "x/y", "-n", "3", "--greedy"], 2, "temperature 0"),
        (["run", "-b", "starter", "-m", "x/y", "-k", "1,3"], 2, "-n above 1"),
        (["run", "-b", "starter", "-m", "x/y", "--sandbox", "jail"], 2, "jail"),
        (["run", "-m", "x/y"], 2, "-b"),
        (["resume", "nothing"], 1, "nothing"),
        (["report", "nothing"], 1, "nothing"),
        (["score", "none.jsonl", "-b", "starter", "--sandbox", "process"], 2, "none.jsonl"),
        (["import", "none.zip"], 2, "none.zip"),
        (["frobnicate"], 2, "frobnicate"),
    ],
)  # fmt: skip
def test_bad_input_gets_one_line_and_the_right_code(
    bench: Bench, words: list[str], code: int, said: str
) -> None:
    done = bench(*words)
    assert done.returncode == code, done.stderr
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stderr.startswith("workbench: ")


@pytest.mark.slow
def test_two_processes_never_run_one_session(bench: Bench) -> None:
    model = script(bench.folder, *right(delay_s=1.0))
    process = bench.start(*bench.run(model, "-n", "40", "--name", "s", "--concurrency", "1"))
    _wait(lambda: _answers(bench, "s") >= 1, process)
    second = bench("resume", "s")
    assert second.returncode == 1
    assert f"process {process.pid}" in second.stderr
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
