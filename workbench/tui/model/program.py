"""The program of a turn as a pane: the model's lines in full tone, assembly's muted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.text import clean, clean_line
from workbench.tui.draw.glyphs import mark
from workbench.tui.draw.ink import Ink, Run, Tone
from workbench.tui.model.code import highlight
from workbench.tui.model.diagnostics import Diagnostic, find
from workbench.tui.model.pane import MAX_LINES, Line, Pane

GUTTER = 6


def source_of(program: Mapping[str, Any]) -> tuple[str, str]:
    """Name and text of the file in which the candidate stands; both empty without a program."""
    files: Mapping[str, str] = program.get("files") or {}
    name = str(program.get("candidate_file") or next(iter(files), ""))
    return (name, str(files[name])) if name in files else ("", "")


def outputs(execution: Mapping[str, Any] | None) -> str:
    """All that toolchain and program printed to the error stream and, after it, the other."""
    if not execution:
        return ""
    parts: list[str] = []
    for stream in ("stderr", "stdout"):
        for step in execution.get("steps", ()):
            clip = step.get(stream) or {}
            parts += [clip.get("head", ""), clip.get("tail", "")]
    return "\n".join(p for p in parts if p)


def program_pane(
    program: Mapping[str, Any], execution: Mapping[str, Any] | None, outcome: str | None,
    grammar: str, code: str,
) -> Pane:  # fmt: skip
    """The program pane.

    Args:
        program: `Program` as stored; empty when nothing was assembled.
        execution: the scored execution, whose diagnostics are hung under their lines.
        outcome: outcome id of that execution.
        grammar: tree-sitter grammar module of the language.
        code: the extracted code, shown when there is no program.
    """
    name, text = source_of(program)
    if not text:
        text, name = code, ""
    first, last = program.get("candidate_lines") or (1, text.count("\n") + 1)
    detail = str(execution.get("detail", "")) if execution else ""
    found: list[Diagnostic] = []
    if outcome not in (None, "passed"):
        found = find(outputs(execution), name, detail) or _stored(execution, name)
    lines, findings = _lines(text, grammar, (first, last), found, outcome)
    own = max(0, last - first + 1)
    total = text.count("\n") + (0 if text.endswith("\n") else 1)
    note = f"{own} lines of the model + {max(0, total - own)} of assembly" if name else ""
    if found:
        note = f"{len(found)} {'place' if len(found) == 1 else 'places'} · {note}"
    suffix = "." + name.rpartition(".")[2] if "." in name else ".txt"
    return Pane("program", "Program", tuple(lines), note, gutter=GUTTER, findings=findings,
                source=text, suffix=suffix)  # fmt: skip


def _stored(execution: Mapping[str, Any] | None, name: str) -> list[Diagnostic]:
    """The place that was found when the program was judged: its language may speak otherwise."""
    told: Mapping[str, Any] = (execution or {}).get("diagnostic") or {}
    if told.get("file") != name or not isinstance(told.get("line"), int):
        return []
    return [Diagnostic(told["line"], told.get("column"), str(told.get("message", "")))]


def _lines(
    text: str, grammar: str, own: tuple[int, int], found: list[Diagnostic], outcome: str | None
) -> tuple[list[Line], tuple[int, ...]]:
    lines: list[Line] = []
    findings: list[int] = []
    at_line = {d.line: d for d in found}
    kind = mark(outcome)
    shown = clean(text)
    raw = text.split("\n")
    said = ""
    for number, runs in enumerate(highlight(shown.removesuffix("\n"), grammar), 1):
        if number > MAX_LINES:
            lines.append(Line((("… more lines, o opens all", Ink("faint")),)))
            break
        inside = own[0] <= number <= own[1]
        if not inside and number in (1, own[1] + 1):
            word = "added by assembly" + (": the scored tests" if number > own[1] else "")
            lines.append(Line(((word + " ", Ink("faint")),), rule=True))
        diagnostic = at_line.get(number)
        body = tuple(runs if inside else [_mute(r) for r in runs])
        if diagnostic is None:
            lines.append(Line(body, f"{number:>3}   "))
            continue
        findings.append(len(lines))
        ink = Ink(kind.tone, True)
        lines.append(Line(body, f"{number:>3} {kind.glyph} ", ink, ground="mark"))
        if diagnostic.message != said:
            lines.append(_hung(diagnostic, raw[number - 1], kind.tone))
        said = diagnostic.message
    return lines, tuple(findings)


def _mute(run: Run) -> Run:
    return (run[0], Ink("faint" if run[1].tone == "comment" else "muted"))


def _hung(diagnostic: Diagnostic, raw: str, tone: Tone) -> Line:
    """The message under its line, from its column where that leaves room for it."""
    shown = clean(raw)
    start = len(shown) - len(shown.lstrip())
    if diagnostic.column is not None:
        # Toolchains count characters; on the screen tabs are wider than one.
        start = len(clean(raw[: max(0, diagnostic.column - 1)]))
    message = clean_line(diagnostic.message)
    start = min(start, max(0, 66 - len(message)))
    return Line(((" " * start + "╰─ ", Ink(tone)), (message, Ink(tone))), hang=start + 3)
