"""``askpoint prove``: show to the person decided about that their decision stands in the log."""

from __future__ import annotations

from pathlib import Path

import click

from askpoint.cli.folders import open_deployment, place_of
from askpoint.errors import InputError

__all__ = ["prove_command"]


@click.command("prove")
@click.argument("path", metavar="DIR", type=click.Path())
@click.argument("key")
@click.option(
    "--out",
    type=click.Path(),
    metavar="FILE",
    help="Write the decision record here (.json); by default on standard output.",
)
@click.option("--without-content", is_flag=True, help="Leave the content of the case out.")
def prove_command(path: str, key: str, out: str | None, *, without_content: bool) -> None:
    """Write the decision record of one case.

    KEY is the case, DIR the deployment.

    It holds the row of the decision, the content if it is kept, the way to a head of the log and the
    signature of this. The recipient checks the file with `askpoint verify FILE`, without the deployment.
    """
    if out is not None and not out.endswith(".json"):
        raise InputError(f"--out must end in .json; got {Path(out).name}")
    if out is not None:
        from askpoint.records.artefacts import check_writable

        check_writable(Path(out))
    with open_deployment(place_of(path)) as deployment:
        record = deployment.prove(key, with_content=not without_content)
    if out is None:
        click.echo(record.to_json(), nl=False)
        return
    Path(out).write_text(record.to_json(), encoding="utf-8")
    click.echo(
        f"The decision record of {key!r} is in {out}. To check it, the recipient types: askpoint verify {Path(out).name}"
    )
