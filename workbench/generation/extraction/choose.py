"""Choose among fenced blocks: what defines the entry point, then the language tag, then order."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.generation.extracted import ExtractionStep
from workbench.generation.extraction.cut import remove
from workbench.generation.extraction.fences import NOT_CODE, Block
from workbench.generation.extraction.fit import Fit, Fitter
from workbench.generation.extraction.source import Source

_JOINED = 4
"""Closing fences that a block may run over, when that makes it parse: docstrings hold fences."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The block that was chosen."""

    text: str
    span: tuple[int, int]
    """Character range in the cleaned answer."""
    steps: tuple[ExtractionStep, ...]
    fit: Fit | None
    """`None`: no block fits the task."""


@dataclass(frozen=True, slots=True)
class _Ranked:
    block: Block
    source: Source
    defines: int
    """2: the entry point with a body; 1: only its signature; 0: not at all."""
    fresh: bool
    """It isn't the previous turn's code again."""
    tag: int
    """2: this language; 1: no tag; 0: another tag."""


def choose(
    blocks: tuple[Block, ...], fitter: Fitter, tags: tuple[str, ...], previous: str
) -> Choice | None:
    """Choose a block and fit it; `None` when no block can hold code of the language."""
    ranked = [_rank(b, fitter, tags, previous) for b in blocks if b.text.strip()]
    ranked = [r for r in ranked if r.defines or (r.block.tag not in NOT_CODE and not _mere(r))]
    if not ranked:
        return None
    best = max(ranked, key=lambda r: (r.defines == 2 and r.fresh, r.defines, r.tag, r.source.clean))
    if best.defines:
        return _fitted(best, ranked, fitter, _rule(best, ranked))
    # No block defines the entry point: the first that continues the prompt, tagged ones first.
    for one in sorted(ranked, key=lambda r: -r.tag):
        fit = fitter.body(one.block.text, one.source) or fitter.unclosed(one.source)
        if fit is not None:
            steps = (*_steps(one, "block.continuation", "the block continues the prompt"),)
            return Choice(one.block.text, (one.block.start, one.block.end), steps, fit)
    return Choice(best.block.text, (best.block.start, best.block.end), _rule(best, ranked), None)


def _mere(one: _Ranked) -> bool:
    """Whether a block has nothing but comments."""
    items = one.source.items
    return bool(items) and all("comment" in item for item in items)


def _rank(block: Block, fitter: Fitter, tags: tuple[str, ...], previous: str) -> _Ranked:
    source = fitter.grammar.parse(block.text, fitter.budget)
    found = source.find(fitter.facts.entry_point)
    return _Ranked(
        block=block,
        source=source,
        defines=0 if found is None else 2 if found.solid else 1,
        fresh=not previous or block.text.split() != previous.split(),
        tag=2 if block.tag in tags else 1 if not block.tag else 0,
    )


def _rule(best: _Ranked, ranked: list[_Ranked]) -> tuple[ExtractionStep, ...]:
    if len(ranked) == 1:
        return _steps(best, "block.only", "the only block with code")
    others = [r for r in ranked if r is not best]
    if best.defines > max(r.defines for r in others):
        return _steps(best, "block.entry-point", "of several blocks, the one that defines it")
    if best.defines == 2 and any(r.defines == 2 and not r.fresh for r in others):
        return _steps(
            best, "block.new", "a block that repeats the code of the turn before was left"
        )
    if best.tag > max(r.tag for r in others):
        return _steps(best, "block.tag", "of several blocks, the one tagged with the language")
    return _steps(best, "block.first", "of several blocks that fit alike, the first")


def _steps(best: _Ranked, rule: str, note: str) -> tuple[ExtractionStep, ...]:
    block = best.block
    fence = "fence.tagged" if best.tag == 2 else "fence.untagged" if best.tag else "fence.other-tag"
    steps = [
        ExtractionStep(fence, f"fence with tag {block.tag[:20]!r}"),
        ExtractionStep(rule, note),
    ]
    if not block.closed:
        steps.append(ExtractionStep("fence.unclosed", "the block is not closed"))
    return tuple(steps)


def _fitted(
    best: _Ranked, ranked: list[_Ranked], fitter: Fitter, steps: tuple[ExtractionStep, ...]
) -> Choice:
    """Fit the chosen block, with what it needs from the others."""
    span = (best.block.start, best.block.end)
    text = best.block.text
    extended = _over_fences(best, ranked, fitter)
    if extended is not None:
        text, end = extended
        span = (span[0], end)
        note = "the block goes on behind a fence inside it"
        steps = (*steps, ExtractionStep("fence.inner", note))
    else:
        helpers = _helpers(best, ranked, fitter)
        if helpers:
            text = helpers + "\n\n" + text
            note = "took definitions that it needs from other blocks"
            steps = (*steps, ExtractionStep("block.joined", note))
    return Choice(text, span, steps, fitter.fit(text))


def _over_fences(best: _Ranked, ranked: list[_Ranked], fitter: Fitter) -> tuple[str, int] | None:
    """The block with the blocks behind it, when it doesn't parse alone but does with them."""
    if best.source.clean or not best.block.closed:
        return None
    text, end = best.block.text, best.block.end
    behind = [r.block for r in ranked if r.block.start > best.block.start][:_JOINED]
    for block in behind:
        text += "```" + block.tag + "\n" + block.text
        end = block.end
        if fitter.grammar.parse(text, fitter.budget).clean:
            return text, end
    return None


def _helpers(best: _Ranked, ranked: list[_Ranked], fitter: Fitter) -> str:
    """Definitions of other blocks that the chosen one mentions and doesn't have."""
    source = best.source
    have = {n for i in source.items for n in i.names} | {fitter.facts.entry_point}
    words = source.words(0, len(source.data))
    parts: list[str] = []
    for other in ranked:
        if other is best or other.defines or not other.tag or not other.source.clean:
            continue
        wanted = [
            i
            for i in other.source.items
            if i.roles & {"definition", "container"} and set(i.names) & words - have
        ]
        if not wanted:
            continue
        have |= {n for i in other.source.items for n in i.names}
        drop = [i for i in other.source.items if not i.roles & _KEPT]
        parts.append(remove(other.source, [(i.start, i.end) for i in drop], []).strip("\n"))
    return "\n\n".join(parts)


_KEPT = frozenset(("definition", "container", "assign", "import", "comment", "forward", "first"))
