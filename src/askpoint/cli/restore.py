"""``askpoint restore``: a server as it was when its backup was taken."""

from __future__ import annotations

from pathlib import Path

import click

from askpoint.cli.server_folder import database_address, database_options
from askpoint.errors import InputError

__all__ = ["restore_command"]


@click.command("restore")
@click.argument("file", type=click.Path(dir_okay=False, exists=True, path_type=Path))
@database_options
def restore_command(
    file: Path, database: str | None, database_file: Path | None, folder: Path
) -> None:
    """Restore a server from a backup.

    FILE is what `askpoint backup` wrote; folder and database must hold no server.

    A backup of either database can be restored into the other. Then `askpoint check` tells whether
    all is there, and `askpoint serve` brings it to this version's tables.
    """
    address = database_address(database, database_file, folder)
    if (folder / "askpoint-secret").exists():
        raise InputError(
            f"a server lives in {folder} already; restore into an empty folder, or move that away"
        )
    from askpoint.server.backups import restore

    n_rows = restore(address, folder, file)
    click.echo(f"{n_rows:,} rows and the secret are back in {folder}.")
