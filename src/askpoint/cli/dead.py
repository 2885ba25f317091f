"""``askpoint dead``: the lines that could not be decided."""

from __future__ import annotations

import json

import click

from askpoint.cli.folders import open_deployment, place_of

__all__ = ["dead_command"]


@click.command("dead")
@click.argument("dir", type=click.Path())
def dead_command(dir: str) -> None:  # noqa: A002  # the name that users read
    """List the lines of `askpoint decide -` that could not be decided in the deployment in DIR, and why.

    Each is a JSON object with at, line and error. Nothing was decided of them: correct a line, and send it
    again.
    """
    with open_deployment(place_of(dir)) as deployment:
        for at, line, error in deployment.dead().iter_rows():
            click.echo(json.dumps({"at": at.isoformat(), "line": line, "error": error}))
