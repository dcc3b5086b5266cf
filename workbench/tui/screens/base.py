"""What all places share: painting, keys from the registry, typing, questions, messages."""

from __future__ import annotations

import inspect
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.screen import Screen

from workbench.errors import WorkbenchError
from workbench.tui import actions
from workbench.tui.canvas import Canvas
from workbench.tui.draw import jump, small
from workbench.tui.draw.frame import SMALLEST, Alert, Frame, Question
from workbench.tui.draw.ink import Page
from workbench.tui.model.line import InputLine

if TYPE_CHECKING:
    from workbench.tui.app import Workbench

MESSAGE_S = 4.0
"""How long a message stands on row 2."""


def bindings(*scopes: str) -> list[Binding]:
    """Bindings of these scopes; ids are action ids, so that a keymap can rebind them."""
    made: list[Binding] = []
    for scope in scopes:
        for action in actions.of(scope):
            keys = ",".join("comma" if k == "," else k for k in action.keys.split())
            made.append(
                Binding(keys, f"act('{action.id}')", action.title, show=False, id=action.id)
            )
    return made


class Place(Screen[None], inherit_bindings=False):
    """A screen that is one canvas. Subclasses say what stands in it and what its keys do."""

    SCOPE: ClassVar[str] = actions.EVERYWHERE
    """Scope in the action registry."""
    TITLE_OF_HELP: ClassVar[str] = ""
    ABOUT: ClassVar[str] = ""
    """One sentence for help."""
    LINE_ON_TOP: ClassVar[bool] = True
    """Whether a line that is asked for stands on row 2, rather than where the screen puts it."""
    AUTO_FOCUS = "Canvas"

    def __init__(self) -> None:
        super().__init__()
        self.canvas = Canvas()
        self.question: Question | None = None
        self._yes: Callable[[], Any] | None = None
        self._no: Callable[[], Any] | None = None
        self._message: tuple[float, Alert] | None = None
        self._painted: tuple[object, ...] = ()
        self.typed: str | None = None
        """What is being typed into the filter; `None`: nothing is."""
        self.jumping: str | None = None
        """Letters typed of a jump; `None`: nobody jumps."""
        self._jumps: Mapping[str, tuple[int, int, str]] = {}
        self.line: InputLine | None = None
        """What row 2 asks for, if it asks for something."""

    @property
    def bench(self) -> Workbench:
        """The application."""
        return cast("Workbench", self.app)

    def compose(self) -> ComposeResult:
        """One canvas."""
        yield self.canvas

    # --- what subclasses give

    def frame(self) -> Frame:
        """The frame around the content."""
        raise NotImplementedError

    def content(self, page: Page, lines: tuple[int, int], now: float) -> None:
        """Draw the content into rows `lines`."""
        raise NotImplementedError

    def state_of_data(self) -> tuple[object, ...]:
        """What the picture depends on beside keys: painted again when it differs."""
        return ()

    def typing(self, text: str) -> None:
        """The filter was typed into."""

    def alert(self) -> Alert | None:
        """What needs a person, if anything does."""
        return None

    def copied(self) -> str:
        """What `y` copies; empty: nothing to copy here."""
        return ""

    # --- painting

    def draw(self, width: int, height: int, now: float) -> Page:
        """The whole screen as a page."""
        page = Page(width, height)
        if width < SMALLEST[0] or height < SMALLEST[1]:
            small.draw(page, self.bench.session.model if self.bench.session else None, now)
            return page
        frame = self.frame()
        frame.question = self.question
        if self._message is not None and now - self._message[0] > MESSAGE_S:
            self._message = None
        if self.line is not None and self.LINE_ON_TOP:
            frame.filter, frame.filter_word = self.line.runs(), self.line.label
        if frame.filter is None:
            frame.alert = self._message[1] if self._message else self.alert()
        frame.entries = actions.rebound(frame.entries, self.bench.keys)
        frame.draw(page)
        self.content(page, frame.lines, now)
        if self.jumping is not None:
            self._jumps = self._jumps or jump.jumps(page)
            jump.draw_jumps(page, self._jumps, self.jumping)
        return page

    def paint(self) -> None:
        """Draw and show."""
        width, height = self.size
        if width and height:
            now = self.bench.now()
            self._painted = (*self.state_of_data(), int(now), width, height)
            self.canvas.show(self.draw(width, height, now))

    def tick(self) -> None:
        """Paint if what is shown changed; called four times a second."""
        now = self.bench.now()
        if self._painted != (*self.state_of_data(), int(now), *self.size):
            self.paint()

    def on_resize(self) -> None:
        """Draw for the new size."""
        self.call_after_refresh(self.paint)

    def on_screen_resume(self) -> None:
        """Show what changed meanwhile."""
        self.call_after_refresh(self.paint)

    # --- keys and mouse

    async def action_act(self, name: str) -> None:
        """Do the action with this id."""
        action = actions.BY_ID[name]
        await self._guarded(cast(Callable[[], Any], getattr(self, f"do_{action.name}")))
        self.paint()

    async def on_key(self, event: events.Key) -> None:
        """Keys go to a question or to typing first, then to the keymap."""
        if self.question is not None:
            event.stop()
            event.prevent_default()
            if event.key in ("enter", "escape"):
                await self.answer(yes=event.key == "enter")
        elif self.jumping is not None:
            event.stop()
            event.prevent_default()
            await self._jump(event.key)
        elif self.line is not None:
            event.stop()
            event.prevent_default()
            await self._into_line(self.line, event)
        elif self.typed is not None and self._type(event):
            event.stop()
            event.prevent_default()
            self.paint()

    async def _jump(self, key: str) -> None:
        """Take a letter of a jump; any key that is none ends it."""
        typed = (self.jumping or "") + key
        found = self._jumps.get(typed)
        if found is None and any(code.startswith(typed) for code in self._jumps):
            self.jumping = typed
        else:
            self.jumping = None
            if found is not None:
                await self.on_canvas_pressed(Canvas.Pressed(found[2], twice=False))
        self.paint()

    def do_jump(self) -> None:
        """Put a letter on everything that can be clicked."""
        self.jumping, self._jumps = "", {}

    async def _into_line(self, line: InputLine, event: events.Key) -> None:
        """Type into what row 2 asks for; enter takes it, escape leaves it."""
        if event.key == "escape":
            self.line = None
        elif event.key == "enter":
            self.line = None
            await self._guarded(lambda: line.then(line.taken()))
        else:
            line.type(event.key, event.character if event.is_printable else None)
        self.paint()

    async def _guarded(self, do: Callable[[], Any]) -> None:
        """Do something that may fail with one line, which is then shown."""
        try:
            result = do()
            if inspect.isawaitable(result):
                await cast(Awaitable[None], result)
        except WorkbenchError as error:
            self.say(str(error), tone="wrong")

    def _type(self, event: events.Key) -> bool:
        """Whether the key belonged to the filter line."""
        typed = self.typed or ""
        if event.key in ("enter", "escape"):
            self.typed = None
            self.done_typing(kept=event.key == "enter", text=typed)
            return True
        if event.key == "backspace":
            if not typed:
                self.typed = None
                self.done_typing(kept=False, text="")
                return True
            self._typed(typed[:-1])
        elif event.key == "ctrl+u":
            self._typed("")
        elif event.is_printable and event.character:
            self._typed(typed + event.character)
        else:
            return False
        return True

    def _typed(self, text: str) -> None:
        self.typed = text
        self.typing(text)

    def done_typing(self, *, kept: bool, text: str) -> None:
        """Typing ended: by enter (kept) or by escape."""
        if not kept:
            self.typing("")

    def on_paste(self, event: events.Paste) -> None:
        """Paste into the line that is typed, as one line."""
        if self.line is not None:
            self.line.text += " ".join(event.text.split())
            self.paint()
        elif self.typed is not None:
            self._typed(self.typed + " ".join(event.text.split()))
            self.paint()

    async def on_canvas_pressed(self, message: Canvas.Pressed) -> None:
        """A click focuses, a double click opens; footer entries and places are buttons."""
        if self.question is not None:
            if message.target in ("yes", "no"):
                await self.answer(yes=message.target == "yes")
        elif message.target in actions.BY_ID:
            await self.action_act(message.target)
        elif message.target:
            self.pressed(message.target)
            if message.twice:
                await self.action_act(f"{self.SCOPE}.open")
        self.paint()

    def on_canvas_wheel(self, message: Canvas.Wheel) -> None:
        """The wheel moves the cursor."""
        self.wheel(message.by, message.target)
        self.paint()

    def pressed(self, target: str) -> None:
        """Something of the content was clicked."""

    def wheel(self, by: int, target: str) -> None:
        """The wheel was turned."""

    # --- asking and saying

    def ask(
        self, text: str, yes: str, then: Callable[[], Any], *, no: str = "keep",
        otherwise: Callable[[], Any] | None = None,
    ) -> None:  # fmt: skip
        """Ask in the footer; `then` is called when the answer is enter."""
        self.question = Question(text, yes, no)
        self._yes = then
        self._no = otherwise
        self.paint()

    async def answer(self, *, yes: bool) -> None:
        """Take the answer to the question."""
        then = self._yes if yes else self._no
        self.question = self._yes = self._no = None
        if then is not None:
            await self._guarded(then)
        self.paint()

    def say(self, text: str, *, tone: Any = "accent") -> None:
        """Show a message on row 2 for four seconds."""
        from workbench.text import clean_line

        self._message = (self.bench.now(), Alert(clean_line(text), tone))
        self.paint()

    # --- what works everywhere

    def do_sessions(self) -> None:
        """Go to Sessions."""
        self.bench.go("sessions")

    def do_live(self) -> None:
        """Go to Live."""
        self.bench.go("live")

    def do_tasks(self) -> None:
        """Go to Tasks."""
        self.bench.go("tasks")

    def do_back(self) -> None:
        """Up one level."""
        self.bench.back()

    def do_compare(self) -> None:
        """Go to Compare."""
        self.bench.go("compare")

    def do_recipes(self) -> None:
        """Go to Recipes."""
        self.bench.go("recipes")

    def do_commands(self) -> None:
        """Open the palette."""
        self.bench.open_over("PaletteScreen")

    def do_help(self) -> None:
        """Open help."""
        self.bench.open_over("HelpScreen")

    def do_label(self) -> None:
        """Show the whole labels."""
        self.bench.open_over("LabelScreen")

    def do_copy(self) -> None:
        """Copy what is focused, with its label."""
        text = self.copied()
        if not text:
            self.say("nothing to copy here", tone="muted")
            return
        from workbench.text import clean

        self.bench.copy_to_clipboard(clean(text))
        self.say("copied with OSC 52 (a terminal that forbids it stays as it was)")

    def do_export(self) -> None:
        """Export this screen as SVG."""
        from pathlib import Path

        stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(self.bench.now()))
        target = Path(f"workbench-{self.SCOPE}-{stamp}.svg")
        try:
            target.write_text(self.bench.export_screenshot(), encoding="utf-8")
        except OSError as error:
            self.say(f"{target} can't be written: {error.strerror}", tone="wrong")
            return
        self.say(f"written: {target.resolve()}")

    def do_theme(self) -> None:
        """Next theme."""
        self.bench.next_theme()

    def do_quit(self) -> None:
        """Leave."""
        self.bench.leave()
