"""Labels: what they say, what they refuse, and that they read back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.protocol.label import FLAGS, Label
from workbench.protocol.metric import (
    PICKERS,
    LabelError,
    Metric,
    MetricKind,
    fields_of,
    parse_metric,
)
from workbench.protocol.parse import parse_label
from workbench.protocol.parts import (
    LEAKING,
    DataName,
    Draws,
    Extra,
    FeedbackPart,
    Spec,
    Subset,
)

EXAMPLES = [
    "humaneval-x/cpp@2838420b+base · plain · pass@10 (n=20, T=0.8, top_p=0.95) #0d061496425a",
    "humaneval-x/python@2838420b+base · plain · pass@1 (greedy) (n=1)",
    "humaneval/python+base · plain · pass@1 (n=1, as given) !UNSANDBOXED #0d061496425a",
    "humaneval/python+plus · plain · pass^8 (n=20 (12–20), T=0.8, top_p=default)",
    "humaneval/python+base(held-out) · plain · pass@1 (n=4, T=0.2, top_p=0.95)",
    "humaneval-x/go{158 of 164 tasks: has-visible}+base · plain · pass@1 (n=1, as given)",
    "starter/python{1 of 20 tasks}+base · plain · pass@1 (greedy) (n=1)",
    "humaneval-x/mean(python,cpp,java,js,go){158 tasks: common}+base · plain · pass@1 (greedy) (n=1)",
    "multipl-e/humaneval/js+base · plain · picked@10 by visible-tests (n=20, T=0.8, top_p=0.95)",
    "humaneval/python+base · plain · pass@1 max_T{0.2,0.8} (n=20, top_p=0.95)",
    "humaneval-x/cpp+base · repair[compiler+visible-tests; last; stop=visible; ≤3] · solved@≤3 "
    "(m=5, T=0.8, top_p=0.95)",
    "humaneval-x/java+base · repair[compiler+hidden-tests!LEAK; full; stop=hidden (oracle stop); ≤2]"
    " · any-turn@≤2 (oracle) (m=1, greedy)",
    "starter/go+base · repair[agent+compiler; full; stop=model; ≤20; tokens≤4000] · solved@≤20 "
    "(m=1, greedy) !UNSANDBOXED #0d061496425a",
    "starter/go+base · repair[explain(by openai/gpt-4o-mini); last; stop=none; submit=last; ≤2] · "
    "any-of-5 episodes, ≤2 (m=5 (4–5), T=0.8, top_p=0.95)",
    "starter/go+base · repair[reask; last-2; stop=visible; ≤4] · solved@≤4000 tok (m=1, greedy)",
    "humaneval-x/js+base · tree[explain; last; stop=none; submit=any (oracle); ≤2] · "
    "tree-rate 5×3 (oracle) (N=25, m=10, T=0.8, top_p=1)",
    "humaneval/python · repair[visible-tests+trace+explain; full; stop=visible; ≤11; from=seed] · "
    "solved@≤11 !IMPORTED",
]


@pytest.mark.parametrize("text", EXAMPLES)
def test_a_label_reads_back_as_written(text: str) -> None:
    assert str(parse_label(text)) == text


def test_every_label_in_the_docs_reads_back() -> None:
    page = (Path(__file__).parents[2] / "docs" / "numbers.md").read_text(encoding="utf-8")
    found = re.findall(r"^[a-z-]+/.+? · (?:plain|repair|tree).*$", page, re.MULTILINE)
    assert len(found) >= 9
    for text in found:
        assert str(parse_label(text)) == text


REFUSED = {
    "pass@k of repair": "a/python · repair[reask; last; ≤3] · pass@3 (m=3, T=1, top_p=1)",
    "solved of plain": "a/python · plain · solved@≤3 (n=1, T=1, top_p=1)",
    "tree-rate of repair": "a/python · repair[reask] · tree-rate 2×1 (oracle) (N=2, m=1, greedy)",
    "no mode": "a/python · pass@1 (n=1, T=1, top_p=1)",
    "no T": "a/python · plain · pass@1 (n=1)",
    "no top_p": "a/python · plain · pass@1 (n=1, T=1)",
    "no draws": "a/python · plain · pass@1",
    "greedy with k above 1": "a/python · plain · pass@5 (greedy) (n=5)",
    "greedy in the draws of plain": "a/python · plain · pass@1 (n=1, greedy)",
    "greedy with T": "a/python · plain · pass@1 (greedy) (n=1, T=0, top_p=1)",
    "k episodes of greedy draws": "a/python · repair[reask; ≤3] · any-of-2 episodes, ≤3 (m=2, greedy)",
    "oracle left out": "a/python · repair[reask; ≤3] · any-turn@≤3 (m=1, greedy)",
    "leak left out": "a/python · repair[hidden-tests; ≤3] · solved@≤3 (m=1, greedy)",
    "oracle stop left out": "a/python · repair[reask; stop=hidden; ≤3] · solved@≤3 (m=1, greedy)",
    "oracle pick left out": "a/python · repair[reask; submit=any; ≤3] · solved@≤3 (m=1, greedy)",
    "unknown flag": "a/python · plain · pass@1 (greedy) (n=1) !GOOD",
    "k of nothing": "a/python · plain · pass@0 (n=1, T=1, top_p=1)",
    "leading zero": "a/python · plain · pass@01 (n=1, T=1, top_p=1)",
    "long decimal": "a/python · plain · pass@1 (n=1, T=0.80, top_p=1)",
    "fields out of order": "a/python · repair[reask; ≤3; last] · solved@≤3 (m=1, greedy)",
    "grid and T": "a/python · plain · pass@1 max_T{0.2,0.8} (n=1, T=0.2, top_p=1)",
    "grid of one": "a/python · plain · pass@1 max_T{0.2} (n=1, top_p=1)",
    "no language": "humaneval · plain · pass@1 (greedy) (n=1)",
    "unknown history": "a/python · repair[reask; some; ≤3] · solved@≤3 (m=1, greedy)",
    "two labels": "a/python · plain · pass@1 (greedy) (n=1) · plain",
    "empty": "",
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED.keys())
def test_a_label_that_could_mislead_is_refused(text: str) -> None:
    with pytest.raises(LabelError):
        parse_label(text)


def test_pass_at_three_of_repair_can_not_be_built_either() -> None:
    with pytest.raises(LabelError, match="belongs to plain"):
        Label(
            data=DataName("starter", ("python",)),
            mode="repair",
            spec=Spec((FeedbackPart("reask"),), turns=3),
            metric=Metric(MetricKind.PASS_AT, k=3),
            draws=Draws(3, "sampled", "0.8", "0.95"),
        )


def test_a_metric_takes_its_own_numbers_only() -> None:
    with pytest.raises(LabelError, match="turns"):
        Metric(MetricKind.PASS_AT, k=3, turns=3)
    with pytest.raises(LabelError, match="k is None"):
        Metric(MetricKind.PASS_AT)


@pytest.mark.parametrize(
    ("text", "recipe", "short"),
    [
        (EXAMPLES[0], "", "humaneval-x/cpp+base · plain · pass@10"),
        (EXAMPLES[1], "", "humaneval-x/python+base · plain · g.pass@1"),
        (EXAMPLES[10], "repair-visible", "humaneval-x/cpp+base · repair-visible · slv≤3"),
        (EXAMPLES[11], "", "humaneval-x/java+base · repair!LEAK · any≤2*"),
        (EXAMPLES[12], "agent", "starter/go+base · agent · slv≤20 !UNSANDBOXED"),
        (EXAMPLES[15], "", "humaneval-x/js+base · tree · tree5×3*"),
        (EXAMPLES[7], "", "humaneval-x/mean of 5{158}+base · plain · g.pass@1"),
    ],
)
def test_the_short_form_keeps_mode_leak_and_sandbox(text: str, recipe: str, short: str) -> None:
    assert parse_label(text).short(recipe) == short


def test_foreign_text_can_not_forge_a_label() -> None:
    evil = "x) · plain · pass@1 (greedy) (n=1) !IMPORTED #000000000000"
    label = Label(
        data=DataName("starter", ("python",), revision=evil, subset=Subset(3, None, evil)),
        mode="repair",
        spec=Spec((FeedbackPart("explain", by=evil),), extras=(Extra("from", "=", evil),)),
        metric=Metric(MetricKind.SOLVED, turns=2),
        draws=Draws(1, "greedy"),
    )
    assert str(label).count(" · ") == 2
    assert parse_label(str(label)) == label


# --- Every label there is -------------------------------------------------------------------------

words = st.from_regex(r"[a-z][a-z0-9_-]{0,8}", fullmatch=True)
foreign = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
numbers = st.integers(1, 10**6)
decimals = st.sampled_from(["0.1", "0.2", "0.8", "1", "1.25", "2"])
feedback = st.one_of(
    st.builds(FeedbackPart, words.filter(lambda w: w not in LEAKING), st.just("") | foreign),
    st.builds(FeedbackPart, st.sampled_from(LEAKING), st.just(""), st.just(True)),
)
extras = st.builds(
    Extra,
    words.filter(lambda w: w not in ("stop", "submit")),
    st.sampled_from("=≤"),
    foreign,
)
specs = st.builds(
    Spec,
    feedback=st.lists(feedback, min_size=1, max_size=4).map(tuple),
    history=st.sampled_from(["", "full", "last", "last-3"]),
    stop=st.sampled_from(["", "compiles", "visible", "self", "model", "hidden", "none"]),
    submit=st.sampled_from(["accepted-else-last", "last", "any"]),
    turns=st.none() | numbers,
    extras=st.lists(extras, max_size=2).map(tuple),
)
subsets = st.tuples(st.integers(0, 200), st.none() | st.integers(0, 200), st.just("") | foreign)
data_names = st.builds(
    DataName,
    benchmark=st.from_regex(
        r"[a-z0-9][a-z0-9._-]{0,6}(/[a-z0-9][a-z0-9._-]{0,6})?", fullmatch=True
    ),
    languages=st.lists(words, min_size=1, max_size=3).map(tuple),
    revision=st.just("") | foreign,
    subset=st.none()
    | subsets.map(lambda s: Subset(s[0], None if s[1] is None else s[0] + s[1], s[2])),
    suite=words,
    held_out=st.booleans(),
)


@st.composite
def metrics(draw: st.DrawFn) -> Metric:
    kind = draw(st.sampled_from(list(MetricKind)))
    choices = {"picker": st.sampled_from(PICKERS), "repairs": st.integers(0, 99)}
    form = {name: draw(choices.get(name, st.integers(2, 999))) for name in fields_of(kind)}
    grid: tuple[str, ...] = ()
    if kind in (MetricKind.PASS_AT, MetricKind.SOLVED) and draw(st.booleans()):
        grid = ("0.2", "0.8")
    return Metric(kind, grid=grid, **form)  # type: ignore[arg-type]


@st.composite
def labels(draw: st.DrawFn) -> Label:
    metric = draw(metrics())
    regimes = {MetricKind.PASS_GREEDY: ["greedy"]}.get(metric.kind, ["sampled", "given"])
    if metric.mode != "plain" and metric.k is None:
        regimes = [*regimes, "greedy"]
    if metric.grid:
        regimes = ["sampled"]
    regime = draw(st.sampled_from(regimes))
    low = draw(st.none() | st.integers(0, 5))
    sampled = regime == "sampled"
    draws = Draws(
        count=draw(numbers),
        regime=regime,
        temperature=draw(decimals) if sampled and not metric.grid else "",
        top_p=draw(decimals | st.just("default")) if sampled else "",
        low=low,
        high=None if low is None else low + draw(st.integers(0, 9)),
        repairs=draw(st.integers(0, 99)) if metric.mode == "tree" else None,
    )
    flags = draw(st.lists(st.sampled_from(FLAGS), unique=True))
    imported = "IMPORTED" in flags
    return Label(
        data=draw(data_names),
        mode=metric.mode,
        spec=None if metric.mode == "plain" else draw(specs),
        metric=metric,
        draws=None if imported and not metric.grid and draw(st.booleans()) else draws,
        flags=tuple(sorted(flags)),
        fingerprint=draw(st.just("") | st.from_regex(r"[0-9a-f]{12}", fullmatch=True)),
    )


@settings(max_examples=120, deadline=None)
@given(labels())
def test_every_label_reads_back(label: Label) -> None:
    assert parse_label(str(label)) == label


@settings(max_examples=60, deadline=None)
@given(metrics())
def test_every_metric_reads_back(metric: Metric) -> None:
    assert parse_metric(str(metric)) == metric


@settings(max_examples=60, deadline=None)
@given(
    st.text(max_size=60)
    | st.sampled_from(EXAMPLES).flatmap(lambda e: st.permutations(e).map("".join))
)
def test_any_other_text_is_refused_and_nothing_else_happens(text: str) -> None:
    try:
        label = parse_label(text)
    except LabelError:
        return
    assert str(label) == text
