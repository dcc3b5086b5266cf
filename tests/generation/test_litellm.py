"""LiteLLM as we use it, against a real HTTP server: importing it alone takes seconds."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator
from decimal import Decimal

import pytest

from tests.generation.provider import Provider, serve
from workbench.errors import GenerationFailed, UsageError
from workbench.generation.model import Completion, Request, Sampling
from workbench.generation.open import ModelOptions, open_generator, price_of
from workbench.generation.retries import NoAnswer, RetryPolicy

pytestmark = pytest.mark.slow
KEY = "very-secret-value-123456"


@pytest.fixture(scope="module")
def server() -> Iterator[Provider]:
    with serve() as running:
        yield running


@pytest.fixture
def provider(server: Provider, monkeypatch: pytest.MonkeyPatch) -> Provider:
    for name in [n for n in os.environ if n.endswith("_API_KEY")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("MY_KEY", KEY)
    server.plan, server.message = ["ok"], "provider's own words"
    server.seen.clear()
    return server


async def ask(provider: Provider, request: Request, model: str, **options: str) -> Completion:
    policy = RetryPolicy(max_attempts=2, attempt_s=20, first_wait_s=0.01)
    given = ModelOptions(api_base=provider.base, api_key_env="MY_KEY", policy=policy, **options)
    async with open_generator(model, given) as generator:
        identity = generator.identity()
        assert KEY not in str(identity)
        assert identity["host"] == "127.0.0.1"
        return await generator.complete(request)


@pytest.mark.parametrize("model", ["openai/m", "hosted_vllm/m"])
async def test_chat(provider: Provider, chat: Request, model: str):
    sampling = Sampling(0.8, 0.95, 7, ("\nx",), 40, logprobs=True)
    answer = await ask(provider, dataclasses.replace(chat, sampling=sampling, index=2), model)
    assert (answer.text, answer.reasoning, answer.finish_reason) == ("hello", "hm", "stop")
    assert (answer.model, answer.logprob_mean) == ("m-2026-01-01", -0.5)
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens) == (10, 5)
    assert answer.cost_usd is None
    sent = provider.seen[0]
    assert sent["authorization"] == f"Bearer {KEY}"
    assert (sent["seed"], sent["temperature"], sent["top_p"]) == (42, 0.8, 0.95)
    assert (sent["max_tokens"], sent["stop"]) == (7, ["\nx"])
    assert sent.get("n") is None


@pytest.mark.parametrize("model", ["openai/m", "openai/gpt-4o", "hosted_vllm/m"])
async def test_a_raw_prompt_goes_out_byte_for_byte(provider: Provider, model: str):
    prompt = 'def f():\n    """é"""\n   \n'
    request = Request("complete", (), prompt, Sampling(seed=1, stop=("\ndef",), logprobs=True))
    answer = await ask(provider, request, model)
    sent = provider.seen[0]
    assert sent["path"] == "/v1/completions"
    assert sent["prompt"] == prompt
    assert (sent["seed"], sent["stop"]) == (1, ["\ndef"])
    assert (answer.text, answer.logprob_mean) == ("hello", -0.25)


@pytest.mark.parametrize("model", ["openai/m", "hosted_vllm/m"])
@pytest.mark.parametrize(
    "fault", ["429:0.01", "500", "503", "garbage", "half", "cut", "drop", "empty"]
)
async def test_a_fault_is_one_attempt_of_ours(
    provider: Provider, chat: Request, model: str, fault: str
):
    provider.plan = [fault, "ok"]
    answer = await ask(provider, chat, model)
    assert len(provider.seen) == 2
    assert len(answer.attempts) == 1
    assert answer.attempts[0].error
    assert answer.attempts[0].error.isprintable()


async def test_a_server_that_says_nothing_meets_the_attempts_deadline(
    provider: Provider, chat: Request
):
    provider.plan = ["hang", "ok"]
    policy = RetryPolicy(max_attempts=2, attempt_s=1.0, first_wait_s=0.01)
    options = ModelOptions(api_base=provider.base, api_key_env="MY_KEY", policy=policy)
    async with open_generator("openai/m", options) as model:
        answer = await model.complete(chat)
    assert [a.error for a in answer.attempts] == ["no answer within 1 s"]


async def test_lasting_faults_end_without_the_key_in_the_message(provider: Provider, chat: Request):
    provider.plan = ["500"]
    provider.message = f"key {KEY} is overloaded"
    with pytest.raises(NoAnswer) as caught:
        await ask(provider, chat, "openai/m")
    assert str(caught.value) == "no answer after 2 attempts: 500"


@pytest.mark.parametrize(("status", "said"), [("401", "key"), ("404", "no such"), ("400", "400")])
async def test_what_can_never_work_is_said_at_once(
    provider: Provider, chat: Request, status: str, said: str
):
    provider.plan = [status]
    provider.message = f"wrong: {KEY}"
    with pytest.raises(UsageError, match=said) as caught:
        await ask(provider, chat, "openai/m")
    assert KEY not in str(caught.value)
    assert "[secret]" in str(caught.value)
    assert len(provider.seen) == 1


async def test_an_exceeded_context_loses_the_unit(provider: Provider, chat: Request):
    provider.plan = ["400"]
    provider.message = "This model's maximum context length is 4096 tokens."
    with pytest.raises(GenerationFailed, match="longer than the context"):
        await ask(provider, chat, "openai/m")


async def test_a_refusal_is_an_answer(provider: Provider, chat: Request):
    provider.plan = ["refusal"]
    answer = await ask(provider, chat, "openai/m")
    assert (answer.text, answer.finish_reason) == ("I won't.", "refusal")


async def test_a_given_price_is_used_and_an_unknown_one_is_not_zero(
    provider: Provider, chat: Request
):
    assert (await ask(provider, chat, "openai/gpt-4o-mini")).cost_usd is None
    priced = await ask(provider, chat, "openai/gpt-4o-mini", price="1/2")
    assert priced.cost_usd == Decimal("0.00002")
    known = await price_of("openai/gpt-4o-mini")
    assert known is not None
    assert known.prompt > 0
    assert await price_of("openai/gpt-4o-mini-of-tomorrow") is None
    assert await price_of("openai/gpt-4o-mini", ModelOptions(api_base=provider.base)) is None


async def test_a_known_price_gives_a_cost(
    provider: Provider, chat: Request, monkeypatch: pytest.MonkeyPatch
):
    # The provider's own address comes from the environment, as for OpenAI's clients.
    monkeypatch.setenv("OPENAI_API_BASE", provider.base)
    async with open_generator("openai/gpt-4o-mini", ModelOptions(api_key_env="MY_KEY")) as model:
        answer = await model.complete(chat)
    assert answer.cost_usd == Decimal("0.0000045")


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("openai/gpt-4o-mini", "set OPENAI_API_KEY"),
        ("anthropic/claude-sonnet-4-5", "set ANTHROPIC_API_KEY"),
        ("nowhere/model", "no provider is known for model 'nowhere/model'"),
    ],
)
async def test_a_missing_key_or_provider_is_one_line(provider: Provider, model: str, said: str):
    with pytest.raises(UsageError, match=said):
        async with open_generator(model):
            pass


async def test_an_unsupported_parameter_is_an_error(
    provider: Provider, chat: Request, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("LITELLM_DROP_PARAMS", "true")
    request = dataclasses.replace(chat, sampling=Sampling(seed=3))
    options = ModelOptions(api_key_env="MY_KEY", api_base=provider.base)
    async with open_generator("anthropic/claude-3-5-sonnet-20241022", options) as model:
        with pytest.raises(UsageError, match=r"a parameter isn't supported.*seed"):
            await model.complete(request)
    assert provider.seen == []


async def test_a_raw_prompt_is_never_wrapped_into_a_chat(provider: Provider):
    request = Request("complete", (), "def f():", Sampling())
    options = ModelOptions(api_key_env="MY_KEY", api_base=provider.base)
    async with open_generator("anthropic/claude-3-5-sonnet-20241022", options) as model:
        with pytest.raises(UsageError, match="use --prompt-style chat"):
            await model.complete(request)
    assert provider.seen == []
