"""``askpoint archive``: keep days that are over, and heads, in a store of objects."""

from __future__ import annotations

import click

from askpoint.cli.folders import open_deployment, place_of

__all__ = ["archive_command"]


@click.command("archive")
@click.argument("path", metavar="WHERE", type=click.Path())
@click.argument("to", metavar="ADDRESS")
@click.option(
    "--check", is_flag=True, help="Compare the files that are there with the deployment, too."
)
def archive_command(path: str, to: str, *, check: bool) -> None:
    """Copy past days of a deployment to object storage.

    WHERE is the deployment, ADDRESS where the copies go: s3://BUCKET/FOLDER, gs://, az:// or file://.

    Each day of decisions and of labels is one Parquet file, without the contents of cases, and each time the signed
    head of the log is added. Nothing is written over, so the same command each night adds what is new.
    """
    from askpoint.reports.words import count, plural

    with open_deployment(place_of(path)) as deployment:
        found, head = deployment.archive_to(to, check=check)
    text = f"{plural(found.days, 'file of a day is', 'files of days are')} in {to}, {count(found.written)} of them new"
    if check:
        text += f"; {count(found.compared)} compared, no difference"
    if head is not None:
        text += f". The head of {plural(head.size, 'row', 'rows')} is there, too"
    click.echo(f"{text}.")
