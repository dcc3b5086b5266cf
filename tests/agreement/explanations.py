"""The reviewed table of differences: why our judge and the published one disagree on a program."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from workbench.errors import DataError
from workbench.outcomes import Outcome

TABLE = Path(__file__).with_name("explanations.toml")


@dataclass(frozen=True, slots=True)
class Explanation:
    """One difference, looked into."""

    set: str
    task: str
    published: bool
    """Whether the published judge passed it."""
    ours: Outcome
    reason: str


@dataclass(frozen=True, slots=True)
class Difference:
    """One program on which the judges disagree."""

    set: str
    task: str
    published: bool
    ours: Outcome
    detail: str


def read_table(path: Path = TABLE) -> dict[tuple[str, str], Explanation]:
    """The table by set and task.

    Raises:
        DataError: it can't be read, an entry lacks a field, or one is there twice.
    """
    found: dict[tuple[str, str], Explanation] = {}
    try:
        for group in tomllib.loads(path.read_text(encoding="utf-8"))["difference"]:
            for task in group["tasks"]:
                key = (group["set"], task)
                if key in found:
                    raise DataError(f"{path}: {key[0]}, {task}: explained twice")
                if not str(group["reason"]).strip():
                    raise DataError(f"{path}: {key[0]}, {task}: no reason")
                found[key] = Explanation(
                    set=group["set"],
                    task=task,
                    published=group["published"] == "passed",
                    ours=Outcome(group["ours"]),
                    reason=" ".join(group["reason"].split()),
                )
    except (OSError, tomllib.TOMLDecodeError, KeyError, ValueError) as error:
        raise DataError(f"{path}: not as it should be: {error}") from None
    return found


def explains(explanation: Explanation | None, difference: Difference) -> bool:
    """Whether an entry of the table is about exactly this difference."""
    return (
        explanation is not None
        and explanation.published == difference.published
        and explanation.ours == difference.ours
    )
