"""Where a visitor comes from, and pages that only organisers may open."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse

__all__ = ["address_of", "for_organisers"]

_View = Callable[..., HttpResponse]


def for_organisers(view: _View) -> _View:
    """Open a page to every organiser; to everybody else it is not there."""

    @login_required
    @functools.wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
        if not request.user.is_organiser:
            raise Http404
        return view(request, *args, **named)

    return wrapper


def address_of(request: HttpRequest) -> str:
    """Return the network address of a visitor; behind our own proxy, the one that it names."""
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "")
    if settings.ASKPOINT.url and forwarded:
        return str(forwarded.split(",")[-1].strip())
    return str(request.META.get("REMOTE_ADDR", ""))
