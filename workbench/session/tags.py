"""Words that people put on sessions, to find them again; no number depends on them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from pathlib import Path

from workbench.errors import UsageError
from workbench.session.lock import SessionLock
from workbench.session.writer import SessionWriter

_TAG = re.compile(r"[^\s,]{1,40}\Z")
MOST = 20


def parse_tags(text: str) -> tuple[str, ...]:
    """The tags in a line, parted by blanks or commas, each once.

    Raises:
        UsageError: one is too long, or there are too many.
    """
    found = tuple(dict.fromkeys(word for word in re.split(r"[\s,]+", text) if word))
    for word in found:
        if not _TAG.match(word) or not word.isprintable():
            raise UsageError(f"{word!r:.60} is no tag: at most 40 printable characters, no blanks")
    if len(found) > MOST:
        raise UsageError(f"{len(found)} tags: a session has at most {MOST}")
    return found


def set_tags(path: Path, tags: Iterable[str]) -> None:
    """Give the session in folder `path` these tags and no others.

    Raises:
        SessionError: a process runs it, or it can't be written.
    """
    with SessionLock(path):
        asyncio.run(_write(path, list(tags)))


async def _write(path: Path, tags: list[str]) -> None:
    writer = SessionWriter(path)
    try:
        await writer.set_meta({"tags": tags})
    finally:
        writer.close()
