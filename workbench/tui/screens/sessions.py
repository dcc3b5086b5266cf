"""The Sessions screen: choose a session; Enter goes down."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import cast

from workbench import paths
from workbench.errors import UsageError
from workbench.session import catalogue as catalogue_module
from workbench.session.catalogue import SessionSummary
from workbench.session.store import SessionReader
from workbench.text import clean_line
from workbench.tui import actions
from workbench.tui.draw import sessions
from workbench.tui.draw.frame import NARROW, Alert, Frame, chips
from workbench.tui.draw.ink import Ink, Page, Run
from workbench.tui.model.draft import Draft, forked
from workbench.tui.model.line import InputLine
from workbench.tui.screens.base import Place, bindings

TRASH = ".trash"
AT_HOME = ("sessions.open", "sessions.new", "sessions.example")
"""What can be done where there is no session."""


class SessionsScreen(Place):
    """Home."""

    SCOPE = "sessions"
    TITLE_OF_HELP = "Sessions"
    ABOUT = "A row is a session: what runs or needs you first, then what came out."
    BINDINGS = bindings("sessions", actions.EVERYWHERE)

    def __init__(self) -> None:
        super().__init__()
        self.view = sessions.SessionsView()
        self._marked: Path | None = None
        self._undo: list[tuple[str, Callable[[], Awaitable[str]]]] = []
        """What `U` takes back: in words, and how; it returns what to say."""

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
        hidden = self._hidden()
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

    def _hidden(self) -> dict[str, str | None]:
        """Footer entries that do nothing now, and words that say what would be done."""
        words: dict[str, str | None] = {}
        if not self.bench.catalogue.sessions:
            words = {a.id: None for a in actions.of("sessions") if a.id not in AT_HOME}
            words["sessions.open"] = "start the suggestion"
            if paths.example_session() is not None:
                words["sessions.example"] = "example"
        if not self._undo:
            words["sessions.undo"] = None
        focused = self.under_cursor()
        if focused is not None and (
            focused.state in ("running", "stalled", "unreadable")
            or (focused.state == "finished" and not focused.lost)
        ):
            words["sessions.resume"] = None
        return words

    def alert(self) -> Alert | None:
        """What was started here and isn't at work yet, with what it said last."""
        starting = self.bench.starting
        if not starting:
            return None
        first = starting[0]
        more = f", {len(starting) - 1} more" if len(starting) > 1 else ""
        said = clean_line(first.last_line())
        name = clean_line(first.path.name)
        return Alert(f"▸ starting {name}{more}: {said or 'its process begins'}", "accent")

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
        example = paths.example_session() is not None
        sessions.draw(
            page, bench.catalogue, bench.headlines, self.view, lines, now, example=example
        )

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
        """Live if it runs, else Tasks; with no session at all, start the suggestion."""
        session = self.under_cursor()
        if session is None:
            if self.bench.catalogue.loaded and not self.bench.catalogue.sessions:
                self._start_demo()
            return
        if session.state == "unreadable":
            self.say(session.problem, tone="wrong")
            return
        self.bench.open_session(session.path)
        self.bench.go("live" if session.state in ("running", "stalled", "interrupted") else "tasks")

    def _start_demo(self) -> None:
        name = time.strftime("demo-%m%d-%H%M%S", time.localtime(self.bench.now()))
        self.bench.start_session(self.bench.catalogue.folder / name, ["demo", "--name", name])

    def do_example(self) -> None:
        """Open the recorded session that ships with the product."""
        path = paths.example_session()
        if path is None:
            self.say("no recorded example is installed here", tone="muted")
            return
        self.bench.open_session(path)
        self.bench.go("tasks")

    def do_mark(self) -> None:
        """Mark for Compare; on another than the marked one: compare the two."""
        session = self._one()
        if session is None:
            return
        marked = self._marked
        if marked is None or marked == session.path:
            self._marked = None if marked else session.path
            self.say(
                f"{session.name} {'is not marked any more' if marked else 'is A: c on another'}"
            )
            return
        self.bench.compare_view.paths[:] = [marked, session.path]
        self._marked = None
        self.bench.go("compare")

    def do_new(self) -> None:
        """The form, as it was left."""
        self.bench.open_new(None)

    async def do_fork(self) -> None:
        """The form with everything this session was asked for."""
        session = self._one()
        if session is not None:
            self.bench.open_new(await asyncio.to_thread(_fork, session.path))

    def _one(self) -> SessionSummary | None:
        """The session under the cursor, if something can be done with it."""
        session = self.under_cursor()
        if session is not None and session.state == "unreadable":
            raise UsageError(session.problem)
        return session

    def do_resume(self) -> None:
        """Go on with what is open and try lost units again, in a process of its own."""
        session = self._one()
        if session is None:
            return
        name = clean_line(session.name)
        left = session.planned - session.done
        if session.pid:
            self.say(f"{name} runs already, in process {session.pid}", tone="muted")
        elif not left:
            self.say(f"{name} is complete: + draws more samples", tone="muted")
        else:
            self.bench.start_session(session.path, ["resume", session.name])

    def do_extend(self) -> None:
        """Ask how many samples a task there shall be, and draw them."""
        session = self._one()
        headline = self.bench.headlines.get(session.path) if session else None
        if session is None:
            return
        if session.pid:
            raise UsageError(f"{session.name} is run by process {session.pid}: stop it first")
        n = max((c.n for c, _ in headline.cells), default=0) if headline else 0
        self.line = InputLine(
            f"extend {clean_line(session.name)} to n =",
            "",
            partial(self._extend, session, n),
            f"samples a task in all; {n} now" if n else "samples a task in all",
        )

    def _extend(self, session: SessionSummary, n: int, text: str) -> None:
        if not text.isdecimal() or not text.isascii() or int(text) <= n:
            raise UsageError(f"{text or 'nothing'}: n is a whole number above {n}")
        self.bench.start_session(session.path, ["extend", session.name, "-n", text])

    def do_tag(self) -> None:
        """Type the session's tags."""
        session = self._one()
        if session is not None:
            self.line = InputLine(
                f"tags of {clean_line(session.name)}",
                " ".join(session.tags),
                partial(self._tag, session),
                "words with blanks; the filter finds them as #word",
            )

    async def _tag(self, session: SessionSummary, text: str) -> None:
        from workbench.session.tags import parse_tags

        await self._set_tags(session, parse_tags(text))
        self._undo.append(
            (f"tags of {session.name}", partial(self._set_tags, session, session.tags))
        )

    async def _set_tags(self, session: SessionSummary, tags: tuple[str, ...]) -> str:
        from workbench.session.tags import set_tags

        await asyncio.to_thread(set_tags, session.path, tags)
        await self.bench.scan()
        said = f"{session.name}: {' '.join('#' + t for t in tags) or 'no tags'}"
        self.say(said)
        return said

    def do_delete(self) -> None:
        """Delete after a question."""
        session = self.under_cursor()
        if session is not None:
            name = clean_line(session.name)
            self.ask(f"delete {name}? U brings it back", "delete", lambda: self._delete(session))

    async def _delete(self, session: SessionSummary) -> None:
        trash = self.bench.catalogue.folder / TRASH
        place = await asyncio.to_thread(catalogue_module.delete, session.path, trash)
        self._undo.append((session.name, partial(self._restore, place)))
        self.bench.closed(session.path)
        await self.bench.scan()
        self.say(f"{session.name} deleted; U brings it back")

    async def _restore(self, place: Path) -> str:
        folder = self.bench.catalogue.folder
        path = await asyncio.to_thread(catalogue_module.restore, place, folder)
        await self.bench.scan()
        self.view.path = path
        return f"{path.name} is back"

    async def do_undo(self) -> None:
        """Take the last delete or tag back."""
        if not self._undo:
            self.say("nothing to take back here", tone="muted")
            return
        _, back = self._undo[-1]
        said = await back()
        self._undo.pop()
        self.say(said)

    def copied(self) -> str:
        """The focused session's values, each with its label."""
        session = self.under_cursor()
        headline = self.bench.headlines.get(session.path) if session else None
        if session is None or headline is None:
            return session.name if session else ""
        return "\n".join(f"{r.text}  {r.label}" for _, r in headline.cells)


def _fork(path: Path) -> Draft:
    with SessionReader.open(path) as reader:
        stored = reader.meta().get("spec")
    if not isinstance(stored, dict):
        raise UsageError(f"{path.name} wasn't generated here: there is nothing to begin from")
    return forked(path.name, cast("dict[str, object]", stored))
