"""The page of one's tokens: make one, see when each was used, revoke."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from askpoint.errors import InputError
from askpoint.server.accounts.second_factor import with_fresh_factor
from askpoint.server.api.forms import TokenForm
from askpoint.server.api.models import Token
from askpoint.server.api.roles import list_roles
from askpoint.server.api.tokens import make_token, revoke_token
from askpoint.server.form_pages import explain_refusal_on

__all__ = ["own_tokens", "revoke"]


@login_required
@with_fresh_factor
def own_tokens(request: HttpRequest) -> HttpResponse:
    """Show one's tokens, and make one: what it says is shown on this answer only."""
    words, form = "", TokenForm(request.user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        with explain_refusal_on(form):
            _, words = make_token(request.user, **form.cleaned_data)
            form = TokenForm(request.user)
    rows = Token.objects.filter(user=request.user).order_by("-made")
    page = {
        "form": form,
        "words": words,
        "rows": rows,
        "may": bool(list_roles(request.user)),
        "now": timezone.now(),
    }
    wrong = request.method == "POST" and not words
    return render(request, "api/tokens.html", page, status=422 if wrong else 200)


@require_POST
@login_required
def revoke(request: HttpRequest, key: int) -> HttpResponse:
    """End a token."""
    try:
        row = revoke_token(request.user, min(key, 2**31))
    except InputError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"“{row.label}” opens nothing any more.")
    return redirect("tokens")
