"""Python beside a recipe, for what a TOML file can't say: feedback parts and a stop rule of its own.

The functions see what the model may see and nothing else: no test, no scored outcome, no reference.
"""

from __future__ import annotations

import hashlib
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from workbench.errors import UsageError
from workbench.execution.program import Execution


@dataclass(frozen=True, slots=True)
class Seen:
    """What an entry point's functions are given of a turn."""

    number: int
    """From 1."""
    language: str
    prompt: str
    """The task's, as the benchmark has it."""
    answer: str
    """What the model said; untrusted."""
    code: str
    """Extracted; empty when there was none."""
    visible: Execution | None
    """The execution with the visible tests; `None`: no code, or nothing to execute it with."""


@dataclass(frozen=True)
class EntryPoint:
    """A file of such functions, read."""

    file: str
    """Its name, for messages."""
    sha256: str
    """Of its content: part of the protocol."""
    functions: Mapping[str, Callable[[Seen], object]]
    """By name, `_` written as `-`."""

    def say(self, part: str, seen: Seen) -> str:
        """What a feedback part of its own says; empty for nothing.

        Raises:
            UsageError: the function fails or gives something other than text.
        """
        said = self._call(part, seen)
        if not isinstance(said, str):
            raise UsageError(f"{self.file}: {part} gave {type(said).__name__}, not text")
        return said

    def accept(self, seen: Seen) -> bool:
        """Whether its stop rule takes a turn; raises as `say`."""
        taken = self._call("accept", seen)
        if not isinstance(taken, bool):
            raise UsageError(f"{self.file}: accept gave {type(taken).__name__}, not True or False")
        return taken

    def _call(self, name: str, seen: Seen) -> object:
        try:
            return self.functions[name](seen)
        except Exception as error:  # any that somebody's function may raise
            first = str(error).splitlines()[0] if str(error) else ""
            raise UsageError(
                f"{self.file}: {name} failed: {type(error).__name__}: {first:.200}"
            ) from error


def read_entry_point(file: Path) -> EntryPoint:
    """Run a file and take its public functions.

    Raises:
        UsageError: it can't be read or run.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise UsageError(f"entry_point: {file}: {why}") from None
    module = types.ModuleType(file.stem)
    module.__file__ = str(file)
    try:
        exec(compile(text, str(file), "exec"), module.__dict__)  # noqa: S102  (the user's own)
    except SyntaxError as error:
        raise UsageError(f"entry_point: {file}, line {error.lineno}: {error.msg}") from None
    except Exception as error:
        why = f"{type(error).__name__}: {error}".splitlines()[0]
        raise UsageError(f"entry_point: {file}: {why:.200}") from None
    functions = {
        name.replace("_", "-"): value
        for name, value in vars(module).items()
        if isinstance(value, types.FunctionType)
        and not name.startswith("_")
        and value.__module__ == module.__name__
    }
    return EntryPoint(file.name, hashlib.sha256(text.encode()).hexdigest(), functions)
