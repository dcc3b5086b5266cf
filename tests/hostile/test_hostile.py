"""Every program of the corpus in every sandbox: none passes, none stays, none spoils what follows.

What passes all the same is listed in docs/sandboxes.md, and is suspect.
"""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from tests.hostile.arena import Arena, open_arena
from tests.hostile.corpus import Hostile, everything
from workbench.errors import SandboxUnavailable
from workbench.outcomes import Outcome

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow]
SANDBOXES = [
    pytest.param("docker", marks=pytest.mark.docker),
    pytest.param("gvisor", marks=pytest.mark.docker),
    "bubblewrap",
    "unshare",
]


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=SANDBOXES)
async def arena(request: pytest.FixtureRequest) -> AsyncGenerator[Arena]:
    sandbox: str = request.param
    wanted = [
        item.callspec.params["program"]
        for item in request.session.items
        if isinstance(item, pytest.Function)
        and item.module is request.module
        and item.callspec.params.get("arena") == sandbox
    ]
    try:
        async with open_arena(sandbox, [p for p in wanted if applies(p, sandbox)]) as opened:
            yield opened
    except SandboxUnavailable as error:
        pytest.skip(str(error))


def applies(program: Hostile, sandbox: str) -> bool:
    """Whether a program is run in a sandbox.

    All that it promises something about in docker; elsewhere what tries the sandbox itself, and
    not assembly, which is the same everywhere. `unshare` holds the walls that bubblewrap holds, by
    another command: one language tells. gVisor compiles so slowly that of the other languages only
    what wants out is tried. WORKBENCH_HOSTILE=all runs everything everywhere.
    """
    if program.sandboxes and sandbox not in program.sandboxes:
        return False
    if sandbox == "docker" or os.environ.get("WORKBENCH_HOSTILE") == "all":
        return True
    if program.language == "python" or sandbox == "bubblewrap":
        return program.topic in ("uses_up", "breaks_out", "stays")
    return sandbox == "gvisor" and program.topic == "breaks_out"


@pytest.mark.parametrize("program", everything(), ids=lambda p: p.id)
async def test_an_attack_gains_nothing(arena: Arena, program: Hostile) -> None:
    if program.language in arena.missing:
        pytest.skip(arena.missing[program.language])
    if not applies(program, arena.sandbox):
        pytest.skip(f"it isn't for {arena.sandbox}")
    fight = await arena.fight(program)
    attack, after = fight.attack, fight.innocent
    told = f"{attack.outcome}: {attack.detail}"
    assert attack.outcome in program.outcomes, told
    assert attack.retried == 0 or attack.steps[-1].stopped_by == "wall", told
    assert program.gained(arena.sandbox, attack.steps[-1].stdout.head) == []
    assert (after.outcome, after.detail, after.retried) == (Outcome.PASSED, "", 0)
    assert after.steps[-1].stdout.head == fight.world
    # A bomb may take gVisor longer to clear away than it is given.
    bombed = arena.sandbox == "gvisor" and program.topic == "uses_up"
    assert program.renews or bombed or not fight.renewed, "the sandbox had to be replaced"
