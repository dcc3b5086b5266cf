"""What a label is made of: data, recipe, draws; each refuses what may not be said.

Texts that others chose (revision, reason, model, value) have the grammar's own signs
percent-encoded, so that a label always reads back as what it was.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

from workbench.protocol.metric import LabelError

RESERVED = "%·;+()[]{}!#@≤=,/ \n\r\t"
"""Signs that mean something in a label."""

LEAKING = ("hidden-tests", "hidden-verdict", "reference")
"""Feedback parts that show held-out tests or what they say: always !LEAK."""

DEFAULT_SUBMIT = "accepted-else-last"

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)*")
_WORD = re.compile(r"[a-z][a-z0-9_-]*")
_DECIMAL = re.compile(r"(0|[1-9]\d*)(\.\d*[1-9])?")


def encode(text: str, keep: str = "") -> str:
    """Percent-encode the grammar's signs in a text that others chose."""
    return "".join(
        "".join(f"%{byte:02X}" for byte in char.encode())
        if (char in RESERVED and char not in keep) or not char.isprintable()
        else char
        for char in text
    )


def decode(text: str) -> str:
    """Undo `encode`."""
    return unquote(text, errors="strict")


def require(condition: bool, message: str) -> None:
    """Raise `LabelError` with this message unless the condition holds."""
    if not condition:
        raise LabelError(message)


@dataclass(frozen=True, slots=True)
class Subset:
    """Fewer tasks than the benchmark has."""

    tasks: int
    of: int | None = None
    """Tasks there would have been."""
    reason: str = ""

    def __post_init__(self) -> None:
        require(self.tasks >= 0, f"subset of {self.tasks} tasks")
        require(self.of is None or self.of >= self.tasks, f"{self.tasks} of {self.of} tasks")

    def __str__(self) -> str:
        of = "" if self.of is None else f" of {self.of}"
        reason = f": {encode(self.reason, keep=' ,=≤')}" if self.reason else ""
        plural = "" if (self.tasks if self.of is None else self.of) == 1 else "s"
        return f"{self.tasks}{of} task{plural}{reason}"


@dataclass(frozen=True, slots=True)
class DataName:
    """Which tests judged which tasks."""

    benchmark: str
    languages: tuple[str, ...]
    """One, or several of which the mean is meant."""
    revision: str = ""
    subset: Subset | None = None
    suite: str = ""
    held_out: bool = False
    """Only the scored tests that weren't visible."""

    def __post_init__(self) -> None:
        require(bool(_ID.fullmatch(self.benchmark)), f"benchmark {self.benchmark!r}")
        require(bool(self.languages), "no language")
        for language in self.languages:
            require(bool(_WORD.fullmatch(language)), f"language {language!r}")
        require(not self.suite or bool(_WORD.fullmatch(self.suite)), f"suite {self.suite!r}")
        require(bool(self.suite) or not self.held_out, "held-out tests of no suite")

    def __str__(self) -> str:
        many = len(self.languages) > 1
        language = f"mean({','.join(self.languages)})" if many else self.languages[0]
        revision = f"@{encode(self.revision)}" if self.revision else ""
        subset = "" if self.subset is None else f"{{{self.subset}}}"
        suite = f"+{self.suite}" if self.suite else ""
        held_out = "(held-out)" if self.held_out else ""
        return f"{self.benchmark}/{language}{revision}{subset}{suite}{held_out}"


@dataclass(frozen=True, slots=True)
class FeedbackPart:
    """One thing that the model is told between turns."""

    name: str
    by: str = ""
    """Model that wrote it; empty: execution, or the model itself."""
    leak: bool = False
    """Whether it shows held-out tests; always so for `LEAKING` names."""

    def __post_init__(self) -> None:
        require(bool(_WORD.fullmatch(self.name)), f"feedback part {self.name!r}")
        require(self.leak or self.name not in LEAKING, f"{self.name} without !LEAK")

    def __str__(self) -> str:
        by = f"(by {encode(self.by, keep='/')})" if self.by else ""
        return f"{self.name}{by}{'!LEAK' if self.leak else ''}"


@dataclass(frozen=True, slots=True)
class Extra:
    """One further thing that a recipe fixes: `tokens≤4000`, `inner≤3`, `from=6f0c…`."""

    key: str
    sign: str
    value: str

    def __post_init__(self) -> None:
        require(bool(_WORD.fullmatch(self.key)), f"recipe field {self.key!r}")
        require(self.key not in ("stop", "submit"), f"recipe field {self.key} has its own place")
        require(self.sign in ("=", "≤"), f"recipe field {self.key}: sign {self.sign!r}")
        require(bool(self.value), f"recipe field {self.key} is empty")

    def __str__(self) -> str:
        return f"{self.key}{self.sign}{encode(self.value)}"


@dataclass(frozen=True, slots=True)
class Spec:
    """How repair goes on."""

    feedback: tuple[FeedbackPart, ...]
    history: str = ""
    """`last`, `last-N`, `full`."""
    stop: str = ""
    """`compiles`, `visible`, `self`, `model`, `hidden`, `none`."""
    submit: str = DEFAULT_SUBMIT
    """Which program is handed in; the default isn't printed."""
    turns: int | None = None
    """Turns at most, turn 1 being the first program."""
    extras: tuple[Extra, ...] = ()

    def __post_init__(self) -> None:
        require(bool(self.feedback), "repair without a feedback part (`reask` is the least)")
        known = not self.history or re.fullmatch(r"full|last(-[1-9]\d*)?", self.history)
        require(bool(known), f"history {self.history!r}: last, last-N or full")
        require(not self.stop or bool(_WORD.fullmatch(self.stop)), f"stop rule {self.stop!r}")
        require(bool(_WORD.fullmatch(self.submit)), f"submission rule {self.submit!r}")
        require(self.turns is None or self.turns >= 1, f"at most {self.turns} turns")

    @property
    def leak(self) -> bool:
        """Whether held-out tests reach the model."""
        return any(part.leak for part in self.feedback)

    def __str__(self) -> str:
        fields = ["+".join(str(part) for part in self.feedback)]
        if self.history:
            fields.append(self.history)
        if self.stop:
            fields.append(f"stop={self.stop}{' (oracle stop)' if self.stop == 'hidden' else ''}")
        if self.submit != DEFAULT_SUBMIT:
            fields.append(f"submit={self.submit}{' (oracle)' if self.submit == 'any' else ''}")
        if self.turns is not None:
            fields.append(f"≤{self.turns}")
        return "; ".join(fields + [str(extra) for extra in self.extras])


@dataclass(frozen=True, slots=True)
class Draws:
    """How many draws a task has, and how they were drawn."""

    count: int
    """n samples, m episodes, or N first programs of a tree."""
    regime: str = "sampled"
    """`sampled`, `greedy`, or `given`: somebody else drew them and didn't say how."""
    temperature: str = ""
    """Decimal; empty unless sampled, or when the metric names a grid."""
    top_p: str = ""
    """Decimal, or `default`: not sent to the provider."""
    low: int | None = None
    """Fewest and most scored draws of a task, when they aren't `count` everywhere."""
    high: int | None = None
    repairs: int | None = None
    """Trees: repairs of each failing program."""

    def __post_init__(self) -> None:
        require(self.count >= 0, f"{self.count} draws")
        require(self.regime in ("sampled", "greedy", "given"), f"regime {self.regime!r}")
        if self.regime == "sampled":
            require(bool(self.top_p), "sampled draws need T and top_p in the label")
        else:
            require(not self.temperature and not self.top_p, f"{self.regime} draws have no T")
        for decimal in (self.temperature, self.top_p):
            known = decimal in ("", "default") or _DECIMAL.fullmatch(decimal)
            require(bool(known), f"{decimal!r} isn't a decimal in its shortest form")
        require(self.temperature != "default", "T is always sent, so always known")
        require((self.low is None) == (self.high is None), "a range of draws has two ends")

    def text(self, mode: str) -> str:
        """As printed after a metric of this mode."""
        if mode == "tree":
            counts = f"N={self.count}, m={self.repairs or 0}"
        else:
            counts = f"{'n' if mode == 'plain' else 'm'}={self.count}"
        if self.low is not None:
            counts += f" ({self.low}–{self.high})"
        if self.regime == "given":
            return f"{counts}, as given"
        if self.regime == "greedy":
            return counts if mode == "plain" else f"{counts}, greedy"
        temperature = f", T={self.temperature}" if self.temperature else ""
        return f"{counts}{temperature}, top_p={self.top_p}"
