"""Languages made for these tests."""

from __future__ import annotations

import pytest

from tests.execution.tiny import make_language
from workbench.languages import Language


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Language:
    """A language without a compile step."""
    return make_language(tmp_path_factory.mktemp("languages") / "tiny")


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Language:
    """A language whose compile step runs `build.py`."""
    return make_language(tmp_path_factory.mktemp("languages") / "built", compiled=True)
