"""Find fenced blocks in an answer."""

from __future__ import annotations

import re
from dataclasses import dataclass

_OPEN = re.compile(
    r"^(?P<indent>[ \t]*+)(?P<lead>[^`~]*+)(?P<fence>`{3,}+|~{3,}+)[ \t]*+(?P<info>[^`~]*+)$"
)
_TAG = re.compile(r"[{.\s]*([\w+#.-]*)")
MOST = 64
"""Blocks that are looked at."""

NOT_CODE = frozenset(
    (
        "text", "txt", "plain", "plaintext", "output", "console", "terminal", "bash", "sh", "shell",
        "zsh", "powershell", "json", "yaml", "yml", "toml", "xml", "html", "css", "markdown", "md",
        "diff", "patch", "csv", "log", "none",
    )
)  # fmt: skip
"""Tags of blocks that are no program, whatever the language."""


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block."""

    text: str
    tag: str
    """First word after the fence, lower case; empty when there is none."""
    start: int
    end: int
    """Character range of its text in the cleaned answer."""
    closed: bool


@dataclass(frozen=True, slots=True)
class Fenced:
    """An answer, taken apart."""

    blocks: tuple[Block, ...]
    outside: str
    """Everything that is in no block, with an empty line where a block was."""
    before: str
    """Everything before the first fence."""


def find_blocks(text: str) -> Fenced:
    """Take an answer apart into fenced blocks and the rest; one pass over the lines."""
    blocks: list[Block] = []
    outside: list[str] = []
    before: str | None = None
    fence = indent = ""
    tag = ""
    body: list[str] = []
    start = place = 0
    for line in _lines(text):
        bare = line.rstrip("\n")
        inside = bool(fence)
        if not inside:
            opening = _OPEN.match(bare) if ("```" in bare or "~~~" in bare) else None
            if opening is None or not _opens(opening):
                outside.append(line)
            else:
                if before is None:
                    before = text[: place + opening.start("fence")]
                outside.append(opening["lead"] + "\n")
                fence, indent = opening["fence"], opening["indent"] if not opening["lead"] else ""
                tag = _tag(opening["info"])
                body, start = [], place + len(line)
        else:
            closing = _closes(bare, fence)
            if closing is None:
                body.append(_unindent(line, indent))
            else:
                if closing:
                    body.append(_unindent(closing, indent) + "\n")
                blocks.append(Block("".join(body), tag, start, place + len(closing), closed=True))
                fence = ""
        place += len(line)
    if fence:
        blocks.append(Block("".join(body), tag, start, len(text), closed=False))
    return Fenced(tuple(blocks[:MOST]), "".join(outside), text if before is None else before)


def _lines(text: str) -> list[str]:
    """Lines with their line feeds; no other character ends a line."""
    parts = text.split("\n")
    last = parts.pop()
    return [part + "\n" for part in parts] + ([last] if last else [])


def _opens(opening: re.Match[str]) -> bool:
    """A fence opens at the start of a line, or after prose when a tag or nothing follows it."""
    info = opening["info"].strip()
    if opening["lead"]:
        return opening["fence"].startswith("`") and re.fullmatch(r"[\w+#]*", info) is not None
    return len(info) <= 100


def _tag(info: str) -> str:
    found = _TAG.match(info)
    return found[1].lower() if found else ""


def _closes(line: str, fence: str) -> str | None:
    """What stands before a closing fence on its line; `None` when the line closes nothing."""
    stripped = line.rstrip()
    mark = fence[0]
    bare = stripped.rstrip(mark)
    count = len(stripped) - len(bare)
    if count < len(fence):
        return None
    # A fence after code on the same line closes too: models forget the line end.
    return "" if not bare.strip() else bare


def _unindent(line: str, indent: str) -> str:
    """Take a fence's own indentation off a line of its block, as far as the line has it."""
    width = 0
    while width < len(indent) and width < len(line) and line[width] in " \t":
        width += 1
    return line[width:]
