"""Progress of things that take minutes: a line a step, and a sign of life in between."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from types import TracebackType

Progress = Callable[[str], None]
"""Takes one finished line. Called from one thread at a time, but not always the same."""


class Steps:
    """Says what goes on, with the seconds since the start; repeats itself when it takes long.

    Use as a context manager: the sign of life is given by a thread that ends with it.
    """

    def __init__(self, name: str, progress: Progress, every: float = 15.0) -> None:
        """Begin to count.

        Args:
            name: what the lines begin with.
            progress: takes the lines.
            every: seconds of silence after which the present step is named again.
        """
        self._name = name
        self._progress = progress
        self._every = every
        self._started = time.monotonic()
        self._spoken = self._started
        self._doing = "starting"
        self._detail = ""
        self._lock = threading.Lock()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._remind, name=f"progress {name}", daemon=True)

    def __enter__(self) -> Steps:
        """Start giving signs of life."""
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop giving signs of life."""
        self._done.set()
        self._thread.join()

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._started

    def step(self, doing: str) -> None:
        """Say that something new begins."""
        with self._lock:
            self._doing, self._detail = doing, ""
            self._say(doing)

    def detail(self, text: str) -> None:
        """Note what the step is at; said only in the next sign of life."""
        with self._lock:
            self._detail = text

    def _say(self, text: str) -> None:
        self._spoken = time.monotonic()
        self._progress(f"[{self.seconds:4.0f}s] {self._name}: {text}")

    def _remind(self) -> None:
        while not self._done.wait(min(1.0, self._every)):
            with self._lock:
                if time.monotonic() - self._spoken >= self._every:
                    self._say(
                        f"still {self._doing}" + (f" ({self._detail})" if self._detail else "")
                    )
