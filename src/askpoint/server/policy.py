"""What a browser may load and do on our pages: only what this server sends."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse

from askpoint.server.accounts.companies import form_origins

__all__ = ["CONTENT_POLICY", "content_policy", "readable"]

CONTENT_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""No inline style or script, nothing from elsewhere."""


def _policy_of_pages() -> str:
    """Return the policy; forms may lead to companies by whose sign-in people come in."""
    return CONTENT_POLICY.replace(
        "form-action 'self'", " ".join(["form-action 'self'", *form_origins()])
    )


def content_policy(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Send the policy with every answer, also with errors and static files; keep pages private."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if not response.has_header("Content-Security-Policy"):  # reports and images: stricter ones
            response["Content-Security-Policy"] = _policy_of_pages()
        if not response.has_header(
            "Cache-Control"
        ):  # static files have one; all else is somebody's
            response["Cache-Control"] = "no-store, private"
        return response

    return answer


def readable(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Refuse what no browser sends and no database takes: NUL, and halves of characters."""

    def answer(request: HttpRequest) -> HttpResponse:
        if _is_odd(request.path) or any(map(_is_odd, _parameter_texts(request))):
            raise BadRequest
        return get_response(request)

    return answer


def _parameter_texts(request: HttpRequest) -> Iterator[str]:
    for values in (request.GET, request.POST) if request.method == "POST" else (request.GET,):
        for name, given in values.lists():
            yield name
            yield from given


def _is_odd(text: str) -> bool:
    return "\0" in text or any("\ud800" <= sign <= "\udfff" for sign in text)
