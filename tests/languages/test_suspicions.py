"""Known tricks are seen in code, and not in comments or strings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from workbench import languages
from workbench.benchmarks.task import Task

LANGUAGES = ("python", "cpp", "java", "js", "go")
Tasks = dict[str, Task]


def suspicions(task: Task, code: str) -> tuple[str, ...]:
    return tuple(languages.load(task.language).assembly.suspicions(task, code))


@pytest.mark.parametrize("key", ["humaneval", *LANGUAGES])
def test_references_and_stubs_are_not_suspect(made_tasks: Tasks, key: str) -> None:
    task = made_tasks[key]
    assert suspicions(task, task.reference) == ()
    assert suspicions(task, languages.load(task.language).assembly.stub(task).text) == ()


@pytest.mark.parametrize("key", ["humaneval", *LANGUAGES])
def test_every_cheat_is_suspect(made_tasks: Tasks, key: str) -> None:
    task = made_tasks[key]
    cheats = languages.load(task.language).assembly.cheats(task)
    assert len(cheats) >= 3
    assert len({name for name, _ in cheats}) == len(cheats)
    for name, cheat in cheats:
        assert suspicions(task, cheat.text), name


@pytest.mark.parametrize(
    ("key", "code"),
    [
        ("python", '    # sys.exit(0)\n    x = "os._exit(0)"\n    return f"atexit {x}"\n'),
        ("cpp", '    // exit(0);\n    string s = "exit(0)"; /* abort() */\n    return 1;\n}'),
        (
            "java",
            '        // System.exit(0)\n        String s = "System.exit(0)";\n        return 1;\n',
        ),
        ("js", "  // process.exit(0)\n  const s = 'process.exit(0)'; /* console.assert = 1 */\n"),
        ("go", '    // os.Exit(0)\n    s := "os.Exit(0)" + `syscall`\n    return 1\n}'),
    ],
)
def test_comments_and_strings_are_no_tricks(made_tasks: Tasks, key: str, code: str) -> None:
    assert suspicions(made_tasks[key], code) == ()


@pytest.mark.parametrize(
    ("key", "code"),
    [
        ("python", "class Same:\n    def __eq__(self, other): return True\n"),
        ("python", "import sys\nsys._getframe(1)\n"),
        ("python", "class AssertionError(Exception): pass\n"),
        ("python", "open(__file__).read()\n"),
        ("cpp", "#define triple(x) Any()\n"),
        ("cpp", "#undef assert\n"),
        ("cpp", "__attribute__((constructor)) void early() {}\n"),
        ("java", "class AssertionError extends RuntimeException {}\n"),
        ("java", "Runtime.getRuntime().halt(0);\n"),
        ("js", "console.assert = () => {}\n"),
        ("js", "const console = { assert() {} }\n"),
        ("js", "JSON.stringify = () => ''\n"),
        ("go", "func TestMain(m *testing.M) {}\n"),
        ("go", "func init() { panic(1) }\n"),
        ("go", "//go:linkname exit os.runtime_beforeExit\n"),
    ],
)
def test_known_tricks_are_named(made_tasks: Tasks, key: str, code: str) -> None:
    assert suspicions(made_tasks[key], code)


@pytest.mark.parametrize(
    "header", ["<cstring>", "<string.h>", '"string.h"', "<bits/stdc++.h>", "<boost/any.hpp>"]
)
def test_a_header_that_shows_libcs_strlen_is_a_trick_for_strlen_alone(
    made_tasks: Tasks, header: str
) -> None:
    task = made_tasks["cpp"]
    code = f"#include {header}\nint strlen(string s) {{ return s.size(); }}\n"
    assert suspicions(task, code) == ()
    assert suspicions(replace(task, entry_point="strlen"), code)
