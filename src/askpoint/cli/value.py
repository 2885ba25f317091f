"""``askpoint value``: from a log of predictions to one threshold, and what it costs."""

from __future__ import annotations

from typing import Any

import click

from askpoint.cli.columns import probability_options
from askpoint.cli.engine_options import counting_options
from askpoint.cli.parameters import ADDED_OBJECTIVES, CAPACITY, FLOOR, PRICES, RUNG, SOURCE, VOLUME
from askpoint.cli.report import report_options
from askpoint.errors import InputError
from askpoint.measures.confidence_measures import CONFIDENCE_MEASURES

__all__ = ["value_command"]


@click.command("value", context_settings={"show_default": True})
@click.argument("log", type=SOURCE)
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
@click.option("--by", "group", metavar="COLUMN", help="Also choose a threshold for each group.")
@click.option("--model", metavar="COLUMN", help="The log has one row per case and model.")
@click.option(
    "--cluster",
    metavar="COLUMN",
    help="Cases that belong together (user, template); intervals count clusters, not rows.",
)
@click.option("--weight", metavar="COLUMN", help="How much each row counts.")
@click.option(
    "--propensity",
    metavar="COLUMN",
    help="Probability with which each row was chosen for labelling.",
)
@click.option(
    "--rho",
    type=float,
    help="Objective: cost of a check relative to a mistake (0.05 = 20 checks per mistake).",
)
@click.option("--beta", type=float, help="Objective: maximise F-beta.")
@click.option(
    "--costs", type=click.Path(), metavar="FILE", help="Objective: least cost by a costs.json."
)
@click.option(
    "--prices",
    type=PRICES,
    metavar="RIGHT,ASK,WRONG",
    help="Objective: value in money of a right decision, a check and a mistake.",
)
@click.option(
    "--mistake", type=float, metavar="AMOUNT", help="Objective: what a mistake costs, in money."
)
@click.option(
    "--check",
    type=float,
    metavar="AMOUNT",
    help="With --mistake, --rho or --costs: what a check costs.",
)
@click.option(
    "--currency", metavar="NAME", help="With --check or --prices: what they are in, such as EUR."
)
@click.option(
    "--seconds-per-check", type=float, metavar="N", help="With --volume: how long a check takes."
)
@click.option(
    "--volume",
    type=VOLUME,
    metavar="N/PERIOD",
    help="How many cases come, such as 10000/month: reports checks, hours and money of each period.",
)
@click.option(
    "--ask-at-most",
    type=CAPACITY,
    metavar="N/PERIOD",
    help="Objective: the number of cases that can go to review, such as 400/day (with --volume, or "
    "--time); or a number of the log's cases, or a share.",
)
@click.option(
    "--time",
    metavar="COLUMN",
    help="With --ask-at-most N/day: when a case came, a date or a time.",
)
@click.option(
    "--kept",
    type=float,
    default=0.95,
    metavar="SHARE",
    help="With --time: keep the day's number with this probability.",
)
@click.option(
    "--max-error",
    type=float,
    metavar="SHARE",
    help="Objective: at most this share of the decisions made alone is wrong.",
)
@click.option(
    "--max-mistakes",
    type=float,
    metavar="SHARE",
    help="Objective: with --guarantee, at most this share of all cases is wrong in the end, those that "
    "people look at included.",
)
@click.option(
    "--guarantee",
    type=float,
    metavar="DELTA",
    help="With --max-error, --max-mistakes or --min-recall: promise it; DELTA is the chance that the promise fails.",
)
@click.option(
    "--audit-share",
    type=float,
    metavar="CHANCE",
    help="With --max-mistakes: audit each case with this chance, from the surest down, instead of labels "
    "drawn from all; --propose writes down the next audits.",
)
@click.option(
    "--look",
    type=click.Choice(["once", "again"]),
    help="With --guarantee: you look once, at a number of labels fixed before, or again while the "
    "log grows (rows in the order in which they were labelled). Without it the promise is the one "
    "that is safe either way.",
)
@click.option(
    "--min-recall",
    type=FLOOR,
    metavar="CLASS=LEVEL",
    help="Objective: recall of CLASS is at least LEVEL.",
)
@click.option(
    "--min-precision",
    type=FLOOR,
    metavar="CLASS=LEVEL",
    help="Objective: precision of CLASS is at least LEVEL.",
)
@click.option(
    "--check-price",
    type=float,
    metavar="R",
    help="Objective: reviewers make errors too; a check's time costs R of a mistake.",
)
@click.option(
    "--people",
    metavar="COLUMN",
    help="With --check-price or --max-mistakes: what the person who looked at a case answered; may be "
    "empty.",
)
@click.option(
    "--people-right",
    type=float,
    metavar="SHARE",
    help="With --check-price or --max-mistakes: how often people are right, if the log does not show it.",
)
@click.option(
    "--objective",
    metavar="NAME=VALUE",
    hidden=not ADDED_OBJECTIVES.names(),
    help=f"Objective of a plugin: {', '.join(ADDED_OBJECTIVES.names())}.",
)
@click.option(
    "--measure",
    type=click.Choice(list(CONFIDENCE_MEASURES)),
    default="max_probability",
    help="Confidence measure.",
)
@click.option(
    "--labels-are-random",
    is_flag=True,
    help="Assert that cases were chosen for labelling at random.",
)
@click.option(
    "--default",
    "default_class",
    metavar="CLASS",
    help="Decision for all cases without a model (default: the most frequent class).",
)
@click.option(
    "--sketch/--exact",
    "sketch",
    default=None,
    help="Count the cases in bins of confidence instead of keeping them; by default from "
    "20,000,001 rows on.",
)
@click.option(
    "--propose",
    type=int,
    metavar="N",
    help="Write the N cases to label next to a file.",
)
@click.option(
    "--random",
    is_flag=True,
    help="With --propose: in a random order that follows from the cases' names, under a seal, so that "
    "anybody can see later that labels were drawn at random.",
)
@click.option(
    "--to",
    type=click.Path(),
    default="to_label.csv",
    metavar="FILE",
    help="With --propose: the file.",
)
@click.option(
    "--show",
    multiple=True,
    metavar="COLUMN",
    help="With --propose: columns to show reviewers (default: all but labels and model outputs).",
)
@click.option(
    "--labels",
    multiple=True,
    type=click.Path(),
    metavar="FILE",
    help="A file that --propose wrote, filled in; may be repeated.",
)
@click.option(
    "--threshold",
    type=float,
    metavar="T",
    help="Judge a threshold in use on this log: it holds, fails, or is undecided.",
)
@click.option(
    "--since",
    type=click.Path(),
    metavar="REPORT.json",
    help="The report that chose the threshold (--json), to compare with.",
)
@click.option(
    "--rung",
    type=RUNG,
    multiple=True,
    metavar="NAME=COLUMNS:PRICE",
    help="A model, judge or person that may be called, and the price of a call, in checks or as --check; "
    "again for each. COLUMNS: probabilities, PREDICTION+CONFIDENCE, or answers. Seconds may follow as "
    ":PRICE:SECONDS.",
)
@click.option(
    "--document",
    metavar="COLUMN",
    help="The log has one row per field, and the fields of one document are released together: choose which documents "
    "go out unseen. A check is what a document costs to open.",
)
@click.option(
    "--field-check",
    type=float,
    metavar="PRICE",
    help="With --document: what it costs to look at one field of an open document, in checks or as --check.",
)
@click.option(
    "--policy",
    type=click.Path(),
    metavar="FILE",
    help="With --rung or --document: where policy.json goes, by which askpoint decide decides.",
)
@counting_options
@report_options
def value_command(log: str, **options: Any) -> None:
    """Choose a confidence threshold from a prediction log.

    LOG is a table with one row per case, or a directory, a pattern ('days/*.parquet') or an address
    (s3://..., https://...) of such tables: the true label where it is known, and the model's
    probabilities (or its prediction and confidence). Columns with
    unusual names are detected and reported. Give at most one objective; the default is 20 checks
    per mistake.
    """
    if options["rung"]:
        from askpoint.cli.actions.ladder_choice import choose_rungs

        choose_rungs(log, options)
        return
    if options["document"] is not None:
        from askpoint.cli.actions.document_choice import choose_documents

        choose_documents(log, options)
        return
    for name in ("policy", "field_check"):
        if options[name] is not None:
            flag = name.replace("_", "-")
            wants = "--rung or --document" if name == "policy" else "--document"
            raise InputError(f"add {wants} to --{flag}; for one threshold take askpoint deploy")
    from askpoint.cli.actions.threshold_choice import choose_threshold

    choose_threshold(log, options)
