"""Types and signatures, read and written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.translation.type_text import (
    parse_signature,
    parse_type,
    show_signature,
    show_type,
)
from workbench.translation.typed import Parameter, Signature, Type

_scalars = st.sampled_from([Type(n) for n in ("int", "float", "bool", "str")])
_types = st.recursive(
    _scalars,
    lambda inner: st.one_of(
        inner.map(lambda t: Type("list", (t,))),
        inner.map(lambda t: t if t.name == "optional" else Type("optional", (t,))),
        inner.map(lambda t: Type("dict", (Type("str"), t))),
        st.lists(inner, min_size=1, max_size=3).map(lambda ts: Type("tuple", tuple(ts))),
    ),
    max_leaves=6,
)


@given(_types)
def test_what_is_written_reads_as_the_same_type(wanted: Type) -> None:
    assert parse_type(show_type(wanted)) == wanted


def test_both_spellings_of_an_optional_are_one() -> None:
    assert parse_type("Optional[str]") == parse_type("str | None")


def test_a_signature_reads_back() -> None:
    text = "join_all(parts: list[str], sep: str) -> str | None"
    signature = parse_signature(text)
    assert signature == Signature(
        "join_all",
        (Parameter("parts", Type("list", (Type("str"),))), Parameter("sep", Type("str"))),
        Type("optional", (Type("str"),)),
    )
    assert show_signature(signature) == text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("set[int]", "unknown type 'set'"),
        ("list", "expected '\\['"),
        ("list[int", "the end"),
        ("list[int] int", "unexpected 'int'"),
        ("dict[str]", "dict takes 2"),
        ("dict[float, int]", "dict keys"),
        ("list[int, int]", "list takes 1"),
        ("Optional[int | None]", "optional of an optional"),
        ("int | str", "expected 'None'"),
        ("", "found the end"),
    ],
)
def test_a_wrong_type_is_refused_in_one_line(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says) as caught:
        parse_type(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Name(a: int) -> int", "snake_case"),
        ("f(a: int, a: int) -> int", "stands twice"),
        ("f(a int) -> int", "expected ':'"),
        ("f(a: int)", "expected '->'"),
        ("f(a: int) -> int:", "unexpected ':'"),
    ],
)
def test_a_wrong_signature_is_refused(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        parse_signature(text)
