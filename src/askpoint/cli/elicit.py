"""``askpoint elicit``: what mistakes cost, found out by asking which of two is better."""

from __future__ import annotations

from typing import Any

import click

from askpoint.cli.columns import probability_options
from askpoint.cli.parameters import MISSED, SOURCE
from askpoint.cli.report import report_options

__all__ = ["elicit_command"]


@click.command("elicit", context_settings={"show_default": True})
@click.argument("log", type=SOURCE)
@click.option(
    "--label", default="label", metavar="COLUMN", help="Column of the true class; may be empty."
)
@probability_options
@click.option(
    "--together",
    multiple=True,
    metavar="NAMES",
    help="Comma-separated classes for which a mistake costs the same; reduces the "
    "questions. Repeatable.",
)
@click.option(
    "--questions",
    type=click.IntRange(0),
    default=20,
    help="Most choices between two outcomes (0: all mistakes cost the same).",
)
@click.option(
    "--consistency-questions",
    type=click.IntRange(0),
    default=4,
    help="Number of consistency checks at the end.",
)
@click.option(
    "--price-questions",
    type=click.IntRange(1),
    default=10,
    help="Number of questions on deciding alone against a check.",
)
@click.option(
    "--radius",
    type=click.FloatRange(0, 1),
    default=0.0,
    help="Stop early at this precision.",
)
@click.option("--seed", type=click.IntRange(0), default=0, help="Random seed.")
@click.option(
    "--minutes",
    type=click.FloatRange(0),
    help="Minutes per check; shown in the questions.",
)
@click.option(
    "--people-right",
    type=click.FloatRange(0, 1),
    help="Reviewer accuracy; shown in the questions.",
)
@click.option(
    "--consequence",
    default="",
    metavar="TEXT",
    help="Consequence of a mistake; shown in the questions.",
)
@click.option(
    "--missed",
    type=MISSED,
    multiple=True,
    metavar="CLASS=WORDS",
    help="What happens when a case of the class is missed, as it follows a number: "
    "offensive='insults stay up'. Repeatable.",
)
@click.option(
    "--check-cost", type=click.FloatRange(0), help="Cost of one check; shown in the questions."
)
@click.option("--unit", default="", metavar="TEXT", help="Currency of --check-cost, such as EUR.")
@click.option(
    "--out", type=click.Path(), default="costs.json", help="Where the costs are written to."
)
@click.option(
    "--session",
    type=click.Path(),
    help="File with the answers so far, used to resume. By default the name of --out with "
    ".session.json.",
)
@click.option(
    "--answers", type=click.Path(), metavar="FILE", help="Reuse the answers in this file."
)
@click.option(
    "--simulate",
    metavar="CHECKS",
    help="Simulate a respondent for whom one mistake is as bad as CHECKS checks: one "
    "number, or one for each class (ham=5,spam=2).",
)
@report_options
def elicit_command(log: str, **options: Any) -> None:
    """Find the price of a mistake with about thirty questions.

    LOG is a file as for `askpoint value`, with probabilities. Answer with a, b, y, n or e (about
    equal) and the enter key; q quits, and the same command resumes. The result is a
    costs.json that `askpoint value --costs` reads.
    """
    from askpoint.cli.actions.cost_interview import ask_costs

    ask_costs(log, options)
