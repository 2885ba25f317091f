"""One request to somebody else's server: to an address that was checked, in time, and not too much.

No redirect is followed, no proxy of the environment used and no cookie kept. Certificates are
checked for the name that was asked for, though the connection goes to an address in numbers.
"""

from __future__ import annotations

import functools
import ssl
import threading
import time
from collections.abc import Iterable
from concurrent.futures import Future, TimeoutError as FutureTimeoutError
from dataclasses import dataclass
from typing import Any

import httpcore
import httpx

from askpoint.server.addresses import PUBLIC, Reach, RefusedAddressError

__all__ = ["OutgoingError", "RemoteResponse", "read_url", "send"]

_LONGEST_URL = 2_000
_CHUNK = 65_536


class OutgoingError(Exception):
    """A request that came to nothing.

    Parameters
    ----------
    kind : {"refused", "unreachable", "timeout", "too-large"}
        What happened.
    detail : str
        In words that do no harm.
    """

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.kind, self.detail = kind, detail


@dataclass(frozen=True)
class RemoteResponse:
    """What came back.

    Parameters
    ----------
    status : int
        Of HTTP.
    headers : httpx.Headers
        Names in any case.
    body : bytes
        As sent; no encoding was accepted.
    """

    status: int
    headers: httpx.Headers
    body: bytes


def read_url(text: str) -> httpx.URL:
    """Return an address that may be asked, as far as it can be told from its letters.

    Raises
    ------
    OutgoingError
        If it is none, or holds a name and a password.
    """
    try:
        url = httpx.URL(text)
        host = url.raw_host.decode("ascii")
    except (httpx.InvalidURL, UnicodeError, ValueError):
        raise OutgoingError("refused", "this is not a web address") from None
    if len(text) > _LONGEST_URL or url.scheme not in ("http", "https") or not host:
        raise OutgoingError("refused", "a web address starts with http:// or https://")
    if url.userinfo:
        raise OutgoingError("refused", "an address with a name or password in it is not asked")
    return url


def send(
    method: str,
    url: httpx.URL,
    *,
    seconds: float,
    most: int,
    headers: dict[str, str] | None = None,
    content: bytes = b"",
    reach: Reach = PUBLIC,
) -> RemoteResponse:
    """Send one request, and return what comes back.

    Parameters
    ----------
    method : str
        Of HTTP.
    url : httpx.URL
        Of `read_url`.
    seconds : float
        For all of it, from the first byte to the last.
    most : int
        Bytes that may come back.
    headers : dict of str to str, optional
        To send.
    content : bytes, optional
        To send.
    reach : Reach
        Which addresses may be asked.

    Returns
    -------
    Reply
        Also where the status is no success.

    Raises
    ------
    OutgoingError
        If there is no whole answer in time, or the address must not be reached.
    """
    deadline = time.monotonic() + seconds
    sent = [
        ("Host", url.netloc.decode("ascii")),
        ("User-Agent", "askpoint"),
        ("Accept-Encoding", "identity"),
        ("Connection", "close"),
        *(headers or {}).items(),
    ]
    if content or method == "POST":
        sent.append(("Content-Length", str(len(content))))
    target = httpcore.URL(
        scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
    )
    backend = _Backend(reach, deadline)
    try:
        with (
            httpcore.ConnectionPool(
                ssl_context=_certificates(), network_backend=backend, max_keepalive_connections=0
            ) as pool,
            pool.stream(method, target, headers=sent, content=content or None) as response,
        ):
            body = bytearray()
            for chunk in response.iter_stream():
                body += chunk
                if len(body) > most:
                    raise OutgoingError("too-large", f"it sends more than {most:,} bytes")
            found = httpx.Headers(response.headers)
            return RemoteResponse(response.status, found, bytes(body))
    except RefusedAddressError as error:
        raise OutgoingError("refused", str(error)) from None
    except httpcore.TimeoutException:
        raise OutgoingError("timeout", f"it took longer than {seconds:g} seconds") from None
    except (
        httpcore.NetworkError,
        httpcore.ProtocolError,
        OSError,
        UnicodeError,
        ValueError,
    ) as error:
        raise OutgoingError("unreachable", type(error).__name__) from error


@functools.cache
def _certificates() -> ssl.SSLContext:
    return httpx.create_ssl_context(trust_env=True)


class _Backend(httpcore.SyncBackend):
    """Connects to a checked address in numbers; TLS and the Host header keep the name."""

    def __init__(self, reach: Reach, deadline: float) -> None:
        super().__init__()
        self._reach, self._deadline = reach, deadline

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002 - one deadline for all
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect to the first of a host's addresses that answers."""
        failed: Exception = OSError("no address")
        for address in self._addresses(host.strip("[]"), port):
            try:
                stream = super().connect_tcp(
                    address, port, _seconds_left(self._deadline), local_address, socket_options
                )
            except httpcore.NetworkError as error:
                failed = error
            else:
                return _Stream(stream, self._deadline)
        raise failed

    def _addresses(self, host: str, port: int) -> list[str]:
        """Look the name up, in a thread that nobody waits for longer than there is time."""
        found: Future[list[str]] = Future()

        def look_up() -> None:
            try:
                found.set_result(self._reach.addresses(host, port))
            except (OSError, RefusedAddressError, UnicodeError) as error:
                found.set_exception(error)

        threading.Thread(target=look_up, daemon=True).start()
        try:
            return found.result(_seconds_left(self._deadline))
        except FutureTimeoutError:
            raise httpcore.ConnectTimeout("no name server answered in time") from None


class _Stream(httpcore.NetworkStream):
    """A connection that ends at its deadline, however slowly the other side sends."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: float) -> None:
        self._stream, self._deadline = stream, deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002
        return self._stream.read(min(max_bytes, _CHUNK), _seconds_left(self._deadline))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002
        for start in range(0, len(buffer), _CHUNK):
            self._stream.write(buffer[start : start + _CHUNK], _seconds_left(self._deadline))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002
    ) -> httpcore.NetworkStream:
        stream = self._stream.start_tls(ssl_context, server_hostname, _seconds_left(self._deadline))
        return _Stream(stream, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _seconds_left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise httpcore.ReadTimeout("the time is over")
    return left
