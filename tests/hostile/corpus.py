"""The hostile corpus: programs that attack the judge, and what must come of each.

A language's folder holds `task.toml` (the task whose tests are code, and an innocent solution that
tells what world it finds) and files of programs by what they try. Keys of a program:

- `name`, `code`; `task` (`code`, `typed`, or `files`: the code is the whole program), `form`
  (`full`, `body`), `test` (instead of the task's own);
- `outcome`: the one that must come, or a list where the kernel decides which;
- `trick`: the suspicion that must be told of its text;
- `remains`: why it passes though it is wrong; such a program must be suspect;
- `honest`: why it may pass; only then may it be without suspicion;
- `silent`: it prints `gained:` and what it could reach, so that may not be printed; `known`: what a
  sandbox is known to let through all the same, as a pattern by sandbox (docs/sandboxes.md);
- `cpu_s`, `wall_s`, `memory_mb` of the run, `compile_cpu_s` of the compile step;
- `sandboxes`: where it applies (all, when missing); `renews`: the sandbox may be another after it;
- `replace`: marks in the code and what stands there, `times` over; `half`: a mark that becomes
  half a character.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from workbench import languages
from workbench.benchmarks.task import Task
from workbench.execution.program import Candidate, Limits, Program, SourceFile
from workbench.languages import Language
from workbench.outcomes import Outcome
from workbench.translation.in_language import task_in
from workbench.translation.task_file import parse_task

HERE = Path(__file__).parent
LANGUAGES = ("python", "cpp", "java", "js", "go")
KEYS = {
    "name", "code", "task", "form", "test", "outcome", "trick", "remains", "honest", "silent",
    "cpu_s", "wall_s", "memory_mb", "compile_cpu_s", "sandboxes", "renews", "known", "replace", "half",
}  # fmt: skip
TYPED = """
signature = "double_it(number: int) -> int"
difficulty = 1
description = "Return `number` multiplied by two."
visible = [{ args = [3], result = 6 }, { args = [-4], result = -8 }]
held_out = [
  { args = [0], result = 0 },
  { args = [123456789012], result = 246913578024 },
  { args = [4503599627370495], result = 9007199254740990 },
]
"""


@dataclass(frozen=True)
class Hostile:
    """One program of the corpus."""

    language: str
    topic: str
    """The file it stands in: what it tries."""
    name: str
    code: str = field(repr=False)
    outcomes: tuple[Outcome, ...]
    task: str = "code"
    form: str = "full"
    test: str = ""
    trick: str = ""
    remains: str = ""
    honest: str = ""
    silent: bool = False
    known: Mapping[str, str] = field(default_factory=dict[str, str])
    cpu_s: float = 1.0
    wall_s: float = 20.0
    memory_mb: int = 256
    compile_cpu_s: float = 6.0
    sandboxes: tuple[str, ...] = ()
    renews: bool = False

    @property
    def id(self) -> str:
        """How pytest calls it."""
        return f"{self.language}-{self.topic}-{self.name}".replace(" ", "_")

    def program(self) -> Program:
        """The program as the language's own assembly makes it."""
        if self.task == "files":
            return whole(self.language, self.code)
        return assembled(self.language, self.candidate(), self.task, self.test)

    def candidate(self) -> Candidate:
        """Its text as an answer of a model."""
        return Candidate(self.code, "body" if self.form == "body" else "full")

    def gained(self, sandbox: str, output: str) -> list[str]:
        """What it tells that it gained, beside what is known of this sandbox."""
        if not self.silent:
            return []
        known = re.compile(f"gained: (?:{self.known.get(sandbox, '(?!)')})")
        lines = [line for line in output.splitlines() if line.startswith("gained: ")]
        return [line for line in lines if not known.fullmatch(line)]

    def suspicions(self) -> tuple[str, ...]:
        """The tricks that the language folder sees in it."""
        task = task_of(self.language, "typed" if self.task == "typed" else "code")
        return tuple(languages.load(self.language).assembly.suspicions(task, self.code))

    def limits(self, pace: float = 1.0) -> Mapping[str, Limits]:
        """Short limits, so that those who use them up are cheap; `pace` is CPU time's, here."""
        language = languages.load(self.language)
        run = Limits(pace * self.cpu_s, pace * self.wall_s, self.memory_mb, processes=64)
        run = replace(run, memory_mb=max(run.memory_mb, floor(language)))
        if language.compile is None:
            return {"run": run}
        own = language.compile.limits
        return {
            "compile": replace(own, cpu_s=pace * self.compile_cpu_s, wall_s=pace * 60.0),
            "run": run,
        }


def floor(language: Language) -> int:
    """The memory that a runtime needs to start at all."""
    return {"java": 512, "js": 512}.get(language.id, 64)


@cache
def load(language: str) -> tuple[Hostile, ...]:
    """Every program of a language's folder, file by file."""
    found: list[Hostile] = []
    for path in sorted((HERE / language).glob("*.toml")):
        if path.name == "task.toml":
            continue
        for table in tomllib.loads(path.read_text(encoding="utf-8"))["program"]:
            unknown = set(table) - KEYS
            assert not unknown, f"{path}: {table.get('name')}: unknown keys {unknown}"
            found.append(_read(language, path.stem, table))
    return tuple(found)


def everything() -> list[Hostile]:
    """The corpus, languages in turn: two that run at once then use different tools."""
    lanes = [list(load(language)) for language in LANGUAGES]
    longest = max(map(len, lanes))
    return [lane[row] for row in range(longest) for lane in lanes if row < len(lane)]


def _read(language: str, topic: str, table: dict[str, Any]) -> Hostile:
    code: str = table.pop("code")
    for entry in table.pop("replace", ()):
        code = code.replace(entry["mark"], entry["by"] * entry.get("times", 1))
    if half := table.pop("half", ""):
        code = code.replace(half, "\ud800")
    told = table.pop("outcome")
    outcomes = tuple(Outcome(o) for o in ([told] if isinstance(told, str) else told))
    sandboxes = tuple(table.pop("sandboxes", ()))
    return Hostile(
        language=language,
        topic=topic,
        code=code.removeprefix("\n"),
        outcomes=outcomes,
        sandboxes=sandboxes,
        **table,
    )


@cache
def _table(language: str) -> dict[str, Any]:
    return tomllib.loads((HERE / language / "task.toml").read_text(encoding="utf-8"))


@cache
def task_of(language: str, kind: str) -> Task:
    """The task before which programs are put: tests as code, or typed."""
    if kind == "typed":
        return task_in(languages.load(language), parse_task(TYPED, "hostile/1"), "hostile", "1", "")
    table = _table(language)
    return Task(
        benchmark="hostile",
        family="humaneval-x",
        id="hostile/0",
        problem="0",
        language=language,
        entry_point=table["entry_point"],
        prompt=table["prompt"],
        reference="",
        test=table["test"],
        parts=table.get("parts", {}),
    )


def assembled(language: str, candidate: Candidate, kind: str, test: str = "") -> Program:
    """A candidate before the scored tests of a task."""
    task = task_of(language, kind)
    if test:
        task = replace(task, test=test)
    return languages.load(language).assembly.assemble(task, candidate, "scored")


def innocent(language: str, kind: str) -> Program:
    """A right solution that prints the world as it finds it."""
    code: str = _table(language)["innocent"]
    names = _table(language).get("names", ["tenfold", "double_it"])
    name, factor = (names[1], "2") if kind == "typed" else (names[0], "10")
    code = code.replace("NAME", name).replace("FACTOR", factor)
    return assembled(language, Candidate(code, "full"), "typed" if kind == "typed" else "code")


def whole(language: str, code: str) -> Program:
    """A program without a task: it runs, and never has the token to tell its end with."""
    name = languages.load(language).source_file
    name = {"python": "main.py", "js": "main.js"}.get(language, name)
    options = {"build": ("build",)} if language == "go" else {}
    return Program(language, (SourceFile(name, (code,)),), options=options)
