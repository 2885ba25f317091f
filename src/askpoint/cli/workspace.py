"""``askpoint workspace``: the workspaces of a server, for whoever runs it."""

from __future__ import annotations

import click

from askpoint.cli.server_folder import server_command
from askpoint.errors import InputError

__all__ = ["workspace_command"]


@click.group("workspace")
def workspace_command() -> None:
    """List, add, freeze and limit the workspaces of a server.

    The server may run meanwhile.

    A server begins with one workspace, and a team that is alone needs no other. Make one for each team that
    shares the server: nobody reaches the campaigns, people, money or secrets of another.
    """


_workspace = click.argument("workspace")


@server_command(workspace_command, "list")
def _list() -> None:
    """List all workspaces: state, limits, and who owns them."""
    from askpoint.server.accounts.models import Seat
    from askpoint.server.workspaces.models import Workspace

    rows = list(Workspace.objects.order_by("pk"))
    if not rows:
        click.echo("No workspace yet: `askpoint serve` makes the first one.")
    for row in rows:
        owners = Seat.within(row).filter(role="owner").order_by("user__username")
        names = ", ".join(owners.values_list("user__username", flat=True)) or "no owner yet"
        limits = [
            f"{words} {cents:,} cents"
            for words, cents in (("in all", row.money_cap_cents), ("a day", row.day_cap_cents))
            if cents is not None
        ]
        click.echo(
            f"{row.pk}: {row.name}, {row.state}; {names}; {', '.join(limits) or 'no limits'}"
        )


@server_command(workspace_command, "add")
@click.argument("name")
@click.option(
    "--url",
    default="http://127.0.0.1:8000",
    show_default=True,
    help="Where people reach the server: the link begins with it.",
)
def _add(name: str, url: str) -> None:
    """Create a workspace NAME, and print a link for its first owner.

    The link works once, for 14 days.
    """
    from django.db import transaction
    from django.urls import reverse

    from askpoint.server.accounts.services import invite, token_of
    from askpoint.server.workspaces.services import make_workspace

    if not url.startswith(("http://", "https://")):
        raise InputError(f"--url is where people reach the server, http(s)://...; got {url!r}")
    with transaction.atomic():
        row = make_workspace(name)
        link = invite(row.pk, "owner", note="the first owner")
    click.echo(f"The first owner of {row.name} ({row.pk}) signs up with this link, once:")
    click.echo(f"  {url.rstrip('/')}{reverse('invitation', args=[token_of(link)])}")


@server_command(workspace_command, "freeze")
@_workspace
def _freeze(workspace: str) -> None:
    """Freeze WORKSPACE: nothing in it changes; its pages can be read."""
    _change(workspace, "frozen")


@server_command(workspace_command, "close")
@_workspace
def _close(workspace: str) -> None:
    """Close WORKSPACE: its pages are gone. What people earned stays in the books."""
    _change(workspace, "closed")


@server_command(workspace_command, "open")
@_workspace
def _open(workspace: str) -> None:
    """Open WORKSPACE again."""
    _change(workspace, "open")


def _change(workspace: str, state: str) -> None:
    from askpoint.server.workspaces.services import change_state, find_workspace

    row = find_workspace(workspace)
    change_state(row, state)
    click.echo(f"{row.name} is {state}.")


def _read_cents(ctx: click.Context, param: click.Parameter, given: str | None) -> int | None:
    """Return a limit in cents; -1 for none."""
    del ctx
    if given is None:
        return None
    if given == "none":
        return -1
    if not (given.isascii() and given.isdecimal() and len(given) <= 15):
        raise InputError(
            f"--{str(param.name).replace('_', '-')} is a whole number of cents, or none; got {given[:40]!r}"
        )
    return int(given)


@server_command(workspace_command, "limit")
@_workspace
@click.option(
    "--in-all",
    metavar="CENTS",
    callback=_read_cents,
    help="All that its campaigns may be given and its people be paid, in cents; or none.",
)
@click.option(
    "--per-day",
    metavar="CENTS",
    callback=_read_cents,
    help="What may be on its way to people or be paid to them within 24 hours, in cents; or none.",
)
def _limit(workspace: str, in_all: int | None, per_day: int | None) -> None:
    """Set what WORKSPACE may promise and pay, in cents."""
    from askpoint.server.workspaces.services import find_workspace, set_limits

    given = {"money_cap_cents": in_all, "day_cap_cents": per_day}
    limits = {name: None if it == -1 else it for name, it in given.items() if it is not None}
    if not limits:
        raise InputError("name a limit: --in-all CENTS, --per-day CENTS, or both")
    row = find_workspace(workspace)
    set_limits(row, limits)
    for words, cents in (("in all", row.money_cap_cents), ("a day", row.day_cap_cents)):
        click.echo(f"{row.name}, {words}: {'no limit' if cents is None else f'{cents:,} cents'}.")
