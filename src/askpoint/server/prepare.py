"""Before the server starts: bring the database up to date, and say how to come in."""

from __future__ import annotations

import sys

from askpoint.errors import AskpointError
from askpoint.server.boot import migrate, set_up
from askpoint.server.database_roles import let_work, owner_warning
from askpoint.server.extensions import server_parts
from askpoint.server.options import Options, options_of_parent

__all__ = ["main"]


def main() -> None:
    """Prepare, and print the address."""
    from django.db import DatabaseError

    try:
        options = options_of_parent()
        set_up(options)
        migrate()
        if options.works_as:
            let_work(options.works_as)
        elif owner_warning():
            print(f"askpoint: {owner_warning()}", file=sys.stderr)  # noqa: T201
        _welcome(options)
    except (AskpointError, DatabaseError) as error:
        print(f"askpoint: {' '.join(str(error).split())}", file=sys.stderr)  # noqa: T201
        sys.exit(2)


def _welcome(options: Options) -> None:
    from django.urls import reverse

    from askpoint.server.accounts.models import Seat
    from askpoint.server.accounts.services import invite, token_of
    from askpoint.server.workspaces.services import first_workspace

    lines = [f"askpoint listens on {options.address}  (stop it with Ctrl-C)"]
    if options.demo:
        from askpoint.server.demo import describe_demo, make_demo

        make_demo()
        lines.append("Open it, and enter by a click, without a password:")
        lines += describe_demo()
    elif not Seat.within(first_workspace()).filter(role="owner").exists():
        token = token_of(invite(first_workspace().pk, "owner", note="the first organiser"))
        lines.append("The first organiser signs up with this link, once:")
        lines.append(f"  {options.address}{reverse('invitation', args=[token])}")
        if not options.models:
            lines += [parts.without_models for parts in server_parts() if parts.without_models]
    print("\n".join(lines), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
