"""Every vector of the research notes, to its tolerance (skipped where the notes aren't there)."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from workbench.metrics import compare, intervals, losses, passk, power, repair, tree
from workbench.metrics.estimable import NotEstimable
from workbench.metrics.units import TurnResult, UnitResult, tally

VECTORS = Path(__file__).parents[3] / "shared" / "research" / "vectors.json"


def load() -> list[dict[str, Any]]:
    if not VECTORS.is_file():
        return []
    return json.loads(VECTORS.read_text(encoding="utf-8"))["vectors"]


def number(value: Any) -> float:
    return float(value["value"] if isinstance(value, dict) else value)


def fraction(text: str) -> float:
    return float(Fraction(text))


def pairs(inputs: dict[str, Any]) -> list[tuple[int, int]]:
    return [(n, c) for n, c in inputs["tasks"]]


def pass_at_k(i: dict[str, Any]) -> Any:
    return passk.pass_at_k(i["n"], i["c"], i["k"])


def pass_hat_k(i: dict[str, Any]) -> Any:
    return passk.pass_hat_k(i["n"], i["c"], i["k"])


def mean_pass_at_k(i: dict[str, Any]) -> Any:
    return passk.mean_pass_at_k(pairs(i), i["k"])


def mean_pass_hat_k(i: dict[str, Any]) -> Any:
    return passk.mean_pass_hat_k(pairs(i), i["k"])


def restricted(i: dict[str, Any]) -> Any:
    return passk.mean_pass_at_k(passk.restrict(pairs(i), i["k"]), i["k"])


def plug_in(i: dict[str, Any]) -> Any:
    wrong = 1 - (1 - i["c"] / i["n"]) ** i["k"]
    assert passk.pass_at_k(i["n"], i["c"], i["k"]) > wrong + 0.05
    return wrong


def from_mean(i: dict[str, Any]) -> Any:
    mean = passk.mean_pass_at_k(pairs(i), 1)
    wrong = 1 - (1 - mean) ** i["k"]
    assert passk.mean_pass_at_k(pairs(i), i["k"]) == pytest.approx(0.75)
    return wrong


def moments(i: dict[str, Any]) -> Any:
    p = fraction(i["p"])
    mean, variance = passk.estimator_moments(i["n"], p, i["k"])
    plug = sum(
        w * (1 - (1 - c / i["n"]) ** i["k"])
        for c, w in enumerate(passk.binomial_weights(i["n"], p))
    )
    return {"mean": mean, "variance": variance, "plugin_mean": plug}


def solved_basic(i: dict[str, Any]) -> Any:
    solved = repair.solved_from_first(i["first_solved_turn"], i["T"])
    out: dict[str, Any] = {f"repair@{t}": solved[:, t - 1].mean() for t in range(1, i["T"] + 1)}
    for t in (2, 3):
        out[f"fix_rate@{t}"] = repair.share(*repair.fix_rate(solved, t), "unsolved episode")
    out["gain_pp@3"] = 100 * (out["repair@3"] - out["repair@1"])
    out["relative_gain_percent@3"] = 100 * (out["repair@3"] / out["repair@1"] - 1)
    return out


def solved_episodes(i: dict[str, Any]) -> Any:
    out: dict[str, Any] = {}
    tasks = [repair.solved_from_first(task, 3) for task in i["first_solved_turn"]]
    for t in (1, 2, 3):
        out[f"repair@{t}"] = passk.mean_over_tasks([float(task[:, t - 1].mean()) for task in tasks])
    counts = [(len(task), int(task[:, 2].sum())) for task in tasks]
    out["pass@2-of-episodes,t<=3"] = passk.mean_pass_at_k(counts, 2)
    out["pass^2-of-episodes,t<=3"] = passk.mean_pass_hat_k(counts, 2)
    return out


def final_and_oracle(i: dict[str, Any]) -> Any:
    final: list[bool] = []
    oracle: list[bool] = []
    accepted: list[bool] = []
    for episode in i["episodes"]:
        hidden = [bool(x) for x in episode["hidden"]]
        visible = [bool(x) for x in episode["visible"]]
        final.append(repair.submitted(hidden, visible, "accepted-else-last", 3)[-1])
        oracle.append(repair.submitted(hidden, visible, "any", 3)[-1])
        accepted.append(any(visible))
    return {
        "final": np.mean(final),
        "any_turn_oracle": np.mean(oracle),
        "false_accept": repair.share(*repair.false_accepts(accepted, final), "acceptance"),
    }


def lost_samples(i: dict[str, Any]) -> Any:
    scored = i["n_planned"] - i["infra_lost"]
    low, high = losses.bounds(i["c"], scored, i["infra_lost"])
    return {
        "point_on_scored": passk.pass_at_k(scored, i["c"], 1),
        "lower_all_lost_fail": low,
        "upper_all_lost_pass": high,
    }


def lost_episodes(i: dict[str, Any]) -> Any:
    scored = i["solved"] + i["failed"]
    low, high = losses.bounds(i["solved"], scored, i["censored"])
    return {"scored_only": i["solved"] / scored, "lower": low, "upper": high}


def tree_rate(i: dict[str, Any]) -> Any:
    programs = [
        tree.Initial(True)
        if p == "pass"
        else tree.Initial(False, p["repairs"], p["repairs_passing"])
        for p in i["initial_programs"]
    ]
    fails = [0.0 if p.passed else (1 - p.repaired / p.repairs) ** i["n_fr"] for p in programs]
    biased = 1 - (sum(fails) / len(fails)) ** i["n_p"]
    return {
        "unbiased": tree.tree_rate(programs, i["n_p"], i["n_fr"]),
        "with_replacement_expectation": biased,
    }


def budget_ratio(i: dict[str, Any]) -> Any:
    rates = [float(r) for r in i["baseline_rate"]]
    found = repair.equal_budget(
        i["baseline_tokens"], rates, i["repair_tokens"], float(i["repair_rate"])
    )
    return {"baseline_at_budget": found.plain, "ratio": found.ratio, "gain_pp": 100 * found.gain}


def budget_calls(i: dict[str, Any]) -> Any:
    cost = tree.tree_cost(i["n_p"], i["n_f"], i["n_r"], joint=i["joint"])
    return {"programs": cost.programs, "model_calls": cost.calls}


def slope(i: dict[str, Any]) -> Any:
    rates = [100 * s / i["n"] for s in i["success"]]
    per_turn, intercept = repair.turn_slope(i["k"], rates)
    return {"slope_pp_per_turn": per_turn, "intercept_pp": intercept}


def feedback(i: dict[str, Any]) -> Any:
    micro, macro = repair.gain(i["with"], i["without"], i["n"])
    return {"delta_pp_pooled_tasks": 100 * micro, "delta_pp_macro_datasets": 100 * macro}


def binary_interval(i: dict[str, Any]) -> Any:
    from scipy.special import betaincinv

    x, n = i["x"], i["n"]
    values = [1.0] * x + [0.0] * (n - x)
    wilson = intervals.choose_interval(values)
    assert wilson.method == "wilson"
    exact = intervals.clopper_pearson(x, n)
    return {
        "wilson": [wilson.low, wilson.high],
        "clopper_pearson": [exact.low, exact.high],
        "bayes_uniform_beta": [float(betaincinv(x + 1, n - x + 1, q)) for q in (0.025, 0.975)],
        "se_population_n": math.sqrt(x / n * (1 - x / n) / n),
        "se_sample_n_minus_1": None if n == 1 else intervals.standard_error(values),
    }


def task_mean(i: dict[str, Any]) -> Any:
    values = [fraction(v) for v in i["values"]]
    found = intervals.t_interval(values)
    return {
        "mean": passk.mean_over_tasks(values),
        "se": intervals.standard_error(values),
        "t_975_df5": intervals.t_value(5),
        "lower": found.low,
        "upper": found.high,
    }


def bootstrap_all(i: dict[str, Any]) -> Any:
    values = [fraction(v) for v in i["values"]]
    means = [sum(draw) / 3 for draw in itertools.product(values, repeat=3)]
    n = len(values)
    found, error = intervals.bootstrap(values, seed=1)
    assert error == pytest.approx(np.std(means), rel=0.02)
    return {
        "boot_mean": np.mean(means),
        "boot_variance": np.var(means),
        "min": found.low,
        "max": found.high,
        "closed_form_pop_var_over_n": np.var(values) / n,
        "unbiased_var_over_n": intervals.standard_error(values) ** 2,
    }


def bootstrap_binary(i: dict[str, Any]) -> Any:
    values = [1.0] * i["x"] + [0.0] * (i["n"] - i["x"])
    found, error = intervals.bootstrap(values, seed=7)
    assert error == pytest.approx(0.02938209088610703, rel=0.02)
    return {"lower": found.low, "upper": found.high, "boot_se": error}


def clustered(i: dict[str, Any]) -> Any:
    clusters = i["clusters"]
    flat = [v for cluster in clusters for v in cluster]
    return {
        "mean": passk.mean_over_tasks(flat),
        "naive_se_ddof1": intervals.standard_error(flat),
        "miller_clustered": intervals.clustered_error(clusters, corrected=False),
        "inspect_clustered_C/(C-1)": intervals.clustered_error(clusters),
        "se_of_task_means_ddof1": intervals.standard_error([np.mean(c) for c in clusters]),
    }


def paired_greedy(i: dict[str, Any]) -> Any:
    kinds = [("both", 1, 1), ("lost", 1, 0), ("gained", 0, 1), ("neither", 0, 0)]
    rows = [(a, b) for name, a, b in kinds for _ in range(i[name])]
    arm_a = {str(n): float(a) for n, (a, _) in enumerate(rows)}
    arm_b = {str(n): float(b) for n, (_, b) in enumerate(rows)}
    found = compare.paired_difference(arm_a, arm_b)
    b, c = i["lost"], i["gained"]
    centre, error = compare.agresti_min_estimate(b, c, len(rows))
    assert found.interval is not None
    assert found.interval.low > 0
    differences = [arm_b[t] - arm_a[t] for t in arm_a]
    return {
        "diff": found.delta,
        "mcnemar_exact_two_sided": found.p,
        "mcnemar_mid_p": compare.mcnemar_mid_p(b, c),
        "chi2": (b - c) ** 2 / (b + c),
        "chi2_cc": (abs(b - c) - 1) ** 2 / (b + c),
        "se_paired_pop": np.std(differences) / math.sqrt(len(rows)),
        "se_paired_ddof1": found.error,
        "agresti_min_diff": centre,
        "agresti_min_se": error,
    }


def mcnemar(i: dict[str, Any]) -> Any:
    return compare.mcnemar(i["lost"], i["gained"])


def paired_sampled(i: dict[str, Any]) -> Any:
    a = [fraction(v) for v in i["A"]]
    b = [fraction(v) for v in i["B"]]
    found = compare.paired_difference(
        dict(enumerate(a)),  # type: ignore[arg-type]
        dict(enumerate(b)),  # type: ignore[arg-type]
    )
    unpaired = math.hypot(intervals.standard_error(a), intervals.standard_error(b))
    differences = [y - x for x, y in zip(a, b, strict=True)]
    draws = [np.mean(d) for d in itertools.product(differences, repeat=len(a))]
    assert found.error is not None
    return {
        "diff": found.delta,
        "se_paired": found.error,
        "se_unpaired": unpaired,
        "correlation": compare.correlation(a, b),
        "paired_bootstrap_var_exact": np.var(draws),
        "t_df4": found.delta / found.error,
    }


def hierarchical(i: dict[str, Any]) -> Any:
    counts = pairs(i)
    within = intervals.rerun_error(counts)
    total = intervals.standard_error(passk.per_task_pass_at_k(counts, 1))
    return {
        "mean": passk.mean_pass_at_k(counts, 1),
        "var_within_fixed_tasks": within**2,
        "var_total_superpopulation": total**2,
        "var_between_component": total**2 - within**2,
        "se_fixed_tasks": within,
        "se_superpopulation": total,
    }


def mde(i: dict[str, Any]) -> Any:
    n = i["n"]
    out: dict[str, Any] = {"z_sum": power.power_factor(i["alpha"], i["power"])}
    for p in (0.5, 0.8, 0.9):
        out[f"unpaired_p{p}"] = power.detectable_unpaired(p, n)
    for d in ("0.20", "0.10", "0.05"):
        out[f"paired_discordance_{d}"] = power.detectable_paired(n, float(d))
    return out


def needed(i: dict[str, Any]) -> Any:
    return {
        "delta=.03,omega2=.10": power.tasks_needed(0.03, 0.10),
        "delta=.05,omega2=.10": power.tasks_needed(0.05, 0.10),
        "delta=.01,omega2=.10": power.tasks_needed(0.01, 0.10),
        "miller_example delta=.03,omega2=1/9": power.tasks_needed(0.03, 1 / 9),
    }


def mde_sampled(i: dict[str, Any]) -> Any:
    a, b = float(i["sigmaA2"]), float(i["sigmaB2"])
    return {
        f"K={k}": power.detectable_paired(
            i["n"], float(i["omega2"]), within_a=a / k, within_b=b / k
        )
        for k in i["K"]
    }


def cross_language(i: dict[str, Any]) -> Any:
    arms = {name: {task: fraction(v) for task, v in i[name].items()} for name in ("python", "cpp")}
    common, means = compare.across_languages(arms)
    found = compare.paired_difference(arms["python"], arms["cpp"])
    return {
        "n_common": len(common),
        "python_common": means["python"],
        "cpp_common": means["cpp"],
        "diff_pp": 100 * found.delta,
        "python_all6": passk.mean_over_tasks(list(arms["python"].values())),
    }


def rounding(i: dict[str, Any]) -> Any:
    mean = passk.mean_over_tasks([fraction(v) for v in i["values"]])
    early = sum(round(fraction(v), 2) for v in i["values"]) / len(i["values"])
    return {
        "mean": mean,
        "rounded_early_2dp_wrong": round(early, 3),
        "display_1dp_percent": f"{100 * mean:.1f}",
    }


def points(i: dict[str, Any]) -> Any:
    a, b = float(i["from"]), float(i["to"])
    found = compare.paired_difference({"x": a}, {"x": b})
    return {"pp": 100 * found.delta, "relative_percent": 100 * found.delta / a}


def half(i: dict[str, Any]) -> Any:
    from workbench.report.numbers import percent_digits

    up = (Decimal("6.25")).quantize(Decimal("0.1"), ROUND_HALF_UP)
    return {"half_even": percent_digits(fraction(i["fraction"])), "half_up": str(up)}


def wilson_mean(i: dict[str, Any]) -> Any:
    found = intervals.wilson_on_mean(float(i["mean"]), i["T"])
    return {"lower": found.low, "upper": found.high}


def saturated(i: dict[str, Any]) -> Any:
    values = passk.per_task_pass_at_k(pairs(i), i["k"])
    assert intervals.choose_interval(values).method == "wilson"
    return {
        "mean": passk.mean_over_tasks(values),
        "clt_se": intervals.standard_error(values),
        "print_clt_interval": intervals.choose_interval(values).method == "t",
    }


def first_turn(i: dict[str, Any]) -> Any:
    counts = [(task["n"], task["c_turn1"]) for task in i["tasks"]]
    units = [
        UnitResult(str(task), index, "passed" if index < c else "wrong_answer")
        for task, (n, c) in enumerate(counts)
        for index in range(n)
    ]
    counted = [(t.scored, t.passed) for t in tally(units).tasks.values()]
    solved = [repair.solved_from_first([1] * c + [None] * (n - c), 1).mean() for n, c in counts]
    return {
        "pass@1": passk.mean_pass_at_k(counted, 1),
        "solved@<=1": passk.mean_over_tasks([float(s) for s in solved]),
    }


def reciprocal(i: dict[str, Any]) -> Any:
    first = i["first_solved_turn"]
    return {
        "mrr": np.mean(repair.reciprocal_turns(first)),
        "recall": repair.solved_from_first(first, 4)[:, -1].mean(),
    }


def turns(i: dict[str, Any]) -> Any:
    first = i["first_solved_turn"]
    return {
        "mean_turns_solved_only": repair.mean_turns_when_solved(first),
        "mean_turns_used_all": np.mean(repair.turns_used(first, i["T"])),
    }


def turns_no_samples(i: dict[str, Any]) -> Any:
    passed = [bool(x) for x in i["turn_outcomes"]]
    episode = UnitResult(
        "x", 0, "passed", tuple(TurnResult("passed" if p else "wrong_answer", p) for p in passed)
    )
    counted = tally([episode]).tasks["x"]
    assert counted.scored == 1, "an episode is one unit, however many turns it has"
    return {
        "solved@<=3": repair.submitted(passed, passed, "accepted-else-last", 3)[-1],
        "pass@1_if_turns_were_samples_WRONG": passk.pass_at_k(3, 1, 1),
        "pass@3_WRONG": passk.pass_at_k(3, 1, 3),
    }


BY_METRIC: dict[str, Callable[[dict[str, Any]], Any]] = {
    "pass@k/task": pass_at_k,
    "pass@k/mean over tasks": mean_pass_at_k,
    "pass@1/mean over tasks": mean_pass_at_k,
    "pass@k/mean over tasks with n>=k": restricted,
    "pass^k/task": pass_hat_k,
    "pass^k/mean over tasks": mean_pass_hat_k,
    "McNemar exact two-sided p": mcnemar,
    "repair tree pass rate/task": tree_rate,
    "95% CI of greedy pass@1": binary_interval,
}
BY_ID: dict[str, Callable[[dict[str, Any]], Any]] = {
    "plugin-bias": plug_in,
    "jensen-mean-p": from_mean,
    "unbiased-n5-k3": moments,
    "unbiased-n20-k10": moments,
    "unbiased-n12-k12": moments,
    "repair-t-basic": solved_basic,
    "repair-t-multi-episode": solved_episodes,
    "final-vs-oracle": final_and_oracle,
    "infra-bounds": lost_samples,
    "infra-bounds-episodes": lost_episodes,
    "budget-ratio": budget_ratio,
    "budget-calls": budget_calls,
    "mint-slope": slope,
    "mint-feedback": feedback,
    "ci-task-mean": task_mean,
    "bootstrap-exact-3": bootstrap_all,
    "bootstrap-exact-binary": bootstrap_binary,
    "clustered-se": clustered,
    "mcnemar-ldb": paired_greedy,
    "paired-sampled": paired_sampled,
    "hierarchical-pass1": hierarchical,
    "mde-164": mde,
    "required-n": needed,
    "mde-sampled": mde_sampled,
    "holm": lambda i: {"adjusted": compare.holm(i["p"])},
    "fwer": lambda i: {str(m): compare.family_error(m) for m in i["m"]},
    "cross-language": cross_language,
    "rounding": rounding,
    "pp-vs-relative": points,
    "rounding-half": half,
    "wilson-on-mean": wilson_mean,
    "saturated-pass10": saturated,
    "turn1-identity": first_turn,
    "mrr": reciprocal,
    "turns-conditional": turns,
    "turns-are-not-samples": turns_no_samples,
}


def agree(found: Any, expected: Any, tolerance: float) -> None:
    if isinstance(expected, dict) and "value" not in expected:
        assert set(found) == set(expected)
        for key, value in expected.items():
            agree(found[key], value, tolerance)
    elif isinstance(expected, list):
        for one, other in zip(found, expected, strict=True):
            agree(one, other, tolerance)
    elif expected is None or isinstance(expected, str | bool):
        assert found == expected
    else:
        assert abs(found - number(expected)) <= tolerance


@pytest.mark.parametrize("vector", load(), ids=lambda v: v["id"])
def test_published_vector(vector: dict[str, Any]) -> None:
    compute = BY_ID.get(vector["id"]) or BY_METRIC[vector["metric"]]
    if vector["expected"] is None:
        with pytest.raises(NotEstimable):
            compute(vector["inputs"])
        return
    agree(compute(vector["inputs"]), vector["expected"], vector["abs_tol"])


def test_no_published_vector_is_left_out() -> None:
    if not VECTORS.is_file():
        pytest.skip("research/vectors.json isn't beside this checkout")
    assert len(load()) == 115
