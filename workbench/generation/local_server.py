"""The embedded model's server process: started by `local.py`, one JSON line in, one out.

It runs apart so that a crash in native code takes nothing else along. Several engines, each with
one slot and one thread, answer side by side: measured on two cores, two such engines give twice
the tokens of one engine with four slots, and since no engine ever batches two requests, an answer
doesn't depend on what else is asked at the same time.

Input:  {"weights": path, "engines": n, "context": tokens, "alias": name, "api_key": key}
Output: {"urls": [...]} or {"error": "one line"}
"""

from __future__ import annotations

import ctypes
import importlib
import json
import os
import signal
import sys
from typing import Any

_PR_SET_PDEATHSIG = 1


def _die_with_parent() -> None:
    """Ask the kernel to kill us with the parent; the end of stdin tells the same elsewhere."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _engine(xllamacpp: Any, settings: dict[str, Any]) -> Any:
    params = xllamacpp.CommonParams()
    params.model.path = settings["weights"]
    params.model_alias = {settings["alias"]}
    params.n_ctx = settings["context"]
    params.n_parallel = 1
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.n_threads_http = 2
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [settings["api_key"]]
    # What an earlier prompt left in the cache would change an answer's last digits.
    params.cache_prompt = False
    params.cache_ram_mib = 0
    params.ctx_shift = False
    params.warmup = False
    params.fit_params = False
    params.ui = False
    params.endpoint_slots = False
    params.offline = True
    params.verbosity = 0
    return xllamacpp.Server(params)


def main() -> None:
    """Serve until stdin ends."""
    _die_with_parent()
    # Native code prints to descriptor 1; our one line must stand there alone.
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    settings = json.loads(sys.stdin.readline())
    try:
        xllamacpp = importlib.import_module("xllamacpp")
        engines = [_engine(xllamacpp, settings) for _ in range(settings["engines"])]
        reply: dict[str, Any] = {"urls": [engine.listening_address for engine in engines]}
    except Exception as error:
        reply = {"error": " ".join(f"{type(error).__name__}: {error}".split())}
    print(json.dumps(reply), file=replies, flush=True)
    if "urls" in reply:
        sys.stdin.read()
    # Nothing is to be kept, and tearing engines down under a running request may hang.
    os._exit(0 if "urls" in reply else 1)


if __name__ == "__main__":
    main()
