"""A running session as plain lines: for pipes, CI and dumb terminals."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

import click

from workbench.session.engine import Engine
from workbench.text import clean_line

FIRST_S = 2.0
EVERY_S = 10.0


def wants_screen() -> bool:
    """Whether a person with a capable terminal is there."""
    import os

    # Textual draws on stderr: all three have to be the terminal.
    return (
        sys.stdout.isatty()
        and sys.stderr.isatty()
        and sys.stdin.isatty()
        and os.environ.get("TERM", "dumb") not in ("dumb", "")
        and not os.environ.get("CI")
    )


async def plain_front(engine: Engine, path: Path) -> None:
    """Print a line when something worth saying happened; runs until it is cancelled."""
    click.echo(f"session {path.name}: {engine.board.planned} units")
    seen = 0
    last = ""
    spoken = time.monotonic() - EVERY_S + FIRST_S
    while True:
        await asyncio.sleep(0.5)
        shot = engine.board.snapshot(engine.judge.slots())
        for event in shot.events:
            if event.id > seen:
                seen = event.id
                mark = {"info": " ", "warning": "!", "error": "×"}[event.level]
                click.echo(f"{mark} {clean_line(event.text)}")
        if time.monotonic() - spoken < EVERY_S:
            continue
        generate, execute = shot.stages
        left = f", {_duration(shot.eta_s)} left" if shot.eta_s else ""
        line = (
            f"  {shot.done}/{shot.planned} done, {shot.lost} lost, {shot.in_flight_total} in flight; "
            f"{generate.per_minute:.0f} answers/min, {execute.per_minute:.0f} programs/min{left}"
        )
        oldest = shot.in_flight[0] if shot.in_flight else None
        if oldest is not None and time.time() - oldest.since > 30:
            age = time.time() - oldest.since
            line += f"; oldest {oldest.language} {oldest.task_id}, {age:.0f} s: {clean_line(oldest.why)}"
        if line != last:
            click.echo(line)
            last = line
        spoken = time.monotonic()


def _duration(seconds: float) -> str:
    whole = int(seconds)
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02d}"
    return f"{whole // 3600}:{whole % 3600 // 60:02d}:{whole % 60:02d}"


class Counter:
    """A count that is rewritten in a terminal, and said now and then elsewhere."""

    def __init__(self, *, quiet: bool = False) -> None:
        """`quiet`: say nothing (the output is for a program)."""
        self._quiet = quiet
        self._live = sys.stderr.isatty()
        self._spoken = time.monotonic()
        self._shown = False

    def show(self, done: int, total: int) -> None:
        """So many of so many are done."""
        now = time.monotonic()
        if self._quiet or now - self._spoken < (0.25 if self._live else EVERY_S):
            return
        self._spoken = now
        self._shown = True
        click.echo(f"\r  {done}/{total} " if self._live else f"  {done}/{total}", nl=not self._live,
                   err=True)  # fmt: skip

    def end(self) -> None:
        """Leave the line clean."""
        if self._live and self._shown:
            click.echo("\r" + " " * 30 + "\r", nl=False, err=True)
