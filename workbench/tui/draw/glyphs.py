"""One glyph, one meaning: the marks of outcomes, states and flags, and their ASCII stand-ins."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.outcomes import Outcome
from workbench.text import clean_line
from workbench.tui.draw.ink import Tone

IN_FLIGHT = "in_flight"
PLANNED = "planned"


@dataclass(frozen=True, slots=True)
class Mark:
    """How an outcome is shown."""

    glyph: str
    word: str
    tone: Tone

    @property
    def bold(self) -> bool:
        """Letters are always bold."""
        return self.glyph.isalpha() or self.glyph in "?!"


MARKS: dict[str, Mark] = {
    Outcome.PASSED: Mark("\u25cf", "passed", "pass"),
    Outcome.WRONG_ANSWER: Mark("W", "wrong answer", "wrong"),
    Outcome.RUNTIME_ERROR: Mark("R", "runtime error", "wrong"),
    Outcome.COMPILE_ERROR: Mark("C", "compile error", "build"),
    Outcome.TIMEOUT: Mark("T", "timeout", "limit"),
    Outcome.OUT_OF_MEMORY: Mark("M", "out of memory", "limit"),
    Outcome.OUTPUT_LIMIT: Mark("O", "output limit", "limit"),
    Outcome.NO_CODE: Mark("N", "no code", "build"),
    Outcome.REFUSED: Mark("X", "refused", "build"),
    Outcome.GENERATION_FAILED: Mark("?", "generation failed", "limit"),
    Outcome.SANDBOX_ERROR: Mark("!", "sandbox error", "limit"),
    IN_FLIGHT: Mark("\u25e6", "in flight", "accent"),
    PLANNED: Mark("\u00b7", "planned", "faint"),
}
"""Every mark, in the order of every strip, filter, legend and sort."""

STATES: dict[str, tuple[str, Tone]] = {
    "starting": ("\u25b8", "accent"),
    "running": ("\u25b8", "accent"),
    "paused": ("=", "limit"),
    "stopping": ("\u25b8", "limit"),
    "stalled": ("!", "limit"),
    "interrupted": ("\u25a1", "limit"),
    "finished": ("\u25a0", "muted"),
    "unreadable": ("\u00d7", "wrong"),
}

FLAGS: dict[str, tuple[str, str]] = {
    "truncated": ("\u00bb", "truncated"),
    "suspect": ("\u25b2", "suspect"),
    "unstable": ("\u2260", "unstable"),
    "near_limit": ("\u2248", "near limit"),
    "duplicate": ("=", "same program as before"),
}
SUSPICIOUS = "\u25b2"
PROVISIONAL = "~"

ASCII = str.maketrans(
    "\u25cf\u25e6\u00b7\u25b8\u25a0\u25a1\u25b2\u25c6\u25c7\u2501\u2500\u2502\u258c\u2192\u2264\u2265\u00b1\u2026"
    "\u2570\u2212\u00d7\u00bb\u2248\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588\u2503\u2013\u202f",
    "*o.>#_^+x=-||><>+~`-x>=        |- ",
)
"""Cell for cell; sparklines vanish and leave the bare rate."""


def mark(outcome: str | None) -> Mark:
    """The mark of an outcome id; an unknown id (of a later version) shows itself."""
    if outcome is None:
        return MARKS[PLANNED]
    return MARKS.get(outcome) or Mark("?", clean_line(outcome.replace("_", " ")), "limit")
