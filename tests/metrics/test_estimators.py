"""Estimators against exact values made from their definitions, and their laws for any counts."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.metrics import compare, intervals, losses, passk, picking, repair, tree
from workbench.metrics.estimable import NotEstimable
from workbench.metrics.units import LOST, OUTCOMES, SCORED, UnitResult, tally
from workbench.outcomes import Outcome

OWN = json.loads(
    (Path(__file__).parents[1] / "data" / "metric_vectors.json").read_text(encoding="utf-8")
)


law = settings(max_examples=40, deadline=None)
"""A loaded machine must not fail a law."""


def counts(most: int = 12) -> st.SearchStrategy[tuple[int, int]]:
    return st.integers(1, most).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n)))


def test_outcomes_are_the_ones_everyone_uses() -> None:
    assert [o.value for o in Outcome] == list(OUTCOMES)
    assert [o.value for o in Outcome if o.scored] == list(SCORED)
    assert [o.value for o in Outcome if not o.scored] == list(LOST)


# --- Exact values ---------------------------------------------------------------------------------


def test_pass_at_k_and_pass_hat_k_equal_the_count_of_all_subsets() -> None:
    for v in OWN["pass"]:
        args = (v["n"], v["c"], v["k"])
        assert passk.pass_at_k(*args) == pytest.approx(float(Fraction(v["pass_at"])), abs=1e-15)
        assert passk.pass_hat_k(*args) == pytest.approx(float(Fraction(v["pass_hat"])), abs=1e-15)


@pytest.mark.parametrize("v", OWN["pass_large"], ids=lambda v: f"{v['n']}-{v['c']}-{v['k']}")
def test_pass_at_k_keeps_twelve_digits_at_any_size(v: dict[str, Any]) -> None:
    assert passk.pass_at_k(v["n"], v["c"], v["k"]) == pytest.approx(float(v["pass_at"]), rel=1e-13)


@pytest.mark.parametrize(("c", "k"), [(1, 1), (1, 100), (3, 50_000), (100, 1000), (40_000, 5)])
def test_a_hundred_thousand_samples_lose_no_digit(c: int, k: int) -> None:
    n = 100_000
    none = Fraction(math.comb(n - c, k), math.comb(n, k)) if min(c, k) > 3 else Fraction(1)
    if min(c, k) <= 3:
        for i in range(min(c, k)):
            none *= Fraction(n - max(c, k) - i, n - i)
    assert passk.pass_at_k(n, c, k) == pytest.approx(float(1 - none), rel=1e-12)


def test_trees_equal_the_count_of_all_subtrees() -> None:
    for v in OWN["tree"]:
        programs = [
            tree.Initial(True) if p is None else tree.Initial(False, *p) for p in v["programs"]
        ]
        rate = tree.tree_rate(programs, v["n_p"], v["n_fr"])
        assert rate == pytest.approx(float(Fraction(v["rate"])), abs=1e-14)


def test_mcnemar_equals_the_count_of_all_tables() -> None:
    for v in OWN["mcnemar"]:
        p = compare.mcnemar(v["lost"], v["gained"])
        assert p == pytest.approx(float(Fraction(v["p"])), abs=1e-15)
        assert compare.mcnemar_mid_p(v["lost"], v["gained"]) <= p


def test_wilson_equals_its_formula_in_sixty_digits() -> None:
    for v in OWN["wilson"]:
        found = intervals.wilson(v["x"], v["n"])
        assert (found.low, found.high) == pytest.approx(
            (float(v["low"]), float(v["high"])), abs=1e-14
        )


def test_the_bootstrap_error_meets_its_closed_form_and_its_seed() -> None:
    for v in OWN["bootstrap"]:
        values = [float(Fraction(x)) for x in v["values"]]
        _, error = intervals.bootstrap(values, seed=3)
        assert error == pytest.approx(math.sqrt(float(Fraction(v["variance"]))), rel=0.02)
    rows = np.random.default_rng(5).random(164)
    one, error = intervals.bootstrap(rows, seed=11)
    again, _ = intervals.bootstrap(rows, seed=11)
    assert one == again
    assert (one.seed, one.resamples) == (11, 10_000)
    assert error == pytest.approx(rows.std() / math.sqrt(164), rel=0.02)


# --- n < k ----------------------------------------------------------------------------------------


@law
@given(counts(), st.integers(1, 30))
def test_fewer_units_than_k_is_never_a_number(pair: tuple[int, int], beyond: int) -> None:
    n, c = pair
    for estimator in (passk.pass_at_k, passk.pass_hat_k):
        with pytest.raises(NotEstimable, match=f"^n {n} < k {n + beyond}$"):
            estimator(n, c, n + beyond)


def test_the_reason_counts_the_tasks_that_are_short() -> None:
    with pytest.raises(NotEstimable, match=r"^2 tasks have n < k 10 \(smallest n 3\)$"):
        passk.mean_pass_at_k([(10, 1), (5, 0), (3, 3)], 10)
    with pytest.raises(NotEstimable, match=r"^n 5 < k 10$"):
        passk.mean_pass_at_k([(5, 1), (5, 0)], 10)
    with pytest.raises(NotEstimable, match="no task"):
        passk.mean_pass_at_k([], 1)


@pytest.mark.parametrize("args", [(3, 4, 1), (3, -1, 1), (3, 1, 0)])
def test_impossible_counts_are_an_error_of_the_caller(args: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match=r"impossible|starts at 1"):
        passk.pass_at_k(*args)


# --- Laws -----------------------------------------------------------------------------------------


@law
@given(counts())
def test_pass_at_one_is_the_share_passed(pair: tuple[int, int]) -> None:
    n, c = pair
    assert passk.pass_at_k(n, c, 1) == passk.pass_hat_k(n, c, 1) == c / n
    assert passk.pass_at_k(n, c, n) == (1.0 if c else 0.0)
    assert passk.pass_hat_k(n, c, n) == (1.0 if c == n else 0.0)


@law
@given(counts(300))
def test_more_draws_find_more_and_are_all_right_less_often(pair: tuple[int, int]) -> None:
    n, c = pair
    some = [passk.pass_at_k(n, c, k) for k in range(1, min(n, 25) + 1)]
    every = [passk.pass_hat_k(n, c, k) for k in range(1, min(n, 25) + 1)]
    assert all(a <= b + 1e-12 for a, b in pairwise(some))
    assert all(a >= b - 1e-12 for a, b in pairwise(every))
    assert all(h <= c / n + 1e-12 <= s + 2e-12 for h, s in zip(every, some, strict=True))


@law
@given(counts(8), st.data())
def test_estimates_equal_brute_force(pair: tuple[int, int], data: st.DataObject) -> None:
    n, c = pair
    k = data.draw(st.integers(1, n))
    subsets = list(combinations([1] * c + [0] * (n - c), k))
    some = sum(map(any, subsets)) / len(subsets)
    every = sum(map(all, subsets)) / len(subsets)
    assert passk.pass_at_k(n, c, k) == pytest.approx(some, abs=1e-14)
    assert passk.pass_hat_k(n, c, k) == pytest.approx(every, abs=1e-14)


@law
@given(st.integers(1, 12), st.fractions(0, 1, max_denominator=20), st.data())
def test_the_estimator_has_no_bias(n: int, p: Fraction, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, n))
    exact = sum(
        math.comb(n, c)
        * p**c
        * (1 - p) ** (n - c)
        * (1 - Fraction(math.comb(n - c, k), math.comb(n, k)))
        for c in range(n + 1)
    )
    assert exact == 1 - (1 - p) ** k
    mean, variance = passk.estimator_moments(n, float(p), k)
    assert mean == pytest.approx(float(exact), abs=1e-12)
    assert -1e-12 <= variance <= 0.25 + 1e-12


@law
@given(st.lists(counts(), min_size=1, max_size=8), st.randoms())
def test_the_order_of_tasks_and_units_means_nothing(pairs: list[Any], random: Any) -> None:
    units = [
        UnitResult(str(task), i, "passed" if i < c else "timeout")
        for task, (n, c) in enumerate(pairs)
        for i in range(n)
    ]
    k = min(n for n, _ in pairs)
    mixed = list(units)
    random.shuffle(mixed)
    before, after = tally(units), tally(mixed)
    assert before.tasks == dict(after.tasks)
    assert before.outcomes == after.outcomes
    one = passk.mean_pass_at_k([(t.scored, t.passed) for t in before.tasks.values()], k)
    two = passk.mean_pass_at_k([(t.scored, t.passed) for t in after.tasks.values()], k)
    assert one == pytest.approx(passk.mean_pass_at_k(pairs, k), abs=1e-15)
    assert one == pytest.approx(two, abs=1e-15)


def test_a_unit_counts_once_and_lost_ones_never() -> None:
    units = [UnitResult("a", 0, "passed"), UnitResult("a", 1, "sandbox_error")]
    counted = tally(units)
    assert (counted.scored, counted.lost) == (1, 1)
    assert counted.tasks["a"].passed == 1
    with pytest.raises(ValueError, match="unit 0 twice"):
        tally([*units, UnitResult("a", 0, "passed")])
    with pytest.raises(ValueError, match="unknown outcome 'good'"):
        tally([UnitResult("a", 0, "good")])


@law
@given(
    st.lists(st.lists(st.sampled_from(OUTCOMES), min_size=1, max_size=8), min_size=1, max_size=5),
    st.randoms(),
)
def test_a_session_in_two_parts_counts_as_the_whole(tasks: list[list[str]], random: Any) -> None:
    units = [UnitResult(f"t{t}", i, o) for t, row in enumerate(tasks) for i, o in enumerate(row)]
    parts: tuple[list[UnitResult], list[UnitResult]] = ([], [])
    for unit in units:
        random.choice(parts).append(unit)
    merged, whole = tally([*parts[0], *parts[1]]), tally(units)
    assert (dict(merged.tasks), merged.outcomes) == (dict(whole.tasks), whole.outcomes)
    counted = [[(t.scored, t.passed) for t in found.tasks.values()] for found in (merged, whole)]
    if all(n for n, _ in counted[0]):
        assert passk.mean_pass_at_k(counted[0], 1) == passk.mean_pass_at_k(counted[1], 1)


@law
@given(st.lists(counts(6), min_size=1, max_size=6), st.data())
def test_bounds_hold_the_value_whatever_was_lost(pairs: list[Any], data: st.DataObject) -> None:
    lost = [data.draw(st.integers(0, 3)) for _ in pairs]
    rows = [(n, c, miss) for (n, c), miss in zip(pairs, lost, strict=True)]
    k = min(n for n, _ in pairs)
    low, high = losses.pass_at_k_bounds(rows, k)
    assert low - 1e-12 <= passk.mean_pass_at_k(pairs, k) <= high + 1e-12
    if not any(lost):
        assert low == high


@law
@given(st.lists(st.booleans(), min_size=1, max_size=12), st.data())
def test_a_tree_without_repairs_is_pass_at_k(passed: list[bool], data: st.DataObject) -> None:
    n_p = data.draw(st.integers(1, len(passed)))
    programs = [tree.Initial(p) for p in passed]
    assert tree.tree_rate(programs, n_p, 0) == pytest.approx(
        passk.pass_at_k(len(passed), sum(passed), n_p), abs=1e-12
    )


def test_a_tree_needs_its_programs_and_repairs() -> None:
    with pytest.raises(NotEstimable, match="programs 1 < 2"):
        tree.tree_rate([tree.Initial(True)], 2, 0)
    with pytest.raises(NotEstimable, match="repairs 2 < 3"):
        tree.tree_rate([tree.Initial(False, 2, 1)], 1, 3)
    many = [tree.Initial(False, 5, 1)] * 800
    assert 0.0 < tree.tree_rate(many, 400, 1) <= 1.0


@law
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 2)), min_size=1, max_size=7), st.data())
def test_picking_one_of_k_equals_every_choice(units: list[Any], data: st.DataObject) -> None:
    k = data.draw(st.integers(1, len(units)))
    chances: list[Fraction] = []
    for chosen in combinations(units, k):
        best = max(score for _, score in chosen)
        top = [passed for passed, score in chosen if score == best]
        chances.append(Fraction(sum(top), len(top)))
    found = picking.picked_at_k([p for p, _ in units], [float(s) for _, s in units], k)
    assert found == pytest.approx(float(sum(chances) / len(chances)), abs=1e-12)
    assert found <= passk.pass_at_k(len(units), sum(p for p, _ in units), k) + 1e-12


def test_picking_needs_k_units_and_scores() -> None:
    assert picking.picked_at_k([True, False], [0.0, 0.0], 1) == 0.5
    with pytest.raises(NotEstimable, match="n 1 < k 2"):
        picking.picked_at_k([True], [1.0], 2)
    with pytest.raises(ValueError, match="one score"):
        picking.picked_at_k([True], [], 1)


# --- Repair ---------------------------------------------------------------------------------------

histories = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=6)


@law
@given(histories, st.integers(1, 8))
def test_the_oracle_sees_at_least_what_is_handed_in(history: Any, turns: int) -> None:
    passed, accepted = [p for p, _ in history], [a for _, a in history]
    oracle = repair.submitted(passed, accepted, "any", turns)
    assert oracle == sorted(oracle)
    for rule in ("accepted-else-last", "last"):
        handed = repair.submitted(passed, accepted, rule, turns)
        assert len(handed) == turns
        assert handed[0] == passed[0]
        assert all(o or not h for h, o in zip(handed, oracle, strict=True))


@law
@given(histories)
def test_the_first_accepted_program_is_kept(history: Any) -> None:
    passed, accepted = [p for p, _ in history], [a for _, a in history]
    handed = repair.submitted(passed, accepted, "accepted-else-last", len(passed))
    first = accepted.index(True) if any(accepted) else len(passed)
    assert handed[:first] == passed[:first]
    assert all(h == passed[first] for h in handed[first:])


def test_an_unknown_submission_rule_is_refused() -> None:
    with pytest.raises(ValueError, match="submission rule 'best'"):
        repair.submitted([True], [True], "best", 1)


def test_nothing_is_extrapolated_beyond_a_measured_budget() -> None:
    assert repair.at_budget([1, 2], [0.2, 0.4], 1.5) == pytest.approx(0.3)
    for budget in (0.9, 2.1):
        with pytest.raises(NotEstimable, match=r"out of range 1\.\.2"):
            repair.at_budget([1, 2], [0.2, 0.4], budget)
    with pytest.raises(ValueError, match="increase"):
        repair.at_budget([2, 2], [0.2, 0.4], 2)


def test_rates_of_nothing_are_not_estimable() -> None:
    solved = repair.solved_from_first([1, 1], 2)
    assert repair.fix_rate(solved, 2) == (0, 0)
    with pytest.raises(NotEstimable, match="no unsolved episode"):
        repair.share(0, 0, "unsolved episode")
    with pytest.raises(NotEstimable):
        repair.mean_turns_when_solved([None])
    assert repair.break_rate([[True, False, True], [True, True], [False, True]]) == (1, 2)


# --- Intervals ------------------------------------------------------------------------------------


@law
@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_intervals_hold_their_value_and_stay_in_range(pair: tuple[int, int]) -> None:
    n, x = pair
    for found in (intervals.wilson(x, n), intervals.clopper_pearson(x, n)):
        assert 0.0 <= found.low <= x / n <= found.high <= 1.0
        assert found.low < found.high
        assert found.few == (n < 30)


@pytest.mark.parametrize(
    ("values", "method"),
    [
        ([0.5] * 100 + [0.25] * 64, "t"),
        ([0.5] * 50 + [0.25] * 49, "wilson"),
        ([0.99] * 164, "wilson"),
        ([0.01] * 164, "wilson"),
        ([1.0] * 82 + [0.0] * 82, "wilson"),
        ([1.0] * 5, "wilson"),
    ],
)
def test_one_rule_chooses_the_interval(values: list[float], method: str) -> None:
    assert intervals.choose_interval(values).method == method


def test_the_chosen_interval_stays_in_range() -> None:
    values = [1.0, 0.9] * 2 + [0.0] * 97
    assert intervals.choose_interval([*values, 0.5]).low >= 0.0


def test_equal_clusters_are_tasks_of_their_means() -> None:
    clusters = [[1.0, 0.5], [0.0, 0.25], [1.0, 1.0]]
    means = [sum(c) / 2 for c in clusters]
    assert intervals.clustered_error(clusters) == pytest.approx(intervals.standard_error(means))
    with pytest.raises(NotEstimable):
        intervals.clustered_error([[1.0]])


@pytest.mark.parametrize(
    ("tasks", "chance", "least"),
    [(164, 0.5, 0.94), (164, 0.9, 0.94), (164, 0.98, 0.94), (20, 0.95, 0.92)],
)
def test_one_attempt_a_task_is_covered_as_promised(tasks: int, chance: float, least: float) -> None:
    """Exact coverage: the binomial weight of every count whose interval holds the truth."""
    covered = 0.0
    for passed, weight in enumerate(passk.binomial_weights(tasks, chance)):
        found = intervals.choose_interval([1.0] * passed + [0.0] * (tasks - passed))
        covered += weight * (found.low <= chance <= found.high)
    assert least <= covered <= 0.97


def test_sampled_tasks_are_covered_as_promised() -> None:
    """164 tasks, chances ~ Beta(0.4, 0.6) drawn anew, 20 samples each, 600 seeded runs."""
    random = np.random.default_rng(2024)
    chances = random.beta(0.4, 0.6, (600, 164))
    shares = random.binomial(20, chances) / 20
    found = [intervals.choose_interval(run) for run in shares]
    assert {f.method for f in found} == {"t"}
    covered = np.mean([f.low <= 0.4 <= f.high for f in found])
    assert 0.93 <= covered <= 0.975
    assert abs(shares.mean() - 0.4) < 0.005


# --- Comparisons ----------------------------------------------------------------------------------

arms = st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from([0.0, 0.25, 0.5, 1.0]))


@law
@given(arms, arms)
def test_a_difference_turned_round_is_its_negative(a: Any, b: Any) -> None:
    if not set(a) & set(b):
        with pytest.raises(NotEstimable, match="no common task"):
            compare.paired_difference(a, b)
        return
    there, back = compare.paired_difference(a, b), compare.paired_difference(b, a)
    assert there.delta == pytest.approx(-back.delta, abs=1e-15)
    assert there.p == pytest.approx(back.p)
    assert (set(there.lost), set(there.gained)) == (set(back.gained), set(back.lost))
    assert set(there.tasks) | set(there.only_a) == set(a)
    if there.interval and back.interval:
        assert there.interval.low == pytest.approx(-back.interval.high, abs=1e-12)


def test_only_common_tasks_count() -> None:
    found = compare.paired_difference({"x": 1.0, "y": 0.0, "z": 1.0}, {"x": 0.0, "y": 0.0})
    assert (found.tasks, found.only_a, found.lost) == (("x", "y"), ("z",), ("x",))
    assert found.delta == -0.5


def test_no_difference_comes_with_the_smallest_that_could_be_shown() -> None:
    same = {str(i): float(i % 2) for i in range(164)}
    assert compare.paired_difference(same, same).detectable == pytest.approx(6 / 164)
    other = {t: 1 - v if int(t) % 10 == 0 else v for t, v in same.items()}
    found = compare.paired_difference(same, other)
    assert found.detectable == pytest.approx(0.067, abs=0.002)
    assert compare.paired_difference({"x": 0.5}, {"x": 1.0}).detectable is None


@law
@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_never_lowers_a_p_and_keeps_the_order(p: list[float]) -> None:
    adjusted = compare.holm(p)
    assert all(a >= b for a, b in zip(adjusted, p, strict=True))
    order = sorted(range(len(p)), key=lambda i: p[i])
    ranked = [adjusted[i] for i in order]
    assert ranked == sorted(ranked)
    assert max(adjusted) <= 1.0


def test_languages_are_compared_on_problems_all_have() -> None:
    with pytest.raises(NotEstimable, match="no common problem"):
        compare.across_languages({"python": {"0": 1.0}, "go": {"1": 1.0}})
    common, means = compare.across_languages(
        {"python": {"0": 1.0, "1": 0.0, "2": 1.0}, "go": {"1": 1.0, "0": 1.0}}
    )
    assert common == ("0", "1")
    assert means == {"python": 0.5, "go": 1.0}
