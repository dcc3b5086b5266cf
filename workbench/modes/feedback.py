"""What a model is told after a turn: only what its program did with the visible tests."""

from __future__ import annotations

import re
from dataclasses import dataclass

from workbench.execution.program import Clip, Execution
from workbench.modes.recipe import Recipe
from workbench.outcomes import Outcome
from workbench.text import clean

# Absolute paths only: `(a+b)/2/n` in a quoted line of code is none.
_PATH = re.compile(r"(?<![\w.)\]}/])(?:/[\w.+-]+)+/(?=[\w.+-])")
_TOKEN = re.compile(r"\b[0-9a-f]{32}\b")
_DRIVER = re.compile("workbench", re.IGNORECASE)
_MARKS = re.compile(r"\s*\d*\s*\|?[\s^~+\-\w]*\Z")
"""What stands under a quoted line: `      |    ^~~~`, and a word that is proposed."""
_WORDS = {
    Outcome.TIMEOUT: "It didn't finish within its time limit.",
    Outcome.OUT_OF_MEMORY: "It used more memory than it may.",
    Outcome.OUTPUT_LIMIT: "It printed far more than it may.",
}


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that is said."""

    name: str
    """Id of the feedback part."""
    title: str
    """A sentence."""
    text: str = ""
    """What the toolchain or program said, cut; empty for none."""


@dataclass(frozen=True, slots=True)
class Said:
    """What came of a turn, as far as the model may know."""

    accepted: bool
    """The program passes what the recipe's stop rule asks; with `stop = "none"`, the visible tests."""
    parts: tuple[Part, ...]


def judge_turn(recipe: Recipe, visible: Execution | None, code: bool) -> Said:
    """Decide whether a turn is accepted, and what may be said about it.

    Args:
        recipe: its stop rule and feedback parts.
        visible: the execution with the visible tests; `None` when there is no program, or the task
            has no visible tests: then nothing can be known of it, and it is accepted.
        code: whether the answer had code in it.
    """
    if not code:
        return Said(False, (Part("compiler", "There was no code in that answer."),))
    if visible is None:
        return Said(True, ())
    if not accepted(recipe, visible):
        return Said(False, tuple(_parts(recipe, visible)))
    # Only a recipe that goes on all the same ever says this.
    told = bool({"verdict", "visible-tests"} & set(recipe.feedback))
    title = "That code passes the examples of the description."
    return Said(True, (Part("verdict", title),) if told else ())


def accepted(recipe: Recipe, visible: Execution) -> bool:
    """Whether the stop rule takes a program with this visible outcome."""
    match recipe.stop:
        case "compiles":
            return visible.outcome is not Outcome.COMPILE_ERROR
        case "visible" | "none":
            return visible.outcome is Outcome.PASSED


def render(recipe: Recipe, said: Said) -> str:
    """The feedback message exactly as it is sent.

    Raises:
        UsageError: the recipe's template is wrong.
    """
    fence = "`" * max([3, *(_longest_run(part.text) + 1 for part in said.parts)])
    return recipe.template.render(parts=said.parts, fence=fence).strip()


def _parts(recipe: Recipe, visible: Execution) -> list[Part]:
    found: list[Part] = []
    outcome = visible.outcome
    room = recipe.feedback_chars
    if outcome is Outcome.COMPILE_ERROR and "compiler" in recipe.feedback:
        text = _stream(visible, "compile", room)
        found.append(Part("compiler", "That code doesn't compile:", text))
    elif outcome is Outcome.WRONG_ANSWER and "visible-tests" in recipe.feedback:
        found.append(_failing(visible, room))
    elif outcome is Outcome.RUNTIME_ERROR and "runtime" in recipe.feedback:
        title = "Run with the examples of the description, that code failed:"
        call = visible.case.shown if visible.case and "visible-tests" in recipe.feedback else ""
        if call:
            title = f"Run with {call}, that code failed:"
        found.append(Part("runtime", title, _stream(visible, "run", room)))
    elif outcome in _WORDS and "runtime" in recipe.feedback:
        title = f"Run with the examples of the description: {_WORDS[outcome]}"
        found.append(Part("runtime", title))
    if not found and "verdict" in recipe.feedback:
        found.append(
            Part("verdict", "That code is wrong: it fails the examples of the description.")
        )
    return found


def _failing(visible: Execution, room: int) -> Part:
    case = visible.case
    if case is None:
        text = _stream(visible, "run", room)
        return Part("visible-tests", "That code fails an example of the description:", text)
    actual = case.actual or "nothing"
    text = f"{case.shown}\nexpected: {case.expected}\ngot:      {actual}"
    return Part("visible-tests", "That code fails an example of the description:", cut(text, room))


def _stream(visible: Execution, step: str, room: int) -> str:
    report = next((s for s in visible.steps if s.name == step), None)
    said = visible.detail
    if report is not None:
        said = _joined(report.stderr) or _joined(report.stdout) or visible.detail
    text = _PATH.sub("", clean(said)).strip()
    if step == "compile":
        # A compiler quotes the lines it stumbles over, the one with the pass token, too.
        text = _TOKEN.sub("…", _without_driver(text))
    return cut(text, room)


def _without_driver(text: str) -> str:
    """Leave out quoted lines of the test driver and the marks under them.

    Whatever assembly adds has `workbench` in its names. Where nothing else is left, it stays.
    """
    kept: list[str] = []
    quoting = False
    for line in text.splitlines():
        if _DRIVER.search(line):
            quoting = True
        elif not (quoting and _MARKS.match(line)):
            quoting = False
            kept.append(line)
    return "\n".join(kept).strip() or text


def _joined(clip: Clip) -> str:
    gap = f"\n… {clip.omitted} bytes left out …\n" if clip.omitted else ""
    return f"{clip.head}{gap}{clip.tail}"


def cut(text: str, room: int) -> str:
    """Keep two thirds of the room from the head and the rest from the tail."""
    if len(text) <= room:
        return text
    head = room * 2 // 3
    return f"{text[:head]}\n… {len(text) - room} characters left out …\n{text[-(room - head) :]}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
