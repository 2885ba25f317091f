"""``askpoint deploy``: a policy that decides, asks and audits itself, in a folder of its own."""

from __future__ import annotations

from typing import Any

import click

from askpoint.cli.columns import probability_options
from askpoint.cli.parameters import CAPACITY, SOURCE, VOLUME
from askpoint.cli.report import report_options
from askpoint.measures.confidence_measures import CONFIDENCE_MEASURES

__all__ = ["deploy_command"]


@click.command("deploy", context_settings={"show_default": True})
@click.argument("log", type=SOURCE, required=False)
@click.option(
    "--label", default="label", metavar="COLUMN", help="Column of the true class; may be empty."
)
@probability_options
@click.option("--prediction", metavar="COLUMN", help="Predicted class, with --confidence.")
@click.option(
    "--confidence",
    metavar="COLUMN",
    help="Column of the model's confidence; higher is more certain.",
)
@click.option(
    "--measure",
    type=click.Choice(list(CONFIDENCE_MEASURES)),
    default="max_probability",
    help="Confidence measure.",
)
@click.option(
    "--by",
    metavar="COLUMN",
    help="Decide each group of the LOG by how often the model is right in it, such as each language.",
)
@click.option(
    "--labels-are-random",
    is_flag=True,
    help="Assert that cases were chosen for labelling at random.",
)
@click.option("--mistake", type=float, metavar="AMOUNT", help="Least cost: what a mistake costs.")
@click.option("--check", type=float, metavar="AMOUNT", help="With --mistake: what a check costs.")
@click.option(
    "--currency", metavar="NAME", help="With --mistake: what amounts are in, such as EUR."
)
@click.option(
    "--ask-at-most",
    type=CAPACITY,
    metavar="N/PERIOD",
    help="The number of cases that people can check, audits included, such as 400/day, with --volume; or a share.",
)
@click.option(
    "--volume",
    type=VOLUME,
    metavar="N/PERIOD",
    help="How many cases come, such as 10000/month: says what the checks of each period take.",
)
@click.option(
    "--seconds-per-check", type=float, metavar="N", help="With --volume: how long a check takes."
)
@click.option(
    "--rho",
    type=float,
    help="Lowest cost: cost of a check relative to a mistake (0.05 = 20 checks per mistake).",
)
@click.option("--costs", type=click.Path(), metavar="FILE", help="Lowest cost, with a costs.json.")
@click.option(
    "--max-error",
    type=float,
    metavar="SHARE",
    help="At most this share of the decisions made alone is wrong, as long as new cases look like these.",
)
@click.option(
    "--max-mistakes",
    type=float,
    metavar="SHARE",
    help="At most this share of all cases is wrong in the end, reviewed cases included, as long as new cases look "
    "like these.",
)
@click.option(
    "--guarantee",
    type=float,
    metavar="DELTA",
    help="With --max-error or --max-mistakes: the chance that the limit fails.  [default: 0.05]",
)
@click.option(
    "--people-right",
    type=float,
    metavar="SHARE",
    help="With --max-mistakes: how often people are right; by default always.",
)
@click.option(
    "--audit",
    type=float,
    metavar="RATE",
    help="Audit rate: share of automatic decisions that a reviewer checks.",
)
@click.option(
    "--detect", type=float, metavar="RISK", help="Detect a rise to this risk, with --within."
)
@click.option("--within", type=float, metavar="N", help="Decisions within which --detect holds.")
@click.option(
    "--changes-per-year",
    type=float,
    metavar="N",
    help="The audits that cost least if errors treble N times a year.",
)
@click.option(
    "--per-year", type=float, metavar="N", help="Decisions a year; by default the planned ones."
)
@click.option(
    "--mistake-budget",
    type=float,
    metavar="N",
    help="Mistakes that may pass beyond the limit before it closes; by default 20 over the audit rate.",
)
@click.option(
    "--planned-decisions",
    type=int,
    default=40_000,
    metavar="N",
    help="Decisions until a new policy comes, about.",
)
@click.option(
    "--max-label-delay",
    type=int,
    default=2000,
    metavar="N",
    help="Longest label delay, in decisions: without labels for this long, everything goes"
    " to review. At least your largest batch and a weekend's cases.",
)
@click.option("--name", help="Policy name (default: the folder's name).")
@click.option("--model-name", default="", help="Name of the model.")
@click.option("--model-version", default="", help="Version of the model; batches must name it.")
@click.option(
    "--out",
    type=click.Path(),
    metavar="FOLDER",
    show_default="a new folder named after the LOG",
    help="New folder of the deployment, or postgresql://HOST/DATABASE.",
)
@report_options
def deploy_command(log: str | None, **options: Any) -> None:
    """Create a policy from a prediction log, or without one.

    LOG is a file as for `askpoint value`, oldest rows first, with labels for a random sample.
    Without one, every case goes to review first. The policy decides alone or sends cases to review,
    audits a random share, and closes automatically if mistakes rise above the agreed level.
    """
    from askpoint.cli.actions.policy_opening import open_policy

    open_policy(log, options)
