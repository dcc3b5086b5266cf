"""Every action, once: keymap, footer, help and command palette are made from this registry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

EVERYWHERE = "everywhere"


@dataclass(frozen=True, slots=True)
class Action:
    """Something a person can do."""

    id: str
    """`scope.name`; screens answer it with a method `do_name`."""
    keys: str
    """Keys, separated by blanks; a character stands for itself."""
    title: str
    """A line in the palette."""
    shown: str = ""
    """How the key, or the keys of a pair, are written in footer and help; empty: the entry of
    another action shows this one too."""
    word: str = ""
    """What the footer says; empty: not in the footer."""
    says: str = ""
    """What help says; empty: the title."""

    @property
    def scope(self) -> str:
        """Screen on which it works, or `everywhere`."""
        return self.id.partition(".")[0]

    @property
    def name(self) -> str:
        """Name of the method that does it, without `do_`."""
        return self.id.partition(".")[2].replace(".", "_")


def _moves(scope: str, *, sideways: bool) -> list[Action]:
    moves = [
        Action(f"{scope}.down", "down j", "Move down", "h j k l" if sideways else "j k", "",
               "move, arrows too"),
        Action(f"{scope}.up", "up k", "Move up"),
        Action(f"{scope}.page_down", "pagedown", "A page down", "pgdn pgup", "", "a page on, back"),
        Action(f"{scope}.page_up", "pageup", "A page up"),
        Action(f"{scope}.first", "home", "To the first", "home end", "", "first, last"),
        Action(f"{scope}.last", "end", "To the last"),
    ]  # fmt: skip
    if sideways:
        moves += [
            Action(f"{scope}.left", "left h", "Move left"),
            Action(f"{scope}.right", "right l", "Move right"),
        ]
    return moves


ACTIONS: tuple[Action, ...] = (
    # --- everywhere
    Action("everywhere.sessions", "1", "Go to Sessions", "1 … 5", "", "places"),
    Action("everywhere.live", "2", "Go to Live"),
    Action("everywhere.tasks", "3", "Go to Tasks"),
    Action("everywhere.compare", "4", "Go to Compare"),
    Action("everywhere.recipes", "5", "Go to Recipes"),
    Action("everywhere.back", "escape", "Up one level", "esc", "", "up one level"),
    Action("everywhere.commands", ": ctrl+p", "All commands", ":", "", "all commands, sessions"),
    Action("everywhere.jump", "'", "Jump letters", "'", "", "jump: a letter on everything"),
    Action("everywhere.help", "? f1", "Help for this screen", "?", "", "help"),
    Action("everywhere.label", "L", "Show the whole labels", "L", "", "the whole labels"),
    Action("everywhere.copy", "y", "Copy with label", "y", "", "copy with label"),
    Action("everywhere.export", "E", "Export this screen as SVG", "E", "", "export this screen"),
    Action("everywhere.theme", "ctrl+t", "Next theme", "^t", "", "next theme"),
    Action("everywhere.quit", "q ctrl+q ctrl+c", "Leave", "q", "", "leave; runs go on"),
    # --- sessions
    Action("sessions.open", "enter", "Open the session", "enter", "open"),
    Action("sessions.new", "n", "New session", "n", "new", "a new session"),
    Action("sessions.filter", "/", "Filter sessions", "/", "filter", "filter as you type"),
    Action("sessions.mark", "c", "Compare the session", "c", "compare", "mark; another: compare"),
    Action("sessions.resume", "r", "Resume the session", "r", "resume", "go on, lost units too"),
    Action("sessions.sort", "s", "Sort sessions", "s", "sort", "newest, name, progress, cost"),
    Action("sessions.undo", "U", "Undo the last delete or tag", "U", "undo",
           "undo the last delete, tag"),
    Action("sessions.extend", "+", "Extend the session", "+", "extend", "more samples a task"),
    Action("sessions.fork", "f", "Fork the session", "f", "fork", "a new one from its settings"),
    Action("sessions.tag", "t", "Tag the session", "t", "tag", "words to find it by"),
    Action("sessions.delete", "d", "Delete the session", "d", "delete", "delete, after a question"),
    Action("sessions.example", "o", "Open the recorded example", "o", "", "the recorded example"),
    *_moves("sessions", sideways=False),
    # --- new session
    Action("new.open", "enter", "Change the field", "enter", "change", "change; tab completes"),
    Action("new.start", "S", "Start the session", "S", "start", "start in a process of its own"),
    Action("new.toggle", "space", "Toggle the option", "space", "toggle", "in or out"),
    *_moves("new", sideways=True),
    # --- live
    Action("live.open", "enter", "Tasks of the cell", "enter", "tasks", "tasks of the cell"),
    Action("live.slow", "w", "Why it is slow", "w", "why slow", "the oldest in flight, by language"),
    Action("live.pause", "p", "Pause or resume", "p", "pause", "pause and resume"),
    Action("live.more", "+", "One slot more", "+ -", "slots", "more, fewer slots of the language"),
    Action("live.fewer", "-", "One slot fewer"),
    Action("live.retry", "r", "Retry lost units", "r", "retry lost"),
    Action("live.cancel", "x", "Cancel one unit", "x", "cancel one"),
    Action("live.stop", "S", "Stop the session", "S", "stop", "stop, after a question"),
    Action("live.part", "tab", "Next part", "tab", "next part"),
    Action("live.next_block", "]", "Next mode block", "[ ]", "", "mode blocks"),
    Action("live.previous_block", "[", "Previous mode block"),
    *_moves("live", sideways=True),
    # --- tasks
    Action("tasks.open", "enter", "Samples of the cell", "enter", "samples", "samples of the cell"),
    Action("tasks.like", "=", "Filter: like this", "= -", "like, not this", "like this, not this"),
    Action("tasks.unlike", "-", "Filter: not this"),
    Action("tasks.filter", "/", "Filter problems", "/", "filter", "filter by words"),
    Action("tasks.widen", "backspace", "Take the last filter away", "backspace", "",
           "take the last filter away"),
    Action("tasks.mode", "m", "Next mode", "m", "mode", "plain or repair"),
    Action("tasks.next", ".", "Next failure", ". ,", "next failure", "next, previous failure"),
    Action("tasks.previous", ",", "Previous failure"),
    Action("tasks.group", "g", "Failures by diagnostic", "g", "group", "failures by diagnostic"),
    Action("tasks.sort", "s", "Sort by the column", "s", "sort", "sort by column"),
    Action("tasks.part", "tab", "Board or samples", "tab", "", "board, samples"),
    *_moves("tasks", sideways=True),
    # --- what failed alike
    Action("alike.open", "enter", "Problems that show it", "enter", "problems",
           "the problems that show it"),
    Action("alike.example", "o", "Open an example", "o", "example", "a unit that shows it"),
    *_moves("alike", sideways=False),
    # --- sample
    Action("sample.next_unit", "]", "Next sample", "[ ]", "sample", "next, previous sample"),
    Action("sample.previous_unit", "[", "Previous sample"),
    Action("sample.next_finding", ".", "Next diagnostic", ". ,", "error", "next, previous error"),
    Action("sample.previous_finding", ",", "Previous diagnostic"),
    Action("sample.part", "tab", "Next pane", "tab", "pane", "next pane"),
    Action("sample.part_back", "shift+tab", "Previous pane"),
    Action("sample.prompt", "p", "Show the prompt", "p", "", "the prompt"),
    Action("sample.answer", "a", "Show the answer", "a", "", "the answer as it came"),
    Action("sample.beside", "v", "Beside another", "v", "beside", "beside another of the problem"),
    Action("sample.editor", "o", "Open in $EDITOR", "o", "editor", "open in $EDITOR"),
    Action("sample.pager", "O", "Open in $PAGER", "O", "pager", "open in $PAGER"),
    Action("sample.wrap", "w", "Wrap long lines", "w", "wrap", "wrap long lines"),
    *_moves("sample", sideways=True),
    # --- compare
    Action("compare.open", "enter", "Both side by side", "enter", "both side by side",
           "a unit of each side by side"),
    Action("compare.part", "tab", "Next view", "tab", "view", "next view"),
    Action("compare.part_back", "shift+tab", "Previous view"),
    Action("compare.mode", "m", "Next mode or metric", "m", "mode", "next mode or metric"),
    Action("compare.budget", "b", "Repair against resampling", "b", "budget",
           "repair against resampling"),
    Action("compare.unit", "u", "Unit of the axis", "u", "unit", "tokens, calls, dollars"),
    Action("compare.add", "a", "Add a session", "a", "add session", "a further session"),
    Action("compare.remove", "x", "Take the last session away", "x", "take away",
           "take the last away"),
    *_moves("compare", sideways=True),
    # --- side by side
    Action("beside.part", "tab", "Next part", "tab", "part", "program, answer, output, prompt"),
    Action("beside.part_back", "shift+tab", "Previous part"),
    Action("beside.open", "enter", "Open the focused one", "enter", "open", "the focused one alone"),
    *_moves("beside", sideways=True),
    # --- recipes
    Action("recipes.open", "enter", "Scroll the card", "enter", "", "the card, further down"),
    Action("recipes.try", "t", "Try on a task", "t", "try on a task", "one episode, turn by turn"),
    Action("recipes.edit", "e", "Edit in $EDITOR", "e", "edit", "yours, in $EDITOR"),
    Action("recipes.mark", "=", "Mark to diff", "=", "mark to diff", "mark; another: what differs"),
    Action("recipes.new", "n", "New recipe from this", "n", "new from this", "yours, from this one"),
    *_moves("recipes", sideways=False),
    # --- episode: a sample of more turns
    Action("episode.next_turn", "right l", "Next turn", "h l", "turn", "turns"),
    Action("episode.previous_turn", "left h", "Previous turn"),
    Action("episode.next_unit", "]", "Next episode", "[ ]", "episode", "next, previous episode"),
    Action("episode.previous_unit", "[", "Previous episode"),
    Action("episode.fixed", "f", "First fixed turn", "f", "first fixed"),
    Action("episode.regressed", "g", "Turn that regressed", "g", "regressed"),
    Action("episode.part", "tab", "Next pane", "tab", "pane", "next pane"),
    Action("episode.part_back", "shift+tab", "Previous pane"),
    Action("episode.beside", "v", "Beside another", "v", "beside",
           "beside another of the problem"),
    Action("episode.editor", "o", "Open in $EDITOR", "o", "editor", "open in $EDITOR"),
    Action("episode.pager", "O", "Open in $PAGER", "O", "", "open in $PAGER"),
    Action("episode.wrap", "w", "Wrap long lines", "w", "", "wrap long lines"),
    *_moves("episode", sideways=False),
)  # fmt: skip

BY_ID = {action.id: action for action in ACTIONS}


def of(scope: str) -> list[Action]:
    """Actions of one scope, in the order in which footer and help show them."""
    return [a for a in ACTIONS if a.scope == scope]


@dataclass(frozen=True, slots=True)
class Entry:
    """One footer entry."""

    key: str
    word: str
    action: str = ""
    """Action id, for the mouse; empty: not a button."""


def footer(scope: str, words: dict[str, str | None]) -> list[Entry]:
    """Footer entries of a scope. `words` replaces a word by action id, `None` hides the entry."""
    entries: list[Entry] = []
    for action in of(scope):
        word = words.get(action.id, action.word)
        if action.shown and word:
            entries.append(Entry(action.shown, word, action.id))
    return entries


def rebound(entries: Sequence[Entry], keymap: Mapping[str, str]) -> list[Entry]:
    """Entries with the keys that a keymap gives their actions."""
    return [
        Entry(keymap[e.action].split()[0], e.word, e.action) if e.action in keymap else e
        for e in entries
    ]
