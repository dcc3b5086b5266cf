"""Take out of an answer what no code is made of: escapes, markers, thinking; remember what went.

Every pass only deletes ranges or replaces one character by one, so that a place in the cleaned text
can be told as a place in the raw answer.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from workbench.generation.extracted import ExtractionStep

LONGEST = 1_000_000
"""Characters of an answer that are looked at; no model writes this much code for one function."""

_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_SURROGATE = re.compile("[\ud800-\udfff]")
_END = re.compile(
    r"<\|(?:endoftext|im_end|eot_id|end_of_text|end|eom_id|file_separator|endofmask)\|>"
    r"|<end_of_turn>|<file_sep>|<\uff5cend\u2581of\u2581sentence\uff5c>"
    r"|^</s>[ \t]*$|</s>\s*\Z",
    re.MULTILINE,
)
_BEGIN = re.compile(
    r"\A\s*(?:<s>|<\|(?:begin_of_text|im_start|start_header_id|end_header_id|startoftext)\|>"
    r"|<bos>|<start_of_turn>)(?:[ \t]*(?:assistant|model)\b\n?)?"
)
_CUT_END = re.compile(r"<\|[a-z_]{1,20}\|?\Z")
_THINK_OPEN = re.compile(r"\A\s*<(think|thinking|thought|reasoning)>")
_THINK_CLOSE = re.compile(r"</(?:think|thinking|thought|reasoning)>")
_INDENT = re.compile(r"^[ \t]*\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Pass:
    """Deletions of one pass: after output position `at[i]`, `gone[i]` characters are missing."""

    at: tuple[int, ...]
    gone: tuple[int, ...]

    def before(self, place: int, *, end: bool) -> int:
        """The place in the pass's input; an end stays left of what was deleted there."""
        found = bisect_right(self.at, place - 1 if end else place)
        return place + (self.gone[found - 1] if found else 0)


@dataclass(frozen=True, slots=True)
class Cleaned:
    """An answer without what is never code."""

    text: str
    steps: tuple[ExtractionStep, ...]
    passes: tuple[_Pass, ...]

    def raw_span(self, start: int, end: int) -> tuple[int, int]:
        """Character range of the raw answer for a range of `text`."""
        for one in reversed(self.passes):
            start, end = one.before(start, end=False), one.before(end, end=True)
        return start, max(start, end)


class _Work:
    """A text on which passes are done one after another."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.steps: list[ExtractionStep] = []
        self.passes: list[_Pass] = []

    def note(self, rule: str, note: str) -> None:
        self.steps.append(ExtractionStep(rule, note))

    def delete(self, ranges: Iterable[tuple[int, int]]) -> int:
        """Delete ranges (ascending, not overlapping); gives their number."""
        kept: list[str] = []
        at: list[int] = []
        gone: list[int] = []
        last = out = total = 0
        for start, end in ranges:
            kept.append(self.text[last:start])
            out += start - last
            total += end - start
            at.append(out)
            gone.append(total)
            last = end
        if at:
            kept.append(self.text[last:])
            self.text = "".join(kept)
            self.passes.append(_Pass(tuple(at), tuple(gone)))
        return len(at)


def clean(raw: str) -> Cleaned:
    """Clean an answer of any length; never raises, whatever the text."""
    work = _Work(raw)
    for one in _PASSES:
        one(work)
    return Cleaned(work.text, tuple(work.steps), tuple(work.passes))


def _length(work: _Work) -> None:
    if len(work.text) > LONGEST:
        size = len(work.text)
        work.text = work.text[:LONGEST]
        work.note("cut.length", f"only the first {LONGEST} of {size} characters were looked at")


def _bom(work: _Work) -> None:
    if work.text.startswith("\ufeff"):
        work.delete([(0, 1)])
        work.note("clean.bom", "took a byte order mark off the start")


def _nul(work: _Work) -> None:
    if "\0" in work.text:
        count = work.delete(m.span() for m in re.finditer("\0", work.text))
        work.note("clean.nul", f"deleted {count} NUL characters")


def _surrogates(work: _Work) -> None:
    work.text, count = _SURROGATE.subn("\ufffd", work.text)
    if count:
        work.note("clean.surrogate", f"replaced {count} lone surrogates, which no file can hold")


def _ansi(work: _Work) -> None:
    if "\x1b" in work.text:
        count = work.delete(m.span() for m in _ANSI.finditer(work.text))
        work.note("clean.ansi", f"deleted {count} terminal escape sequences")


def _line_ends(work: _Work) -> None:
    if "\r" not in work.text:
        return
    work.delete((m.start(), m.start() + 1) for m in re.finditer(r"\r\n", work.text))
    work.text = work.text.replace("\r", "\n")
    work.note("clean.line-ends", "made every line end a line feed")


def _special_tokens(work: _Work) -> None:
    begun = False
    while (start := _BEGIN.match(work.text)) is not None and start.end():
        work.delete([(0, start.end())])
        begun = True
    if begun:
        work.note("clean.begin-token", "took start tokens of a chat template off the start")
    for end in _END.finditer(work.text):
        if work.text[: end.start()].strip():
            work.text = work.text[: end.start()]
            work.note("clean.end-token", "cut at an end-of-text token")
            break
    cut = _CUT_END.search(work.text[-40:])
    if cut is not None:
        work.text = work.text[: max(0, len(work.text) - 40) + cut.start()]
        work.note("clean.end-token", "cut half an end-of-text token off the end")


def _thinking(work: _Work) -> None:
    opened = _THINK_OPEN.match(work.text)
    closings = _THINK_CLOSE.finditer(work.text)
    if opened is not None:
        last = next(closings, None)
    else:
        last = max(closings, key=lambda found: found.end(), default=None)
    if opened is not None and last is None:
        work.delete([(opened.start(), len(work.text))])
        work.note("think.unclosed", "the answer ends inside its thinking: nothing is taken from it")
    elif last is not None and (opened is not None or _alone(work.text, last)):
        work.delete([(0, last.end())])
        work.note("think.cut", "deleted the thinking before the answer")


def _alone(text: str, closing: re.Match[str]) -> bool:
    """Whether a closing tag without an opening one stands by itself on its line."""
    line = text.rfind("\n", 0, closing.start()) + 1
    until = text.find("\n", closing.end())
    rest = text[closing.end() : until if until >= 0 else len(text)]
    return not text[line : closing.start()].strip() and not rest.strip()


_PASSES: tuple[Callable[[_Work], None], ...] = (
    _length, _bom, _nul, _surrogates, _ansi, _line_ends, _special_tokens, _thinking,
)  # fmt: skip
