"""Results that a program with the token writes in the wrong number, order or form are no pass."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from workbench.errors import SandboxUnavailable
from workbench.execution.pool import Pool, open_pool
from workbench.execution.program import DataCase, Program, SourceFile
from workbench.outcomes import Outcome

pytestmark = pytest.mark.asyncio(loop_scope="module")
SANDBOXES = [pytest.param("docker", marks=pytest.mark.docker), "bubblewrap", "unshare"]
CASES = (DataCase(1), DataCase(2))


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=SANDBOXES)
async def pool(request: pytest.FixtureRequest) -> AsyncGenerator[Pool]:
    try:
        async with open_pool(["python"], request.param, slots=1, reuse=False) as opened:
            yield opened
    except SandboxUnavailable as error:
        pytest.skip(str(error))


@pytest.mark.parametrize(
    "text",
    [
        "'@@ end'",
        "'@@ 0 1\\n@@ end'",
        "'@@ 0 1\\n@@ 0 1\\n@@ end'",
        "'@@ 0 1\\n@@ 1 true\\n@@ end'",
        "'@@ 0 1\\n@@ 1 2 \\n@@ 2 2\\n@@ end'",
        "'@@ 0 ' + '[' * 200_000 + '\\n@@ 1 2\\n@@ end'",
        "'@@ 0 ' + '9' * 6_000_000 + '\\n@@ 1 2\\n@@ end'",
    ],
)
async def test_results_that_claim_too_much_are_no_pass(pool: Pool, text: str) -> None:
    code = f"import os\nwith open(3, 'w') as out: out.write({text} + '\\n')"
    program = Program("python", (SourceFile("main.py", tuple(code.split("@@"))),), cases=CASES)
    execution = await pool.execute(program)
    assert execution.outcome in (Outcome.RUNTIME_ERROR, Outcome.WRONG_ANSWER)
