"""The Live screen: watch and steer a session, this process's or another's."""

from __future__ import annotations

from workbench.session.records import InFlight
from workbench.text import clean_line
from workbench.tui import actions
from workbench.tui.draw import figures, live
from workbench.tui.draw.frame import NARROW, Alert, Frame
from workbench.tui.draw.glyphs import STATES
from workbench.tui.draw.ink import Ink, Page, Run
from workbench.tui.model.live import LiveView, cell_at, matrix_rows, waiting
from workbench.tui.model.session import STALE_S, SessionModel
from workbench.tui.screens.base import Place, bindings

PARTS = ("matrix", "waiting", "events")


class LiveScreen(Place):
    """Matrix, stages, who waits, events."""

    SCOPE = "live"
    TITLE_OF_HELP = "Live"
    ABOUT = "A row is a language, a block a mode; values are over scored units only."
    BINDINGS = bindings("live", actions.EVERYWHERE)

    @property
    def view(self) -> LiveView:
        """Where the cursor stands in this session."""
        return self.bench.live_view

    @property
    def model(self) -> SessionModel | None:
        """The session at hand."""
        return self.bench.session.model if self.bench.session else None

    # --- picture

    def state_of_data(self) -> tuple[object, ...]:
        """Repaint when the session changes."""
        model = self.model
        return (id(model), model.version if model else 0)

    def frame(self) -> Frame:
        """Name, label, state, progress, money."""
        model = self.model
        if model is None:
            return Frame("live", "Live", "no session at hand")
        return Frame(
            "live",
            clean_line(model.name),
            session_label(model),
            state=state_runs(model, self.bench.now(), wide=self.size.width >= NARROW),
            entries=actions.footer("live", self._words(model)),
        )

    def _words(self, model: SessionModel) -> dict[str, str | None]:
        if model.snapshot is None:
            hidden = ("slow", "pause", "more", "retry", "cancel", "stop")
            return {f"live.{name}": None for name in hidden}
        words: dict[str, str | None] = {}
        if model.snapshot.state == "paused":
            words["live.pause"] = "resume"
        if not model.total.lost:
            words["live.retry"] = None
        if self.view.part != "waiting":
            words["live.cancel"] = None
        else:
            words["live.open"] = "sample"
        return words

    def alert(self) -> Alert | None:
        """A silent process, a stop that goes on, a session that can't be read."""
        model = self.model
        if model is None:
            return None
        now = self.bench.now()
        if model.problem:
            return Alert(f"! {clean_line(model.problem)}", "wrong")
        snapshot = model.snapshot
        if model.owner and snapshot is not None and now - snapshot.beat > STALE_S:
            silent = figures.duration(now - snapshot.beat)
            at = figures.clock(snapshot.beat)
            return Alert(f"! no beat for {silent} from process {model.owner}, values as of {at}",
                         short=f"! no beat for {silent}, values as of {at}")  # fmt: skip
        if model.owner and model.control_problem:
            text = f"! process {model.owner} doesn't answer: what is in flight isn't known"
            return Alert(f"{text} ({clean_line(model.control_problem)})", short=text)
        if snapshot is not None and snapshot.state == "stopping":
            return Alert(f"▸ stopping: {snapshot.in_flight_total} in flight to finish first")
        if model.state(now) == "interrupted":
            left = figures.count(model.total.open)
            return Alert(f"□ interrupted, {left} to go: workbench resume {clean_line(model.name)}")
        return None

    def content(self, page: Page, lines: tuple[int, int], now: float) -> None:
        """Matrix and parts, or why there is nothing."""
        model = self.model
        if model is None:
            page.row(lines[0] + 2).put(4, "Nothing runs. 1 sessions.", "muted")
            return
        if not model.cells:
            text = clean_line(model.problem) if model.problem else "Reading …"
            page.row(lines[0] + 2).put(4, text, "wrong" if model.problem else "muted")
            return
        live.draw(page, model, self.view, lines, now)

    # --- cursor

    def _move(self, by: int) -> None:
        model, view = self.model, self.view
        if model is None:
            return
        if view.part == "matrix":
            view.row = max(0, min(len(matrix_rows(model)) - 1, view.row + by))
        elif view.part == "waiting":
            view.waiting = max(0, min(len(waiting(model, view.only)) - 1, view.waiting + by))
        else:
            view.events = max(0, min(len(model.events) - 1, view.events + by))

    def _sideways(self, by: int) -> None:
        model = self.model
        if model is not None:
            self.view.part = "matrix"
            self.view.block = max(0, min(len(model.modes) - 1, self.view.block + by))

    def do_down(self) -> None:
        """One row down."""
        self._move(1)

    def do_up(self) -> None:
        """One row up."""
        self._move(-1)

    def do_page_down(self) -> None:
        """Ten down."""
        self._move(10)

    def do_page_up(self) -> None:
        """Ten up."""
        self._move(-10)

    def do_first(self) -> None:
        """To the first."""
        self._move(-100_000)

    def do_last(self) -> None:
        """To the last."""
        self._move(100_000)

    def do_left(self) -> None:
        """The mode to the left."""
        self._sideways(-1)

    def do_right(self) -> None:
        """The mode to the right."""
        self._sideways(1)

    def do_next_block(self) -> None:
        """Next mode."""
        self._sideways(1)

    def do_previous_block(self) -> None:
        """Previous mode."""
        self._sideways(-1)

    def do_part(self) -> None:
        """Matrix, waiting, events."""
        model = self.model
        parts = PARTS if model and model.snapshot else ("matrix", "events")
        at = parts.index(self.view.part) if self.view.part in parts else 0
        self.view.part = parts[(at + 1) % len(parts)]

    def pressed(self, target: str) -> None:
        """A cell or a waiting unit was clicked."""
        kind, _, rest = target.partition(":")
        if kind == "cell":
            row, _, block = rest.partition(":")
            self.view.part, self.view.row, self.view.block = "matrix", int(row), int(block)
        elif kind == "wait":
            self.view.part, self.view.waiting = "waiting", int(rest)

    def wheel(self, by: int, target: str) -> None:
        """The wheel moves the cursor of the part."""
        self._move(by)

    def language(self) -> str:
        """The language of the row under the cursor."""
        model = self.model
        if model is None:
            return ""
        if self.view.part == "waiting" and (unit := self._waiting()) is not None:
            return unit.language
        rows = matrix_rows(model)
        return rows[min(self.view.row, len(rows) - 1)].language if rows else ""

    def _waiting(self) -> InFlight | None:
        model = self.model
        units = waiting(model, self.view.only) if model else []
        return units[min(self.view.waiting, len(units) - 1)] if units else None

    # --- doing

    def do_open(self) -> None:
        """Tasks of the cell, or the waiting unit's sample."""
        model = self.model
        if model is None:
            return
        if self.view.part == "waiting" and (unit := self._waiting()) is not None:
            self.bench.open_unit(unit.unit_id)
            return
        rows = matrix_rows(model)
        if rows:
            row = rows[min(self.view.row, len(rows) - 1)]
            self.bench.open_board(row.language, model.modes[self.view.block])

    def do_slow(self) -> None:
        """The oldest units of the row's language; again: of all."""
        view = self.view
        if view.part == "waiting" and view.only:
            view.only, view.waiting = "", 0
            return
        view.only = self.language()
        view.part, view.waiting = "waiting", 0

    async def do_pause(self) -> None:
        """Pause, or go on."""
        model = self.model
        paused = model is not None and model.snapshot is not None and (
            model.snapshot.state == "paused"
        )  # fmt: skip
        await self._command("resume" if paused else "pause")
        self.say("goes on" if paused else "paused: what is in flight is finished", tone="accent")

    async def do_more(self) -> None:
        """One slot more."""
        await self._slots(1)

    async def do_fewer(self) -> None:
        """One slot fewer."""
        await self._slots(-1)

    async def _slots(self, delta: int) -> None:
        language = self.language()
        await self._command("slots", language=language, delta=delta)
        self.say(f"{language}: one slot {'more' if delta > 0 else 'fewer'}")

    async def do_retry(self) -> None:
        """Try lost units again."""
        model = self.model
        lost = model.total.lost if model else 0
        await self._command("retry_lost")
        self.say(f"{lost} lost units are tried again")

    def do_cancel(self) -> None:
        """Cancel one unit, after a question."""
        unit = self._waiting() if self.view.part == "waiting" else None
        if unit is None:
            self.say("tab to the oldest in flight, then x cancels the one under the cursor",
                     tone="muted")  # fmt: skip
            return
        name = f"{unit.language} {unit.task_id} {live.unit_name(unit)}"
        self.ask(
            f"cancel {clean_line(name)}? it stays planned",
            "cancel it",
            lambda: self._command("cancel", unit_id=unit.unit_id),
        )

    def do_stop(self) -> None:
        """Stop, after a question."""
        model = self.model
        if model is None or model.snapshot is None:
            self.say("it doesn't run", tone="muted")
            return
        flying = model.snapshot.in_flight_total
        self.ask(
            f"stop {clean_line(model.name)}? {flying} in flight will be finished first",
            "stop",
            lambda: self._command("stop"),
        )

    async def _command(self, name: str, **arguments: object) -> None:
        if self.bench.session is not None:
            await self.bench.session.feed.command(name, **arguments)

    def copied(self) -> str:
        """The values of the cell under the cursor, each with its whole label."""
        model = self.model
        rows = matrix_rows(model) if model else []
        if model is None or not rows:
            return ""
        row = rows[min(self.view.row, len(rows) - 1)]
        cell = cell_at(model, row, model.modes[self.view.block])
        found = model.readings.get(cell.id, ()) if cell else ()
        return "\n".join(f"{r.text}  {r.label}" for r in found)


def session_label(model: SessionModel) -> str:
    """What was run, in a line: benchmark, modes with n."""
    parts: list[str] = [", ".join(dict.fromkeys(
        f"{c.benchmark}+{c.suite}" if c.suite else c.benchmark for c in model.cells
    ))]  # fmt: skip
    for mode in model.modes:
        cell = next(c for c in model.cells if (c.recipe or c.mode) == mode)
        parts.append(
            f"plain n={cell.n}"
            if cell.mode == "plain"
            else f"repair {mode}, ≤{cell.max_turns}, m={cell.n}"
        )
    return clean_line(" · ".join(p for p in (model.model, *parts) if p))


def state_runs(model: SessionModel, now: float, *, wide: bool) -> list[Run]:
    """State, per cent, time left; where there is room, the process and the money."""
    state = model.state(now)
    glyph, tone = STATES[state]
    whole = model.total
    word = state
    if state == "finished":
        word = f"{figures.count(whole.lost)} lost" if whole.lost else "complete"
    runs: list[Run] = [(f"{glyph} {word}", Ink(tone, True))]
    snapshot = model.snapshot
    if whole.planned and state != "finished":
        runs.append((f"  {figures.percent(whole.scored + whole.lost, whole.planned)}", Ink("text")))
    if snapshot is not None:
        if snapshot.eta_s is not None:
            runs.append((f"  {figures.age(snapshot.eta_s)} left", Ink("text")))
        if wide:
            beat = max(0.0, now - snapshot.beat)
            runs.append((f"  in {model.owner}, beat {beat:.0f} s ago", Ink("muted")))
            money = figures.money(snapshot.cost_usd, local=snapshot.cost_usd == 0)
            runs.append((f"  {money}", Ink("limit" if money == "price?" else "muted")))
    return runs
