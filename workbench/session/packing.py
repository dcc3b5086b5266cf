"""Texts that are nearly the same, stored small: what differs from one that is kept whole.

A session holds thousands of requests, programs and executions a task, which differ in a few
hundred characters. Each is stored as its difference from the first of its kind and task.
"""

from __future__ import annotations

import hashlib
import struct
import zlib

_HEAD = struct.Struct(">B16sII")
_VERSION = 1
_WINDOW = 32_768
"""As much of the kept text as compression can refer to."""
LONGEST = 1 << 28
"""Bytes that a stored text may have: a file from elsewhere can't fill the memory."""


def name_of(base: bytes) -> bytes:
    """The name under which a whole text is kept, 16 bytes."""
    return hashlib.blake2b(base, digest_size=16).digest()


def pack(text: bytes, base: bytes, name: bytes) -> bytes:
    """`text` as its difference from `base`, whose name is `name`."""
    before = _common_start(text, base)
    after = _common_end(text[before:], base[before:])
    middle = text[before : len(text) - after]
    squeezer = zlib.compressobj(6, zlib.DEFLATED, -15, zdict=_window(base, before))
    squeezed = squeezer.compress(middle) + squeezer.flush() if middle else b""
    return _HEAD.pack(_VERSION, name, before, after) + squeezed


def base_of(packed: bytes) -> bytes:
    """Name of the text that unpacking needs.

    Raises:
        ValueError: nothing that `pack` made.
    """
    if len(packed) < _HEAD.size or packed[0] != _VERSION:
        raise ValueError("no packed text")
    return _HEAD.unpack_from(packed)[1]


def unpack(packed: bytes, base: bytes) -> bytes:
    """The text that was packed.

    Raises:
        ValueError: it is damaged, or belongs to another base.
    """
    _, _, before, after = _HEAD.unpack_from(packed)
    squeezed = packed[_HEAD.size :]
    middle = b""
    if squeezed:
        opener = zlib.decompressobj(-15, zdict=_window(base, before))
        try:
            middle = opener.decompress(squeezed, LONGEST)
        except zlib.error as error:
            raise ValueError(f"damaged: {error}") from None
        if not opener.eof:
            raise ValueError("damaged, or too long")
    if before + after > len(base):
        raise ValueError("its base is another one")
    return base[:before] + middle + base[len(base) - after :]


def _window(base: bytes, start: int) -> bytes:
    """The part of the base around the place where the texts begin to differ."""
    return base[max(0, start - _WINDOW // 2) :][:_WINDOW]


def _common_start(a: bytes, b: bytes) -> int:
    """How many bytes two texts have in common at their start."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_end(a: bytes, b: bytes) -> int:
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[len(a) - middle : len(a) - low] == b[len(b) - middle : len(b) - low]:
            low = middle
        else:
            high = middle - 1
    return low
