"""The same clock, terminal and sessions for every test of the screens."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tui import made


@pytest.fixture(autouse=True)
def _fixed_world(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The same time zone, terminal and colours on every machine."""
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    for name in ("NO_COLOR", "TEXTUAL_THEME", "WORKBENCH_ASCII"):
        monkeypatch.delenv(name, raising=False)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three sessions; nobody may change them."""
    root = tmp_path_factory.mktemp("sessions")
    path = made.write_session(root, tasks=8, n=4, repair=2)
    made.write_session(root, "starcoder2-15b", n=1, repair=0, open_share=0, tasks=3,
                       created=made.NOW - 90_000)  # fmt: skip
    made.write_session(root, "gpt-4o-mini", n=2, open_share=0, tasks=3, created=made.NOW - 200_000)
    made.add_pictured_units(path)
    return root
