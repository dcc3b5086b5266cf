"""The corpus itself: large enough, and every program that tries to pass is seen to."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.hostile.corpus import LANGUAGES, Hostile, everything, load
from workbench.outcomes import Outcome

PROGRAMS = everything()
TRIES_TO_PASS = ("ends_early", "forges", "changes_tests")


def test_the_corpus_covers_every_language_well() -> None:
    counts = Counter(program.language for program in PROGRAMS)
    assert counts["python"] >= 25
    assert all(counts[language] >= 18 for language in LANGUAGES), counts
    assert len({program.id for program in PROGRAMS}) == len(PROGRAMS) >= 110
    for language in LANGUAGES:
        topics = {program.topic for program in load(language)}
        assert topics >= {*TRIES_TO_PASS, "uses_up", "breaks_out", "stays"}, language


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.id)
def test_what_may_pass_is_right_or_suspect(program: Hostile) -> None:
    found = program.suspicions()
    if program.trick:
        assert program.trick in found
    # Data is compared outside the candidate's process: it needs no suspicion.
    if program.topic in TRIES_TO_PASS and program.task == "code":
        assert program.trick, f"no trick is expected, seen are {found}"
    passes = Outcome.PASSED in program.outcomes
    assert passes == bool(program.remains or program.honest)
    assert not program.remains or program.trick
    assert not (program.remains and program.task == "typed")
