"""What chains and trees of repair share: taking a turn, and finding out what may be said of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from workbench.benchmarks.task import Task
from workbench.execution.program import Execution
from workbench.generation.model import Message, Request, Sampling
from workbench.modes.context import Context
from workbench.modes.entry_point import Seen
from workbench.modes.feedback import Evidence, Part, Said, cut, judge_turn, render
from workbench.modes.recipe import Recipe
from workbench.modes.seeds import seeded
from workbench.modes.self_tests import SelfTests, fence_for
from workbench.modes.spent import Spent, of_completion, of_execution, of_stored
from workbench.modes.stored import StoredTurn
from workbench.modes.trace import trace
from workbench.modes.turns import Turn, is_bare, judge_answer, stored_completion, stored_turn
from workbench.outcomes import Outcome


@dataclass(frozen=True, slots=True)
class Taken:
    """A turn that was taken."""

    number: int
    """From 1."""
    turn: Turn
    accepted: bool
    request: Request
    """What it answers."""


class Episode:
    """One unit's turns, taken one after another; what is kept of them is never done again."""

    def __init__(
        self,
        context: Context,
        task: Task,
        recipe: Recipe,
        first: Request,
        stored: Sequence[StoredTurn],
    ) -> None:
        """Begin, or go on with what is stored."""
        self._context = context
        self._task = task
        self._recipe = recipe
        self._first = first
        self._kept = {s.turn: s for s in stored}
        self._tests = SelfTests(context, task, recipe, first)
        self._own: dict[int, Execution | None] = {}
        self.spent = Spent()

    def is_kept(self, number: int) -> bool:
        """Whether the answer of a turn is there already."""
        return number in self._kept

    def within_budget(self, sampling: Sampling) -> Sampling:
        """Sampling whose token limit keeps to what is left of the budget."""
        return replace(sampling, max_tokens=self.spent.within(self._recipe.budget, sampling))

    async def take(
        self, request: Request, feedback: str, number: int, previous: Taken | None
    ) -> Taken:
        """Take one turn.

        Raises:
            GenerationFailed: no answer came.
            SandboxLost: the machine lost an execution of the model's own tests.
        """
        stored = self._kept.get(number)
        if stored is not None and stored.scored is not None:
            self.spent += of_stored(stored.completion)
            form = stored.extraction.get("form")
            turn = stored_turn(
                stored.raw, stored.code, stored.visible, stored.scored, stored.flags, form
            )
            self.spent += of_execution(turn.visible)
            if "self-tests" in self._recipe.feedback and turn.code:
                self.spent += await self._tests.ask()
            return Taken(number, turn, stored.accepted, request)
        if stored is None:
            completion = await self._context.generate(request, number)
            await self._context.store_completion(number, request, feedback, completion)
            self.spent += of_completion(completion)
        else:
            completion = stored_completion(stored.raw, stored.completion)
            self.spent += of_stored(stored.completion)
        turn, extraction, program = await judge_answer(
            self._context,
            self._task,
            completion,
            previous=previous.turn.code if previous else "",
            visible=True,
        )
        self.spent += of_execution(turn.visible)
        said = await self._judged(number, turn)
        await self._context.store_outcome(
            number, extraction, program, turn.visible, turn.scored, turn.flags, said.accepted
        )
        return Taken(number, turn, said.accepted, request)

    async def feedback(self, taken: Taken, number: int) -> str:
        """What turn `number` is told of the turn it repairs; asks whoever the recipe asks.

        Raises:
            GenerationFailed: an explanation didn't come.
        """
        stored = self._kept.get(number)
        if stored is not None:
            await self._replay_asks(taken, number)
            return stored.feedback
        said = await self._judged(taken.number, taken.turn)
        parts = list(said.parts)
        if "trace" in self._recipe.feedback and taken.turn.visible and not is_bare(self._task):
            text = await trace(self._context, self._task, taken.turn.candidate, taken.turn.visible)
            if text:
                title = "What that code did on the failing example, line by line:"
                parts.append(Part("trace", title, cut(text, self._recipe.feedback_chars)))
        parts += self._own_parts(taken)
        left = self._recipe.max_turns - number + 1
        if "explain" in self._recipe.feedback:
            parts.append(await self._explained(taken, number, replace(said, parts=tuple(parts))))
        return render(self._recipe, Said(said.accepted, tuple(parts)), left)

    # --- what may be said

    async def _judged(self, number: int, turn: Turn) -> Said:
        recipe = self._recipe
        own = await self._own_tests(number, turn)
        evidence = Evidence(
            bare=is_bare(self._task),
            own=own,
            scored=turn.scored if recipe.leaks else None,
            taken=self._entry_point_takes(number, turn) if recipe.stop == "own" else None,
        )
        return judge_turn(recipe, turn.visible, bool(turn.code), evidence)

    async def _own_tests(self, number: int, turn: Turn) -> Execution | None:
        if "self-tests" not in self._recipe.feedback or not turn.code:
            return None
        if number not in self._own:
            self.spent += await self._tests.ask()
            self._own[number] = await self._tests.run(turn.candidate)
        return self._own[number]

    def _seen(self, number: int, turn: Turn) -> Seen:
        language, prompt = self._context.language, self._task.prompt
        return Seen(number, language.id, prompt, turn.text, turn.code, turn.visible)

    def _entry_point_takes(self, number: int, turn: Turn) -> bool:
        entry_point = self._recipe.entry_point
        return entry_point is not None and entry_point.accept(self._seen(number, turn))

    def _own_parts(self, taken: Taken) -> list[Part]:
        entry_point = self._recipe.entry_point
        if entry_point is None:
            return []
        seen = self._seen(taken.number, taken.turn)
        names = [name for name in self._recipe.feedback if name in entry_point.functions]
        said = [(name, entry_point.say(name, seen)) for name in names]
        room = self._recipe.feedback_chars
        return [Part(name, cut(text.strip(), room)) for name, text in said if text.strip()]

    # --- explanations

    async def _explained(self, taken: Taken, number: int, said: Said) -> Part:
        recipe = self._recipe
        by = recipe.critic.model if recipe.critic else ""
        request = self._explain_request(taken, number, said)
        completion = await self._context.ask("explain", number, request, by)
        self.spent += of_completion(completion)
        title = "What a reviewer says about it:" if by else "Your own explanation of it:"
        return Part("explain", title, cut(completion.text.strip(), recipe.feedback_chars))

    async def _replay_asks(self, taken: Taken, number: int) -> None:
        """Count what was spent on feedback that is kept."""
        if "explain" in self._recipe.feedback:
            request = self._explain_request(taken, number, Said(False, ()))
            by = self._recipe.critic.model if self._recipe.critic else ""
            self.spent += of_completion(await self._context.ask("explain", number, request, by))

    def _explain_request(self, taken: Taken, number: int, said: Said) -> Request:
        recipe, first = self._recipe, self._first
        bare = "\n\n".join(f"{p.title}\n{p.text}".strip() for p in said.parts)
        code = taken.turn.code
        text = recipe.templates["explain"].render(
            feedback=bare,
            language=self._context.language.name,
            code=code,
            fence=fence_for(code, bare),
        )
        messages = (*first.messages, Message("assistant", taken.turn.text), Message("user", text))
        sampling = recipe.step("explain", first.sampling)
        if recipe.tree is not None:
            sampling = seeded(sampling, number)
        return replace(
            first,
            messages=messages,
            sampling=sampling,
            key=f"{first.key.rpartition('/')[0]}/{number}-explain",
        )


def lost(taken: Taken) -> str | None:
    """Why the machine lost a turn: neither feedback nor outcome may come of that."""
    for execution in (taken.turn.visible, taken.turn.scored):
        if execution is not None and execution.outcome is Outcome.SANDBOX_ERROR:
            return execution.detail
    return None
