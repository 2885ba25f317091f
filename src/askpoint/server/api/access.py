"""Who asks: a bearer token, its role and its scope; and how often somebody may guess."""

from __future__ import annotations

from datetime import timedelta
from http import HTTPStatus
from typing import Any

from django.http import Http404, HttpRequest
from ninja.security import HttpBearer

from askpoint.errors import RuleError
from askpoint.server.accounts.access import address_of
from askpoint.server.accounts.rate_limits import count_attempt
from askpoint.server.api.models import Token
from askpoint.server.api.problems import ProblemError
from askpoint.server.api.roles import token_roles
from askpoint.server.api.tokens import find_token
from askpoint.server.deployments.label_signatures import check_signature
from askpoint.server.workspaces.models import Workspace
from askpoint.server.workspaces.services import check_open

__all__ = ["Bearer", "Signed", "check_writable"]

_WINDOW = timedelta(minutes=15)
_BY_ADDRESS = 300  # as many as for signing in


class Bearer(HttpBearer):
    """Lets a token of some role in.

    Parameters
    ----------
    *roles : str
        Which; none for any.
    scope : str, default="read"
        "write" where something changes.
    """

    def __init__(self, *roles: str, scope: str = "read") -> None:
        self.roles, self.scope = roles, scope
        super().__init__()

    def __call__(self, request: HttpRequest) -> Any:
        """Return the token of a request, or end it."""
        token = super().__call__(request)
        if token is None:
            raise ProblemError(
                HTTPStatus.UNAUTHORIZED,
                "unauthorized",
                "send a token that holds, as 'Authorization: Bearer askpoint_...'; its owner makes "
                "one on the page Tokens",
            )
        return token

    def authenticate(self, request: HttpRequest, token: str) -> Token | None:
        """Return the row of a token, if it may do this."""
        row = find_token(token)
        if row is None:
            if count_attempt(_WINDOW, _BY_ADDRESS, "token", address_of(request)):
                return None
            raise ProblemError(
                HTTPStatus.TOO_MANY_REQUESTS,
                "too-many-tokens",
                "too many tokens that do not hold came from this address; try again in a quarter "
                "of an hour",
            )
        role = token_roles().get(row.role)
        refusal = (
            "this server has no such role any more" if role is None else role.refusal(row.user)
        )
        if refusal:
            raise ProblemError(HTTPStatus.FORBIDDEN, "role", refusal)
        if self.roles and row.role not in self.roles:
            raise ProblemError(
                HTTPStatus.FORBIDDEN,
                "role",
                f"this is for {' and '.join(self.roles)}s, and the token is for a {row.role}: make "
                "another one",
            )
        if self.scope == "write" and row.scope != "write":
            raise ProblemError(
                HTTPStatus.FORBIDDEN, "scope", "the token may only read: make one that may write"
            )
        request.user = row.user
        return row


def check_writable(request: HttpRequest, workspace: Workspace) -> None:
    """Check that a request may change something: not in a frozen workspace; a closed one is not there."""
    if workspace.state == "closed":
        raise Http404
    if request.method != "GET":
        check_open(workspace)


class Signed:
    """Lets a message in that is signed by the secret of a classifier, and needs no token."""

    def __call__(self, request: HttpRequest) -> Any:
        """Return the classifier, or end the request."""
        try:
            return check_signature(
                request.resolver_match.kwargs["classifier"], request.body, request.headers
            )
        except RuleError as error:
            raise ProblemError(HTTPStatus.UNAUTHORIZED, error.rule, str(error)) from None
