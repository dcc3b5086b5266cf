"""Typed tasks made for these tests, random values of a type, and a run of Python's driver."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from workbench import languages
from workbench.benchmarks.task import Task
from workbench.execution.program import Candidate, Program
from workbench.translation.in_language import task_in
from workbench.translation.type_text import parse_signature
from workbench.translation.typed import Case, Type, TypedTask

LANGUAGES = ("python", "cpp", "java", "js", "go")
SAFE = 2**53 - 1
"""JavaScript's numbers are exact up to here."""


def made(
    signature: str, visible: Sequence[tuple[Any, ...]], held_out: Sequence[tuple[Any, ...]] = ()
) -> TypedTask:
    """A task; a case is its arguments, then the result."""
    return TypedTask(
        "made/0",
        parse_signature(signature),
        "Do it with `the_list`, or `none`.",
        tuple(Case(tuple(c[:-1]), c[-1]) for c in visible),
        tuple(Case(tuple(c[:-1]), c[-1]) for c in held_out),
        1,
    )


def in_language(language: str, typed: TypedTask, reference: str = "") -> Task:
    """The task in a language that ships with the product."""
    return task_in(languages.load(language), typed, "made", "0", reference)


def assembled(task: Task, candidate: Candidate, suite: str = "scored") -> Program:
    """The program, through the language folder's own door."""
    return languages.load(task.language).assembly.assemble(task, candidate, suite)


def values_of(wanted: Type) -> st.SearchStrategy[Any]:
    """Random values of a type, awkward ones among them."""
    match wanted.name:
        case "int":
            return st.integers(-SAFE, SAFE)
        case "float":
            return st.floats()
        case "bool":
            return st.booleans()
        case "str":
            plain = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
            return plain | st.text("\"\\'`$%{}?/*\n\r\t\0\x7f\x1fu0aé€😀\u2028", max_size=8)
        case "list":
            return st.lists(values_of(wanted.args[0]), max_size=4)
        case "dict":
            return st.dictionaries(values_of(wanted.args[0]), values_of(wanted.args[1]), max_size=3)
        case "tuple":
            return st.tuples(*map(values_of, wanted.args))
        case _:
            return st.none() | values_of(wanted.args[0])


def run_python(program: Program, folder: Path) -> tuple[int, list[Any], bool, str]:
    """Run a Python program here: exit code, values on the channel, whether it ended, stderr."""
    token = "0123456789abcdef" * 2
    for file in program.files:
        (folder / file.name).write_text(token.join(file.pieces), encoding="utf-8", newline="")
    done = subprocess.run(
        ["/bin/sh", "-c", 'exec 3>channel; exec "$0" -B main.py', sys.executable],
        cwd=folder,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=30,
        check=False,
    )
    found: list[Any] = []
    ended = False
    for line in (folder / "channel").read_text(encoding="utf-8").split("\n")[:-1]:
        mark, index, *rest = line.split(" ", 2)
        assert mark == token
        if index == "end":
            ended = True
        else:
            assert int(index) == len(found)
            found.append(json.loads(rest[0]))
    return done.returncode, found, ended, done.stderr
