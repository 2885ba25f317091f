"""``askpoint check``: is all of a server's books as it must be?"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from askpoint.cli.server_folder import database_options, open_database

__all__ = ["check_command"]


@click.command("check")
@database_options
def check_command(database: str | None, database_file: Path | None, folder: Path) -> None:
    """Check a server's books, queues, policies and licences.

    It posts every transaction again by the game's rules, repeats the steps of policies and of agents'
    licences, and compares the result with what is stored. It changes nothing, and may run while the server does. Exit code 1 if
    anything is wrong.
    """
    open_database(database, database_file, folder)
    from askpoint.server.books import check_books

    report = check_books()
    for problem in report.problems:
        click.echo(f"wrong: {problem}")
    click.echo(report.said)
    if report.problems:
        sys.exit(1)
