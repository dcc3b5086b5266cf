"""Ctrl-C while a session runs: once stops cleanly, twice at once."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Generator
from contextlib import contextmanager

from workbench.session.engine import Engine

_NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def stopping_on_signals(engine: Engine) -> Generator[None]:
    """Turn signals into `engine.stop`, and the second one into `engine.abort`."""
    loop = asyncio.get_running_loop()
    stops: list[asyncio.Task[None]] = []

    def hit(number: signal.Signals) -> None:
        if stops:
            engine.abort()
        else:
            reason = f"{number.name}; once more stops at once"
            stops.append(loop.create_task(engine.stop(reason)))

    for number in _NUMBERS:
        loop.add_signal_handler(number, hit, number)
    try:
        yield
    finally:
        for number in _NUMBERS:
            loop.remove_signal_handler(number)
