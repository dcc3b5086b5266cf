"""A session that is being asked for: fields as typed, and the spec they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from workbench.errors import UsageError

if TYPE_CHECKING:
    from workbench.session.spec import SessionSpec

Kind = Literal["text", "words", "whole", "number"]


@dataclass(frozen=True, slots=True)
class Field:
    """One line of the form."""

    id: str
    label: str
    kind: Kind
    note: str


FIELDS: tuple[Field, ...] = (
    Field("model", "model", "text", "such as openai/gpt-4o-mini, local/smollm2-135m"),
    Field("api_base", "server", "text", "address of an OpenAI-compatible server; empty: the provider's"),
    Field("benchmark", "benchmark", "text", "whose tasks are asked"),
    Field("languages", "languages", "words", "h l choose, space toggles"),
    Field("modes", "modes", "words", "plain, and repair recipes"),
    Field("n", "samples a task", "whole", "episodes too; 1 is greedy unless T is given"),
    Field("temperature", "temperature", "number", "empty: 0 for one sample, 0.8 for more"),
    Field("tasks", "tasks", "text", "numbers or ids, such as 0,3-7; empty: all"),
    Field("max_tokens", "tokens a call", "whole", "an answer that hits it is flagged truncated"),
    Field("seed", "seed", "whole", "sample i is drawn with seed + i, where the provider allows it"),
    Field("sandbox", "sandbox", "text", "empty: the best there is"),
    Field("slots", "slots", "whole", "programs at once; empty: one a core"),
    Field("concurrency", "requests", "whole", "at once; empty: what suits the model"),
    Field("max_cost", "cap, USD", "number", "stops there, nothing is lost; empty: none"),
    Field("name", "name", "text", "of the session; empty: benchmark, model and time"),
)  # fmt: skip
SAMPLING = ("temperature", "max_tokens", "seed")
START: Mapping[str, str] = {
    "model": "local/smollm2-135m", "benchmark": "starter", "languages": "python",
    "modes": "plain", "n": "1", "max_tokens": "1024",
}  # fmt: skip


@dataclass
class Draft:
    """What is typed so far; kept while other screens are shown."""

    values: dict[str, str] = field(default_factory=lambda: dict(START))
    base: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Fields of the session it is forked from that the form doesn't show."""
    of: str = ""
    """Name of the session it is forked from."""

    def words(self, name: str) -> list[str]:
        """The words of a field with commas."""
        return [w.strip() for w in self.values.get(name, "").split(",") if w.strip()]

    def toggle(self, name: str, word: str, order: Sequence[str]) -> None:
        """Put a word in or take it out; known words stand in `order`, others behind."""
        words = self.words(name)
        words = [w for w in words if w != word] if word in words else [*words, word]
        known = [w for w in order if w in words]
        self.values[name] = ",".join([*known, *(w for w in words if w not in order)])

    def spec(self) -> SessionSpec:
        """What is asked for.

        Raises:
            UsageError: a value can't be; the message begins with the field.
        """
        from workbench.session.spec import parse_spec

        body: dict[str, Any] = {**self.base}
        sampling: dict[str, Any] = dict(body.get("sampling") or {})
        for each in FIELDS:
            if each.id == "name":
                continue
            text = self.values.get(each.id, "").strip()
            value = self._words_of(each) if each.kind == "words" else _value(each, text)
            (sampling if each.id in SAMPLING else body)[each.id] = value
        for name in ("max_tokens", "n"):
            of = sampling if name in SAMPLING else body
            if of[name] is None:
                del of[name]
        for name in ("model", "benchmark"):
            body[name] = body[name] or ""
        if not body["model"]:
            raise UsageError("model: which one is to be asked?")
        if not (body["benchmark"] or body.get("problems")):
            raise UsageError("benchmark: whose tasks are to be asked?")
        return parse_spec({**body, "sampling": sampling})

    def _words_of(self, each: Field) -> tuple[str, ...]:
        found = tuple(self.words(each.id))
        if not found:
            raise UsageError(f"{each.id}: at least one is needed")
        return found

    def problem(self, message: str) -> str:
        """The field that a message of `spec` is about; empty when it names none."""
        named = message.partition(":")[0].rpartition(".")[2]
        return named if any(f.id == named for f in FIELDS) else ""


def _value(each: Field, text: str) -> Any:
    if not text:
        return None
    if each.kind == "text":
        return text
    try:
        return int(text) if each.kind == "whole" else float(text)
    except ValueError:
        kind = "a whole number" if each.kind == "whole" else "a number"
        raise UsageError(f"{each.id}: {text!r:.40} is not {kind}") from None


def forked(name: str, spec: Mapping[str, Any]) -> Draft:
    """A draft with everything a stored session's spec says, for a new session beside it."""
    sampling: Mapping[str, Any] = spec.get("sampling") or {}
    values: dict[str, str] = {}
    for each in FIELDS:
        value = (sampling if each.id in SAMPLING else spec).get(each.id)
        if isinstance(value, (list, tuple)):
            value = ",".join(str(v) for v in value)
        if value is not None:
            values[each.id] = f"{value:g}" if isinstance(value, float) else str(value)
    values["name"] = f"{name}-fork"
    return Draft(values, dict(spec), name)
