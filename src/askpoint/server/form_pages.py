"""Pages with a form: shown again, what was sent and why it was refused, they are answered by 422."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

__all__ = ["show_form"]


def show_form(request: HttpRequest, template: str, page: dict[str, Any]) -> HttpResponse:
    """Show a form, empty or with what was wrong of it; one that was kept leads elsewhere."""
    return render(request, template, page, status=422 if request.method == "POST" else 200)
