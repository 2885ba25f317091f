"""``askpoint backup``: one file that holds all of a server, taken while it runs."""

from __future__ import annotations

from pathlib import Path

import click

from askpoint.cli.server_folder import database_options, open_database

__all__ = ["backup_command"]


@click.command("backup")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@database_options
def backup_command(
    file: Path, database: str | None, database_file: Path | None, folder: Path
) -> None:
    """Back up a server into one file.

    FILE gets the database as of one moment, and the server's secret.

    The server may run meanwhile. Anyone with the file can read everything and sign in as any
    user: keep it as safe as the folder.
    """
    address = open_database(database, database_file, folder)
    from askpoint.server.backups import back_up

    n_rows = back_up(address, folder, file)
    click.echo(
        f"{n_rows:,} rows and the secret are in {file}; `askpoint restore` brings them back."
    )
