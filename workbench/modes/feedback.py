"""What a model is told after a turn: what its program did with tests that it may know.

Of the scored tests nothing is said, unless the recipe names a `hidden-…` part: its label says !LEAK.
"""

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
_EXAMPLE = "an example of the description"
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


@dataclass(frozen=True, slots=True)
class Evidence:
    """What feedback may be made of, beside the visible execution."""

    bare: bool = False
    """The task has no visible tests: its program was only compiled and loaded."""
    own: Execution | None = None
    """The execution with the model's own tests."""
    scored: Execution | None = None
    """Given only for recipes that leak."""
    taken: bool | None = None
    """What the entry point's stop rule says, where it has one."""


NOTHING = Evidence()


def judge_turn(
    recipe: Recipe, visible: Execution | None, code: bool, evidence: Evidence = NOTHING
) -> Said:
    """Decide whether a turn is accepted, and what may be said about it.

    Args:
        recipe: its stop rule and feedback parts.
        visible: the execution with the visible tests; `None` when there is no program, or the task
            has no visible tests: then nothing can be known of it, and it is accepted.
        code: whether the answer had code in it.
        evidence: what else is known.
    """
    if not code:
        return Said(False, (Part("compiler", "There was no code in that answer."),))
    taken = accepted(recipe, visible, evidence)
    shown = evidence.scored if "hidden-tests" in recipe.feedback else visible
    parts = [] if shown is None else _parts(recipe, shown, evidence)
    if "self-tests" in recipe.feedback and evidence.own is not None:
        parts += _own_tests(evidence.own, recipe.feedback_chars)
    if "hidden-verdict" in recipe.feedback and not parts and not _passed(evidence.scored):
        parts.append(Part("hidden-verdict", "That code is wrong: it fails the tests."))
    if parts or not taken or visible is None:
        return Said(taken, tuple(parts))
    # Only a recipe that goes on all the same ever says this.
    told = bool({"verdict", "visible-tests"} & set(recipe.feedback)) and _passed(visible)
    title = "That code passes the examples of the description."
    return Said(True, (Part("verdict", title),) if told and not evidence.bare else ())


def accepted(recipe: Recipe, visible: Execution | None, evidence: Evidence = NOTHING) -> bool:
    """Whether the stop rule takes a program with these outcomes."""
    match recipe.stop:
        case "compiles":
            return visible is None or visible.outcome is not Outcome.COMPILE_ERROR
        case "self":
            # Without a test of its own nothing can be known of it.
            return evidence.own is None or _passed(evidence.own)
        case "hidden":
            return _passed(evidence.scored)
        case "own":
            return bool(evidence.taken)
        case "visible" | "none" | "model":
            return visible is None or _passed(visible)


def _passed(execution: Execution | None) -> bool:
    return execution is not None and execution.outcome is Outcome.PASSED


def render(recipe: Recipe, said: Said, left: int = 0) -> str:
    """The feedback message exactly as it is sent.

    Args:
        recipe: its template.
        said: what is told.
        left: turns that are left, the next one counted; told only when the recipe announces them.

    Raises:
        UsageError: the recipe's template is wrong.
    """
    fence = "`" * max([3, *(_longest_run(part.text) + 1 for part in said.parts)])
    return recipe.template.render(
        parts=said.parts,
        fence=fence,
        accepted=said.accepted,
        left=left if recipe.announce else 0,
    ).strip()


def _parts(recipe: Recipe, shown: Execution, evidence: Evidence) -> list[Part]:
    found: list[Part] = []
    outcome = shown.outcome
    room = recipe.feedback_chars
    hidden = "hidden-tests" in recipe.feedback
    told = hidden or "visible-tests" in recipe.feedback
    runs = hidden or "runtime" in recipe.feedback
    ran = "Run with the tests" if hidden else "Run with the examples of the description"
    if evidence.bare and not hidden:
        ran = "Loaded without any test"
    if outcome is Outcome.COMPILE_ERROR and (hidden or "compiler" in recipe.feedback):
        text = _stream(shown, "compile", room)
        found.append(Part("compiler", "That code doesn't compile:", text))
    elif outcome is Outcome.WRONG_ANSWER and told:
        name, what = ("hidden-tests", "a test") if hidden else ("visible-tests", _EXAMPLE)
        found.append(_failing(shown, room, name, f"That code fails {what}:"))
    elif outcome is Outcome.RUNTIME_ERROR and runs:
        call = shown.case.shown if shown.case and told else ""
        title = f"Run with {call}, that code failed:" if call else f"{ran}, that code failed:"
        found.append(Part("runtime", title, _stream(shown, "run", room)))
    elif outcome in _WORDS and runs:
        found.append(Part("runtime", f"{ran}: {_WORDS[outcome]}"))
    if not found and outcome is not Outcome.PASSED and "verdict" in recipe.feedback:
        found.append(
            Part("verdict", "That code is wrong: it fails the examples of the description.")
        )
    return found


def _own_tests(own: Execution, room: int) -> list[Part]:
    """What came of the model's own tests: they may be wrong themselves, which the title says."""
    title = "That code fails a test that you wrote yourself (either may be wrong):"
    match own.outcome:
        case Outcome.PASSED:
            return [Part("self-tests", "That code passes the tests that you wrote yourself.")]
        case Outcome.COMPILE_ERROR:
            what = "Together with the tests that you wrote yourself, that code doesn't compile:"
            return [Part("self-tests", what, _stream(own, "compile", room))]
        case Outcome.WRONG_ANSWER:
            return [_failing(own, room, "self-tests", title)]
        case Outcome.RUNTIME_ERROR:
            what = "Run with the tests that you wrote yourself, that code failed:"
            return [Part("self-tests", what, _stream(own, "run", room))]
        case _:
            what = _WORDS.get(own.outcome, "It failed.")
            return [Part("self-tests", f"Run with the tests that you wrote yourself: {what}")]


def _failing(shown: Execution, room: int, name: str, title: str) -> Part:
    case = shown.case
    if case is None:
        return Part(name, title, _stream(shown, "run", room))
    actual = case.actual or "nothing"
    text = f"{case.shown}\nexpected: {case.expected}\ngot:      {actual}"
    return Part(name, title, cut(text, room))


def _stream(shown: Execution, step: str, room: int) -> str:
    report = next((s for s in shown.steps if s.name == step), None)
    said = shown.detail
    if report is not None:
        said = _joined(report.stderr) or _joined(report.stdout) or shown.detail
    text = _PATH.sub("", clean(said)).strip()
    if step == "compile":
        # A compiler quotes the lines it stumbles over, the one with the pass token, too.
        text = _TOKEN.sub("…", _without_driver(text))
    return cut(text, room)


def output_of(execution: Execution, room: int) -> str:
    """What a program printed when it ran, cut, without paths and pass tokens; empty for nothing."""
    step = next((s for s in execution.steps if s.name == "run"), None)
    if step is None:
        return ""
    streams = (("stdout", step.stdout), ("stderr", step.stderr))
    said = "\n".join(f"{name}:\n{_joined(clip)}" for name, clip in streams if clip.size)
    return cut(_TOKEN.sub("…", _PATH.sub("", clean(said))).strip(), room)


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
