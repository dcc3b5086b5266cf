"""Find and read language folders: data plus hooks, resolved alike wherever they lie.

A language folder holds `language.toml`, `assembly.py` (candidate + task -> program, stubs, cheats),
`printer.py` (typed task -> prompt, literals, driver) and `extraction.scm`. Nothing outside such a
folder knows a language by name.
"""

from __future__ import annotations

import hashlib
import importlib.util
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol, cast

from workbench import paths
from workbench.benchmarks.task import Task
from workbench.errors import UsageError
from workbench.execution.program import Candidate, Limits, Program
from workbench.translation.typed import Case, Signature, TypedTask


class AssemblyHooks(Protocol):
    """What `assembly.py` of a language folder offers."""

    def assemble(self, task: Task, candidate: Candidate, suite: str) -> Program:
        """Make the program that puts `candidate` before the tests of `suite`.

        `suite` is `scored` (the whole checker), or `visible` (only the visible tests: nothing of
        the held-out tests may be in the program). Raises `ValueError` when the task has no tests
        of that suite.
        """
        ...

    def stub(self, task: Task) -> Candidate:
        """Make the candidate that returns the zero value of the result's type."""
        ...

    def cheats(self, task: Task) -> Sequence[tuple[str, Candidate]]:
        """Make named wrong candidates that try to look right; none may pass."""
        ...

    def suspicions(self, task: Task, code: str) -> Sequence[str]:
        """Name the known tricks that occur in `code`; empty when none does."""
        ...


class PrinterHooks(Protocol):
    """What `printer.py` of a language folder offers for typed tasks."""

    def entry_point(self, signature: Signature) -> str:
        """Spell the function's name in this language."""
        ...

    def prompt(self, task: TypedTask) -> str:
        """Write the prompt that a model continues: description, visible examples, signature."""
        ...

    def call(self, task: TypedTask, case: Case) -> str:
        """Write one call as a person would, such as `add(2, 3)`."""
        ...


@dataclass(frozen=True, slots=True)
class StepSpec:
    """One command of a toolchain, with its limits."""

    argv: tuple[str, ...]
    """Words; `{name}` words are replaced by the program's options (none when it has none)."""
    limits: Limits
    env: Mapping[str, str]
    """Environment beside PATH, HOME and TMPDIR, which the supervisor sets."""


@dataclass(frozen=True)
class Language:
    """A language folder, read."""

    id: str
    name: str
    """How it is written for people, such as `C++`."""
    folder: Path
    settings: Mapping[str, Any]
    """The whole of language.toml."""
    compile: StepSpec | None
    run: StepSpec

    @property
    def rank(self) -> int:
        """Where it stands among the others where all are listed; those without a rank come last."""
        return int(self.settings.get("rank", 1000))

    @property
    def source_file(self) -> str:
        """Name of the main source file, for editors and highlighting."""
        return str(self.settings["source"]["file"])

    @property
    def fence_tags(self) -> tuple[str, ...]:
        """Words after ``` that mean this language, lower case."""
        return tuple(self.settings["source"]["fence_tags"])

    @property
    def grammar(self) -> str:
        """Module of the tree-sitter grammar, such as `tree_sitter_cpp`."""
        return str(self.settings["source"]["grammar"])

    @property
    def wrong_answer(self) -> str:
        """Regular expression on stderr (and stdout) that tells a failed assertion from a crash."""
        return str(self.settings["outcome"]["wrong_answer"])

    @property
    def compile_error(self) -> str:
        """Regular expression on stderr that tells a compile error where there is no compile step;
        empty where there is one."""
        return str(self.settings["outcome"].get("compile_error", ""))

    @property
    def out_of_memory(self) -> str:
        """Regular expression on stderr for the runtime's own word that memory ran out."""
        return str(self.settings["outcome"].get("out_of_memory", ""))

    @property
    def diagnostic(self) -> tuple[str, ...]:
        """Regular expressions, best first, whose first match in the output is the detail line."""
        return tuple(self.settings["outcome"].get("diagnostic", ()))

    @property
    def needs(self) -> tuple[tuple[str, ...], ...]:
        """Commands that must succeed where no image is used; their output is the manifest."""
        return tuple(tuple(c) for c in self.settings["host"]["needs"])

    @cached_property
    def warm_files(self) -> dict[str, str]:
        """What the sandbox keeps warm for this language: texts of `warm/` by name.

        `warm.py` is there when anything is; empty: every program is run by the plain commands.
        """
        folder = self.folder / "warm"
        files = sorted(folder.iterdir()) if folder.is_dir() else []
        return {path.name: path.read_text(encoding="utf-8") for path in files if path.is_file()}

    @property
    def warm_memory_mb(self) -> int:
        """Memory that what is kept warm may take beside the programs, MB."""
        return int(self.settings.get("warm", {}).get("memory_mb", 0))

    @property
    def warm_disk_mb(self) -> int:
        """Room for what is made in a sandbox for later programs, MB; it counts as memory."""
        return int(self.settings.get("warm", {}).get("disk_mb", 0))

    def published_limits(self, family: str) -> dict[str, Limits]:
        """A benchmark family's own limits by step name; empty when it has published none."""
        table = self.settings.get("published", {}).get(family, {})
        return {step: Limits(**limits) for step, limits in table.items()}

    def stop_sequences(self, family: str, style: str) -> tuple[str, ...]:
        """Stop sequences for a benchmark family and prompt style (`chat`, `complete`)."""
        table = self.settings.get("stop", {}).get(family, {})
        return tuple(table.get(style, ()))

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 over every file of the folder that can change a verdict."""
        digest = hashlib.sha256()
        for path in sorted(self.folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc":
                digest.update(path.relative_to(self.folder).as_posix().encode() + b"\0")
                digest.update(path.read_bytes() + b"\0")
        return digest.hexdigest()

    @cached_property
    def assembly(self) -> AssemblyHooks:
        """The folder's assembly hooks."""
        return cast(AssemblyHooks, self._module("assembly"))

    @cached_property
    def printer(self) -> PrinterHooks:
        """The folder's printer hooks."""
        return cast(PrinterHooks, self._module("printer"))

    @cached_property
    def extraction_query(self) -> str:
        """Text of the folder's tree-sitter query."""
        return (self.folder / "extraction.scm").read_text(encoding="utf-8")

    def _module(self, name: str) -> ModuleType:
        """Load `<folder>/<name>.py`; modules of one folder import each other relatively."""
        package = "workbench_language_" + hashlib.sha256(str(self.folder).encode()).hexdigest()[:8]
        if package not in sys.modules:
            root = ModuleType(package)
            root.__path__ = [str(self.folder)]
            sys.modules[package] = root
        full = f"{package}.{name}"
        if full not in sys.modules:
            path = self.folder / f"{name}.py"
            spec = importlib.util.spec_from_file_location(full, path)
            if spec is None or spec.loader is None or not path.is_file():
                raise UsageError(f"language {self.id}: {path} is missing")
            module = importlib.util.module_from_spec(spec)
            sys.modules[full] = module
            try:
                spec.loader.exec_module(module)
            except BaseException:
                del sys.modules[full]
                raise
        return sys.modules[full]


def _step(table: Mapping[str, Any]) -> StepSpec:
    return StepSpec(tuple(table["argv"]), Limits(**table["limits"]), dict(table.get("env", {})))


def read_folder(folder: Path) -> Language:
    """Read one language folder.

    Raises:
        UsageError: language.toml is missing, isn't TOML, or lacks a key.
    """
    path = folder / "language.toml"
    try:
        settings = tomllib.loads(path.read_text(encoding="utf-8"))
        return Language(
            id=settings["id"],
            name=settings["name"],
            folder=folder,
            settings=settings,
            compile=_step(settings["compile"]) if "compile" in settings else None,
            run=_step(settings["run"]),
        )
    except FileNotFoundError:
        raise UsageError(f"{path} is missing: a language folder needs it") from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path} isn't valid TOML: {error}") from None
    except (KeyError, TypeError) as error:
        raise UsageError(f"{path}: wrong or missing key: {error}") from None


def language_folders() -> dict[str, Path]:
    """Every language folder by id, in the order of `paths.language_dirs`; the first wins."""
    found: dict[str, Path] = {}
    for root in paths.language_dirs():
        if root.is_dir():
            for folder in sorted(root.iterdir()):
                if (folder / "language.toml").is_file():
                    found.setdefault(folder.name, folder)
    return found


def load(language: str) -> Language:
    """Read the language with this id.

    Raises:
        UsageError: there is none; the message names those there are.
    """
    folders = language_folders()
    if language not in folders:
        known = ", ".join(sorted(folders))
        raise UsageError(f"no language {language!r}: there are {known}")
    return read_folder(folders[language])
