"""Sessions for the screens: written with the real writer, invented and always the same."""

from __future__ import annotations

import asyncio
import hashlib
import random
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from workbench.session.records import EventRow, InFlight, LiveSnapshot, StageRate, UnitRow
from workbench.session.store import DATABASE, SessionReader
from workbench.session.writer import SessionWriter, to_json
from workbench.tui.model.headline import Headline, make
from workbench.tui.model.readings import Reading

NOW = 1_764_515_050.0
"""The frozen clock: 30 Nov 2025, 15:04:10 UTC."""
LANGUAGES = ("python", "cpp", "java", "js", "go")
NAMES = (
    "remove_vowels", "below_threshold", "add", "same_chars", "fib", "correct_bracketing",
    "monotonic", "common", "largest_prime_factor", "sum_to_n", "derivative", "fibfib",
    "vowels_count", "circular_shift", "digit_sum", "fruit_distribution", "pluck", "search",
    "strange_sort_list", "triangle_area",
)  # fmt: skip
FAILURES = {
    "wrong_answer": "expected [1, 2, 3], got [1, 2]",
    "runtime_error": "index 7 out of range",
    "compile_error": "Main.java:13: error: incomparable types: List<Integer> and Object[]",
    "timeout": "10 s of CPU used",
    "no_code": "no code block in the answer",
    "sandbox_error": "container gone",
}
JAVA = """import java.util.*;
import java.lang.*;

class Solution {
    /** Return True if list elements are monotonically
        increasing or decreasing. */
    public boolean monotonic(List<Integer> l) {
        List<Integer> up = new ArrayList<>(l);
        List<Integer> down = new ArrayList<>(l);
        Collections.sort(up);
        down.sort(Collections.reverseOrder());
        if (l.equals(up)) return true;
        return l == down.toArray();
    }
}
"""
JAVA_TESTS = """public class Main {
    public static void main(String[] args) {
        Solution s = new Solution();
        List<Boolean> correct = Arrays.asList(
            s.monotonic(new ArrayList<>(Arrays.asList(1, 2, 4, 10))),
            s.monotonic(new ArrayList<>(Arrays.asList(4, 1, 0, -10)))
        );
    }
}
"""


def task(language: str, number: int) -> dict[str, Any]:
    """One task of the invented benchmark."""
    name = NAMES[number % len(NAMES)]
    return {
        "benchmark": "humaneval-x",
        "language": language,
        "task_id": f"HumanEval/{number}",
        "problem": str(number),
        "entry_point": name,
        "prompt": f"Complete {name}.\n\n>>> {name}([1, 2, 4, 20])\nTrue\n",
        "has_visible_tests": 1,
    }


def cell(language: str, *, mode: str = "plain", n: int = 2) -> dict[str, Any]:
    """One cell."""
    return {
        "benchmark": "humaneval-x",
        "suite": "base",
        "language": language,
        "mode": mode,
        "recipe": "" if mode == "plain" else "compiler+visible-tests",
        "n": n,
        "max_turns": 1 if mode == "plain" else 3,
        "fingerprint": hashlib.sha256(f"{language}{mode}".encode()).hexdigest(),
        "label": f"humaneval-x/{language}+base · {mode}",
        "protocol": {},
    }


def write_session(
    folder: Path,
    name: str = "qwen2.5-coder-7b",
    *,
    languages: Sequence[str] = LANGUAGES,
    tasks: int = 6,
    n: int = 2,
    repair: int = 1,
    open_share: float = 0.2,
    created: float = NOW - 7_200,
    events: bool = True,
) -> Path:
    """Write a session directly as rows; returns its folder."""
    path = folder / name
    path.mkdir(parents=True)
    SessionWriter(path, create=True).close()
    dice = random.Random(name)
    db = sqlite3.connect(path / DATABASE)
    with db:
        meta = {"model": f"openai/{name}", "created": created, "benchmarks": ["humaneval-x"],
                "cost_usd": 1.84}  # fmt: skip
        db.executemany("INSERT INTO meta VALUES (?, ?)", [(k, to_json(v)) for k, v in meta.items()])
        change = 0
        for language in languages:
            pks: list[int] = []
            for number in range(tasks):
                row = task(language, number)
                pks.append(_insert(db, "task", row))
            for mode, count in (("plain", n), ("repair", repair)):
                if not count:
                    continue
                row = cell(language, mode=mode, n=count)
                cell_id = _insert(db, "cell", {**row, "protocol": to_json(row["protocol"])})
                for pk in pks:
                    for index in range(count):
                        change += 1
                        _insert(db, "unit", _unit(dice, cell_id, pk, index, mode, language,
                                                  open_share, change))  # fmt: skip
        if events:
            for offset, (level, text) in enumerate((
                ("info", "cpp toolchain proved itself: 9 of 9"),
                ("warning", "429 from provider, all generation held 12 s (Retry-After)"),
                ("error", "java HumanEval/84 s3 lost: sandbox_error, 2 of 2 retries"),
            )):  # fmt: skip
                db.execute("INSERT INTO event (at, level, text) VALUES (?, ?, ?)",
                           (NOW - 60 + 20 * offset, level, text))  # fmt: skip
    db.close()
    return path


def _insert(db: sqlite3.Connection, table: str, row: Mapping[str, Any]) -> int:
    names = ", ".join(row)
    marks = ", ".join("?" * len(row))
    done = db.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(row.values()))
    return int(done.lastrowid or 0)


def _unit(
    dice: random.Random, cell_id: int, pk: int, index: int, mode: str, language: str,
    open_share: float, change: int,
) -> dict[str, Any]:  # fmt: skip
    outcome: str | None = None
    if dice.random() >= open_share:
        outcome = dice.choices(
            ["passed", *FAILURES], weights=[10, 4, 2, 3 if language != "go" else 12, 1, 1, 0.5]
        )[0]
    turns = 0 if outcome is None else 1 if mode == "plain" else dice.randint(1, 3)
    return {
        "cell_id": cell_id,
        "task_pk": pk,
        "idx": index,
        "outcome": outcome,
        "turns": turns,
        "solved_turn": turns if outcome == "passed" and mode == "repair" else None,
        "flags": "truncated" if outcome == "no_code" else "",
        "detail": FAILURES.get(outcome or "", ""),
        "prompt_tokens": 231 * turns,
        "completion_tokens": 344 * turns,
        "cost_usd": "0.001",
        "cpu_s": 0.4,
        "seconds": 3.7,
        "change": change,
    }


def add_turns(path: Path, unit_id: int, turns: Sequence[Mapping[str, Any]]) -> None:
    """Give a unit its turns through the real writer: keys `raw`, `code`, `program`, …"""

    async def write() -> None:
        writer = SessionWriter(path)
        try:
            for number, turn in enumerate(turns, 1):
                await writer.add_completion(
                    unit_id,
                    number,
                    request_key=f"{unit_id}/{number}",
                    request=turn.get("request", request("Complete the Java method.")),
                    feedback=turn.get("feedback", ""),
                    completion=completion(turn.get("raw", "")),
                    shared=False,
                )
                await writer.add_outcome(
                    unit_id,
                    number,
                    extraction=turn.get("extraction", extraction(turn)),
                    code=turn.get("code", ""),
                    program=turn.get("program"),
                    visible=turn.get("visible"),
                    scored=turn.get("scored"),
                    flags=(),
                )
        finally:
            writer.close()

    asyncio.run(write())


def request(text: str) -> dict[str, Any]:
    """A chat request."""
    return {
        "style": "chat",
        "messages": [{"role": "user", "content": text}],
        "prompt": "",
        "sampling": {"temperature": 0.8, "max_tokens": 1024},
        "index": 0,
        "key": "",
    }


def completion(text: str) -> dict[str, Any]:
    """An answer."""
    return {
        "text": text, "finish_reason": "stop", "model": "qwen2.5-coder-7b",
        "usage": {"prompt_tokens": 231, "completion_tokens": 344}, "cost_usd": "0.001",
        "logprob_mean": -0.2, "started": NOW - 100, "seconds": 3.1, "attempts": [],
        "reasoning": "",
    }  # fmt: skip


def extraction(turn: Mapping[str, Any]) -> dict[str, Any]:
    """What extraction took: the code where it stands in the answer."""
    code, raw = turn.get("code", ""), turn.get("raw", "")
    at = raw.find(code) if code else -1
    return {
        "steps": [{"rule": "fence.tagged", "note": "took the java block"}] if code else [],
        "span": [at, at + len(code)] if at >= 0 else None,
        "refused": False,
        "extractor": "tree-sitter/1",
        "form": "full" if code else None,
    }


def java_turn(*, passed: bool = False) -> dict[str, Any]:
    """The answer of SCREENS' picture."""
    code = JAVA.replace("l == down.toArray()", "l.equals(down)") if passed else JAVA
    lines = code.count("\n")
    return {
        "raw": f"Here is the completed method:\n\n```java\n{code}```\n\nIt sorts both ways.\n",
        "code": code,
        "program": {
            "files": {"Main.java": code + JAVA_TESTS},
            "options": {},
            "candidate_file": "Main.java",
            "candidate_lines": [1, lines],
        },
        "scored": execution("passed") if passed else execution(
            "compile_error",
            stderr="Main.java:13: error: incomparable types: List<Integer> and Object[]\n"
            "        return l == down.toArray();\n                 ^\n1 error\n",
        ),
    }  # fmt: skip


def execution(
    outcome: str, *, detail: str = "", stderr: str = "", stdout: str = "",
    case: Mapping[str, Any] | None = None, passed: int = 0, total: int = 0,
) -> dict[str, Any]:  # fmt: skip
    """An execution as stored."""
    compiled = outcome != "compile_error"
    clip = {"head": "", "tail": "", "size": 0}
    err = {"head": stderr, "tail": "", "size": len(stderr.encode())}
    out = {"head": stdout, "tail": "", "size": len(stdout.encode())}
    steps: list[dict[str, Any]] = [
        {"name": "compile", "exit_code": 0 if compiled else 1, "signal": None, "cpu_s": 3.7,
         "wall_s": 2.0, "memory_mb": 212.0, "stdout": clip, "stderr": clip if compiled else err,
         "stopped_by": ""},
    ]  # fmt: skip
    if compiled:
        steps.append(
            {"name": "run", "exit_code": 0 if outcome == "passed" else 1, "signal": None,
             "cpu_s": 0.31, "wall_s": 0.4, "memory_mb": 41.0, "stdout": out, "stderr": err,
             "stopped_by": ""}
        )  # fmt: skip
    return {
        "outcome": outcome,
        "detail": detail or FAILURES.get(outcome, ""),
        "steps": steps,
        "flags": [],
        "case": case,
        "cases_passed": passed,
        "cases_total": total,
        "queued_s": 0.0,
        "sandbox": "docker",
        "retried": 0,
    }


def readings(reader: SessionReader) -> dict[int, list[Reading]]:
    """Stand-in numbers: share passed, an interval of a fixed width."""
    found: dict[int, list[Reading]] = {}
    counts = reader.counts()
    for row in reader.cells():
        of_cell = counts.get(row.id, {})
        scored = sum(v for k, v in of_cell.items() if k not in ("open", "sandbox_error"))
        if not scored:
            continue
        value = of_cell.get("passed", 0) / scored
        done = not of_cell.get("open")
        body = f"{100 * value:>4.1f} ±4.6"
        metric = ("pass@1", "pass@1") if row.mode == "plain" else ("solved@≤3", "slv≤3")
        found[row.id] = [
            Reading(*metric, f"{' ' if done else '~'}{body}", f"{' ' if done else '~'}{body}",
                    body.strip(), value, max(0, value - 0.046), min(1, value + 0.046), done,
                    f"{row.label} · {metric[0]} (n={row.n}, T=0.8)")
        ]  # fmt: skip
    return found


def headline(path: Path) -> Headline:
    """The list's numbers of a session."""
    with SessionReader.open(path) as reader:
        cells = reader.cells()
        found = readings(reader)
    means = {c.recipe or c.mode: found[c.id][0] for c in cells if c.id in found}
    return make(cells, found, means)


def snapshot(units: Sequence[UnitRow] = (), *, state: str = "running") -> LiveSnapshot:
    """What a running process would publish."""
    whys = (
        ("generate", "stalled: no byte for 5:40; attempt limit 8:00", 372),
        ("execute", "queued for a java slot: 4 of 4 busy, 58 ahead", 108),
        ("execute", "queued for a java slot: 4 of 4 busy, 57 ahead", 107),
        ("generate", "retry 3 of 8: 429, next in 12 s", 52),
        ("generate", "waiting for the model, 31 s (p95 22 s)", 31),
    )
    languages = ("java", "java", "java", "go", "cpp")
    flying = tuple(
        InFlight(i + 1, 1, languages[i], f"HumanEval/{(141, 32, 32, 99, 10)[i]}", i,
                 3 if i > 2 else 1, stage, why, NOW - age)  # type: ignore[arg-type]
        for i, (stage, why, age) in enumerate(whys)
    )  # fmt: skip
    wave = tuple(float(3 + (i * 7) % 5) for i in range(40))
    return LiveSnapshot(
        state=state,  # type: ignore[arg-type]
        pid=4127,
        beat=NOW - 0.4,
        started=NOW - 7_200,
        planned=90,
        done=70,
        lost=2,
        in_flight=flying,
        in_flight_total=100,
        stages=(
            StageRate("generate", 46.0, 16, 16, 0, wave),
            StageRate("compile+run", 31.0, 9, 20, 61, wave[::-1]),
        ),
        prompt_tokens=6_000_000,
        completion_tokens=2_400_000,
        cost_usd=1.84,
        eta_s=2_900.0,
        events=(EventRow(1, NOW - 4, "info", "event"),),
        slots={"python": (4, 1, 0), "cpp": (4, 2, 2), "java": (4, 4, 58), "js": (4, 1, 0),
               "go": (4, 4, 1)},
    )  # fmt: skip


def add_pictured_units(path: Path) -> None:
    """Give java's problem 6 the sample and the episode of SCREENS' pictures."""
    db = sqlite3.connect(path / DATABASE)
    with db:
        sample = unit_id(db, "java", "plain", "6")
        episode = unit_id(db, "java", "repair", "6")
        db.execute(
            "UPDATE unit SET outcome = 'compile_error', detail = ?, turns = 0, prompt_tokens = 0, "
            "completion_tokens = 0, seconds = 0, flags = '', solved_turn = NULL WHERE id = ?",
            (FAILURES["compile_error"], sample),
        )
        db.execute(
            "UPDATE unit SET outcome = 'passed', detail = '', turns = 0, prompt_tokens = 0, "
            "completion_tokens = 0, seconds = 0, flags = '', solved_turn = 3 WHERE id = ?",
            (episode,),
        )
    db.close()
    first = java_turn()
    first["visible"] = execution("compile_error")
    second = java_turn()
    second["code"] = JAVA.replace("l == down.toArray()", "up.equals(down)")
    second["program"]["files"]["Main.java"] = second["code"] + JAVA_TESTS
    second["feedback"] = (
        "Your program was compiled. The compiler said:\n\n"
        "    Main.java:13: error: incomparable types\n\nMend the function."
    )
    second["scored"] = execution(
        "wrong_answer",
        case={"index": 2, "expected": "[1, 2, 3]", "actual": "[1, 2]", "shown": "monotonic(l)"},
        passed=1,
        total=7,
    )
    second["visible"] = execution("wrong_answer", passed=1, total=3)
    third = java_turn(passed=True)
    third["feedback"] = "1 of 3 examples holds.\n\nExample 2\n  expected  true\n  got       false"
    third["visible"] = execution("passed", passed=3, total=3)
    third["scored"] = execution("passed", passed=7, total=7)
    add_turns(path, sample, [java_turn()])
    add_turns(path, episode, [first, second, third])


def unit_id(db: sqlite3.Connection, language: str, mode: str, problem: str, index: int = 0) -> int:
    """Row id of a unit."""
    return int(
        db.execute(
            "SELECT u.id FROM unit u JOIN cell c ON c.id = u.cell_id JOIN task t ON t.id = "
            "u.task_pk WHERE c.language = ? AND c.mode = ? AND t.problem = ? AND u.idx = ?",
            (language, mode, problem, index),
        ).fetchone()[0]
    )
