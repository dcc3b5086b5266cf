"""What a provider's error means: try again, give this request up, or stop asking."""

from __future__ import annotations

import email.utils
import os
import re
import time
from collections.abc import Iterable, Mapping

from workbench.errors import GenerationFailed, UsageError
from workbench.generation.transport import AttemptFailed

_RETRIED = frozenset({408, 409, 425, 429})
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL", re.IGNORECASE)
_NAMED = re.compile(r"(?i)(\bbearer\s+|\bapi[-_ ]?key[\"']?\s*[:=]\s*[\"']?)[A-Za-z0-9._~+/*-]{8,}")
_KEY_LIKE = re.compile(r"\b(?:sk|pk|gsk|xai|hf|r8)[-_][A-Za-z0-9_*-]{6,}")
_CONTEXT = re.compile(
    r"context[ _](?:length|size|window)|exceed_context|maximum context|prompt is too long",
    re.IGNORECASE,
)
_QUOTA = re.compile(r"insufficient_quota|billing|credit balance|exceeded your current quota", re.I)
_LINE_LIMIT = 240


def secrets_of_environment() -> tuple[str, ...]:
    """Values of environment variables whose names say that they are secret."""
    found = (v for k, v in os.environ.items() if _SECRET_NAME.search(k) and len(v) >= 8)
    return tuple(found)


def one_line(text: str, secrets: Iterable[str] = ()) -> str:
    """Make a provider's text showable: one bounded line, without any secret."""
    for secret in secrets:
        if secret:
            text = text.replace(secret, "[secret]")
    text = _NAMED.sub(r"\1[secret]", text[: 20 * _LINE_LIMIT])
    text = _KEY_LIKE.sub("[secret]", text)
    text = "".join(c if c.isprintable() else " " for c in text)
    text = " ".join(text.split())
    return text if len(text) <= _LINE_LIMIT else text[: _LINE_LIMIT - 1] + "…"


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that a `Retry-After` header asks for: a number, or an HTTP date (RFC 9110, 10.2.3).

    `retry-after-ms`, which some providers send beside it, is more exact and wins.
    """
    lower = {k.lower(): v for k, v in headers.items()}
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = lower.get(name, "").strip()
        if re.fullmatch(r"\d+(\.\d+)?", value):
            return float(value) * unit
        if value:
            try:
                then = email.utils.parsedate_to_datetime(value)
            except ValueError:
                continue
            return max(0.0, then.timestamp() - time.time())
    return None


def classify(
    model: str, status: int, message: str, headers: Mapping[str, str]
) -> AttemptFailed | GenerationFailed | UsageError:
    """Make the error to raise for an HTTP status; `message` must be one line without secrets.

    An exceeded context window concerns one request, so it doesn't stop the session; an empty
    account concerns all of them, so it does, although it comes as a 429.
    """
    if status in (400, 413, 422) and _CONTEXT.search(message):
        return GenerationFailed(f"{model}: the prompt is longer than the context: {message}")
    if status == 402 or (status == 429 and _QUOTA.search(message)):
        return UsageError(f"{model}: the provider's account is used up ({status}): {message}")
    if status in _RETRIED or status >= 500:
        wait = retry_after(headers)
        return AttemptFailed(
            str(status), retry_after=wait, holds_all=wait is not None and status in (429, 503)
        )
    if status == 401:
        return UsageError(f"{model}: the key was refused (401): {message}")
    if status == 403:
        return UsageError(f"{model}: access was refused (403): {message}")
    if status == 404:
        return UsageError(f"{model}: there is no such model or address (404): {message}")
    return UsageError(f"{model}: the provider refused the request ({status}): {message}")
