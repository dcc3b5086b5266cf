"""Fit a text to its task: does it define the entry point, or continue the prompt?"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from workbench.execution.program import Candidate
from workbench.generation.extracted import ExtractionStep
from workbench.generation.extraction.adapt import contain, trimmed, with_preamble
from workbench.generation.extraction.bounds import Budget
from workbench.generation.extraction.cut import cut_after, cut_broken, cut_full
from workbench.generation.extraction.shape import Shape, TaskFacts, closings
from workbench.generation.extraction.source import Found, Grammar, Item, Source

_INDENT = "    "
_PREFIXES = 40
_PREFIX_CHARACTERS = 400_000
_LINES = 2000
"""How many prefixes of a text, of how many characters together, are tried as the function."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A text, fitted."""

    candidate: Candidate
    steps: tuple[ExtractionStep, ...]
    solid: bool
    """It defines the entry point, or continues the prompt, without anything unparsable."""


@dataclass(slots=True)
class Fitter:
    """Fits texts to one task."""

    grammar: Grammar
    facts: TaskFacts
    shape: Shape
    budget: Budget

    def fit(self, text: str) -> Fit | None:
        """Fit a text; `None` when it neither defines the entry point nor continues the prompt."""
        source = self.grammar.parse(text, self.budget)
        found = source.find(self.facts.entry_point)
        if found is not None and found.solid and starts_program(source):
            return self.full(source, found)
        return (
            self.body(text, source)
            or (self.full(source, found) if found is not None else None)
            or self.unclosed(source)
        )

    def full(self, source: Source, found: Found) -> Fit:
        """Fit a text that defines the entry point."""
        entry = self.facts.entry_point
        steps: list[ExtractionStep] = []
        solid = found.solid and source.clean
        if found.member is not None and not self.shape.container:
            note = "the entry point is a method of a class, which isn't what was asked for"
            steps.append(ExtractionStep("entry.in-class", note))
        mended = self._without_broken(source, found)
        if mended is not None:
            text, step = mended
            steps.append(step)
            source, found = self._again(text, source, found)
        text, more = cut_full(source, found, entry, self.budget)
        steps += more
        text, more = contain(text, self.facts.entry_point, self.shape, self._parse)
        steps += more
        text, more = with_preamble(text, self.shape, self._parse)
        steps += more
        return Fit(Candidate(trimmed(text), "full"), tuple(steps), solid)

    def _without_broken(self, source: Source, found: Found) -> tuple[str, ExtractionStep] | None:
        """Leave out what can't be parsed and isn't needed, as the cut end of a long answer."""
        if source.clean or found.definition.broken:
            return None
        if self.shape.container:
            closed = self._prefix(source.text)
            if closed is not None:
                return closed
        text = cut_broken(source, found, self.facts.entry_point, self.budget)
        if text is not None:
            return text, ExtractionStep("cut.broken", "cut parts that can't be parsed")
        return None if self.shape.container else self._prefix(source.text)

    def _prefix(self, text: str) -> tuple[str, ExtractionStep] | None:
        """The longest part of a text that parses and defines the entry point, its class closed."""
        closing = "\n}\n" if self.shape.container else ""
        for end in reversed(_ends(text)[: max(1, _PREFIX_CHARACTERS // (len(text) + 1))]):
            part = text[:end].rstrip() + closing
            parsed = self.grammar.parse(part, self.budget)
            found = parsed.find(self.facts.entry_point) if parsed.clean else None
            if found is None or not found.solid or (closing and found.member is None):
                continue
            if closing:
                note = "closed the class behind its last whole member, and cut the rest"
                return part, ExtractionStep("close.class", note)
            return part, ExtractionStep("cut.broken", "cut parts that can't be parsed")
        return None

    def _parse(self, text: str) -> Source:
        return self.grammar.parse(text, self.budget)

    def _again(self, text: str, source: Source, found: Found) -> tuple[Source, Found]:
        parsed = self.grammar.parse(text, self.budget)
        where = parsed.find(self.facts.entry_point)
        return (source, found) if where is None else (parsed, where)

    def unclosed(self, source: Source) -> Fit | None:
        """Fit a text that defines the entry point but ends inside it, as a cut answer does."""
        if source.clean:
            return None
        mended = self._prefix(source.text)
        if mended is not None:
            text, step = mended
            parsed = self.grammar.parse(text, self.budget)
            found = parsed.find(self.facts.entry_point)
            if found is not None:
                fit = self.full(parsed, found)
                return Fit(fit.candidate, (step, *fit.steps), solid=False)
        for closed in closings(self.grammar, source.text, self.budget):
            found = closed.find(self.facts.entry_point)
            if found is not None and closed.text != source.text:
                step = ExtractionStep("entry.unclosed", "the entry point's definition isn't closed")
                return Fit(Candidate(source.text.strip("\n") + "\n", "full"), (step,), solid=False)
        return None

    def body(self, text: str, source: Source) -> Fit | None:
        """Fit a text that continues the prompt, or did before its indentation was lost.

        `source` is the text parsed alone.
        """
        if not text.strip() or (self.shape.container and starts_program(source)):
            return None
        if source.find(self.facts.entry_point) is not None or _starts_with_definition(source):
            return self._body(text)
        first, _, rest = text.lstrip("\n").partition("\n")
        variants = (
            (text, ""),
            (_INDENT + first.lstrip() + "\n" + rest, "indented the first line, which had lost it"),
            (textwrap.indent(text, _INDENT), "indented the body"),
        )
        for variant, note in variants:
            fit = self._body(variant)
            if fit is not None:
                if not note:
                    return fit
                step = ExtractionStep("indent.body", note)
                return Fit(fit.candidate, (step, *fit.steps), fit.solid)
            if self.shape.container:
                break  # braces decide there, not indentation
        return None

    def _body(self, text: str) -> Fit | None:
        fit = self._whole_body(text)
        if fit is not None and fit.solid:
            return fit
        # What follows the function may spoil the parse of it: the longest part that parses counts.
        for end in reversed(_ends(text)[: max(1, _PREFIX_CHARACTERS // (len(text) + 1))]):
            prefix = self._whole_body(text[:end])
            if prefix is not None and prefix.solid:
                step = ExtractionStep("cut.after-function", "cut what follows the function")
                known = {s.rule for s in prefix.steps}
                steps = prefix.steps if step.rule in known else (step, *prefix.steps)
                return Fit(prefix.candidate, steps, solid=True)
        return fit

    def _whole_body(self, text: str) -> Fit | None:
        prompt = self.facts.prompt
        start = len(prompt.encode("utf-8", "replace"))
        found_in = self._spanning(prompt + text, start)
        if found_in is None:
            return None
        source, found = found_in
        steps: list[ExtractionStep] = []
        whole, more = cut_after(source, found, self.facts.entry_point, start)
        steps += more
        if not whole.startswith(prompt):
            return None
        body = whole[len(prompt) :]
        if self.shape.container and not self.grammar.parse(whole, self.budget).clean:
            body, more = self._close(body)
            steps += more
        clean = self.grammar.parse(prompt + body, self.budget).clean
        if not clean and not source.clean:
            return None
        return Fit(Candidate(body, "body"), tuple(steps), clean)

    def _spanning(self, whole: str, start: int) -> tuple[Source, Found] | None:
        """The entry point's definition that begins in the prompt and ends in the answer."""
        candidates = [self.grammar.parse(whole, self.budget)]
        if not candidates[0].clean and self.shape.container:
            candidates.append(self.grammar.parse(whole + "\n}", self.budget))
        for source in candidates:
            found = source.find(self.facts.entry_point)
            if found is None:
                continue
            own = found.definition
            if own.start < start < own.end and not own.broken and self._reaches(source, own, start):
                return source, found
        return None

    def _reaches(self, source: Source, own: Item, start: int) -> bool:
        """Whether the definition takes in the first thing that the answer says."""
        first = len(source.data[start:]) - len(source.data[start:].lstrip())
        return own.end > start + first

    def _close(self, body: str) -> tuple[str, list[ExtractionStep]]:
        """Close the container that the prompt opened, when only that is missing."""
        closed = body.rstrip() + "\n}\n"
        if self.grammar.parse(self.facts.prompt + closed, self.budget).clean:
            note = f"closed class {self.shape.container}, which the prompt opens"
            return closed, [ExtractionStep("close.container", note)]
        return body, []


def _ends(text: str) -> list[int]:
    """Where a function may end: behind a closing brace on its own line, before column 0."""
    ends: list[int] = []
    place = 0
    for line in text.split("\n")[:_LINES]:
        if line[:1] and not line[:1].isspace() and not line.startswith("}"):
            ends.append(place)
        place += len(line) + 1
        if line.strip() == "}" or line.startswith("}"):
            ends.append(min(place, len(text)))
    return [e for e in dict.fromkeys(ends) if 0 < e < len(text)][:_PREFIXES]


def starts_program(source: Source) -> bool:
    """Whether a text begins like a program: with a definition or an import, in column 0."""
    for item in source.items:
        if "comment" in item:
            continue
        line = source.data.rfind(b"\n", 0, item.start) + 1
        return line == item.start and bool(
            item.roles & {"definition", "container", "import", "package", "assign", "forward"}
        )
    return False


def _starts_with_definition(source: Source) -> bool:
    first = next((i for i in source.items if "comment" not in i), None)
    return first is not None and bool(first.roles & {"definition", "container"})
