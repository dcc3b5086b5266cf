"""The phrases that say why a request has no answer yet: a closed list, shown as they are."""

from __future__ import annotations


def span(seconds: float) -> str:
    """Write a duration: `12 s`, or `5:40` from 100 s on."""
    whole = max(0, round(seconds))
    return f"{whole} s" if whole < 100 else f"{whole // 60}:{whole % 60:02d}"


def waiting(elapsed_s: float, limit_s: float) -> str:
    """Say how long a call is under way; after half of its limit it is called stalled."""
    if elapsed_s > limit_s / 2:
        return f"stalled: no byte for {span(elapsed_s)}; attempt limit {span(limit_s)}"
    return f"waiting for the model, {span(elapsed_s)}"


def retrying(attempt: int, attempts: int, reason: str, wait_s: float) -> str:
    """Say which try comes next, why, and when."""
    return f"retry {attempt} of {attempts}: {reason}, next in {span(wait_s)}"


def held_by_provider(wait_s: float) -> str:
    """Say that the provider asked everyone to wait."""
    return f"held: provider asked for {span(wait_s)}"


def held_by_limit(limit: str, wait_s: float) -> str:
    """Say that one of the session's own rate limits holds it, such as `60 requests/min`."""
    return f"held: own limit of {limit}, {span(wait_s)}"


def held_by_cap() -> str:
    """Say that answers under way may use up the session's cap."""
    return "held: answers under way may reach the cap"
