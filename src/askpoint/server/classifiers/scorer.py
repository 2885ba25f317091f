"""The process of one model: answers on a socket, and dies when a case takes too long.

It runs by itself, in the Python of the model, and so imports nothing but the standard
library. Started with one line of JSON on its standard input, it ends when that is closed:
when the process that watches over it is gone.

Request and answer are one line of JSON each::

    {"cases": ["a text", ...]}
    {"probabilities": [[0.9, 0.1], ...], "decisions": [...], "version": "..."} or {"error": "..."}
"""

from __future__ import annotations

import contextlib
import importlib
import json
import math
import os
import socketserver
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any

__all__ = ["answer_of", "load_model"]

_MOST_ANSWER = 1_000_000  # bytes that a model may send back


def load_model(config: dict[str, Any]) -> Callable[[list[Any]], Any]:
    """Return what answers cases: a function by its name, or an address that is asked."""
    if config["adapter"] == "http":
        return lambda cases: _ask_http(config["target"], cases, config["seconds"])
    module, _, function = config["target"].partition(":")
    sys.path.insert(0, os.getcwd())
    model: Callable[[list[Any]], Any] = getattr(importlib.import_module(module), function)
    return model


def _ask_http(url: str, cases: list[Any], seconds: float) -> Any:
    body = json.dumps({"cases": cases}).encode()
    request = urllib.request.Request(  # noqa: S310 - the scheme was checked at registration
        url, body, {"Content-Type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request, timeout=seconds) as response:  # noqa: S310
            return json.loads(response.read(_MOST_ANSWER))
    except urllib.error.HTTPError as error:
        raise ValueError(f"it answered with status {error.code}") from None
    except (urllib.error.URLError, OSError) as error:
        raise ValueError(f"it cannot be reached: {getattr(error, 'reason', error)}") from None


def answer_of(found: Any, n_cases: int, classes: list[str]) -> dict[str, Any]:
    """Return a model's answer in the one form that the server knows.

    A plain number for a case is the probability of the second of two classes.

    Raises
    ------
    ValueError
        If it is no answer: the wrong shape, not finite, not summing to 1, other classes.
    """
    extra = found if isinstance(found, dict) else {}
    rows = extra.get("probabilities") if extra else found
    rows = _plain(rows)
    named = extra.get("classes")
    if named is not None and [str(name) for name in named] != classes:
        raise ValueError(f"its classes are {named}, and {classes} were registered, in this order")
    if not isinstance(rows, list) or len(rows) != n_cases:
        raise ValueError(f"it must give a list of {n_cases} answers, one for each case")
    probabilities = [_row(row, len(classes)) for row in rows]
    decisions = extra.get("decisions")
    if decisions is None:
        decisions = [classes[max(range(len(row)), key=row.__getitem__)] for row in probabilities]
    if len(decisions) != n_cases or not set(map(str, decisions)) <= set(classes):
        raise ValueError(f"its decisions must be among {', '.join(classes)}, one for each case")
    return {
        "probabilities": probabilities,
        "decisions": [str(decision) for decision in decisions],
        "version": str(extra.get("version", ""))[:100],
    }


def _plain(values: Any) -> Any:
    """Return an array as lists; this process may have no NumPy."""
    return values.tolist() if hasattr(values, "tolist") else values


def _row(row: Any, n_classes: int) -> list[float]:
    if isinstance(row, int | float) and n_classes == 2:
        row = [1 - row, row]
    row = _plain(row)
    if not isinstance(row, list | tuple) or len(row) != n_classes:
        raise ValueError(f"it must give {n_classes} probabilities for each case, got {row!r:.80}")
    values = [float(value) for value in row]
    if not all(math.isfinite(value) and -1e-9 <= value <= 1 + 1e-9 for value in values):
        raise ValueError(f"a probability lies between 0 and 1, got {values!r:.80}")
    if abs(sum(values) - 1) > 1e-3:
        raise ValueError(f"the probabilities of a case must sum to 1, got {sum(values):.4f}")
    return [min(1.0, max(0.0, value / sum(values))) for value in values]


class _Handler(socketserver.StreamRequestHandler):
    server: _Server

    def handle(self) -> None:
        for line in self.rfile:
            try:
                reply = self.server.answer(json.loads(line)["cases"])
            except Exception as error:  # noqa: BLE001 - whatever a model does is its answer
                text = str(error) or type(error).__name__
                reply = {"error": " ".join(text.split())[:300]}
            self.wfile.write(json.dumps(reply).encode() + b"\n")


class _Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, path: str, config: dict[str, Any]) -> None:
        self._config, self._model = config, load_model(config)
        self._alone = threading.Lock() if config["adapter"] == "callable" else None
        super().__init__(path, _Handler)

    def answer(self, cases: list[Any]) -> dict[str, Any]:
        """Ask the model; a function is asked by one thread at a time."""
        with self._alone or contextlib.nullcontext():
            # a function that hangs cannot be stopped otherwise; it is started again
            watch = threading.Timer(2 * self._config["seconds"], os._exit, (1,))
            watch.daemon = True
            watch.start()
            try:
                found = self._model(cases)
            finally:
                watch.cancel()
        return answer_of(found, len(cases), self._config["classes"])


def _main() -> None:
    config = json.loads(sys.stdin.readline())
    # what a model prints goes to the log, and never fills a pipe that nobody reads
    said = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    try:
        server = _Server(config["socket"], config)
    except Exception as error:  # noqa: BLE001 - said to who started it
        print(json.dumps({"error": f"{type(error).__name__}: {error}"}), file=said, flush=True)
        sys.exit(1)
    print(json.dumps({"ready": True}), file=said, flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()  # until the watching process is gone
    os._exit(0)


if __name__ == "__main__":
    _main()
