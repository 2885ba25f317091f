"""``askpoint forget``: delete what cases contained, and keep that they were decided."""

from __future__ import annotations

import click

from askpoint.cli.folders import at_option, moment, open_deployment, place_of
from askpoint.cli.parameters import SOURCE
from askpoint.errors import UnknownColumnError

__all__ = ["forget_command"]


@click.command("forget")
@click.argument("dir", type=click.Path())
@click.argument("keys", type=SOURCE)
@at_option
def forget_command(dir: str, keys: str, at: str | None) -> None:  # noqa: A002  # the name that users read
    """Delete the content of cases from a deployment.

    DIR is the deployment; the column key of the file KEYS names the cases.

    Decisions, labels and receipts stay, and `askpoint verify` still finds no difference: the log holds
    a digest of the content, and that it was deleted. The salt of the digest goes with the content, so that
    no short content can be guessed from it.
    """
    place = place_of(dir)
    from askpoint.records.batches import text_column
    from askpoint.records.tables import open_table
    from askpoint.reports.words import plural

    table = open_table(keys)
    if "key" not in table.columns:
        raise UnknownColumnError("key", table.columns)
    wanted = text_column(table.read(["key"])["key"])
    with open_deployment(place) as deployment:
        gone = deployment.forget(wanted, moment(at))
    click.echo(f"{plural(gone, 'content', 'contents')} deleted; decisions and receipts stay.")
