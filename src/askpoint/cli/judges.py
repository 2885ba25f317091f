"""``askpoint judges``: from votes to how good the judges are, and how far to trust that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from askpoint.cli.engine_options import counting_options
from askpoint.cli.judge_parameters import (
    FAMILY,
    ROOT,
    VOTE,
)
from askpoint.cli.parameters import SOURCE
from askpoint.cli.report import report_options
from askpoint.cli.verdict_options import add_panel_options
from askpoint.cli.vote_options import panel_options, with_defaults
from askpoint.errors import InputError
from askpoint.judges.checks.common_correlation import COMMON_CORRELATION

__all__ = ["judges_command", "judges_options"]

_Command = TypeVar("_Command", bound=Callable[..., Any])


_OPTIONS = (
    click.option(
        "--labels",
        metavar="NAMES",
        help="Possible labels, comma-separated (default: those in the file).",
    ),
    click.option(
        "--positive",
        metavar="LABEL",
        help="Label of interest, reported first and against all others.",
    ),
    click.option("--judges", metavar="NAMES", help="Only these judges, with commas."),
    click.option(
        "--worker", default="worker", metavar="COLUMN", help="Long file: column of the judge."
    ),
    click.option("--task", default="task", metavar="COLUMN", help="The items' names."),
    click.option(
        "--label", default="label", metavar="COLUMN", help="Long file and gold: the label."
    ),
    click.option(
        "--repeats",
        type=click.Choice(["refuse", "first", "last"]),
        default="refuse",
        help="Long file: which vote counts if a judge voted on an item more than once.",
    ),
    click.option(
        "--missing",
        metavar="WORDS",
        help="Words that do not count as a vote, with commas: ERROR,N/A.",
    ),
    click.option(
        "--clusters",
        type=click.Path(),
        metavar="FILE",
        help="Items that belong together, such as near-duplicates: a file with the columns "
        "task and cluster, or with `askpoint FILE` a column. Each cluster counts once, "
        "with each judge's most frequent vote in it.",
    ),
    click.option(
        "--root",
        type=ROOT,
        multiple=True,
        metavar="POLICY",
        help="How to choose between two solutions: better-than-chance (default), or LOW,HIGH "
        "for the first label's share. May be given twice.",
    ),
    click.option(
        "--required",
        type=float,
        default=0.5,
        metavar="SHARE",
        help="Alarm unless all judges can reach this accuracy on every label.",
    ),
    click.option(
        "--gold",
        metavar="FILE",
        help="True labels of some items: a file with columns of tasks and labels, or a column of VOTES.",
    ),
    click.option(
        "--covariate",
        multiple=True,
        metavar="COLUMN",
        help="What is known of the items, such as length or topic: used where it helps; judges that lean by it "
        "are named. May be given several times.",
    ),
    click.option(
        "--items",
        type=click.Path(),
        metavar="FILE",
        help="Where the columns of --covariate and --by are, unless in VOTES: a file with the items' names.",
    ),
    click.option(
        "--propose", type=int, default=0, metavar="N", help="Propose N items to check next."
    ),
    click.option(
        "--random",
        is_flag=True,
        help="With --propose: in a random order that follows from the items' names, under a seal, so that "
        "anybody can see later that labels were drawn at random.",
    ),
    click.option(
        "--within",
        type=float,
        default=0.05,
        metavar="SHARE",
        help="With --gold: precision at which to stop labelling.",
    ),
    click.option(
        "--check",
        type=float,
        metavar="AMOUNT",
        help="With --vote or --mistake: what a label by a person, a check, costs.",
    ),
    click.option(
        "--vote",
        type=VOTE,
        multiple=True,
        metavar="[JUDGE=]AMOUNT",
        help="With --gold and --check: what a vote costs in the same money, of one judge or of all others. "
        "Says which judges to pay for.",
    ),
    click.option(
        "--family",
        type=FAMILY,
        multiple=True,
        metavar="NAME=JUDGES",
        help="Judges based on one model, or runs of one judge; their errors are not assumed "
        "independent. May be given several times. by-name: as the judges' names suggest.",
    ),
    click.option(
        "--no-family",
        is_flag=True,
        help="Keep copies and opposites, and do not warn about judges whose names look related.",
    ),
    click.option(
        "--correlation",
        type=float,
        default=COMMON_CORRELATION,
        metavar="G",
        help="Without labels: how strongly errors that all judges share may correlate.",
    ),
    click.option(
        "--correlation-at-most",
        type=float,
        metavar="G",
        help="Three judges: what is possible if their errors correlate by at most G on either label.",
    ),
    click.option(
        "--window",
        type=int,
        metavar="N",
        help="Also evaluate every N items and report which judge changed.",
    ),
    click.option(
        "--looks",
        type=int,
        metavar="N",
        help="With --window: how many looks for drift are planned; without a plan any number is safe.",
    ),
    click.option(
        "--anchor",
        type=click.Path(),
        metavar="FILE",
        help="Earlier votes on items that were judged again: the exact test of who changed.",
    ),
)


def judges_options(command: _Command) -> _Command:
    """Add what commands on votes have in common: the panel, its labels, where rows are counted, the report."""
    command = counting_options(panel_options(report_options(command)))
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command("judges", context_settings={"show_default": True})
@click.argument("votes", nargs=-1, required=True, type=SOURCE)
@add_panel_options
@judges_options
def judges_command(votes: tuple[str, ...], **options: Any) -> int:
    """Measure how accurate judges are, with few or no labels.

    VOTES is a Parquet, CSV or JSON-lines file, or a directory, a pattern or an address of such files: with
    one row per item and one column per judge, or with one row per vote and columns worker, task and label. Empty cells are
    missing votes. Votes on two systems are for `askpoint compare`, a bar to reach is for `askpoint gate`.
    """
    if len(votes) > 1:
        raise InputError(
            f"askpoint judges takes the votes on one system; got {len(votes)} files. Compare two systems with "
            "`askpoint compare OLD NEW`"
        )
    from askpoint.cli.actions.panel_evaluation import answer_votes

    return answer_votes(votes, with_defaults(options))
