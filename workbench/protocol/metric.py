"""The names of metrics: which there are, what each counts, how it is written.

pass@k has one home, plain mode; whatever comes of turns has a name that can't be read as pass@k;
whatever picks with the scored tests in hand says (oracle).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum


class LabelError(ValueError):
    """A label, or a part of one, that may not be: the message says which rule it breaks."""


class MetricKind(StrEnum):
    """Every metric there is."""

    PASS_AT = "pass@k"
    PASS_GREEDY = "pass@1 (greedy)"
    PASS_HAT = "pass^k"
    PICKED = "picked@k"
    SOLVED = "solved@≤t"
    SOLVED_TOKENS = "solved@≤B tok"
    ANY_TURN = "any-turn@≤t"
    ANY_EPISODE = "any-of-k episodes"
    ALL_EPISODES = "all-of-k episodes"
    FIX_RATE = "fix-rate@t"
    BREAK_RATE = "break-rate@≤t"
    FALSE_ACCEPT = "false-accept@≤t"
    MRR = "mrr@≤t"
    TURNS = "turns@≤t"
    TREE = "tree-rate"


@dataclass(frozen=True, slots=True)
class _Form:
    mode: str
    """`plain`, `repair` or `tree`: where the metric may stand."""
    whole: str
    short: str
    """For narrow columns; `*` stands for (oracle)."""
    fields: tuple[str, ...]


_FORMS = {
    MetricKind.PASS_AT: _Form("plain", "pass@{k}", "pass@{k}", ("k",)),
    MetricKind.PASS_GREEDY: _Form("plain", "pass@1 (greedy)", "g.pass@1", ()),
    MetricKind.PASS_HAT: _Form("plain", "pass^{k}", "pass^{k}", ("k",)),
    MetricKind.PICKED: _Form("plain", "picked@{k} by {picker}", "pick@{k}", ("k", "picker")),
    MetricKind.SOLVED: _Form("repair", "solved@≤{turns}", "slv≤{turns}", ("turns",)),
    MetricKind.SOLVED_TOKENS: _Form(
        "repair", "solved@≤{tokens} tok", "slv≤{tokens}tok", ("tokens",)
    ),
    MetricKind.ANY_TURN: _Form("repair", "any-turn@≤{turns} (oracle)", "any≤{turns}*", ("turns",)),
    MetricKind.ANY_EPISODE: _Form(
        "repair", "any-of-{k} episodes, ≤{turns}", "any{k}ep≤{turns}", ("k", "turns")
    ),
    MetricKind.ALL_EPISODES: _Form(
        "repair", "all-of-{k} episodes, ≤{turns}", "all{k}ep≤{turns}", ("k", "turns")
    ),
    MetricKind.FIX_RATE: _Form("repair", "fix-rate@{turns}", "fix@{turns}", ("turns",)),
    MetricKind.BREAK_RATE: _Form("repair", "break-rate@≤{turns}", "brk≤{turns}", ("turns",)),
    MetricKind.FALSE_ACCEPT: _Form("repair", "false-accept@≤{turns}", "fa≤{turns}", ("turns",)),
    MetricKind.MRR: _Form("repair", "mrr@≤{turns}", "mrr≤{turns}", ("turns",)),
    MetricKind.TURNS: _Form("repair", "turns@≤{turns}", "trn≤{turns}", ("turns",)),
    MetricKind.TREE: _Form(
        "tree",
        "tree-rate {programs}×{repairs} (oracle)",
        "tree{programs}×{repairs}*",
        ("programs", "repairs"),
    ),
}

PICKERS = ("visible-tests", "mean-logprob", "behaviour")
"""How one of k is picked without the scored tests."""


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric with its numbers."""

    kind: MetricKind
    k: int | None = None
    """Samples (plain) or episodes (any-of-k, all-of-k); never turns."""
    turns: int | None = None
    """Turns at which the protocol is cut, turn 1 being the first program."""
    tokens: int | None = None
    """Generated tokens at which the protocol is cut."""
    picker: str | None = None
    programs: int | None = None
    """Initial programs of a tree."""
    repairs: int | None = None
    """Repairs of each failing program of a tree."""
    grid: tuple[str, ...] = ()
    """Temperatures of which the best was taken per metric: a selection, named as one."""

    def __post_init__(self) -> None:
        for name in ("k", "turns", "tokens", "picker", "programs", "repairs"):
            value = getattr(self, name)
            if (value is not None) != (name in _FORMS[self.kind].fields):
                raise LabelError(f"{self.kind.value}: {name} is {value!r}")
            least = 0 if name == "repairs" else 1
            if isinstance(value, int) and value < least:
                raise LabelError(f"{self.kind.value}: {name} {value} is below {least}")
        if self.picker is not None and self.picker not in PICKERS:
            raise LabelError(f"picked by {self.picker!r}: one of {', '.join(PICKERS)}")
        if self.kind is MetricKind.FIX_RATE and self.turns == 1:
            raise LabelError("fix-rate@1: repair happens from turn 2")
        if self.grid and self.kind not in (MetricKind.PASS_AT, MetricKind.SOLVED):
            raise LabelError(f"{self.kind.value}: no choice among temperatures")
        if len(self.grid) == 1 or any(not _DECIMAL.fullmatch(t) for t in self.grid):
            raise LabelError(f"temperatures {self.grid}: two or more decimals")

    @property
    def mode(self) -> str:
        """Where it may stand: `plain`, `repair` or `tree`."""
        return _FORMS[self.kind].mode

    @property
    def oracle(self) -> bool:
        """Whether it picks with the scored tests in hand."""
        return self.kind in (MetricKind.ANY_TURN, MetricKind.TREE)

    @property
    def is_share(self) -> bool:
        """Whether the value lies in 0..1 (only mean turns don't)."""
        return self.kind is not MetricKind.TURNS

    def __str__(self) -> str:
        text = self._fill(_FORMS[self.kind].whole)
        return f"{text} max_T{{{','.join(self.grid)}}}" if self.grid else text

    def short(self) -> str:
        """For narrow columns, beside a mode in words."""
        return self._fill(_FORMS[self.kind].short) + (" max_T" if self.grid else "")

    def _fill(self, form: str) -> str:
        return form.format(**{name: getattr(self, name) for name in _FORMS[self.kind].fields})


def fields_of(kind: MetricKind) -> tuple[str, ...]:
    """Names of the numbers that a metric of this kind has."""
    return _FORMS[kind].fields


_DECIMAL = re.compile(r"(0|[1-9]\d*)(\.\d*[1-9])?")
_INT = r"(0|[1-9]\d*)"


def _pattern(form: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", form)
    made = [
        re.escape(part) if i % 2 == 0 else f"(?P<{part}>{'[a-z-]+' if part == 'picker' else _INT})"
        for i, part in enumerate(parts)
    ]
    return re.compile("".join(made))


_PATTERNS = {kind: _pattern(form.whole) for kind, form in _FORMS.items()}


def parse_metric(text: str) -> Metric:
    """Read a metric as `str(metric)` writes it.

    Raises:
        LabelError: no metric is written so.
    """
    body, grid = text, ()
    if found := re.fullmatch(r"(.*) max_T\{([0-9.,]+)\}", text):
        body, grid = found[1], tuple(found[2].split(","))
    for kind, pattern in _PATTERNS.items():
        if found := pattern.fullmatch(body):
            values = {
                name: value if name == "picker" else int(value)
                for name, value in found.groupdict().items()
            }
            return Metric(kind, grid=grid, **values)  # pyright: ignore[reportArgumentType]
    raise LabelError(f"no metric is called {text!r}")


def pass_at(k: int) -> Metric:
    """pass@k, sampled."""
    return Metric(MetricKind.PASS_AT, k=k)


def greedy_pass() -> Metric:
    """pass@1 of one deterministic attempt a task."""
    return Metric(MetricKind.PASS_GREEDY)


def solved_at(turns: int) -> Metric:
    """solved@≤t."""
    return Metric(MetricKind.SOLVED, turns=turns)
