"""``askpoint watch``: the status of a policy in use."""

from __future__ import annotations

from typing import Any

import click

from askpoint.cli.folders import at_option, place_of
from askpoint.cli.report import report_options
from askpoint.records.notifiers import NOTIFIERS

__all__ = ["watch_command"]


@click.command("watch", context_settings={"show_default": True})
@click.argument("dir", type=click.Path())
@click.option("--mistake", type=float, metavar="AMOUNT", help="What a mistake costs, in money.")
@click.option("--check", type=float, metavar="AMOUNT", help="With --mistake: what a check costs.")
@click.option(
    "--currency", metavar="NAME", help="With --mistake: what amounts are in, such as EUR."
)
@click.option("--rho", type=float, help="Cost of a check relative to a mistake.")
@click.option("--costs", type=click.Path(), metavar="FILE", help="Costs from a costs.json.")
@click.option("--hours", type=float, default=24, help="Hours for which an alarm is still reported.")
@click.option(
    "--to-label",
    type=click.Path(),
    metavar="FILE",
    help="Write the cases that wait for a label here (.csv), without the model's answer.",
)
@click.option(
    "--to-label-again",
    type=click.Path(),
    metavar="FILE",
    help="Write a fifth of the labelled cases here (.csv), drawn at random, for another person to label.",
)
@click.option(
    "--to-train",
    type=click.Path(),
    metavar="FILE",
    help="Write all cases that were asked or audited here (.csv), with their labels, to fit a model on.",
)
@click.option(
    "--notify",
    multiple=True,
    metavar="NOTIFIER=ADDRESS",
    help="Notify this address once of each event, and when this command exits with 1; by "
    f"{', '.join(NOTIFIERS)}. Again for another.",
)
@click.option(
    "--publish",
    multiple=True,
    metavar="NOTIFIER=ADDRESS",
    help="Sign the log as it is now, and send its head here, by the same ways: file=heads.jsonl, "
    "git=FOLDER, webhook=https://… Again for another.",
)
@click.option(
    "--metrics",
    type=click.Path(),
    metavar="FILE",
    help="Write figures for a monitor here, as OpenMetrics text (node_exporter reads such files: *.prom).",
)
@at_option
@report_options
def watch_command(dir: str, **options: Any) -> int:  # noqa: A002  # the name that users read
    """Show the status of a policy: savings, mistakes, labels.

    DIR is the deployment.

    Exits with 1 if the policy closed recently, waits for labels, or decides far fewer cases alone
    than before; otherwise with 0.
    """
    place = place_of(dir)
    from askpoint.cli.actions.policy_watch import watch_policy

    return watch_policy(place, options)
