"""``askpoint token``: what lets programs act as people on a server."""

from __future__ import annotations

from typing import Any

import click

from askpoint.cli.server_folder import server_command
from askpoint.errors import InputError
from askpoint.server.extensions import server_parts

__all__ = ["token_command"]

_ROLES = ("owner", "reviewer", "viewer")  # of classifiers in use


@click.group("token")
def token_command() -> None:
    """Create, list and revoke tokens of the API.

    The server may run meanwhile.

    People make their own on the page Tokens. These commands are for who runs the server.
    """


_person = click.argument("name")


def _user(name: str) -> Any:
    from askpoint.server.accounts.models import User

    user = User.objects.filter(username=name).first()
    if user is None:
        raise InputError(f"there is no account {name!r}; askpoint user list names all")
    return user


@server_command(token_command, "add")
@_person
@click.option(
    "--role",
    type=click.Choice([*(role for parts in server_parts() for role in parts.token_roles), *_ROLES]),
    required=True,
    help="Role in which the program acts; NAME must have it.",
)
@click.option(
    "--scope",
    type=click.Choice(("read", "write")),
    default="read",
    show_default=True,
    help="Whether it may only read, or write, too.",
)
@click.option(
    "--campaign", "resource", default="", help="The only campaign that it opens, by its id."
)
@click.option(
    "--days", type=int, default=90, show_default=True, help="Days until it expires, 1 to 365."
)
@click.option("--label", required=True, help="What the token is for.")
def _add(name: str, role: str, scope: str, resource: str, days: int, label: str) -> None:
    """Create a token for NAME, and print it: it is shown only once."""
    from askpoint.server.api.tokens import make_token

    _, words = make_token(_user(name), role, label=label, scope=scope, resource=resource, days=days)
    click.echo(words)


@server_command(token_command, "list")
def _list() -> None:
    """List all valid tokens: number, owner, what each opens, and when it was last used."""
    from django.utils import timezone

    from askpoint.server.api.models import Token

    rows = Token.objects.filter(revoked=None, expires__gt=timezone.now()).select_related("user")
    for row in rows.order_by("pk"):
        used = f"last used {row.used:%Y-%m-%d}" if row.used else "never used"
        where = f" in {row.resource}" if row.resource else ""
        click.echo(
            f"{row.pk} {row.user.username}: {row.label}: {row.role}, {row.get_scope_display()}"
            f"{where}, until {row.expires:%Y-%m-%d}, {used}"
        )


@server_command(token_command, "revoke")
@_person
@click.argument("number", type=click.IntRange(1, 2**31))
def _revoke(name: str, number: int) -> None:
    """End the token NUMBER of NAME, as the list says it."""
    from askpoint.server.api.tokens import revoke_token

    row = revoke_token(_user(name), number)
    click.echo(f"“{row.label}” opens nothing any more.")
