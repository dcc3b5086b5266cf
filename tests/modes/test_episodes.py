"""Samples and episodes: what is asked, what is judged, what is handed in, what resume keeps."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.modes.scripted import FIRST, TASK, Kept, Scripted, ran
from workbench.modes.plain import run_sample
from workbench.modes.recipe import Recipe
from workbench.modes.recipe_file import load_recipe, read_recipe
from workbench.modes.repair import run_episode
from workbench.modes.result import UnitEnd
from workbench.outcomes import Outcome


@pytest.fixture
def visible() -> Recipe:
    return load_recipe("repair-visible")


def made_recipe(folder: Path, **values: object) -> Recipe:
    lines = ['description = "made"']
    defaults: dict[str, object] = {"feedback": ["compiler", "runtime", "visible-tests"]}
    for key, value in {**defaults, **values}.items():
        text = str(value).replace("'", '"') if isinstance(value, list | int) else f'"{value}"'
        lines.append(f"{key} = {text}")
    file = folder / "made.toml"
    file.write_text("\n".join(lines))
    return read_recipe(file)


async def episode(context: Scripted, recipe: Recipe, stored: list[Kept] | None = None) -> UnitEnd:
    return await run_episode(context, TASK, recipe, FIRST, stored or [])


class TestSamples:
    async def test_a_sample_is_asked_kept_and_judged_once(self) -> None:
        context = Scripted(["code:good"])
        end = await run_sample(context, TASK, FIRST, [])
        assert (end.outcome, end.solved_turn) == (Outcome.PASSED, 1)
        assert context.events == [
            "generate 1", "keep answer 1", "extract after ''", "execute scored", "keep outcome 1",
        ]  # fmt: skip
        assert context.requests == [FIRST]

    async def test_a_kept_answer_is_judged_and_never_asked_for_again(self) -> None:
        before = Scripted(["code:good"])
        await run_sample(before, TASK, FIRST, [])
        unjudged = replace(before.kept[1], scored=None, code="")
        context = Scripted([])
        end = await run_sample(context, TASK, FIRST, [unjudged])
        assert end.outcome is Outcome.PASSED
        assert [purpose for purpose, _ in context.executed] == ["scored"]
        again = Scripted([])
        assert (await run_sample(again, TASK, FIRST, [before.kept[1]])).outcome is Outcome.PASSED
        assert again.events == []

    async def test_no_answer_loses_the_unit(self) -> None:
        end = await run_sample(Scripted([None]), TASK, FIRST, [])
        assert (end.outcome, end.detail) == (Outcome.GENERATION_FAILED, "429 eight times")

    @pytest.mark.parametrize(
        ("answer", "outcome"),
        [("Just words.", Outcome.NO_CODE), ("I'm sorry.", Outcome.REFUSED)],
    )
    async def test_an_answer_without_code_is_not_executed(
        self, answer: str, outcome: Outcome
    ) -> None:
        context = Scripted([answer])
        assert (await run_sample(context, TASK, FIRST, [])).outcome is outcome
        assert context.executed == []

    async def test_flags_stand_beside_the_outcome(self) -> None:
        context = Scripted(["code:exit(0)"], finish_reason="length")
        end = await run_sample(context, TASK, FIRST, [])
        assert end.flags == ("truncated", "suspect")
        assert end.outcome is Outcome.PASSED


class TestEpisodes:
    async def test_it_stops_when_the_visible_tests_pass(self, visible: Recipe) -> None:
        context = Scripted(["code:wrong", "code:good", "code:never"])
        end = await episode(context, visible)
        assert (end.outcome, end.solved_turn) == (Outcome.PASSED, 2)
        assert len(context.requests) == 2
        assert [k.accepted for k in context.kept.values()] == [False, True]

    async def test_visible_and_scored_tests_run_in_programs_of_their_own(
        self, visible: Recipe
    ) -> None:
        context = Scripted(["code:good"])
        await episode(context, visible)
        assert [purpose for purpose, _ in context.executed] == ["visible", "scored"]
        assert "HELD_OUT" not in context.executed[0][1]
        assert "HELD_OUT" in context.executed[1][1]

    async def test_a_repair_prompt_holds_task_last_answer_and_feedback(
        self, visible: Recipe
    ) -> None:
        context = Scripted(["code:wrong 1", "code:wrong 2", "code:good"])
        await episode(context, visible)
        third = context.requests[2]
        assert [m.role for m in third.messages] == ["system", "user", "assistant", "user"]
        assert third.messages[:2] == FIRST.messages
        assert third.messages[2].content == "code:wrong 2"
        assert third.messages[3].content == context.kept[3].feedback
        assert "add(1, 2)\nexpected: 3\ngot:      4" in third.messages[3].content
        assert third.key == "made/python/made/0/repair-visible/3"
        assert (third.index, third.sampling) == (FIRST.index, FIRST.sampling)

    async def test_a_full_history_keeps_every_turn(self, tmp_path: Path) -> None:
        recipe = made_recipe(tmp_path, history="full")
        context = Scripted(["code:wrong 1", "code:syntax 2", "code:good"])
        await episode(context, recipe)
        said = [m.content for m in context.requests[2].messages]
        assert said[2] == "code:wrong 1"
        assert "expected: 3" in said[3]
        assert said[4] == "code:syntax 2"
        assert "doesn't compile" in said[5]

    async def test_a_history_of_two_forgets_the_first(self, tmp_path: Path) -> None:
        recipe = made_recipe(tmp_path, history="last-2", turns=4)
        context = Scripted([f"code:wrong {n}" for n in range(1, 5)])
        await episode(context, recipe)
        said = [m.content for m in context.requests[3].messages if m.role == "assistant"]
        assert said == ["code:wrong 2", "code:wrong 3"]

    async def test_the_last_program_is_handed_in_when_none_is_accepted(
        self, visible: Recipe
    ) -> None:
        context = Scripted(["code:wrong 1", "code:wrong 2", "code:crash"])
        end = await episode(context, visible)
        assert (end.outcome, end.solved_turn) == (Outcome.RUNTIME_ERROR, None)

    async def test_an_accepted_program_that_fails_held_out_tests_stays_handed_in(
        self, visible: Recipe
    ) -> None:
        context = Scripted(["code:sneaky", "code:good"])
        end = await episode(context, visible)
        assert (end.outcome, end.solved_turn) == (Outcome.WRONG_ANSWER, None)
        assert len(context.requests) == 1

    async def test_an_answer_without_code_is_a_turn(self, visible: Recipe) -> None:
        context = Scripted(["Let me think.", "code:good"])
        end = await episode(context, visible)
        assert end.solved_turn == 2
        assert "no code" in context.kept[2].feedback

    async def test_solved_at_a_cut_may_be_unsolved_at_the_end(self, tmp_path: Path) -> None:
        recipe = made_recipe(tmp_path, stop="none", submit="last")
        context = Scripted(["code:good", "code:wrong", "code:wrong"])
        end = await episode(context, recipe)
        assert (end.outcome, end.solved_turn) == (Outcome.WRONG_ANSWER, 1)

    async def test_without_a_stop_the_accepted_program_is_still_handed_in(
        self, tmp_path: Path
    ) -> None:
        recipe = made_recipe(tmp_path, stop="none")
        context = Scripted(["code:wrong", "code:good", "code:wrong"])
        end = await episode(context, recipe)
        assert (end.outcome, end.solved_turn) == (Outcome.PASSED, 2)
        assert len(context.requests) == 3
        assert "passes the examples" in context.kept[3].feedback

    async def test_a_compiler_recipe_stops_at_what_compiles(self) -> None:
        context = Scripted(["code:syntax", "code:wrong", "code:good"])
        end = await episode(context, load_recipe("repair-compiler"))
        assert end.outcome is Outcome.WRONG_ANSWER
        assert "SyntaxError" in context.kept[2].feedback

    async def test_reask_tells_nothing(self) -> None:
        context = Scripted(["code:wrong", "code:good"])
        await episode(context, load_recipe("repair-reask"))
        assert "expected" not in context.kept[2].feedback
        assert "add(1, 2)" not in context.kept[2].feedback

    async def test_a_task_without_visible_tests_ends_with_its_first_code(
        self, visible: Recipe
    ) -> None:
        context = Scripted(["No.", "code:wrong", "code:good"])
        bare = replace(TASK, visible_test="")
        end = await run_episode(context, bare, visible, FIRST, [])
        assert end.outcome is Outcome.WRONG_ANSWER
        assert [purpose for purpose, _ in context.executed] == ["scored"]
        assert len(context.requests) == 2

    async def test_a_lost_answer_loses_the_episode(self, visible: Recipe) -> None:
        context = Scripted(["code:wrong", None])
        end = await episode(context, visible)
        assert end.outcome is Outcome.GENERATION_FAILED
        assert end.detail == "turn 2: 429 eight times"

    async def test_a_lost_execution_loses_the_episode(self, visible: Recipe) -> None:
        end = await episode(Scripted(["code:lost"]), visible)
        assert (end.outcome, end.solved_turn) == (Outcome.SANDBOX_ERROR, None)


class TestResume:
    ANSWERS = ("code:wrong 1", "code:syntax 2", "code:good")

    @pytest.mark.parametrize("turns", range(4))
    @pytest.mark.parametrize("judged", [True, False])
    async def test_any_break_gives_the_same_requests_and_end(
        self, visible: Recipe, turns: int, judged: bool
    ) -> None:
        whole = Scripted(self.ANSWERS)
        end = await episode(whole, visible)
        stored = [whole.kept[n] for n in range(1, turns + 1)]
        if stored and not judged:
            last = stored[-1]
            stored[-1] = Kept(last.turn, last.raw, last.completion, last.feedback, last.request)
        rest = Scripted(self.ANSWERS)
        assert await episode(rest, visible, stored) == end
        assert rest.requests == whole.requests[turns:]
        executed = 2 * (len(self.ANSWERS) - turns + (0 if judged or not turns else 1))
        assert len(rest.executed) == executed

    async def test_a_kept_episode_needs_nothing(self, visible: Recipe) -> None:
        whole = Scripted(self.ANSWERS)
        end = await episode(whole, visible)
        again = Scripted([])
        assert await episode(again, visible, list(whole.kept.values())) == end
        assert again.events == []


async def test_an_outcome_that_only_the_visible_run_has_is_what_feedback_is_made_of(
    visible: Recipe,
) -> None:
    def judge(code: str, purpose: str):
        if purpose == "scored":
            return ran(Outcome.RUNTIME_ERROR, "HELD_OUT_CANARY scored trace")
        return ran(Outcome.RUNTIME_ERROR, "visible trace")

    context = Scripted(["code:x", "code:y", "code:z"], judge=judge)
    await episode(context, visible)
    assert "visible trace" in context.kept[2].feedback
    assert "HELD_OUT" not in "".join(m.content for r in context.requests for m in r.messages)
