"""From what was asked for to cells, their protocols, and the units to work on."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from workbench import __version__, languages
from workbench.benchmarks.load import TaskSet, load_set
from workbench.benchmarks.selection import parse_selection
from workbench.benchmarks.task import Task
from workbench.errors import UsageError
from workbench.execution import boot
from workbench.execution.program import Limits
from workbench.generation.model import Completion, Request, Sampling
from workbench.generation.prompt_view import view_of
from workbench.generation.prompts import Prompting, answer_key, first_request, prompting
from workbench.generation.templates import Template
from workbench.languages import Language
from workbench.modes.recipe import Recipe
from workbench.modes.recipe_file import load_recipe
from workbench.protocol.fingerprint import fingerprint
from workbench.protocol.naming import cell_name
from workbench.protocol.records import (
    EvaluationPart,
    GenerationPart,
    Protocol,
    RecordPart,
    StepLimits,
    Toolchain,
)
from workbench.session.records import TurnRow
from workbench.session.spec import SessionSpec

EXTRACTORS = {"tree-sitter": "tree-sitter/1", "raw": "raw/1"}


@dataclass(frozen=True, slots=True)
class PlannedUnit:
    """One sample or episode to work on, with all that its mode needs."""

    unit_id: int
    cell_id: int
    task: Task
    index: int
    recipe: str
    """Recipe id; empty in plain mode."""
    first: Request
    """The request of turn 1."""
    read_turns: Callable[[], list[TurnRow]]
    """Reads what is stored of it already."""
    read_steps: Callable[[], Mapping[tuple[int, str], Completion]] = dict
    """Reads the answers between turns that are stored, by turn and step."""


@dataclass(frozen=True, slots=True)
class CellPlan:
    """One cell before it has a row."""

    language: str
    recipe: str
    """Recipe id; empty in plain mode."""
    max_turns: int
    protocol: Protocol

    @property
    def fingerprint(self) -> str:
        """All 64 hex digits."""
        return fingerprint(self.protocol).whole

    @property
    def label(self) -> str:
        """Data and mode part of the label."""
        return cell_name(self.protocol)


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything a session needs before a model or a sandbox is asked for anything."""

    spec: SessionSpec
    taskset: TaskSet
    languages: Mapping[str, Language]
    recipes: Mapping[str, Recipe]
    prompting: Prompting

    @property
    def picks(self) -> bool:
        """Whether plain samples are put before the visible tests, too: one of several is to be
        picked without the scored tests, beside pass@k or beside repair."""
        several = any(k > 1 for k in self.spec.ks)
        return several or (self.spec.n > 1 and bool(self.recipes))

    def limits(self, language: str) -> Mapping[str, Limits] | None:
        """Limits by step that replace the toolchain's own; `None`: the toolchain's count."""
        if self.spec.limits != "published":
            return None
        table = self.languages[language].settings.get("published", {}).get(self.taskset.family)
        if table is None:
            raise UsageError(
                f"--limits published: {self.taskset.benchmark} has published no limits for {language}"
            )
        return {step: Limits(**values) for step, values in table.items()}

    def tasks(self, language: str) -> list[Task]:
        """The tasks of one language, in the benchmark's order."""
        return [t for t in self.taskset.tasks if t.language == language]

    def stop(self, language: str) -> tuple[str, ...]:
        """Stop sequences that are sent for one language."""
        asked = self.spec.sampling.stop
        if asked is not None:
            return asked
        return self.languages[language].stop_sequences(self.taskset.family, self.spec.style)

    def sampling(self, language: str) -> Sampling:
        """How answers are drawn for one language."""
        asked = self.spec.sampling
        return Sampling(
            temperature=self.spec.temperature,
            top_p=self.spec.top_p,
            max_tokens=asked.max_tokens,
            stop=self.stop(language),
            seed=asked.seed,
            logprobs=asked.logprobs,
        )

    def first_request(self, task: Task, index: int, recipe: str) -> Request:
        """The request of turn 1 of one unit; `recipe` is empty in plain mode."""
        return first_request(
            view_of(task, self.languages[task.language]),
            self.prompting,
            self.sampling(task.language),
            key=answer_key(task.benchmark, task.language, task.id, _in_key(recipe) or "plain", 1),
            index=index,
        )


def _in_key(recipe: str) -> str:
    """A recipe's id as it stands in a key, whose parts are parted by slashes."""
    return recipe.replace("/", ":")


def make_plan(asked: SessionSpec) -> Plan:
    """Resolve names into tasks, languages, recipes and prompts.

    Raises:
        UsageError, DataError: a name is unknown, or a file is missing or damaged.
    """
    exclude = [f"{task}={reason}" for task, reason in asked.exclude.items()]
    taskset = load_set(
        asked.benchmark or None,
        asked.languages,
        Path(asked.data_dir) if asked.data_dir else None,
        Path(asked.problems) if asked.problems else None,
        parse_selection(asked.tasks, asked.limit, exclude),
    )
    found = {language: languages.load(language) for language in asked.languages}
    recipes: dict[str, Recipe] = {}
    for mode in asked.modes:
        if mode != "plain":
            recipe = load_recipe(mode)
            _check_tree(asked, recipe)
            if asked.source is not None:
                recipe = replace(recipe, start=asked.source.start)
            recipes[recipe.id] = recipe
    if recipes and asked.style == "complete":
        raise UsageError("repair is a conversation: it needs --prompt-style chat, not complete")
    template = None if asked.template is None else Template("custom", asked.template)
    how = prompting(asked.style, asked.system or "", template)
    plan = Plan(asked, taskset, found, recipes, how)
    for language in found:
        plan.limits(language)  # refuses before anything is paid for
    return plan


def _check_tree(asked: SessionSpec, recipe: Recipe) -> None:
    """Refuse a tree that would draw one answer many times, or has too few first programs."""
    tree = recipe.tree
    if tree is None:
        return
    if asked.n < tree.programs:
        raise UsageError(
            f"{recipe.id}: {tree.programs} first programs a task need -n {tree.programs} or more"
        )
    drawn = recipe.sampling.get("temperature", asked.temperature)
    if tree.feedbacks * tree.repairs > 1 and drawn == 0:
        raise UsageError(
            f"{recipe.id}: temperature 0 draws one repair {tree.feedbacks * tree.repairs} times: give "
            "-T above 0, or temperature in the recipe's [sampling]"
        )


def plan_cells(
    plan: Plan,
    manifests: Mapping[str, Mapping[str, Any]],
    identity: Mapping[str, str],
    sandbox: str,
) -> list[CellPlan]:
    """The cells of a session with their protocols.

    Args:
        plan: what is asked for.
        manifests: toolchain manifest of each language, as the judge gave it.
        identity: what the generator says of itself; never an address or a key.
        sandbox: launcher id.
    """
    cells: list[CellPlan] = []
    for language in plan.languages:
        judged = _evaluation(plan, language, manifests[language], sandbox)
        for mode in plan.spec.modes:
            recipe = None if mode == "plain" else plan.recipes[_recipe_id(plan, mode)]
            protocol = Protocol(
                gen=_generation(plan, language, recipe),
                eval=judged,
                record=_record(plan, manifests[language], identity),
            )
            cells.append(
                CellPlan(
                    language,
                    recipe.id if recipe else "",
                    recipe.max_turns if recipe else 1,
                    protocol,
                )
            )
    return cells


def _recipe_id(plan: Plan, mode: str) -> str:
    return mode if mode in plan.recipes else load_recipe(mode).id


def _generation(plan: Plan, language: str, recipe: Recipe | None) -> GenerationPart:
    asked = plan.spec
    greedy = asked.temperature == 0
    visible = any(t.has_visible_tests for t in plan.tasks(language))
    return GenerationPart(
        mode="plain" if recipe is None else "repair",
        recipe=recipe.protocol() if recipe else None,
        prompt_style=asked.style,
        template=plan.prompting.template.text if plan.prompting.template else "",
        system=plan.prompting.system,
        tests_in_prompt="examples in the description" if visible else "",
        stop=plan.stop(language),
        max_tokens=asked.sampling.max_tokens,
        regime="greedy" if greedy else "sampled",
        temperature=None if greedy else str(asked.temperature),
        top_p=None if asked.top_p is None else str(asked.top_p),
        seed_policy="seed + index" if asked.sampling.seed is not None else "",
    )


def _evaluation(
    plan: Plan, language: str, manifest: Mapping[str, Any], sandbox: str
) -> EvaluationPart:
    known = plan.languages[language]
    tasks = plan.tasks(language)
    ids = "\n".join(sorted(t.id for t in tasks))
    own = plan.limits(language) or _own_limits(known)
    excluded = dict(plan.taskset.selection.excluded)
    data = ",".join(s.sha256 for s in _sources(plan.taskset, language))
    whole = plan.taskset.selection.whole
    return EvaluationPart(
        benchmark=plan.taskset.benchmark,
        revision=plan.taskset.revision,
        data_sha256=data,
        suite=plan.spec.suite,
        language=language,
        tasks=len(tasks),
        tasks_sha256=hashlib.sha256(ids.encode()).hexdigest(),
        tasks_of=None if whole else plan.taskset.totals[language],
        subset="" if whole else plan.taskset.selection.text,
        exclusions=tuple(excluded.items()),
        extraction=EXTRACTORS[plan.spec.extraction],
        assembly_sha256=known.content_hash,
        supervisor_sha256=hashlib.sha256(boot.source()).hexdigest(),
        limits_policy="published" if plan.spec.limits == "published" else "own",
        limits={step: _step_limits(limits) for step, limits in own.items()},
        sandbox=sandbox,
        toolchain=Toolchain(
            versions=_versions(manifest["versions"]),
            flags=(
                *((n, " ".join(step["argv"])) for n, step in manifest["steps"].items()),
                ("kept warm", "yes" if manifest["warm"] else "no"),
            ),
            content_sha256=known.content_hash,
        ),
    )


def _own_limits(language: Language) -> dict[str, Limits]:
    steps = {"run": language.run.limits}
    return {"compile": language.compile.limits, **steps} if language.compile else steps


def _step_limits(limits: Limits) -> StepLimits:
    return StepLimits(
        cpu_s=str(limits.cpu_s),
        wall_s=str(limits.wall_s),
        memory_mb=limits.memory_mb,
        output_bytes=limits.output_bytes,
        processes=limits.processes,
        file_mb=limits.file_mb,
    )


def _versions(found: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Versions by tool; an image's manifest has them in groups (`tools`, `packages`)."""
    flat: dict[str, str] = {}
    for name, value in found.items():
        if isinstance(value, Mapping):
            flat |= {str(k): str(v) for k, v in cast("Mapping[str, Any]", value).items()}
        elif name != "language":
            flat[name] = str(value)
    return tuple(flat.items())


def _sources(taskset: TaskSet, language: str) -> Sequence[Any]:
    """The files that the tasks of one language came from."""
    if taskset.known is None or not taskset.known.files:
        return taskset.sources
    names = {f.name for f in taskset.known.files if language in f.languages}
    return [s for s in taskset.sources if s.name in names] or taskset.sources


def _record(plan: Plan, manifest: Mapping[str, Any], identity: Mapping[str, str]) -> RecordPart:
    known = plan.taskset.known
    return RecordPart(
        n=plan.spec.n,
        ks=plan.spec.ks,
        model=plan.spec.model,
        provider=identity.get("provider", ""),
        weights_sha256=identity.get("weights_sha256", ""),
        seed=plan.spec.sampling.seed,
        judgings=plan.spec.repeat_judging,
        image_digest=str(manifest.get("image_id", "")),
        template_name=plan.prompting.template.id if plan.prompting.template else "",
        retries=(
            (
                "generation",
                f"at most {plan.spec.attempts} attempts on 429, 5xx, timeouts, cut connections",
            ),
            ("execution", "at most 2 on infrastructure faults; outcomes are never retried"),
        ),
        workbench=__version__,
        contamination=plan.spec.statement,
        cutoff=plan.spec.cutoff,
        published=known.published if known else "",
    )
