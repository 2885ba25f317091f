"""The API as a whole: its parts, its refusals, its OpenAPI document."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

import askpoint.server.api.anybody as anybody
import askpoint.server.api.judging as judging
import askpoint.server.api.playing as playing
import askpoint.server.api.reviewing as reviewing
import askpoint.server.api.running as running
import askpoint.server.api.tagging as tagging
import askpoint.server.api.using as using
from askpoint.errors import AskpointError
from askpoint.server.api.keys import HEADER
from askpoint.server.api.problems import PROBLEM, ProblemError, problem, problem_of
from askpoint.server.api.wire import JsonParser

__all__ = ["api"]

_ABOUT = (
    "For programs of organisers, players and judges, and of those who use a classifier. What a page refuses is refused here, in the same "
    "words: an object of RFC 9457, whose `type` is the name of the rule. Send a token as "
    "`Authorization: Bearer`, and JSON as application/json."
)
_REFUSALS = {
    "400": "the request cannot be read, or an Idempotency-Key is missing",
    "401": "no token, or none that holds",
    "403": "a token of another role, or one that may only read",
    "404": "there is nothing, or nothing that the token may see",
    "409": "the rules do not allow it now",
    "413": "a body of more than a megabyte",
    "415": "a body that is not application/json",
    "422": "what was given cannot be used",
    "429": "too many tries; as on the pages",
    "503": "the model does not answer; nothing has happened, try again",
}
_PROBLEM = {
    "title": "Problem",
    "description": "A refusal.",
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string", "description": "Short name of the rule; stays the same."},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What was given, allowed, and to do."},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["where", "detail"],
                "properties": {"where": {"type": "string"}, "detail": {"type": "string"}},
            },
        },
    },
}


class _Api(NinjaAPI):
    def get_openapi_operation_id(self, operation: Any) -> str:
        """Return the name of an operation: that of its function."""
        return str(operation.view_func.__name__)

    def get_openapi_schema(self, **options: Any) -> Any:
        """Return the document; refusals and the key are said here once for all."""
        schema = super().get_openapi_schema(**options)
        schema["components"]["schemas"]["Problem"] = _PROBLEM
        content = {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}}
        for path in schema["paths"].values():
            for method, operation in path.items():
                for status, words in _REFUSALS.items():
                    said = {"description": words, "content": content}
                    operation["responses"].setdefault(status, said)
                said = operation.get("description", "")
                if method == "post" and HEADER in said:
                    needed = f"Needs an {HEADER}" in said
                    operation["parameters"].append({**_KEY, "required": needed})
        return schema


_KEY = {
    "in": "header",
    "name": HEADER,
    "required": True,
    "description": "Sent again with the same key, a request acts once and is answered alike.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[!-~]+$"},
}

api = _Api(
    title="askpoint",
    version="1",
    description=_ABOUT,
    docs_url=None,  # its page loads scripts from elsewhere, or runs them inline
    urls_namespace="api",
    parser=JsonParser(),
)
"""All of the API."""


@functools.cache
def _known() -> dict[str, set[str]]:
    """Return the names that each operation takes behind the question mark."""
    return {
        operation["operationId"]: {
            part["name"] for part in operation["parameters"] if part["in"] == "query"
        }
        for path in api.get_openapi_schema()["paths"].values()
        for operation in path.values()
    }


def _only_known(view: Callable[..., Any]) -> Callable[..., Any]:
    """Refuse what was misspelled, which else would be left out in silence."""

    @functools.wraps(view)
    def checked(request: HttpRequest, *args: Any, **named: Any) -> Any:
        known = _known()[view.__name__]
        unknown = sorted(set(request.GET) - known)
        if unknown:
            raise ProblemError(
                422,
                "input",
                f"this takes {', '.join(sorted(known)) or 'nothing'} behind the question mark; got "
                f"{unknown[0][:40]!r}",
            )
        return view(request, *args, **named)

    return checked


api.add_decorator(_only_known, mode="operation")
api.add_router("", anybody.router)
api.add_router("run", running.router)
api.add_router("play", playing.router)
api.add_router("judge", judging.router)
api.add_router("play", tagging.players)
api.add_router("run", tagging.runners)
api.add_router("classifiers", using.router)
api.add_router("review", reviewing.router)


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


@api.exception_handler(ValidationError)
def _refuse_parts(request: HttpRequest, error: ValidationError) -> HttpResponse:
    del request
    errors = [
        {"where": ".".join(str(part) for part in item["loc"]), "detail": str(item["msg"])}
        for item in error.errors
    ]
    said = "; ".join(f"{item['where']}: {item['detail']}" for item in errors[:5])
    return problem(422, "input", f"the request is not as the OpenAPI document says: {said}", errors)
