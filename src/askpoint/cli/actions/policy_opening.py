"""A policy opened in a folder of its own: what `askpoint deploy` does."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from typing import Any

import click

from askpoint.answers.live.first_policy import Opening, OpeningQuestion, answer_opening
from askpoint.answers.value.volume import Volume
from askpoint.cli.actions.prices import capacity_share, check_price, prices_in_money
from askpoint.cli.columns import names_of
from askpoint.cli.folders import new_folder, place_name, policy_place
from askpoint.cli.report import check_files, print_report, say
from askpoint.errors import InputError, LogError
from askpoint.live.draws import secret_hash
from askpoint.records.costs import read_costs
from askpoint.records.predictions import PredictionLog
from askpoint.records.stores.deployment import Deployment
from askpoint.records.table import Table
from askpoint.records.value_logs import LogRequest, open_log
from askpoint.reports.document import Block
from askpoint.reports.live.deploy import opening_document, opening_object

__all__ = ["open_policy"]

_RHO = 0.05


def open_policy(log: str | None, options: dict[str, Any]) -> None:
    """Open a policy by a log, or by nothing, and report its terms."""
    check_files(options)
    place = policy_place(options["out"] or new_folder(log, options["name"]), "--out")
    secret = secrets.token_bytes(32)
    records = None if log is None else _records(log, options)
    classes = names_of(options["classes"]) if records is None else list(records.classes)
    if classes is None:
        raise InputError("without a log the policy knows no classes; name them: --classes no,yes")
    model = {
        "name": options["model_name"],
        "version": options["model_version"],
        "classes": classes,
        "measure": options["measure"],
    }
    question = _question(options, classes)
    if question.aim == "capacity":
        from askpoint.reports.capacity_price import price_capacity

        question = price_capacity(
            records,
            question,
            measure=options["measure"],
            labels_are_random=options["labels_are_random"],
        )
    opening = answer_opening(
        records,
        question,
        name=options["name"] or place_name(place),
        model=model,
        secret_hash=secret_hash(secret),
        labels_are_random=options["labels_are_random"],
        by=options["by"],
    )
    with Deployment(place, opening.document, secret=secret) as deployment:
        shown = deployment.name
    _tell(opening, shown, options)


def _tell(opening: Opening, shown: str, options: dict[str, Any]) -> None:
    work = tuple(_work(opening, options))
    document = opening_document(opening, click.format_filename(shown), work)
    print_report(document, lambda: opening_object(opening), options)


def _work(opening: Opening, options: dict[str, Any]) -> Iterator[Block]:
    """Yield what the policy takes of people's time and money, where it is known how many cases come."""
    volume, capacity = options["volume"], options["ask_at_most"]
    if volume is None:
        return
    from askpoint.answers.value.workload import Workload
    from askpoint.reports.live.opening_work import capacity_blocks, opening_work_blocks

    if capacity is not None:
        yield from capacity_blocks(opening, volume, capacity, 1 / opening.question.limit)
    seconds, check = options["seconds_per_check"], options["check"]
    load = Workload(volume=volume, check=check, seconds_per_check=seconds)
    yield from opening_work_blocks(opening, load, options["currency"])


def _share(options: dict[str, Any]) -> float:
    """Read --ask-at-most as a share of the cases that come."""
    capacity, volume = options["ask_at_most"], options["volume"]
    if isinstance(capacity, float) and 0 < capacity < 1:
        return capacity
    if not isinstance(capacity, Volume):
        raise InputError(
            f"--ask-at-most must be N/PERIOD, such as 400/day, or a share between 0 and 1; got {capacity:g}"
        )
    if volume is None:
        raise InputError(
            "--ask-at-most N/PERIOD is a share of the cases that come: add --volume N/PERIOD"
        )
    return capacity_share(capacity, volume)


def _records(log: str, options: dict[str, Any]) -> PredictionLog:
    """Read a log whose columns are named or called as usual; any other file as `askpoint FILE` does."""
    request = LogRequest(
        label=options["label"],
        proba=tuple(names_of(options["proba"]) or ()),
        classes=tuple(names_of(options["classes"]) or ()),
        prediction=options["prediction"],
        confidence=options["confidence"],
        others={"group": options["by"]},
        sketch=False,
    )
    opened = open_log(log, request, _refuse_counts)
    records = opened.records
    if not isinstance(records, PredictionLog) or not records.labelled.any():
        raise LogError(
            "no row has a label: name the column with --label, or leave the log out, and the policy begins by asking "
            "about every case"
        )
    if opened.reading is not None:
        from askpoint.reports.readings import reading_line

        say(reading_line(opened.reading), err=options["as_json"])
        for doubt in opened.reading.doubts:
            say(f"  {doubt.what}", err=options["as_json"])
    return records


def _refuse_counts(table: Table, columns: Mapping[str, Any]) -> dict[str | None, Any]:
    raise InputError(
        f"{table.name} must be a log whose rows are kept; got counts of {len(columns)} columns"
    )


def _question(options: dict[str, Any], classes: list[str]) -> OpeningQuestion:
    objectives = ("mistake", "ask_at_most", "rho", "costs", "max_error", "max_mistakes")
    stated = [name for name in objectives if options[name] is not None]
    if len(stated) > 1:
        flags = " and ".join("--" + name.replace("_", "-") for name in stated)
        raise InputError(f"give one objective; got {flags}")
    promised = stated[0] if stated in (["max_error"], ["max_mistakes"]) else None
    if options["guarantee"] is not None and promised is None:
        raise InputError("--guarantee needs a limit on mistakes: add --max-error or --max-mistakes")
    if options["people_right"] is not None and promised != "max_mistakes":
        raise InputError(
            "--people-right is for a promise about all cases: add --max-mistakes SHARE"
        )
    if options["seconds_per_check"] is not None and options["volume"] is None:
        raise InputError(
            "--seconds-per-check needs the number of cases: add --volume, such as 10000/month"
        )
    limit, planned = options["rho"], options["planned_decisions"]
    if stated == ["ask_at_most"]:
        limit = _share(options)
    if stated == ["mistake"]:
        prices = prices_in_money(options["mistake"], options["check"])
        limit = prices.ask / prices.wrong
    elif options["check"] is not None:
        raise InputError("--check is what a check costs, in the unit of --mistake: add --mistake")
    if stated == ["costs"]:
        mistake, check = check_price(read_costs(options["costs"]).reorder(classes))
        limit = check / mistake
    if options["currency"] is not None and stated != ["mistake"]:
        raise InputError("--currency names what --mistake and --check are in: add both")
    changes = options["changes_per_year"]
    return OpeningQuestion(
        aim="capacity" if stated == ["ask_at_most"] else "money" if promised is None else "promise",
        limit=options[promised] if promised else _RHO if limit is None else limit,
        delta=0.05 if options["guarantee"] is None else options["guarantee"],
        rate=options["audit"],
        detect=options["detect"],
        within=options["within"],
        changes=None if changes is None else changes * planned / (options["per_year"] or planned),
        mistake_budget=options["mistake_budget"],
        planned_decisions=planned,
        max_label_delay=options["max_label_delay"],
        assumed=not stated,
        of_all_cases=promised == "max_mistakes",
        people_right=options["people_right"],
        mistake_in_money=options["mistake"],
        check_in_money=options["check"],
        currency=options["currency"],
    )
