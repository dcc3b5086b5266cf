"""From units to labelled numbers: denominators, losses, what isn't estimable, the exported object."""

from __future__ import annotations

import json

import pytest

from tests.metrics.cells import episode, plain, repair, samples
from workbench.metrics import intervals
from workbench.metrics.measure import measure_pass_hat, measure_plain
from workbench.metrics.measure_repair import (
    measure_episodes,
    measure_repair,
    measure_repair_budget,
    measure_repair_detail,
)
from workbench.metrics.units import OUTCOMES, TurnResult, UnitResult
from workbench.protocol.metric import LabelError
from workbench.protocol.parse import parse_label


def test_the_mean_is_over_tasks_and_never_pooled() -> None:
    units = samples("●" * 4, "W")
    (found,) = measure_plain(plain(2, 4), units, [1], units_planned=5)
    assert found.value == 0.5
    assert found.by_task == {"t0": 1.0, "t1": 0.0}
    assert "n=4 (1–4)" in str(found.label)


def test_a_complete_cell() -> None:
    found = measure_plain(plain(2, 3), samples("●WW", "●●T"), [1, 2, 3])
    assert [m.value for m in found] == pytest.approx([0.5, (2 / 3 + 1) / 2, 1.0])
    assert [str(m.metric) for m in found] == ["pass@1", "pass@2", "pass@3"]
    for m in found:
        assert not m.provisional
        assert (m.tasks.planned, m.tasks.scored) == (2, 2)
        assert (m.units.kind, m.units.planned, m.units.scored, m.units.lost) == ("sample", 6, 6, 0)
        assert m.bounds is None
        assert parse_label(str(m.label)) == m.label
        assert m.fingerprint == m.label.fingerprint


def test_the_exported_object_has_its_keys_and_is_json() -> None:
    (found,) = measure_plain(plain(2, 3), samples("●W!", "●●T"), [1])
    made = json.loads(json.dumps(found.to_json()))
    assert {
        "label",
        "fingerprint",
        "benchmark",
        "suite",
        "language",
        "mode",
        "metric",
        "k",
        "value",
        "interval",
        "tasks",
        "units",
        "outcomes",
    } <= set(made)
    assert made["metric"] == "pass@1"
    assert made["k"] == 1
    assert made["units"] == {"kind": "sample", "planned": 6, "scored": 5, "lost": 1}
    assert set(made["tasks"]) >= {"planned", "scored", "excluded"}
    assert list(made["outcomes"]) == list(OUTCOMES)
    assert sum(made["outcomes"].values()) == 6
    assert set(made["interval"]) == {"low", "high", "level", "method"}


def test_lost_units_shrink_n_and_are_printed_with_bounds() -> None:
    (found,) = measure_plain(plain(1, 20), samples("●" * 5 + "W" * 13 + "!?"), [1])
    assert found.value == pytest.approx(5 / 18)
    assert found.bounds == pytest.approx((0.25, 0.35))
    assert (found.units.scored, found.units.lost, found.units.pending) == (18, 2, 0)
    assert "2 of 20 samples lost, not scored: 1 generation_failed, 1 sandbox_error" in found.notes
    assert any("more than 1 % lost" in note for note in found.notes)
    assert "n=20 (18–18)" in str(found.label)


def test_lost_units_change_nothing_but_the_counts() -> None:
    (without,) = measure_plain(plain(2, 2), samples("●W", "WW"), [1])
    (with_lost,) = measure_plain(plain(2, 3), samples("●W!", "WW?"), [1])
    assert with_lost.value == without.value
    assert with_lost.interval == without.interval


def test_a_task_lost_whole_leaves_a_subset_and_says_so() -> None:
    (found,) = measure_plain(plain(3, 1), samples("●", "W", "!"), [1])
    assert found.value == 0.5
    assert (found.tasks.planned, found.tasks.scored) == (3, 2)
    assert "{2 of 3 tasks: n≥1}" in str(found.label)
    assert "rests on 2 of 3 tasks" in found.notes
    assert found.bounds == pytest.approx((1 / 3, 2 / 3))


def test_tasks_chosen_by_having_lost_nothing_carry_no_pass_at_k() -> None:
    rows = ["●●W!"] * 20 + ["WCTW"] * 20
    one, four = measure_plain(plain(40, 4), samples(*rows), [1, 4])
    assert one.value == pytest.approx(1 / 3)
    assert four.missing == "losses left 20 of 40 tasks below k 4"
    (hardly,) = measure_plain(plain(200, 2), samples("●!", *["●W"] * 199), [2])
    assert hardly.value == 1.0
    assert "{199 of 200 tasks: n≥2}" in str(hardly.label)
    assert "{199 of 200}" in hardly.label.short()


def test_k_above_n_is_not_estimable() -> None:
    one, ten = measure_plain(plain(2, 5), samples("●●●●●", "WWWWW"), [1, 10])
    assert one.value == 0.5
    assert ten.value is None
    assert ten.interval is None
    assert ten.missing == "n 5 < k 10"
    assert ten.to_json()["notes"][0] == "not estimable: n 5 < k 10"
    assert "pass@10 (n=5, T=0.8, top_p=0.95)" in str(ten.label)


def test_unequal_n_below_k_is_not_estimable_for_the_set() -> None:
    (found,) = measure_plain(plain(2, 10), samples("●" * 10, "●●●"), [5], units_planned=13)
    assert found.value is None
    assert found.missing == "1 task has n < k 5 (smallest n 3)"


def test_a_running_cell_is_provisional() -> None:
    found = measure_plain(plain(3, 2), samples("●W", "W"), [1, 2])
    assert [m.value for m in found] == [0.25, 1.0]
    for m in found:
        assert m.provisional
        assert m.units.pending == 3
        assert m.notes[0] == "provisional: 3 of 6 samples scored"
        assert "of 3 tasks:" not in str(m.label)


def test_nothing_yet_has_a_reason() -> None:
    (found,) = measure_plain(plain(3, 2), [], [1])
    assert (found.value, found.missing) == (None, "nothing scored yet")
    (lost,) = measure_plain(plain(1, 1), samples("?"), [1])
    assert (lost.value, lost.missing) == (None, "every task lost too many units for n 1")


def test_greedy_is_in_the_metric_and_has_no_k() -> None:
    cell = plain(2, 1, regime="greedy")
    (found,) = measure_plain(cell, samples("●", "W"))
    assert str(found.metric) == "pass@1 (greedy)"
    with pytest.raises(LabelError, match="greedy"):
        measure_plain(cell, samples("●", "W"), [1, 10])


def test_completions_from_elsewhere_say_so() -> None:
    (found,) = measure_plain(plain(2, 1, regime="given"), samples("●", "W"))
    assert "pass@1 (n=1, as given)" in str(found.label)
    assert found.to_json()["metric"] == "pass@1"


def test_reliability_is_its_own_metric() -> None:
    (found,) = measure_pass_hat(plain(1, 4), samples("●●●W"), [2])
    assert found.value == pytest.approx(0.5)
    assert str(found.metric) == "pass^2"


def test_exclusions_are_counted_apart_with_reasons() -> None:
    cell = plain(2, 1, exclusions={"t9": "reference fails"})
    (found,) = measure_plain(cell, samples("●", "W"))
    assert found.tasks.to_json()["excluded"] == 1
    assert found.tasks.to_json()["exclusions"] == {"t9": "reference fails"}


def test_a_plain_process_is_named_under_the_number() -> None:
    (found,) = measure_plain(plain(2, 1, sandbox="process"), samples("●", "W"))
    assert "!UNSANDBOXED" in str(found.label)
    assert any("plain process" in note for note in found.notes)


def test_the_interval_follows_the_rule() -> None:
    cell = plain(164, 1, regime="greedy")
    (found,) = measure_plain(cell, samples(*"●" * 136, *"W" * 28))
    assert found.interval == intervals.wilson(136, 164)
    (sampled,) = measure_plain(
        plain(120, 2), samples(*["●W"] * 60, *["●●"] * 30, *["WW"] * 30), [1]
    )
    assert sampled.interval is not None
    assert sampled.interval.method == "t"


def test_all_alike_is_suspicious_and_changes_nothing() -> None:
    (found,) = measure_plain(plain(100, 1), samples(*"C" * 100), [1])
    assert found.suspicious == "none of 100 passed; 100 are compile_error"
    assert found.value == 0.0
    (few,) = measure_plain(plain(20, 1), samples(*"C" * 20), [1])
    assert few.suspicious == ""


# --- Repair ---------------------------------------------------------------------------------------

EPISODES = [
    episode("a", 0, "W●", accepted=[2]),
    episode("b", 0, "W", accepted=[1]),
    episode("c", 0, "W●W"),
    episode("d", 0, "●", accepted=[1]),
]


def test_solved_counts_what_was_handed_in_and_any_turn_is_the_oracle() -> None:
    found = measure_repair(repair(4, 1), EPISODES)
    assert [str(m.metric) for m in found] == [
        "solved@≤1",
        "solved@≤2",
        "solved@≤3",
        "any-turn@≤3 (oracle)",
    ]
    assert [m.value for m in found] == [0.25, 0.75, 0.5, 0.75]
    for m in found:
        assert m.units.kind == "episode"
        assert (m.mode, m.recipe) == ("repair", "repair-visible")
        assert m.to_json()["k"] is None
        assert parse_label(str(m.label)) == m.label


def test_solved_at_one_is_plain_pass_at_one_of_the_same_programs() -> None:
    units = [
        episode("a", 0, "●", accepted=[1]),
        episode("a", 1, "W●", accepted=[2]),
        episode("b", 0, "CW"),
        episode("b", 1, "●", accepted=[1]),
        episode("b", 2, "W"),
    ]
    first = [UnitResult(u.task, u.index, u.turns[0].outcome) for u in units]
    (solved, *_) = measure_repair(repair(2, 3), units, [1], units_planned=5)
    (passed,) = measure_plain(plain(2, 3), first, [1], units_planned=5)
    assert solved.value == passed.value
    assert solved.interval == passed.interval


def test_live_rows_with_the_first_solved_turn_are_enough() -> None:
    units = [
        UnitResult("a", 0, "passed", solved_turn=2),
        UnitResult("b", 0, "timeout"),
    ]
    found = measure_repair(repair(2, 1), units)
    assert [m.value for m in found] == [0.0, 0.5, 0.5, 0.5]


def test_lost_episodes_are_not_scored_at_any_cut() -> None:
    units = [episode("a", 0, "●", accepted=[1]), episode("b", 0, "W?")]
    found = measure_repair(repair(2, 1), units)
    assert [m.value for m in found] == [1.0] * 4
    assert found[0].bounds == (0.5, 1.0)
    assert found[0].units.lost == 1
    assert "{1 of 2 tasks: n≥1}" in str(found[0].label)


def test_what_repair_does() -> None:
    by_name = {str(m.metric): m for m in measure_repair_detail(repair(4, 1), EPISODES)}
    assert by_name["fix-rate@2"].value == pytest.approx(2 / 3)
    assert by_name["fix-rate@3"].value == 0.0
    assert by_name["break-rate@≤3"].value == 1.0
    assert by_name["false-accept@≤3"].value == pytest.approx(1 / 3)
    assert by_name["mrr@≤3"].value == pytest.approx((0.5 + 0 + 0.5 + 1) / 4)
    assert by_name["turns@≤3"].value == pytest.approx((2 + 3 + 2 + 1) / 4)
    assert "2 of 3 unsolved episodes, over episodes" in by_name["fix-rate@2"].notes
    assert all(m.tasks.scored == 4 for m in by_name.values())
    assert "{" not in str(by_name["fix-rate@2"].label)
    interval = by_name["fix-rate@2"].interval
    assert interval is not None
    assert (interval.method, interval.seed, interval.resamples) == ("bootstrap", 0, 10_000)


def test_a_rate_of_nothing_is_not_estimable() -> None:
    units = [episode("a", 0, "●", accepted=[1])]
    by_name = {str(m.metric): m for m in measure_repair_detail(repair(1, 1), units)}
    assert by_name["fix-rate@2"].missing == "no unsolved episode"
    assert by_name["break-rate@≤3"].missing == "no repaired passing program"


def test_a_token_budget_cuts_between_turns() -> None:
    found = measure_repair_budget(repair(4, 1), EPISODES, [99, 100, 200, 300])
    assert [m.value for m in found] == [0.0, 0.25, 0.75, 0.5]
    assert str(found[1].metric) == "solved@≤100 tok"


def test_a_token_budget_needs_counted_tokens() -> None:
    unknown = UnitResult("a", 0, "passed", (TurnResult("passed", True),))
    first_solved = UnitResult("a", 0, "passed", solved_turn=1)
    for unit in (unknown, first_solved):
        (found,) = measure_repair_budget(repair(1, 1), [unit], [100])
        assert found.missing == "tokens of some turns aren't known"


def test_k_counts_episodes() -> None:
    units = [
        episode("a", 0, "●", accepted=[1]),
        episode("a", 1, "W"),
        episode("b", 0, "WWW"),
        episode("b", 1, "WWW"),
    ]
    found = {str(m.metric): m for m in measure_episodes(repair(2, 2), units, [2, 3])}
    assert found["any-of-2 episodes, ≤3"].value == 0.5
    assert found["all-of-2 episodes, ≤3"].value == 0.0
    assert found["any-of-3 episodes, ≤3"].missing == "n 2 < episodes 3"


def test_a_prompt_that_announces_the_budget_can_not_be_cut() -> None:
    found = measure_repair(repair(4, 1, announces_budget=True), EPISODES)
    assert [m.value for m in found[:2]] == [None, None]
    assert found[0].missing == "the prompt announces 3 turns: no cut at 1"
    assert found[2].value == 0.5


def test_pass_at_k_has_one_home() -> None:
    with pytest.raises(LabelError, match="pass@k of a repair cell"):
        measure_plain(repair(4, 1), EPISODES, [3])
    with pytest.raises(LabelError, match="plain cell"):
        measure_repair(plain(4, 1), EPISODES, [3])
    with pytest.raises(ValueError, match=r"turns 1\.\.3"):
        measure_repair(repair(4, 1), EPISODES, [4])


def test_an_empty_repair_cell_has_reasons_not_errors() -> None:
    for m in (*measure_repair(repair(2, 1), []), *measure_repair_detail(repair(2, 1), [])):
        assert m.value is None
        assert m.missing


def test_picking_lies_between_a_lot_and_an_oracle() -> None:
    from workbench.metrics.measure_picked import measure_picked

    cell, units = plain(2, 3), samples("●WW", "●●T")
    scores = {(u.task, u.index): float(u.passed) for u in units}
    knowing, blind = (
        measure_picked(cell, units, found, "visible-tests", [1, 2, 3])
        for found in (scores, dict.fromkeys(scores, 0.0))
    )
    oracle = measure_plain(cell, units, [1, 2, 3])
    assert [m.value for m in knowing] == pytest.approx([m.value for m in oracle])
    assert [m.value for m in blind] == pytest.approx([oracle[0].value] * 3)
    (unknown,) = measure_picked(cell, units, {**scores, ("t0", 0): None}, "visible-tests", [2])
    assert (unknown.value, unknown.missing) == (None, "1 of 6 samples have nothing to be picked by")
