"""The process of one model: answers on a socket, and dies when a case takes too long.

It runs by itself, in the Python of the model, and so imports nothing but the standard
library. Started with one line of JSON on its standard input, it ends when that is closed:
when the process that watches over it is gone.

Request and answer are one line of JSON each::

    {"cases": ["a text", ...], "from": "who sent them"}
    {"probabilities": [[0.9, 0.1], ...], "decisions": [...], "version": "..."}
    or {"fault": "failed", "detail": "ValueError"}

and ``{"health": true}`` brings how many were answered, and how many faults of which kind.
"""

from __future__ import annotations

import base64
import contextlib
import importlib
import json
import math
import os
import socketserver
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

__all__ = ["FaultError", "answer_of", "load_model", "run"]

_Model = Callable[[list[Any]], Any]
_Check = Callable[[Any, int, list[str]], dict[str, Any]]


_FROM_THE_BOX = (
    "PermissionError: it may not read one of its own files from its box. Keep the model and its files out of the "
    "server's --folder, or name them with --model-reads PATH"
)


class FaultError(Exception):
    """What became of a case that the model gave no answer to.

    Parameters
    ----------
    kind : str
        A kind of fault, as `askpoint.server.classifiers.faults` names them.
    detail : str
        For whoever set the model up; never what a model's exception says.
    """

    def __init__(self, kind: str, detail: str = "") -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind, self.detail = kind, detail


def load_model(config: dict[str, Any]) -> _Model:
    """Return the function that a configuration names; one of images gets their bytes."""
    module, _, function = config["target"].partition(":")
    sys.path.insert(0, os.getcwd())
    model: _Model = getattr(importlib.import_module(module), function)
    if config.get("cases") != "image":
        return model
    return lambda cases: model([base64.b64decode(it["image"].partition(",")[2]) for it in cases])


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
        raise ValueError(f"it must give {n_classes} probabilities for each case; got {row!r:.80}")
    values = [float(value) for value in row]
    if not all(math.isfinite(value) and -1e-9 <= value <= 1 + 1e-9 for value in values):
        raise ValueError(f"a probability must be between 0 and 1; got {values!r:.80}")
    if abs(sum(values) - 1) > 1e-3:
        raise ValueError(f"the probabilities of a case must sum to 1; got {sum(values):.4f}")
    return [min(1.0, max(0.0, value / sum(values))) for value in values]


class _Handler(socketserver.StreamRequestHandler):
    server: _Server

    def handle(self) -> None:
        for line in self.rfile:
            reply = self.server.reply(line)
            with contextlib.suppress(BrokenPipeError):  # who asked has not waited
                self.wfile.write(json.dumps(reply).encode() + b"\n")


class _Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(
        self,
        config: dict[str, Any],
        model: _Model,
        say: Callable[..., None],
        *,
        alone: bool,
        check: _Check = answer_of,
    ) -> None:
        self._config, self._model, self._say, self._check = config, model, say, check
        self._alone = threading.Lock() if alone else None
        self._counts: dict[str, int] = {}
        self._last: tuple[float, str] | None = None
        super().__init__(config["socket"], _Handler)

    def reply(self, line: bytes) -> dict[str, Any]:
        """Answer one line; what goes wrong is counted, and the log says all of it."""
        asked = json.loads(line)
        if asked.get("health"):
            seconds = None if self._last is None else time.monotonic() - self._last[0]
            kind = None if self._last is None else self._last[1]
            return {"counts": dict(self._counts), "last": kind, "seconds": seconds}
        try:
            found = self._answer(asked["cases"], line)
        except FaultError as fault:
            self._note(fault.kind)
            return {"fault": fault.kind, "detail": fault.detail}
        if "answered" not in self._counts:
            self._say(answered=True)
        self._note("answered")
        return found

    def _note(self, kind: str) -> None:
        self._counts[kind] = self._counts.get(kind, 0) + 1
        self._last = time.monotonic(), kind

    def _answer(self, cases: list[Any], line: bytes) -> dict[str, Any]:
        with self._watch(line):
            try:
                found = self._model(cases)
            except FaultError:
                raise
            except Exception as error:  # noqa: BLE001 - whatever a model does is its answer
                name = self._config.get("name", self._config["target"])
                print(f"the model {name!r} failed:", file=sys.stderr)  # noqa: T201
                traceback.print_exc()
                raise FaultError("failed", type(error).__name__) from None
        try:
            return self._check(found, len(cases), self._config["classes"])
        except (ValueError, TypeError, KeyError) as error:
            raise FaultError("bad-answer", " ".join(str(error).split())[:300]) from None

    @contextlib.contextmanager
    def _watch(self, line: bytes) -> Iterator[None]:
        """Ask a function by one thread at a time, with a note of what it is at.

        A function that hangs cannot be stopped: this process ends, and is started again. The note
        tells which case that was, also where the process was killed.
        """
        if self._alone is None:
            yield
            return
        note = Path(f"{self._config['socket']}.now")
        with self._alone:
            note.write_bytes(line)
            watch = threading.Timer(2 * self._config["seconds"], self._hang, (note,))
            watch.daemon = True
            watch.start()
            try:
                yield
            finally:
                watch.cancel()
                note.unlink(missing_ok=True)

    @staticmethod
    def _hang(note: Path) -> None:
        if note.exists():
            note.replace(note.with_suffix(".hung"))
            os._exit(1)


def run(
    load: Callable[[dict[str, Any]], _Model], *, alone: bool, check: _Check = answer_of
) -> None:
    """Load a model and answer for it, until whoever watches is gone.

    Parameters
    ----------
    load : callable
        From the configuration to the model.
    alone : bool
        Whether it is asked by one thread at a time, and ended when it hangs.
    check : callable, default=answer_of
        From what it answers to what is sent.
    """
    config = json.loads(sys.stdin.readline())
    # what a model prints goes to the log, and never fills a pipe that nobody reads
    said = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def say(**words: Any) -> None:
        with contextlib.suppress(BrokenPipeError):
            print(json.dumps(words), file=said, flush=True)

    try:
        server = _Server(config, load(config), say, alone=alone, check=check)
    except Exception as error:  # noqa: BLE001 - the kind is said to who started it, the log says all
        traceback.print_exc()
        refused = isinstance(error, PermissionError)
        say(error=_FROM_THE_BOX if refused else type(error).__name__)
        sys.exit(1)
    say(ready=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()  # until the watching process is gone
    os._exit(0)


if __name__ == "__main__":
    run(load_model, alone=True)
