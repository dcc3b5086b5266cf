"""The label: what a number can't be printed without, and the rules it must keep.

    label    := data " · " mode " · " metric [" (" sampling ")"] [flags] [" #" fingerprint]
    data     := benchmark "/" language ["@" revision] ["{" subset "}"] ["+" suite ["(held-out)"]]
    language := id | "mean(" id ("," id)+ ")"
    subset   := N [" of " M] " tasks" [": " reason]
    mode     := "plain" | "repair[" spec "]" | "tree[" spec "]"
    spec     := part ("+" part)* ("; " field)*
    field    := history | "stop=" rule | "submit=" rule | "≤" turns | key ("=" | "≤") value
    part     := name ["(by " model ")"] ["!LEAK"]
    sampling := counts [", greedy" | ", as given" | [", T=" t] ", top_p=" p]
    counts   := ("n=" | "m=") N [" (" low "–" high ")"] | "N=" N ", m=" M
    flags    := (" !" word)*

Texts that others chose are percent-encoded where they hold signs of the grammar: see `parts`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from workbench.protocol.metric import Metric, MetricKind
from workbench.protocol.parts import DataName, Draws, Spec, require

FLAGS = ("IMPORTED", "UNSANDBOXED")
"""`IMPORTED`: published elsewhere, never measured here. `UNSANDBOXED`: a plain process judged."""

_FINGERPRINT = re.compile(r"[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class Label:
    """A whole label; it can't be built against the rules."""

    data: DataName
    mode: str
    """`plain`, `repair` or `tree`."""
    spec: Spec | None
    metric: Metric
    draws: Draws | None
    flags: tuple[str, ...] = ()
    """Sorted; see `FLAGS`."""
    fingerprint: str = ""
    """First 12 hex digits."""

    def __post_init__(self) -> None:
        require(self.mode in ("plain", "repair", "tree"), f"mode {self.mode!r}")
        require((self.spec is None) == (self.mode == "plain"), f"{self.mode}: recipe misplaced")
        require(
            self.metric.mode == self.mode, f"{self.metric} belongs to {self.metric.mode}: not here"
        )
        require(self.flags == tuple(sorted(set(self.flags) & set(FLAGS))), f"flags {self.flags}")
        require(
            not self.fingerprint or bool(_FINGERPRINT.fullmatch(self.fingerprint)),
            f"fingerprint {self.fingerprint!r}: 12 hex digits",
        )
        if self.draws is None:
            require("IMPORTED" in self.flags, "a measured number needs its draws in the label")
        else:
            self._check_draws(self.draws)

    def _check_draws(self, draws: Draws) -> None:
        greedy = self.metric.kind is MetricKind.PASS_GREEDY
        if self.mode == "plain":
            require(greedy == (draws.regime == "greedy"), f"{self.metric} of {draws.regime} draws")
        require(
            draws.regime != "greedy" or (self.metric.k or 1) == 1, "greedy draws have no k above 1"
        )
        if draws.regime == "sampled":
            require(
                bool(draws.temperature) != bool(self.metric.grid),
                "sampled draws need T in the label, or a grid",
            )
        else:
            require(not self.metric.grid, "a grid of temperatures needs sampled draws")
        require((draws.repairs is not None) == (self.mode == "tree"), "repairs of a tree only")

    @property
    def leak(self) -> bool:
        """Whether held-out tests reach the model."""
        return self.spec is not None and self.spec.leak

    def __str__(self) -> str:
        mode = self.mode if self.spec is None else f"{self.mode}[{self.spec}]"
        draws = "" if self.draws is None else f" ({self.draws.text(self.mode)})"
        flags = "".join(f" !{flag}" for flag in self.flags)
        fingerprint = f" #{self.fingerprint}" if self.fingerprint else ""
        return f"{self.data} · {mode} · {self.metric}{draws}{flags}{fingerprint}"

    def short(self, recipe: str = "") -> str:
        """For screens: what it is and what must never go unseen; the whole is a key away.

        Args:
            recipe: the recipe's name, which says more to a person than its spec.
        """
        suite = f"+{self.data.suite}" if self.data.suite else ""
        subset = ""
        if self.data.subset is not None:
            of = "" if self.data.subset.of is None else f" of {self.data.subset.of}"
            subset = f"{{{self.data.subset.tasks}{of}}}"
        many = len(self.data.languages) > 1
        language = f"mean of {len(self.data.languages)}" if many else self.data.languages[0]
        mode = (recipe or self.mode) + ("!LEAK" if self.leak else "")
        flags = "".join(f" !{flag}" for flag in self.flags)
        return f"{self.data.benchmark}/{language}{subset}{suite} · {mode} · {self.metric.short()}{flags}"
