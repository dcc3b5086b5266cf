"""The pool over real supervisors, started as plain processes: every outcome, every accident."""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from tests.execution.tiny import PASS, make_language, program
from workbench.errors import SandboxUnavailable, UsageError
from workbench.execution import faults
from workbench.execution.faults import DEATHS
from workbench.execution.launchers.process import ProcessLauncher
from workbench.execution.pool import Pool, open_pool
from workbench.execution.program import Limits
from workbench.execution.slots import Settings, Slot
from workbench.languages import Language
from workbench.outcomes import Outcome

pytestmark = pytest.mark.asyncio(loop_scope="module")
QUICK = {"run": Limits(cpu_s=0.3, wall_s=1.0, memory_mb=256, output_bytes=1000)}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pool(tiny: Language, built: Language) -> AsyncGenerator[Pool]:
    async with open_pool([tiny, built], "process", slots=2) as opened:
        yield opened


OUTCOMES = [
    (PASS, "passed", ""),
    ("import sys; sys.exit(0)", "runtime_error", "ended with 0 before its tests finished"),
    ("import os; os._exit(0)", "runtime_error", "ended with 0 before its tests finished"),
    ("assert 1 == 2, 'no'\n" + PASS, "wrong_answer", "AssertionError: no"),
    ("1 / 0\n" + PASS, "runtime_error", "ZeroDivisionError: division by zero"),
    ("import os; os.abort()", "runtime_error", "killed by SIGABRT"),
    (PASS + "import os; os._exit(3)", "runtime_error", "exit code 3"),
    ("def f(:\n", "compile_error", "SyntaxError: invalid syntax"),
    ("import sys; sys.stdout.write('x' * 1001)\n" + PASS, "output_limit", "1001 bytes on stdout"),
    ("import sys; assert sys.stdin.read() == ''\n" + PASS, "passed", ""),
    ("import sys; assert sys.argv[1:] == []\n" + PASS, "passed", ""),
    ("open('/proc/self/fd/3', 'w').write('@@\\n')\n", "passed", ""),
    ("open('/dev/stdout', 'w').write('hi')\n" + PASS, "passed", ""),
    (
        "import os\nos.makedirs('a/b'); os.chmod('a/b', 0); os.symlink('/etc', 'l')\n" + PASS,
        "passed",
        "",
    ),
]


@pytest.mark.parametrize(("code", "outcome", "detail"), OUTCOMES)
async def test_outcomes(pool: Pool, code: str, outcome: str, detail: str) -> None:
    execution = await pool.execute(program(code))
    assert (str(execution.outcome), execution.detail[: len(detail)]) == (outcome, detail)
    assert execution.sandbox == "process"
    assert execution.retried == 0
    assert execution.steps[-1].name == "run"


async def test_tests_that_are_data(pool: Pool) -> None:
    code = "import os\ndef out(t): os.write(3, ('@@ ' + t + '\\n').encode())\n"
    right = await pool.execute(
        program(code + "out('0 1'); out('1 [2]'); out('end')", cases=[1, [2]])
    )
    assert (right.outcome, right.cases_passed, right.cases_total) == (Outcome.PASSED, 2, 2)
    assert right.case is None
    wrong = await pool.execute(program(code + "out('0 1'); out('1 3'); out('end')", cases=[1, 2]))
    assert wrong.outcome is Outcome.WRONG_ANSWER
    assert wrong.case is not None
    assert (wrong.case.index, wrong.case.expected, wrong.case.actual) == (1, "2", "3")
    assert wrong.detail == "case 1: expected 2, got 3"
    crash = await pool.execute(program(code + "out('0 1'); raise ValueError('x')", cases=[1, 2]))
    assert (crash.outcome, crash.detail) == (Outcome.RUNTIME_ERROR, "ValueError: x")
    assert crash.case is not None
    assert (crash.case.index, crash.case.actual, crash.cases_passed) == (1, "", 1)


async def test_compile_and_run_are_two_steps_with_limits_of_their_own(pool: Pool) -> None:
    good = await pool.execute(program(PASS, language="built", build="print('made')"))
    assert [s.name for s in good.steps] == ["compile", "run"]
    assert good.steps[0].stdout.head == "made\n"
    assert good.outcome is Outcome.PASSED
    bad = await pool.execute(program(PASS, language="built", build="raise TypeError('no such')"))
    assert (bad.outcome, bad.detail) == (Outcome.COMPILE_ERROR, "TypeError: no such")
    assert [s.name for s in bad.steps] == ["compile"]
    loud = await pool.execute(program(PASS, language="built", build="print('x' * 200_000)"))
    assert loud.outcome is Outcome.PASSED  # a compiler's output is cut, not judged
    assert loud.steps[0].stdout.size == 200_001
    assert loud.steps[0].stdout.omitted == 200_001 - 65_536
    slow = await pool.execute(
        program(PASS, language="built", build="while True: pass"),
        limits={"compile": replace(QUICK["run"], wall_s=20.0)},
    )
    assert (slow.outcome, slow.steps[-1].stopped_by) == (Outcome.TIMEOUT, "cpu")
    sly = "import os; os.write(3, b'x')"  # no channel while compiling
    assert (await pool.execute(program(PASS, language="built", build=sly))).outcome is (
        Outcome.COMPILE_ERROR
    )


async def test_cpu_time_decides_and_children_count(pool: Pool) -> None:
    busy = "import os\nfor _ in range(3): os.fork()\nwhile True: pass"
    for code in ("while True: pass", busy):
        limits = {"run": replace(QUICK["run"], wall_s=20.0)}
        execution = await pool.execute(program(code), limits=limits)
        assert (execution.outcome, execution.steps[-1].stopped_by) == (Outcome.TIMEOUT, "cpu")
        assert 0.3 <= execution.steps[-1].cpu_s < 1.5
        assert execution.retried == 0


async def test_a_sleeper_is_run_once_more_alone_before_its_timeout_counts(pool: Pool) -> None:
    execution = await pool.execute(program("import time; time.sleep(60)"), limits=QUICK)
    assert (execution.outcome, execution.steps[-1].stopped_by) == (Outcome.TIMEOUT, "wall")
    assert execution.retried == 1
    assert "of wall time, 0." in execution.detail


async def test_memory_beyond_the_limit_is_out_of_memory(pool: Pool) -> None:
    code = "x = b'x' * (400 << 20)\nimport time; time.sleep(0.2)\n" + PASS
    execution = await pool.execute(program(code))
    assert (execution.outcome, execution.steps[-1].stopped_by) == (Outcome.OUT_OF_MEMORY, "memory")
    near = await pool.execute(program("x = b'x' * (215 << 20)\n" + PASS))
    assert (near.outcome, near.flags) == (Outcome.PASSED, ("near_limit",))


async def test_endless_output_is_stopped_and_kept_small(pool: Pool) -> None:
    code = "import os\nwhile True: os.write({}, b'x' * 65536)"
    for descriptor in (1, 2):
        execution = await pool.execute(program(code.format(descriptor)), limits=QUICK)
        assert (execution.outcome, execution.steps[-1].stopped_by) == (
            Outcome.OUTPUT_LIMIT,
            "output",
        )
        clip = execution.steps[-1].stdout if descriptor == 1 else execution.steps[-1].stderr
        assert len(clip.head) + len(clip.tail) <= 65_536 < clip.size + 50_000


async def test_nothing_of_a_program_outlives_its_execution(pool: Pool) -> None:
    daemon = (
        "import os, time\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    if os.fork() == 0:\n"
        "        time.sleep(300)\n"
        "    os._exit(0)\n"
        "os.wait()\n"
    )
    execution = await pool.execute(program("open('left', 'w').close()\n" + daemon + PASS))
    assert execution.outcome is Outcome.PASSED
    again = f"import os\nassert os.listdir('.') == ['main.py'], os.listdir('.')\n{PASS}"
    assert (await pool.execute(program(again))).outcome is Outcome.PASSED
    assert not [p for p in _processes() if b"time.sleep(300)" in p]


async def test_a_missing_command_of_the_toolchain_is_a_fault_of_the_machine(
    tmp_path: Path, pool: Pool
) -> None:
    broken = make_language(tmp_path / "broken")
    step = broken.run
    object.__setattr__(step, "argv", ("no-such-command",))
    async with open_pool([broken], "process", slots=1) as own:
        execution = await own.execute(program(PASS, language="broken"))
    assert execution.outcome is Outcome.SANDBOX_ERROR
    assert "no-such-command can't be started" in execution.detail
    assert execution.retried == 2


class _Killed(ProcessLauncher):
    """Kills the first supervisors it starts, as soon as they are asked something."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times = times
        self.opened = 0

    async def open(self, language: Language, memory_mb: int) -> Slot:
        slot = await super().open(language, memory_mb)
        self.opened += 1
        if self.opened <= self.times:
            os.kill(slot._link._process.pid, signal.SIGKILL)  # type: ignore[attr-defined]
        return slot


@pytest.mark.parametrize(
    ("times", "outcome"), [(1, "passed"), (DEATHS, "passed"), (DEATHS + 1, "sandbox_error")]
)
async def test_a_dead_supervisor_is_replaced_and_the_program_runs_again(
    monkeypatch: pytest.MonkeyPatch, tiny: Language, times: int, outcome: str
) -> None:
    monkeypatch.setattr(faults, "PAUSES_S", (0.01,))
    launcher = _Killed(times)
    async with open_pool([tiny], launcher, slots=1) as own:
        execution = await own.execute(program(PASS))
    assert (str(execution.outcome), execution.retried) == (outcome, min(times, DEATHS))
    assert launcher.opened == min(times, DEATHS) + 1


async def test_a_failure_under_random_tests_is_tried_once_more(pool: Pool, tiny: Language) -> None:
    code = "raise ValueError('x')"
    fixed = await pool.execute(program(code))
    drawn = await pool.execute(program(code, deterministic=False))
    assert (fixed.retried, drawn.retried) == (0, 1)
    assert drawn.outcome is Outcome.RUNTIME_ERROR


async def test_identical_programs_are_executed_once_unless_told_otherwise(tiny: Language) -> None:
    for reuse, duplicates in ((True, 2), (False, 0)):
        async with open_pool([tiny], "process", slots=2, reuse=reuse) as own:
            found = await asyncio.gather(*(own.execute(program(PASS)) for _ in range(3)))
            assert sum("duplicate" in e.flags for e in found) == duplicates
            other = await own.execute(program(PASS), limits=QUICK)
            assert other.flags == ()


async def test_who_waits_hears_why(tiny: Language) -> None:
    said: list[str] = []
    async with open_pool([tiny], "process", slots=1, reuse=False) as own:
        slow = "import time\nwhile time.process_time() < 1.3: pass\n" + PASS
        await asyncio.gather(*(own.execute(program(slow), on_wait=said.append) for _ in range(2)))
        counts = own.slots()["tiny"]
    assert "queued for a tiny slot: 1 of 1 busy, 0 ahead" in said
    assert any(s.startswith("running, ") and s.endswith(" of 2 s CPU") for s in said)
    assert (counts.slots, counts.busy, counts.queued) == (1, 0, 0)


async def test_a_cancelled_execution_leaves_the_pool_usable(tiny: Language) -> None:
    async with open_pool([tiny], "process", slots=1) as own:
        task = asyncio.create_task(own.execute(program("import time; time.sleep(60)")))
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await own.execute(program(PASS))).outcome is Outcome.PASSED


async def test_the_manifest_says_what_can_change_a_verdict(pool: Pool, built: Language) -> None:
    manifest = await pool.manifest("built")
    assert manifest["sandbox"] == "process"
    assert manifest["folder"] == built.content_hash
    versions = manifest["versions"]
    assert isinstance(versions, Mapping)
    assert versions["python3 --version"].startswith("Python 3.")
    steps = manifest["steps"]
    assert isinstance(steps, Mapping)
    assert list(steps) == ["compile", "run"]


async def test_what_isnt_available_says_why(tmp_path: Path) -> None:
    folder = make_language(tmp_path / "gone")
    table = dict(folder.settings)
    table["host"] = {"needs": [["no-such-tool", "version"]]}
    object.__setattr__(folder, "settings", table)
    with pytest.raises(SandboxUnavailable, match="gone: `no-such-tool version` fails: not found"):
        async with open_pool([folder], "process"):
            pass
    with pytest.raises(UsageError, match="no sandbox 'jail'"):
        async with open_pool([folder], "jail"):
            pass


@pytest.fixture
def entered(tmp_path: Path) -> Path:
    """A folder that other users may enter."""
    tmp_path.chmod(0o755)
    return tmp_path


async def test_a_languages_build_cache_is_filled_once(
    entered: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from workbench.execution.launchers import filled

    monkeypatch.setattr(filled, "SYSTEM_CACHE", entered / "cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(entered / "cache"))
    language = make_language(
        entered / "cached",
        extra='cache = { variable = "MADE", fill = [["sh", "-c", "echo once >> $MADE/file"]] }\n',
    )
    said: list[str] = []
    for _ in range(2):
        async with open_pool([language], "process", say=said.append) as own:
            code = (
                "import os\nassert os.path.basename(os.environ['MADE'])[:7] == 'cached-'\n" + PASS
            )
            assert (await own.execute(program(code, language="cached"))).outcome is Outcome.PASSED
    assert len(said) == 1
    made = list((entered / "cache").rglob("file"))
    assert [f.read_text(encoding="utf-8") for f in made] == ["once\n"]


async def test_settings_that_a_supervisor_refuses_are_told(tiny: Language) -> None:
    launcher = ProcessLauncher()
    made = launcher.settings()

    class Refused(ProcessLauncher):
        def settings(self) -> Settings:
            return replace(made, private=("/etc",))

    with pytest.raises(SandboxUnavailable, match="/etc isn't a mount of the sandbox's own"):
        await Refused().open(tiny, 64)


def _processes() -> Sequence[bytes]:
    found: list[bytes] = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(path.read_bytes())
        except OSError:
            continue
    return found


async def test_where_memory_takes_the_sandbox_along_repeated_deaths_are_an_outcome(
    monkeypatch: pytest.MonkeyPatch, tiny: Language
) -> None:
    monkeypatch.setattr(faults, "PAUSES_S", (0.01,))
    launcher = _Killed(DEATHS + 1)
    launcher.dies_of_memory = True
    async with open_pool([tiny], launcher, slots=1) as own:
        execution = await own.execute(program(PASS))
    assert execution.outcome is Outcome.OUT_OF_MEMORY
    assert execution.detail.startswith(f"{DEATHS + 1} sandboxes ended under it")


@pytest.mark.slow  # these run one by one: tests beside this one make work dirs, too
async def test_a_closed_slot_leaves_no_folder(tiny: Language) -> None:
    before = _work_dirs()
    async with open_pool([tiny], "process", slots=1) as own:
        await own.execute(program("import os; os.makedirs('a/b/c')\n" + PASS))
        assert _work_dirs() > before
    assert _work_dirs() <= before


def _work_dirs() -> set[Path]:
    return set(Path(tempfile.gettempdir()).glob("workbench-*"))
