"""First prompts: exact, recorded, and without any access to tests."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from workbench import languages
from workbench.benchmarks.task import Task
from workbench.errors import UsageError
from workbench.generation.model import Message, Sampling
from workbench.generation.prompt_view import view_of
from workbench.generation.prompts import PromptView, answer_key, first_request, prompting
from workbench.generation.templates import Template, from_file, shipped

PROMPT = 'def f(x):\n    """Say {{ hi }} & <b>.\r\n    ```\n    f(1)\n    ```\n    """\n'
VIEW = PromptView("T/0", "Python", "python", "f", PROMPT)


def secret_task(language: str) -> Task:
    return Task(
        benchmark="b",
        family="humaneval",
        id="T/0",
        problem="0",
        language=language,
        entry_point="f",
        prompt=PROMPT,
        reference="SECRET-reference",
        test="SECRET-test",
        visible_test="SECRET-visible",
        parts={"declaration": "def f(x):", "test_setup": "SECRET-setup", "text": "SECRET-text"},
        reference_known_bad="SECRET-why",
    )


@pytest.mark.parametrize("language", sorted(languages.language_folders()))
def test_no_test_text_can_reach_a_first_prompt(language: str):
    read = languages.load(language)
    view = view_of(secret_task(language), read)
    assert "SECRET" not in repr(view)
    assert view.language == read.name
    everything = Template(
        "all", "{{ prompt }}{{ declaration }}{{ language }}{{ task_id }}{{ tag }}"
    )
    for how in (prompting("chat", template=everything), prompting("chat"), prompting("complete")):
        assert "SECRET" not in repr(first_request(view, how, Sampling()))


def test_complete_style_sends_the_prompt_byte_for_byte():
    request = first_request(VIEW, prompting("complete"), Sampling(), key="k", index=4)
    assert request.prompt == PROMPT
    assert (request.style, request.messages, request.key, request.index) == ("complete", (), "k", 4)


def test_chat_style_asks_for_the_whole_code_in_one_block():
    request = first_request(VIEW, prompting("chat"), Sampling())
    [message] = request.messages
    assert message.role == "user"
    assert request.prompt == ""
    assert "`f`" in message.content
    assert "Python" in message.content
    # The prompt has a fence of its own: ours is longer.
    assert f"````python\n{PROMPT.rstrip()}\n````" in message.content
    assert "{{ hi }} & <b>" in message.content


def test_the_system_message_is_optional_and_goes_first():
    request = first_request(VIEW, prompting("chat", system="You are terse."), Sampling())
    assert request.messages[0] == Message("system", "You are terse.")


def test_a_users_template_is_used_and_recorded(tmp_path: Path):
    path = tmp_path / "mine.j2"
    path.write_text("Solve {{ task_id }} in {{ language }}:\n{{ prompt }}")
    template = from_file(path)
    how = prompting("chat", template=template)
    [message] = first_request(VIEW, how, Sampling()).messages
    assert message.content == "Solve T/0 in Python:\n" + PROMPT.removesuffix("\n")
    assert (template.id, template.text) == ("mine.j2", path.read_text())
    assert len(template.sha256) == 64
    assert template.sha256 != shipped("plain_chat").sha256


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{{ tests }}", "'tests' is undefined: there are declaration, entry_point, fence"),
        ("a\n{% if %}", "line 2"),
        ("{{ prompt.__class__.__mro__ }}", "unsafe"),
        ("{{ ''.__class__ }}", "unsafe"),
    ],
)
def test_a_wrong_template_is_one_line(text: str, said: str):
    how = prompting("chat", template=Template("mine.j2", text))
    with pytest.raises(UsageError) as caught:
        first_request(VIEW, how, Sampling())
    assert said in str(caught.value)
    assert "mine.j2" in str(caught.value)


def test_an_unreadable_template_is_one_line(tmp_path: Path):
    with pytest.raises(UsageError, match="No such file"):
        from_file(tmp_path / "none.j2")
    (tmp_path / "bad.j2").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="can't be read"):
        from_file(tmp_path / "bad.j2")
    with pytest.raises(UsageError, match=r"there are .*plain_chat"):
        shipped("none")


def test_a_hash_does_not_hang_on_line_ends():
    assert Template("a", "x\r\ny").sha256 == Template("b", "x\ny").sha256


def test_records_are_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        VIEW.prompt = ""  # type: ignore[misc]


def test_a_key_names_what_is_answered():
    assert answer_key("b", "go", "T/0", "plain", 1) == "b/go/T/0/plain/1"
