"""JavaScript kept warm, in the sandbox: Node starts from a snapshot of itself that the image has.

The snapshot holds Node after its own start and nothing else: no program and no module that one
could see. It fits the flags it was made with, so these are compared.
"""

# No pathlib inside the sandbox. Python 3.8.
# ruff: noqa: PTH118
from __future__ import annotations

import os
from typing import Any

BAKED = "/opt/workbench/snapshot"


class Warm:
    """Adds the snapshot to the run step."""

    def __init__(self, _box: Any, _texts: dict[str, str]) -> None:
        """Read which flags the snapshot was made with."""
        with open(os.path.join(BAKED, "flags"), encoding="ascii") as file:
            self._flags = file.read().split()

    def prepare(self, _texts: list[tuple[str, str]], steps: list[dict[str, Any]]) -> None:
        """Change the run step of a program."""
        step = steps[-1]
        node, *flags, script = step["argv"]
        if flags == self._flags:
            blob = os.path.join(BAKED, "node.blob")
            step["argv"] = [node, *flags, "--snapshot-blob", blob, script]
