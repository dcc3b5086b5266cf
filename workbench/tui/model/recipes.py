"""Recipes as cards: what an episode does, in sentences and in its order."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.errors import UsageError
from workbench.text import clean

if TYPE_CHECKING:
    from workbench.modes.recipe import Recipe

SAYS: Mapping[str, str] = {
    "agent": "the model works with tools until it submits",
    "reask": "nothing but that it is to try again",
    "verdict": "whether the visible tests passed",
    "compiler": "the compiler's messages and their lines",
    "runtime": "the error it ended with",
    "visible-tests": "each failing visible test: call, expected, got",
    "self-tests": "failing tests that the model wrote itself",
    "trace": "values of variables while it ran",
    "explain": "an explanation of what is wrong",
    "hidden-tests": "failing held-out tests",
    "hidden-verdict": "whether the held-out tests passed",
}
STOPS: Mapping[str, str] = {
    "visible": "when all visible tests pass",
    "compiles": "when it compiles",
    "self": "when the model's own tests pass",
    "hidden": "when the held-out tests pass",
    "model": "when the model says so",
    "own": "when the recipe's own rule says so",
    "none": "never early",
}
SUBMITS: Mapping[str, str] = {
    "accepted-else-last": "the program that was accepted, else the last",
    "last": "the program of the last turn",
    "any": "any program that passes (needs the held-out tests)",
}


@dataclass(frozen=True, slots=True)
class Card:
    """One recipe file."""

    id: str
    file: Path
    own: bool
    """In the user's folder: it may be edited."""
    problem: str = ""
    """Why it is no recipe, one line."""
    description: str = ""
    feedback: str = ""
    rest: str = ""
    """Turns, history and stop in a line."""
    leaks: bool = False
    sentences: tuple[tuple[str, str], ...] = ()
    prompt: str = ""
    """Template of a repair turn."""
    label: str = ""
    decides: Mapping[str, str] = field(default_factory=dict[str, str])
    """Everything that decides how repair goes on, as texts by name."""


@dataclass
class RecipesView:
    """Where the cursor stands."""

    at: str = ""
    marked: str = ""
    """Recipe that is to be set beside another."""
    beside: str = ""
    """The other one, when the difference is shown."""
    top: int = 0
    """Lines of the card that are scrolled past."""


def read_cards() -> list[Card]:
    """Every recipe by id, the user's and those that ship. Imports late, reads files: for a thread."""
    from workbench.modes.recipe_file import recipe_files, user_recipes
    from workbench.modes.recipe_own import sample_recipe

    own = user_recipes()
    cards: list[Card] = []
    for name, file in recipe_files().items():
        mine = file.parent == own
        try:
            cards.append(_card(name, file, sample_recipe(name, file), own=mine))
        except (UsageError, OSError) as error:
            cards.append(Card(name, file, mine, problem=str(error)))
    return cards


def _card(name: str, file: Path, recipe: Recipe, *, own: bool) -> Card:
    from workbench.modes.recipe_own import decides

    flat = decides(recipe)
    return Card(
        id=name,
        file=file,
        own=own,
        description=recipe.description,
        feedback="+".join(recipe.feedback),
        rest=f"≤{recipe.max_turns} · {recipe.history} · stop={recipe.stop}",
        leaks=recipe.leaks,
        sentences=tuple(_sentences(recipe)),
        prompt=recipe.template.text,
        label=recipe.mode,
        decides=flat,
    )


def _sentences(recipe: Recipe) -> Iterator[tuple[str, str]]:
    yield "turn 1", "the plain prompt, as in mode plain"
    if recipe.tree is not None:
        tree = recipe.tree
        yield (
            "tree",
            (
                f"{tree.programs} first programs, {tree.feedbacks} feedbacks each, "
                f"{tree.repairs} repairs each, {tree.depth} deep"
            ),
        )
    for number, part in enumerate(recipe.feedback):
        says = SAYS.get(part, f"what its entry point makes: {part}")
        by = f", by {recipe.critic.model}" if part == "explain" and recipe.critic else ""
        yield ("" if number else "after a failure"), says + by
    if not recipe.leaks:
        yield "never", "a held-out test, a scored outcome"
    kept = "all turns" if recipe.rounds is None else f"the newest {recipe.rounds}"
    yield "history", f"{recipe.history}: {kept}"
    yield "stops", f"{STOPS.get(recipe.stop, recipe.stop)}, or after turn {recipe.max_turns}"
    yield "hands in", SUBMITS.get(recipe.submit, recipe.submit)
    budget = recipe.budget
    if budget.limited:
        parts = [
            f"{budget.tokens} tokens" if budget.tokens is not None else "",
            f"{budget.seconds:g} s" if budget.seconds is not None else "",
            f"${budget.cost_usd}" if budget.cost_usd is not None else "",
        ]
        told = ", told to the model" if recipe.announce else ""
        yield "budget", f"{' or '.join(p for p in parts if p)} an episode{told}"
    if recipe.critic is None:
        yield "author", "the same model"


def difference(a: Card, b: Card) -> list[tuple[str, str]]:
    """Lines of what two recipes differ in: the sign (`−`, `+`, blank) and the line, cleaned."""
    lines: list[tuple[str, str]] = []
    for key in (*a.decides, *(k for k in b.decides if k not in a.decides)):
        old, new = a.decides.get(key, "–"), b.decides.get(key, "–")
        if old != new:
            lines += [(" ", ""), ("@", key), *_changed(_lines(old), _lines(new))]
    return lines or [(" ", "the same recipe: nothing that decides anything differs")]


def _lines(text: str) -> list[str]:
    return clean(text).splitlines()


def _changed(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, str]]:
    for line in list(difflib.unified_diff(old, new, lineterm="", n=1))[2:]:
        if not line.startswith("@@"):
            yield {"-": "−", "+": "+"}.get(line[:1], " "), line[1:]
