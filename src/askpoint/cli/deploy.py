"""``askpoint deploy``: a policy that decides, asks and audits itself, in a folder of its own."""

from __future__ import annotations

from typing import Any

import click

from askpoint.cli.columns import probability_options
from askpoint.cli.parameters import SOURCE
from askpoint.cli.report import report_options
from askpoint.measures.confidence_measures import CONFIDENCE_MEASURES

__all__ = ["deploy_command"]


@click.command("deploy", context_settings={"show_default": True})
@click.argument("log", type=SOURCE, required=False)
@click.option("--label", default="label", metavar="COLUMN", help="True class; may be empty.")
@probability_options
@click.option("--prediction", metavar="COLUMN", help="Predicted class, with --confidence.")
@click.option("--confidence", metavar="COLUMN", help="How sure the model is; higher is surer.")
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
    "--labels-are-random", is_flag=True, help="You know that labels do not depend on confidence."
)
@click.option("--mistake", type=float, metavar="AMOUNT", help="Least cost: what a mistake costs.")
@click.option("--check", type=float, metavar="AMOUNT", help="With --mistake: what a check costs.")
@click.option(
    "--currency", metavar="NAME", help="With --mistake: what amounts are in, such as EUR."
)
@click.option("--rho", type=float, help="Least cost: a check costs RHO of a mistake.")
@click.option("--costs", type=click.Path(), metavar="FILE", help="Least cost by a costs.json.")
@click.option(
    "--max-error",
    type=float,
    metavar="SHARE",
    help="At most this share of answers is wrong, while the world holds still.",
)
@click.option(
    "--max-mistakes",
    type=float,
    metavar="SHARE",
    help="At most this share of all cases is wrong in the end, those that people look at included, while the world "
    "holds still.",
)
@click.option(
    "--guarantee",
    type=float,
    metavar="DELTA",
    help="With --max-error or --max-mistakes: but for a probability of DELTA (0.05 unless said).",
)
@click.option(
    "--people-right",
    type=float,
    metavar="SHARE",
    help="With --max-mistakes: how often people are right; by default always.",
)
@click.option("--audit", type=float, metavar="RATE", help="Share of the answers to check.")
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
    help="Decisions for which it answers while no labels come; then it asks everything until they do. "
    "At least your largest batch, and what comes in over a weekend.",
)
@click.option("--name", help="Its name; by default that of its folder.")
@click.option("--model-name", default="", help="Name of the model.")
@click.option("--model-version", default="", help="Version of the model; batches must state it.")
@click.option(
    "--out",
    type=click.Path(),
    default="policy.json",
    metavar="FILE",
    help="Where policy.json goes; its folder is the deployment. Or postgresql://HOST/DATABASE.",
)
@report_options
def deploy_command(log: str | None, **options: Any) -> None:
    """Make a policy from a LOG, or from nothing: then everything is asked first.

    LOG is a file as for `askpoint value`, in order of time, whose labels are a random sample. The
    policy answers or asks, has some of its answers audited, and closes by itself when they are
    worse than agreed.
    """
    from askpoint.cli.actions.policy_opening import open_policy

    open_policy(log, options)
