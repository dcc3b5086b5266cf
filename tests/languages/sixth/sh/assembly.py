"""Shell programs, for the test that a language is a folder and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.benchmarks.task import Task
from workbench.execution.program import Candidate, Program, SourceFile
from workbench.source_text import Draft, scored_or_visible


def assemble(task: Task, candidate: Candidate, suite: str) -> Program:
    """Put the candidate before tests that call `want GOT EXPECTED`."""
    test = scored_or_visible(suite, task.test, task.visible_test, task.id)
    before = task.prompt if candidate.form == "body" else ""
    draft = Draft("program.sh").add(before).candidate(candidate.text).add(f"\n{test}\n")
    main = SourceFile(
        "main.sh",
        (
            'want() { [ "$1" = "$2" ] || { echo "assertion failed: $1, not $2" >&2; exit 1; }; }\n'
            ". ./program.sh\necho ",
            " >&3\n",
        ),
    )
    return Program(
        language=task.language,
        files=(main, draft.file()),
        candidate_file=draft.name,
        candidate_lines=draft.lines,
    )


def stub(task: Task) -> Candidate:
    """Print nothing."""
    return Candidate("    :\n}\n", "body")


def cheats(task: Task) -> Sequence[tuple[str, Candidate]]:
    """End well before the assertions."""
    return (
        ("exit in the function", Candidate("    exit 0\n}\n", "body")),
        ("exit while loading", Candidate("    :\n}\nexit 0\n", "body")),
        ("exit trap", Candidate("    :\n}\ntrap 'exit 0' EXIT\n", "body")),
    )


def suspicions(task: Task, code: str) -> Sequence[str]:
    """Name exits and traps."""
    return tuple(word for word in ("exit", "trap") if word in code)


def proof_tasks() -> Sequence[Task]:
    """The task on which this toolchain proves itself."""
    return (
        Task(
            benchmark="made",
            family="made",
            id="sh/0",
            problem="0",
            language="sh",
            entry_point="twice",
            prompt="# Print two times $1.\ntwice() {\n",
            reference="    echo $(($1 * 2))\n}\n",
            test='want "$(twice 2)" 4\nwant "$(twice 21)" 42\n',
            visible_test='want "$(twice 2)" 4\n',
        ),
    )
