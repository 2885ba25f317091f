"""Requests are read whole and in time, so that nobody who sends half of one keeps a thread.

A connection that has not sent its request ten seconds after it began is closed. A body that is not
there soon waits for its rest in one of half of the threads, or is refused: nobody waits for who sends
slowly. So does a body in chunks, whose end nobody knows before it is there. A body that somebody may send who is known here goes to the disk, not into memory, and is given
a second more for each megabyte.
"""

from __future__ import annotations

import io
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, NamedTuple

from gunicorn.workers.gthread import ThreadWorker

__all__ = ["MOST_SENT", "SECONDS_TO_SEND", "Larger", "ReadingWorker", "read_first"]

SECONDS_TO_SEND = 10.0
MOST_SENT = 8_000_000
"""Bytes of a request with its file; a page's form takes less, see `settings.MOST_BYTES`."""

_SLOWEST = 1_000_000  # bytes a second of a larger one
_PART = 1_000_000
_SOON = 0.2
_STEP = 0.02

_TOO_MANY = "503 Service Unavailable", "Too many send slowly; try again."
_TOO_LATE = "408 Request Timeout", "It was not sent in time."

_App = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class Larger(NamedTuple):
    """What may be larger than other requests.

    Parameters
    ----------
    most : callable
        How many bytes a request may have, by its environment; zero for what is as all others.
    words : callable
        What is said to one that has more bytes than that.
    folder : Path
        Where it is written while it comes.
    """

    most: Callable[[dict[str, Any]], int]
    words: Callable[[int], str]
    folder: Path


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

    def prolong(self, wire: socket.socket, seconds: float) -> None:
        with self._guard:
            if wire.fileno() in self._until:
                self._until[wire.fileno()] = (time.monotonic() + seconds, wire)

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


def read_first(app: _App, threads: int, larger: Larger | None = None) -> _App:
    """Return the application with each request's body read before it is called."""
    turns = threading.BoundedSemaphore(max(1, threads // 2))

    def reading(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        wire = environ.get("gunicorn.socket")
        size = environ.get("CONTENT_LENGTH") or "0"
        if environ.get("HTTP_TRANSFER_ENCODING"):
            refused = _read_chunks(environ, turns)
            if refused is not None:
                return _refuse(wire, start_response, *refused)
        n_bytes = int(size) if size.isascii() and size.isdecimal() else 0
        is_large = n_bytes > MOST_SENT
        if is_large:
            most = 0 if larger is None else larger.most(environ)
            if larger is None or n_bytes > most:
                words = larger.words(n_bytes) if larger and most else "A request has at most 8 MB."
                if wire is not None and turns.acquire(blocking=False):
                    try:
                        _discard(environ, wire, n_bytes)
                    finally:
                        turns.release()
                return _refuse(wire, start_response, "413 Content Too Large", words)
        if n_bytes:
            slow = is_large or not _is_there(environ, n_bytes)
            if slow and not turns.acquire(blocking=False):
                return _refuse(wire, start_response, *_TOO_MANY)
            try:
                if is_large and larger is not None:
                    if wire is not None:
                        _deadlines.prolong(wire, SECONDS_TO_SEND + n_bytes / _SLOWEST)
                    body, n_read = _copy_body(environ["wsgi.input"], n_bytes, larger.folder)
                else:
                    content = environ["wsgi.input"].read(n_bytes)
                    body, n_read = io.BytesIO(content), len(content)
            finally:
                if slow:
                    turns.release()
            if n_read < n_bytes:
                body.close()
                return _refuse(wire, start_response, *_TOO_LATE)
            environ["wsgi.input"] = body
        if wire is not None:
            _deadlines.end(wire)
        try:
            return app(environ, start_response)
        finally:
            if is_large:  # it was read
                environ["wsgi.input"].close()

    return reading


def _read_chunks(
    environ: dict[str, Any], turns: threading.BoundedSemaphore
) -> tuple[str, str] | None:
    """Read a body that comes in chunks, so that it is as any other; or return the refusal."""
    if not turns.acquire(timeout=_SOON):
        return _TOO_MANY
    try:
        content = environ["wsgi.input"].read(MOST_SENT + 1)
    except OSError:
        return "400 Bad Request", "Its chunks are cut off, or none."
    finally:
        turns.release()
    if len(content) > MOST_SENT:
        return (
            "413 Content Too Large",
            "A request in chunks has at most 8 MB; send its length (Content-Length) with a larger one.",
        )
    del environ["HTTP_TRANSFER_ENCODING"]
    environ |= {"CONTENT_LENGTH": str(len(content)), "wsgi.input": io.BytesIO(content)}
    return None


def _copy_body(source: Any, n_bytes: int, folder: Path) -> tuple[IO[bytes], int]:
    """Copy a body into a file that has no name, and so is gone when it is closed."""
    body = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - closed with the request
    n_read = 0
    while n_read < n_bytes and (part := source.read(min(_PART, n_bytes - n_read))):
        body.write(part)
        n_read += len(part)
    body.seek(0)
    return body, n_read


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


def _discard(environ: dict[str, Any], wire: socket.socket, n_bytes: int) -> None:
    """Take in what is on its way: a proxy that still sends does not hear an answer."""
    left = n_bytes - environ["wsgi.input"].reader.unreader.buf.tell()
    ends = time.monotonic() + _SOON
    while left > 0 and time.monotonic() < ends:
        try:
            part = wire.recv(_PART, socket.MSG_DONTWAIT)
        except BlockingIOError:
            time.sleep(_STEP)
            continue
        except OSError:
            return
        if not part:
            return
        left -= len(part)
        ends = time.monotonic() + _SOON


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
