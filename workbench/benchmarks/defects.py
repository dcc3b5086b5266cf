"""Known mistakes in published data, tied to the very text that is wrong."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Defect:
    """One mistake: another version of the data may have it mended, and isn't meant."""

    sha256: str
    """The first 16 hex digits of the hash of the wrong text."""
    reason: str
    """What is wrong, in one line."""


def reason_in(defects: Mapping[str, Defect], task_id: str, text: str) -> str:
    """Why this text of a task is wrong; empty when nothing is known against it."""
    defect = defects.get(task_id)
    if defect is None or hashlib.sha256(text.encode()).hexdigest()[:16] != defect.sha256:
        return ""
    return defect.reason
