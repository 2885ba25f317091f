"""``askpoint watch``: how a policy in use fares."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import polars as pl

from askpoint.answers.live.checkup import WatchAnswer, prices_of, watch_of
from askpoint.answers.live.doubles import answer_doubles, cases_to_label_again
from askpoint.answers.live.training_cases import training_set
from askpoint.cli.folders import at_option, moment, open_deployment, place_of
from askpoint.cli.messages import say_undelivered, set_up_logs
from askpoint.cli.prices import check_price
from askpoint.cli.report import check_files, print_report, report_options
from askpoint.errors import InputError
from askpoint.live.events import MESSAGES
from askpoint.live.worth import LivePrices
from askpoint.records.artefacts import write_text
from askpoint.records.costs import read_costs
from askpoint.records.notifiers import NOTIFIERS, find_notifier
from askpoint.records.stores.deployment import Deployment
from askpoint.records.stores.outbox import Delivery
from askpoint.reports.live.json import watch_object
from askpoint.reports.live.metrics import metrics_text, status_samples
from askpoint.reports.live.notification import attention_message
from askpoint.reports.live.watch import watch_document

__all__ = ["watch_command"]


@click.command("watch", context_settings={"show_default": True})
@click.argument("dir", type=click.Path())
@click.option("--rho", type=float, help="Tell costs in mistakes: a check costs RHO of one.")
@click.option("--costs", type=click.Path(), metavar="FILE", help="Tell costs by a costs.json.")
@click.option(
    "--hours", type=float, default=24, help="An alarm of the last so many hours is still told."
)
@click.option(
    "--to-label",
    type=click.Path(),
    metavar="FILE",
    help="Write the cases that wait for a label here (.csv), without the model's answer.",
)
@click.option(
    "--to-label-again",
    type=click.Path(),
    metavar="FILE",
    help="Write a fifth of the labelled cases here (.csv), drawn at random, for another person to label.",
)
@click.option(
    "--to-train",
    type=click.Path(),
    metavar="FILE",
    help="Write all cases that were asked or audited here (.csv), with their labels, to fit a model on.",
)
@click.option(
    "--notify",
    multiple=True,
    metavar="NOTIFIER=ADDRESS",
    help="Tell this address once of each thing that happens, and when this ends with 1; by "
    f"{', '.join(NOTIFIERS)}. Again for another.",
)
@click.option(
    "--publish",
    multiple=True,
    metavar="NOTIFIER=ADDRESS",
    help="Sign the log as it is now, and send its head here, by the same ways: file=heads.jsonl, "
    "git=FOLDER, webhook=https://… Again for another.",
)
@click.option(
    "--metrics",
    type=click.Path(),
    metavar="FILE",
    help="Write figures for a monitor here, as OpenMetrics text (node_exporter reads such files: *.prom).",
)
@at_option
@report_options
def watch_command(dir: str, **options: Any) -> int:  # noqa: A002  # the name that users read
    """Say how the policy in DIR fares: worth, mistakes, evidence, what to label next.

    Ends with 1 if it closed lately, has not reopened since, waits for labels or answers far less than
    it used to, so that cron tells you; else with 0.
    """
    set_up_logs()
    check_files(options, "to_label", "to_label_again", "to_train", "metrics")
    for stated in (*options["notify"], *options["publish"]):
        find_notifier(stated)
    place = place_of(dir)
    with open_deployment(place) as deployment:
        prices, unit = _prices(options, deployment)
        known, _ = prices_of(deployment.document.terms, prices)
        labels = deployment.labels()
        twice = bool(labels["key"].is_duplicated().any())
        is_wanted = options["to_train"] is not None or options["to_label_again"] is not None
        decisions = deployment.decisions() if twice or is_wanted else pl.DataFrame()
        answer = watch_of(
            deployment.history(known),
            now=moment(options["at"]),
            prices=prices,
            unit=unit,
            hours=options["hours"],
            troubles=deployment.troubles(),
            doubles=answer_doubles(decisions, labels, deployment.document.terms) if twice else None,
        )
        if options["to_label"] is not None:
            _write_wanted(deployment, Path(options["to_label"]))
        if options["to_train"] is not None:
            training_set(decisions, labels).write_csv(Path(options["to_train"]))
        if options["to_label_again"] is not None:
            found = cases_to_label_again(decisions, labels)
            found.write_csv(Path(options["to_label_again"]))
        shown = click.format_filename(deployment.name)
        if options["metrics"] is not None:
            write_text(options["metrics"], _metrics(deployment, moment(options["at"]), prices))
        _tell(deployment, answer, shown, options)
    document = watch_document(answer, shown)
    print_report(document, lambda: watch_object(answer), options)
    return int(answer.is_alarmed)


def _metrics(deployment: Deployment, now: int, prices: LivePrices | None) -> str:
    vitals = deployment.vitals()
    oldest = None if vitals.oldest_awaited is None else max(0, now - vitals.oldest_awaited) / 1e6
    samples = status_samples(
        deployment.document.id,
        deployment.watch(prices),
        log_rows=vitals.log_rows,
        oldest_awaited=oldest,
        delayed=vitals.delayed,
    )
    return metrics_text(samples)


_TOLD = frozenset(MESSAGES) - {
    "log.head",
    "policy.closed",
}  # what closed it is why it needs somebody


def _tell(deployment: Deployment, answer: WatchAnswer, shown: str, options: dict[str, Any]) -> None:
    """Send what recipients have not heard yet; one that cannot be reached is named, and tried again."""
    at = moment(options["at"])
    made: list[Delivery] = []
    if options["notify"]:
        newest = "policy.needs_attention" if answer.is_alarmed else ""
        if answer.is_alarmed:
            deployment.announce(attention_message(answer, shown, at))
        made += deployment.notify(
            *options["notify"], purpose="watch", kinds=_TOLD, newest=newest, at=at
        )
    if options["publish"]:
        deployment.head(at)
        made += deployment.notify(
            *options["publish"], purpose="publish", kinds={"log.head"}, newest="log.head", at=at
        )
    for one in made:
        if one.problem:
            say_undelivered(one)


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
