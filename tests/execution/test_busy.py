"""A busy machine doesn't change a verdict: CPU time decides, and what slept is tried alone."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.execution.programs import FILES
from workbench.execution.pool import Pool, open_pool
from workbench.execution.program import Limits, Program, SourceFile

pytestmark = [
    pytest.mark.docker,
    pytest.mark.slow,
    pytest.mark.skipif(
        not os.environ.get("WORKBENCH_TEST_WHOLE"), reason="WORKBENCH_TEST_WHOLE=1 runs it: minutes"
    ),
]
COUNTS = {"python": 300, "js": 60, "cpp": 60, "java": 40, "go": 40}
LIMITS = {
    "compile": Limits(cpu_s=30.0, wall_s=120.0, memory_mb=1024),
    "run": Limits(cpu_s=2.0, wall_s=8.0, memory_mb=512),
}
SLOW_S = 1.2
"""60 % of the limit."""
KINDS = ("right", "wrong", "right", "crash", "right", "slow", "right", "wrong", "silent", "endless")

BODIES: dict[str, dict[str, str]] = {
    "python": {
        "slow": f"import time\nwhile time.process_time() < {SLOW_S}: pass",
        "wrong": "assert 1 == 2",
        "crash": "[][1]",
        "silent": "raise SystemExit",
        "endless": "while True: pass",
    },
    "js": {
        "slow": f"while (process.cpuUsage().user + process.cpuUsage().system < {SLOW_S * 1e6});",
        "wrong": "require('assert').strictEqual(1, 2)",
        "crash": "null.x",
        "silent": "process.exit(0)",
        "endless": "for (;;);",
    },
    "cpp": {
        "slow": f"while (clock() < {SLOW_S} * CLOCKS_PER_SEC);",
        "wrong": "assert(1 == 2);",
        "crash": "abort();",
        "silent": "exit(0);",
        "endless": "for (volatile int i = 0;; i = i + 1);",
    },
    "java": {
        "slow": (
            "var os = (com.sun.management.OperatingSystemMXBean) "
            "java.lang.management.ManagementFactory.getOperatingSystemMXBean();"
            f" while (os.getProcessCpuTime() < {SLOW_S * 1e9:.0f}L);"
        ),
        "wrong": "if (true) throw new AssertionError();",
        "crash": "int[] x = {}; x[1] = 2;",
        "silent": "if (true) System.exit(0);",
        "endless": "for (int i = 0; i < 2; i = i % 1);",
    },
    "go": {
        "slow": (
            "var u syscall.Rusage; for { syscall.Getrusage(0, &u);"
            f" if float64(u.Utime.Nano() + u.Stime.Nano()) > {SLOW_S}e9 {{ break }} }}"
        ),
        "wrong": 'println("Error Trace:"); os.Exit(1)',
        "crash": "var x []int; x[len(os.Args)-1] = 1",
        "silent": "os.Exit(0)",
        "endless": "for {}",
    },
}
ENDS = {
    "python": "import os\n{0}\nos.write(3, b'@@\\n')",
    "js": "{0}\nrequire('fs').writeSync(3, '@@\\n');",
    "cpp": (
        "#include <cassert>\n#include <cstdlib>\n#include <ctime>\n#include <unistd.h>\n"
        'int main() {{ {0} return write(3, "@@\\n", 33) != 33; }}'
    ),
    "java": (
        "public class Main {{ public static void main(String[] a) throws Exception {{ {0}\n"
        'try (var out = new java.io.FileOutputStream("/proc/self/fd/3"))'
        ' {{ out.write("@@\\n".getBytes()); }} }} }}'
    ),
    "go": (
        'package main\nimport ("os"; "syscall")\nvar _ syscall.Rusage\n'
        'func main() {{ {0}\nos.NewFile(3, "channel").WriteString("@@\\n") }}'
    ),
}
COMMENTS = {"python": "#"}
OPTIONS = {"go": {"build": ("build",)}}


def program(language: str, number: int) -> Program:
    """One of the mixed programs; each has another text."""
    body = BODIES[language].get(KINDS[number % len(KINDS)], "")
    mark = COMMENTS.get(language, "//")
    text = f"{ENDS[language].format(body)}\n{mark} {number}\n"
    file = SourceFile(FILES[language], tuple(text.split("@@")))
    return Program(language, (file,), OPTIONS.get(language, {}))


MIXED = [(language, n) for language, count in COUNTS.items() for n in range(count)]


async def outcomes(pool: Pool) -> list[str]:
    async def one(language: str, number: int) -> str:
        found = await pool.execute(program(language, number), limits=LIMITS)
        return f"{language} {KINDS[number % len(KINDS)]}: {found.outcome}"

    return await asyncio.gather(*(one(*item) for item in MIXED))


@contextmanager
def busy() -> Iterator[None]:
    """Keep every core busy with other work, at the priority that programs usually have."""
    hogs = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"])
        for _ in range(os.cpu_count() or 1)
    ]
    try:
        yield
    finally:
        for hog in hogs:
            hog.kill()
            hog.wait()


async def test_the_verdicts_of_500_programs_are_those_of_an_idle_machine() -> None:
    async with open_pool(list(COUNTS), "docker", reuse=False) as pool:
        idle = await outcomes(pool)
        with busy():
            loaded = await outcomes(pool)
    assert len(idle) == 500
    right = {f"{name} {kind}: passed" for name in COUNTS for kind in ("right", "slow")}
    assert right <= set(idle)
    assert not [told for told in idle if told.endswith("sandbox_error")]
    assert [pair for pair in zip(idle, loaded, strict=True) if pair[0] != pair[1]] == []
