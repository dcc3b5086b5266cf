"""Prompt, answer, output and tests of a turn as panes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.report import numbers
from workbench.session.records import UnitRow
from workbench.text import clean, clean_line
from workbench.tui.draw import figures
from workbench.tui.draw.glyphs import mark
from workbench.tui.draw.ink import Ink, Run, Tone
from workbench.tui.model.pane import Line, Pane, text_lines

ROLES = {"system": "System", "user": "Harness", "assistant": "Model"}


def line(*runs: Run) -> Line:
    """A line of runs."""
    return Line(tuple(runs))


def prompt_pane(request: Mapping[str, Any]) -> Pane:
    """What was sent, exactly: the raw prompt, or the messages under their roles."""
    if request.get("style") != "chat":
        text = str(request.get("prompt", ""))
        return Pane("prompt", "Prompt", tuple(text_lines(text)), "as sent", wrap=True, source=text)
    lines: list[Line] = []
    messages = request.get("messages") or ()
    for message in messages:
        if len(messages) > 1:
            role = ROLES.get(str(message.get("role")), clean_line(str(message.get("role"))))
            lines.append(line((role, Ink("muted", True))))
        lines += text_lines(str(message.get("content", "")))
        lines.append(Line(()))
    source = "\n\n".join(f"[{m.get('role')}]\n{m.get('content')}" for m in messages)
    note = f"{len(messages)} messages" if len(messages) > 1 else "as sent"
    return Pane("prompt", "Prompt", tuple(lines[:-1]), note, wrap=True, source=source)


def answer_pane(raw: str, extraction: Mapping[str, Any], code: str, outcome: str | None) -> Pane:
    """The answer as it came; what extraction took has a bar before it, the reason is below."""
    if not raw:
        word = "The model gave an empty answer." if extraction else "No answer yet."
        if outcome == "generation_failed":
            word = "No answer came: lost, not counted."
        return Pane("answer", "Answer as it came", (line((word, Ink("muted"))),))
    lines: list[Line] = []
    span = extraction.get("span")
    if span:
        before, taken, after = raw[: span[0]], raw[span[0] : span[1]], raw[span[1] :]
        lines += text_lines(before, "muted")
        lines += [Line(x.runs, taken=True) for x in text_lines(taken)]
        lines += text_lines(after.lstrip("\n"), "muted")
    else:
        lines += text_lines(raw)
    lines.append(Line(()))
    for step in extraction.get("steps") or ():
        note = clean_line(str(step.get("note", "")))
        lines.append(Line(((note, Ink("accent")),), taken=True))
    if extraction and not code:
        why = "the answer declines the task" if extraction.get("refused") else (
            "extraction found no code: no block, no definition"
        )  # fmt: skip
        lines.append(line((why, Ink("build", True))))
    return Pane("answer", "Answer as it came", tuple(lines), gutter=0, source=raw, wrap=True)


def output_pane(execution: Mapping[str, Any] | None, unit: UnitRow) -> Pane:
    """What compiler and program printed, with exit codes and costs in the note."""
    if execution is None:
        text = "Not executed."
        if unit.outcome is None:
            text = "Not executed yet."
        elif unit.detail:
            text = clean_line(unit.detail)
        tone: Tone = "limit" if unit.outcome in ("generation_failed", "sandbox_error") else "muted"
        extra = " Lost to infrastructure: not counted." if tone == "limit" else ""
        return Pane("output", "Output", (line((f"{text}{extra}", Ink(tone))),))
    lines = [*_case(execution)]
    source: list[str] = []
    steps = execution.get("steps") or ()
    empty: list[str] = []
    for step in steps:
        for stream in ("stderr", "stdout"):
            clip = step.get(stream) or {}
            if not clip.get("size") and not clip.get("head"):
                empty.append(f"{step['name']} {stream}")
                continue
            several = len(steps) > 1 or stream == "stdout"
            if several:
                lines.append(Line(((f"{step['name']} {stream} ", Ink("faint")),), rule=True))
            lines += _clip(clip)
            source.append(
                f"--- {step['name']} {stream}\n{clip.get('head', '')}{clip.get('tail', '')}"
            )
    if not lines and execution.get("detail"):
        lines = text_lines(str(execution["detail"]))
    if not lines:
        lines.append(line(("nothing was printed", Ink("muted"))))
    return Pane(
        "output", "Output", tuple(lines), _steps(steps), source="\n".join(source), wrap=True
    )


def _clip(clip: Mapping[str, Any]) -> list[Line]:
    head, tail = str(clip.get("head", "")), str(clip.get("tail", ""))
    omitted = int(clip.get("size", 0)) - len(head.encode()) - len(tail.encode())
    lines = text_lines(head)
    if omitted > 0:
        lines.append(line((f"… {numbers.size(omitted)} omitted …", Ink("limit"))))
    return lines + (text_lines(tail) if tail else [])


def _steps(steps: Any) -> str:
    """`compile exit 1, 3.7 s CPU, 212 MB · run exit 0, …`."""
    parts: list[str] = []
    for step in steps:
        end = f"exit {step.get('exit_code')}"
        if step.get("signal") is not None:
            end = f"signal {step['signal']}"
        if step.get("stopped_by"):
            end = f"stopped: {step['stopped_by']}"
        memory = f", {step['memory_mb']:.0f} MB" if step.get("memory_mb") else ""
        parts.append(f"{step['name']} {end}, {figures.seconds(step.get('cpu_s', 0.0))} CPU{memory}")
    if parts and all(s.get("name") != "run" for s in steps):
        parts.append("run: not reached")
    return " · ".join(parts)


def _case(execution: Mapping[str, Any]) -> list[Line]:
    """Expected and actual under each other, the first differing column marked `^`."""
    case = execution.get("case") or _told(execution.get("diagnostic") or {})
    if not case:
        return []
    shown = clean_line(str(case.get("shown") or f"case {case.get('index', 0) + 1}"))
    expected = clean_line(str(case.get("expected", "")))
    actual = clean_line(str(case.get("actual", "")))
    at = next(
        (i for i, (a, b) in enumerate(zip(expected, actual, strict=False)) if a != b),
        min(len(expected), len(actual)),
    )
    lines = [
        line(("call      ", Ink("muted")), (shown, Ink("text"))),
        line(("expected  ", Ink("muted")), (expected, Ink("pass"))),
        line(("actual    ", Ink("muted")), (actual or "no value", Ink("wrong"))),
    ]
    if actual and expected != actual:
        lines.append(line((" " * (10 + at) + "^", Ink("wrong", True))))
    return lines


def _told(diagnostic: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a test that is code says it expected, in the form of a data case; empty: it doesn't."""
    if not diagnostic.get("expected") and not diagnostic.get("actual"):
        return {}
    return {**diagnostic, "shown": diagnostic.get("assertion") or diagnostic.get("message")}


def cases_pane(
    name: str, title: str, execution: Mapping[str, Any] | None, *, accepted: bool = False
) -> Pane:
    """What one set of tests said: visible and scored are always two panes.

    `accepted`: the recipe's stop rule was content with this turn's program.
    """
    if execution is None:
        word = "not run" if name == "scored" else "none, or not run"
        return Pane(name, title, (line((word, Ink("muted"))),), "–")
    outcome = str(execution.get("outcome"))
    kind = mark(outcome)
    total = execution.get("cases_total") or 0
    note = f"{kind.glyph} {execution.get('cases_passed') or 0} of {total}" if total else (
        f"{kind.glyph} {kind.word}"
    )  # fmt: skip
    if accepted:
        note += " · accepted"
    lines = _case(execution)
    if execution.get("detail") and outcome != "passed":
        lines += [line((clean_line(str(execution["detail"])), Ink("text")))]
    if not lines:
        word = "all hold" if outcome == "passed" else kind.word
        lines.append(line((word, Ink("muted"))))
    if name == "scored":
        lines.append(line(("ran apart; the model never sees them", Ink("faint"))))
    return Pane(name, title, tuple(lines), note, kind.tone, wrap=True,
                source=clean(str(execution.get("detail", ""))))  # fmt: skip
