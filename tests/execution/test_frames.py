"""Frames: whatever is sent arrives, however it is cut; what isn't a frame is a fault."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.errors import SandboxFault
from workbench.execution.frames import ANSWER_CAP, StreamLink, encode, framed, receive
from workbench.execution.launchers.attached import AttachedLink

TEXT = st.text(st.characters(codec="utf-8"), max_size=40)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
MESSAGES = st.lists(st.dictionaries(TEXT, VALUES, max_size=4), min_size=1, max_size=4)


class _Sink:
    """A writer that is never written to."""

    def close(self) -> None:
        """Nothing to close."""


def _reader(parts: Sequence[bytes]) -> asyncio.StreamReader:
    reader = asyncio.StreamReader()
    for part in parts:
        reader.feed_data(part)
    reader.feed_eof()
    return reader


def _cut(data: bytes, cuts: Sequence[int]) -> list[bytes]:
    places = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return [data[a:b] for a, b in itertools.pairwise(places)]


@settings(max_examples=50, deadline=None)
@given(MESSAGES, st.lists(st.integers(0, 10_000), max_size=8))
def test_messages_arrive_as_sent_however_the_stream_is_cut(
    messages: list[dict[str, object]], cuts: list[int]
) -> None:
    async def check() -> None:
        stream = b"".join(encode(message) for message in messages)
        link = StreamLink(_reader(_cut(stream, cuts)), _Sink())  # type: ignore[arg-type]
        assert [await receive(link) for _ in messages] == messages
        with pytest.raises(SandboxFault, match="the sandbox ended"):
            await receive(link)

    asyncio.run(check())


@settings(max_examples=50, deadline=None)
@given(MESSAGES, st.lists(st.integers(0, 10_000), max_size=8), st.lists(st.integers(0, 9)))
def test_an_engines_blocks_match_neither_frames_nor_reads(
    messages: list[dict[str, object]], cuts: list[int], reads: list[int]
) -> None:
    async def check() -> None:
        blocks = _cut(b"".join(encode(message) for message in messages), cuts)
        stream = b"".join(b"\1\0\0\0" + len(b).to_bytes(4, "big") + b for b in blocks)

        async def nothing() -> None:
            return None

        link = AttachedLink(_reader(_cut(stream, reads)), _Sink(), nothing)  # type: ignore[arg-type]
        assert [await receive(link) for _ in messages] == messages

    asyncio.run(check())


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        (framed(b"[1]"), "isn't a message"),
        (framed(b"{"), "isn't JSON"),
        (framed(b"[" * 200_000), "isn't JSON"),
        ((ANSWER_CAP + 1).to_bytes(4, "big"), "announced an answer"),
        (b"\0\0", "ended"),
    ],
)
async def test_what_is_no_message_is_a_fault(sent: bytes, says: str) -> None:
    with pytest.raises(SandboxFault, match=says):
        await receive(StreamLink(_reader([sent]), _Sink()))  # type: ignore[arg-type]


async def test_what_docker_says_on_standard_error_is_the_faults_reason() -> None:
    told = b'exec: "/usr/bin/python3": no such file\n'
    block = b"\2\0\0\0" + len(told).to_bytes(4, "big") + told

    async def nothing() -> None:
        return None

    link = AttachedLink(_reader([block]), _Sink(), nothing)  # type: ignore[arg-type]
    with pytest.raises(SandboxFault, match="no such file"):
        await receive(link)
