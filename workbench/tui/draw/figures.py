"""Counts, ages, durations, tokens and money as they stand on a screen."""

from __future__ import annotations

import time

from workbench.report import numbers
from workbench.report.numbers import age, count, duration, money, tokens

__all__ = ["age", "clock", "count", "duration", "money", "percent", "rate", "seconds", "tokens"]


def seconds(value: float | None) -> str:
    """A measured time with its unit: `0.43 s`, `3.7 s`, `120 s`."""
    return f"{numbers.seconds(value)} s" if value is not None else numbers.NOTHING


def rate(per_minute: float) -> str:
    """Throughput: one decimal below 10."""
    return f"{per_minute:.1f}" if 0 < per_minute < 9.95 else f"{per_minute:.0f}"


def percent(part: int, whole: int) -> str:
    """Progress in whole per cent; 100 only when all is done."""
    return f"{100 * part // whole if whole else 0} %"


def clock(unix: float) -> str:
    """Local time of day: `15:04:09`."""
    return time.strftime("%H:%M:%S", time.localtime(unix))
