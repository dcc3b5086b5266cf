"""A unit's context without model, sandbox or store: answers and outcomes are given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from types import SimpleNamespace
from typing import Any, cast

from workbench.benchmarks.task import Task
from workbench.errors import GenerationFailed
from workbench.execution.program import (
    Candidate,
    CaseReport,
    Clip,
    Execution,
    Program,
    SourceFile,
    StepReport,
)
from workbench.generation.extracted import Extraction, ExtractionStep
from workbench.generation.model import Completion, Message, Request, Sampling, Usage
from workbench.languages import Language
from workbench.outcomes import Outcome

FIRST = Request(
    "chat",
    (Message("system", "Be brief."), Message("user", "Write add.")),
    "",
    Sampling(temperature=0.8, max_tokens=100),
    index=2,
    key="made/python/made/0/repair-visible/1",
)

TASK = Task(
    benchmark="made",
    family="humaneval",
    id="made/0",
    problem="0",
    language="python",
    entry_point="add",
    prompt="def add(a, b):\n",
    reference="    return a + b\n",
    test="HELD_OUT_CANARY assert add(41, 1) == 42",
    visible_test="assert add(1, 2) == 3",
)


def clip(text: str) -> Clip:
    return Clip(head=text, size=len(text.encode()))


def ran(outcome: Outcome, said: str = "", *, step: str = "run", shown: str = "") -> Execution:
    """An execution that ended so, with `said` on stderr."""
    report = StepReport(
        name=cast(Any, step),
        exit_code=0 if outcome is Outcome.PASSED else 1,
        signal=None,
        cpu_s=0.01,
        wall_s=0.02,
        memory_mb=10.0,
        stdout=Clip(),
        stderr=clip(said),
    )
    case = CaseReport(0, "3", "4", shown) if shown else None
    return Execution(outcome, said.splitlines()[0] if said else "", (report,), case=case)


def _assemble(task: Task, candidate: Candidate, suite: str) -> Program:
    test = task.test if suite == "scored" else task.visible_test
    return Program(
        language="python",
        files=(SourceFile("program.py", (candidate.text + "\n", "\n" + test)),),
        candidate_file="program.py",
        candidate_lines=(1, candidate.text.count("\n") + 1),
    )


def _suspicions(task: Task, code: str) -> Sequence[str]:
    return ("exit",) if "exit(0)" in code else ()


@dataclass
class Kept:
    """A turn as a store keeps it."""

    turn: int
    raw: str
    completion: dict[str, Any]
    feedback: str = ""
    request: dict[str, Any] = field(default_factory=dict[str, Any])
    extraction: dict[str, Any] = field(default_factory=dict[str, Any])
    code: str = ""
    visible: dict[str, Any] | None = None
    scored: dict[str, Any] | None = None
    flags: tuple[str, ...] = ()
    accepted: bool = False


Judge = Callable[[str, str], Execution]
"""(code, purpose) -> execution"""


def by_words(code: str, purpose: str) -> Execution:
    """Judge by what the code says: `wrong` fails, `sneaky` fails only the held-out tests."""
    if "syntax" in code:
        return ran(Outcome.COMPILE_ERROR, "SyntaxError: invalid syntax", step="compile")
    if "crash" in code:
        return ran(Outcome.RUNTIME_ERROR, "ZeroDivisionError: division by zero")
    if "lost" in code:
        return ran(Outcome.SANDBOX_ERROR, "the container died")
    if "wrong" in code:
        return ran(Outcome.WRONG_ANSWER, "AssertionError", shown="add(1, 2)")
    if "sneaky" in code and purpose == "scored":
        return ran(Outcome.WRONG_ANSWER, "AssertionError: HELD_OUT_CANARY")
    return ran(Outcome.PASSED)


@dataclass
class Scripted:
    """Gives the answers one after another; keeps what it was asked."""

    answers: Sequence[str | None]
    judge: Judge = by_words
    requests: list[Request] = field(default_factory=list[Request])
    executed: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """(purpose, text of the program)."""
    kept: dict[int, Kept] = field(default_factory=dict[int, Kept])
    events: list[str] = field(default_factory=list[str])
    finish_reason: str = "stop"
    said: dict[str, str | None] = field(default_factory=dict[str, "str | None"])
    """What is answered to each step between turns."""
    asked: list[tuple[str, int, Request, str]] = field(
        default_factory=list[tuple[str, int, Request, str]]
    )
    steps: dict[tuple[int, str], Completion] = field(
        default_factory=dict[tuple[int, str], Completion]
    )
    usage: Usage = field(default_factory=lambda: Usage(100, 40))
    cost_usd: Decimal | None = Decimal("0.5")
    seconds: float = 2.0

    @property
    def language(self) -> Language:
        hooks = SimpleNamespace(assemble=_assemble, suspicions=_suspicions)
        return cast(
            Language,
            SimpleNamespace(id="python", name="Python", fence_tags=("python",), assembly=hooks),
        )

    async def generate(self, request: Request, turn: int) -> Completion:
        self.requests.append(request)
        self.events.append(f"generate {turn}")
        answer = self.answers[turn - 1]
        if answer is None:
            raise GenerationFailed("429 eight times")
        return Completion(
            answer,
            self.finish_reason,
            "scripted",
            self.usage,
            self.cost_usd,
            seconds=self.seconds,
        )

    async def ask(self, step: str, turn: int, request: Request, by: str = "") -> Completion:
        if (turn, step) not in self.steps:
            self.asked.append((step, turn, request, by))
            self.events.append(f"ask {step} {turn}")
            said = self.said[step]
            if said is None:
                raise GenerationFailed("429 eight times")
            usage = Usage(50, len(said))
            self.steps[turn, step] = Completion(said, "stop", by or "scripted", usage)
        return self.steps[turn, step]

    async def extract(self, text: str, previous: str) -> Extraction:
        self.events.append(f"extract after {previous!r}")
        if text.startswith("code:"):
            candidate = Candidate(text.removeprefix("code:"), "full")
            return Extraction(candidate, (ExtractionStep("made", "made"),), extractor="made/1")
        refused = "sorry" in text
        return Extraction(None, (ExtractionStep("no-code", "no code"),), refused=refused)

    async def execute(self, program: Program, purpose: str) -> Execution:
        self.events.append(f"execute {purpose}")
        text = program.files[0].text
        self.executed.append((purpose, text))
        return self.judge(program.files[0].pieces[0], purpose)

    async def store_completion(
        self, turn: int, request: Request, feedback: str, completion: Completion
    ) -> None:
        self.events.append(f"keep answer {turn}")
        body = asdict(completion)
        self.kept[turn] = Kept(turn, completion.text, body, feedback, asdict(request))

    async def store_outcome(
        self,
        turn: int,
        extraction: Extraction,
        program: Program | None,
        visible: Execution | None,
        scored: Execution,
        flags: tuple[str, ...],
        accepted: bool,
    ) -> None:
        self.events.append(f"keep outcome {turn}")
        kept = self.kept.setdefault(turn, Kept(turn, "", {}))
        kept.code = extraction.candidate.text if extraction.candidate else ""
        kept.extraction = {"form": extraction.candidate.form if extraction.candidate else None}
        kept.visible = asdict(visible) if visible else None
        kept.scored = asdict(scored)
        kept.flags = flags
        kept.accepted = accepted
