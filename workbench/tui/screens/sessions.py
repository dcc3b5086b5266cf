"""The Sessions screen: choose a session; Enter goes down."""

from __future__ import annotations

import asyncio
from pathlib import Path

from workbench.session import catalogue as catalogue_module
from workbench.session.catalogue import SessionSummary
from workbench.text import clean_line
from workbench.tui import actions
from workbench.tui.draw import sessions
from workbench.tui.draw.frame import NARROW, Frame, chips
from workbench.tui.draw.ink import Ink, Page, Run
from workbench.tui.screens.base import Place, bindings

TRASH = ".trash"


class SessionsScreen(Place):
    """Home."""

    SCOPE = "sessions"
    TITLE_OF_HELP = "Sessions"
    ABOUT = "A row is a session: what runs or needs you first, then what came out."
    BINDINGS = bindings("sessions", actions.EVERYWHERE)

    def __init__(self) -> None:
        super().__init__()
        self.view = sessions.SessionsView()
        self._trashed: list[Path] = []

    # --- picture

    def state_of_data(self) -> tuple[object, ...]:
        """Repaint when the list or a headline changes."""
        return (self.bench.catalogue.version, self.bench.headlines_version)

    def frame(self) -> Frame:
        """Title, what the values are, what runs."""
        catalogue = self.bench.catalogue
        shown = len(catalogue.rows())
        number = f"{shown} of {len(catalogue.sessions)}" if catalogue.words else str(shown)
        label = f"{number} · mean over the session's languages, %, 95 % interval over tasks"
        if self.size.width < NARROW:
            label = f"{number} · mean over languages, %"
        filtering = self.typed is not None or bool(catalogue.words)
        hidden: dict[str, str | None] = {} if self._trashed else {"sessions.undo": None}
        if not catalogue.sessions:
            hidden = {a.id: None for a in actions.of("sessions")}
        return Frame(
            "sessions",
            "Sessions",
            label if catalogue.sessions else "0",
            state=self._what_runs(),
            filter=chips([], clean_line(self.typed or catalogue.words), "esc clears")
            if filtering
            else None,
            entries=actions.footer("sessions", hidden),
            back="",
        )

    def _what_runs(self) -> list[Run]:
        states = [s.state for s in self.bench.catalogue.sessions]
        runs: list[Run] = []
        if number := states.count("running"):
            runs.append((f"▸ {number} running", Ink("accent")))
        if number := states.count("stalled"):
            runs += [("   ", Ink())] if runs else []
            runs.append((f"! {number} stalled", Ink("limit")))
        return runs

    def content(self, page: Page, lines: tuple[int, int], now: float) -> None:
        """The list."""
        bench = self.bench
        sessions.draw(page, bench.catalogue, bench.headlines, self.view, lines, now)

    # --- cursor

    def under_cursor(self) -> SessionSummary | None:
        """The session under the cursor."""
        rows = self.bench.catalogue.rows()
        return next((s for s in rows if s.path == self.view.path), rows[0] if rows else None)

    def _move(self, by: int) -> None:
        rows = self.bench.catalogue.rows()
        focused = self.under_cursor()
        if focused is None:
            return
        at = rows.index(focused) + by
        self.view.path = rows[max(0, min(len(rows) - 1, at))].path
        self.bench.want_headline(self.view.path)

    def do_down(self) -> None:
        """One session down."""
        self._move(1)

    def do_up(self) -> None:
        """One session up."""
        self._move(-1)

    def do_page_down(self) -> None:
        """Ten down."""
        self._move(10)

    def do_page_up(self) -> None:
        """Ten up."""
        self._move(-10)

    def do_first(self) -> None:
        """To the first."""
        self._move(-len(self.bench.catalogue.sessions))

    def do_last(self) -> None:
        """To the last."""
        self._move(len(self.bench.catalogue.sessions))

    def pressed(self, target: str) -> None:
        """A row was clicked."""
        kind, _, name = target.partition(":")
        for session in self.bench.catalogue.rows():
            if kind == "session" and session.path.name == name:
                self.view.path = session.path
                self.bench.want_headline(session.path)

    def wheel(self, by: int, target: str) -> None:
        """The wheel moves the cursor."""
        self._move(by)

    # --- filter and sort

    def do_filter(self) -> None:
        """Type a filter."""
        self.typed = self.bench.catalogue.words

    def typing(self, text: str) -> None:
        """Filter as typed."""
        self.bench.catalogue.words = text
        self.bench.catalogue.version += 1
        focused = self.under_cursor()
        self.view.path = focused.path if focused else None

    def do_back(self) -> None:
        """Escape takes the filter away; home has nothing above."""
        if self.bench.catalogue.words:
            self.typing("")

    def do_sort(self) -> None:
        """Sort by the next thing."""
        self.bench.catalogue.next_sort()
        self.say(f"sorted by {self.bench.catalogue.sort}", tone="muted")

    # --- doing

    def do_open(self) -> None:
        """Live if it runs, else Tasks."""
        session = self.under_cursor()
        if session is None:
            return
        if session.state == "unreadable":
            self.say(session.problem, tone="wrong")
            return
        self.bench.open_session(session.path)
        self.bench.go("live" if session.state in ("running", "stalled", "interrupted") else "tasks")

    def do_delete(self) -> None:
        """Delete after a question."""
        session = self.under_cursor()
        if session is not None:
            name = clean_line(session.name)
            self.ask(f"delete {name}? U brings it back", "delete", lambda: self._delete(session))

    async def _delete(self, session: SessionSummary) -> None:
        trash = self.bench.catalogue.folder / TRASH
        self._trashed.append(await asyncio.to_thread(catalogue_module.delete, session.path, trash))
        self.bench.closed(session.path)
        await self.bench.scan()
        self.say(f"{session.name} deleted; U brings it back")

    async def do_undo(self) -> None:
        """Bring the last deleted session back."""
        if not self._trashed:
            self.say("nothing was deleted here", tone="muted")
            return
        path = await asyncio.to_thread(
            catalogue_module.restore, self._trashed[-1], self.bench.catalogue.folder
        )
        self._trashed.pop()
        await self.bench.scan()
        self.view.path = path
        self.say(f"{path.name} is back")

    def copied(self) -> str:
        """The focused session's values, each with its label."""
        session = self.under_cursor()
        headline = self.bench.headlines.get(session.path) if session else None
        if session is None or headline is None:
            return session.name if session else ""
        return "\n".join(f"{r.text}  {r.label}" for _, r in headline.cells)
