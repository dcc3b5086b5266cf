"""The Recipes screen: read recipes, set two beside each other, edit one's own, try one on a task."""

from __future__ import annotations

import asyncio
import os
import shlex
import subprocess
import time
from typing import cast

from workbench.errors import UsageError
from workbench.session.store import SessionReader
from workbench.text import clean_line
from workbench.tui import actions
from workbench.tui.draw import recipes
from workbench.tui.draw.frame import Frame
from workbench.tui.draw.ink import Page
from workbench.tui.model.draft import forked
from workbench.tui.model.line import InputLine
from workbench.tui.model.recipes import Card, RecipesView, read_cards
from workbench.tui.screens.base import Place, bindings


class RecipesScreen(Place):
    """How repair goes on after a failed turn."""

    SCOPE = "recipes"
    TITLE_OF_HELP = "Recipes"
    ABOUT = "A card says what an episode does, in its order; yours can be edited."
    BINDINGS = bindings("recipes", actions.EVERYWHERE)

    def __init__(self) -> None:
        super().__init__()
        self.cards: list[Card] | None = None
        self.view = RecipesView()
        self._version = 0

    def on_mount(self) -> None:
        """Read the files."""
        self.run_worker(self._read(), group="recipes", exclusive=True)

    async def _read(self) -> None:
        self.cards = await asyncio.to_thread(read_cards)
        if not self.view.at and self.cards:
            self.view.at = self.cards[0].id
        self._version += 1
        self.paint()

    def state_of_data(self) -> tuple[object, ...]:
        """Repaint when the files were read."""
        return (self._version,)

    def frame(self) -> Frame:
        """How many there are."""
        card = self.card()
        words: dict[str, str | None] = {}
        if card is None or not card.own:
            words["recipes.edit"] = None
        if self.view.marked:
            words["recipes.mark"] = "back to cards" if self.view.beside else "diff with this"
        number = len(self.cards or ())
        return Frame(
            "recipes",
            "Recipes",
            f"{number} · how repair goes on after a failed turn",
            entries=actions.footer("recipes", words),
        )

    def content(self, page: Page, lines: tuple[int, int], now: float) -> None:
        """List and card."""
        if self.cards is None:
            page.row(lines[0] + 2).put(4, "Reading …", "muted")
        else:
            recipes.draw(page, self.cards, self.view, lines)

    # --- cursor

    def card(self) -> Card | None:
        """The recipe under the cursor."""
        cards = self.cards or []
        return next((c for c in cards if c.id == self.view.at), cards[0] if cards else None)

    def _move(self, by: int) -> None:
        cards, card = self.cards or [], self.card()
        if card is not None:
            at = max(0, min(len(cards) - 1, cards.index(card) + by))
            self.view.at, self.view.top = cards[at].id, 0
            self.view.beside = ""

    def do_down(self) -> None:
        """Next recipe."""
        self._move(1)

    def do_up(self) -> None:
        """Previous recipe."""
        self._move(-1)

    def do_page_down(self) -> None:
        """Scroll the card."""
        self.view.top += 10

    def do_page_up(self) -> None:
        """Scroll the card back."""
        self.view.top = max(0, self.view.top - 10)

    def do_first(self) -> None:
        """First recipe."""
        self._move(-len(self.cards or ()))

    def do_last(self) -> None:
        """Last recipe."""
        self._move(len(self.cards or ()))

    def pressed(self, target: str) -> None:
        """A recipe was clicked."""
        kind, _, name = target.partition(":")
        if kind == "recipe":
            self.view.at, self.view.top, self.view.beside = name, 0, ""

    def wheel(self, by: int, target: str) -> None:
        """The wheel scrolls the card, over the list it moves the cursor."""
        if target.startswith("recipe:"):
            self._move(by)
        else:
            self.view.top = max(0, self.view.top + 3 * by)

    # --- doing

    def do_open(self) -> None:
        """Scroll the card on: it is shown already."""
        self.do_page_down()

    def do_mark(self) -> None:
        """Mark; on another: show the difference; then back to cards."""
        card, view = self.card(), self.view
        if card is None:
            return
        if view.beside or view.marked == card.id:
            view.marked = view.beside = ""
        elif not view.marked:
            view.marked = card.id
            self.say(f"{card.id} is marked: = on another shows what differs")
        else:
            view.beside, view.top = card.id, 0

    def do_new(self) -> None:
        """Ask for a name, and write a recipe of one's own that begins as this one."""
        card = self.card()
        if card is not None:
            self.line = InputLine(
                f"new from {clean_line(card.id)}, called", "", lambda name: self._new(card, name),
                "a-z, 0-9 and -",
            )  # fmt: skip

    async def _new(self, card: Card, name: str) -> None:
        from workbench.modes.recipe_file import user_recipes
        from workbench.modes.recipe_own import copy_recipe

        file = await asyncio.to_thread(copy_recipe, card.id, name, user_recipes())
        await self._read()
        self.view.at, self.view.top = name, 0
        self.say(f"written: {file}; e edits it")

    async def do_edit(self) -> None:
        """Open one's own recipe in $EDITOR, and say afterwards whether it is one."""
        card = self.card()
        if card is None:
            return
        if not card.own:
            raise UsageError(f"{card.id} ships with workbench: n makes one of your own from it")
        words = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi")
        try:
            with self.bench.suspend():
                subprocess.run([*words, str(card.file)], check=False)  # noqa: ASYNC221
        except OSError as error:
            raise UsageError(f"set $EDITOR: {error.strerror}: {words[0]}") from None
        self.bench.refresh()
        await self._read()
        again = self.card()
        if again is not None and again.problem:
            self.say(again.problem, tone="limit")
        else:
            self.say(f"{card.id}: valid", tone="pass")

    async def do_try(self) -> None:
        """Ask for a task, and run one episode of it in a process of its own."""
        card, opened = self.card(), self.bench.session
        if card is None:
            return
        if card.problem:
            raise UsageError(card.problem)
        if opened is None or not opened.model.tasks:
            raise UsageError("open a session first: its model and its tasks are tried")
        choices = list(
            dict.fromkeys(f"{t.language} {t.task_id}" for t in opened.model.tasks.values())
        )
        self.line = InputLine(
            f"try {clean_line(card.id)} on", "", lambda text: self._try(card, text),
            f"with {clean_line(opened.model.model)}", choices, only=True,
        )  # fmt: skip

    async def _try(self, card: Card, text: str) -> None:
        opened = self.bench.session
        language, _, task = text.partition(" ")
        if opened is None or not task:
            raise UsageError("a language and a task, such as python starter/3")
        source = opened.model.path

        def stored() -> object:
            with SessionReader.open(source) as reader:
                return reader.meta().get("spec")

        spec = await asyncio.to_thread(stored)
        if not isinstance(spec, dict):
            raise UsageError(f"{source.name} wasn't generated here: it names no model to try")
        mode = str(card.file) if card.own else card.id
        # One episode is drawn as the session draws: what n > 1 implied there isn't greedy here.
        drawn = await asyncio.to_thread(_drawn, cast("dict[str, object]", spec))
        changed = {**spec, "modes": [mode], "languages": [language], "tasks": task, "n": 1, "k": None,
                   "limit": None, "source": None, "exclude": {}, "sampling": drawn}  # fmt: skip
        draft = forked(source.name, changed)
        name = time.strftime(f"try-{card.id}-%m%d-%H%M%S", time.localtime(self.bench.now()))
        from workbench.tui import choosing

        path, arguments = await asyncio.to_thread(
            choosing.arguments, draft.spec(), name, self.bench.catalogue.folder
        )
        self.bench.start_session(path, arguments)
        self.bench.open_in(path)
        self.say(f"{name} starts; its episode opens here when it begins")


def _drawn(spec: dict[str, object]) -> dict[str, object]:
    from workbench.session.spec import parse_spec

    meant = parse_spec(spec)
    return {**meant.sampling.model_dump(), "temperature": meant.temperature, "top_p": meant.top_p}
