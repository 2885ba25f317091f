"""Which judges to pay for: what their votes cost, against the labels by people that they save."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite

from askpoint.errors import InputError, NotEstimableError
from askpoint.judges.gold.label_worth import (
    LabelWorth,
    PanelWorth,
    can_leave_out,
    measure_panel,
)
from askpoint.judges.gold.labelled_patterns import LabelledPatterns
from askpoint.judges.sketch.codes import judge_places
from askpoint.measures.intervals import Interval

__all__ = ["JudgePrices", "MoneyWorth", "PanelChoice", "choose_judges"]

_MOST = 40  # judges: of n, n (n + 1) / 2 panels are measured


@dataclass(frozen=True, kw_only=True)
class JudgePrices:
    """What a label and votes cost, in one currency.

    Parameters
    ----------
    check : float
        A label by a person.
    votes : mapping of str to float
        By judge, one vote.
    """

    check: float
    votes: Mapping[str, float]

    def __post_init__(self) -> None:
        for what, price in (("check", self.check), *self.votes.items()):
            if not (isfinite(price) and price >= 0):
                raise InputError(
                    f"the price of {what} must be a number from 0 up; got {price:g}. Give what one costs."
                )


@dataclass(frozen=True, kw_only=True)
class MoneyWorth:
    """What a judge costs, and saves beside the others.

    Attributes
    ----------
    cost : float
        Of all votes on these items.
    saved : float
        Labels that go without that judge, in money, less the cost; below 0 a loss.
    interval : Interval
    """

    cost: float
    saved: float
    interval: Interval


@dataclass(frozen=True, kw_only=True)
class PanelChoice:
    """Which judges to pay for on items such as these.

    Attributes
    ----------
    paid : tuple of str
        The judges with whom labels and votes cost least for the same interval.
    saved : float
        What these save against labels alone, their votes paid.
    saved_by_all : float
        What all judges together save.
    judges : mapping of str to MoneyWorth
        Each beside all others.
    """

    paid: tuple[str, ...]
    saved: float
    saved_by_all: float
    judges: Mapping[str, MoneyWorth]


def choose_judges(
    patterns: LabelledPatterns,
    label: str,
    worth: LabelWorth,
    prices: JudgePrices,
    level: float = 0.95,
) -> PanelChoice:
    """Choose the judges whose votes cost less than the labels that they save.

    From all judges on, the one is left out without whom most is saved, as long as that saves more.

    Raises
    ------
    InputError
        If a judge has no price, or a priced one is no judge.
    NotEstimableError
        With more than 40 judges, or too many patterns of votes.

    Examples
    --------
    >>> from askpoint import GoldSketch, VoteSketch
    >>> from askpoint.judges.gold.label_worth import measure_worth
    >>> from askpoint.judges.gold.labelled_patterns import label_patterns
    >>> from askpoint.judges.gold.panel_choice import JudgePrices, choose_judges
    >>> votes, gold = (
    ...     VoteSketch(["ann", "bob"], ["no", "yes"]),
    ...     GoldSketch(["ann", "bob"], ["no", "yes"]),
    ... )
    >>> votes.update_codes([[0, 0], [0, 1], [1, 0], [1, 1]], [300, 200, 200, 300])
    >>> gold.update_codes([[0, 0], [0, 1]] * 15 + [[1, 0], [1, 1]] * 15, [0] * 30 + [1] * 30)
    >>> patterns = label_patterns(votes, gold)
    >>> worth = measure_worth(patterns, "yes")
    >>> choose_judges(
    ...     patterns, "yes", worth, JudgePrices(check=2, votes={"ann": 0.01, "bob": 0.01})
    ... ).paid
    ('ann',)
    """
    judge_places(patterns.judges, tuple(prices.votes))
    without_price = [judge for judge in patterns.judges if judge not in prices.votes]
    if without_price:
        raise InputError(
            f"every judge needs the price of a vote; {', '.join(without_price)} has none. Give one for all."
        )
    if len(patterns.judges) > _MOST or not can_leave_out(patterns):
        raise NotEstimableError(
            f"whom to pay for is reported for at most {_MOST} judges, of fewer if they vote in very many ways"
        )
    cast = patterns.cells.votes >= 0
    n_votes = dict(zip(patterns.judges, (patterns.cells.counts @ cast).tolist(), strict=True))
    cost = {judge: prices.votes[judge] * n_votes[judge] for judge in patterns.judges}

    def save(found: PanelWorth, judges: tuple[str, ...]) -> float:
        labels = found.n_plain - worth.n_gold
        return float(prices.check * labels - sum(cost[judge] for judge in judges))

    paid = patterns.judges
    saved = by_all = save(measure_panel(patterns, label, paid, level), paid)
    while paid:
        fewer = [tuple(other for other in paid if other != judge) for judge in paid]
        options = [(save(measure_panel(patterns, label, s, level), s), s) for s in fewer]
        best = max(options, key=lambda option: option[0])
        if best[0] <= saved:
            break
        saved, paid = best
    if saved <= 0:
        saved, paid = 0.0, ()
    judges = {}
    for judge in patterns.judges:
        lost = worth.judges[judge]
        if lost is None:  # the only judge: without him there are labels alone
            labels, low, high = (end - worth.n_gold for end in (worth.n_plain, *worth.interval))
        else:
            labels, (low, high) = lost.labels, lost.interval
        value, *ends = (prices.check * end - cost[judge] for end in (labels, low, high))
        judges[judge] = MoneyWorth(cost=cost[judge], saved=value, interval=Interval(*ends))
    return PanelChoice(paid=paid, saved=saved, saved_by_all=by_all, judges=judges)
