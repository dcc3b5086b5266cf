"""How fast the screens are: run `python -m tests.bench.bench_tui`. Prints one line a figure.

Times are taken inside the application's own loop, from the event to the painted rows, without
the pauses that driving it from a test adds.
"""

from __future__ import annotations

import asyncio
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.tui import made
from tests.tui.driving import application, until
from workbench.tui.app import Workbench
from workbench.tui.model.catalogue import Scanner

SIZE = (120, 40)


def say(what: str, seconds: float, limit: float) -> None:
    """Print a figure beside what it may be."""
    mark = "ok" if seconds <= limit else "SLOW"
    print(f"{what:<58} {1000 * seconds:9.1f} ms   (at most {1000 * limit:.0f})  {mark}")


def start_up() -> None:
    """Python's own start, and what importing the UI adds."""

    def run(code: str) -> float:
        times: list[float] = []
        for _ in range(3):
            began = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True)
            times.append(time.perf_counter() - began)
        return min(times)

    bare = run("pass")
    say("start: import of the application, beyond Python's start",
        run("import workbench.tui.app") - bare, 0.5)  # fmt: skip
    say("start: import of `workbench.tui.entry`, beyond Python's start",
        run("import workbench.tui.entry") - bare, 0.2)  # fmt: skip


async def measured(app: Workbench, key: str) -> float:
    """Seconds from a key to its painted rows."""
    began = time.perf_counter()
    scope = app.screen.SCOPE  # type: ignore[attr-defined]
    await app.screen.action_act(f"{scope}.{key}")  # type: ignore[attr-defined]
    for y in range(app.size.height):
        app.screen.canvas.render_line(y)  # type: ignore[attr-defined]
    return time.perf_counter() - began


async def big_session(folder: Path) -> None:
    """A session of 32 800 units: opening, moving, filtering, and following 100 rows a second."""
    path = folder / "big"
    app = application(folder, None)
    async with app.run_test(size=SIZE) as pilot:
        began = time.perf_counter()
        app.open_session(path)
        app.go("tasks")
        opened = app.session
        assert opened is not None
        await until(pilot, lambda: len(opened.model.units) == 32_800)
        app.screen.paint()  # type: ignore[attr-defined]
        say("32 800 units: open to board on screen", time.perf_counter() - began, 1.0)
        keys = [await measured(app, "down") for _ in range(20)]
        say("32 800 units: key to repaint, worst of 20", max(keys), 0.05)
        app.board_view.chips = ["python:passed", "-go:passed"]
        say("32 800 units: filter to repaint", await measured(app, "down"), 0.1)
        say("32 800 units: sort to repaint", await measured(app, "sort"), 0.1)
        app.board_view.chips = ["xyzzy"]
        say("32 800 units: a word in every diagnostic", await measured(app, "down"), 0.1)
        app.board_view.chips, app.board_view.sort = [], ""
        await _following(app, path)


async def _following(app: Workbench, path: Path) -> None:
    """Write 100 rows a second, as an engine would; press keys meanwhile."""
    writer = asyncio.create_task(asyncio.to_thread(_write, path, 4.0))
    assert app.session is not None
    app.session.model.owner = 1
    cpu, began = time.process_time(), time.perf_counter()
    keys: list[float] = []
    late = 0.0
    while not writer.done():
        expected = time.perf_counter() + 0.1
        await asyncio.sleep(0.1)
        late = max(late, time.perf_counter() - expected)
        keys.append(await measured(app, "down"))
    share = (time.process_time() - cpu) / (time.perf_counter() - began)
    keys.sort()
    say("100 rows/s: key to repaint, 95th of 100", keys[int(0.95 * len(keys))], 0.05)
    say("100 rows/s: the loop was late by at most", late, 0.1)
    print(f"{'100 rows/s: share of a core, writer and keys included':<58} {100 * share:9.1f} %")


def _write(path: Path, seconds: float) -> None:
    db = sqlite3.connect(path / "session.db")
    end = time.monotonic() + seconds
    unit = 0
    while time.monotonic() < end:
        with db:
            for _ in range(10):
                unit += 1
                db.execute("UPDATE unit SET outcome = 'passed', change = (SELECT max(change) + 1 "
                           "FROM unit) WHERE id = ?", (unit,))  # fmt: skip
        time.sleep(0.1)
    db.close()


def thousand_sessions(folder: Path) -> None:
    """The list of a thousand sessions, cold and then again."""
    scanner = Scanner(folder)
    began = time.perf_counter()
    found = len(scanner.scan())
    say(f"{found} sessions: first scan", time.perf_counter() - began, 5.0)
    began = time.perf_counter()
    scanner.scan()
    say(f"{found} sessions: scan again", time.perf_counter() - began, 0.5)


def within(action: Callable[[Path], object]) -> None:
    """Run with a folder of its own."""
    with tempfile.TemporaryDirectory() as name:
        action(Path(name))


def main() -> None:
    """Every figure."""
    os.environ["COLORTERM"] = "truecolor"
    start_up()

    def big(folder: Path) -> None:
        made.write_session(folder, "big", tasks=164, n=20, repair=20)
        asyncio.run(big_session(folder))

    def many(folder: Path) -> None:
        first = made.write_session(folder, "s0", tasks=1, n=1, repair=0)
        body = (first / "session.db").read_bytes()
        for number in range(1, 1000):
            (folder / f"s{number}").mkdir()
            (folder / f"s{number}" / "session.db").write_bytes(body)
        thousand_sessions(folder)

    within(big)
    within(many)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{'greatest memory of this process':<58} {memory:9.0f} MB   (at most 250)")


if __name__ == "__main__":
    main()
