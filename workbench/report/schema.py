"""The shape of `report --json`, field by field; docs/report.schema.json is made from it.

python -m workbench.report.schema > docs/report.schema.json
"""

from __future__ import annotations

import json
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class _Object(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class IntervalBody(_Object):
    """A confidence interval, ends unrounded."""

    low: float
    high: float
    level: float
    method: str
    seed: int | None = Field(None, description="Bootstrap only.")
    resamples: int | None = Field(None, description="Bootstrap only.")


class TasksBody(_Object):
    """Which tasks a value rests on."""

    planned: int
    scored: int
    excluded: int
    exclusions: dict[str, str] = Field(description="Task id -> reason, declared before the run.")


class UnitsBody(_Object):
    """Samples or episodes."""

    kind: Literal["sample", "episode"]
    planned: int
    scored: int
    lost: int = Field(description="Lost to the infrastructure: neither for nor against the model.")


class MeasurementBody(_Object):
    """One number of one cell."""

    label: str
    fingerprint: str = Field(description="First 12 hex digits; empty for a mean or a selection.")
    benchmark: str
    suite: str
    language: str
    mode: Literal["plain", "repair"]
    recipe: str | None
    metric: str
    k: int | None
    turns: int | None
    value: float | None = Field(
        description="A share in 0..1 (mean turns: turns); null: not estimable."
    )
    interval: IntervalBody | None
    tasks: TasksBody
    units: UnitsBody
    outcomes: dict[str, int] = Field(description="Every outcome, zeros included.")
    flags: dict[str, int]
    ratio: tuple[int, int] | None = Field(description="Rates of repair: part and whole.")
    bounds: tuple[float, float] | None = Field(
        description="If all lost units had failed, had passed."
    )
    notes: list[str]


class BudgetBody(_Object):
    """Repair beside plain sampling at one cost."""

    language: str
    mode: str
    metric: str
    budget: Literal["calls", "generated tokens", "total tokens", "money"]
    against: str = Field(description="How one of the plain samples is chosen.")
    labels: tuple[str, str] = Field(description="Of repair and of plain.")
    missing: str
    episode: float | None = Field(description="Mean cost of an episode, in the budget's unit.")
    samples: float | None = Field(description="Plain samples that cost as much.")
    repair: float | None
    plain: float | None
    gain: float | None = Field(description="repair − plain, paired over tasks.")
    interval: IntervalBody | None
    p: float | None
    tasks: int | None


class HeldOutBody(_Object):
    """Bounds on a value by the held-out tests alone."""

    language: str
    mode: str
    label: str
    scored: float
    held_out: tuple[float, float]
    open: int = Field(description="Units that failed a visible test.")


class CopiesBody(_Object):
    """Samples that are the reference but for names and layout."""

    language: str
    copies: int | None
    looked_at: int
    skipped: int
    scored: int
    share: float | None
    why: str


class MemorisationBody(_Object):
    """What speaks for or against a benchmark having been learnt by heart."""

    copies: list[CopiesBody]
    published: list[str]
    cutoff: list[str]
    statement: list[str]


class DiagnosticsBody(_Object):
    """What went wrong in one cell."""

    language: str
    mode: str
    fingerprint: str
    scored: int
    failed: int
    suspicious: str
    top: list[dict[str, Any]]


class UnstableBody(_Object):
    """A program that didn't come to the same outcome each time."""

    language: str
    mode: str
    task_id: str
    index: int
    turn: int
    outcomes: list[str]


class ReportBody(_Object):
    """The whole object."""

    protocol: dict[str, dict[str, Any]] = Field(description="Protocols by fingerprint's 12 digits.")
    measurements: list[MeasurementBody]
    equal_budget: list[BudgetBody] = []
    held_out: list[HeldOutBody] = []
    memorisation: MemorisationBody
    methods: str
    diagnostics: list[DiagnosticsBody]
    unstable: list[UnstableBody]


def schema_text() -> str:
    """The JSON Schema as it stands in docs/."""
    return json.dumps(ReportBody.model_json_schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(schema_text(), end="")
