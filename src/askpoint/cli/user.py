"""``askpoint user``: the accounts of a server, for whoever runs it."""

from __future__ import annotations

from typing import Any

import click

from askpoint.cli.server_folder import server_command
from askpoint.errors import InputError

__all__ = ["user_command"]

_ROLES = ("owner", "organiser", "watcher", "none")


@click.group("user")
def user_command() -> None:
    """List, add and change the accounts of a server.

    The server may run meanwhile.

    Players and judges come in by an organiser's links. These commands are for who runs the server:
    a further organiser, a forgotten password, an account to be closed.
    """


def _check_url(ctx: click.Context, param: click.Parameter, url: str) -> str:
    del ctx, param
    if not url.startswith(("http://", "https://")):
        raise InputError(f"--url is where people reach the server, http(s)://...; got {url!r}")
    return url.rstrip("/")


_person = click.argument("name")
_workspace = click.option(
    "--workspace",
    default="",
    metavar="NAME",
    help="In which workspace; needed where there are several. `askpoint workspace list` names them.",
)
_address = click.option(
    "--url",
    default="http://127.0.0.1:8000",
    show_default=True,
    callback=_check_url,
    help="Where people reach the server: the link begins with it.",
)


@server_command(user_command, "list")
def _list() -> None:
    """List all accounts: their roles, since when, and the last sign-in."""
    from askpoint.server.accounts.models import Seat, User

    seats: dict[int, list[Seat]] = {}
    for seat in Seat.objects.order_by("workspace"):
        seats.setdefault(seat.user_id, []).append(seat)
    for user in User.objects.order_by("username"):
        words = [f"{seat.role} in {seat.workspace_id}" for seat in seats.get(user.pk, ())]
        words += [] if user.is_active else ["closed"]
        seen = f"last here {user.last_login:%Y-%m-%d}" if user.last_login else "never signed in"
        words += [f"since {user.date_joined:%Y-%m-%d}", seen]
        click.echo(f"{user.username}: {', '.join(words)}")


@server_command(user_command, "add")
@_person
@click.option(
    "--role",
    type=click.Choice(_ROLES),
    default="organiser",
    show_default=True,
    help="What the account may do: own the workspace, organise or watch in it, or nothing until a link brings "
    "it in.",
)
@_workspace
@_address
def _add(name: str, role: str, workspace: str, url: str) -> None:
    """Create an account NAME, and print a link by which its owner sets the password.

    The link works once, for a day.
    """
    from askpoint.server.accounts.people import keep_person, new_person, problems_of
    from askpoint.server.accounts.seats import give_seat
    from askpoint.server.journal.services import note
    from askpoint.server.workspaces.services import choose_workspace

    user = new_person(name)
    problems = problems_of(user, None)
    if problems:
        raise InputError(f"{name!r} is not a valid account name: {problems['username'][0]}")
    user.set_unusable_password()
    there = choose_workspace(workspace)
    keep_person(user)
    note("account made", about=user.username, role=role)
    if role != "none":
        give_seat(there, user, role)
    _print_link(user, url)


@server_command(user_command, "role")
@_person
@click.argument("role", type=click.Choice(_ROLES), metavar="ROLE")
@_workspace
def _role(name: str, role: str, workspace: str) -> None:
    """Give NAME a role in a workspace, or take it away: ROLE is "owner", "organiser", "watcher" or "none".

    Campaigns stay with who made them. Players' and judges' parts are not touched. A workspace keeps an owner.
    """
    from askpoint.server.accounts.people import find_person
    from askpoint.server.accounts.seats import give_seat, take_seat_away
    from askpoint.server.workspaces.services import choose_workspace

    user, there = find_person(name), choose_workspace(workspace)
    if role == "none":
        take_seat_away(there, user.username)
        click.echo(f"{user.username} has no seat in {there.name} any more.")
    else:
        give_seat(there, user, role)
        click.echo(f"{user.username} is {role} in {there.name}.")


@server_command(user_command, "password")
@_person
def _password(name: str) -> None:
    """Set the password of NAME, which is asked for and not shown.

    All browsers in which NAME is signed in are signed out, and all tokens end.
    """
    from askpoint.server.accounts.people import end_tokens, find_person, problems_with_password
    from askpoint.server.journal.services import note

    user = find_person(name)
    given = click.prompt(f"New password of {user.username}", hide_input=True)
    problems = problems_with_password(user, given)
    if problems:
        raise InputError(f"the password was not changed: {' '.join(problems)}")
    if click.prompt("The same again", hide_input=True) != given:
        raise InputError("the two are not the same; the password was not changed")
    user.set_password(given)
    user.save(update_fields=["password"])
    note("password changed", about=user.username)
    end_tokens(user)
    click.echo(f"The password of {user.username} is changed; browsers and tokens are out.")


@server_command(user_command, "reset-link")
@_person
@_address
def _reset_link(name: str, url: str) -> None:
    """Print a link by which NAME sets a new password: once, for a day.

    Anyone with the link can sign in as NAME: send it to nobody else. NAME reads on the account's page that it was made;
    with the new password all browsers are signed out, and all tokens end.
    """
    from askpoint.server.accounts.people import find_person

    user = find_person(name)
    if not user.is_active:
        raise InputError(
            f"the account {user.username} is closed: open it by `askpoint user enable`"
        )
    _print_link(user, url)


@server_command(user_command, "drop-factor")
@_person
def _drop_factor(name: str) -> None:
    """Remove the second factor of NAME, who lost the device and the recovery codes.

    Make sure that it is NAME who asks. NAME reads on the account's page that it was removed.
    """
    from askpoint.server.accounts.people import find_person
    from askpoint.server.accounts.second_factor import drop_factor

    user = find_person(name)
    if not drop_factor(user):
        raise InputError(f"{user.username} has no second factor")
    click.echo(
        f"{user.username} signs in by the password alone, until a second factor is set up again."
    )


@server_command(user_command, "disable")
@_person
def _disable(name: str) -> None:
    """Close the account NAME: it is signed out at once and can no longer sign in.

    What it earned stays in the books, and is paid as before. `enable` takes it back.
    """
    _close(name, closed=True)


@server_command(user_command, "enable")
@_person
def _enable(name: str) -> None:
    """Open the account NAME again."""
    _close(name, closed=False)


def _close(name: str, *, closed: bool) -> None:
    from askpoint.server.accounts.people import find_person
    from askpoint.server.journal.services import note

    user = find_person(name)
    user.is_active = not closed
    user.save(update_fields=["is_active"])
    note("account closed" if closed else "account opened", about=user.username)
    click.echo(f"The account {user.username} is {'closed' if closed else 'open'}.")


def _print_link(user: Any, url: str) -> None:
    from askpoint.server.accounts.people import reset_path

    click.echo(f"{user.username} sets a password by this link, once, within a day:")
    click.echo(f"  {url}{reset_path(user)}")
