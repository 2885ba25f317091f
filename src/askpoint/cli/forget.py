"""``askpoint forget``: delete what cases contained, and keep that they were decided."""

from __future__ import annotations

import click

from askpoint.cli.folders import folder_of, open_deployment
from askpoint.cli.parameters import SOURCE
from askpoint.errors import UnknownColumnError

__all__ = ["forget_command"]


@click.command("forget")
@click.argument("dir", type=click.Path())
@click.argument("keys", type=SOURCE)
def forget_command(dir: str, keys: str) -> None:  # noqa: A002  # the name that users read
    """Delete the content of cases of the deployment in DIR, by the column key of the file KEYS.

    Decisions, labels and receipts stay, and `askpoint verify` still finds no difference: they
    chain a digest of the content, not the content.
    """
    from askpoint.records.batches import text_column
    from askpoint.records.tables import open_table
    from askpoint.reports.words import plural

    folder = folder_of(dir)
    table = open_table(keys)
    if "key" not in table.columns:
        raise UnknownColumnError("key", table.columns)
    wanted = text_column(table.read(["key"])["key"])
    with open_deployment(folder) as deployment:
        gone = deployment.forget(wanted)
    click.echo(f"{plural(gone, 'content', 'contents')} deleted; decisions and receipts stay.")
