"""A label read back: `str(parse_label(text)) == text` for every label there is."""

from __future__ import annotations

import re

from workbench.protocol.label import Label
from workbench.protocol.metric import LabelError, MetricKind, parse_metric
from workbench.protocol.parts import (
    DEFAULT_SUBMIT,
    DataName,
    Draws,
    Extra,
    FeedbackPart,
    Spec,
    Subset,
    decode,
)

_TAIL = re.compile(
    r"(?P<metric>.+?)"
    r"(?: \((?P<draws>[nmN]=.*)\))?"
    r"(?P<flags>(?: ![A-Z]+)*)"
    r"(?: #(?P<fingerprint>[0-9a-f]{12}))?"
)
_DATA = re.compile(
    r"(?P<benchmark>.+)/(?P<language>mean\([^)]*\)|[^/@{+]+)"
    r"(?:@(?P<revision>[^@{+]+))?"
    r"(?:\{(?P<subset>[^}]*)\})?"
    r"(?:\+(?P<suite>[^+(]+)(?P<held_out>\(held-out\))?)?"
)
_SUBSET = re.compile(r"(\d+)(?: of (\d+))? tasks?(?:: (.+))?")
_DRAWS = re.compile(
    r"(?:[nm]=(?P<count>\d+)|N=(?P<first>\d+), m=(?P<repairs>\d+))"
    r"(?: \((?P<low>\d+)–(?P<high>\d+)\))?"
    r"(?P<regime>, greedy|, as given)?"
    r"(?:, T=(?P<temperature>[^,]+))?"
    r"(?:, top_p=(?P<top_p>[^,]+))?"
)
_PART = re.compile(r"(?P<name>[a-z0-9_-]+)(?:\(by (?P<by>[^)]+)\))?(?P<leak>!LEAK)?")
_EXTRA = re.compile(r"([a-z][a-z0-9_-]*)([=≤])(.+)")


def parse_label(text: str) -> Label:
    """Read a whole label.

    Raises:
        LabelError: it isn't of the grammar, or breaks a rule; the message says where.
    """
    parts = text.split(" · ")
    if len(parts) != 3:
        raise LabelError(f"{text!r}: a label has data, mode and metric, parted by ' · '")
    tail = _TAIL.fullmatch(parts[2])
    if tail is None:
        raise LabelError(f"{parts[2]!r}: a metric, its draws, flags and fingerprint")
    mode, spec = _mode(parts[1])
    metric = parse_metric(tail["metric"])
    draws = None
    if tail["draws"]:
        greedy = metric.kind is MetricKind.PASS_GREEDY
        draws = _draws(tail["draws"], "greedy" if greedy else "sampled")
    label = Label(
        data=_data(parts[0]),
        mode=mode,
        spec=spec,
        metric=metric,
        draws=draws,
        flags=tuple(tail["flags"].replace("!", "").split()),
        fingerprint=tail["fingerprint"] or "",
    )
    if str(label) != text:
        raise LabelError(f"{text!r} is written {str(label)!r}")
    return label


def _data(text: str) -> DataName:
    found = _DATA.fullmatch(text)
    if found is None:
        raise LabelError(f"{text!r}: benchmark/language, then revision, subset, suite")
    language = found["language"]
    mean = re.fullmatch(r"mean\((.*)\)", language)
    languages = tuple(mean[1].split(",")) if mean else (language,)
    return DataName(
        benchmark=found["benchmark"],
        languages=languages,
        revision=decode(found["revision"] or ""),
        subset=_subset(found["subset"]) if found["subset"] is not None else None,
        suite=found["suite"] or "",
        held_out=bool(found["held_out"]),
    )


def _subset(text: str) -> Subset:
    found = _SUBSET.fullmatch(text)
    if found is None:
        raise LabelError(f"subset {text!r}: N [of M] tasks[: reason]")
    of = int(found[2]) if found[2] else None
    return Subset(int(found[1]), of, decode(found[3] or ""))


def _mode(text: str) -> tuple[str, Spec | None]:
    if text == "plain":
        return "plain", None
    found = re.fullmatch(r"(repair|tree)\[(.+)\]", text)
    if found is None:
        raise LabelError(f"mode {text!r}: plain, repair[…] or tree[…]")
    return found[1], _spec(found[2])


def _spec(text: str) -> Spec:
    first, *fields = text.split("; ")
    history, stop, submit, turns = "", "", DEFAULT_SUBMIT, None
    extras: list[Extra] = []
    for field in fields:
        if field.startswith("≤") and field[1:].isascii() and field[1:].isdigit():
            turns = int(field[1:])
        elif field.startswith("stop="):
            stop = field.removeprefix("stop=").removesuffix(" (oracle stop)")
        elif field.startswith("submit="):
            submit = field.removeprefix("submit=").removesuffix(" (oracle)")
        elif found := _EXTRA.fullmatch(field):
            extras.append(Extra(found[1], found[2], decode(found[3])))
        else:
            history = field
    parts = tuple(_part(part) for part in first.split("+"))
    return Spec(parts, history, stop, submit, turns, tuple(extras))


def _part(text: str) -> FeedbackPart:
    found = _PART.fullmatch(text)
    if found is None:
        raise LabelError(f"feedback part {text!r}")
    return FeedbackPart(found["name"], decode(found["by"] or ""), bool(found["leak"]))


def _draws(text: str, default: str) -> Draws:
    found = _DRAWS.fullmatch(text)
    if found is None:
        raise LabelError(f"draws {text!r}: n=20, T=0.8, top_p=0.95, say")
    regime = {None: default, ", greedy": "greedy", ", as given": "given"}[found["regime"]]
    return Draws(
        count=int(found["count"] or found["first"]),
        regime=regime,
        temperature=found["temperature"] or "",
        top_p=found["top_p"] or "",
        low=None if found["low"] is None else int(found["low"]),
        high=None if found["high"] is None else int(found["high"]),
        repairs=None if found["repairs"] is None else int(found["repairs"]),
    )
