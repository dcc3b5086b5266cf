"""A small language whose programs are plain Python, and programs in it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from workbench.execution.program import DataCase, Program, SourceFile
from workbench.languages import Language, read_folder

TOML = r"""
id = "{id}"
name = "Tiny"
[source]
file = "main.py"
fence_tags = ["tiny"]
grammar = "tree_sitter_python"
{compile}
[run]
argv = ["python3", "-I", "-S", "-B", "main.py", "{{arguments}}"]
limits = {{ cpu_s = 2.0, wall_s = 8.0, memory_mb = 256, output_bytes = 1000 }}
[outcome]
wrong_answer = '^AssertionError\b'
compile_error = '^SyntaxError\b'
out_of_memory = '^MemoryError\b'
diagnostic = ['^(?:\w+Error)\b.*$']
[host]
needs = [["python3", "--version"]]
"""
COMPILE = """
[compile]
argv = ["python3", "-I", "-S", "-B", "build.py"]
limits = { cpu_s = 2.0, wall_s = 8.0, memory_mb = 256, output_bytes = 1000 }
"""
TOKEN = "@@"
"""Where programs of `tiny` have the pass token."""


def make_language(folder: Path, *, compiled: bool = False, extra: str = "") -> Language:
    """Write a language folder and read it."""
    folder.mkdir(parents=True)
    text = TOML.format(id=folder.name, compile=COMPILE if compiled else "") + extra
    (folder / "language.toml").write_text(text, encoding="utf-8")
    return read_folder(folder)


def program(
    code: str,
    *,
    language: str = "tiny",
    build: str | None = None,
    cases: Sequence[object] | None = None,
    deterministic: bool = True,
    arguments: tuple[str, ...] = (),
) -> Program:
    """A program of one file, and a build script where the language has a compile step."""
    files = [SourceFile("main.py", tuple(code.split(TOKEN)))]
    if build is not None:
        files.append(SourceFile("build.py", (build,)))
    return Program(
        language=language,
        files=tuple(files),
        options={"arguments": arguments} if arguments else {},
        cases=None if cases is None else tuple(DataCase(expected=e) for e in cases),
        deterministic=deterministic,
    )


PASS = "import os\nos.write(3, b'@@\\n')\n"
