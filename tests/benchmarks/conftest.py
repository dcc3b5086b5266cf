"""Small data files in the published formats, written for these tests."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Write = Callable[..., Path]


@pytest.fixture
def humaneval_row() -> Callable[..., dict[str, Any]]:
    """Makes a row in HumanEval's format; keywords replace its fields, None takes one away."""

    def make(number: int = 0, **changes: Any) -> dict[str, Any]:
        row = {
            "task_id": f"HumanEval/{number}",
            "prompt": f'def f{number}(x):\n    """ x.\n    >>> f{number}(1)\n    1\n    """\n',
            "entry_point": f"f{number}",
            "canonical_solution": "    return x\n",
            "test": "def check(candidate):\n    assert candidate(2) == 2\n",
        } | changes
        return {k: v for k, v in row.items() if v is not None}

    return make


@pytest.fixture
def humaneval_x_row() -> Callable[..., dict[str, Any]]:
    """Makes a row in HumanEval-X's format."""

    def make(number: int = 0, prefix: str = "JavaScript", **changes: Any) -> dict[str, Any]:
        row = {
            "task_id": f"{prefix}/{number}",
            "prompt": f"/* x */\nconst f{number} = (x) => {{\n",
            "declaration": f"\nconst f{number} = (x) => {{\n",
            "canonical_solution": "  return x\n}\n",
            "test": f"console.assert(f{number}(2) === 2)\n",
            "example_test": f"console.assert(f{number}(1) === 1)\n",
        } | changes
        return {k: v for k, v in row.items() if v is not None}

    return make


@pytest.fixture
def write_jsonl(tmp_path: Path) -> Write:
    """Writes rows, compressed when the name says so, and gives the path."""

    def write(name: str, *rows: dict[str, Any]) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = "".join(json.dumps(row) + "\n" for row in rows).encode()
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return path

    return write


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Keeps the user's own data out: an empty cache, no WORKBENCH_DATA, no packages."""
    cache = tmp_path / "cache"
    monkeypatch.setattr("workbench.paths.cache_dir", lambda: cache)
    monkeypatch.delenv("WORKBENCH_DATA", raising=False)
    return cache
