"""``askpoint value``: from a log of predictions to one threshold, and what it costs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click
import polars as pl

from askpoint.answers.value.question import ValueQuestion
from askpoint.answers.value.verdict import answer_value
from askpoint.answers.value.workload import Volume, Workload
from askpoint.cli.columns import names_of, probability_options
from askpoint.cli.engine_options import counting, counting_option, counting_options, source_to_count
from askpoint.cli.parameters import CAPACITY, FLOOR, PRICES, VOLUME
from askpoint.cli.reading_context import current_reading, current_source
from askpoint.cli.report import check_files, print_report, report_options, say, shown_name
from askpoint.errors import InputError
from askpoint.measures.confidence import CONFIDENCE_MEASURES
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.exchange import Prices
from askpoint.measures.inputs import as_choice
from askpoint.records.artefacts import read_text
from askpoint.records.costs import read_costs
from askpoint.records.predictions import PredictionLog
from askpoint.records.table import Table
from askpoint.records.value_logs import LogRequest, ValueLog, open_log, open_reading
from askpoint.registry import Records
from askpoint.reports.value.document import value_document
from askpoint.value.by_class import MinPrecision, MinRecall
from askpoint.value.limits import AskAtMost, MaxError, MaxMistakes
from askpoint.value.objectives import Objective
from askpoint.value.priced import CheckCost, FBeta
from askpoint.value.reviewer_errors import CheckWork

if TYPE_CHECKING:
    from askpoint.records.streams import SketchedLog

__all__ = ["value_command"]

_ADDED_OBJECTIVES: Records[str, Callable[[str], Objective]] = Records("objectives", {})

_SAME = 1e-9

_OTHERS = ("group", "model", "weight", "propensity", "people", "cluster", "time")


@click.command("value", context_settings={"show_default": True})
@click.argument("log", type=click.Path())
@click.option("--label", default="label", metavar="COLUMN", help="True class; may be empty.")
@probability_options
@click.option("--prediction", metavar="COLUMN", help="Predicted class, with --confidence.")
@click.option("--confidence", metavar="COLUMN", help="How sure the model is; higher is surer.")
@click.option("--by", "group", metavar="COLUMN", help="Choose a threshold for each group, too.")
@click.option("--model", metavar="COLUMN", help="The log has one row per case and model.")
@click.option(
    "--cluster",
    metavar="COLUMN",
    help="Which cases belong together (a user, a template): intervals count clusters, not copies.",
)
@click.option("--weight", metavar="COLUMN", help="How much each row counts.")
@click.option(
    "--propensity", metavar="COLUMN", help="How likely each labelled row was to be labelled."
)
@click.option(
    "--rho", type=float, help="Objective: a check costs RHO of a mistake (0.05: 20 checks each)."
)
@click.option("--beta", type=float, help="Objective: greatest F with this BETA.")
@click.option(
    "--costs", type=click.Path(), metavar="FILE", help="Objective: least cost by a costs.json."
)
@click.option(
    "--prices",
    type=PRICES,
    metavar="RIGHT,ASK,WRONG",
    help="Objective: what one case of each kind is worth in money; with commas.",
)
@click.option(
    "--mistake", type=float, metavar="AMOUNT", help="Objective: what a mistake costs, in money."
)
@click.option("--check", type=float, metavar="AMOUNT", help="With --mistake: what a check costs.")
@click.option(
    "--seconds-per-check", type=float, metavar="N", help="With --volume: how long a check takes."
)
@click.option(
    "--volume",
    type=VOLUME,
    metavar="N/PERIOD",
    help="How many cases come, such as 10000/month: tells checks, hours and money of each period.",
)
@click.option(
    "--ask-at-most",
    type=CAPACITY,
    metavar="N/PERIOD",
    help="Objective: at most so many cases go to people, such as 400/day (with --volume, or --time); "
    "or a number of the log's cases, or a share.",
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
    help="Objective: at most this share of answers is wrong.",
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
    help="With --max-error or --max-mistakes: promise it, but for a probability of DELTA.",
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
    help="Objective: at least LEVEL of CLASS is not lost.",
)
@click.option(
    "--min-precision",
    type=FLOOR,
    metavar="CLASS=LEVEL",
    help="Objective: answers CLASS are right this often.",
)
@click.option(
    "--check-price",
    type=float,
    metavar="R",
    help="Objective: people err, too, and the work of one check costs R of a mistake.",
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
    hidden=not _ADDED_OBJECTIVES.names(),
    help=f"Objective of a plugin: {', '.join(_ADDED_OBJECTIVES.names())}.",
)
@click.option(
    "--measure",
    type=click.Choice(list(CONFIDENCE_MEASURES)),
    default="max_probability",
    help="Confidence measure.",
)
@click.option(
    "--labels-are-random", is_flag=True, help="You know that labels do not depend on confidence."
)
@click.option(
    "--default",
    "default_class",
    metavar="CLASS",
    help="What all cases would get without a model (else the most frequent).",
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
    help="Write down N cases to label next, as a file that people fill in.",
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
    help="With --propose: what people see of a case; by default all but labels and the model's answer.",
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
@counting_options
@report_options
def value_command(log: str, **options: Any) -> None:
    """Say which decisions of a LOG the model may take alone.

    LOG is a table with one row per case, or a directory, a pattern ('days/*.parquet') or an address
    (s3://..., https://...) of such tables: the true label where it is known, and the model's
    probabilities (or its prediction and confidence). What its columns are is looked for where they
    have no usual names, and said. State at most one objective; without one, 20 checks are taken to
    be worth one mistake.
    """
    check_files(options)
    opened = _open_log(log, options)
    answer = answer_value(
        opened.records,
        _objective(options),
        measure=options["measure"],
        labels_are_random=options["labels_are_random"],
        default=options["default_class"],
        in_use=options["threshold"],
        since=None if options["since"] is None else _report(options["since"]),
        look=options["look"],
        daily=options["kept"] if options["time"] is not None else None,
        audit_share=options["audit_share"],
    )
    if options["audit_share"] is not None:
        _check_audits(options)
    if options["random"] and options["propose"] is None:
        raise InputError("--random is the order of proposed cases: add --propose N")
    if options["propose"] is not None:
        _propose(opened, answer.question, options)
    workload = _workload(options)
    document = value_document(answer, shown_name(log), workload)
    more: dict[str, Any] = {}
    reading = opened.reading
    if reading is not None and (declined := reading.number("declined")):
        from askpoint.reports.value.abstentions import abstentions_section

        section = abstentions_section(declined, reading.items)
        document = replace(document, sections=(*document.sections, section))
        more["abstained"] = {"cases": declined, "of": reading.items}

    def content() -> dict[str, Any]:
        from askpoint.reports.value.json import value_object

        return value_object(answer, workload) | more

    print_report(document, content, options, (answer, opened.records))


def _open_log(log: str, options: dict[str, Any]) -> ValueLog:
    """Open the log that is named, or was read already by `askpoint FILE`."""
    request = LogRequest(
        label=options["label"],
        proba=tuple(names_of(options["proba"]) or ()),
        classes=tuple(names_of(options["classes"]) or ()),
        prediction=options["prediction"],
        confidence=options["confidence"],
        others={name: options[name] for name in _OTHERS},
        labels=options["labels"],
        measure=options["measure"],
        sketch=options["sketch"],
        counted_by=counting_option(options),
    )

    def count(table: Table, columns: Mapping[str, Any]) -> dict[str | None, SketchedLog]:
        from askpoint.records.streams import sketch_log

        total = None if options["engine"] is not None else table.n_rows()
        with counting("counting cases", total, options) as (progress, cache):
            return sketch_log(
                table, measure=options["measure"], progress=progress, cache=cache, **columns
            )

    if (given := current_reading()) is not None:
        return open_reading(given.reading, request, count)
    opened = open_log(source_to_count(current_source(log), options), request, count)
    if opened.reading is not None:
        from askpoint.reports.readings import reading_line

        say(reading_line(opened.reading), err=options["as_json"])
        for doubt in opened.reading.doubts:
            say(f"  {doubt.what}", err=options["as_json"])
    return opened


def _report(path: str) -> dict[str, Any]:
    """Read a report that was written by --json."""
    try:
        content = json.loads(read_text(path))
    except ValueError:
        content = None
    if not isinstance(content, dict):
        raise InputError(f"{path} is no report: it holds no JSON object, as --json prints one")
    return content


def _check_audits(options: dict[str, Any]) -> None:
    """Refuse audits that were proposed with another chance: it is fixed before the first label."""
    from askpoint.records.proposals import read_filled_in

    for path in options["labels"]:
        chances = set(read_filled_in(path, options["label"]).chances)
        if any(abs(chance - options["audit_share"]) > _SAME for chance in chances):
            raise InputError(
                f"{path} was proposed with the chance {max(chances):g}, and --audit-share says "
                f"{options['audit_share']:g}: keep to the chance of the first audits"
            )


def _propose(opened: ValueLog, question: ValueQuestion, options: dict[str, Any]) -> None:
    """Write down which cases to label next."""
    from askpoint.answers.value.proposal import propose_at_random, propose_labels
    from askpoint.records.proposals import write_proposal

    table, records, path = opened.table, opened.records, options["to"]
    if not isinstance(records, PredictionLog):
        raise InputError("cases are proposed from a log that is read exactly (--exact)")
    hidden = {options["label"], options["prediction"], options["confidence"], "prediction"}
    hidden |= {"confidence", options["people"], options["propensity"]}
    shown = options["show"] or [
        name
        for name in table.columns
        if name not in hidden and not name.startswith(("proba", "prob", "p_"))
    ]
    frame = table.read(list(shown)) if shown else pl.DataFrame()
    seal = None
    if options["random"]:
        found, seal = propose_at_random(records, options["propose"])
    else:
        found = propose_labels(records, question, options["propose"])
    write_proposal(
        path,
        records,
        found.rows,
        found.chances,
        frame,
        label=options["label"],
        measure=options["measure"],
        seal=seal,
    )
    say(
        f"{len(found.rows)} cases to label written to {path}: fill in the column "
        f"{options['label']!r}, then run again with --labels {path}",
        err=True,
    )


def _plugin_objective(stated: str) -> Objective:
    """Return the objective of a plugin, ``NAME=VALUE``."""
    if not _ADDED_OBJECTIVES.names():
        raise InputError(
            f"--objective must name an objective of a plugin, and none is installed; got {stated!r}. "
            "Take --mistake, --rho or another option of this command."
        )
    name, _, value = stated.partition("=")
    make = _ADDED_OBJECTIVES[as_choice(name, tuple(_ADDED_OBJECTIVES), "an objective")]
    return make(value)


def _capacity(capacity: float | Volume, options: dict[str, Any]) -> AskAtMost:
    """Read --ask-at-most: of the log, of each day of it, or of a volume."""
    volume, is_dated = options["volume"], options["time"] is not None
    if not isinstance(capacity, Volume):
        if is_dated:
            raise InputError("--time takes a capacity of days: --ask-at-most N/day")
        return AskAtMost(capacity)
    if is_dated:
        if capacity.period != "day":
            raise InputError(
                f"with --time, --ask-at-most must be N/day; got {capacity.number:g}/{capacity.period}"
            )
        return AskAtMost(capacity.number)
    if volume is None:
        raise InputError(
            "--ask-at-most N/PERIOD is a share of the cases that come: add --volume N/PERIOD, or "
            "--time COLUMN, from which it is learned"
        )
    share = capacity.per_day / volume.per_day
    if share >= 1:
        raise InputError(
            "--ask-at-most must be less than --volume; got a capacity for all cases: ask about every one"
        )
    return AskAtMost(share)


def _money(mistake: float, check: float | None) -> Prices:
    """Read --mistake and --check."""
    if check is None:
        raise InputError("--mistake takes what a check costs, too: add --check AMOUNT")
    if not 0 < check < mistake < float("inf"):
        raise InputError(
            f"--mistake must be more than --check, and both above 0; got {mistake:g} and {check:g}"
        )
    return Prices(0.0, -check, -mistake)


def _max_mistakes(share: float, options: dict[str, Any]) -> MaxMistakes:
    """Read --max-mistakes, which is always promised."""
    if options["guarantee"] is None:
        raise InputError(
            "--max-mistakes is a promise: add --guarantee DELTA, the probability that it may fail"
        )
    return MaxMistakes(share, options["guarantee"], options["people_right"])


def _workload(options: dict[str, Any]) -> Workload | None:
    if options["volume"] is None:
        return None
    return Workload(
        volume=options["volume"],
        check=options["check"],
        seconds_per_check=options["seconds_per_check"],
    )


def _objective(options: dict[str, Any]) -> Objective | CostMatrix | Prices | None:
    makers: dict[str, Callable[[Any], Objective | CostMatrix | Prices]] = {
        "rho": CheckCost,
        "beta": FBeta,
        "ask_at_most": lambda capacity: _capacity(capacity, options),
        "mistake": lambda mistake: _money(mistake, options["check"]),
        "max_error": lambda risk: MaxError(risk, options["guarantee"]),
        "max_mistakes": lambda share: _max_mistakes(share, options),
        "min_recall": lambda floor: MinRecall(*floor),
        "min_precision": lambda floor: MinPrecision(*floor),
        "costs": read_costs,
        "prices": lambda prices: prices,
        "check_price": lambda price: CheckWork(price, options["people_right"]),
        "objective": _plugin_objective,
    }
    objectives = [name for name in makers if options[name] is not None]
    if len(objectives) > 1:
        flags = " and ".join("--" + name.replace("_", "-") for name in objectives)
        raise InputError(f"state one objective, got {flags}")
    name = objectives[0] if objectives else None
    if options["guarantee"] is not None and name not in ("max_error", "max_mistakes"):
        raise InputError(
            "--guarantee promises a share of mistakes: state it with --max-error or --max-mistakes"
        )
    if options["audit_share"] is not None and name != "max_mistakes":
        raise InputError("--audit-share is for a promise about all cases: add --max-mistakes SHARE")
    if options["look"] is not None and options["guarantee"] is None:
        raise InputError("--look says when a promise is asked for: state it with --guarantee")
    if options["time"] is not None and name != "ask_at_most":
        raise InputError("--time says when cases came: state it with --ask-at-most N/day")
    if options["check"] is not None and name != "mistake":
        raise InputError("--check is what a check costs in money: state it with --mistake")
    if options["seconds_per_check"] is not None and options["volume"] is None:
        raise InputError("--seconds-per-check is told for --volume: state it, such as 10000/month")
    sources = [flag for flag in ("people", "people_right") if options[flag] is not None]
    if len(sources) > (name in ("check_price", "max_mistakes")):
        raise InputError(
            "how right people are comes from --people or from --people-right, and with --check-price "
            "(what the work of one check costs in mistakes) or --max-mistakes"
        )
    return None if name is None else makers[name](options[name])
