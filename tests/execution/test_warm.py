"""What is kept warm changes nothing but the time: a program sees and does what it would by the
plain commands. Each program here runs both ways, in two pools of the same image."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from tests.execution.programs import FILES
from workbench import languages
from workbench.benchmarks.load import load_set
from workbench.benchmarks.task import Task
from workbench.execution.pool import Pool, open_pool
from workbench.execution.program import Candidate, Execution, Limits, Program, SourceFile
from workbench.outcomes import Outcome

pytestmark = [pytest.mark.docker, pytest.mark.asyncio(loop_scope="module")]
KEPT = ("python", "cpp", "js")
DATA = Path(__file__).parents[3] / "shared" / "data"
LIMITS = {name: Limits(cpu_s=5.0, wall_s=30.0, memory_mb=512) for name in ("compile", "run")}

# What a Python program can find out about the interpreter it runs in.
PYTHON = {
    "itself": (
        "import sys, os\nprint(__name__, __file__, sys.argv, sys.path, sys.flags, sys.orig_argv)\n"
        "print(sorted(globals()), __spec__, __package__, type(__loader__), __builtins__)\n"
        "print(sys.stdout, sys.stderr, sys.stdin, sys.stdout.seekable(), sys.stdout.buffer.raw)\n"
        "print(os.getcwd(), sorted(os.environ.items()), os.umask(0), os.nice(0), hash('a'))"
    ),
    "its modules": "import sys\nprint(sorted(sys.modules))",
    "its process": (
        "import os, signal, resource\nprint(os.getpgid(0) == os.getsid(0) == os.getpid())\n"
        "print([signal.getsignal(s) for s in sorted(signal.valid_signals())])\n"
        "print([resource.getrlimit(k) for k in range(16)])\n"
        "print(sorted(int(f) for f in os.listdir('/proc/self/fd'))[:5])\n"
        "text = open('/proc/self/status').read()\n"
        "print([l for l in text.splitlines() if l[:3] in ('Cap', 'NoN', 'Sec', 'Thr', 'Sig')])\n"
        "print(open('/proc/self/oom_score_adj').read(), len(open('/proc/self/maps').read()) > 0)"
    ),
    "modules that are kept": (
        "import typing, collections, re, functools, itertools, math, string, heapq, copy, json\n"
        "import hashlib, datetime, fractions, decimal, dataclasses, enum, sys, collections.abc\n"
        "for name in sorted(sys.modules):\n"
        "    m = sys.modules[name]\n"
        "    spec = getattr(m, '__spec__', None)\n"
        "    print(name, m.__name__, spec and (spec.name, spec.origin, spec.cached), sorted(dir(m)))\n"
    ),
    "a part of a module": (
        "import sys\nfrom collections import abc\nprint('typing' in sys.modules, abc.Iterable)\n"
        "from json import decoder\nprint(sorted(sys.modules))"
    ),
    "how deep it may call": (
        "import sys\ndepth = 0\ndef f():\n    global depth\n    depth += 1\n    f()\n"
        "try: f()\nexcept RecursionError: print(depth)"
    ),
    "random": "import random\nrandom.seed(1)\nprint(random.random(), {'a', 'b', 'c', 'd'})",
    "an end by number": "import sys\nsys.exit(3)",
    "an end by words": "import sys\nprint('a')\nsys.exit('words')",
    "an end that isn't one": "raise SystemExit(None)",
    "an error": "def f():\n    return [][1]\nf()",
    "an error while another is handled": "try: 1 / 0\nexcept Exception: {}['a']",
    "an error of a class without a text": "class E(BaseException): pass\nraise E",
    "a syntax error": "def f(:\n",
    "no text at all": "",
    "an interrupt": "raise KeyboardInterrupt",
    "an interrupt from outside": "import os, signal\nos.kill(os.getpid(), signal.SIGINT)",
    "a signal": "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)",
    "an abort": "import os\nos.abort()",
    "what is to be done at the end": (
        "import atexit\natexit.register(print, 'first')\natexit.register(print, 'second')\n1 / 0"
    ),
    "an end that fails": "import atexit\natexit.register(lambda: 1 / 0)",
    "a thread that goes on": (
        "import threading, time\n"
        "threading.Thread(target=lambda: (time.sleep(0.2), print('late'))).start()\nprint('early')"
    ),
    "a thread that doesn't count": (
        "import threading, time\nthreading.Thread(target=time.sleep, args=(9,), daemon=True).start()"
    ),
    "an output that is closed": "import sys\nprint('x')\nsys.stdout.close()",
    "an output that is gone": "import os\nos.close(1)\nprint('x' * 100)",
    "its own hooks": "import sys\nsys.excepthook = lambda *e: print('mine', e[0])\n1 / 0",
    "an end taken away": "import os\nos._exit = lambda code: None\nprint('x')",
    "a child": "import os\nif os.fork() == 0: print('child')\nelse: os.wait(); print('parent')",
    "a process": (
        "import subprocess\nprint(subprocess.run(['id', '-u'], capture_output=True).returncode)"
    ),
    "processes of its own": (
        "import multiprocessing as m\ndef f(x): return x * 2\n"
        "if __name__ == '__main__':\n    with m.Pool(2) as p: print(p.map(f, [1, 2, 3]))"
    ),
    "a module of its own": "open('own.py', 'w').write('x = 7')\nimport own\nprint(own.x, own)",
    "too much memory": "x = b'x' * (900 << 20)",
    "no end": "while True: pass",
    "sleep": "import time\ntime.sleep(0.3)\nprint('x')",
    "input": "print(repr(input()))",
    "asyncio": "import asyncio\nasync def f(): await asyncio.sleep(0.01); print('x')\nasyncio.run(f())",
    "dataclasses": (
        "from dataclasses import dataclass\nfrom typing import NamedTuple, Optional, List\n"
        "@dataclass\nclass A:\n    x: int = 1\nclass B(NamedTuple):\n    y: int\nprint(A(), B(2))"
    ),
    "doctests": "def f():\n    '''\n    >>> 1\n    2\n    '''\nimport doctest\nprint(doctest.testmod())",
    "pickle": "import pickle, collections\nprint(pickle.loads(pickle.dumps(collections.Counter('aab'))))",
}
JS = {
    "itself": (
        "console.log(process.argv, process.execArgv, __filename, require.main === module,\n"
        "  Object.keys(globalThis), Object.getOwnPropertyNames(globalThis).sort(), process.title,\n"
        "  process.env.HOME, process.cwd(), process.version, require.resolve.paths('x'))"
    ),
    "an error": "function f() { return null.x }\nf()",
    "a rejection": "Promise.reject(new TypeError('x'))",
    "a rejection later": "setTimeout(() => { throw new Error('late') }, 5)",
    "order": (
        "setTimeout(() => console.log(1)); setImmediate(() => console.log(2));\n"
        "process.nextTick(() => console.log(3)); Promise.resolve().then(() => console.log(4));\n"
        "process.on('exit', (code) => console.log(5, code)); console.log(6)"
    ),
    "exit": "process.exitCode = 4",
    "a syntax error": "let x = ;",
    "deep recursion": "const f = () => f() + 1\nf()",
    "memory": "const a = []; for (;;) a.push(new Array(1e6).fill(1))",
    "no end": "for (;;);",
    "a module": "import('fs').then((fs) => console.log(typeof fs.readFileSync))",
    "built-ins": (
        "const { createHash } = require('crypto'); const util = require('util');\n"
        "console.log(createHash('md5').update('a').digest('hex'), util.inspect({ a: [new Map()] }),\n"
        "  new Intl.NumberFormat('en').format(1234.5), 'ä'.localeCompare('b'), new Date(0),\n"
        "  typeof fetch, typeof structuredClone, typeof WebAssembly, [3, 1, 2].sort())"
    ),
    "a child": "console.log(require('child_process').spawnSync('node', ['-p', '1+1']).stdout + '')",
    "a worker": (
        "const { Worker } = require('worker_threads');\n"
        "new Worker('console.log(7)', { eval: true }).on('exit', (c) => console.log('end', c))"
    ),
    "input": "console.log(require('fs').readFileSync(0, 'utf8').length)",
}
CPP_HEAD = "#include <iostream>\n#include <vector>\n"
CPP = {
    "names that its headers bring": f"{CPP_HEAD}int main() {{ std::cout << std::vector<int>(3).size(); }}",
    "a name that its headers lack": f"{CPP_HEAD}int main() {{ std::map<int, int> m; }}",
    "a header that isn't there": "#include <windows.h>\nint main() {}",
    "no header": "int main() { return 3; }",
    "an error with a note": f"{CPP_HEAD}void f(int); int main() {{ f(std::vector<int>()); }}",
    "an error inside a template": (
        "#include <algorithm>\n#include <vector>\nstruct A {};\n"
        "int main() { std::vector<A> v(3); std::sort(v.begin(), v.end()); }"
    ),
    "what the linker misses": f"{CPP_HEAD}int missing(int);\nint main() {{ return missing(1); }}",
    "twice the same": f"{CPP_HEAD}int f() {{ return 1; }} int f() {{ return 2; }} int main() {{}}",
    "no main": f"{CPP_HEAD}int f() {{ return 1; }}",
    "macros before the headers": f"#define vector list\n{CPP_HEAD}int main() {{ std::vector<int> v; }}",
    "a comment that hides a header": f"// \\\n{CPP_HEAD}int main() {{ std::cout << 1; }}",
    "all headers": "#include <bits/stdc++.h>\nusing namespace std;\nint main() { map<int,int> m; cout << m.size(); }",
    "headers after a using line": (
        "#include <vector>\nusing namespace std;\n#include <iostream>\n"
        "int main() { cout << vector<int>(3).size(); }"
    ),
    "a using line before its namespace": f"using namespace std;\n{CPP_HEAD}int main() {{}}",
    "a using line without its namespace": (
        f"#include <assert.h>\nusing namespace std;\n{CPP_HEAD}int main() {{}}"
    ),
    "all headers after a using line": (
        "#include <vector>\nusing namespace std;\n#include <bits/stdc++.h>\n"
        "int main() { map<int, int> m; cout << m.size(); }"
    ),
    "a name that all headers have": (
        "#include <vector>\nusing namespace std;\n#include <bits/stdc++.h>\n"
        "int count;\nint main() { return count; }"
    ),
    "a throw": f"{CPP_HEAD}int main() {{ std::vector<int> v; return v.at(3); }}",
    "an assertion": "#include <cassert>\nint main() { assert(1 == 2); }",
    "too deep": "int f(int x) { volatile char c[1024]; return f(x + 1) + c[0]; } int main() { return f(0); }",
    "a comment that goes on after blanks": f"// \\ \n{CPP_HEAD}int main() {{ std::cout << 1; }}",
    "templates without end": "template <int N> struct A { A<N + 1> a; }; A<0> a; int main() {}",
}
SPECIAL = [
    *(("python", name) for name in PYTHON),
    *(("js", name) for name in JS),
    *(("cpp", name) for name in CPP),
]
CODES = {"python": PYTHON, "js": JS, "cpp": CPP}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def warm() -> AsyncGenerator[Pool]:
    async with open_pool(KEPT, "docker", slots=1, reuse=False) as pool:
        yield pool


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def cold() -> AsyncGenerator[Pool]:
    async with open_pool(KEPT, "docker", slots=1, reuse=False, warm=False) as pool:
        yield pool


def special(language: str, name: str) -> Program:
    code = CODES[language][name]
    return Program(language, (SourceFile(FILES[language], (code,)),))


def told(execution: Execution) -> list[object]:
    """What may not differ: outcome, words, and how each step ended."""
    ends = [
        (s.name, s.exit_code, s.signal, bool(s.stopped_by), s.stdout.head, s.stdout.size)
        for s in execution.steps
    ]
    # How far a program got before it was stopped is chance.
    detail = "" if execution.outcome is Outcome.TIMEOUT else execution.detail
    return [execution.outcome, detail, ends]


def words(execution: Execution) -> str:
    return re.sub(r"0x[0-9a-f]+", "0x", execution.steps[-1].stderr.head)


@pytest.mark.parametrize(("language", "name"), SPECIAL)
async def test_a_program_can_t_tell(warm: Pool, cold: Pool, language: str, name: str) -> None:
    program = special(language, name)
    quick, plain = await asyncio.gather(
        warm.execute(program, limits=LIMITS), cold.execute(program, limits=LIMITS)
    )
    assert told(quick) == told(plain)
    if language == "python":
        assert words(quick) == words(plain)


async def agree(warm: Pool, cold: Pool, programs: Sequence[Program]) -> None:
    """Every program gets the same outcome both ways; what chance decides is tried again."""
    room = asyncio.Semaphore(4)

    async def one(program: Program) -> str:
        async with room:
            quick, plain = await asyncio.gather(warm.execute(program), cold.execute(program))
            if quick.outcome != plain.outcome:
                quick, plain = await asyncio.gather(warm.execute(program), cold.execute(program))
        if quick.outcome == plain.outcome:
            return ""
        return f"{program.files[-1].text[:60]}: {quick.outcome} {quick.detail} / {plain.outcome} {plain.detail}"

    found = await asyncio.gather(*(one(program) for program in programs))
    assert [text for text in found if text] == []


def programs(tasks: Sequence[Task], every: int = 1) -> list[Program]:
    made: list[Program] = []
    for task in tasks[::every]:
        hooks = languages.load(task.language).assembly
        form = "full" if task.reference_form == "full" else "body"
        made += [
            replace(hooks.assemble(task, candidate, "scored"), deterministic=True)
            for candidate in (Candidate(task.reference, form), hooks.stub(task))
        ]
    return made


@pytest.mark.slow
@pytest.mark.parametrize("language", KEPT)
async def test_references_and_stubs_get_the_same_verdicts(
    warm: Pool, cold: Pool, language: str
) -> None:
    await agree(warm, cold, programs(load_set("starter", [language]).tasks, every=3))


@pytest.mark.slow
@pytest.mark.skipif(
    not os.environ.get("WORKBENCH_TEST_WHOLE"), reason="WORKBENCH_TEST_WHOLE=1 runs it: minutes"
)
@pytest.mark.parametrize("language", KEPT)
async def test_published_references_and_stubs_get_the_same_verdicts(
    warm: Pool, cold: Pool, language: str
) -> None:
    if not (DATA / "humaneval-x").is_dir():
        pytest.skip("the published files aren't beside this checkout")
    await agree(
        warm, cold, programs(load_set("humaneval-x", [language], DATA / "humaneval-x").tasks)
    )
