"""The application: places, the session at hand, and the workers that keep what is shown fresh."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar

from textual.app import App, ScreenStackError
from textual.worker import Worker, WorkerError, WorkerState

from workbench.errors import SessionError
from workbench.session.control import ControlClient
from workbench.session.detached import Detached, start
from workbench.tui import theme
from workbench.tui.draw.frame import PLACES
from workbench.tui.keymap import for_textual
from workbench.tui.model.board import BoardView
from workbench.tui.model.catalogue import CatalogueModel, Scanner
from workbench.tui.model.comparison import CompareView
from workbench.tui.model.draft import Draft
from workbench.tui.model.feed import DAMAGED, Measure, SessionFeed
from workbench.tui.model.headline import Headline
from workbench.tui.model.live import LiveView
from workbench.tui.model.session import SessionModel
from workbench.tui.screens.base import Place
from workbench.tui.screens.compare import CompareScreen
from workbench.tui.screens.live import LiveScreen
from workbench.tui.screens.recipes import RecipesScreen
from workbench.tui.screens.sessions import SessionsScreen
from workbench.tui.screens.tasks import TasksScreen

FLUSH_S = 0.25
SCAN_S = 1.5
LIVE_S = 0.25
IDLE_S = 1.0

MakeHeadline = Callable[[Path], Headline]
"""Reads a whole session and says what the list shows of it; runs in a thread."""


@dataclass
class OpenSession:
    """The session at hand."""

    model: SessionModel
    feed: SessionFeed
    worker: Worker[None] | None = None


class Workbench(App[int]):
    """The terminal UI."""

    TITLE = "workbench"
    ENABLE_COMMAND_PALETTE = False
    MODES: ClassVar = {
        "sessions": SessionsScreen,
        "live": LiveScreen,
        "tasks": TasksScreen,
        "compare": CompareScreen,
        "recipes": RecipesScreen,
    }
    DEFAULT_MODE = "sessions"
    CSS = "Screen { background: $background; } Screen > Canvas { background: $background; }"

    def __init__(
        self,
        folder: Path,
        *,
        measure: Measure,
        headline: MakeHeadline,
        open_session: Path | None = None,
        now: Callable[[], float] = time.time,
        keymap: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Show the sessions of `folder`; see `entry.run_app` for the rest."""
        super().__init__()
        for own in theme.own_themes():
            self.register_theme(own)
        few = self.console.color_system in ("standard", "windows")
        named = os.environ.get("TEXTUAL_THEME", "")
        own = "ansi-dark" if few else "workbench-dark"
        self.theme = named if named in self.available_themes else own
        self.now = now
        self.keys = keymap
        """Keys of one's own: action id -> keys."""
        self.set_keymap(for_textual(keymap))
        self.catalogue = CatalogueModel(folder)
        self.headlines: dict[Path, Headline] = {}
        self.headlines_version = 0
        self.session: OpenSession | None = None
        self.live_view = LiveView()
        self.board_view = BoardView()
        self.draft = Draft()
        self.compare_view = CompareView()
        self.engine_error: BaseException | None = None
        self._measure = measure
        self._make_headline = headline
        self.starting: list[Detached] = []
        """Processes started here whose sessions haven't begun, or haven't begun again."""
        self._at_work: list[Detached] = []
        self._wanted: asyncio.Queue[Path] = asyncio.Queue()
        self._headline_of: dict[Path, float] = {}
        self._engine: Callable[[], Awaitable[object]] | None = None
        self._engine_worker: Worker[None] | None = None
        self._stopping = False
        self._first = open_session
        self._scanner = Scanner(folder)
        self._scanning = ThreadPoolExecutor(1, "session-scan")

    def run_with(self, engine: Callable[[], Awaitable[object]]) -> None:
        """Await `engine` beside the screens once they run; leaving asks while it goes on."""
        self._engine = engine

    # --- life

    async def on_mount(self) -> None:
        """Start workers and the 4 Hz flush."""
        self.set_interval(FLUSH_S, self._refresh_screen)
        self.run_worker(self._scan_for_ever(), group="scan", exit_on_error=True)
        self.run_worker(self._make_headlines(), group="headlines", exit_on_error=True)
        if self._first is not None:
            self.open_session(self._first)
            self.go("live")
        if self._engine is None and not self.is_headless:
            # Whoever runs an engine minds its signals; a mere watcher only has to leave whole.
            for number in (signal.SIGTERM, signal.SIGHUP):
                asyncio.get_running_loop().add_signal_handler(number, self._told_to_end, number)
        if self._engine is not None:
            self._engine_worker = self.run_worker(
                self._run_engine(self._engine), group="engine", exit_on_error=False
            )

    def _told_to_end(self, number: int) -> None:
        self.exit(return_code=128 + number)

    def _refresh_screen(self) -> None:
        try:
            screen = self.screen
        except ScreenStackError:
            return  # the last flush may come while the application closes
        if isinstance(screen, Place):
            screen.tick()

    async def _run_engine(self, engine: Callable[[], Awaitable[object]]) -> None:
        await engine()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """An engine that failed is shown, and its error kept for after the UI."""
        if event.worker is self._engine_worker and event.state is WorkerState.ERROR:
            self.engine_error = event.worker.error
            if isinstance(self.screen, Place):
                self.screen.say(f"the session failed: {self.engine_error}", tone="wrong")

    @property
    def engine_runs(self) -> bool:
        """Whether this process runs a session."""
        return self._engine_worker is not None and self._engine_worker.is_running

    # --- sessions

    async def scan(self) -> None:
        """Look at the folder now."""
        loop = asyncio.get_running_loop()
        self.catalogue.take(await loop.run_in_executor(self._scanning, self._scanner.scan))
        for session in self.catalogue.sessions:
            if session.state != "unreadable" and (
                self._headline_of.get(session.path) != session.updated
            ):
                self._headline_of[session.path] = session.updated
                self._wanted.put_nowait(session.path)

    async def _scan_for_ever(self) -> None:
        while True:
            await self.scan()
            self._look_at_started()
            await asyncio.sleep(SCAN_S)

    def start_session(self, path: Path, arguments: Sequence[str]) -> None:
        """Run a command for the session in folder `path` in a process of its own.

        Raises:
            SessionError: one was just started, or the process can't be.
        """
        if any(s.path == path and not s.ended for s in self.starting):
            raise SessionError(f"{path.name} is being started already")
        self.starting.append(start(path, arguments))
        self.catalogue.version += 1

    def _look_at_started(self) -> None:
        """Forget what is at work by now; say why one ended without having begun."""
        if not self.starting:
            return
        for started in list(self.starting):
            if started.ended:
                self.starting.remove(started)
                failure = started.failure()
                if failure and isinstance(self.screen, Place):
                    self.screen.say(f"{started.path.name}: {failure}", tone="wrong")
            elif started.at_work:
                self.starting.remove(started)
                self._at_work.append(started)
        self._at_work = [s for s in self._at_work if not s.ended]  # reaps what has ended
        self.catalogue.version += 1

    def want_headline(self, path: Path) -> None:
        """The session came under the cursor: have its headline soon."""
        if path not in self.headlines:
            self._wanted.put_nowait(path)

    async def _make_headlines(self) -> None:
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(1, "headlines") as pool:
            while True:
                path = await self._wanted.get()
                try:
                    made = await loop.run_in_executor(pool, self._make_headline, path)
                except (SessionError, *DAMAGED):
                    # The list shows the session without numbers; opening it says what is wrong.
                    made = Headline((), {})
                self.headlines[path] = made
                self.headlines_version += 1

    def open_session(self, path: Path) -> None:
        """Make a session the one at hand."""
        if self.session is not None:
            if self.session.model.path == path:
                return
            self.closed(self.session.model.path)
        opened = OpenSession(SessionModel(path), SessionFeed(path, self._measure))
        self.session = opened
        self.live_view = LiveView()
        self.board_view = BoardView()
        opened.worker = self.run_worker(self._follow(opened), group="follow", exit_on_error=True)

    def closed(self, path: Path) -> None:
        """Let go of a session."""
        if self.session is not None and self.session.model.path == path:
            if self.session.worker is not None:
                self.session.worker.cancel()
            self.session = None

    async def _follow(self, opened: OpenSession) -> None:
        """Keep the session's model fresh until it is let go."""
        model, feed = opened.model, opened.feed
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._follow_rows(model, feed))
                tasks.create_task(self._follow_process(model, feed))
                tasks.create_task(self._follow_numbers(model, feed))
        finally:
            await asyncio.shield(feed.close())

    async def _follow_rows(self, model: SessionModel, feed: SessionFeed) -> None:
        while True:
            update = await feed.poll()
            ended = self._engine_worker is not None and not self.engine_runs
            if ended and update.owner == os.getpid():
                # This process still holds the lock, but what ran the session is done.
                update = replace(update, owner=0)
            model.apply(update)
            await asyncio.sleep(LIVE_S if model.owner else IDLE_S)

    async def _follow_process(self, model: SessionModel, feed: SessionFeed) -> None:
        while True:
            if model.owner:
                try:
                    model.take_snapshot(await feed.snapshot())
                except SessionError as error:
                    model.take_snapshot(None, str(error))
                    await asyncio.sleep(IDLE_S)
            await asyncio.sleep(LIVE_S)

    async def _follow_numbers(self, model: SessionModel, feed: SessionFeed) -> None:
        """Measure when units changed, never more than a tenth of the time."""
        seen = -1
        while True:
            if model.loaded and model.units_version != seen:
                seen = model.units_version
                began = time.monotonic()
                model.apply(await feed.readings())
                if not model.owner:
                    model.apply(await feed.totals())
                await asyncio.sleep(10 * (time.monotonic() - began))
            await asyncio.sleep(IDLE_S / 2)

    # --- places

    def go(self, place: str) -> None:
        """Switch to a place as it was left; to the present one: up to where it begins."""
        if self.current_mode != place:
            self.switch_mode(place)
            return
        while len(self.screen_stack) > 1:
            self.pop_screen()

    def back(self) -> None:
        """One level up: from a pushed screen to the one below, from a place to Sessions."""
        if len(self.screen_stack) > 1:
            self.pop_screen()
            return
        order = [name for name, _ in PLACES]
        at = order.index(self.current_mode) if self.current_mode in order else 0
        if at > 0:
            self.go("sessions")

    def open_board(self, language: str, mode: str) -> None:
        """Tasks, at a cell."""
        self.board_view.mode = mode
        self.board_view.language = language
        self.go("tasks")

    def open_unit(self, unit_id: int, peers: Sequence[int] = ()) -> None:
        """A sample or episode."""
        from workbench.tui.screens.episode import open_unit

        open_unit(self, unit_id, peers)

    def open_new(self, draft: Draft | None) -> None:
        """The form for a new session: with a draft, or as it was left."""
        from workbench.tui.screens.new import NewScreen

        if draft is not None:
            self.draft = draft
        self.push_screen(NewScreen(self.draft))

    def open_in(self, path: Path, unit_id: int | None = None) -> None:
        """A sample or episode of any session, once it is there and read; `None`: the first."""
        from workbench.tui.opening import open_when_read

        self.run_worker(open_when_read(self, path, unit_id), group="open", exclusive=True)

    def open_beside(
        self, one: tuple[Path, int], other: tuple[Path, int], place: str = "tasks"
    ) -> None:
        """Two units side by side."""
        from workbench.tui.screens.beside import BesideScreen

        self.push_screen(BesideScreen(one, other, place))

    def open_over(self, name: str) -> None:
        """Lay help, the palette or the whole labels (a class of `screens.overlays`) over a place."""
        from workbench.tui.screens import overlays

        if isinstance(self.screen, Place):
            self.push_screen(getattr(overlays, name)(self.screen))

    def next_theme(self) -> None:
        """Go through the themes."""
        names = theme.THEMES
        at = names.index(self.theme) if self.theme in names else -1
        self.theme = names[(at + 1) % len(names)]

    def leave(self) -> None:
        """Leave; a session that this process runs is asked about first."""
        screen = self.screen
        if not self.engine_runs or not isinstance(screen, Place):
            self.exit(0)
            return
        if self._stopping:
            screen.ask("leave now? this process finishes what is in flight first", "leave",
                       lambda: self.exit(0), no="keep watching")  # fmt: skip
            return
        screen.ask(
            "this process runs the session: stop it cleanly and leave?",
            "stop and leave",
            self._stop_and_leave,
            no="keep watching",
        )

    async def _stop_and_leave(self) -> None:
        """Ask the engine to stop, then leave when it has. Another session may be at hand now."""
        if self._first is not None:
            client = await ControlClient.connect(self._first)
            await client.command("stop")
            await client.close()
        self._stopping = True
        self.run_worker(self._leave_when_stopped(), group="leave")

    async def _leave_when_stopped(self) -> None:
        if self._engine_worker is not None:
            with contextlib.suppress(WorkerError):
                await self._engine_worker.wait()
        self.exit(0)
