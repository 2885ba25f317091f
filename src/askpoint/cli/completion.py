"""``askpoint completion``: the Tab key completes commands, options and files."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

__all__ = ["completion_command"]

_SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=click.Choice(_SHELLS), metavar="SHELL")
@click.pass_context
def completion_command(ctx: click.Context, shell: str) -> None:
    """Print the script for completion with the Tab key.

    SHELL is bash, zsh or fish.

    Keep it where your shell begins, and open a new terminal:

    \b
    ~/.bashrc  eval "$(askpoint completion bash)"
    ~/.zshrc   eval "$(askpoint completion zsh)"
    fish       askpoint completion fish > ~/.config/fish/completions/askpoint.fish
    """  # noqa: D301  # click wants the character itself
    script = get_completion_class(shell)
    if script is None:
        raise LookupError(shell)
    root = ctx.find_root().command
    click.echo(script(root, {}, "askpoint", "_ASKPOINT_COMPLETE").source())
