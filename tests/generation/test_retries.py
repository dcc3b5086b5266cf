"""Faults of a provider, over real HTTP: what is tried again, what is given up, what is said."""

from __future__ import annotations

import asyncio
import email.utils
import time
from dataclasses import replace

import pytest

from tests.generation.provider import Provider
from workbench.errors import GenerationFailed, UsageError
from workbench.generation.client import Client
from workbench.generation.model import Request, Sampling
from workbench.generation.openai_http import OpenAIHttp
from workbench.generation.rate import RateGate
from workbench.generation.retries import NoAnswer, RetryPolicy

KEY = "sk-very-secret-value-123456"


def client(provider: Provider, policy: RetryPolicy, gate: RateGate | None = None) -> Client:
    return Client("m", OpenAIHttp("m", provider.base, KEY), policy=policy, gate=gate)


async def test_an_answer_is_read_whole(provider: Provider, chat: Request, hasty: RetryPolicy):
    async with client(provider, hasty) as model:
        answer = await model.complete(replace(chat, sampling=Sampling(logprobs=True)))
    assert (answer.text, answer.finish_reason, answer.reasoning) == ("hello", "stop", "hm")
    assert answer.model == "m-2026-01-01"
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens) == (10, 5)
    assert answer.logprob_mean == -0.5
    assert answer.cost_usd is None
    assert abs(answer.started - time.time()) < 60
    assert answer.seconds > 0
    assert answer.attempts == ()


async def test_each_sample_is_one_call_with_a_seed_of_its_own(
    provider: Provider, chat: Request, hasty: RetryPolicy
):
    sampling = Sampling(temperature=0.8, top_p=0.95, max_tokens=7, stop=("\ndef",), seed=40)
    async with client(provider, hasty) as model:
        for index in range(3):
            await model.complete(replace(chat, sampling=sampling, index=index))
    assert [body["seed"] for body in provider.seen] == [40, 41, 42]
    sent = provider.seen[0]
    assert "n" not in sent
    assert (sent["temperature"], sent["top_p"], sent["max_tokens"]) == (0.8, 0.95, 7)
    assert sent["stop"] == ["\ndef"]


async def test_what_is_not_set_is_not_sent(provider: Provider, chat: Request, hasty: RetryPolicy):
    async with client(provider, hasty) as model:
        await model.complete(chat)
    assert set(provider.seen[0]) == {
        *("model", "messages", "temperature", "max_tokens"),
        *("path", "authorization"),
    }


async def test_a_raw_prompt_goes_out_byte_for_byte(provider: Provider, hasty: RetryPolicy):
    prompt = 'def f():\r\n\t"""é {{ x }} \x1b[0m"""\n   \n'
    request = Request("complete", (), prompt, Sampling(logprobs=True))
    async with client(provider, hasty) as model:
        answer = await model.complete(request)
    assert provider.seen[0]["prompt"] == prompt
    assert provider.seen[0]["path"] == "/v1/completions"
    assert (answer.text, answer.logprob_mean) == ("hello", -0.25)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("429", "429"),
        ("500", "500"),
        ("503", "503"),
        ("408", "408"),
        ("garbage", "the answer isn't JSON"),
        ("half", "the answer isn't JSON"),
        ("cut", "connection cut (RemoteProtocolError)"),
        ("drop", "connection cut"),
        ("empty", "no choices in the answer"),
        ("error-in-200", "no choices in the answer"),
    ],
)
async def test_a_passing_fault_is_tried_again_and_recorded(
    provider: Provider, chat: Request, hasty: RetryPolicy, fault: str, said: str
):
    provider.plan = [fault, "ok"]
    phrases: list[str] = []
    async with client(provider, hasty) as model:
        answer = await model.complete(chat, phrases.append)
    assert answer.text == "hello"
    assert len(provider.seen) == 2
    assert [a.error.startswith(said) for a in answer.attempts] == [True]
    assert answer.attempts[0].waited_s > 0
    assert phrases[0] == "waiting for the model, 0 s"
    assert any(p.startswith(f"retry 2 of 3: {said}") and ", next in " in p for p in phrases)


async def test_a_lasting_fault_names_every_attempt(
    provider: Provider, chat: Request, hasty: RetryPolicy
):
    provider.plan = ["500", "garbage", "500"]
    async with client(provider, hasty) as model:
        with pytest.raises(NoAnswer) as caught:
            await model.complete(chat)
    assert str(caught.value) == "no answer after 3 attempts: 500, the answer isn't JSON"
    assert isinstance(caught.value, GenerationFailed)
    assert [a.error for a in caught.value.attempts] == ["500", "the answer isn't JSON", "500"]
    assert len(provider.seen) == 3


async def test_a_server_that_says_nothing_meets_the_attempts_deadline(
    provider: Provider, chat: Request
):
    provider.plan = ["hang", "ok"]
    policy = RetryPolicy(max_attempts=2, attempt_s=0.2, first_wait_s=0.01)
    async with client(provider, policy) as model:
        answer = await model.complete(chat)
    assert answer.attempts[0].error == "no answer within 0 s"
    assert answer.text == "hello"


async def test_no_server_is_no_connection(chat: Request, hasty: RetryPolicy):
    transport = OpenAIHttp("m", "http://127.0.0.1:9/v1")
    async with Client("m", transport, policy=hasty) as model:
        with pytest.raises(NoAnswer, match="no answer after 3 attempts: no connection"):
            await model.complete(chat)


@pytest.mark.parametrize(
    ("status", "said"),
    [
        ("400", "refused the request (400)"),
        ("401", "the key was refused (401)"),
        ("403", "access was refused (403)"),
        ("404", "there is no such model or address (404)"),
        ("402", "account is used up (402)"),
    ],
)
async def test_what_can_never_work_is_said_at_once_without_the_key(
    provider: Provider, chat: Request, hasty: RetryPolicy, status: str, said: str
):
    provider.plan = [status]
    provider.message = f"Bearer {KEY} is wrong,\nreally [bold]wrong[/] \x1b[31m"
    async with client(provider, hasty) as model:
        with pytest.raises(UsageError) as caught:
            await model.complete(chat)
    text = str(caught.value)
    assert said in text
    assert KEY not in text
    assert text.isprintable()
    assert len(provider.seen) == 1


async def test_an_empty_account_is_not_waited_for(
    provider: Provider, chat: Request, hasty: RetryPolicy
):
    provider.plan = ["429:1"]
    provider.message = "You exceeded your current quota, please check your plan and billing"
    async with client(provider, hasty) as model:
        with pytest.raises(UsageError, match="account is used up"):
            await model.complete(chat)
    assert len(provider.seen) == 1


async def test_a_prompt_beyond_the_context_loses_one_unit_not_the_session(
    provider: Provider, chat: Request, hasty: RetryPolicy
):
    provider.plan = ["400"]
    provider.message = "This model's maximum context length is 4096 tokens"
    async with client(provider, hasty) as model:
        with pytest.raises(GenerationFailed, match="longer than the context"):
            await model.complete(chat)
    assert len(provider.seen) == 1


async def test_a_refusal_is_an_answer(provider: Provider, chat: Request, hasty: RetryPolicy):
    provider.plan = ["refusal"]
    async with client(provider, hasty) as model:
        answer = await model.complete(chat)
    assert (answer.text, answer.finish_reason) == ("I won't.", "refusal")


async def test_retry_after_holds_every_request(provider: Provider, chat: Request):
    provider.plan = ["429:0.4", "ok"]
    policy = RetryPolicy(max_attempts=3, first_wait_s=0.01)
    phrases: list[str] = []
    async with client(provider, policy) as model:
        first = asyncio.create_task(model.complete(chat))
        await asyncio.to_thread(provider.arrived.wait, 5)
        await asyncio.sleep(0.1)
        began = time.monotonic()
        second = await model.complete(chat, phrases.append)
        waited = time.monotonic() - began
        answer = await first
    assert 0.1 < waited < 2
    assert phrases[0].startswith("held: provider asked for ")
    assert second.attempts == ()
    assert answer.attempts[0].waited_s == pytest.approx(0.4)


async def test_a_wait_beyond_the_total_time_is_given_up(provider: Provider, chat: Request):
    provider.plan = ["429:86400"]
    async with client(provider, RetryPolicy(total_s=60)) as model:
        with pytest.raises(NoAnswer, match=r"429; the next would be in 1440:00, too late"):
            await model.complete(chat)


async def test_a_cancelled_request_leaves_nothing_running(provider: Provider, chat: Request):
    provider.plan = ["hang"]
    async with client(provider, RetryPolicy()) as model:
        task = asyncio.create_task(model.complete(chat))
        await asyncio.to_thread(provider.arrived.wait, 5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert asyncio.all_tasks() == {asyncio.current_task()}


def test_backoff_doubles_up_to_its_limit_and_is_spread():
    policy = RetryPolicy(first_wait_s=1, longest_wait_s=60)
    for failures, full in ((1, 1), (2, 2), (5, 16), (9, 60), (40, 60)):
        waits = {policy.backoff(failures) for _ in range(50)}
        assert all(full / 2 <= w <= full for w in waits)
        assert len(waits) > 1


def test_retry_after_is_read_as_seconds_and_as_a_date():
    from workbench.generation.provider_errors import retry_after

    assert retry_after({"Retry-After": "7"}) == 7
    assert retry_after({"retry-after": "30", "retry-after-ms": "1500"}) == 1.5
    later = email.utils.formatdate(time.time() + 90, usegmt=True)
    assert retry_after({"Retry-After": later}) == pytest.approx(90, abs=2)
    assert retry_after({"Retry-After": email.utils.formatdate(0, usegmt=True)}) == 0
    assert retry_after({"Retry-After": "soon"}) is None
    assert retry_after({}) is None
