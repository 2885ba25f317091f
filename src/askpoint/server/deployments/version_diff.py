"""Compare two versions: what each was worth while it was in use, and which was better."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from askpoint.answers.live.checkup import prices_of
from askpoint.errors import NotEstimableError
from askpoint.live.terms import Terms
from askpoint.live.worth import LiveCost, LivePrices, worth_so_far
from askpoint.reports.document import Block, Grid, Notice, Paragraph
from askpoint.reports.words import amount, count, share, share_range, short_threshold
from askpoint.server.deployments.models import Deployment, Policy
from askpoint.server.deployments.policies import lock_deployment
from askpoint.server.deployments.policy_state import document_of, load_state
from askpoint.server.deployments.reviewer_errors import people_error, price_of_check

__all__ = ["check_text", "money_text", "owner_prices", "price_of_work", "version_blocks"]

_DELTA = 0.025  # of each: both hold with 95%


def owner_prices(row: Deployment, policy: Policy) -> LivePrices | None:
    """Return an owner's prices, people's own mistakes charged to a check; None where a check has none."""
    document = document_of(policy)
    if document.terms.aim != "money":
        return None
    mistake = row.mistake or 1.0
    check = mistake * price_of_check(policy, document.terms.limit, people_error(row))
    return LivePrices(mistake, check).with_calls_of(document.model, price_of_work(row, policy))


def price_of_work(row: Deployment, policy: Policy) -> float:
    """Return what the work of a check costs an owner, without people's mistakes: calls are priced in it."""
    work = document_of(policy).terms.limit if policy.work is None else policy.work
    return (row.mistake or 1.0) * work


def check_text(row: Deployment) -> str:
    """Say what a check costs at the price of an hour, beside what the version in use counts; nothing where either is not known."""
    policy = Policy.objects.filter(deployment=row, number=row.adopted).first()
    seconds = row.label_seconds
    if policy is None or row.hour is None or seconds is None:
        return ""
    text = f"At {amount(seconds)} seconds a label, the median, a check costs {_money(row.hour * seconds / 3600)} {row.unit}."
    if document_of(policy).terms.aim == "money":
        text += f" Version {policy.number} counts {_money(price_of_work(row, policy))} {row.unit}; a new version can count another price."
    return text


def _money(value: float) -> str:
    return f"{value:.2f}" if value >= _CENT else f"{value:.2g}"


_CENT = 0.01


def money_text(row: Deployment, policy: Policy) -> str:
    """Say what checks and audits cost in an owner's prices; nothing where they stated none."""
    stated = None if row.mistake is None else owner_prices(row, policy)
    if stated is None:
        return ""
    audits = 1000 * document_of(policy).terms.rate
    return (
        f"A mistake costs {amount(stated.mistake)} {row.unit}, so a check costs {amount(stated.check)}: of 1,000 "
        f"answers {amount(audits)} are audited, for {amount(audits * stated.of_audit)} {row.unit}."
    )


def version_blocks(row: Deployment, first: Policy, second: Policy) -> Iterator[Block]:
    """Yield what two versions were worth, in the owner's prices; called within a transaction."""
    lock_deployment(row.pk)
    found: list[tuple[Policy, Terms, float | None, LiveCost | None]] = []
    prices, priced = LivePrices(), False
    for policy in (first, second):
        replay = load_state(policy).replay
        terms = document_of(policy).terms
        if policy is first:
            prices, priced = prices_of(document_of(policy), owner_prices(row, policy))
        work = price_of_work(row, policy) if priced else 0.0
        prices = replace(prices, calls=()).with_calls_of(document_of(policy).model, work)
        worth: LiveCost | None = None
        try:
            worth = worth_so_far(replay.state, terms, prices, delta=_DELTA)
        except NotEstimableError:
            worth = None
        found.append((policy, terms, replay.state.threshold, worth))
    worths = [worth for *_, worth in found]
    yield Paragraph(_verdict(found, priced=priced), lead=True)
    unit = row.unit or "mistakes"
    rows = [
        ("cases decided", *(_of(one, lambda it: count(it.decided)) for one in worths)),
        (
            "threshold now",
            *("asks all" if at is None else short_threshold(at) for _, _, at, _ in found),
        ),
        ("asked", *(_of(one, lambda it: share(it.asked / it.decided)) for one in worths)),
        ("audited answers", *(share(terms.rate) for _, terms, _, _ in found)),
        ("mistakes of 1,000 cases", *(_of(one, _mistakes) for one in worths)),
        ("mistake rate", *(_of(one, _risk) for one in worths)),
    ]
    if priced:
        rows.append((f"cost of 1,000 cases, {unit}", *(_of(one, _cost) for one in worths)))
    yield Grid(
        "The two versions",
        ("", *(f"version {policy.number}" for policy, *_ in found)),
        tuple(rows),
        "All intervals hold together with 95%, however often you look. "
        + (
            f"Costs use the prices of version {first.number}."
            if priced
            else "A promise has no prices, so mistakes are compared."
        ),
    )
    yield Notice(
        "They decided other cases, at other times: if the cases have changed, so has what is compared."
    )


def _of(worth: LiveCost | None, tell: Callable[[LiveCost], str]) -> str:
    return "nothing known" if worth is None else tell(worth)


def _mistakes(worth: LiveCost) -> str:
    low, high = (1000 * end / worth.decided for end in worth.mistakes)
    return f"{amount(low)} to {amount(high)}"


def _risk(worth: LiveCost) -> str:
    return "no answers" if worth.risk is None else share_range(worth.risk)


def _cost(worth: LiveCost) -> str:
    return f"{amount(worth.cost.lower)} to {amount(worth.cost.upper)}"


def _verdict(
    found: list[tuple[Policy, Terms, float | None, LiveCost | None]], *, priced: bool
) -> str:
    (one, _, _, mine), (other, _, _, its) = found
    if mine is None or its is None:
        known = other if mine is None else one
        missing = one if mine is None else other
        if mine is None and its is None:
            return "Which is better is not known: neither has decided a case with a label."
        return (
            f"Which is better is not known: version {missing.number} has no labels yet, only version "
            f"{known.number} has."
        )
    a, b = (mine.cost, its.cost) if priced else _both_shares(mine, its)
    what = "costs less" if priced else "makes fewer mistakes per case"
    for better, worse, first, second in ((one, other, a, b), (other, one, b, a)):
        if first[1] < second[0]:
            return (
                f"Version {better.number} {what} than version {worse.number}, with a confidence of 95%, "
                "however often you look."
            )
    return "Which is better is not known yet: their intervals overlap."


def _both_shares(one: LiveCost, other: LiveCost) -> tuple[tuple[float, float], tuple[float, float]]:
    first, second = (
        (it.mistakes.lower / it.decided, it.mistakes.upper / it.decided) for it in (one, other)
    )
    return first, second
