"""The New session screen: a form over the same spec as the command line's options."""

from __future__ import annotations

import asyncio

from workbench.errors import UsageError, WorkbenchError
from workbench.text import clean_line
from workbench.tui import actions
from workbench.tui.draw import new
from workbench.tui.draw.frame import Frame
from workbench.tui.draw.ink import Ink, Page
from workbench.tui.draw.new import NewView
from workbench.tui.model.draft import FIELDS, Draft
from workbench.tui.model.line import InputLine
from workbench.tui.screens.base import Place, bindings

SETTLED_S = 0.3
"""Rest after a change before checks run."""


class NewScreen(Place):
    """Ask for a session."""

    SCOPE = "new"
    TITLE_OF_HELP = "New session"
    ABOUT = "What is asked for here is what the command at the right asks for."
    BINDINGS = bindings("new", actions.EVERYWHERE)
    LINE_ON_TOP = False

    def __init__(self, draft: Draft) -> None:
        super().__init__()
        self.draft = draft
        self.view = NewView()
        self._version = 0

    def on_mount(self) -> None:
        """Find out what there is to choose from, and check the draft."""
        self.run_worker(self._read_choices(), group="choices")
        self._changed()

    async def _read_choices(self) -> None:
        from workbench.tui import choosing

        known = {s.model for s in self.bench.catalogue.sessions if s.model}
        self.view.options |= await asyncio.to_thread(choosing.choices, sorted(known))
        self._version += 1
        self.view.options["model"] = await asyncio.to_thread(
            choosing.models, self.view.options["model"]
        )
        self._version += 1

    def _changed(self) -> None:
        self.view.checking = True
        self.run_worker(self._check(), group="preflight", exclusive=True)

    async def _check(self) -> None:
        await asyncio.sleep(SETTLED_S)
        from workbench.tui import choosing

        view = self.view
        try:
            spec = await asyncio.to_thread(self.draft.spec)
        except UsageError as error:
            view.problem = str(error)
            view.field_of_problem = self.draft.problem(view.problem)
            view.checking, view.found, view.command = False, None, ()
            self._version += 1
            return
        view.problem = view.field_of_problem = ""
        name = self.draft.values.get("name", "").strip() or None
        view.command = choosing.command(spec, name)
        self._version += 1
        view.found = await choosing.preflight(spec, self.bench.catalogue.folder)
        view.pace = await asyncio.to_thread(
            choosing.pace, spec, view.found, self.bench.catalogue.sessions
        )
        view.checking = False
        self._version += 1

    def state_of_data(self) -> tuple[object, ...]:
        """Repaint when a check came back."""
        return (self._version,)

    def frame(self) -> Frame:
        """Title, and what it is forked from."""
        words: dict[str, str | None] = {}
        if FIELDS[self.view.at].kind != "words":
            words["new.toggle"] = None
        of = f"from {clean_line(self.draft.of)}" if self.draft.of else ""
        return Frame(
            "sessions",
            "New session",
            of,
            state=[("draft", Ink("muted"))],
            entries=actions.footer("new", words),
            back="back, keeps the draft" if self.size.width >= 110 else "back",
        )

    def content(self, page: Page, lines: tuple[int, int], now: float) -> None:
        """Form and side."""
        typed = self.line.runs() if self.line is not None else None
        new.draw(page, self.draft, self.view, typed, lines)

    # --- cursor

    def _to(self, at: int) -> None:
        self.view.at = max(0, min(len(FIELDS) - 1, at))
        self.view.option = 0

    def do_down(self) -> None:
        """Next field."""
        self._to(self.view.at + 1)

    def do_up(self) -> None:
        """Previous field."""
        self._to(self.view.at - 1)

    def do_page_down(self) -> None:
        """Five fields on."""
        self._to(self.view.at + 5)

    def do_page_up(self) -> None:
        """Five fields back."""
        self._to(self.view.at - 5)

    def do_first(self) -> None:
        """First field."""
        self._to(0)

    def do_last(self) -> None:
        """Last field."""
        self._to(len(FIELDS) - 1)

    def _words(self) -> list[str]:
        name = FIELDS[self.view.at].id
        known = list(self.view.options.get(name, ()))
        return [*known, *(w for w in self.draft.words(name) if w not in known)]

    def do_right(self) -> None:
        """Next option of the field."""
        most = max(0, len(self._words()) - 1)
        self.view.option = min(most, self.view.option + 1)

    def do_left(self) -> None:
        """Previous option of the field."""
        self.view.option = max(0, self.view.option - 1)

    def pressed(self, target: str) -> None:
        """A field or an option was clicked."""
        kind, _, rest = target.partition(":")
        if kind == "field":
            self._to(int(rest))
        elif kind == "option":
            name, _, word = rest.partition(":")
            self._to(next(i for i, f in enumerate(FIELDS) if f.id == name))
            self.view.option = self._words().index(word)
            self.do_toggle()

    def wheel(self, by: int, target: str) -> None:
        """The wheel moves the cursor."""
        self._to(self.view.at + by)

    # --- doing

    def do_open(self) -> None:
        """Change the field in place."""
        each = FIELDS[self.view.at]
        self.line = InputLine(
            each.label,
            self.draft.values.get(each.id, ""),
            self._take,
            choices=self.view.options.get(each.id, ()),
            several=each.kind == "words",
        )

    def _take(self, text: str) -> None:
        self.draft.values[FIELDS[self.view.at].id] = text
        self._changed()

    def do_toggle(self) -> None:
        """Put the option under the cursor in, or take it out."""
        each = FIELDS[self.view.at]
        words = self._words()
        if each.kind == "words" and words:
            word = words[min(self.view.option, len(words) - 1)]
            self.draft.toggle(each.id, word, self.view.options.get(each.id, ()))
            self._changed()

    def do_start(self) -> None:
        """Begin it in a process of its own, unless a check stops it."""
        view = self.view
        if view.problem:
            raise UsageError(f"start is held: {view.problem}")
        if view.checking or view.found is None:
            self.say("checks aren't done yet", tone="muted")
            return
        if view.found.held:
            raise UsageError(f"start is held: {view.found.held}")
        self._start()

    def _start(self) -> None:
        from workbench.tui import choosing

        bench = self.bench
        spec = self.draft.spec()
        path, arguments = choosing.arguments(
            spec, self.draft.values.get("name", "").strip(), bench.catalogue.folder
        )
        bench.start_session(path, arguments)
        self.draft.values["name"] = ""
        bench.pop_screen()
        below = bench.screen
        if isinstance(below, Place):
            below.say(f"{path.name} starts in a process of its own")

    def copied(self) -> str:
        """The command."""
        from workbench.tui import choosing

        try:
            name = self.draft.values.get("name", "").strip() or None
            return choosing.line(self.draft.spec(), name)
        except WorkbenchError:
            return ""
