"""Pages with a form: shown again, what was sent and why it was refused, they are answered by 422."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from askpoint.errors import AskpointError

__all__ = ["explain_refusal_on", "show_form"]


@contextmanager
def explain_refusal_on(form: BaseForm, field: str | None = None) -> Iterator[None]:
    """Do what a form asks for and lead elsewhere; where it is refused, say why on the form, and go on to show it."""
    try:
        yield
    except AskpointError as error:
        form.add_error(field, str(error))


def show_form(request: HttpRequest, template: str, page: dict[str, Any]) -> HttpResponse:
    """Show a form, empty or with what was wrong of it; one that was kept leads elsewhere."""
    return render(request, template, page, status=422 if request.method == "POST" else 200)
