"""Protocols: what changes a fingerprint, what doesn't, and what may stand in one column."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from pydantic import ValidationError

from workbench.protocol.canonical import canonical_json, decimal_text, sha256_json
from workbench.protocol.comparison import may_pair, may_share_column
from workbench.protocol.fingerprint import fingerprint, tasks_sha256
from workbench.protocol.kinds import Kind
from workbench.protocol.metric import LabelError, MetricKind, pass_at, solved_at
from workbench.protocol.naming import cell_name, label, pass_metric
from workbench.protocol.parse import parse_label
from workbench.protocol.records import Protocol

PLAIN: dict[str, Any] = {
    "gen": {
        "mode": "plain",
        "prompt_style": "chat",
        "template": "Solve this.\n{{ prompt }}\n",
        "stop": ["\ndef", "\nclass"],
        "max_tokens": 512,
        "regime": "sampled",
        "temperature": 0.8,
        "top_p": 0.95,
        "seed_policy": "seed + index",
    },
    "eval": {
        "benchmark": "starter",
        "revision": "1",
        "data_sha256": "ab" * 32,
        "suite": "base",
        "language": "python",
        "tasks": 20,
        "tasks_sha256": tasks_sha256(f"starter/{i}" for i in range(20)),
        "extraction": "tree-sitter/1",
        "limits": {
            "run": {
                "cpu_s": 10,
                "wall_s": 30.0,
                "memory_mb": 512,
                "output_bytes": 1048576,
                "processes": 128,
            }
        },
        "sandbox": "docker",
        "toolchain": {"versions": {"python": "3.13.5"}, "content_sha256": "cd" * 32},
    },
    "record": {"n": 10, "ks": [1, 10], "model": "local/smollm2-135m", "workbench": "0.1.0"},
}
RECIPE = {
    "name": "repair-visible",
    "feedback": [{"name": "visible-tests"}, {"name": "compiler"}, {"name": "runtime"}],
    "turns": 3,
    "templates": {"feedback": "It failed:\n{{ report }}"},
}


def protocol(base: dict[str, Any] | None = None, **changes: Any) -> Protocol:
    """A protocol with some fields set, named `part__field` or `part__field__key`."""
    raw = json.loads(json.dumps(base or PLAIN))
    for path, value in changes.items():
        *parents, last = path.split("__")
        target = raw
        for name in parents:
            target = target.setdefault(name, {})
        target[last] = value
    return Protocol.model_validate(raw)


def repair(**changes: Any) -> Protocol:
    recipe = json.loads(json.dumps(RECIPE))
    return protocol(None, gen__mode="repair", gen__recipe=recipe, **changes)


def test_a_protocol_reads_back_from_its_json() -> None:
    for made in (protocol(), repair()):
        again = Protocol.model_validate_json(made.model_dump_json())
        assert again == made
        assert fingerprint(again) == fingerprint(made)


def test_the_fingerprint_is_known_and_does_not_move_by_accident() -> None:
    assert fingerprint(protocol()).shown == "2050648c943a"
    assert fingerprint(repair()).shown == "8379b5eb990d"


def test_the_fingerprint_does_not_depend_on_the_process() -> None:
    code = (
        "import sys; from workbench.protocol.records import Protocol;"
        "from workbench.protocol.fingerprint import fingerprint;"
        "print(fingerprint(Protocol.model_validate_json(sys.stdin.read())).whole)"
    )
    out = subprocess.run(
        [sys.executable, "-c", code],
        input=protocol().model_dump_json(),
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONHASHSEED": "7", "PYTHONPATH": ":".join(sys.path)},
    )
    assert out.stdout.strip() == fingerprint(protocol()).whole


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("record__n", 20),
        ("record__ks", [1, 5]),
        ("record__model", "openai/gpt-4o-mini"),
        ("record__accessed", ["2026-11-28T10:00:00Z", "2026-11-30T10:00:00Z"]),
        ("record__seed", 7),
        ("record__image_digest", "sha256:12"),
        ("record__workbench", "0.2.0"),
        ("record__environment", {"system": "Linux 6.1"}),
        ("record__contamination", "published before the model's cutoff"),
        ("record__retries", {"generation": "at most 3"}),
    ],
)
def test_what_may_differ_between_rows_changes_no_fingerprint(field: str, value: Any) -> None:
    changed = protocol(**{field: value})
    assert fingerprint(changed) == fingerprint(protocol())
    verdict = may_share_column(protocol(), changed)
    assert verdict.kind is Kind.INCIDENTAL
    assert verdict.one_column
    assert verdict.differences[0].field.startswith(field.replace("__", "."))


@pytest.mark.parametrize(
    ("field", "value", "part"),
    [
        ("gen__temperature", 0.2, "gen"),
        ("gen__top_p", None, "gen"),
        ("gen__template", "Do this.\n{{ prompt }}", "gen"),
        ("gen__system", "You are terse.", "gen"),
        ("gen__stop", ["\ndef"], "gen"),
        ("gen__max_tokens", 1024, "gen"),
        ("gen__prompt_style", "complete", "gen"),
        ("gen__prompt_changes", ["trailing newline removed"], "gen"),
        ("gen__parameters", {"top_k": 40}, "gen"),
        ("eval__extraction", "raw/1", "eval"),
        ("eval__limits__run__cpu_s", 3, "eval"),
        ("eval__limits_policy", "published", "eval"),
        ("eval__sandbox", "bubblewrap", "eval"),
        ("eval__toolchain__versions", {"python": "3.12.1"}, "eval"),
        ("eval__assembly_sha256", "00", "eval"),
        ("eval__supervisor_sha256", "00", "eval"),
        ("rep__level", 0.9, "rep"),
        ("rep__estimator", "2", "rep"),
    ],
)
def test_material_differences_stand_side_by_side(field: str, value: Any, part: str) -> None:
    one, two = fingerprint(protocol()), fingerprint(protocol(**{field: value}))
    assert one.whole != two.whole
    assert {p for p in ("gen", "eval", "rep") if getattr(one, p) != getattr(two, p)} == {part}
    verdict = may_share_column(protocol(), protocol(**{field: value}))
    assert verdict.kind is Kind.MATERIAL
    assert not verdict.one_column
    assert verdict.side_by_side
    assert field.replace("__", ".") in verdict.reason


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("eval__benchmark", "humaneval"),
        ("eval__revision", "2"),
        ("eval__data_sha256", "00" * 32),
        ("eval__suite", "plus"),
        ("eval__tasks_sha256", tasks_sha256(["starter/0"])),
        ("eval__exclusions", {"starter/3": "no reference"}),
    ],
)
def test_identity_differences_are_never_one_column(field: str, value: Any) -> None:
    verdict = may_share_column(protocol(), protocol(**{field: value}))
    assert verdict.kind is Kind.IDENTITY
    assert not verdict.side_by_side
    assert verdict.differences[0].field.startswith(field.replace("__", "."))


def test_plain_and_repair_never_share_a_column() -> None:
    verdict = may_share_column(protocol(), repair())
    assert verdict.kind is Kind.IDENTITY
    assert verdict.reason == "gen.mode: plain → repair"


def test_two_metrics_never_share_a_column() -> None:
    verdict = may_share_column(protocol(), protocol(), (pass_at(1), pass_at(10)))
    assert verdict.kind is Kind.IDENTITY
    assert verdict.reason == "metric: pass@1 → pass@10"
    assert may_share_column(protocol(), protocol(), (pass_at(1), pass_at(1))).kind is Kind.SAME


def test_recipes_differ_by_what_they_mean_not_by_name() -> None:
    renamed = repair(gen__recipe__name="mine")
    assert fingerprint(renamed) == fingerprint(repair())
    assert may_share_column(repair(), renamed).kind is Kind.INCIDENTAL
    longer = repair(gen__recipe__turns=5)
    verdict = may_share_column(repair(), longer)
    assert verdict.kind is Kind.MATERIAL
    assert verdict.reason == "gen.recipe.turns: 3 → 5"


def test_languages_stand_side_by_side_and_what_follows_from_them_is_no_difference() -> None:
    go = protocol(
        eval__language="go",
        eval__data_sha256="11" * 32,
        eval__tasks_sha256="22" * 32,
        eval__toolchain={"versions": {"go": "1.24"}},
        eval__limits__run__cpu_s=20,
        gen__stop=["\nfunc"],
    )
    verdict = may_share_column(protocol(), go)
    assert verdict.kind is Kind.MATERIAL
    assert verdict.reason == "eval.language: python → go"


def test_a_comparison_on_common_tasks_may_differ_in_its_tasks_only() -> None:
    fewer = protocol(eval__tasks=5, eval__tasks_of=20, eval__tasks_sha256="33" * 32)
    assert may_share_column(protocol(), fewer).kind is Kind.IDENTITY
    assert may_pair(protocol(), fewer).kind is Kind.SAME
    assert may_pair(protocol(), protocol(eval__suite="plus")).kind is Kind.IDENTITY


def test_long_texts_are_named_by_their_hash() -> None:
    verdict = may_share_column(protocol(), protocol(gen__system="x" * 400))
    assert "gen.system: none → 400 characters, sha256 " in verdict.reason
    assert len(verdict.reason) < 120


def test_line_ends_number_spelling_and_order_change_nothing() -> None:
    same = protocol(
        gen__template="Solve this.\r\n{{ prompt }}\r\n",
        gen__temperature="0.80",
        gen__top_p=0.950,
        gen__stop=["\nclass", "\ndef"],
        eval__limits__run__cpu_s="10.0",
    )
    assert same == protocol()
    assert fingerprint(same) == fingerprint(protocol())


@pytest.mark.parametrize(
    "changes",
    [
        {"gen__recipe": RECIPE},
        {"gen__mode": "repair"},
        {"gen__temperature": None},
        {"gen__regime": "greedy"},
        {"gen__regime": "greedy", "gen__temperature": None},
        {"gen__unknown": 1},
        {"gen__temperature": "warm"},
        {"gen__temperature": float("inf")},
    ],
)
def test_a_protocol_that_contradicts_itself_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises((ValidationError, ValueError)):
        protocol(**changes)


def test_canonical_json_refuses_floats_and_keeps_null() -> None:
    assert canonical_json({"b": None, "a": ["é", 1, True]}) == '{"a":["é",1,true],"b":null}'
    with pytest.raises(TypeError):
        canonical_json({"a": 0.8})
    assert sha256_json({"a": "x\r\ny"}) == sha256_json({"a": "x\ny"})


@pytest.mark.parametrize(
    ("given", "text"),
    [(0.8, "0.8"), ("0.80", "0.8"), (1, "1"), (1.0, "1"), ("1e-3", "0.001"), (0, "0"), (-0.0, "0")],
)
def test_decimals_have_one_spelling(given: object, text: str) -> None:
    assert decimal_text(given) == text


# --- From protocol to label -----------------------------------------------------------------------


def test_a_cell_names_itself() -> None:
    assert cell_name(protocol()) == "starter/python@1+base · plain"
    assert (
        cell_name(repair(eval__tasks=5, eval__tasks_of=20))
        == "starter/python@1{5 of 20 tasks}+base"
        " · repair[compiler+runtime+visible-tests; last; stop=visible; ≤3]"
    )


def test_labels_of_a_cell_read_back() -> None:
    plain = label(protocol(), pass_at(10), n=10, spread=(8, 10))
    assert str(plain).startswith(
        "starter/python@1+base · plain · pass@10 (n=10 (8–10), T=0.8, top_p=0.95) #"
    )
    solved = label(repair(), solved_at(3), n=10, spread=(10, 10))
    assert "solved@≤3 (m=10, T=0.8, top_p=0.95) #" in str(solved)
    for made in (plain, solved):
        assert parse_label(str(made)) == made


def test_a_plain_process_shows_in_every_label() -> None:
    unsafe = protocol(eval__sandbox="process")
    named = label(unsafe, pass_at(1), n=10)
    assert "!UNSANDBOXED" in str(named)
    assert "!UNSANDBOXED" in named.short()


def test_a_leak_shows_in_every_label_whoever_says_so() -> None:
    for part in ({"name": "hidden-tests"}, {"name": "my-hint", "leak": True}):
        leaking = repair(gen__recipe__feedback=[{"name": "compiler"}, part])
        named = label(leaking, solved_at(2), n=1)
        assert "!LEAK" in str(named)
        assert "!LEAK" in named.short("mine")


def test_greedy_draws_have_one_metric() -> None:
    greedy = protocol(
        gen__regime="greedy", gen__temperature=0, gen__top_p=None, record__ks=[1], record__n=1
    )
    assert pass_metric(greedy, 1).kind is MetricKind.PASS_GREEDY
    with pytest.raises(LabelError, match="greedy"):
        pass_metric(greedy, 10)
    assert "pass@1 (greedy) (n=1) #" in str(label(greedy, pass_metric(greedy, 1), n=1))


def test_a_metric_of_another_mode_gets_no_label() -> None:
    with pytest.raises(LabelError):
        label(repair(), pass_at(3), n=3)
    with pytest.raises(LabelError):
        label(protocol(), solved_at(3), n=3)


def test_long_revisions_are_cut_in_the_label_and_whole_in_the_hash() -> None:
    sha = "2838420b7b4492cf3d16bce5320e26e65960c9e2"
    named = label(protocol(eval__revision=sha), pass_at(1), n=10)
    assert "@2838420b+base" in str(named)
    assert fingerprint(protocol(eval__revision=sha)) != fingerprint(
        protocol(eval__revision=sha[:8])
    )


def test_labels_need_no_pydantic_to_be_read() -> None:
    code = (
        "import sys, workbench.protocol.parse, workbench.metrics.measurement,"
        "workbench.report.numbers; print([m for m in ('pydantic', 'numpy', 'scipy', 'textual')"
        " if m in sys.modules])"
    )
    out = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert out.stdout.strip() == "[]"
