"""Python kept warm, in the sandbox: a process that forks candidates; see zygote.py."""

from __future__ import annotations

from typing import Any

from workbench.execution.inside.residents import Zygote


class Warm:
    """Has a zygote start what the plain command would have started."""

    def __init__(self, box: Any, texts: dict[str, str]) -> None:
        """Nothing is started before the first program: only then the command is known."""
        self._box = box
        self._text = texts["zygote.py"]
        self._zygotes: dict[tuple[Any, ...], Zygote] = {}

    def prepare(self, _texts: list[tuple[str, str]], steps: list[dict[str, Any]]) -> None:
        """Let the run step be forked from a zygote of the same flags and environment."""
        step = steps[-1]
        env = {**self._box.env, **step["env"], **self._box.own_env}
        key = (*step["argv"][:-1], *sorted(env.items()))
        zygote = self._zygotes.get(key)
        if zygote is None:
            zygote = self._zygotes[key] = Zygote(
                self._box, [*step["argv"][:-1], "/dev/fd/4"], env, self._text
            )
        step["start"] = zygote.start
