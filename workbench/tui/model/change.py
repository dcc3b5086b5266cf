"""What a turn changed: feedback as sent, the difference between two programs, in words too."""

from __future__ import annotations

from difflib import SequenceMatcher

from workbench.session.records import TurnRow
from workbench.text import clean
from workbench.tui.draw.ink import Ink, Run
from workbench.tui.model.code import highlight
from workbench.tui.model.pane import Line, Pane, text_lines

MAX_DIFF = 1_500
"""Lines of a program that are compared; longer ones would be felt."""
CONTEXT = 3


def words_of_change(before: TurnRow | None, turn: TurnRow, *, fixed: bool) -> str:
    """The change in words: `compiles now`, `first fixed`, `regressed`, `same diagnostic`, …"""
    if before is None:
        return "first attempt"
    if turn.code and turn.code == before.code:
        return "same program"
    old, new = before.outcome, turn.outcome
    if new == "passed":
        return "still passes" if old == "passed" else "fixed again" if fixed else "first fixed"
    if old == "passed":
        return "regressed"
    if old == new:
        same = _detail(before) == _detail(turn) and _detail(turn)
        return "same diagnostic" if same else "another diagnostic"
    if old == "compile_error":
        return "compiles now"
    if new == "compile_error":
        return "compiles no more"
    return ""


def _detail(turn: TurnRow) -> str:
    return str((turn.scored or {}).get("detail", ""))


def feedback_pane(turn: TurnRow) -> Pane:
    """The feedback exactly as it was sent before a turn."""
    return Pane(
        "feedback",
        f"Feedback as sent before turn {turn.turn}",
        tuple(text_lines(turn.feedback)),
        "to the model",
        wrap=True,
        source=turn.feedback,
    )


def change_pane(before: TurnRow | None, turn: TurnRow, grammar: str) -> Pane:
    """The difference to the program of the turn before, with both line numbers."""
    if before is None:
        return Pane("change", "Change", (), "first attempt")
    title = f"Change from turn {before.turn} to turn {turn.turn}"
    old_text, new_text = clean(before.code).rstrip("\n"), clean(turn.code).rstrip("\n")
    old, new = old_text.split("\n"), new_text.split("\n")
    if max(len(old), len(new)) > MAX_DIFF:
        text = f"programs of more than {MAX_DIFF} lines are not compared"
        return Pane("change", title, (Line(((text, Ink("muted")),)),))
    old_ink, new_ink = highlight(old_text, grammar), highlight(new_text, grammar)
    lines: list[Line] = []
    findings: list[int] = []
    removed = added = 0
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for number, group in enumerate(matcher.get_grouped_opcodes(CONTEXT)):
        if number:
            lines.append(Line((("⋯", Ink("faint")),)))
        for kind, a, b, c, d in group:
            if kind == "equal":
                lines += [
                    _line(c + i + 1, " ", new_ink[c + i], old=a + i + 1) for i in range(d - c)
                ]
                continue
            findings.append(len(lines))
            lines += [_line(i + 1, "-", old_ink[i], old=i + 1) for i in range(a, b)]
            lines += [_line(i + 1, "+", new_ink[i]) for i in range(c, d)]
            removed += b - a
            added += d - c
    if not lines:
        lines.append(Line((("the same program", Ink("muted")),)))
    return Pane("change", title, tuple(lines), f"−{removed} +{added}", gutter=9 if findings else 0,
                findings=tuple(findings), source=turn.code)  # fmt: skip


def _line(number: int, sign: str, runs: list[Run], *, old: int | None = None) -> Line:
    left = f"{old:>3}" if old is not None else "   "
    right = f"{number:>3}" if sign != "-" else "   "
    if sign == " ":
        return Line(tuple(runs), f"{left} {right}  ")
    ink = Ink("wrong" if sign == "-" else "pass", True)
    ground = "del" if sign == "-" else "add"
    return Line(tuple(runs), f"{left} {right} {sign}", ink, ground=ground)
