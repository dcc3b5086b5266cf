"""One line that is typed: what it is for, what it may become, and the completion of its last word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.text import clean_line
from workbench.tui.draw.ink import Ink, Run

SHOWN = 6
"""Choices named behind the line."""


def matching(choices: Sequence[str], word: str) -> list[str]:
    """Choices that begin with `word`, then those that have it inside."""
    lower = word.lower()
    begin = [c for c in choices if c.lower().startswith(lower)]
    return begin + [c for c in choices if lower in c.lower() and c not in begin]


@dataclass
class InputLine:
    """What a person is asked to type."""

    label: str
    text: str
    then: Callable[[str], Any]
    """Called with the text when it is taken; may return an awaitable."""
    hint: str = ""
    choices: Sequence[str] = ()
    """What the line (with `several`, its last word) is likely to be."""
    several: bool = False
    """Whether it is a list of words with commas."""
    only: bool = False
    """Whether nothing but a choice is taken: the first that fits stands for what was typed."""
    at: int = 0
    """Which of the fitting choices tab takes next."""

    def _split(self) -> tuple[str, str]:
        if not self.several:
            return "", self.text
        head, comma, last = self.text.rpartition(",")
        return head + comma, last

    def fitting(self) -> list[str]:
        """Choices that fit what is typed so far."""
        return matching(self.choices, self._split()[1].strip())

    def taken(self) -> str:
        """The text as it is meant."""
        fits = self.fitting()
        if self.only and self.text not in self.choices and fits:
            return fits[0]
        return self.text.strip()

    def type(self, key: str, character: str | None) -> None:
        """Take a key: letters, backspace, ctrl+u, and tab for the next fitting choice."""
        if key == "backspace":
            self.text, self.at = self.text[:-1], 0
        elif key == "ctrl+u":
            self.text, self.at = "", 0
        elif key in ("tab", "down") and self.choices:
            self._complete()
        elif character is not None:
            self.text, self.at = self.text + character, 0

    def _complete(self) -> None:
        head, last = self._split()
        if self.at and last in self.choices:
            # Again: the next of all choices, round and round.
            place = (list(self.choices).index(last) + 1) % len(self.choices)
            self.text = head + self.choices[place]
            return
        fits = self.fitting()
        if fits:
            self.text, self.at = head + fits[0], 1

    def runs(self) -> list[Run]:
        """The line with its cursor, and behind it what it may be."""
        runs: list[Run] = [(clean_line(self.text), Ink("strong", True)), ("\u258f", Ink("accent"))]
        fits = [c for c in self.fitting() if c != self._split()[1]][:SHOWN]
        if fits:
            runs.append(("  " + "  ".join(clean_line(c) for c in fits), Ink("muted")))
            runs.append(("  tab completes", Ink("faint")))
        if self.hint:
            runs.append((f"  {self.hint}", Ink("faint")))
        return runs
