"""A stored program can be executed again, by the command and by hand."""

from __future__ import annotations

import json
import subprocess
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from workbench.cli.main import cli
from workbench.errors import UsageError
from workbench.execution.program import Execution, read_program
from workbench.outcomes import Outcome
from workbench.session import reproduce
from workbench.session.store import SessionReader

SESSIONS = Path(__file__).parents[2] / "sessions"


@pytest.fixture
def reader() -> Any:
    with SessionReader.open(SESSIONS / "example") as opened:
        yield opened


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["--sessions", str(SESSIONS), "reproduce", *words])
    return result.exit_code, result.output


def test_rows_are_found_by_task_and_sample_or_by_unit(reader: SessionReader) -> None:
    found = reproduce.find(reader, "starter/5:0", "cpp", "plain")
    assert (found.row, found.cell.language, found.unit.index) == ("starter/5:0:1", "cpp", 0)
    assert reproduce.find(reader, str(found.unit.id)).unit == found.unit
    turns = next(u for u in reader.units() if u.turns > 1)
    cell = next(c for c in reader.cells() if c.id == turns.cell_id)
    task = reader.tasks()[turns.task_pk].task_id
    for words, turn in ((f"{task}:0", turns.turns), (f"{task}:0:1", 1)):
        assert reproduce.find(reader, words, cell.language, cell.recipe).turn.turn == turn


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("starter/5:0", "is in several cells"),
        ("starter/5:7", "has no row"),
        ("nonsense", "TASK:SAMPLE"),
        ("99999", "has no row"),
        ("starter/5:0:9", "several cells"),
    ],
)
def test_other_rows_are_refused_in_one_line(reader: SessionReader, row: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as caught:
        reproduce.find(reader, row)
    assert "\n" not in str(caught.value)


def test_limits_and_sandbox_are_the_stored_ones(reader: SessionReader) -> None:
    found = reproduce.find(reader, "starter/5:0", "cpp", "plain")
    stored = found.cell.protocol["eval"]["limits"]["compile"]
    assert found.limits["compile"].cpu_s == float(stored["cpu_s"])
    assert found.limits["compile"].memory_mb == stored["memory_mb"]
    assert found.sandbox == "docker"


def test_a_program_reads_back_as_it_was_stored(reader: SessionReader) -> None:
    found = reproduce.find(reader, "starter/5:0", "cpp", "plain")
    assert json.loads(json.dumps(asdict(found.program))) == found.turn.program
    assert read_program(asdict(found.program)).digest() == found.program.digest()


def test_files_are_written_with_a_plain_token(reader: SessionReader, tmp_path: Path) -> None:
    found = reproduce.find(reader, "starter/5:0", "python", "plain")
    written = reproduce.write_files(found.program, tmp_path / "new")
    names = {path.name for path in written}
    assert names == {"main.py", "program.py", "cases.json"}
    assert reproduce.TOKEN in (tmp_path / "new" / "main.py").read_text()
    cases = json.loads((tmp_path / "new" / "cases.json").read_text())
    assert cases[0].keys() == {"call", "expected"}
    with pytest.raises(UsageError, match="isn't empty"):
        reproduce.write_files(found.program, tmp_path / "new")


def test_the_commands_have_the_limits_the_flags_and_the_channel(
    reader: SessionReader, tmp_path: Path
) -> None:
    found = reproduce.find(reader, "starter/5:0", "cpp", "plain")
    hand = reproduce.by_hand(found, tmp_path / "a b")
    compiling, running = hand.steps
    assert compiling.startswith("(ulimit -t 30; exec timeout 90 g++ -std=c++17")
    assert running.endswith("./program 3>&1)")
    for words in ("--network none", "--memory 2048m", f"'{tmp_path}/a b':/program:ro"):
        assert words in hand.container
    assert '"$PWD":/program:ro' in reproduce.by_hand(found, None).container


@pytest.mark.parametrize(("outcome", "code"), [("wrong_answer", 0), ("passed", 1), ("timeout", 1)])
def test_the_exit_code_says_whether_the_outcome_is_the_same(
    monkeypatch: pytest.MonkeyPatch, outcome: str, code: int
) -> None:
    async def execute(stored: reproduce.Stored, sandbox: str | None) -> Execution:
        return replace(stored.execution, outcome=Outcome(outcome), detail="\x1b[31mred")

    monkeypatch.setattr(reproduce, "execute", execute)
    exit_code, output = run("example", "starter/5:0", "-l", "cpp", "--mode", "plain")
    assert exit_code == code
    assert ("the same outcome" in output) is (code == 0)
    assert "docker run" in output
    assert "\x1b" not in output


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.parametrize("language", ["python", "cpp", "java", "js", "go"])
def test_sandbox_and_commands_come_to_the_stored_outcome(tmp_path: Path, language: str) -> None:
    code, output = run(
        "example", "starter/3:0", "-l", language, "--mode", "plain", "--to", str(tmp_path / "p"),
        "--json",
    )  # fmt: skip
    body = json.loads(output)
    assert (code, body["same"]) == (0, True)
    done = subprocess.run(
        body["container"], shell=True, capture_output=True, text=True, timeout=120
    )
    passed = body["stored"]["outcome"] == "passed"
    told = [line for line in done.stdout.splitlines() if line.startswith(reproduce.TOKEN)]
    cases = json.loads((tmp_path / "p" / "cases.json").read_text())
    right = [f"{reproduce.TOKEN} {i} " for i in range(len(cases))]
    whole = len(told) == len(right) + 1 and told[-1].endswith(" end")
    equal = whole and all(
        json.loads(line.removeprefix(start)) == case["expected"]
        for line, start, case in zip(told, right, cases, strict=False)
    )
    assert equal is passed
