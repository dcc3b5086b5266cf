"""Laws of extraction that hold for any answer."""

from __future__ import annotations

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.generation.test_extraction import BODIES, LANGUAGES, PROMPTS, WHOLE, code, fenced, take

settings.register_profile(
    "extraction",
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
ordinary = settings.get_profile("extraction")

PIECES = [
    *WHOLE.values(),
    *BODIES.values(),
    *(facts.prompt for facts in PROMPTS.values()),
    "```", "```python\n", "~~~\n", "\n```\n", "<think>", "</think>", "</s>", "<|im_end|>", "\x1b[31m",
    "\ufeff", "\0", "\r\n", "\r", "\ud800", "def total(", "total", "Total", "class Solution {", "}", "{",
    '"""', "'", "(", "print(total([1]))\n", "    ", "\t", "int main() {", "return", "func ", ":=",
    "Here is the code:\n\n", "I'm sorry, I can't.", "é", "\u2028", "\x0c",
]  # fmt: skip

answers = st.one_of(
    st.text(alphabet=st.characters(), max_size=300),
    st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), max_size=14).map("".join),
)
prose = st.text(alphabet=st.sampled_from("abcdefgh XYZ,.!?\n'\"äß-"), max_size=120)


@ordinary
@given(
    answer=answers, language=st.sampled_from(LANGUAGES), style=st.sampled_from(["chat", "complete"])
)
def test_no_answer_makes_it_raise_and_what_comes_out_can_be_stored(
    answer: str, language: str, style: str
) -> None:
    extraction = take(language, answer, style)  # pyright: ignore[reportArgumentType]
    assert extraction == take(language, answer, style)  # pyright: ignore[reportArgumentType]
    assert extraction.steps or not answer.strip()
    if extraction.candidate is not None:
        extraction.candidate.text.encode("utf-8")
        assert "\0" not in extraction.candidate.text
        assert extraction.span is not None
        start, end = extraction.span
        assert 0 <= start <= end <= len(answer)


@ordinary
@given(answer=answers, language=st.sampled_from(LANGUAGES))
def test_whole_code_extracted_again_is_the_same(answer: str, language: str) -> None:
    once = take(language, f"{answer}\n\n```\n{WHOLE[language]}```\n")
    if once.candidate is None or once.candidate.form != "full" or "```" in once.candidate.text:
        return
    if WHOLE[language].strip() in once.candidate.text:
        assert code(take(language, fenced(once.candidate.text))) == once.candidate.text


@ordinary
@given(
    before=prose,
    after=prose,
    language=st.sampled_from(LANGUAGES),
    tagged=st.booleans(),
    windows=st.booleans(),
    closed=st.booleans(),
    whole=st.booleans(),
)
def test_wrapping_never_changes_the_code(
    before: str,
    after: str,
    language: str,
    tagged: bool,
    windows: bool,
    closed: bool,
    whole: bool,
) -> None:
    inner = WHOLE[language] if whole else BODIES[language]
    tag = {"cpp": "cpp", "js": "javascript"}.get(language, language) if tagged else ""
    answer = f"{before}\n\n```{tag}\n{inner}" + (f"```\n{after}" if closed else "")
    if windows:
        answer = answer.replace("\n", "\r\n")
    assert code(take(language, answer)) == code(take(language, f"```\n{inner}```\n"))


HOSTILE = {
    "parentheses": "(" * 190_000,
    "braces": "{" * 190_000,
    "quotes": '"' * 150_000,
    "ten megabytes": "x = 1\n" * 1_700_000,
    "ten megabytes in a fence": "```python\n" + "x = total(1)\n" * 800_000,
    "fences": "```\n" * 150_000,
    "backticks": "`" * 500_000,
    "spaces": "``` " + " " * 300_000 + "`",
    "calls": "def total(x): return 1\n" + "print(total(1))\n" * 12_000,
    "types": "total<" * 30_000,
    "thoughts": "<think>" * 100_000,
    "escapes": "\x1b[" * 200_000,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_answer_takes_long(language: str, name: str) -> None:
    before = time.process_time()
    take(language, HOSTILE[name])
    assert time.process_time() - before < 4.0


def test_a_deep_text_and_a_long_one_are_taken_unparsed() -> None:
    for text in ("```\n" + "(" * 5_000 + "\n```", "```\n" + "x = 1\n" * 5_000 + "```"):
        extraction = take("python", text)
        assert "unparsed" in [step.rule for step in extraction.steps]
        assert code(extraction)
