"""``askpoint elicit``: what mistakes cost, found out by asking which of two is better."""

from __future__ import annotations

from typing import Any

import click

from askpoint.cli.columns import probability_options
from askpoint.cli.parameters import SOURCE
from askpoint.cli.report import report_options

__all__ = ["elicit_command"]


@click.command("elicit", context_settings={"show_default": True})
@click.argument("log", type=SOURCE)
@click.option("--label", default="label", metavar="COLUMN", help="True class; may be empty.")
@probability_options
@click.option(
    "--together",
    multiple=True,
    metavar="NAMES",
    help="Classes on which a mistake costs the same, with commas, so that fewer questions are "
    "needed; may be given several times.",
)
@click.option(
    "--questions",
    type=click.IntRange(0),
    default=20,
    help="Choices between two outcomes, at most; with 0 all mistakes cost the same.",
)
@click.option(
    "--consistency-questions",
    type=click.IntRange(0),
    default=4,
    help="Clear choices after those, which the answers should foretell.",
)
@click.option(
    "--price-questions",
    type=click.IntRange(1),
    default=10,
    help="Choices between letting the system decide and a person's check.",
)
@click.option(
    "--radius",
    type=click.FloatRange(0, 1),
    default=0.0,
    help="Stop the choices between outcomes when no share of cost can lie farther off than this.",
)
@click.option(
    "--seed", type=click.IntRange(0), default=0, help="Of sides, repeats and the simulated person."
)
@click.option("--minutes", type=click.FloatRange(0), help="A person's time for a case, to be told.")
@click.option(
    "--people-right", type=click.FloatRange(0, 1), help="Share that people get right, to be told."
)
@click.option(
    "--consequence", default="", metavar="TEXT", help="What happens after a mistake, to be told."
)
@click.option("--check-cost", type=click.FloatRange(0), help="What one check costs, to be told.")
@click.option("--unit", default="", metavar="TEXT", help="Of that money, such as EUR.")
@click.option(
    "--out", type=click.Path(), default="costs.json", help="Where the costs are written to."
)
@click.option(
    "--session",
    type=click.Path(),
    help="Where the answers are kept after each question; an interview that was left goes on there. "
    "By default the name of --out with .session.json.",
)
@click.option(
    "--answers", type=click.Path(), metavar="FILE", help="Replay a session instead of asking."
)
@click.option(
    "--simulate",
    metavar="CHECKS",
    help="Let a simulated person answer, to whom a mistake is worth CHECKS checks: one number, or "
    "one for each class (ham=5,spam=2).",
)
@report_options
def elicit_command(log: str, **options: Any) -> None:
    """Find out what mistakes cost, by some thirty easy questions about a LOG.

    LOG is a file as for `askpoint value`, with probabilities. Answer with a, b, y, n or e (about
    equal) and the enter key; q leaves, and the same command goes on later. The result is a
    costs.json that `askpoint value --costs` reads.
    """
    from askpoint.cli.actions.cost_interview import ask_costs

    ask_costs(log, options)
