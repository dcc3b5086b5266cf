"""Help, commands and labels: they lie over a place and give it back."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.screen import ModalScreen

from workbench.text import clean
from workbench.tui import actions
from workbench.tui.canvas import Canvas
from workbench.tui.draw import overlays
from workbench.tui.draw.ink import Page
from workbench.tui.draw.overlays import Choice
from workbench.tui.screens.base import Place

_KEY = {"escape": "esc", "right": "l", "left": "h"}
_DOWN = {"down": 1, "j": 1, "up": -1, "k": -1, "pagedown": 10, "pageup": -10}


class Overlay(ModalScreen[None], inherit_bindings=False):
    """A plane over a place."""

    AUTO_FOCUS = "Canvas"
    CSS = "Overlay { background: $background; }"

    def __init__(self, below: Place) -> None:
        super().__init__()
        self.below = below
        self.canvas = Canvas()
        self.scrolled = 0

    def compose(self) -> ComposeResult:
        """One canvas."""
        yield self.canvas

    def over(self, page: Page) -> None:
        """Draw the plane over the dimmed page."""
        raise NotImplementedError

    def paint(self) -> None:
        """Draw and show."""
        width, height = self.size
        if width and height:
            page = overlays.sink(self.below.draw(width, height, self.below.bench.now()))
            self.over(page)
            self.canvas.show(page)

    def on_resize(self) -> None:
        """Draw for the new size."""
        self.call_after_refresh(self.paint)

    def close(self) -> None:
        """Give the place back."""
        self.dismiss()

    def scroll_by(self, by: int) -> None:
        """Scroll, bounded when drawn."""
        self.scrolled = max(0, self.scrolled + by)
        self.paint()

    def on_canvas_wheel(self, message: Canvas.Wheel) -> None:
        """The wheel scrolls."""
        self.scroll_by(message.by)

    async def on_key(self, event: events.Key) -> None:
        """Escape closes, arrows scroll."""
        event.stop()
        event.prevent_default()
        if event.key in ("escape", "question_mark", "q", "L", "enter"):
            self.close()
        elif event.key in _DOWN:
            self.scroll_by(_DOWN[event.key])


class HelpScreen(Overlay):
    """What keys do here."""

    def over(self, page: Page) -> None:
        """Draw help from the registry."""
        below = self.below
        most = overlays.help_plane(
            page, below.SCOPE, below.TITLE_OF_HELP, below.ABOUT, self.scrolled, below.bench.keys
        )
        self.scrolled = min(self.scrolled, most)


class LabelScreen(Overlay):
    """The whole labels of the session at hand."""

    def labels(self) -> list[str]:
        """Every measured value with its label, cell by cell."""
        opened = self.below.bench.session
        if opened is None:
            return []
        model = opened.model
        return [
            f"{r.text}  {r.label}" for c in model.cells for r in model.readings.get(c.id, ())[:1]
        ]

    def over(self, page: Page) -> None:
        """Draw the labels."""
        self.scrolled = min(
            self.scrolled, overlays.labels_plane(page, self.labels(), self.scrolled)
        )

    async def on_key(self, event: events.Key) -> None:
        """`y` copies them."""
        if event.key == "y":
            event.stop()
            self.app.copy_to_clipboard(clean("\n".join(self.labels())))
            self.close()
            self.below.say("labels copied with OSC 52")
            return
        await super().on_key(event)


class PaletteScreen(Overlay):
    """All commands of the place below, and all sessions."""

    def __init__(self, below: Place) -> None:
        super().__init__(below)
        self.typed = ""
        self.cursor = 0
        scopes = (below.SCOPE, actions.EVERYWHERE)
        self._choices = [
            Choice(
                a.id, a.title, _KEY.get(key := below.bench.keys.get(a.id, a.keys).split()[0], key)
            )
            for scope in scopes
            for a in actions.of(scope)
            if not a.name.startswith(("up", "down", "left", "right", "page_", "first", "last"))
        ]
        self._choices += [
            Choice(f"session:{s.path.name}", f"Session {s.name}", s.state)
            for s in below.bench.catalogue.sessions
        ]

    def found(self) -> list[Choice]:
        """Choices that match what is typed."""
        return overlays.matching(self._choices, self.typed)

    def over(self, page: Page) -> None:
        """Draw the palette."""
        overlays.palette_plane(page, self.found(), self.typed, self.cursor)

    async def on_key(self, event: events.Key) -> None:
        """Type, move, choose."""
        event.stop()
        event.prevent_default()
        found = self.found()
        if event.key == "escape":
            self.close()
            return
        if event.key == "enter":
            if found:
                self.choose(found[min(self.cursor, len(found) - 1)])
            return
        if event.key in ("down", "up", "pagedown", "pageup", "tab"):
            by = 1 if event.key == "tab" else _DOWN[event.key]
            self.cursor = max(0, min(len(found) - 1, self.cursor + by))
        elif event.key == "backspace":
            self.typed, self.cursor = self.typed[:-1], 0
        elif event.is_printable and event.character:
            self.typed, self.cursor = self.typed + event.character, 0
        self.paint()

    def on_paste(self, event: events.Paste) -> None:
        """Paste as one line."""
        self.typed, self.cursor = self.typed + " ".join(event.text.split()), 0
        self.paint()

    async def on_canvas_pressed(self, message: Canvas.Pressed) -> None:
        """A click chooses."""
        kind, _, number = message.target.partition(":")
        found = self.found()
        if kind == "choice" and int(number) < len(found):
            self.choose(found[int(number)])

    def choose(self, choice: Choice) -> None:
        """Close, and do it in the place below."""
        bench = self.below.bench
        self.dismiss()
        if choice.id.startswith("session:"):
            bench.open_session(bench.catalogue.folder / choice.id.removeprefix("session:"))
            bench.call_later(bench.go, "live")
            return
        # After the palette has gone: the action may open a screen of its own.
        bench.call_later(self.below.action_act, choice.id)

    def scroll_by(self, by: int) -> None:
        """The wheel moves the cursor."""
        self.cursor = max(0, min(len(self.found()) - 1, self.cursor + by))
        self.paint()
