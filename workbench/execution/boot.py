"""How the supervisor gets into a sandbox: through its standard input, so that no file is mounted,
a remote engine works too, and candidates find no script to read.
"""

from __future__ import annotations

import json
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_INSIDE = ("kernel", "verdict", "sandbox", "steps", "residents")

BOOT = """\
import json, os, sys, types
def exactly(size):
    data = b""
    while len(data) < size:
        part = os.read(0, size - len(data))
        if not part:
            os._exit(0)
        data += part
    return data
for name, text in json.loads(exactly(int.from_bytes(exactly(4), "big"))):
    module = sys.modules["__main__"] if name == "__main__" else types.ModuleType(name)
    sys.modules[name] = module
    package, _, last = name.rpartition(".")
    if package:
        setattr(sys.modules[package], last, module)
    exec(compile(text, "<" + name + ">", "exec"), module.__dict__)
"""
"""The program text given to `python3 -I -S -c`; it reads one frame and runs what is in it."""


def source() -> bytes:
    """The frame's content: JSON pairs of module name and text, in the order to run them."""
    packages = ["workbench", "workbench.execution", "workbench.execution.inside"]
    modules = [(name, "") for name in packages]
    for name in _INSIDE:
        path = _HERE / "inside" / f"{name}.py"
        modules.append((f"{packages[-1]}.{name}", path.read_text(encoding="utf-8")))
    modules.append(("__main__", (_HERE / "supervisor.py").read_text(encoding="utf-8")))
    return json.dumps(modules).encode()
