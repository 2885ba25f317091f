"""``askpoint examine``: what the model does not know, by cases that people judged."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import click

from askpoint.answers.examination.answer import LabelledAnswer
from askpoint.answers.examination.comparison import METHOD_NAMES
from askpoint.answers.examination.reading import answer_examination
from askpoint.cli.columns import names_of, probability_columns, probability_options
from askpoint.cli.report import check_files, print_report, report_options
from askpoint.errors import InputError
from askpoint.records.artefacts import write_text
from askpoint.records.costs import read_costs
from askpoint.records.examinations import draw_sample
from askpoint.records.log_stream import Progress
from askpoint.records.samples import sample_csv
from askpoint.records.scored_batches import ScoredTable
from askpoint.records.tables import open_table
from askpoint.reports.examination.document import document_of_labels, examination_document
from askpoint.reports.examination.json import examination_object, object_of_labels
from askpoint.unknowns.case_costs import ESTIMATES
from askpoint.unknowns.examination import METHODS, ExaminationDesign

__all__ = ["examine_command"]


@click.command("examine", context_settings={"show_default": True})
@click.argument("log", type=click.Path())
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
    help="With --judged: how narrow the interval of the share of mistakes is to be.",
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
    default=",".join(METHOD_NAMES),
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
@report_options
def examine_command(log: str, **options: Any) -> None:
    """Say what the model of a LOG does not know, by cases that people judged.

    LOG is a Parquet, CSV or JSON-lines file, or a directory, a pattern or an address of such files, with
    one row per case and the model's probabilities.
    With --out cases are drawn for judges; who fill in the column label, and may sign in the column
    judge. With --judged their file is read back. With neither, the labels that the log has are used.
    Other columns of the LOG are searched for regions where the model is sure and wrong.
    """
    if options["out"] is not None and options["judged"] is not None:
        raise InputError("--out draws and --judged evaluates: state one of them")
    check_files(options, "out")
    columns: dict[str, Any] = {
        "label": options["label"],
        "proba": probability_columns(options["proba"]),
        "decision": options["decision"],
        "classes": names_of(options["classes"]),
        "costs": None if options["costs"] is None else read_costs(options["costs"]),
    }
    if options["out"] is not None:
        _draw(ScoredTable.open(open_table(log), **columns), options)
        return
    with _progress() as progress:
        answer = answer_examination(
            log,
            judged=options["judged"],
            compare=options["compare"],
            **columns,
            by=options["by"],
            sure_below=options["sure_below"],
            width=options["width"],
            names=_two(options["names"], "--names"),
            case_costs=None
            if options["case_costs"] is None
            else _two_numbers(options["case_costs"], "--case-costs"),
            unit=options["unit"],
            text=options["text"],
            sought=options["sought"],
            cluster=options["cluster"],
            seed=options["seed"],
            progress=progress,
        )
    name = click.format_filename(log, shorten=True)
    if isinstance(answer, LabelledAnswer):
        print_report(document_of_labels(answer, name), lambda: object_of_labels(answer), options)
    else:
        print_report(
            examination_document(answer, name), lambda: examination_object(answer), options
        )


def _draw(scored: ScoredTable, options: dict[str, Any]) -> None:
    if options["html"] is not None or options["as_json"]:
        raise InputError("--html and --json show a result; there is none before judging")
    design = ExaminationDesign(options["method"], options["n"], options["bins"])
    show = names_of(options["show"])
    with _progress() as progress:
        drawn = draw_sample(
            scored, design, options["seed"], by=options["by"], show=show, progress=progress
        )
    write_text(options["out"], sample_csv(drawn))
    sample = drawn.examination
    click.echo(
        f"{len(sample.items)} of {drawn.n_items:,} cases drawn into {options['out']} (method {sample.method}, "
        f"seed {sample.seed}, {sample.digest}). Fill in the column label from the first row on, and sign in judge; then: "
        f"askpoint examine LOG --judged {options['out']}"
    )
    if len(sample.items) < design.n:
        click.echo(
            f"{design.n} were asked for: {len(sample.whole)} of {len(sample.sizes)} bins hold fewer cases "
            "than a full share and came whole; nothing was drawn elsewhere in their place"
        )


def _two(text: str, flag: str) -> tuple[str, str]:
    first, comma, second = text.partition(",")
    if not (comma and first.strip() and second.strip()) or first == second:
        raise InputError(f"{flag} takes two with a comma between them, got {text!r}")
    return first.strip(), second.strip()


def _two_numbers(text: str, flag: str) -> tuple[float, float]:
    try:
        first, second = map(float, text.split(","))
    except ValueError:
        raise InputError(
            f"{flag} takes two numbers with a comma between them, got {text!r}"
        ) from None
    return first, second


@contextlib.contextmanager
def _progress() -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import Progress as Bar, TextColumn

    console = Console(stderr=True)
    with Bar(
        TextColumn("{task.completed:,.0f} rows read"),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as bar:
        task = bar.add_task("rows", total=None)
        yield lambda rows: bar.update(task, completed=rows)
