"""From what a program wrote and how it ended to its outcome."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.execution.inside.verdict import HEAD, TAIL, Channel, Stream, decide, equal

TOKEN = "0123456789abcdef0123456789abcdef"
RULES = {
    "wrong_answer": r"^AssertionError\b",
    "out_of_memory": r"^MemoryError\b",
    "compile_error": r"^SyntaxError\b",
    "diagnostic": [r"^\w+Error\b.*$"],
}
LIMITS = {"cpu_s": 10.0, "wall_s": 30.0, "memory_mb": 256, "output_bytes": 1000}


def case(expected: object, kind: str = "exact", tolerance: float = 1e-9) -> dict[str, Any]:
    return {"expected": expected, "kind": kind, "tolerance": tolerance, "shown": "f(1)"}


def step(**changed: Any) -> dict[str, Any]:
    nothing = {"head": "", "tail": "", "size": 0}
    report = {
        "name": "run",
        "exit_code": 0,
        "signal": None,
        "cpu_s": 0.1,
        "wall_s": 0.1,
        "memory_mb": 10.0,
        "stdout": nothing,
        "stderr": nothing,
        "stopped_by": "",
    }
    if "said" in changed:
        said = changed.pop("said")
        changed["stderr"] = {"head": said, "tail": "", "size": len(said)}
    return {**report, **changed}


def channel(text: str, cases: list[Any] | None = None) -> Channel:
    heard = Channel(TOKEN, cases)
    heard.feed(text.replace("TOKEN", TOKEN).encode())
    return heard


# ---- the channel


@pytest.mark.parametrize(
    ("text", "ended"),
    [
        ("TOKEN\n", True),
        ("noise\nTOKEN\nmore\n", True),
        ("TOKEN", False),  # the line isn't complete
        ("TOKEN \n", False),
        (" TOKEN\n", False),
        ("TOKEN end\n", False),  # what ends data tests doesn't end code tests
        ("", False),
    ],
)
def test_code_tests_end_with_the_token_alone_on_a_line(text: str, ended: bool) -> None:
    assert channel(text).ended is ended


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(1, 50), max_size=20), st.integers(0, 2000))
def test_the_channel_is_read_alike_however_it_is_cut(cuts: list[int], noise: int) -> None:
    data = b"x" * noise + f"\n{TOKEN} 0 [1, 2]\nzz\n{TOKEN} 1 3\n{TOKEN} end\n".encode()
    heard = Channel(TOKEN, [case([1, 2]), case(4)])
    at = 0
    for cut in [*cuts, len(data)]:
        heard.feed(data[at : at + cut])
        at += cut
    assert (heard.seen, heard.passed, heard.ended, heard.size) == (2, 1, True, len(data))
    assert heard.failed == {"index": 1, "expected": "4", "actual": "3", "shown": "f(1)"}


def test_results_out_of_order_are_no_results() -> None:
    for text in ("TOKEN 1 2\n", "TOKEN 0 1\nTOKEN 0 2\n", "TOKEN 0 1\nTOKEN 1 2\nTOKEN 2 3\n"):
        heard = channel(text + "TOKEN end\n", [case(1), case(2)])
        assert heard.broken
        assert decide(step(), LIMITS, heard, RULES)[0] == "runtime_error"


def test_a_result_that_is_no_json_or_far_too_long_is_wrong_and_clipped() -> None:
    for text in ("{", "[" * 60_000, "1" * 9_000_000, "nul"):
        heard = channel(f"TOKEN 0 {text}\nTOKEN end\n", [case(1)])
        assert heard.failed is not None
        assert len(heard.failed["actual"]) <= 2000
        assert decide(step(), LIMITS, heard, RULES)[0] == "wrong_answer"


# ---- equality


@pytest.mark.parametrize(
    ("actual", "expected", "same"),
    [
        (1, 1.0, True),
        (2.0, 2, True),
        (2.5, 2, False),
        (True, 1, False),
        (1, True, False),
        (True, True, True),
        (None, 0, False),
        (None, None, True),
        ("1", 1, False),
        ("é", "é", True),
        ([1, [2, "a"]], [1, [2, "a"]], True),
        ([1, 2], [2, 1], False),
        ([1], [1, 1], False),
        ([], {}, False),
        ({"a": 1}, {"a": 1.0}, True),
        ({"a": 1}, {"b": 1}, False),
        (math.nan, math.nan, True),
        (math.inf, math.inf, True),
        (math.inf, -math.inf, False),
        (0.1 + 0.2, 0.3, False),
        (10**400, 10**400, True),
    ],
)
def test_values_are_equal_by_the_rules_of_the_channel(
    actual: object, expected: object, same: bool
) -> None:
    assert equal(actual, expected, None) is same


@pytest.mark.parametrize(
    ("actual", "expected", "tolerance", "same"),
    [
        (0.1 + 0.2, 0.3, 1e-9, True),
        ([0.1 + 0.2, "a"], [0.3, "a"], 1e-9, True),
        (1.01, 1.0, 1e-3, False),
        (1e12 + 1, 1e12, 1e-9, True),  # relative beyond 1
        (math.nan, 1.0, 1e-3, False),
        (math.inf, 1e308, 1e-3, False),
        (math.inf, math.inf, 1e-3, True),
        (10**400, 1.0, 1e-3, False),
        (True, 1.0, 1.0, False),
    ],
)
def test_numbers_are_compared_within_the_tolerance(
    actual: object, expected: object, tolerance: float, same: bool
) -> None:
    assert equal(actual, expected, tolerance) is same


@settings(max_examples=50, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_every_value_equals_itself_after_json(value: object) -> None:
    assert equal(json.loads(json.dumps(value)), value, None)
    assert equal(json.loads(json.dumps(value)), value, 1e-9)


# ---- streams


@settings(max_examples=50, deadline=None)
@given(st.lists(st.binary(max_size=40_000), max_size=12))
def test_a_stream_keeps_head_and_tail_and_counts_all(parts: list[bytes]) -> None:
    stream, data = Stream(), b"".join(parts)
    for part in parts:
        stream.feed(part)
    clip = stream.clip()
    assert clip["size"] == len(data)
    if len(data) <= HEAD + TAIL:
        assert clip["head"] == data.decode("utf-8", "replace")
        assert clip["tail"] == ""
    else:
        assert clip["head"] == data[:HEAD].decode("utf-8", "replace")
        assert clip["tail"] == data[-TAIL:].decode("utf-8", "replace")


# ---- the order of questions


@pytest.mark.parametrize(
    ("report", "heard", "cases", "outcome"),
    [
        (step(), "TOKEN\n", None, "passed"),
        (step(), "", None, "runtime_error"),
        (step(), "TOKEN\n", [], "runtime_error"),  # a token alone ends no data tests
        (step(), "TOKEN end\n", [], "passed"),
        (step(), "TOKEN 0 1\nTOKEN end\n", [1], "passed"),
        (step(), "TOKEN 0 1\nTOKEN end\n", [1, 2], "runtime_error"),
        (step(), "TOKEN 0 1\n", [1], "runtime_error"),
        (step(), "TOKEN 0 2\nTOKEN end\n", [1], "wrong_answer"),
        (step(exit_code=1, said="ValueError: x"), "TOKEN 0 2\n", [1, 1], "wrong_answer"),
        (step(exit_code=1, said="ValueError: x"), "TOKEN 0 1\n", [1, 1], "runtime_error"),
        (step(exit_code=1, said="AssertionError: x"), "TOKEN 0 1\n", [1, 1], "runtime_error"),
        (step(exit_code=1, said="AssertionError: x"), "", None, "wrong_answer"),
        (step(exit_code=1, said="AssertionError: x"), "TOKEN\n", None, "runtime_error"),
        (step(exit_code=1, said="MemoryError"), "", None, "out_of_memory"),
        (step(exit_code=1, said="SyntaxError: x"), "", None, "compile_error"),
        (step(exit_code=0, said="AssertionError: x"), "", None, "runtime_error"),
        (step(exit_code=None, signal=11), "", None, "runtime_error"),
        (step(exit_code=3), "TOKEN\n", None, "runtime_error"),
        (step(stopped_by="cpu", exit_code=0), "TOKEN\n", None, "timeout"),
        (step(stopped_by="wall", exit_code=None, signal=9), "", None, "timeout"),
        (step(stopped_by="memory", exit_code=0), "TOKEN\n", None, "out_of_memory"),
        (step(stopped_by="output", exit_code=None), "TOKEN\n", None, "output_limit"),
        (step(stdout={"head": "", "tail": "", "size": 1001}), "TOKEN\n", None, "output_limit"),
        (step(stdout={"head": "", "tail": "", "size": 1000}), "TOKEN\n", None, "passed"),
        (step(stopped_by="cpu"), "TOKEN 0 2\n", [1], "timeout"),
        (step(name="compile", exit_code=1, said="SyntaxError: x"), "", None, "compile_error"),
        (step(name="compile", exit_code=None, stopped_by="cpu"), "", None, "timeout"),
        (step(name="compile", exit_code=1, stopped_by="memory"), "", None, "out_of_memory"),
    ],
)
def test_outcomes_by_precedence(
    report: dict[str, Any], heard: str, cases: list[Any] | None, outcome: str
) -> None:
    wanted = None if cases is None else [case(value) for value in cases]
    assert decide(report, LIMITS, channel(heard, wanted), RULES)[0] == outcome


def test_the_detail_is_one_short_line() -> None:
    said = "Traceback\n  File x\nValueError: " + "y" * 900 + "\n"
    detail = decide(step(exit_code=1, said=said), LIMITS, channel(""), RULES)[1]
    assert detail.startswith("ValueError: yyy")
    assert len(detail) <= 300
    assert "\n" not in detail
    assert decide(step(exit_code=None, signal=11), LIMITS, channel(""), RULES)[1] == (
        "killed by SIGSEGV"
    )
    assert decide(step(exit_code=7), LIMITS, channel(""), RULES)[1] == "exit code 7"
