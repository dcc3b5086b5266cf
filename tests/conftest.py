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
