"""The protocol of one cell: everything that gives its numbers their meaning, field by field.

Three parts are hashed: what the model saw and how it was drawn (`gen`), how it was judged (`eval`),
how it was counted (`rep`). The fourth, `record`, is kept beside them and hashed nowhere: it may
differ between rows of one column. `n` stands there because a session may be extended.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, model_validator

from workbench.protocol.kinds import (
    IDENTITY,
    IDENTITY_OF_LANGUAGE,
    INCIDENTAL,
    MATERIAL,
    MATERIAL_OF_LANGUAGE,
    DecimalText,
    SortedTexts,
    Text,
    TextMap,
)
from workbench.protocol.recipe import RepairRecipe


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class GenerationPart(_Part):
    """What the model saw, and how its answers were drawn."""

    mode: Annotated[Literal["plain", "repair"], IDENTITY]
    recipe: Annotated[RepairRecipe | None, MATERIAL] = None
    """Repair mode only."""
    prompt_style: Annotated[Literal["chat", "complete", "given"], MATERIAL]
    """`given`: the answers came from elsewhere."""
    template: Annotated[Text, MATERIAL] = ""
    """The prompt template, whole; empty when the benchmark's prompt goes out as it is."""
    system: Annotated[Text, MATERIAL] = ""
    """System prompt, whole."""
    prompt_changes: Annotated[tuple[str, ...], MATERIAL] = ()
    """What was changed in the benchmark's own prompts, one sentence each."""
    tests_in_prompt: Annotated[str, MATERIAL] = ""
    """Which tests stand in the first prompt, such as `docstring examples`."""
    stop: Annotated[SortedTexts, MATERIAL_OF_LANGUAGE] = ()
    """Stop sequences."""
    max_tokens: Annotated[int | None, MATERIAL] = None
    """Per answer; `None`: not sent, or unknown."""
    regime: Annotated[Literal["greedy", "sampled", "given"], MATERIAL]
    """`given`: drawn elsewhere, nobody says how."""
    temperature: Annotated[DecimalText | None, MATERIAL] = None
    top_p: Annotated[DecimalText | None, MATERIAL] = None
    """`None`: not sent."""
    parameters: Annotated[TextMap, MATERIAL] = ()
    """Further sampling parameters that were sent: `top_k`, `reasoning_effort`, …"""
    seed_policy: Annotated[str, MATERIAL] = ""
    """How draws are kept independent, such as `seed + index`; empty: no seed is sent."""

    @model_validator(mode="after")
    def _consistent(self) -> GenerationPart:
        if (self.recipe is None) != (self.mode == "plain"):
            raise ValueError("a recipe belongs to repair mode, and to it only")
        if self.regime == "sampled" and self.temperature is None:
            raise ValueError("sampled draws need a temperature")
        if self.regime != "sampled" and (self.temperature or "0") != "0":
            raise ValueError(f"{self.regime} draws have no temperature {self.temperature}")
        return self


class StepLimits(_Part):
    """What one step may use."""

    cpu_s: DecimalText
    wall_s: DecimalText
    memory_mb: int
    output_bytes: int
    processes: int
    file_mb: int | None = None


class Toolchain(_Part):
    """What compiles and runs programs: whatever of it can change a verdict."""

    versions: TextMap = ()
    """Tool -> version, such as `javac` -> `21.0.5`."""
    flags: TextMap = ()
    """Step -> its command words, joined by spaces."""
    content_sha256: str = ""
    """Of the language folder."""


class EvaluationPart(_Part):
    """How programs were judged, and on which tasks."""

    benchmark: Annotated[str, IDENTITY]
    revision: Annotated[str, IDENTITY] = ""
    data_sha256: Annotated[str, IDENTITY_OF_LANGUAGE] = ""
    """Of the benchmark's file."""
    suite: Annotated[str, IDENTITY]
    language: Annotated[str, MATERIAL]
    """Side by side yes; a difference between languages is taken on common problems only."""
    tasks: Annotated[int, IDENTITY_OF_LANGUAGE]
    """Tasks planned, exclusions not among them."""
    tasks_sha256: Annotated[str, IDENTITY_OF_LANGUAGE]
    """Of the sorted task ids, one a line."""
    tasks_of: Annotated[int | None, IDENTITY_OF_LANGUAGE] = None
    """Tasks that the benchmark has in this language, where fewer are taken."""
    subset: Annotated[str, IDENTITY] = ""
    """The rule by which they were taken, such as `has-visible`; empty: by id."""
    exclusions: Annotated[TextMap, IDENTITY_OF_LANGUAGE] = ()
    """Task id -> reason, declared before the run."""
    extraction: Annotated[str, MATERIAL]
    """Extractor id and version, such as `tree-sitter/1`; `raw/1`: taken as it is."""
    assembly_sha256: Annotated[str, MATERIAL_OF_LANGUAGE] = ""
    """Of what makes programs from code and task."""
    supervisor_sha256: Annotated[str, MATERIAL] = ""
    """Of the script that judges."""
    limits_policy: Annotated[Literal["own", "published"], MATERIAL] = "own"
    limits: Annotated[dict[str, StepLimits], MATERIAL_OF_LANGUAGE] = {}
    """Step (`compile`, `run`) -> limits."""
    sandbox: Annotated[str, MATERIAL]
    """Launcher id: `docker`, `gvisor`, `bubblewrap`, `unshare`, `process`."""
    toolchain: Annotated[Toolchain, MATERIAL_OF_LANGUAGE] = Toolchain()
    outcomes: Annotated[str, MATERIAL] = "1"
    """Version of the rules that turn an execution into an outcome."""


class ReportingPart(_Part):
    """How units become numbers."""

    estimator: Annotated[str, MATERIAL] = "1"
    """Version of the estimators."""
    aggregation: Annotated[str, MATERIAL] = "mean over tasks"
    interval: Annotated[str, MATERIAL] = "rule 1"
    """Version of the rule that chooses an interval."""
    level: Annotated[DecimalText, MATERIAL] = "0.95"
    resamples: Annotated[int, MATERIAL] = 10_000
    """Of a bootstrap, where one is used."""
    failure_policy: Annotated[str, MATERIAL] = (
        "generation_failed and sandbox_error aren't scored; every other outcome but passed fails"
    )
    rounding: Annotated[str, MATERIAL] = "once, at the end, half to even"


class RecordPart(_Part):
    """What is kept beside the number and hashed nowhere."""

    n: Annotated[int, INCIDENTAL] = 1
    """Samples or episodes planned per task."""
    ks: Annotated[tuple[int, ...], INCIDENTAL] = (1,)
    """The k of pass@k that are reported."""
    model: Annotated[str, INCIDENTAL] = ""
    """As asked for."""
    models_returned: Annotated[SortedTexts, INCIDENTAL] = ()
    """As the provider named itself in its answers."""
    provider: Annotated[str, INCIDENTAL] = ""
    """Kind of provider, or `local`; never an address or a key."""
    weights_sha256: Annotated[str, INCIDENTAL] = ""
    """Of a local model's file."""
    accessed: Annotated[tuple[str, str] | None, INCIDENTAL] = None
    """First and last call, UTC, ISO 8601."""
    seed: Annotated[int | None, INCIDENTAL] = None
    bootstrap_seed: Annotated[int, INCIDENTAL] = 0
    judgings: Annotated[int, INCIDENTAL] = 1
    """How often each program was executed. Only the first execution counts, so it says how well a
    number was looked at, and changes none."""
    image_digest: Annotated[str, INCIDENTAL] = ""
    template_name: Annotated[str, INCIDENTAL] = ""
    retries: Annotated[TextMap, INCIDENTAL] = ()
    """Policy by side, such as `generation` -> `at most 8 on 429, 5xx, timeout`."""
    environment: Annotated[TextMap, INCIDENTAL] = ()
    """Host: system, processor, slots, Docker and Python versions."""
    workbench: Annotated[str, INCIDENTAL] = ""
    """Version of this program."""
    contamination: Annotated[str, INCIDENTAL] = ""
    """What is known of the benchmark being in the model's training data, in a sentence."""
    cutoff: Annotated[str, INCIDENTAL] = ""
    """End of the model's training data as its maker declares it: YYYY, YYYY-MM or YYYY-MM-DD."""
    published: Annotated[str, INCIDENTAL] = ""
    """When the benchmark was published, ISO date."""


class Protocol(_Part):
    """The protocol of one cell."""

    gen: GenerationPart
    eval: EvaluationPart
    rep: ReportingPart = ReportingPart()
    record: RecordPart = RecordPart()

    @model_validator(mode="after")
    def _greedy_k(self) -> Protocol:
        if self.gen.regime == "greedy" and any(k > 1 for k in self.record.ks):
            raise ValueError("greedy draws are one attempt a task: no k above 1")
        return self

    @property
    def recipe_name(self) -> str:
        """The recipe's name; empty in plain mode."""
        return self.gen.recipe.name if self.gen.recipe else ""
