"""Foreign text made safe to show: the one sanitiser, for the terminal UI and for plain output.

Model answers, programs, compiler messages, program output, session names and events are foreign.
What is stored stays as it came; only what is shown goes through `clean` or `clean_line`.
"""

from __future__ import annotations

import re

TAB = 4
"""Cells between tab stops."""
MAX_LINE = 2_000
"""Characters kept of one line; SCREENS never shows more, and a terminal can't."""
MAX_CHARS = 262_144
"""Characters kept of one text."""

# Terminal control sequences, 7-bit and 8-bit. A string sequence (OSC, DCS, SOS, PM, APC) that is
# never closed would swallow everything behind it on a real terminal; here it swallows the rest
# of its line only, so that an unclosed one can't hide output.
_ESCAPES = re.compile(
    r"""
    (?: \x1b\[ | \x9b ) [0-?]* [ -/]* [@-~]?                     # CSI
  | (?: \x1b[\]PX^_] | [\x9d\x90\x98\x9e\x9f] )                  # OSC, DCS, SOS, PM, APC
      [^\x07\x1b\x9c\n]* (?: \x07 | \x1b\\ | \x9c | (?=\x1b) | (?=\n) | \Z )
  | \x1b [ -/]+ [0-~]?                                           # escape with intermediates
  | \x1b [0-~]                                                   # two-character escapes
  | [\x80-\x9f]                                                  # any other C1 control
    """,
    re.VERBOSE,
)
_CONTROLS = "\x00-\x08\x0b-\x1f\x7f"
_INVISIBLE = (
    "\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f"
)
_ODD = re.compile(f"[{_CONTROLS}{_INVISIBLE}\ud800-\udfff]")
_SUSPECT = re.compile(f"[\x1b\x80-\x9f\r\t{_CONTROLS}{_INVISIBLE}\ud800-\udfff]")


def _shown(match: re.Match[str]) -> str:
    """What stands for one character that must not reach a terminal."""
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return f"<U+{code:04X}>"


def _cut(line: str, limit: int) -> str:
    return line if len(line) <= limit else f"{line[: limit - 1]}\u2026"


_SURROGATE = re.compile("[\ud800-\udfff]")


def encodable(text: str) -> str:
    """Text as UTF-8 can hold it: what JSON can escape and nothing can store, lone surrogates, becomes U+FFFD."""
    return _SURROGATE.sub("\ufffd", text)


def clean(text: str, *, max_line: int = MAX_LINE, max_chars: int = MAX_CHARS) -> str:
    """Make foreign text safe to show on a terminal, line breaks kept.

    Escape sequences (CSI, OSC, DCS, SOS, PM, APC, C1) go; CRLF and lone CR become line breaks;
    other C0 controls become their pictures (U+2400 …); bidirectional and zero-width controls are
    written out (`<U+202E>`); lone surrogates become U+FFFD; tabs are expanded; long lines and
    long texts are cut with `…`. No character of the result is in [\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f].

    Args:
        text: foreign text of any length.
        max_line: characters kept of a line, at least 1.
        max_chars: characters kept in all, before lines are cut; at least 1.
    """
    cut = len(text) > max_chars
    if cut:
        text = text[:max_chars]
    if _SUSPECT.search(text):
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        text = _ODD.sub(_shown, _ESCAPES.sub("", text))
        if "\t" in text:
            text = text.expandtabs(TAB)
    if len(text) > max_line:
        text = "\n".join(_cut(line, max_line) for line in text.split("\n"))
    return text + "\u2026" if cut else text


def clean_line(text: str, *, max_line: int = MAX_LINE) -> str:
    """Make foreign text safe to show on one line: as `clean`, line breaks shown as `␊`."""
    # A line never shows more than `max_line` characters; eight times that leaves room for
    # escapes that go, and keeps a 100 MB line from being worked through for one row.
    return _cut(
        clean(text[: 8 * max_line], max_line=8 * max_line).replace("\n", "\u240a"), max_line
    )
