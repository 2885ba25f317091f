"""Status of a policy in use: what `askpoint watch` does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import polars as pl

from askpoint.answers.live.checkup import WatchAnswer, prices_of, watch_of
from askpoint.answers.live.doubles import answer_doubles, cases_to_label_again
from askpoint.answers.live.followers import answer_followers
from askpoint.answers.live.group_standings import groups_in_use, tally_groups
from askpoint.answers.live.training_cases import training_set
from askpoint.cli.actions.prices import check_price, stated_checks
from askpoint.cli.folders import moment, open_deployment
from askpoint.cli.messages import say_undelivered, set_up_logs
from askpoint.cli.report import check_files, print_report, say
from askpoint.errors import InputError
from askpoint.live.events import MESSAGES
from askpoint.live.worth import LivePrices
from askpoint.records.artefacts import write_text
from askpoint.records.costs import read_costs
from askpoint.records.notifiers import find_notifier
from askpoint.records.stores.deployment import Deployment
from askpoint.records.stores.outbox import DeliveryOutcome
from askpoint.reports.live.json import watch_object
from askpoint.reports.live.metrics import metrics_text, status_samples
from askpoint.reports.live.notification import attention_message
from askpoint.reports.live.watch import watch_document
from askpoint.reports.words import plural

__all__ = ["watch_policy"]

_NAMED = 5  # classes at most, in a sentence

_TOLD = frozenset(MESSAGES) - {
    "log.head",
    "policy.closed",
}  # what closed it is why it needs somebody


def watch_policy(place: str, options: dict[str, Any]) -> int:
    """Print the status of the policy of a place, and notify recipients."""
    set_up_logs()
    check_files(options, "to_label", "to_label_again", "to_train", "metrics")
    for stated in (*options["notify"], *options["publish"]):
        find_notifier(stated)
    with open_deployment(place) as deployment:
        prices, unit = _prices(options, deployment)
        known, _ = prices_of(deployment.document, prices)
        twice = deployment.has_doubles()
        decisions = labels = pl.DataFrame()
        by_group = deployment.document.group_scale is not None
        if (
            twice
            or by_group
            or options["to_train"] is not None
            or options["to_label_again"] is not None
        ):
            decisions, labels = deployment.decisions(), deployment.labels()
        history = deployment.history(known)
        answer = watch_of(
            history,
            now=moment(options["at"]),
            prices=prices,
            unit=unit,
            hours=options["hours"],
            troubles=deployment.troubles(),
            doubles=answer_doubles(decisions, labels, deployment.document.terms) if twice else None,
            followers=answer_followers(deployment.gold_labels()),
            groups=groups_in_use(
                deployment.document,
                history.state,
                tally_groups(decisions, labels) if by_group else {},
            ),
        )
        shown = click.format_filename(deployment.name)
        if options["to_label"] is not None:
            _write_wanted(deployment, Path(options["to_label"]), shown)
        if options["to_train"] is not None:
            training_set(decisions, labels).write_csv(Path(options["to_train"]))
        if options["to_label_again"] is not None:
            found = cases_to_label_again(decisions, labels)
            found.write_csv(Path(options["to_label_again"]))
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


def _tell(deployment: Deployment, answer: WatchAnswer, shown: str, options: dict[str, Any]) -> None:
    """Send what recipients have not heard yet; one that cannot be reached is named, and tried again."""
    at = moment(options["at"])
    made: list[DeliveryOutcome] = []
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
    given = [f"--{name}" for name in ("mistake", "rho", "costs") if options[name] is not None]
    if len(given) > 1:
        raise InputError(f"give the price once; got {' and '.join(given)}")
    _, check = stated_checks(options)
    if check is not None:
        return LivePrices(options["mistake"], check), options["currency"] or "in your money"
    if options["rho"] is not None:
        return LivePrices(check=options["rho"]), "mistakes"
    if options["costs"] is not None:
        costs = read_costs(options["costs"]).reorder(deployment.document.model["classes"])
        mistake, check = check_price(costs)
        return LivePrices(mistake, check), costs.unit or "units of the costs"
    return None, "mistakes"


def _write_wanted(deployment: Deployment, path: Path, shown: str) -> None:
    """Write the cases that wait, and say what people are to fill in."""
    cases, model = deployment.wanted_cases(), deployment.document.model
    cases.with_columns(label=pl.lit(""), judge=pl.lit("")).write_csv(path)
    if not cases.height:
        return
    labels = (
        " or ".join(map(str, model["classes"])) if len(model["classes"]) <= _NAMED else "its class"
    )
    if model.get("documents") is not None:
        labels = (
            f"{model['classes'][0]} if every field of the document is, else {model['classes'][-1]}"
        )
    say(
        f"{plural(cases.height, 'case', 'cases')} to label written to {path}: fill in the column label with {labels}, then "
        f"run askpoint label {shown} {path}",
        err=True,
    )
