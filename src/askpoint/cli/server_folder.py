"""Where a server keeps its database: the folder, and the address that no process list shows."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click

from askpoint.errors import InputError

__all__ = [
    "DATABASE_VARIABLE",
    "database_address",
    "database_options",
    "open_database",
    "server_command",
]

DATABASE_VARIABLE = "ASKPOINT_DATABASE"

_OPTIONS = (
    click.option(
        "--database",
        metavar="URL",
        help="postgresql://USER@HOST:PORT/NAME or sqlite:///FILE; without it, a SQLite file in the "
        f"folder. One with a password is given by the variable {DATABASE_VARIABLE} or with --database-file, because the list of processes shows a command's words to every user.",
    ),
    click.option(
        "--database-file",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="A file whose only line is the database's address.",
    ),
    click.option(
        "--folder",
        type=click.Path(file_okay=False, path_type=Path),
        default=Path("askpoint-server"),
        show_default=True,
        help="Where the server keeps its database and its secret.",
    ),
)


def database_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--database``, ``--database-file`` and ``--folder``."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def database_address(database: str | None, file: Path | None, folder: Path) -> str:
    """Return the database's address, from the one place where it is given.

    Raises
    ------
    InputError
        If there are two, or a password stands on the command line.
    """
    if importlib.util.find_spec("django") is None:
        raise InputError('the server is an extra part: pip install "askpoint[server]"')
    if database and file:
        raise InputError("give the database with --database or with --database-file, not with both")
    if database and urlsplit(database).password:
        raise InputError(
            "a password on the command line is shown to everybody by the list of processes: give "
            f"the database's address by the variable {DATABASE_VARIABLE} or with --database-file"
        )
    if file is not None:
        try:
            database = file.read_text("utf-8").strip()
        except OSError as error:
            raise InputError(f"cannot read the database's address: {error}") from None
    default = f"sqlite:///{(folder / 'askpoint.sqlite3').absolute()}"
    return database or os.environ.get(DATABASE_VARIABLE, "") or default


def open_database(database: str | None, file: Path | None, folder: Path) -> str:
    """Set this process up to talk to a server's database; its address."""
    address = database_address(database, file, folder)
    if not folder.is_dir():
        raise InputError(f"there is no folder {folder} of a server; name it with --folder")
    from askpoint.server.boot import set_up
    from askpoint.server.options import Options, load_secret

    set_up(Options(address, load_secret(folder), "", folder=str(folder.absolute())))
    return address


def server_command(group: click.Group, name: str) -> Callable[[Callable[..., None]], click.Command]:
    """Make a subcommand of a group that talks to a server's database."""

    def decorate(act: Callable[..., None]) -> click.Command:
        @database_options
        def run(
            database: str | None, database_file: Path | None, folder: Path, **words: Any
        ) -> None:
            open_database(database, database_file, folder)
            from askpoint.server.journal.services import COMMAND, acting

            with acting(lambda: COMMAND):
                act(**words)

        run.__doc__ = act.__doc__
        run.__click_params__ = [  # type: ignore[attr-defined]
            *getattr(act, "__click_params__", []),
            *run.__click_params__,  # type: ignore[attr-defined]
        ]
        return group.command(name)(run)

    return decorate
