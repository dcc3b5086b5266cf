"""Go kept warm, in the sandbox: compiler and linker called as the go command would call them.

The image has recorded how that is (/opt/workbench/go, made by its recipe.sh). Only programs that the
go command has nothing of its own to say about are built so; all others are left to it.
"""

from __future__ import annotations

import re
from typing import Any

BUILDER = "/opt/workbench/go/build.sh"
PACKAGES = "/opt/workbench/go/packages"
LONGEST = 1_048_576
MODES = {("build",): "build", ("test", "-vet=off", "-c"): "test"}
REST = ["-ldflags=-s -w", "-o", "program", "."]

# A build constraint can be in a file's name, too: no such name is this plain.
FILE_NAME = re.compile(r"(?:program|main|end)(?:_test)?\.go")
# Directives (also of cgo, embed and build constraints) and what the go command refuses to read.
UNUSUAL = re.compile(
    '//go:|//line |/\\*line |//export |\\+build|import "C"|[\0\ufeff\ud800-\udfff]'
)
GAP = r"(?:[ \t\r\n;]|//[^\n]*(?:\n|\Z)|/\*(?:[^*]|\*(?!/))*\*/)*"
CLAUSE = re.compile(GAP + r"package[ \t]+(\w+)[ \t]*\n")
SPEC = r'(?:[\w.]+[ \t]+)?"([\w./-]+)"'
IMPORT = re.compile(
    rf"{GAP}import(?:[ \t]+{SPEC}[ \t]*(?=[;\n])|[ \t]*\(((?:{GAP}{SPEC}[ \t]*(?=[;\n)]))*){GAP}\))"
)
IMPORTS = re.compile(GAP + r"import\b")
PATH = re.compile(GAP + SPEC)
# Comments and texts, in which nothing is declared.
BLANKED = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|`[^`]*`|'(?:\\.|[^'\\\n])*'""", re.DOTALL
)
TESTS = re.compile(r"\bfunc\s+((?:Test|Benchmark|Fuzz|Example)\w*)")
TEST = re.compile(r"\bfunc (Test(?:[A-Z0-9_]\w*)?)\(\w+ \*testing\.T\) ?\{", re.ASCII)


class Warm:
    """Has a program built without the go command where that gives the same."""

    def __init__(self, _box: Any, _texts: dict[str, str]) -> None:
        """Read what programs may import."""
        with open(PACKAGES, encoding="utf-8") as file:
            self._packages = set(file.read().split())

    def prepare(self, texts: list[tuple[str, str]], steps: list[dict[str, Any]]) -> None:
        """Replace the build's command by one that is quicker and falls back on it."""
        step = steps[0]
        plain = step["argv"]
        mode = MODES.get(tuple(plain[1 : -len(REST)]))
        if mode is None or plain[0] != "go" or plain[-len(REST) :] != REST:
            return
        usual = self._usual(texts, mode)
        if usual is None:
            return
        # The go command's order: files of the package by name, then those of its tests.
        names = sorted((name for name, _ in texts), key=lambda name: ("_test." in name, name))
        # What the quick way uses is lost to the plain one after it.
        seconds = str(max(1, int(step["limits"]["cpu_s"] / 4)))
        memory = str(step["limits"]["memory_mb"] // 2)
        kind, tests = usual
        words = [kind, " ".join(tests), " ".join(names), seconds, memory]
        step["argv"] = ["sh", BUILDER, *words, *plain]

    def _usual(self, texts: list[tuple[str, str]], mode: str) -> tuple[str, list[str]] | None:
        """What kind of package it is, and its tests in order; None where it isn't a usual one."""
        tests: list[str] = []
        packages: set[str] = set()
        for name, text in sorted(texts):
            clause = CLAUSE.match(text)
            if len(text) > LONGEST or not FILE_NAME.fullmatch(name) or not clause:
                return None
            if UNUSUAL.search(text) or not self._importable(text, clause.end()):
                return None
            packages.add(clause.group(1))
            if not name.endswith("_test.go"):
                continue
            code = BLANKED.sub(_blank, text)
            found = TEST.findall(code)
            if mode != "test" or found != TESTS.findall(code):
                return None
            tests += found
        package = packages.pop()
        if packages or "TestMain" in tests or len(set(tests)) != len(tests):
            return None
        if mode == "test" and package.endswith("_test"):
            # Tests of a package that isn't there, from outside.
            return ("xtest", tests) if all("_test." in name for name, _ in texts) else None
        return (mode, tests) if (package == "main") == (mode == "build") else None

    def _importable(self, text: str, at: int) -> bool:
        """Whether all imports are understood, and of packages that are there for everybody."""
        while IMPORTS.match(text, at):
            found = IMPORT.match(text, at)
            if not found:
                return False
            paths = [found.group(1)] if found.group(1) else PATH.findall(found.group(2))
            if not self._packages.issuperset(paths):
                return False
            at = found.end()
        return True


def _blank(match: Any) -> str:
    return '""' if match.group()[0] in "\"'`" else "\n" if "\n" in match.group() else " "
