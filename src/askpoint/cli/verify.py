"""``askpoint verify``: compute a deployment again, as a stranger would."""

from __future__ import annotations

from pathlib import Path

import click

from askpoint.cli.folders import folder_of, open_deployment
from askpoint.errors import AskpointError, InputError

__all__ = ["verify_command"]


@click.command("verify")
@click.argument("dir", type=click.Path())
@click.option(
    "--secret",
    type=click.Path(),
    metavar="FILE",
    help="The secret, once it is published; by default the folder's secret.key, if it is there.",
)
def verify_command(dir: str, secret: str | None) -> int:  # noqa: A002  # the name that users read
    """Compute every draw, decision, hash and event of the deployment in DIR again.

    Names the first difference and ends with 1; with 0 if there is none. Without the secret, which
    is published when a policy closes, the draws are taken as recorded.
    """
    from askpoint.reports.words import plural

    folder = folder_of(dir)
    known = _secret(folder, secret)
    try:
        with open_deployment(folder) as deployment:
            found = deployment.verify(known)
    except AskpointError as error:  # a file that cannot be read is a difference, too
        click.echo(f"Not as it was made: {error}.")
        return 1
    except (KeyError, TypeError, ValueError, AttributeError, OSError) as error:
        click.echo(f"Not as it was made: a file is broken ({error!r}).")
        return 1
    if found.difference is not None:
        click.echo(f"Not as it was made: {found.difference}.")
        return 1
    draws = "every draw," if known is not None else "draws as recorded (there is no secret),"
    heads = found.replay.heads
    click.echo(
        f"{plural(found.decisions, 'decision', 'decisions')} computed again, {draws} action, hash "
        "and event: no difference."
    )
    click.echo(
        f"The last hash is {heads[0]} (of the labels {heads[1]}): give both to somebody else, for a "
        "chain cannot show that its end was cut off."
    )
    return 0


def _secret(folder: Path, named: str | None) -> bytes | None:
    path = Path(named) if named is not None else folder / "secret.key"
    if named is None and not path.exists():
        return None
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
