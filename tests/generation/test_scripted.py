"""The scripted model: deterministic, and as badly behaved as it is told to be."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from pathlib import Path

import pytest

from workbench.errors import DataError, GenerationFailed, UsageError
from workbench.generation.model import Request
from workbench.generation.open import ModelOptions, open_generator
from workbench.generation.retries import NoAnswer, RetryPolicy

SCRIPT = """
model = "script-1"

[[answer]]
key = "*/T/0/plain/*"
texts = ["zero", "one"]

[[answer]]
key = "*/T/1/*/1"
index = [0]
text = "slow"
delay_s = 0.2

[[answer]]
key = "*/T/2/*"
faults = ["429:0", "garbage", "hang"]
text = "after all"

[[answer]]
key = "*/T/3/*"
faults = ["500"]
always = true

[[answer]]
key = "*/T/4/*"
faults = ["401"]
"""


@pytest.fixture
def script(tmp_path: Path) -> str:
    path = tmp_path / "script.toml"
    path.write_text(SCRIPT)
    return f"scripted:{path}"


OPTIONS = ModelOptions(policy=RetryPolicy(max_attempts=4, attempt_s=0.3, first_wait_s=0.01))


async def test_it_answers_by_key_and_sample(script: str, chat: Request):
    async with open_generator(script, OPTIONS) as model:
        texts = [(await model.complete(replace(chat, index=i))).text for i in range(4)]
        answer = await model.complete(chat)
        with pytest.raises(GenerationFailed, match="no answer is scripted for b/go/T/9/plain/1"):
            await model.complete(replace(chat, key="b/go/T/9/plain/1"))
    assert texts == ["zero", "one", "zero", "one"]
    assert (answer.model, answer.cost_usd, answer.finish_reason) == ("script-1", 0, "stop")
    assert answer.usage.completion_tokens == 1


async def test_it_can_be_slow(script: str, chat: Request):
    began = time.monotonic()
    async with open_generator(script, OPTIONS) as model:
        await asyncio.gather(
            *(model.complete(replace(chat, key=f"b/{x}/T/1/plain/1")) for x in "abcdefgh")
        )
    assert 0.2 <= time.monotonic() - began < 1.0


async def test_its_faults_go_through_the_real_retry_loop(script: str, chat: Request):
    async with open_generator(script, OPTIONS) as model:
        answer = await model.complete(replace(chat, key="b/x/T/2/plain/1"))
        with pytest.raises(NoAnswer, match="no answer after 4 attempts: 500"):
            await model.complete(replace(chat, key="b/x/T/3/plain/1"))
        with pytest.raises(UsageError, match="key was refused"):
            await model.complete(replace(chat, key="b/x/T/4/plain/1"))
    assert answer.text == "after all"
    assert [a.error for a in answer.attempts] == [
        *("429", "the answer isn't JSON", "no answer within 0 s"),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("answer = 3", "field `answer`"),
        ("", "field `answer`"),
        ("[[answer]]\nfaults = ['flood']", "'flood' is no fault"),
        ("[[answer]]\ntxt = 'x'", "field `answer.0.txt`"),
        ("[[answer", "isn't valid TOML"),
    ],
)
async def test_a_wrong_script_is_one_line(tmp_path: Path, text: str, said: str):
    path = tmp_path / "script.toml"
    path.write_text(text)
    with pytest.raises(DataError) as caught:
        async with open_generator(f"scripted:{path}"):
            pass
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
