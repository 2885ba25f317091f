"""How bodies are read: JSON only, and nothing in it that no database takes."""

from __future__ import annotations

import json
import re
from http import HTTPStatus
from typing import Any, NoReturn

from django.http import HttpRequest
from ninja.parser import Parser

from askpoint.server.api.problems import ProblemError

__all__ = ["JsonParser"]

_DEEPEST = 20
_ODD = re.compile("[\0\ud800-\udfff]")
_PLAIN = (int, float, bool, type(None))


class JsonParser(Parser):
    """Reads a body, or ends the request and says why."""

    def parse_body(self, request: HttpRequest) -> Any:
        """Return the JSON of a body."""
        try:
            content = json.loads(request.body, parse_constant=_refuse)
        except (ValueError, RecursionError) as error:
            raise ProblemError(
                HTTPStatus.BAD_REQUEST, "json", f"the body is not JSON: {str(error)[:120]}"
            ) from None
        _check(content)
        return content


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number of JSON")


def _check(value: Any, depth: int = 0) -> None:
    """Check what is within what; texts by one search each, for bodies hold thousands."""
    kind = type(value)
    if kind is str:
        if _ODD.search(value):
            raise ProblemError(
                HTTPStatus.BAD_REQUEST, "json", "a text holds NUL or half a character"
            )
    elif kind is dict or kind is list:
        if depth > _DEEPEST:
            raise ProblemError(HTTPStatus.BAD_REQUEST, "json", "the body is nested too deeply")
        if kind is dict:
            for name in value:
                _check(name, depth)
            value = value.values()
        for item in value:
            if type(item) not in _PLAIN:
                _check(item, depth + 1)
