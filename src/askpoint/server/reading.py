"""Requests are read whole and in time, so that nobody who sends half of one keeps a thread.

A connection that has not sent its request ten seconds after it began is closed. A body that is not
there soon waits for its rest in one of half of the threads, or is refused: nobody waits for who sends
slowly.
"""

from __future__ import annotations

import io
import socket
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from gunicorn.workers.gthread import ThreadWorker

__all__ = ["MOST_SENT", "SECONDS_TO_SEND", "ReadingWorker", "read_first"]

SECONDS_TO_SEND = 10.0
MOST_SENT = 8_000_000
"""Bytes of a request with its file; a page's form takes less, see `settings.MOST_BYTES`."""

_SOON = 0.2
_STEP = 0.02

_App = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class _Deadlines:
    """Connections that are being read, and until when."""

    def __init__(self) -> None:
        self._until: dict[int, tuple[float, socket.socket]] = {}
        self._guard = threading.Lock()
        self._watching = False

    def begin(self, wire: socket.socket) -> None:
        with self._guard:
            self._until[wire.fileno()] = (time.monotonic() + SECONDS_TO_SEND, wire)
            if not self._watching:
                self._watching = True
                threading.Thread(target=self._watch, daemon=True).start()

    def end(self, wire: socket.socket) -> None:
        with self._guard:
            self._until.pop(wire.fileno(), None)

    def _watch(self) -> None:
        while True:
            time.sleep(0.5)
            now = time.monotonic()
            with self._guard:
                late = [key for key, (until, _) in self._until.items() if until < now]
                wires = [self._until.pop(key)[1] for key in late]
            for wire in wires:
                try:
                    wire.shutdown(socket.SHUT_RDWR)
                except OSError:
                    continue  # it has gone


_deadlines = _Deadlines()


class ReadingWorker(ThreadWorker):
    """Gives each request a time to be sent in."""

    def handle(self, conn: Any) -> Any:
        """Handle a request on a connection; runs in a thread."""
        _deadlines.begin(conn.sock)
        try:
            return super().handle(conn)
        finally:
            _deadlines.end(conn.sock)


def read_first(app: _App, threads: int) -> _App:
    """Return the application with each request's body read before it is called."""
    turns = threading.BoundedSemaphore(max(1, threads // 2))

    def reading(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        wire = environ.get("gunicorn.socket")
        size = environ.get("CONTENT_LENGTH") or "0"
        n_bytes = int(size) if size.isascii() and size.isdecimal() else 0
        if n_bytes > MOST_SENT:
            return _refuse(
                wire, start_response, "413 Content Too Large", "A request has at most 8 MB."
            )
        if n_bytes:
            slow = not _is_there(environ, n_bytes)
            if slow and not turns.acquire(blocking=False):
                return _refuse(
                    wire,
                    start_response,
                    "503 Service Unavailable",
                    "Too many send slowly; try again.",
                )
            try:
                body = environ["wsgi.input"].read(n_bytes)
            finally:
                if slow:
                    turns.release()
            if len(body) < n_bytes:
                return _refuse(
                    wire, start_response, "408 Request Timeout", "It was not sent in time."
                )
            environ["wsgi.input"] = io.BytesIO(body)
        if wire is not None:
            _deadlines.end(wire)
        return app(environ, start_response)

    return reading


def _is_there(environ: dict[str, Any], n_bytes: int) -> bool:
    """Wait a moment for the whole body to have arrived."""
    wire = environ.get("gunicorn.socket")
    if wire is None:
        return True
    read_ahead = environ["wsgi.input"].reader.unreader.buf.tell()
    ends = time.monotonic() + _SOON
    while time.monotonic() < ends:
        try:
            waiting = len(wire.recv(n_bytes, socket.MSG_PEEK | socket.MSG_DONTWAIT))
        except BlockingIOError:
            waiting = 0
        except OSError:
            return True  # it has gone: reading will say so
        if read_ahead + waiting >= n_bytes:
            return True
        time.sleep(_STEP)
    return False


def _refuse(
    wire: socket.socket | None, start_response: Callable[..., Any], status: str, words: str
) -> list[bytes]:
    if wire is not None:  # what was not sent is not waited for
        with suppress(OSError):
            wire.shutdown(socket.SHUT_RD)
    said = f"{words}\n".encode()
    headers = [("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", str(len(said)))]
    start_response(status, [*headers, ("Connection", "close")])
    return [said]
