"""Stop tokens: where the completion of a benchmark that publishes them ends."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import cast

from workbench.benchmarks.task import Task

PART = "stop_tokens"
"""The part of a task (`Task.parts`) that has them, as a JSON list of texts."""


def stop_tokens(task: Task) -> tuple[str, ...]:
    """The texts at which a completion of this task is cut; none when it has published none."""
    return tuple(cast(list[str], json.loads(task.parts.get(PART, "[]"))))


def cut(text: str, tokens: Sequence[str]) -> str:
    """The text up to the first place where one of `tokens` begins; cutting twice changes nothing."""
    ends = [place for token in tokens if token and (place := text.find(token)) >= 0]
    return text[: min(ends)] if ends else text
