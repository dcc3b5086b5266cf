"""The board of tasks: a problem a row, a language a column; filtered by outcome and words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from workbench.outcomes import Flag, Outcome
from workbench.session.records import CellRow, UnitRow
from workbench.tui.model.session import SessionModel, Tally

OUTCOME_WORDS = tuple(o.value for o in Outcome)
FLAG_WORDS = tuple(f.value for f in Flag)
ANY = "some"
"""`some:passed`: in at least one language; `go:some`: at least one sample passed in go."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One row."""

    benchmark: str
    id: str
    """What the task is called in every language."""
    name: str
    """Entry point, or the task id where there is none."""
    cells: dict[str, tuple[int, ...]]
    """Language -> unit ids of the mode, in order."""
    tallies: dict[str, Tally]
    task_ids: dict[str, str]


@dataclass(frozen=True, slots=True)
class Cluster:
    """Units of a cell that failed alike."""

    outcome: str
    detail: str
    units: int


@dataclass
class BoardView:
    """Where the cursor stands and what is filtered."""

    mode: str = ""
    language: str = ""
    problem: tuple[str, str] = ("", "")
    """Benchmark and problem id under the cursor."""
    top: int = 0
    part: str = "board"
    """`board` or `samples`."""
    sample: int = 0
    chips: list[str] = field(default_factory=list[str])
    sort: str = ""
    """Empty: planned order; a language: fewest passed first; with `-`: most passed first."""


@dataclass(frozen=True, slots=True)
class Board:
    """All rows of one mode."""

    mode: str
    languages: tuple[str, ...]
    problems: tuple[Problem, ...]
    n: int
    """Most units a cell has."""
    shared: dict[tuple[str, str], tuple[int, int]]
    """(language, detail) -> units and problems that show it."""


def build(model: SessionModel, mode: str) -> Board:
    """Put the units of a mode together."""
    cells = [c for c in model.cells if (c.recipe or c.mode) == mode]
    languages = tuple(dict.fromkeys(c.language for c in cells))
    by_key: dict[tuple[str, str], Problem] = {}
    tasks_of: dict[tuple[str, str], list[int]] = {}
    for pk, task in model.tasks.items():
        tasks_of.setdefault((task.benchmark, task.language), []).append(pk)
    shared: dict[tuple[str, str], tuple[int, set[str]]] = {}
    most = 0
    for cell in cells:
        for pk in tasks_of.get((cell.benchmark, cell.language), ()):
            units = model.by_task.get((cell.id, pk))
            if not units:
                continue
            task = model.tasks[pk]
            row = by_key.get((task.benchmark, task.problem))
            if row is None:
                row = Problem(task.benchmark, task.problem, task.entry_point, {}, {}, {})
                by_key[task.benchmark, task.problem] = row
            row.cells[cell.language] = tuple(units)
            row.task_ids[cell.language] = task.task_id
            row.tallies[cell.language] = _tally(model, cell, units, task.problem, shared)
            most = max(most, len(units))
    counted = {key: (number, len(problems)) for key, (number, problems) in shared.items()}
    return Board(mode, languages, tuple(by_key.values()), most, counted)


def _tally(
    model: SessionModel,
    cell: CellRow,
    units: Sequence[int],
    problem: str,
    shared: dict[tuple[str, str], tuple[int, set[str]]],
) -> Tally:
    tally = Tally()
    for unit in units:
        row = model.units[unit]
        key = row.outcome or "planned"
        tally.counts[key] = tally.counts.get(key, 0) + 1
        if row.detail and row.outcome != Outcome.PASSED:
            number, problems = shared.get((cell.language, row.detail), (0, set[str]()))
            problems.add(problem)
            shared[cell.language, row.detail] = (number + 1, problems)
    return tally


def commonest(tally: Tally) -> str | None:
    """What `=` adds: passed when all passed, else the commonest failure; `None` when open."""
    if tally.passed and tally.passed == tally.planned:
        return Outcome.PASSED.value
    return tally.commonest_failure() or (Outcome.PASSED.value if tally.passed else None)


def clusters(model: SessionModel, units: Sequence[int]) -> list[Cluster]:
    """Failures of a cell by outcome and diagnostic, the greatest first."""
    found: dict[tuple[str, str], int] = {}
    for unit in units:
        row = model.units[unit]
        if row.outcome is not None and row.outcome != Outcome.PASSED:
            found[row.outcome, row.detail] = found.get((row.outcome, row.detail), 0) + 1
    return [
        Cluster(outcome, detail, number)
        for (outcome, detail), number in sorted(found.items(), key=lambda kv: -kv[1])
    ]


@dataclass(frozen=True, slots=True)
class Shared:
    """What failed alike all over a mode."""

    outcome: str
    detail: str
    """The diagnostic; empty when there is none."""
    units: int
    problems: int
    languages: tuple[str, ...]
    example: int
    """A unit that shows it."""


def shared(model: SessionModel, problems: Sequence[Problem]) -> list[Shared]:
    """Failures of these problems by outcome and diagnostic, the most frequent first."""
    found: dict[tuple[str, str], tuple[int, set[tuple[str, str]], dict[str, None], int]] = {}
    for problem in problems:
        for language, units in problem.cells.items():
            for number in units:
                row = model.units[number]
                if row.outcome is None or row.outcome == Outcome.PASSED:
                    continue
                at = found.get((row.outcome, row.detail))
                count, where, spoken, first = at or (0, set(), {}, number)
                where.add((problem.benchmark, problem.id))
                spoken[language] = None
                found[row.outcome, row.detail] = (count + 1, where, spoken, first)
    rows = [
        Shared(outcome, detail, count, len(where), tuple(spoken), first)
        for (outcome, detail), (count, where, spoken, first) in found.items()
    ]
    return sorted(rows, key=lambda s: (-s.units, s.outcome, s.detail))


# --- filter


def select(model: SessionModel, board: Board, terms: Sequence[str], sort: str) -> list[Problem]:
    """Rows that match every term, sorted.

    A term is `language:outcome`, `language:flag`, a word of id, name or diagnostic, or such a text
    in quotation marks; with `-` in
    front it must not match. Terms of the same language are joined by *or*, others by *and*.
    """
    groups: dict[str, list[str]] = {}
    for term in terms:
        bare = term.removeprefix("-")
        language, colon, _ = bare.partition(":")
        # Words and negations stand alone: each narrows.
        key = language if colon and not term.startswith(("-", '"', '-"')) else f" {term}"
        groups.setdefault(key, []).append(term)
    rows = [
        p
        for p in board.problems
        if all(any(_matches(model, p, t) for t in group) for group in groups.values())
    ]
    if not sort:
        return rows
    language = sort.removeprefix("-")
    sign = -1 if sort.startswith("-") else 1
    none = Tally()
    return sorted(rows, key=lambda p: sign * p.tallies.get(language, none).passed)


def _matches(model: SessionModel, problem: Problem, term: str) -> bool:
    if term.startswith("-") and len(term) > 1:
        return not _matches(model, problem, term[1:])
    if term.startswith('"'):
        return _has_word(model, problem, term.strip('"').lower())
    language, colon, word = term.partition(":")
    if not colon:
        return _has_word(model, problem, term.lower())
    languages = list(problem.tallies) if language == ANY else [language]
    return any(
        _cell_matches(model, problem, lang, word) for lang in languages if lang in problem.tallies
    )


def _cell_matches(model: SessionModel, problem: Problem, language: str, word: str) -> bool:
    tally = problem.tallies[language]
    if word == ANY:
        return tally.passed > 0
    if word == Outcome.PASSED:
        return 0 < tally.passed == tally.planned
    if word in FLAG_WORDS:
        return any(word in model.units[u].flags for u in problem.cells[language])
    if word in ("planned", "open"):
        return tally.open > 0
    # A failure counts when it is the cell's commonest: one sample of twenty isn't the rule.
    top = max((tally.counts.get(o, 0) for o in OUTCOME_WORDS if o != "passed"), default=0)
    return top > 0 and tally.counts.get(word, 0) == top


def _has_word(model: SessionModel, problem: Problem, word: str) -> bool:
    if word in problem.id.lower() or word in problem.name.lower():
        return True
    if any(word in task.lower() for task in problem.task_ids.values()):
        return True
    return any(
        word in model.units[unit].detail.lower()
        for units in problem.cells.values()
        for unit in units
    )


def complete(board: Board, typed: str) -> str:
    """The rest of the word being typed, where only one language, outcome or flag fits."""
    word = typed.rpartition(" ")[2].removeprefix("-")
    if not word:
        return ""
    language, colon, outcome = word.partition(":")
    if colon:
        fits = [w for w in (*OUTCOME_WORDS, *FLAG_WORDS, ANY) if w.startswith(outcome)]
        return fits[0][len(outcome) :] if len(fits) == 1 or (fits and outcome) else ""
    fits = [x for x in (*board.languages, ANY) if x.startswith(language)]
    return f"{fits[0][len(language) :]}:" if len(fits) == 1 else ""


def units_of(model: SessionModel, problem: Problem, language: str) -> list[UnitRow]:
    """The units of a cell, in order."""
    return [model.units[u] for u in problem.cells.get(language, ())]
