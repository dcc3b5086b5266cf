"""The command line in this process, on a sessions folder of the test's own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from workbench.cli.main import cli
from workbench.errors import WorkbenchError

Command = Callable[..., str]


@pytest.fixture
def sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "sessions"
    folder.mkdir()
    monkeypatch.setenv("WORKBENCH_SESSIONS", str(folder))
    return folder


@pytest.fixture
def command(sessions: Path) -> Command:
    """Run a command and return what it prints; what it refuses is raised."""

    def run(*words: str) -> str:
        done = CliRunner().invoke(cli, list(words), standalone_mode=False)
        if done.exception is not None:
            assert isinstance(done.exception, WorkbenchError | click.ClickException), done.exception
            raise done.exception
        return done.output

    return run


@pytest.fixture
def body(command: Command) -> Callable[..., Any]:
    """The same, its JSON read."""
    return lambda *words: json.loads(command(*words, "--json"))
