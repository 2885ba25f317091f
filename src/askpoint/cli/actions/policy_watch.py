"""How a policy in use fares: what `askpoint watch` does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import polars as pl

from askpoint.answers.live.checkup import answer_watch
from askpoint.cli.actions.prices import check_price
from askpoint.cli.folders import moment, open_deployment
from askpoint.cli.report import check_files, print_report
from askpoint.errors import InputError
from askpoint.live.worth import LivePrices
from askpoint.records.costs import read_costs
from askpoint.records.notifiers import find_notifier
from askpoint.records.stores.deployment import Deployment
from askpoint.records.stores.life import join_blocks
from askpoint.reports.live.json import watch_object
from askpoint.reports.live.notification import watch_notification
from askpoint.reports.live.watch import watch_document

__all__ = ["watch_policy"]


def watch_policy(folder: Path, options: dict[str, Any]) -> int:
    """Report how a policy fares, and return the exit code."""
    check_files(options, "to_label")
    notifiers = [find_notifier(stated) for stated in options["notify"]]
    with open_deployment(folder) as deployment:
        prices, unit = _prices(options, deployment)
        answer = answer_watch(
            deployment.document,
            join_blocks(deployment.blocks(), deployment.document.terms.rate),
            now=moment(options["at"]),
            prices=prices,
            unit=unit,
            hours=options["hours"],
            troubles=deployment.troubles(),
        )
        if options["to_label"] is not None:
            _write_wanted(deployment, Path(options["to_label"]))
    document = watch_document(answer, click.format_filename(folder))
    print_report(document, lambda: watch_object(answer), options)
    if answer.is_alarmed:
        notification = watch_notification(answer, click.format_filename(folder))
        for notify in notifiers:
            notify(notification)
    return int(answer.is_alarmed)


def _prices(options: dict[str, Any], deployment: Deployment) -> tuple[LivePrices | None, str]:
    if options["rho"] is not None and options["costs"] is not None:
        raise InputError("state prices once: --rho or --costs")
    if options["rho"] is not None:
        return LivePrices(check=options["rho"]), "mistakes"
    if options["costs"] is not None:
        costs = read_costs(options["costs"]).reorder(deployment.document.model["classes"])
        mistake, check = check_price(costs)
        return LivePrices(mistake, check), costs.unit or "units of the costs"
    return None, "mistakes"


def _write_wanted(deployment: Deployment, path: Path) -> None:
    cases = deployment.wanted_cases()
    cases.with_columns(label=pl.lit(""), judge=pl.lit("")).write_csv(path)
