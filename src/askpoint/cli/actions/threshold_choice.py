"""One threshold from a log of predictions, and what it costs: what `askpoint value` does."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import polars as pl

from askpoint.answers.value.question import ValueQuestion
from askpoint.answers.value.verdict import answer_value
from askpoint.answers.value.volume import Volume
from askpoint.cli.columns import names_of
from askpoint.cli.engine_options import counting, counting_option, source_to_count
from askpoint.cli.parameters import ADDED_OBJECTIVES
from askpoint.cli.reading_context import current_reading, current_source
from askpoint.cli.report import check_files, print_report, say, shown_name
from askpoint.errors import InputError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.exchange import Prices
from askpoint.measures.inputs import as_choice
from askpoint.records.predictions import PredictionLog
from askpoint.records.table import Table
from askpoint.records.value_logs import LogRequest, ValueLog, open_log, open_reading
from askpoint.reports.value.document import value_document
from askpoint.value.by_class import MinPrecision, MinRecall
from askpoint.value.limits import AskAtMost, MaxError, MaxMistakes
from askpoint.value.objectives import Objective
from askpoint.value.priced import CheckCost, FBeta
from askpoint.value.reviewer_errors import CheckWork

if TYPE_CHECKING:
    from askpoint.answers.value.workload import Workload
    from askpoint.records.streams import SketchedLog

__all__ = ["choose_threshold"]

_SAME = 1e-9
_OTHERS = ("group", "model", "weight", "propensity", "people", "cluster", "time")


def choose_threshold(log: str, options: dict[str, Any]) -> None:
    """Read a log, choose a threshold, and report what it costs."""
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
        currency=options["currency"],
        check=None if options["mistake"] is not None else options["check"],
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
    from askpoint.records.artefacts import read_text

    try:
        content = json.loads(read_text(path))
    except ValueError:
        content = None
    if not isinstance(content, dict):
        raise InputError(f"{path} is not a report: it holds no JSON object such as --json prints")
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
    if not ADDED_OBJECTIVES.names():
        raise InputError(
            f"--objective must name an objective of a plugin, and none is installed; got {stated!r}. "
            "Take --mistake, --rho or another option of this command."
        )
    name, _, value = stated.partition("=")
    make = ADDED_OBJECTIVES[as_choice(name, tuple(ADDED_OBJECTIVES), "an objective")]
    return make(value)


def _capacity(capacity: float | Volume, options: dict[str, Any]) -> AskAtMost:
    """Read --ask-at-most: of the log, of each day of it, or of a volume."""
    volume, is_dated = options["volume"], options["time"] is not None
    if not isinstance(capacity, Volume):
        if is_dated:
            raise InputError("--time takes a capacity of days: --ask-at-most N/day")
        if volume is not None and capacity >= 1:
            raise InputError(
                f"--ask-at-most {capacity:g} counts cases of the log, and --volume those of a {volume.period}: write "
                f"--ask-at-most {capacity:g}/{volume.period}, or a share"
            )
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
    from askpoint.cli.actions.prices import capacity_share

    return AskAtMost(capacity_share(capacity, volume))


def _money(mistake: float, check: float | None) -> Prices:
    """Read --mistake and --check."""
    from askpoint.cli.actions.prices import prices_in_money

    return prices_in_money(mistake, check)


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
    from askpoint.answers.value.workload import Workload

    return Workload(
        volume=options["volume"],
        check=options["check"],
        seconds_per_check=options["seconds_per_check"],
    )


def _costs(path: str) -> CostMatrix:
    """Read --costs."""
    from askpoint.records.costs import read_costs

    return read_costs(path)


_IN_CHECKS = ("mistake", "rho", "costs")  # objectives that say what a mistake costs in checks
_PROMISED = ("max_error", "max_mistakes", "min_recall")


def _objective(options: dict[str, Any]) -> Objective | CostMatrix | Prices | None:
    makers: dict[str, Callable[[Any], Objective | CostMatrix | Prices]] = {
        "rho": CheckCost,
        "beta": FBeta,
        "ask_at_most": lambda capacity: _capacity(capacity, options),
        "mistake": lambda mistake: _money(mistake, options["check"]),
        "max_error": lambda risk: MaxError(risk, options["guarantee"]),
        "max_mistakes": lambda share: _max_mistakes(share, options),
        "min_recall": lambda floor: MinRecall(floor[0], floor[1], options["guarantee"]),
        "min_precision": lambda floor: MinPrecision(*floor),
        "costs": _costs,
        "prices": lambda prices: prices,
        "check_price": lambda price: CheckWork(price, options["people_right"]),
        "objective": _plugin_objective,
    }
    objectives = [name for name in makers if options[name] is not None]
    if len(objectives) > 1:
        flags = " and ".join("--" + name.replace("_", "-") for name in objectives)
        raise InputError(f"give one objective; got {flags}")
    name = objectives[0] if objectives else None
    if options["guarantee"] is not None and name not in _PROMISED:
        raise InputError(
            "--guarantee needs a limit on mistakes: add --max-error, --max-mistakes or --min-recall"
        )
    if options["audit_share"] is not None and name != "max_mistakes":
        raise InputError("--audit-share is for a promise about all cases: add --max-mistakes SHARE")
    if options["look"] == "again" and name == "min_recall":
        raise InputError("a promise of a recall is looked at once: leave out --look again")
    if options["look"] is not None and options["guarantee"] is None:
        raise InputError("--look says when you ask for a promise: add --guarantee")
    if options["time"] is not None and name != "ask_at_most":
        raise InputError("--time says when cases came: add --ask-at-most N/day")
    if options["check"] is not None and name not in _IN_CHECKS:
        raise InputError(
            "--check is what a check costs in money: add what a mistake costs, with --mistake AMOUNT, --rho or --costs"
        )
    if options["check"] is not None and not 0 < options["check"] < math.inf and name != "mistake":
        raise InputError(f"--check must be above 0; got {options['check']:g}")
    if options["currency"] is not None and options["check"] is None and options["prices"] is None:
        raise InputError(
            "--currency names what prices are in: add --mistake AMOUNT --check AMOUNT, or --prices"
        )
    if options["seconds_per_check"] is not None and options["volume"] is None:
        raise InputError(
            "--seconds-per-check needs the number of cases: add --volume, such as 10000/month"
        )
    sources = [flag for flag in ("people", "people_right") if options[flag] is not None]
    if len(sources) > (name in ("check_price", "max_mistakes")):
        raise InputError(
            "how right people are comes from --people or from --people-right, and with --check-price "
            "(what the work of one check costs in mistakes) or --max-mistakes"
        )
    return None if name is None else makers[name](options[name])
