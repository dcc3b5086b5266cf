"""Programs that attack the judge: none passes, none stays, none spoils what comes after it.

In docker where it is there, and in the sandboxes made of namespaces where they work.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from workbench.errors import SandboxUnavailable
from workbench.execution.pool import Pool, open_pool
from workbench.execution.program import DataCase, Limits, Program, SourceFile
from workbench.outcomes import Outcome

pytestmark = pytest.mark.asyncio(loop_scope="module")
LIMITS = {"run": Limits(cpu_s=1.0, wall_s=10.0, memory_mb=256)}
SANDBOXES = [pytest.param("docker", marks=pytest.mark.docker), "bubblewrap", "unshare"]

ATTACKS = {
    "a token that is guessed": "import os\nfor i in range(5000): os.write(3, b'%032x\\n' % i)",
    "a token mark in the text": "import os\nos.write(3, b'{pass token}\\n')",
    "no end to the channel": "import os\nwhile True: os.write(3, b'x' * 65536)",
    "one endless line": "import os\nwhile True: os.write(3, b'0' * 65536)",
    "exit before the tests": "import atexit, os\natexit.register(os._exit, 0)\nraise SystemExit",
    "a signal to every process": "import os\nos.kill(-1, 9)",
    "a signal to the first process": "import os, signal\nos.kill(1, signal.SIGKILL)",
    "a fork bomb": "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass",
    "a thread bomb": (
        "import threading, time\n"
        "while True: threading.Thread(target=time.sleep, args=(60,), daemon=True).start()"
    ),
    "a respawning chain": (
        "import os\nif os.fork(): os._exit(0)\nwhile True:\n"
        "    if os.fork(): os._exit(0)\n    os.setsid()"
    ),
    "a full disk": (
        "import os\nn = 0\nwhile True:\n"
        "    with open(str(n), 'wb') as f: f.write(b'x' * (60 << 20))\n    n += 1"
    ),
    "a giant file": "f = open('f', 'wb')\nwhile True: f.write(b'x' * (1 << 20))",
    "no inode left": "import os\nn = 0\nwhile True: open(str(n), 'w').close(); n += 1",
    "a deep tree": (
        "import os\nfor i in range(3000):\n    os.mkdir('d'); os.chdir('d')\nraise SystemExit(1)"
    ),
    "a tree that nobody may read": (
        "import os\nos.makedirs('a/b/c'); open('a/b/f', 'w').close()\n"
        "os.chmod('a/b/c', 0); os.chmod('a/b', 0); os.chmod('a', 0)\nos.chmod('.', 0)"
    ),
    "a work dir that is a link": (
        "import os\nos.chdir('/')\nroot = os.path.dirname(os.environ['HOME'])\n"
        "os.rename(root + '/run', root + '/x'); os.symlink('/usr', root + '/run')"
    ),
    "files in the next one's place": (
        "import os\nroot = os.path.dirname(os.environ['HOME'])\n"
        "os.rename(root + '/run', root + '/y'); os.mkdir(root + '/run')\n"
        "open(root + '/run/main.py', 'w').write('1')"
    ),
    "shared memory that stays": (
        "import os\nopen('/dev/shm/left', 'w').write('x'); open('/tmp/left', 'w').write('x')\n"
        "raise SystemExit(1)"
    ),
    "memory in shared memory": (
        "import os\nf = open('/dev/shm/big', 'wb')\nwhile True: f.write(b'x' * (1 << 20))"
    ),
    "a copy of the supervisor": (
        "import os\nfor p in os.listdir('/proc'):\n"
        "    if p.isdigit() and int(p) != os.getpid():\n"
        "        for e in ('mem', 'environ', 'maps', 'fd/10', 'fd/11', 'root', 'cwd'):\n"
        "            try: open(f'/proc/{p}/{e}', 'rb+').read(1); print(p, e, flush=True)\n"
        "            except OSError: pass\nraise SystemExit(1)"
    ),
    "another uid": "import os\nos.setresuid(0, 0, 0)",
    "the supervisor's own frames": (
        "import os\nfor fd in range(4, 64):\n"
        "    try: os.write(fd, b'\\0\\0\\0\\2{}'); print(fd, flush=True)\n"
        "    except OSError: pass\nraise SystemExit(1)"
    ),
    "stopped for ever": "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)",
    "deaf to signals": (
        "import signal, time\nfor s in range(1, 65):\n"
        "    try: signal.signal(s, signal.SIG_IGN)\n    except (OSError, ValueError): pass\n"
        "while True: pass"
    ),
    "children that nobody waits for": (
        "import os, signal\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "while True:\n    if os.fork() == 0:\n        sum(range(200_000)); os._exit(0)"
    ),
}
NEXT = (
    "import os\n"
    "assert os.listdir('.') == ['main.py']\n"
    "assert os.listdir(os.environ['TMPDIR']) == []\n"
    "assert not os.path.exists('/dev/shm/left') and not os.path.exists('/tmp/left')\n"
    "pids = [p for p in os.listdir('/proc') if p.isdigit()]\n"
    "assert len(pids) <= 6, pids\n"
    "open('f', 'wb').write(b'x' * (32 << 20))\n"
)


def python(code: str, cases: tuple[DataCase, ...] | None = None) -> Program:
    return Program("python", (SourceFile("main.py", tuple(code.split("@@"))),), cases=cases)


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=SANDBOXES)
async def pool(request: pytest.FixtureRequest) -> AsyncGenerator[Pool]:
    try:
        async with open_pool(["python"], request.param, slots=1, reuse=False) as opened:
            yield opened
    except SandboxUnavailable as error:
        pytest.skip(str(error))


@pytest.mark.slow
@pytest.mark.parametrize("attack", list(ATTACKS))
async def test_an_attack_neither_passes_nor_stays(pool: Pool, attack: str) -> None:
    execution = await pool.execute(python(ATTACKS[attack]), limits=LIMITS)
    assert execution.outcome.scored, execution.detail
    assert execution.outcome is not Outcome.PASSED
    if attack in ("a copy of the supervisor", "the supervisor's own frames"):
        assert execution.steps[-1].stdout.head == ""
    following = await pool.execute(python(NEXT + "os.write(3, b'@@\\n')"))
    assert (following.outcome, following.detail) == (Outcome.PASSED, "")


async def test_results_that_claim_too_much_are_no_pass(pool: Pool) -> None:
    cases = (DataCase(1), DataCase(2))
    for text in (
        "'@@ end'",
        "'@@ 0 1\\n@@ end'",
        "'@@ 0 1\\n@@ 0 1\\n@@ end'",
        "'@@ 0 1\\n@@ 1 true\\n@@ end'",
        "'@@ 0 1\\n@@ 1 2 \\n@@ 2 2\\n@@ end'",
        "'@@ 0 ' + '[' * 200_000 + '\\n@@ 1 2\\n@@ end'",
        "'@@ 0 ' + '9' * 6_000_000 + '\\n@@ 1 2\\n@@ end'",
    ):
        code = f"import os\nwith open(3, 'w') as out: out.write({text} + '\\n')"
        execution = await pool.execute(python(code, cases))
        assert execution.outcome in (Outcome.RUNTIME_ERROR, Outcome.WRONG_ANSWER), text
