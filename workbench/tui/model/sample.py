"""One sample or episode, ready to be shown: panes and facts for each of its turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.errors import UsageError
from workbench.session.records import CellRow, TaskRow, TurnRow, UnitRow
from workbench.text import clean, clean_line
from workbench.tui.draw import figures
from workbench.tui.draw.glyphs import mark
from workbench.tui.model.change import change_pane, feedback_pane, words_of_change
from workbench.tui.model.output import answer_pane, cases_pane, output_pane, prompt_pane
from workbench.tui.model.pane import Pane
from workbench.tui.model.program import program_pane
from workbench.tui.model.session import SessionModel


@dataclass(frozen=True, slots=True)
class TurnView:
    """One turn: its panes by name, and what the turn strip says of it."""

    turn: int
    outcome: str | None
    visible: str
    """`1 of 3`, a word, or `–`."""
    change: str
    """`compiles now`, `first fixed`, `regressed`, …"""
    tokens: int
    """So far, prompt and answer, this turn's included."""
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    panes: Mapping[str, Pane]


@dataclass(frozen=True, slots=True)
class SampleView:
    """A unit with its turns."""

    unit: UnitRow
    cell: CellRow
    task: TaskRow
    turns: tuple[TurnView, ...]
    facts: tuple[tuple[str, str], ...]
    """Word and value, in order."""
    label: str

    @property
    def episode(self) -> bool:
        """Whether it is shown with a turn strip."""
        return self.cell.mode != "plain"

    @property
    def fixed_at(self) -> int | None:
        """Index of the first turn that passed after one that didn't."""
        for index in range(1, len(self.turns)):
            if self.turns[index].outcome == "passed" and (
                self.turns[index - 1].outcome != "passed"
            ):
                return index
        return None

    @property
    def regressed_at(self) -> int | None:
        """Index of the first turn that failed after one that passed."""
        for index in range(1, len(self.turns)):
            if self.turns[index - 1].outcome == "passed" and (
                self.turns[index].outcome not in (None, "passed")
            ):
                return index
        return None


def grammar_of(language: str) -> str:
    """Grammar module of a language; empty when no folder knows the language here."""
    from workbench import languages

    try:
        return languages.load(language).grammar
    except (UsageError, KeyError):
        return ""


def build(
    unit: UnitRow, cell: CellRow, task: TaskRow, turns: Sequence[TurnRow], label: str
) -> SampleView:
    """Make a unit ready to be shown. Cleans and parses: for a thread."""
    grammar = grammar_of(cell.language)
    shown: list[TurnView] = []
    spent = 0
    for number, turn in enumerate(turns):
        before = turns[number - 1] if number else None
        usage = turn.completion.get("usage") or {}
        prompt, answer = usage.get("prompt_tokens") or 0, usage.get("completion_tokens") or 0
        spent += prompt + answer
        shown.append(
            TurnView(
                turn=turn.turn,
                outcome=turn.outcome,
                visible=_visible(turn.visible),
                change=words_of_change(before, turn, fixed=any(
                    t.outcome == "passed" for t in turns[:number]
                )),
                tokens=spent,
                prompt_tokens=prompt,
                completion_tokens=answer,
                seconds=float(turn.completion.get("seconds") or 0.0),
                panes=_panes(turn, before, unit, cell, task, grammar),
            )
        )  # fmt: skip
    if not shown:
        shown.append(_nothing(unit, task))
    return SampleView(unit, cell, task, tuple(shown), _facts(unit, turns), label or cell.label)


def _panes(
    turn: TurnRow, before: TurnRow | None, unit: UnitRow, cell: CellRow, task: TaskRow,
    grammar: str,
) -> dict[str, Pane]:  # fmt: skip
    panes = [
        program_pane(turn.program, turn.scored, turn.outcome, grammar, turn.code),
        prompt_pane(turn.request),
        answer_pane(turn.raw, turn.extraction, turn.code, unit.outcome),
        output_pane(turn.scored, unit),
    ]
    if cell.mode != "plain":
        panes += [
            feedback_pane(turn) if before is not None else prompt_pane(turn.request),
            change_pane(before, turn, grammar),
            cases_pane(
                "visible",
                f"Visible tests at turn {turn.turn}",
                turn.visible,
                accepted=turn.accepted,
            ),
            cases_pane("scored", f"Scored tests at turn {turn.turn}", turn.scored),
        ]
    found = {pane.name: pane for pane in panes}
    if cell.mode != "plain" and before is None:
        found["feedback"] = prompt_pane(turn.request)
        found["change"] = found["program"]
    return found


def _nothing(unit: UnitRow, task: TaskRow) -> TurnView:
    """A unit of which nothing is stored yet, or whose answer was lost."""
    prompt = prompt_pane({"style": "complete", "prompt": task.prompt})
    empty = program_pane({}, None, None, "", "")
    panes = {
        p.name: p
        for p in (empty, prompt, answer_pane("", {}, "", unit.outcome), output_pane(None, unit))
    }
    panes["feedback"] = prompt
    panes["change"] = empty
    panes["visible"] = cases_pane("visible", "Visible tests", None)
    panes["scored"] = cases_pane("scored", "Scored tests", None)
    return TurnView(1, unit.outcome, "–", "", 0, 0, 0, 0.0, panes)


def _visible(execution: Mapping[str, Any] | None) -> str:
    outcome = str(execution.get("outcome")) if execution else "no_code"
    if not execution or outcome in ("compile_error", "no_code", "refused"):
        return "–"  # what never ran has no visible result; its outcome stands above
    total = execution.get("cases_total") or 0
    return f"{execution.get('cases_passed') or 0} of {total}" if total else mark(outcome).word


def _facts(unit: UnitRow, turns: Sequence[TurnRow]) -> tuple[tuple[str, str], ...]:
    facts = [("tokens", f"{figures.tokens(unit.prompt_tokens)} in, "
              f"{figures.tokens(unit.completion_tokens)} out")]  # fmt: skip
    if turns:
        last = turns[-1]
        facts.append(("finish", clean_line(str(last.completion.get("finish_reason") or "–"))))
        steps = last.extraction.get("steps") or ()
        rules = ", ".join(clean_line(str(s.get("rule", ""))) for s in steps)
        facts.append(("extraction", rules or "none"))
        attempts = sum(len(t.completion.get("attempts") or ()) for t in turns)
        if attempts:
            facts.append(("tried again", f"{attempts} times"))
        if last.completion.get("shared"):
            facts.append(("answer", "shared with another mode"))
        scored = last.scored or {}
        if scored.get("sandbox"):
            facts.append(("sandbox", clean_line(str(scored["sandbox"]))))
    facts.append(("took", figures.seconds(unit.seconds)))
    facts.append(("flags", " ".join(unit.flags) or "none"))
    return tuple(facts)


def copied(view: SampleView, pane: Pane) -> str:
    """What `y` copies: the pane's text under what it is of."""
    kind = f"{view.cell.unit_kind} {view.unit.index + 1}"
    head = f"{view.task.task_id} {view.task.entry_point} · {view.cell.language} · {kind}"
    return f"{head} · {view.label}\n\n{clean(pane.source)}"


def others(model: SessionModel, unit: UnitRow) -> dict[str, int]:
    """The other units of the same problem by what they are called: language, mode, which, outcome.

    Units of other cells come first: another language or mode is the more frequent question.
    """
    task = model.tasks[unit.task_pk]
    found: list[tuple[bool, str, int]] = []
    for cell in model.cells:
        if cell.benchmark != task.benchmark:
            continue
        for (cell_id, pk), units in model.by_task.items():
            if cell_id != cell.id or model.tasks[pk].problem != task.problem:
                continue
            for number in units:
                other = model.units[number]
                word = mark(other.outcome).word
                mode = cell.recipe or cell.mode
                name = clean_line(
                    f"{cell.language} {mode} {cell.unit_kind[0]}{other.index + 1} {word}"
                )
                if other.id != unit.id:
                    found.append((cell.id == unit.cell_id, name, other.id))
    return {name: number for _, name, number in sorted(found, key=lambda f: f[0])}
