"""Prompts, names, calls and literals in the five languages."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.translation.made_typed import LANGUAGES, in_language, made, values_of
from workbench import languages
from workbench.source_text import Source
from workbench.translation.type_text import parse_type
from workbench.translation.values import same

TASK = made(
    "pick_longest(the_list: list[str], default_value: str | None) -> str | None",
    [(["a", "bc"], None, "bc"), ([], None, None)],
)

PROMPTS = {
    "python": """\
def pick_longest(the_list: list[str], default_value: str | None) -> str | None:
    \""" Do it with the_list, or None.
    >>> pick_longest(['a', 'bc'], None)
    'bc'
    >>> pick_longest([], None)
    None
    \"""
""",
    "cpp": """\
/*
Do it with the_list, or nullopt.
>>> pick_longest({"a", "bc"}, nullopt)
"bc"
>>> pick_longest({}, nullopt)
nullopt
*/
#include <optional>
#include <string>
#include <vector>
using namespace std;
optional<string> pick_longest(vector<string> the_list, optional<string> default_value) {
""",
    "java": """\
import java.util.*;

class Solution {
    /**
     * Do it with theList, or Optional.empty().
     * >>> pickLongest(List.of("a", "bc"), Optional.empty())
     * Optional.of("bc")
     * >>> pickLongest(List.of(), Optional.empty())
     * Optional.empty()
     */
    public Optional<String> pickLongest(List<String> theList, Optional<String> defaultValue) {
""",
    "js": """\
/**
 * Do it with theList, or null.
 * >>> pickLongest(["a", "bc"], null)
 * "bc"
 * >>> pickLongest([], null)
 * null
 * @param {string[]} theList
 * @param {string | null} defaultValue
 * @returns {string | null}
 */
function pickLongest(theList, defaultValue) {
""",
    "go": """\
package main

// Do it with theList, or nil.
// >>> PickLongest([]string{"a", "bc"}, nil)
// "bc"
// >>> PickLongest([]string{}, nil)
// nil
func PickLongest(theList []string, defaultValue *string) *string {
""",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_prompt_is_what_an_author_of_the_language_would_write(language: str) -> None:
    assert languages.load(language).printer.prompt(TASK) == PROMPTS[language]


@pytest.mark.parametrize(
    ("language", "call"),
    [
        ("python", "mix(-3, 2.0, True, {'k': [1, 5000000000]})"),
        ("cpp", 'mix(-3, 2.0, true, {{"k", {1, 5000000000}}})'),
        ("java", 'mix(-3, 2.0, true, Map.of("k", List.of(1L, 5000000000L)))'),
        ("js", 'mix(-3, 2, true, {"k": [1, 5000000000]})'),
        ("go", 'Mix(-3, 2.0, true, map[string][]int{"k": []int{1, 5000000000}})'),
    ],
)
def test_a_call_reads_as_a_person_would_write_it(language: str, call: str) -> None:
    task = made(
        "mix(a: int, b: float, c: bool, d: dict[str, list[int]]) -> int",
        [(-3, 2.0, True, {"k": [1, 5000000000]}, 0)],
    )
    assert languages.load(language).printer.call(task, task.visible[0]) == call


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_name_that_the_language_keeps_for_itself_is_changed(language: str) -> None:
    task = made("switch(default: int, lambda: int, func: int, map: int) -> int", [(1, 2, 3, 4, 5)])
    grammar = languages.load(language).grammar
    prompt = languages.load(language).printer.prompt(task)
    whole = Source.parse(grammar, prompt + _ENDS[language])
    assert not whole.root.has_error, prompt


_ENDS = {
    "python": "    return 0\n",
    "cpp": "}\n",
    "java": "}}\n",
    "js": "}\n",
    "go": "return 0\n}\n",
}
_AWKWARD = ['*/ """ \\u0041 \\', "'''", "// %s {x} `tick`", "?" * 3, "\n\t\r", "é€😀"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_example_breaks_out_of_the_comment(language: str) -> None:
    task = made("f(text: str) -> str", [(text, text) for text in _AWKWARD])
    prompt = languages.load(language).printer.prompt(task)
    whole = Source.parse(languages.load(language).grammar, prompt + _ENDS[language])
    assert not whole.root.has_error, prompt
    assert (
        len(list(whole.nodes("function_definition", "method_declaration", "function_declaration")))
        == 1
    )


def _module(language: str, name: str) -> Any:
    # The literal is a matter between a folder's printer and its driver: no hook of the contract.
    return languages.load(language)._module(name)  # pyright: ignore[reportPrivateUsage]


_TYPES = ("int", "float", "bool", "str", "list[str]", "dict[str, int]", "dict[int, bool]",
          "tuple[str, float]", "list[list[int | None]]")  # fmt: skip


@given(st.data())
def test_a_python_literal_is_the_value(data: st.DataObject) -> None:
    wanted = parse_type(data.draw(st.sampled_from(_TYPES)))
    value = data.draw(values_of(wanted))
    text = _module("python", "printer").literal(wanted, value)
    assert same(wanted, eval(text, {"float": float, "__builtins__": {}}), value)


@given(st.data())
def test_a_javascript_literal_of_plain_values_is_json(data: st.DataObject) -> None:
    wanted = parse_type(data.draw(st.sampled_from(("int", "str", "list[str]", "list[list[int]]"))))
    value = data.draw(values_of(wanted))
    text = _module("js", "printer").literal(wanted, value, ascii_only=True)
    assert text.isascii()
    assert json.loads(text) == value


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=30)
@given(data=st.data())
def test_a_literal_parses_in_its_language(language: str, data: st.DataObject) -> None:
    texts = [t for t in _TYPES if "tuple" not in t or language not in ("java", "go")]
    wanted = parse_type(data.draw(st.sampled_from(texts)))
    text = _module(language, "printer").literal(wanted, data.draw(values_of(wanted)))
    frame = {
        "python": "x = {}\n",
        "cpp": "auto x = {};\n",
        "java": "class A {{ Object x = {}; }}\n",
        "js": "const x = {};\n",
        "go": "package a\n\nvar x = {}\n",
    }[language]
    whole = Source.parse(languages.load(language).grammar, frame.format(text))
    assert not whole.root.has_error, text


@pytest.mark.parametrize("language", ["java", "go"])
def test_what_a_language_cant_say_is_refused(language: str) -> None:
    task = made("f(pair: tuple[int, int]) -> int", [((1, 2), 3)])
    with pytest.raises(ValueError, match="has no tuple"):
        in_language(language, task)


@pytest.mark.parametrize("language", LANGUAGES)
def test_special_floats_have_a_literal(language: str) -> None:
    printer = _module(language, "printer")
    texts = [printer.literal(parse_type("float"), v) for v in (math.nan, math.inf, -math.inf, -0.0)]
    assert len(set(texts)) == 4


def test_a_cpp_function_is_never_one_of_the_c_library() -> None:
    task = made("round(value: float) -> float", [(1.5, 2.0)])
    assert "double round_(double value) {" in languages.load("cpp").printer.prompt(task)
    assert "double round(double value) {" not in languages.load("cpp").printer.prompt(task)


def test_a_cpp_prompt_includes_what_its_types_need_and_no_more() -> None:
    task = made("add(a: int, b: int) -> int", [(1, 2, 3)])
    assert "#include" not in languages.load("cpp").printer.prompt(task)
