"""What is asked of a session: one model behind the command line, the New screen and resume."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from workbench.errors import UsageError


class SamplingSpec(BaseModel):
    """How answers are drawn. What is `None` follows from n: greedy for 1, sampled for more."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    temperature: float | None = Field(None, ge=0, le=5)
    top_p: float | None = Field(None, gt=0, le=1)
    max_tokens: int = Field(1024, ge=1, le=1_000_000)
    stop: tuple[str, ...] | None = None
    """`None`: the language's own for this benchmark and style; empty: none."""
    seed: int | None = None
    logprobs: bool = False


class SourceSpec(BaseModel):
    """The plain session whose programs are repaired."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    session: str
    """Its name, beside the new one."""
    start: str = Field(pattern=r"^[0-9a-f]{12}$")
    """What says which first programs those are: from the fingerprints of its plain cells."""


class SessionSpec(BaseModel):
    """A whole session as asked for; stored in it, and all that `resume` needs."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str
    api_base: str | None = None
    api_key_env: str | None = None
    """Name of the environment variable that holds the key; never the key itself."""
    benchmark: str
    suite: Literal["base"] = "base"
    languages: tuple[str, ...]
    modes: tuple[str, ...] = ("plain",)
    """`plain`, recipe ids, or paths of recipe files."""
    n: int = Field(1, ge=1, le=100_000)
    k: tuple[int, ...] | None = None
    """`None`: 1, and 10 and 100 where n allows."""
    sampling: SamplingSpec = Field(default_factory=lambda: SamplingSpec.model_validate({}))
    style: Literal["chat", "complete"] = "chat"
    system: str | None = None
    template: str | None = None
    """Text of the prompt template; `None`: the one that ships."""
    tasks: str | None = None
    """Task choice such as `0,3-7`."""
    limit: int | None = Field(None, ge=1)
    exclude: dict[str, str] = {}
    """Task id -> reason."""
    data_dir: str | None = None
    problems: str | None = None
    limits: Literal["default", "published"] = "default"
    sandbox: str | None = None
    """Launcher id; `None`: the best there is."""
    extraction: Literal["tree-sitter", "raw"] = "tree-sitter"
    concurrency: int | None = Field(None, ge=1, le=1024)
    """Requests in flight; `None`: what suits the model."""
    slots: int | None = Field(None, ge=1, le=256)
    """Programs that run at once; `None`: one for each core."""
    requests_per_minute: float | None = Field(None, gt=0)
    attempts: int = Field(8, ge=1, le=100)
    """Calls of one request at most, before its unit is lost."""
    request_timeout: float = Field(480.0, gt=0)
    """Seconds that one call may take, to its last byte."""
    price: str = ""
    """`PROMPT/COMPLETION` in USD per million tokens; empty: LiteLLM's price list."""
    max_cost: float | None = Field(None, gt=0)
    """US dollars."""
    max_tokens_total: int | None = Field(None, gt=0)
    cold: bool = False
    """Every program by the plain commands: nothing is kept warm for it."""
    repeat_judging: int = Field(1, ge=1, le=100)
    """How often each program is executed; see `execution.repeat` for what counts."""
    cutoff: str = Field("", pattern=r"^(\d{4}(-\d{2}(-\d{2})?)?)?$")
    """End of the model's training data as declared: YYYY, YYYY-MM or YYYY-MM-DD."""
    statement: str = ""
    """What is known about contamination, in the user's words."""
    source: SourceSpec | None = None
    """`None`: first programs are this session's own."""

    @field_validator("languages", "modes")
    @classmethod
    def _once(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not value:
            raise ValueError("at least one is needed")
        return tuple(dict.fromkeys(value))

    @model_validator(mode="after")
    def _greedy_alone(self) -> SessionSpec:
        if self.n > 1 and self.sampling.temperature == 0:
            raise ValueError(
                f"n = {self.n} with temperature 0 draws one answer {self.n} times: "
                "give a temperature above 0, or n 1"
            )
        for k in self.k or ():
            if k < 1:
                raise ValueError(f"k is at least 1, not {k}")
            if k > 1 and self.temperature == 0:
                raise ValueError(
                    f"k = {k} with temperature 0: one greedy answer a task has pass@1 only: "
                    "give -n above 1"
                )
        return self

    @property
    def temperature(self) -> float:
        """The temperature that is meant: 0 for one sample, 0.8 for several, unless given."""
        given = self.sampling.temperature
        return given if given is not None else (0.0 if self.n == 1 else 0.8)

    @property
    def top_p(self) -> float | None:
        """The nucleus that is meant: 0.95 for several samples, not sent for one, unless given."""
        given = self.sampling.top_p
        return given if given is not None or self.n == 1 else 0.95

    @property
    def ks(self) -> tuple[int, ...]:
        """The k of pass@k that are reported."""
        if self.k is not None:
            return self.k
        return tuple(k for k in (1, 10, 100) if k <= self.n)


def parse_spec(values: dict[str, Any]) -> SessionSpec:
    """Validate what was asked for.

    Raises:
        UsageError: one line that names the field, the value and what would be valid.
    """
    try:
        return SessionSpec.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(p) for p in first["loc"])
        why = str(first["msg"]).removeprefix("Value error, ")
        given = first.get("input")
        shown = f" (given {given!r:.60})" if where and not isinstance(given, dict) else ""
        raise UsageError(f"{where}: {why}{shown}" if where else why) from None
