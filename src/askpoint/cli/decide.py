"""``askpoint decide``: what the policy answers, and what it asks people."""

from __future__ import annotations

from typing import Any

import click

from askpoint.cli.batch_options import batch_column_options
from askpoint.cli.folders import at_option, place_of
from askpoint.cli.parameters import SOURCE

__all__ = ["decide_command"]


@click.command("decide", context_settings={"show_default": True})
@click.argument("policy", type=click.Path())
@click.argument("batch", type=SOURCE)
@batch_column_options
@click.option(
    "--raise",
    "raised",
    metavar="REGION=RATE",
    multiple=True,
    help="Audit this share of the answers in a region under suspicion; again for another.",
)
@click.option(
    "--suspicions",
    type=click.Path(),
    metavar="FILE",
    help="Audit more in the regions that askpoint examine LOG --json confirmed, four times the "
    "usual share, or as --raise says.",
)
@click.option(
    "--out",
    type=click.Path(),
    metavar="FILE",
    help="Write the decisions of this batch here, too (.parquet, .csv or .jsonl).",
)
@click.option("--follow", is_flag=True, help="Wait for more lines until the end, or Ctrl-C.")
@click.option(
    "--shadow", is_flag=True, help="Shadow mode: record decisions without acting on them."
)
@click.option(
    "--rollout",
    type=float,
    default=1.0,
    metavar="SHARE",
    help="Roll out to this share of cases, chosen by key; hold the others.",
)
@at_option
def decide_command(policy: str, batch: str, **options: Any) -> None:
    """Decide a batch of cases with a policy.

    POLICY is a policy.json, its folder, or an address in PostgreSQL.

    BATCH is a Parquet, CSV or JSON-lines file with a column key and what the model says, as for
    `askpoint value`; or - for JSON lines from standard input, which are answered line by line.
    """
    place = place_of(policy)
    from askpoint.cli.actions.batch_decisions import decide_cases

    decide_cases(place, batch, options)
