"""Where a sandbox's uids come from."""

from __future__ import annotations

import builtins
import io
from typing import Any

import pytest

from workbench.execution.inside.kernel import usable_uids

FIRST, COUNT = 0x70000000, 4095


@pytest.mark.parametrize(
    ("mapped", "found"),
    [
        ("0 0 4294967295\n", lambda uid: uid == FIRST),
        (
            "0 1000 1\n1 100000 65536\n",
            lambda uid: uid is not None and 1001 <= uid <= 65537 - COUNT,
        ),
        ("0 1000 1\n", lambda uid: uid is None),
        ("1000 1000 1\n", lambda uid: uid is None),
        ("0 100000 5000\n", lambda uid: uid is None),
    ],
)
def test_uids_are_taken_where_the_namespace_has_room(
    monkeypatch: pytest.MonkeyPatch, mapped: str, found: Any
) -> None:
    monkeypatch.setattr(builtins, "open", lambda *_, **__: io.StringIO(mapped))
    uid = usable_uids(FIRST, COUNT)
    monkeypatch.undo()
    assert found(uid)
