"""One spelling of everything that is hashed or put into a label."""

from __future__ import annotations

import hashlib
import json
from decimal import Decimal, InvalidOperation
from typing import Any


def decimal_text(value: object) -> str:
    """Write a number in its shortest plain form: 0.80 -> `0.8`, 1e-3 -> `0.001`, 4 -> `4`.

    Raises:
        ValueError: it isn't a finite number.
    """
    if isinstance(value, bool):
        raise ValueError(f"{value!r} isn't a number")
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        raise ValueError(f"{value!r} isn't a number") from None
    if not number.is_finite():
        raise ValueError(f"{value!r} isn't a finite number")
    text = format(number, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def line_feeds(text: str) -> str:
    """The text with LF line ends, so that a checkout's settings change no hash."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def canonical_json(value: Any) -> str:
    """Write JSON in the one way that is hashed: sorted keys, no spaces, LF in texts, no floats.

    Raises:
        TypeError: a float is in it. Its text would depend on who wrote it; decimals are strings.
    """
    return json.dumps(
        _plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return line_feeds(value)
    if isinstance(value, float):
        raise TypeError(f"{value!r}: decimals are hashed as strings")
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return value


def sha256_text(text: str) -> str:
    """SHA-256 of a text's UTF-8 bytes with LF line ends, 64 hex digits."""
    return hashlib.sha256(line_feeds(text).encode()).hexdigest()


def sha256_json(value: Any) -> str:
    """SHA-256 of a value's canonical JSON, 64 hex digits."""
    return sha256_text(canonical_json(value))
