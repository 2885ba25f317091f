"""The command ``askpoint``: its subcommands, and how errors reach the terminal."""

from __future__ import annotations

import importlib
import sys
from typing import Any, NoReturn

import click

from askpoint.errors import AskpointError

__all__ = ["main"]

# imported when called, so that one command does not wait for another's libraries
_COMMANDS = {
    "demo": "askpoint.cli.demo",
    "value": "askpoint.cli.value",
}


class _Commands(click.Group):
    """Loads a subcommand when it is called; says an error in one line and exits with 2."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all subcommands."""
        del ctx
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return one subcommand: NAME_command in its module."""
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = getattr(
            importlib.import_module(_COMMANDS[cmd_name]), f"{cmd_name}_command"
        )
        return command

    def main(self, *args: Any, **settings: Any) -> NoReturn:
        """Run a command line; never shows a traceback for what a user got wrong."""
        settings["standalone_mode"] = False
        try:
            code = super().main(*args, **settings)
        except click.Abort:
            click.echo("askpoint: stopped", err=True)
            sys.exit(130)
        except (AskpointError, click.ClickException) as error:
            text = error.format_message() if isinstance(error, click.ClickException) else str(error)
            click.echo("askpoint: " + " ".join(text.split()), err=True)
            sys.exit(2)
        sys.exit(code if isinstance(code, int) else 0)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="askpoint")
def main() -> None:
    """Which decisions may your model take alone, and what will that cost you?

    Start with `askpoint demo`; then bring your own log: `askpoint value LOG`.
    """
