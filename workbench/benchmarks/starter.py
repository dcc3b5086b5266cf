"""The `starter` benchmark: our own small tasks, typed, the same in every language.

A task is a folder in `starter_tasks/`: `task.toml` (signature, description, cases as values) and
`reference.<ext>`, one solution a language, with the extension of the language's source file.
Prompts and tests are made from the typed form by the language folders. See docs/starter.md.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from workbench import languages as language_folders
from workbench.benchmarks.task import Task
from workbench.errors import DataError
from workbench.languages import Language
from workbench.translation.in_language import task_in
from workbench.translation.task_file import read_task
from workbench.translation.typed import TypedTask

BENCHMARK = "starter"
REVISION = "1"
LICENCE = "MIT"
PUBLISHED = "2026-11-30"

TASKS_DIR = Path(__file__).with_name("starter_tasks")


def load_starter(languages: Sequence[str]) -> list[Task]:
    """Return every task in each of `languages`, ordered by task, then as the languages are given.

    A language without a reference file (a user's own folder) gets tasks whose `reference` is
    empty.

    Raises:
        UsageError: a language doesn't exist.
        DataError: a file is missing or damaged; the line names file, task and field.
    """
    folders = [language_folders.load(name) for name in languages]
    return [
        _task(typed, folder, language) for typed, folder in typed_tasks() for language in folders
    ]


def typed_tasks() -> list[tuple[TypedTask, Path]]:
    """Return the typed tasks in order, each with its folder.

    Raises:
        DataError: there is none, or one is damaged.
    """
    folders = sorted(p for p in TASKS_DIR.iterdir() if (p / "task.toml").is_file())
    if not folders:
        raise DataError(f"{TASKS_DIR}: no tasks: the installation is incomplete")
    return [
        (read_task(folder / "task.toml", f"{BENCHMARK}/{number}"), folder)
        for number, folder in enumerate(folders)
    ]


def content_sha256() -> str:
    """SHA-256 over names and bytes of every task file: what revision of the tasks this is."""
    digest = hashlib.sha256()
    files = [p for p in TASKS_DIR.rglob("*") if p.name == "task.toml" or p.stem == "reference"]
    for path in sorted(files, key=lambda p: p.relative_to(TASKS_DIR).as_posix()):
        if "__pycache__" in path.parts:
            continue
        digest.update(path.relative_to(TASKS_DIR).as_posix().encode() + b"\0")
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()


def _task(typed: TypedTask, folder: Path, language: Language) -> Task:
    reference = folder / f"reference{PurePosixPath(language.source_file).suffix}"
    try:
        text = reference.read_text(encoding="utf-8") if reference.exists() else ""
        return task_in(language, typed, BENCHMARK, typed.id.removeprefix(f"{BENCHMARK}/"), text)
    except OSError as error:
        raise DataError(f"{reference}: can't be read: {error.strerror}") from None
    except ValueError as error:
        raise DataError(
            f"{folder / 'task.toml'}: task {typed.id}: not expressible in {language.name}: {error}"
        ) from None
