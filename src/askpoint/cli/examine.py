"""``askpoint examine``: what the model does not know, by cases that people judged."""

from __future__ import annotations

from typing import Any

import click

from askpoint.cli.columns import probability_options
from askpoint.cli.parameters import SOURCE
from askpoint.cli.report import report_options
from askpoint.unknowns.examination_names import ESTIMATES, METHODS, SAMPLE_NAMES

__all__ = ["examine_command"]


@click.command("examine", context_settings={"show_default": True})
@click.argument("log", type=SOURCE)
@click.option("--label", metavar="COLUMN", help="True class; by default the column label, if any.")
@probability_options
@click.option(
    "--decision",
    metavar="COLUMN",
    help="What is really decided; by default the column prediction, else the most probable class.",
)
@click.option(
    "--costs", type=click.Path(), metavar="FILE", help="What mistakes cost: a costs.json; else 1."
)
@click.option(
    "--by",
    type=click.Choice(ESTIMATES),
    default="decision",
    help="Estimated cost: of the decision made, of the cheapest one, or the paper's ExpCost.",
)
@click.option(
    "--out", type=click.Path(), metavar="FILE", help="Draw cases for judges into this CSV file."
)
@click.option("--n", type=int, default=500, help="With --out: cases to draw.")
@click.option("--bins", type=int, default=10, help="With --out: bins of equal width.")
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default="stratified",
    help="With --out: equal shares of each bin, Neyman's shares, at random, or the most uncertain.",
)
@click.option(
    "--show",
    metavar="COLUMNS",
    help="With --out: columns that judges see, with commas; by default all but labels, "
    "probabilities and decisions.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    help="Where random numbers start: which cases are drawn, and how they are halved for regions.",
)
@click.option(
    "--judged",
    type=click.Path(),
    metavar="FILE",
    help="Evaluate a drawn file that judges filled in.",
)
@click.option(
    "--sure-below",
    type=float,
    metavar="COST",
    help="The model counts as sure up to this estimated cost; by default half of the most.",
)
@click.option(
    "--width",
    type=float,
    default=0.05,
    help="With --judged: how narrow the interval of the share of mistakes must be.",
)
@click.option(
    "--compare",
    type=click.Path(),
    metavar="FILE",
    help="With --judged: compare with other judged cases, such as players submitted: a column "
    "severity, empty where the model was right, or probabilities and labels, or a server's export.",
)
@click.option(
    "--names",
    metavar="NAME,NAME",
    default=",".join(SAMPLE_NAMES),
    help="With --compare: what the two are called.",
)
@click.option(
    "--case-costs",
    metavar="COST,COST",
    help="With --compare: what finding and judging one case cost with each.",
)
@click.option("--unit", default="", metavar="NAME", help="With --case-costs: their unit.")
@click.option(
    "--text",
    metavar="COLUMN",
    help="With --compare: the texts in both files, to group near-duplicates and to learn from.",
)
@click.option(
    "--sought", metavar="CLASS", help="With --compare and --text: the class that both were after."
)
@click.option(
    "--cluster",
    metavar="COLUMN",
    help="Which cases belong together (a user, a template): regions count clusters, not copies.",
)
@click.option(
    "--release-limit",
    type=float,
    metavar="SHARE",
    help="Seek regions of unsure cases that need no check: at most this share of the decisions "
    "there is wrong. --sure-below says which cases are unsure.",
)
@report_options
def examine_command(log: str, **options: Any) -> None:
    """Find where a model is confident but wrong.

    LOG is a Parquet, CSV or JSON-lines file, or a directory, a pattern or an address of such files, with
    one row per case and the model's probabilities.
    With --out cases are drawn for judges; who fill in the column label, and may sign in the column
    judge. With --judged their file is read back. With neither, the labels that the log has are used.
    Other columns of the LOG are searched for regions where the model is confident but wrong.
    """
    from askpoint.cli.actions.case_examination import examine_log

    examine_log(log, options)
