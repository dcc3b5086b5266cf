"""Work on text that somebody else wrote, kept from holding up everything beside it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from workbench.source_text import LONG

T = TypeVar("T")


async def apart(text: str, work: Callable[[], T]) -> T:
    """Do `work` on a candidate's `text`: at once when it is short, else in a thread.

    Nearly every program is short, and then a thread would cost more than the work. A long text may
    have been made to take seconds.
    """
    return work() if len(text) < LONG else await asyncio.to_thread(work)
