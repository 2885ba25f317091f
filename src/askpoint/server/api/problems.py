"""Refusals of the API, as RFC 9457 has them: one JSON object, whatever went wrong and wherever."""

from __future__ import annotations

import json
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse

from askpoint.errors import AskpointError, ModelError, RuleError

__all__ = ["PREFIX", "PROBLEM", "ProblemError", "problem", "problem_of", "speak_json"]

PREFIX = "/api/"
"""Where the API lives."""

PROBLEM = "application/problem+json"
"""The type of a refusal's content."""

_STATUS = {
    "unknown": HTTPStatus.NOT_FOUND,
    "archived": HTTPStatus.GONE,
    "deleted": HTTPStatus.GONE,
    "too-many-tries": HTTPStatus.TOO_MANY_REQUESTS,
    "rest": HTTPStatus.TOO_MANY_REQUESTS,
}
_DETAILS = {
    HTTPStatus.BAD_REQUEST: "the request cannot be read; see the OpenAPI document for its form",
    HTTPStatus.NOT_FOUND: "there is nothing here, or nothing that this token may see",
    HTTPStatus.METHOD_NOT_ALLOWED: "this address does not take that method; see Allow",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "a request has at most a megabyte; send less",
    HTTPStatus.INTERNAL_SERVER_ERROR: "the server failed; its log says how. Try again, and tell "
    "its administrator",
}


class ProblemError(Exception):
    """Ends a request with a refusal."""

    def __init__(self, status: int, rule: str, detail: str) -> None:
        self.status, self.rule, self.detail = status, rule, detail
        super().__init__(detail)


def problem(
    status: int, rule: str, detail: str, errors: list[dict[str, Any]] | None = None
) -> HttpResponse:
    """Return a refusal.

    Parameters
    ----------
    status : int
        Of HTTP.
    rule : str
        Short name of what was broken, which stays the same when the words change.
    detail : str
        What was given, what is allowed and what to do.
    errors : list of dict, optional
        For each part of the request that is wrong: where, and why.
    """
    content: dict[str, Any] = {
        "type": rule,
        "title": HTTPStatus(status).phrase,
        "status": int(status),
        "detail": detail,
    }
    if errors:
        content["errors"] = errors
    response = HttpResponse(json.dumps(content), status=status, content_type=PROBLEM)
    if status == HTTPStatus.UNAUTHORIZED:
        response["WWW-Authenticate"] = 'Bearer realm="askpoint"'
    return response


def problem_of(error: AskpointError) -> HttpResponse:
    """Return the refusal that an error of the rooms below means."""
    if isinstance(error, ModelError):
        return problem(HTTPStatus.SERVICE_UNAVAILABLE, "model", str(error))
    if isinstance(error, RuleError):
        return problem(_STATUS.get(error.rule, HTTPStatus.CONFLICT), error.rule, str(error))
    return problem(HTTPStatus.UNPROCESSABLE_ENTITY, "input", str(error))


def speak_json(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Say in JSON what Django and its middleware refuse on the API's addresses by a page."""

    def answer(request: HttpRequest) -> HttpResponse:
        asked = request.path.startswith(PREFIX)
        if asked and request.content_type not in ("application/json", "") and _has_body(request):
            return problem(
                HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
                "content-type",
                f"send JSON as application/json; got {request.content_type[:60]!r}",
            )
        response = get_response(request)
        is_page = not response.get("Content-Type", "").startswith("application/")
        if asked and response.status_code >= 400 and is_page:
            status = response.status_code
            refusal = problem(status, _rule(status), _DETAILS.get(HTTPStatus(status), "refused"))
            for name in ("Allow", "Retry-After"):
                if response.has_header(name):
                    refusal[name] = response[name]
            return refusal
        return response

    return answer


def _has_body(request: HttpRequest) -> bool:
    return (
        request.META.get("CONTENT_LENGTH", "") not in ("", "0")
        or "HTTP_TRANSFER_ENCODING" in request.META
    )


def _rule(status: int) -> str:
    return HTTPStatus(status).phrase.lower().replace(" ", "-")
