"""Fetch a web page that somebody named: from public addresses only, in time, and not too much."""

from __future__ import annotations

import time
import zlib
from dataclasses import dataclass

import httpx

from askpoint.server.addresses import Reach
from askpoint.server.outgoing import OutgoingError, RemoteResponse, read_url, send

__all__ = ["MOST_BYTES", "MOST_REDIRECTS", "SECONDS", "Fetched", "fetch"]

SECONDS = 8.0
"""For a page with all its redirects."""

MOST_BYTES = 2_000_000
"""Of a page, also after it was unpacked."""

MOST_REDIRECTS = 5

_PAGES = Reach(ports=frozenset((80, 443)))  # named networks are for models, not for players
_TYPES = ("text/html", "application/xhtml+xml", "text/plain")
_MOVED = (301, 302, 303, 307, 308)
_HEADERS = {"Accept": "text/html,application/xhtml+xml,text/plain;q=0.8", "Accept-Language": "*"}


@dataclass(frozen=True)
class Fetched:
    """A page as it came.

    Parameters
    ----------
    url : str
        Where it was in the end.
    body : bytes
        Unpacked.
    kind : str
        Its media type.
    charset : str
        Which the server named; empty if none.
    """

    url: str
    body: bytes
    kind: str
    charset: str


def fetch(text: str, *, reach: Reach = _PAGES, seconds: float = SECONDS) -> Fetched:
    """Fetch a page; each redirect is checked like the first address.

    Raises
    ------
    OutgoingError
        If there is none to be had, or it must not be asked for; ``refused`` also for other types
        than pages and texts.
    """
    ends = time.monotonic() + seconds
    url = read_url(text.strip())
    for _ in range(MOST_REDIRECTS + 1):
        left = ends - time.monotonic()
        if left <= 0:
            raise OutgoingError("timeout", f"it took longer than {seconds:g} seconds")
        reply = send("GET", url, seconds=left, most=MOST_BYTES, headers=_HEADERS, reach=reach)
        if reply.status not in _MOVED or "location" not in reply.headers:
            return _page(url, reply)
        url = _redirect_url(url, reply.headers["location"])
    raise OutgoingError("refused", f"it leads on more than {MOST_REDIRECTS} times")


def _redirect_url(url: httpx.URL, location: str) -> httpx.URL:
    try:
        return read_url(str(url.join(location)))
    except (httpx.InvalidURL, UnicodeError, ValueError):
        raise OutgoingError("refused", "it leads to an address that is not a web address") from None


def _page(url: httpx.URL, reply: RemoteResponse) -> Fetched:
    if reply.status != 200:
        raise OutgoingError("refused", f"its server answers with status {reply.status}")
    kind, _, rest = reply.headers.get("content-type", "").partition(";")
    if kind.strip().lower() not in _TYPES:
        raise OutgoingError(
            "refused", f"it is not a page or text, but {kind[:60] or 'nothing named'}"
        )
    charset = rest.partition("charset=")[2].strip(" \"';")[:40]
    return Fetched(str(url), _unpack(reply), kind.strip().lower(), charset)


def _unpack(reply: RemoteResponse) -> bytes:
    """Return the body; some servers pack it though nobody asked for that."""
    packed = reply.headers.get("content-encoding", "identity").lower()
    if packed == "identity":
        return reply.body
    if packed not in ("gzip", "deflate"):
        raise OutgoingError(
            "refused", f"it is packed in a way that was not asked for: {packed:.20}"
        )
    unpack = zlib.decompressobj(zlib.MAX_WBITS | 32)
    try:
        body = unpack.decompress(reply.body, MOST_BYTES + 1)
    except zlib.error:
        raise OutgoingError("refused", "it cannot be unpacked") from None
    if len(body) > MOST_BYTES:
        raise OutgoingError("too-large", f"it has more than {MOST_BYTES:,} bytes")
    return body
