"""Requests to a server in the name of a token's owner, and what its refusals mean."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar
from urllib.parse import quote

import httpx

from askpoint.client.decoding import decode_record
from askpoint.errors import AskpointError, InputError, ModelError, RuleError, ServerError

__all__ = ["Connection", "join_path"]

_T = TypeVar("_T")
_PAUSES = (0.2, 1.0)  # seconds before a request is sent again
_PART = 200


class Connection:
    """Sends requests; one that got no answer again, twice at most, with the same key.

    Parameters
    ----------
    address : str
        Where the server is: https://NAME.
    token : str
        From the page *Tokens*.
    seconds : float
        How long to wait for an answer.
    transport : httpx.BaseTransport, optional
        Another way to the server, for tests.

    Raises
    ------
    InputError
        If address or token cannot be used.
    """

    def __init__(
        self, address: str, token: str, seconds: float, transport: httpx.BaseTransport | None
    ) -> None:
        if not address.startswith(("https://", "http://")):
            raise InputError(f"a server's address starts with https:// or http://; got {address!r}")
        if not token.isascii() or not token.isprintable() or not token:
            raise InputError(
                "a token is one line of letters, digits and signs, as its page showed it"
            )
        self.http = httpx.Client(
            base_url=f"{address.rstrip('/')}/api/",
            headers={"Authorization": f"Bearer {token}"},
            timeout=seconds,
            transport=transport,
        )

    def fetch(self, kind: type[_T], path: str, query: Mapping[str, Any] | None = None) -> _T:
        """Return the record that the server has."""
        return decode_record(kind, self.request("GET", path, params=query or {}).json())

    def send(self, kind: type[_T], path: str, body: Any = None, key: str = "") -> _T:
        """Return the record that the server answers to a body; with the same `key`, it acts once."""
        headers = {"Idempotency-Key": key or secrets.token_urlsafe(24)}
        content = {} if body is None else {"json": body}
        answer = self.request("POST", path, headers=headers, **content)
        return decode_record(kind, answer.json())

    def list_records(
        self, kind: type[_T], path: str, query: dict[str, str] | None = None
    ) -> Iterator[_T]:
        """Yield the records of a list, which is asked for part by part."""
        offset = 0
        while True:
            bounds = {"limit": _PART, "offset": offset}
            part = self.request("GET", path, params={**(query or {}), **bounds}).json()
            yield from (decode_record(kind, item) for item in part["items"])
            offset += _PART
            if offset >= part["count"]:
                return

    def request(self, method: str, path: str, **content: Any) -> httpx.Response:
        """Return the answer to a request.

        Raises
        ------
        AskpointError
            If it is refused, or there is none.
        """
        for pause in (*_PAUSES, None):
            try:
                answer = self.http.request(method, path, **content)
            except (httpx.TransportError, httpx.InvalidURL) as error:
                if pause is None or isinstance(error, httpx.InvalidURL):
                    raise ServerError(
                        f"the server does not answer ({type(error).__name__}); is the address "
                        "right? What was asked acts once, so try again with the same key"
                    ) from None
                time.sleep(pause)
            else:
                break
        if answer.is_success:
            return answer
        raise _error_of(answer)


def join_path(*parts: str) -> str:
    """Return an address whose parts may hold any character."""
    return "/".join(quote(part, safe="") for part in parts)


def _error_of(answer: httpx.Response) -> AskpointError:
    try:
        problem = answer.json()
        rule, detail = str(problem["type"]), str(problem["detail"])
    except (json.JSONDecodeError, KeyError, TypeError):
        return ServerError(
            f"what answers with {answer.status_code} is not a server of askpoint, or it failed"
        )
    if rule == "model":
        return ModelError(detail)
    if answer.is_server_error:
        return ServerError(detail)
    return InputError(detail) if rule in ("input", "json") else RuleError(rule, detail)
