"""The text of a page: title, body and metadata, by trafilatura, in a process of its own.

A page may be made to keep a reader busy or to fill its memory. So each is read in a process made
for it, with limits, which is ended when it takes too long.
"""

from __future__ import annotations

import codecs
import multiprocessing
import resource
from multiprocessing.connection import Connection
from typing import Any

from askpoint.arena.server.pages.fetching import Fetched
from askpoint.server.classifiers.scorer import FaultError

__all__ = ["MOST_BODY", "extract", "extract_apart"]

MOST_BODY = 10_000
"""Characters of a page's body; what comes after is cut, and the page says so."""

_MOST_TITLE = 300
_MOST_METADATA = 2_000
_SECONDS = 6.0
_MEMORY = 2_000_000_000  # bytes
_NAMED = ("author", "sitename", "date", "description", "categories", "tags")

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["askpoint.arena.server.pages.process", "trafilatura"])


def extract(page: Fetched) -> dict[str, Any]:
    """Return the segments of a page: title, body, metadata, and whether the body was cut.

    Raises
    ------
    FaultError
        If it holds no text.
    """
    import trafilatura

    if page.kind == "text/plain":
        found, body = None, _decode(page)
    else:
        html = _decode(page) if page.charset else trafilatura.utils.decode_file(page.body)
        if trafilatura.load_html(html) is None:  # these tags may be left out
            html = f"<html><body>{html}</body></html>"
        found = trafilatura.bare_extraction(
            html, url=page.url, with_metadata=True, favor_recall=True, include_comments=True
        )
        body = getattr(found, "text", None) or trafilatura.html2txt(html)
    body = _clean(body or "")
    if not body:
        raise FaultError("bad-answer", "it holds no text")
    title = getattr(found, "title", None) or ""
    return {
        "url": page.url[:2_000],
        "title": " ".join(_clean(title).split())[:_MOST_TITLE],
        "body": body[:MOST_BODY],
        "metadata": _metadata(found)[:_MOST_METADATA],
        "cut": len(body) > MOST_BODY,
    }


def _decode(page: Fetched) -> str:
    try:
        codecs.lookup(page.charset)
    except LookupError:
        return page.body.decode("utf-8", "replace")
    return page.body.decode(page.charset, "replace")


def _metadata(found: Any) -> str:
    lines = []
    for name in _NAMED:
        value = getattr(found, name, None)
        words = ", ".join(map(str, value)) if isinstance(value, list) else str(value or "")
        if words.strip():
            lines.append(f"{name}: {' '.join(_clean(words).split())}")
    return "\n".join(lines)


def _clean(text: str) -> str:
    """Return a text without what is no text: control characters, and halves of characters."""
    kept = text.replace("\r\n", "\n").encode("utf-8", "ignore").decode("utf-8")
    return "".join(c if c >= " " or c in "\n\t" else " " for c in kept if c != "\ufffd").strip()


def extract_apart(page: Fetched) -> dict[str, Any]:
    """Do the same in a process made for it.

    Raises
    ------
    FaultError
        If it takes too long or too much, or holds no text.
    """
    mine, others = _CONTEXT.Pipe(duplex=False)
    worker = _CONTEXT.Process(target=_work, args=(others, page), daemon=True)
    worker.start()
    others.close()
    try:
        if not mine.poll(_SECONDS):
            raise FaultError("timeout", "its text takes too long to find")
        found: dict[str, Any] = mine.recv()
    except EOFError:
        raise FaultError("bad-answer", "it cannot be read") from None
    finally:
        worker.kill()
        worker.join()
        mine.close()
    if "fault" in found:
        raise FaultError("bad-answer", found["fault"])
    return found


def _work(answer: Connection, page: Fetched) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    try:
        found = extract(page)
    except FaultError as fault:
        found = {"fault": fault.detail}
    answer.send(found)
