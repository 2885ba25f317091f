"""How bodies are read: JSON only, and nothing in it that no database takes."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any, NoReturn

from django.http import HttpRequest
from ninja.parser import Parser

from askpoint.server.api.problems import ProblemError

__all__ = ["JsonParser"]

_DEEPEST = 20


class JsonParser(Parser):
    """Reads a body, or ends the request and says why."""

    def parse_body(self, request: HttpRequest) -> Any:
        """Return the JSON of a body."""
        try:
            found = json.loads(request.body, parse_constant=_refuse)
        except (ValueError, RecursionError) as error:
            raise ProblemError(
                HTTPStatus.BAD_REQUEST, "json", f"the body is no JSON: {str(error)[:120]}"
            ) from None
        _check(found)
        return found


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _check(value: Any, depth: int = 0) -> None:
    if depth > _DEEPEST:
        raise ProblemError(HTTPStatus.BAD_REQUEST, "json", "the body is nested too deeply")
    if isinstance(value, str):
        if "\0" in value or any("\ud800" <= sign <= "\udfff" for sign in value):
            raise ProblemError(
                HTTPStatus.BAD_REQUEST, "json", "a text holds NUL or half a character"
            )
    elif isinstance(value, dict):
        for name, item in value.items():
            _check(name, depth)
            _check(item, depth + 1)
    elif isinstance(value, list):
        for item in value:
            _check(item, depth + 1)
