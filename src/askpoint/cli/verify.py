"""``askpoint verify``: compute a deployment again, as a stranger would, or check the proof of one decision."""

from __future__ import annotations

from typing import Any

import click

__all__ = ["verify_command"]


@click.command("verify")
@click.argument("path", metavar="DIR", type=click.Path())
@click.option(
    "--secret",
    type=click.Path(),
    metavar="FILE",
    help="The secret, once it is published; by default the folder's secret.key, if it is there.",
)
@click.option(
    "--head",
    metavar="HEAD",
    help="A head of an earlier day: its file, or HASH@N. The log must begin with the same N rows.",
)
@click.option(
    "--from",
    "old",
    metavar="HEAD",
    help="With --to: only check that one head grew from the other, without the rows between.",
)
@click.option("--to", "new", metavar="HEAD", help="The later head of --from.")
@click.option(
    "--signer",
    metavar="KEY",
    help="The public key that the owner of the deployment publishes; heads must be signed with it.",
)
def verify_command(path: str, **options: Any) -> int:
    """Recompute and check every decision of a deployment.

    DIR is the deployment.

    Names the first difference and exits with 1; with 0 if there is none. Without the secret, which
    is published when a policy closes, the draws are taken as recorded.

    DIR may also be the file that askpoint prove wrote of one decision. It is checked without folder or secret.
    """
    from askpoint.cli.actions.log_check import check_log

    return check_log(path, options)
