"""``askpoint dead``: the lines that could not be decided."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from askpoint.cli.batch_options import batch_column_options
from askpoint.cli.folders import open_deployment, place_of
from askpoint.errors import InputError

if TYPE_CHECKING:
    from askpoint.records.stores.deployment import Deployment

__all__ = ["dead_command"]

_USUAL: dict[str, Any] = {
    "at": None,
    "raised": {},
    "rollout": 1.0,
    "shadow": False,
    "suspicions": (),
}


@click.command("dead", context_settings={"show_default": True})
@click.argument("dir", type=click.Path())
@click.option(
    "--retry",
    is_flag=True,
    help="Decide them now, and keep those that still cannot be decided; name the columns as then.",
)
@click.option("--drop", is_flag=True, help="List them, and keep them no longer.")
@batch_column_options
def dead_command(dir: str, **options: Any) -> int:  # noqa: A002  # the name that users read
    """List the lines that `askpoint decide -` could not decide.

    DIR is the deployment.

    Each is a JSON object with at, line and error. They were not decided: correct a line and send it
    again, or fix what was wrong around it (a model's version, a column) and add --retry. Ends with 1 if some
    still cannot be decided.
    """
    if options["retry"] and options["drop"]:
        raise InputError("--retry decides the lines, --drop deletes them: add one of them")
    with open_deployment(place_of(dir)) as deployment:
        if options["retry"]:
            return _retry(deployment, options | _USUAL)
        lines = deployment.dead()
        for at, line, error in lines.drop("n").iter_rows():
            click.echo(json.dumps({"at": at.isoformat(), "line": line, "error": error}))
        if options["drop"]:
            deployment.drop_dead(lines["n"].to_list())
    return 0


def _retry(deployment: Deployment, options: dict[str, Any]) -> int:
    """Decide each line by itself; answers and errors are those of `askpoint decide -`."""
    from askpoint.cli.actions.batch_decisions import answer_lines
    from askpoint.reports.words import count, plural

    lines = deployment.dead()
    decided = []
    for n, line in lines.select("n", "line").iter_rows():
        try:
            answers = answer_lines(deployment, [line.encode()], options)
        except InputError as error:
            answers = [{"key": None, "error": str(error)}]
        else:
            decided.append(n)
        for answer in answers:
            click.echo(json.dumps(answer))
    deployment.drop_dead(decided)
    rest = len(lines) - len(decided)
    click.echo(
        f"{count(len(decided))} of {plural(len(lines), 'line is', 'lines are')} decided; "
        f"{plural(rest, 'stays', 'stay')}.",
        err=True,
    )
    return int(rest > 0)
