"""Values against types, and their form on the channel."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.translation.made_typed import values_of
from workbench.translation.type_text import parse_type
from workbench.translation.values import channel_value, fit, holds, same, zero

_TEXTS = (
    "int",
    "float",
    "bool",
    "str",
    "list[int]",
    "dict[str, int]",
    "dict[int, str]",
    "tuple[int, str]",
    "list[tuple[bool, float | None]]",
)


@given(st.data())
def test_every_value_of_a_type_fits_it(data: st.DataObject) -> None:
    wanted = parse_type(data.draw(st.sampled_from(_TEXTS)))
    value = data.draw(values_of(wanted))
    assert same(wanted, fit(wanted, value, "v"), value)


@pytest.mark.parametrize("text", _TEXTS)
def test_the_zero_value_fits(text: str) -> None:
    wanted = parse_type(text)
    assert same(wanted, fit(wanted, zero(wanted), "v"), zero(wanted))


@pytest.mark.parametrize(
    ("text", "value", "says"),
    [
        ("int", True, r"v: True isn't a value of int"),
        ("int", 1.0, r"v: 1.0 isn't"),
        ("int", 2**63, r"isn't a value of int"),
        ("bool", 1, r"v: 1 isn't"),
        ("str", "\ud800", r"isn't a value of str"),
        ("list[int]", [1, "2"], r"v\[1\]: '2' isn't a value of int"),
        ("dict[str, int]", {"a": None}, r"v\['a'\]: None isn't"),
        ("tuple[int, int]", [1], r"v: \[1\] isn't a value of tuple\[int, int\]"),
        ("int", None, r"v: None isn't"),
        ("float", 2**53 + 1, r"isn't a value of float"),
    ],
)
def test_what_doesnt_fit_is_named_with_its_place(text: str, value: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        fit(parse_type(text), value, "v")


def test_an_int_becomes_a_float_where_one_is_wanted() -> None:
    (value,) = fit(parse_type("list[float]"), [3], "v")
    assert type(value) is float


def test_tuples_and_odd_keys_have_their_form_on_the_channel() -> None:
    wanted = parse_type("tuple[dict[int, str], dict[str, int]]")
    assert channel_value(wanted, ({2: "b", 1: "a"}, {"k": 1})) == [
        [[1, "a"], [2, "b"]],
        {"k": 1},
    ]
    assert channel_value(wanted, ({}, {})) == [[], {}]


def test_holds_looks_inside() -> None:
    assert holds(parse_type("list[dict[str, float | None]]"), "float")
    assert not holds(parse_type("list[int]"), "float")


def test_nan_is_the_same_as_itself() -> None:
    assert same(parse_type("float"), math.nan, math.nan)
    assert not same(parse_type("float"), 0.0, -0.0)
