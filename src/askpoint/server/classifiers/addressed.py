"""A model behind an address: asked over the network, in time, and with its key."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

from askpoint.server.addresses import Reach, read_network
from askpoint.server.classifiers.scorer import FaultError
from askpoint.server.outgoing import OutgoingError, RemoteResponse, read_url, send

__all__ = ["ask_json", "load_address"]

_MOST_ANSWER = 1_000_000  # bytes that a model may send back
_BUSY, _FAILED = 429, 500
_LOGGED = 500  # bytes of an answer that is none


def load_address(config: dict[str, Any]) -> Callable[[list[Any]], Any]:
    """Return what asks the address that a configuration names."""
    return lambda cases: ask_json(config, {"cases": cases}, config["seconds"])


def ask_json(config: dict[str, Any], body: dict[str, Any], seconds: float) -> Any:
    """Send JSON to a model's address, and return the JSON that it answers.

    Raises
    ------
    FaultError
        If it does not answer in time, refuses, or sends something else; nothing that it sends is
        in the error.
    """
    url = read_url(config["target"])
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    has_key = bool(config.get("header"))
    if has_key:
        headers |= dict([config["header"]])
    # a key is sent by https, or within a network that was named
    in_the_clear = has_key and url.scheme == "http"
    networks = tuple(map(read_network, config.get("networks", ())))
    reach = Reach(networks, named_only=in_the_clear)
    try:
        reply = send(
            "POST",
            url,
            seconds=seconds,
            most=_MOST_ANSWER,
            headers=headers,
            content=json.dumps(body).encode(),
            reach=reach,
        )
    except OutgoingError as error:
        kind = "bad-answer" if error.kind == "too-large" else error.kind
        raise FaultError(kind, error.detail) from None
    _check_status(config, reply)
    try:
        return json.loads(reply.body)
    except (ValueError, RecursionError):
        _log(config, reply)
        raise FaultError("bad-answer", "what it sends is not JSON") from None


def _check_status(config: dict[str, Any], reply: RemoteResponse) -> None:
    if 200 <= reply.status < 300:
        return
    _log(config, reply)
    said = f"it answered with status {reply.status}"
    if 300 <= reply.status < 400:
        raise FaultError("refused", f"{said}: no redirect is followed, so give the last address")
    kind = (
        "busy"
        if reply.status in (_BUSY, 503)
        else "failed"
        if reply.status >= _FAILED
        else "refused"
    )
    raise FaultError(kind, said)


def _log(config: dict[str, Any], reply: RemoteResponse) -> None:
    """Write what came to the log, without the key, which it may repeat."""
    said = reply.body[:_LOGGED].decode("utf-8", "replace")
    for secret in str((config.get("header") or ("", ""))[1]).split():
        said = said.replace(secret, "***") if len(secret) > 6 else said
    name = config.get("name", config["target"])
    print(f"the model {name!r} answered with status {reply.status}: {said!r}", file=sys.stderr)  # noqa: T201
