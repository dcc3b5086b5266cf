"""What every sandbox must do, in each that works on this machine."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from tests.execution.tiny import PASS, program
from workbench.errors import SandboxUnavailable
from workbench.execution.launchers import BY_ITSELF, choose_launcher, probe_launchers
from workbench.execution.pool import Pool, open_pool
from workbench.execution.program import Limits
from workbench.languages import Language
from workbench.outcomes import Outcome

pytestmark = pytest.mark.asyncio(loop_scope="module")
QUICK = {"run": Limits(cpu_s=1.0, wall_s=10.0, memory_mb=128, output_bytes=1000)}


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=["bubblewrap", "unshare"])
async def pool(request: pytest.FixtureRequest, tiny: Language) -> AsyncGenerator[Pool]:
    try:
        async with open_pool([tiny], request.param, slots=2) as opened:
            yield opened
    except SandboxUnavailable as error:
        pytest.skip(str(error))


@pytest.mark.parametrize(
    ("code", "outcome"),
    [
        (PASS, "passed"),
        ("import sys; sys.exit(0)", "runtime_error"),
        ("assert False", "wrong_answer"),
        ("import os; os.abort()", "runtime_error"),
        ("while True: pass", "timeout"),
        ("x = b'x' * (300 << 20)\nimport time; time.sleep(1)\n" + PASS, "out_of_memory"),
        ("import os\nwhile True: os.write(1, b'x' * 65536)", "output_limit"),
    ],
)
async def test_outcomes(pool: Pool, code: str, outcome: str) -> None:
    execution = await pool.execute(program(code), limits=QUICK)
    assert str(execution.outcome) == outcome
    assert execution.sandbox == pool.sandbox


HARMLESS = [
    "import os\ntry: open('/usr/x', 'w')\nexcept OSError: pass\nelse: os._exit(9)\n",
    "import os\ntry: open('/x', 'w')\nexcept OSError: pass\nelse: os._exit(9)\n",
    "import os\nassert not os.path.exists('/root/.ssh') and not os.path.exists('/etc/shadow')\n",
    "import os\nassert not os.path.exists('/home') and not os.path.exists('/var')\n",
    "import os\nassert [i for i in os.listdir('/sys/class/net')] in (['lo'],)"
    " if os.path.exists('/sys/class/net') else True\n",
    "import socket\ns = socket.socket()\ns.settimeout(2)\n"
    "try: s.connect(('192.0.2.1', 80))\nexcept OSError: pass\nelse: raise ValueError('net')\n",
    "import os\nassert os.getuid() != 0\n",
    "import os\nassert sorted(int(d) for d in os.listdir('/proc/self/fd'))[:4] == [0, 1, 2, 3]\n"
    "assert len(os.listdir('/proc/self/fd')) <= 5\n",
    "import os, signal\n"
    "for pid in [int(p) for p in os.listdir('/proc') if p.isdigit()]:\n"
    "    if pid != os.getpid():\n"
    "        try: os.kill(pid, signal.SIGKILL)\n"
    "        except OSError: pass\n",
    "import os\n"
    "own = os.readlink('/proc/self')\n"
    "for pid in [p for p in os.listdir('/proc') if p.isdigit() and p != own]:\n"
    "    for name in ('mem', 'environ', 'maps'):\n"
    "        try: told = open(f'/proc/{pid}/{name}', 'rb').read(64)\n"
    "        except OSError: continue\n"
    "        raise ValueError(f'{pid} {name} {told}')\n",
]


@pytest.mark.parametrize("code", HARMLESS, ids=range(len(HARMLESS)))
async def test_what_a_program_must_not_reach(pool: Pool, code: str) -> None:
    execution = await pool.execute(program(code + PASS))
    assert (execution.outcome, execution.steps[-1].stderr.head) == (Outcome.PASSED, "")


FORK = "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass\n"
RESPAWN = (
    "import os, time\n"
    "end = time.monotonic() + 30\n"
    "while time.monotonic() < end:\n"
    "    if os.fork(): os._exit(0)\n"
    "    os.setsid()\n"
)
LITTER = (
    "import os\n"
    "for place in ('.', '/tmp', '/dev/shm', os.environ['TMPDIR']):\n"
    "    os.makedirs(place + '/l/m/n'); open(place + '/l/f', 'w').close()\n"
    "    os.chmod(place + '/l/m', 0); os.chmod(place + '/l', 0)\n"
)
TIDY = (
    "import os\n"
    "assert sorted(os.listdir('.')) == ['main.py']\n"
    "assert os.listdir(os.environ['TMPDIR']) == []\n"
    "for place in ('/tmp', '/dev/shm'):\n"
    "    try: os.mkdir(place + '/l')\n"
    "    except FileExistsError: raise ValueError(place)\n"
)


@pytest.mark.slow
async def test_a_program_finds_nothing_of_the_one_before(pool: Pool) -> None:
    limits = {"run": Limits(cpu_s=1.0, wall_s=4.0, memory_mb=1024)}
    for code in (FORK, RESPAWN, LITTER + PASS):
        execution = await pool.execute(program(code), limits=limits)
        assert execution.outcome is not Outcome.SANDBOX_ERROR, execution.detail
    tidy = await asyncio.gather(*(pool.execute(program(f"{TIDY}#{i}\n{PASS}")) for i in range(4)))
    assert [(e.outcome, e.detail) for e in tidy] == [(Outcome.PASSED, "")] * 4


DENIED = (
    "import ctypes, errno, os, platform\n"
    "if platform.machine() == 'x86_64':\n"
    "    call = ctypes.CDLL(None, use_errno=True).syscall\n"
    "    for number in (29, 64, 68, 240, 425):\n"
    "        assert call(number, 0, 0, 0, 0) == -1\n"
    "        assert ctypes.get_errno() in (errno.EPERM, errno.ENOSYS), number\n"
)


async def test_what_outlives_a_process_is_denied(pool: Pool) -> None:
    execution = await pool.execute(program(DENIED + PASS))
    assert (execution.outcome, execution.detail) == (Outcome.PASSED, "")


async def test_no_choice_is_ever_no_sandbox() -> None:
    assert "process" not in BY_ITSELF
    told = await probe_launchers()
    assert {name for name, _, _ in told} == {
        "docker",
        "gvisor",
        "bubblewrap",
        "unshare",
        "process",
    }
    assert all(reason and "\n" not in reason for _, _, reason in told)
    usable = [name for name, works, _ in told if works and name in BY_ITSELF]
    if usable:
        launcher = await choose_launcher()
        assert launcher.id == usable[0]
        await launcher.close()
    else:
        with pytest.raises(SandboxUnavailable, match="--sandbox process"):
            await choose_launcher()
