"""What a session holds, as rows: the store writes them, every reader gets them in this form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Mode = Literal["plain", "repair"]
UnitKind = Literal["sample", "episode"]


@dataclass(frozen=True, slots=True)
class CellRow:
    """One cell: benchmark × suite × language × mode."""

    id: int
    benchmark: str
    suite: str
    language: str
    mode: Mode
    recipe: str
    """Recipe id; empty in plain mode."""
    n: int
    """Samples or episodes planned per task."""
    max_turns: int
    """1 in plain mode."""
    fingerprint: str
    """Protocol fingerprint, 64 hex digits."""
    label: str
    """Data and mode part of the label: `starter/python{5 tasks} · plain`."""
    protocol: Mapping[str, Any]
    """The cell's whole protocol as JSON."""

    @property
    def unit_kind(self) -> UnitKind:
        """What counts in this cell's numbers."""
        return "sample" if self.mode == "plain" else "episode"


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A task as the session keeps it, so that reading needs no benchmark file."""

    id: int
    benchmark: str
    language: str
    task_id: str
    problem: str
    entry_point: str
    prompt: str
    has_visible_tests: bool


@dataclass(frozen=True, slots=True)
class UnitRow:
    """One sample or episode, planned, in flight or done."""

    id: int
    cell_id: int
    task_pk: int
    """`TaskRow.id`."""
    index: int
    """Which sample or episode of its task, from 0."""
    outcome: str | None
    """Final outcome of the unit's submitted program; `None` while it isn't known."""
    turns: int
    """Turns that are stored so far."""
    solved_turn: int | None
    """First turn whose submitted program passes the scored tests (the cut at that turn)."""
    flags: tuple[str, ...]
    detail: str
    """One line that says why; untrusted."""
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None
    cpu_s: float
    seconds: float
    """From first request to last outcome."""
    attempts: tuple[Mapping[str, Any], ...]
    """Calls of a lost unit that gave no answer: when, why, how long until the next."""
    change: int
    """Grows with every change of the row: readers ask for rows with a greater one."""


@dataclass(frozen=True, slots=True)
class TurnRow:
    """One turn: what the model saw and said, what was made of it, and what came of it."""

    id: int
    unit_id: int
    turn: int
    """From 1."""
    request: Mapping[str, Any]
    """`Request` as JSON: exactly what was sent."""
    feedback: str
    """The feedback that stands in the request (turns from 2); empty at turn 1."""
    raw: str
    """The answer."""
    completion: Mapping[str, Any]
    """Finish reason, model, usage, cost, log-probability, times, attempts."""
    extraction: Mapping[str, Any]
    """Steps, span, extractor; empty while not extracted."""
    code: str
    """Extracted code; empty when there is none."""
    program: Mapping[str, Any]
    """`Program` as JSON: all that executing it again takes; empty when nothing was assembled."""
    visible: Mapping[str, Any] | None
    """`Execution` against the visible tests as JSON; what feedback is made from."""
    scored: Mapping[str, Any] | None
    """`Execution` against the scored tests as JSON; never shown to the model."""
    outcome: str | None
    """Scored outcome of this turn's program."""
    visible_outcome: str | None
    flags: tuple[str, ...]
    accepted: bool = False
    """The recipe's stop rule took this turn's program."""


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """What came of one turn, without its texts."""

    turn: int
    outcome: str | None
    visible_outcome: str | None
    accepted: bool
    """The recipe's stop rule took this turn's program."""
    prompt_tokens: int | None
    """`None`: nobody counted."""
    completion_tokens: int | None
    """Of this turn's calls, steps between turns included; `None`: nobody counted."""
    cost_usd: float | None = None
    """`None`: no price is known."""
    calls: int = 1
    """Model calls of this turn, steps between turns included."""


@dataclass(frozen=True, slots=True)
class Pick:
    """What a user without the scored tests can know of one sample."""

    unit_id: int
    visible_outcome: str | None
    """`None`: the visible tests weren't run."""
    logprob: float | None
    """Mean log-probability of the answer's tokens; `None`: not stored."""


@dataclass(frozen=True, slots=True)
class FirstProgram:
    """A first program that passed, and how many samples of its task have the same text."""

    task_id: str
    code: str
    form: str
    """`body` or `full`."""
    count: int


@dataclass(frozen=True, slots=True)
class Access:
    """Who answered a cell's requests, and when."""

    models: tuple[str, ...]
    """As the provider named itself."""
    first: float
    """Unix time of the first call, seconds."""
    last: float


@dataclass(frozen=True, slots=True)
class StepRow:
    """An answer between turns that is no program: an explanation, or tests."""

    unit_id: int
    turn: int
    """The turn that it leads to (`explain`), or 1."""
    step: str
    """`explain`, `self-tests`."""
    request: Mapping[str, Any]
    """`Request` as JSON: exactly what was sent."""
    raw: str
    """The answer."""
    completion: Mapping[str, Any]
    """Finish reason, model, usage, cost, times, attempts."""


@dataclass(frozen=True, slots=True)
class Unstable:
    """A program that didn't come to the same outcome each time it was executed."""

    language: str
    mode: str
    """`plain`, or the recipe's id."""
    task_id: str
    index: int
    turn: int
    """1 in plain mode."""
    outcomes: tuple[str, ...]
    """In the order of the executions."""


@dataclass(frozen=True, slots=True)
class EventRow:
    """One line of the session's log."""

    id: int
    at: float
    """Unix time, seconds."""
    level: Literal["info", "warning", "error"]
    text: str


@dataclass(frozen=True, slots=True)
class InFlight:
    """One unit that is being worked on, and why nothing has come of it yet."""

    unit_id: int
    cell_id: int
    language: str
    task_id: str
    index: int
    turn: int
    stage: Literal["generate", "execute"]
    why: str
    """One of SCREENS' phrases: `waiting for the model, 31 s`, `queued for a java slot: …`."""
    since: float
    """Unix time when this stage began."""


@dataclass(frozen=True, slots=True)
class StageRate:
    """Throughput of one stage."""

    name: str
    """`generate`, `compile+run`."""
    per_minute: float
    busy: int
    slots: int
    queued: int
    history: tuple[float, ...] = ()
    """Completions per 5 s, oldest first, at most 60 values: for a sparkline."""


@dataclass(frozen=True, slots=True)
class LiveSnapshot:
    """What the running process publishes several times a second."""

    state: Literal["starting", "running", "paused", "stopping", "finished"]
    pid: int
    beat: float
    """Unix time of this snapshot."""
    started: float
    planned: int
    done: int
    lost: int
    in_flight: tuple[InFlight, ...]
    """Oldest first; at most 200."""
    in_flight_total: int
    stages: tuple[StageRate, ...]
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None
    """`None`: at least one price is unknown."""
    eta_s: float | None
    events: tuple[EventRow, ...] = ()
    slots: Mapping[str, tuple[int, int, int]] = field(
        default_factory=dict[str, tuple[int, int, int]]
    )
    """Language -> (slots, busy, queued)."""
