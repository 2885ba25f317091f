"""The layers around the views, loaded once: each new `Client` would load them anew for its first request."""

from __future__ import annotations

from django.conf import settings
from django.core.handlers.base import BaseHandler
from django.test.client import ClientHandler

__all__ = ["load_middleware_once"]

_LAYERS = (
    "_view_middleware",
    "_template_response_middleware",
    "_exception_middleware",
    "_middleware_chain",
)


def load_middleware_once() -> None:
    """Let all clients of this process share what the first has loaded; ours keep nothing between requests."""
    loaded = {}

    def load(handler):
        names = tuple(settings.MIDDLEWARE)
        if names not in loaded:
            BaseHandler.load_middleware(handler)
            loaded[names] = {name: getattr(handler, name) for name in _LAYERS}
        vars(handler).update(loaded[names])

    ClientHandler.load_middleware = load
