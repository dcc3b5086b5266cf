"""From an answer to code: clean it, find the code in it, fit it to the task."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Literal

from workbench.errors import UsageError
from workbench.execution.program import Candidate
from workbench.generation.extracted import Extraction, ExtractionStep
from workbench.generation.extraction.bounds import Budget, ParseBudgetSpent
from workbench.generation.extraction.choose import Choice, choose
from workbench.generation.extraction.clean import Cleaned, clean
from workbench.generation.extraction.fences import Fenced, find_blocks
from workbench.generation.extraction.fit import Fit, Fitter, starts_program
from workbench.generation.extraction.prose import declines, reads_like_code, without_prose
from workbench.generation.extraction.shape import Shape, TaskFacts, shape_of
from workbench.generation.extraction.source import Grammar
from workbench.languages import Language, read_folder

Style = Literal["chat", "complete"]

TREE_SITTER = "tree-sitter/1"
RAW = "raw/1"
EXTRACTORS = (TREE_SITTER, RAW)
"""Ids with version; the version grows with every change that can give other code."""


def extract(
    text: str,
    view: TaskFacts,
    language: Language,
    style: Style,
    *,
    extractor: str = TREE_SITTER,
    previous: str = "",
) -> Extraction:
    """Turn a raw answer into code.

    `previous` is the code of the turn before, which a repair answer may quote: a block that only
    repeats it is not taken when there is another. Never raises for anything that is in `text`.

    Raises:
        UsageError: unknown extractor, or the language's grammar or query can't be loaded.
    """
    if extractor == RAW:
        return _raw(text)
    if extractor != TREE_SITTER:
        raise UsageError(f"no extractor {extractor!r}: there are {', '.join(EXTRACTORS)}")
    grammar = _grammar(language.folder, language.content_hash)
    cleaned = clean(text)
    work = _Extraction(cleaned, view, language, grammar, style, previous)
    try:
        return work.run()
    except ParseBudgetSpent:
        return work.unparsed()


def _raw(text: str) -> Extraction:
    """The answer as it is, but for what no file can hold."""
    kept = text.encode("utf-8", "replace").decode("utf-8")
    step = ExtractionStep("raw", "the answer was taken as it is")
    return Extraction(Candidate(kept, "body"), (step,), (0, len(text)), extractor=RAW)


@lru_cache(maxsize=32)
def _grammar(folder: Path, content: str) -> Grammar:
    """A language's grammar and query, compiled once per content of its folder."""
    return Grammar(read_folder(folder))


@lru_cache(maxsize=4096)
def _shape(folder: Path, content: str, prompt: str, entry_point: str) -> Shape:
    """Shape of a task, read once for all its samples."""
    facts = _Facts(entry_point, prompt)
    try:
        return shape_of(_grammar(folder, content), facts, Budget())
    except ParseBudgetSpent:
        return Shape("", "", ())


@dataclass(frozen=True, slots=True)
class _Facts:
    entry_point: str
    prompt: str


class _Extraction:
    """One answer on its way to code."""

    def __init__(
        self,
        cleaned: Cleaned,
        view: TaskFacts,
        language: Language,
        grammar: Grammar,
        style: Style,
        previous: str,
    ) -> None:
        self.cleaned = cleaned
        self.facts = _Facts(view.entry_point, view.prompt)
        self.language = language
        self.grammar = grammar
        self.style = style
        self.previous = previous
        self.steps = list(cleaned.steps)
        self.fenced: Fenced = find_blocks(cleaned.text)
        shape = _shape(
            language.folder, language.content_hash, self.facts.prompt, self.facts.entry_point
        )
        self.fitter = Fitter(grammar, self.facts, shape, Budget())

    def run(self) -> Extraction:
        """Take the first way that gives code."""
        if not self.cleaned.text.strip():
            return self._none("empty", "the answer is empty")
        ways: tuple[Callable[[], Extraction | None], ...] = (
            (self._continuation, self._blocks, self._unfenced)
            if self.style == "complete"
            else (self._blocks, self._unfenced)
        )
        for way in ways:
            extraction = way()
            if extraction is not None:
                return extraction
        return self._none("no-code", "there is no code in the answer")

    def unparsed(self) -> Extraction:
        """What is taken of an answer that is too long to be parsed."""
        self.steps.append(ExtractionStep("unparsed", "too long to be parsed: nothing was cut"))
        block = next(iter(self.fenced.blocks), None)
        code = block.text if block is not None else self.cleaned.text
        span = (block.start, block.end) if block is not None else (0, len(code))
        full = self.style == "chat" and self.facts.entry_point in code
        return self._done(Candidate(code, "full" if full else "body"), span)

    # Ways to the code

    def _continuation(self) -> Extraction | None:
        """A base model's answer: everything up to a fence, as the continuation of the prompt."""
        before = self.fenced.before
        if not before.strip():
            return None
        if self.fenced.blocks:
            fit = self.fitter.fit(before)
            if fit is None:
                return None
            self.steps.append(ExtractionStep("fence.closing", "cut at the first fence"))
            return self._fitted(fit, (0, len(before)))
        fit = self.fitter.fit(before)
        if fit is not None:
            rule = "continuation" if fit.candidate.form == "body" else "whole"
            note = (
                "the answer continues the prompt"
                if rule == "continuation"
                else "the answer defines the entry point itself"
            )
            self.steps.append(ExtractionStep(rule, note))
            return self._fitted(fit, (0, len(before)))
        self.steps.append(
            ExtractionStep(
                "continuation.unparsed", "taken as it is: with the prompt it can't be parsed"
            )
        )
        return self._done(Candidate(before, "body"), (0, len(before)))

    def _blocks(self) -> Extraction | None:
        """A chat model's answer: the fenced block that fits best."""
        choice = choose(self.fenced.blocks, self.fitter, self.language.fence_tags, self.previous)
        if choice is None:
            return None
        if choice.fit is None:
            outside = self._outside()
            if outside is not None:
                return outside
        self.steps += choice.steps
        if choice.fit is not None:
            return self._fitted(choice.fit, choice.span)
        return self._unfitted(choice)

    def _unfitted(self, choice: Choice) -> Extraction:
        """Code that neither defines the entry point nor continues the prompt: its own fault."""
        source = self.grammar.parse(choice.text, self.fitter.budget)
        standing = starts_program(source) or any(
            i.roles & {"definition", "container"} for i in source.items
        )
        note = f"nothing that can be parsed in it defines {self.facts.entry_point[:80]}"
        self.steps.append(ExtractionStep("entry.missing", note))
        return self._done(Candidate(choice.text, "full" if standing else "body"), choice.span)

    def _outside(self) -> Extraction | None:
        """Code beside the fences, when no block has it."""
        found = without_prose(self.grammar, self.facts, self.fenced.outside, self.fitter.budget)
        if found is None:
            return None
        code, _, steps = found
        fit = self.fitter.fit(code)
        if fit is None:
            return None
        self.steps.append(ExtractionStep("fence.outside", "the code stands outside the fences"))
        self.steps += steps
        return self._fitted(fit, (0, len(self.cleaned.text)))

    def _unfenced(self) -> Extraction | None:
        """An answer without fences: code alone, or code between prose."""
        if self.fenced.blocks and self.style == "chat":
            return None
        text = self.cleaned.text
        whole = self.fitter.fit(text)
        if whole is None or not whole.solid:
            found = without_prose(self.grammar, self.facts, text, self.fitter.budget)
            if found is not None:
                code, span, steps = found
                fit = self.fitter.fit(code)
                if fit is not None:
                    self.steps.append(ExtractionStep("unfenced", "the answer has no fences"))
                    self.steps += steps
                    return self._fitted(fit, span)
        if whole is not None:
            self.steps.append(ExtractionStep("unfenced", "the answer has no fences"))
            return self._fitted(whole, (0, len(text)))
        return self._loose(text)

    def _loose(self, text: str) -> Extraction | None:
        """Unfenced text that looks like code, though it can't be fitted to the task."""
        source = self.grammar.parse(text, self.fitter.budget)
        solid = [
            i
            for i in source.items
            if i.roles & {"definition", "container"} and not i.broken and not i.hollow
        ]
        if not solid and not reads_like_code(text):
            return None
        self.steps.append(ExtractionStep("unfenced", "the answer has no fences"))
        note = f"nothing that can be parsed in it defines {self.facts.entry_point[:80]}"
        self.steps.append(ExtractionStep("entry.missing", note))
        return self._done(Candidate(text, "full" if solid else "body"), (0, len(text)))

    # Ends

    def _fitted(self, fit: Fit, span: tuple[int, int]) -> Extraction:
        self.steps += fit.steps
        return self._done(fit.candidate, span)

    def _done(self, candidate: Candidate, span: tuple[int, int]) -> Extraction:
        return Extraction(
            candidate,
            tuple(self.steps),
            self.cleaned.raw_span(*span),
            extractor=TREE_SITTER,
        )

    def _none(self, rule: str, note: str) -> Extraction:
        refused = declines(self.cleaned.text)
        steps = (*self.steps, ExtractionStep(rule, note))
        extraction = Extraction(None, steps, extractor=TREE_SITTER)
        if refused:
            decline = ExtractionStep("refused", "the answer declines the task in words")
            return replace(extraction, refused=True, steps=(*steps, decline))
        return extraction
