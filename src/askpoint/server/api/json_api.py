"""The API as a whole: its routers, and how it refuses."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja.errors import HttpError, ValidationError

from askpoint.errors import AskpointError
from askpoint.server.api.openapi import DocumentedApi, describe_api
from askpoint.server.api.parser import JsonParser
from askpoint.server.api.problems import ProblemError, problem, problem_of
from askpoint.server.extensions import load, server_parts

__all__ = ["api"]

_ROUTERS = (
    ("account", "askpoint.server.api.account_routes:router"),
    ("agents", "askpoint.server.api.agent_routes:router"),
    ("classifiers", "askpoint.server.api.classifier_routes:router"),
    ("review", "askpoint.server.api.review_routes:router"),
)


def _list_routers() -> list[tuple[str, str]]:
    """Return prefix and place of each router; a wing's takes the place of the core's."""
    added = [
        (prefix, router)
        for parts in server_parts()
        for prefix, routers in parts.routers.items()
        for router in routers
    ]
    return [own for own in _ROUTERS if own[0] not in dict(added)] + added


api = DocumentedApi(
    title="askpoint",
    version="1",
    description=describe_api(),
    docs_url=None,  # its page loads scripts from elsewhere, or runs them inline
    urls_namespace="api",
    parser=JsonParser(),
)
"""All of the API."""


@functools.cache
def _list_parameters() -> dict[str, set[str]]:
    """Return the names that each operation takes behind the question mark."""
    return {
        operation["operationId"]: {
            part["name"] for part in operation["parameters"] if part["in"] == "query"
        }
        for path in api.get_openapi_schema()["paths"].values()
        for operation in path.values()
    }


def _refuse_unknown_parameters(view: Callable[..., Any]) -> Callable[..., Any]:
    """Refuse what was misspelled, which else would be left out in silence."""

    @functools.wraps(view)
    def check(request: HttpRequest, *args: Any, **named: Any) -> Any:
        allowed = _list_parameters()[view.__name__]
        unknown = sorted(set(request.GET) - allowed)
        if unknown:
            raise ProblemError(
                422,
                "input",
                f"this takes {', '.join(sorted(allowed)) or 'nothing'} behind the question mark; got "
                f"{unknown[0][:40]!r}",
            )
        return view(request, *args, **named)

    return check


api.add_decorator(_refuse_unknown_parameters, mode="operation")
for _prefix, _router in _list_routers():
    api.add_router(_prefix, load(_router))


@api.exception_handler(ProblemError)
def _refuse(request: HttpRequest, error: ProblemError) -> HttpResponse:
    del request
    return problem(error.status, error.rule, error.detail)


@api.exception_handler(AskpointError)
def _refuse_below(request: HttpRequest, error: AskpointError) -> HttpResponse:
    del request
    return problem_of(error)


@api.exception_handler(Http404)
def _refuse_unknown(request: HttpRequest, error: Http404) -> HttpResponse:
    del request, error
    return problem(404, "not-found", "there is nothing here, or nothing that this token may see")


@api.exception_handler(HttpError)
def _refuse_body(request: HttpRequest, error: HttpError) -> HttpResponse:
    cause = error.__cause__
    if isinstance(cause, ProblemError):  # of the parser
        return _refuse(request, cause)
    return problem(error.status_code, "request", error.message)


_WORDS = {  # pydantic speaks of a dataclass as of a function
    "dataclass_type": "Input should be a valid dictionary or object to extract fields from",
    "unexpected_keyword_argument": "Extra inputs are not permitted",
}


@api.exception_handler(ValidationError)
def _refuse_parts(request: HttpRequest, error: ValidationError) -> HttpResponse:
    del request
    errors = [
        {
            "where": ".".join(str(part) for part in item["loc"]),
            "detail": _WORDS.get(item["type"], item["msg"]),
        }
        for item in error.errors
    ]
    detail = "; ".join(f"{item['where']}: {item['detail']}" for item in errors[:5])
    return problem(
        422, "input", f"the request is not as the OpenAPI document says: {detail}", errors
    )
