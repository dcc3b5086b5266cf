"""The protocol in prose, ready to paste: what was asked, how it was judged, how it was counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workbench.metrics.measurement import UnitCounts
from workbench.protocol.fingerprint import fingerprint
from workbench.protocol.records import Protocol
from workbench.report.analysis import CellAnalysis
from workbench.report.memory import date_line
from workbench.report.sections import Section

_SHOWN = {
    "reask": "nothing but a request to try again",
    "verdict": "whether it passed them",
    "compiler": "the compiler's messages",
    "runtime": "run-time errors",
    "visible-tests": "the first failing visible test",
    "self-tests": "tests of its own that fail",
    "explain": "an explanation of its own",
    "trace": "a trace of its values",
}
_STOP = {
    "visible": "when the visible tests pass",
    "compiles": "when it compiles",
    "none": "only at the last turn",
    "model": "when the model says so",
    "self": "when the model's own tests pass",
    "hidden": "when the scored tests pass (an oracle)",
}
_SUBMIT = {
    "accepted-else-last": "the first accepted program, else the last, is handed in",
    "last": "the last program is handed in",
    "any": "an oracle picks among its programs",
}


def methods(cells: Sequence[CellAnalysis]) -> str:
    """One paragraph on all cells of a session; what differs between them is said for each."""
    sentences: list[str] = []
    for cell in cells:
        sentences += (s for s in _of_cell(cell) if s not in sentences)
    return " ".join([*sentences, *_counting(cells)])


def methods_section(cells: Sequence[CellAnalysis]) -> list[Section]:
    """As one part of a report."""
    if not cells:
        return []
    paragraph = methods(cells)
    return [Section("methods", "methods", notes=(paragraph,), body=paragraph)]


def _of_cell(cell: CellAnalysis) -> Iterator[str]:
    protocol = cell.protocol
    gen, judged, record = protocol.gen, protocol.eval, protocol.record
    revision = f" (revision {judged.revision})" if judged.revision else ""
    whole = f" of its {judged.tasks_of}" if judged.tasks_of else ""
    model = record.model or "Completions made elsewhere"
    yield (
        f"{model} was evaluated on {judged.benchmark}{revision}, suite {judged.suite}, in "
        f"{judged.language}: {judged.tasks}{whole} tasks."
    )
    if judged.exclusions:
        named = ", ".join(f"{task} ({reason})" for task, reason in judged.exclusions)
        yield f"Left out before the run: {named}."
    yield _prompt(protocol)
    yield _draws(protocol)
    yield from _judging(protocol)
    if gen.mode == "plain":
        yield (
            "Plain completions are independent samples; pass@k is 1 − C(n−c, k)/C(n, k) of each task "
            "(Chen et al. 2021), averaged over tasks."
        )
    else:
        yield _repair(protocol)


def _prompt(protocol: Protocol) -> str:
    gen = protocol.gen
    how = {
        "chat": "Tasks were put as chat messages",
        "complete": "The benchmark's prompts were continued as they are",
        "given": "The completions came from elsewhere",
    }[gen.prompt_style]
    tests = f", with {gen.tests_in_prompt}" if gen.tests_in_prompt else ""
    system = ", after a system prompt" if gen.system else ""
    return f"{how}{tests}{system}."


def _draws(protocol: Protocol) -> str:
    gen, n = protocol.gen, protocol.record.n
    unit = "sample" if gen.mode == "plain" else "episode"
    each = f"{n} {unit}{'s' if n > 1 else ''} a task"
    most = f", at most {gen.max_tokens} tokens an answer" if gen.max_tokens else ""
    if gen.regime == "greedy":
        return f"There was {each}, drawn greedily (temperature 0){most}."
    if gen.regime == "given":
        return f"There were up to {each}; how they were drawn isn't known."
    top_p = f" and top-p {gen.top_p}" if gen.top_p else ""
    return f"There were {each}, drawn at temperature {gen.temperature}{top_p}{most}."


def _judging(protocol: Protocol) -> Iterator[str]:
    judged = protocol.eval
    taken = "as they are" if judged.extraction.startswith("raw") else f"by {judged.extraction}"
    code = (
        "The agent's file was"
        if _is_agent(protocol)
        else f"Code was taken from answers {taken}, and"
    )
    yield f"{code} run with the suite's tests in a sandbox ({judged.sandbox})."
    limits = judged.limits.get("run")
    if limits is not None:
        whose = "the benchmark's published" if judged.limits_policy == "published" else "our own"
        yield (
            f"In {judged.language} a run had {limits.cpu_s} s of processor time and "
            f"{limits.memory_mb} MB ({whose} limits)."
        )


def _repair(protocol: Protocol) -> str:
    recipe = protocol.gen.recipe
    assert recipe is not None
    shown = ", ".join(
        f"{_SHOWN.get(p.name, p.name)}{f' (by {p.by})' if p.by else ''}" for p in recipe.feedback
    )
    if recipe.shape is not None:
        programs, feedbacks, repairs = recipe.shape
        return (
            f"In repair trees ({recipe.name}) each failing one of {programs} first programs gets "
            f"{feedbacks} × {repairs} repairs, for which the model is shown, of the program's run with "
            f"the visible tests, {shown}. tree-rate is the chance that such a tree holds a passing "
            "program, the exact mean over sub-trees; an oracle picks it, and it is no pass@k."
        )
    counted = (
        "solved@≤t is the share of episodes whose handed-in program passes the scored tests when cut "
        "at t turns, per task, then averaged over tasks; it is no pass@k."
    )
    if _is_agent(protocol):
        tools = dict(recipe.templates).get("tools", "").replace(",", ", ")
        return (
            f"In agent mode ({recipe.name}) the model works with tools ({tools}), in at most "
            f"{recipe.turns} messages, its turns; what it runs is run in sandboxes where the held-out "
            "tests aren't. After each turn its program is judged apart, unseen by it; the last one is "
            f"handed in, submitted or not. {counted}"
        )
    leak = " Held-out tests reached the model (!LEAK)." if recipe.leaks else ""
    return (
        f"In repair ({recipe.name}) an episode has at most {recipe.turns} turns, the first being the "
        f"plain sample; between turns the model is shown, of its program's run with the visible tests, "
        f"{shown}; an episode ends {_STOP.get(recipe.stop, recipe.stop)}, and "
        f"{_SUBMIT[recipe.submit]}. {counted}{leak}"
    )


def _is_agent(protocol: Protocol) -> bool:
    recipe = protocol.gen.recipe
    return recipe is not None and any(part.name == "agent" for part in recipe.feedback)


def _counting(cells: Sequence[CellAnalysis]) -> Iterator[str]:
    yield (
        "Intervals are 95 % over tasks: Wilson's where each task is 0 or 1, near 0 and 1, or with "
        "fewer than 100 tasks, else t; of rates of repair, a bootstrap over tasks. Differences are "
        "paired over common tasks (McNemar's exact test for single attempts, else t), p corrected by "
        "Holm."
    )
    counts = [chief.units for cell in cells if (chief := cell.chief) is not None]
    if counts:
        yield _losses(counts)
    record = cells[0].protocol.record
    line = date_line(record)
    yield f"{line[0].upper()}{line[1:]}."
    if record.contamination:
        yield f"On contamination: {record.contamination.rstrip('.')}."
    shown = ", ".join(fingerprint(cell.protocol).shown for cell in cells)
    yield f"Protocol fingerprints: {shown} (workbench {record.workbench or 'unknown'})."


def _losses(counts: Sequence[UnitCounts]) -> str:
    planned, scored = sum(c.planned for c in counts), sum(c.scored for c in counts)
    lost = sum(c.lost for c in counts)
    rest = f"; {lost} were lost to the infrastructure and not scored" if lost else ""
    return f"Of {planned} units planned {scored} were scored{rest}."
