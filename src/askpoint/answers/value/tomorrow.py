"""What to do with new cases and what to expect of it, from the posterior of being right."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from askpoint.answers.value.model_cases import ModelCases
from askpoint.answers.value.posteriors import prospects_of
from askpoint.errors import InputError, NotEstimableError, UnmetError
from askpoint.measures.inputs import FloatArray
from askpoint.measures.intervals import Interval
from askpoint.value.objectives import Objective
from askpoint.value.posterior.interval_rule import IntervalRule, find_interval_rule
from askpoint.value.posterior.misfit import Fall, Misfit, find_fall, find_misfit
from askpoint.value.posterior.more_labels import SavingOfLabels, saving_of_labels
from askpoint.value.posterior.price import Price, draw_checks, draw_people_wrong
from askpoint.value.posterior.prospects import Prospects
from askpoint.value.posterior.recommendation import (
    Recommendation,
    at_threshold,
    by_capacities,
    by_capacity,
    by_price,
    recommend,
    recommend_at_limit,
)

if TYPE_CHECKING:
    from askpoint.value.reviewer_errors import ReviewerErrors

__all__ = ["Tomorrow", "answer_tomorrow", "price_of"]

_LEVEL = 0.9  # of the interval that a price may have
_OTHER_PRICES = (2, 5, 10, 20, 50, 100, 1000)
_NEXT_LABELS = 100
_SIMULATED = 24
_MOST_LABELS = 5_000  # beyond them a hundred more bring nothing that can be seen
_SWAPPED = 0.975
_PRACTICALLY_ALL = 0.99
_HALVINGS = 8  # of the range in which the price lies, to two digits
_PRICES = 1.01, 1000.0  # of a mistake, in checks, among which a capacity finds its own
_NO_WORK = 1e-6  # a check that costs nothing costs this share of a mistake


@dataclass(frozen=True)
class Tomorrow:
    """What to expect of new cases.

    Parameters
    ----------
    best : Recommendation
        The threshold, and what to expect of it.
    ask_all, answer_all : Recommendation
        What to expect of sending every case to review, and none.
    below : float
        Greatest confidence of a case seen that would be asked.
    prices : tuple of (float, Recommendation)
        At other prices of a mistake, in checks.
    next_labels : SavingOfLabels or None
        What the next 100 labels would bring, at a price.
    probably_wrong : float
        Probability that the model is wrong in most cases.
    found : Prospects
        What every threshold will do.
    seed : int
        Of what is drawn.
    fall : Fall or None
        That the surest cases are right less often than the next, where they are.
    misfit : Misfit or None
        A stretch of confidence that departs from what the others make one expect.
    interval_rule : IntervalRule or None
        Answering from one confidence to another, where that likely costs less than the threshold.
    people_wrong : ndarray
        How often the people who are asked are wrong, as `askpoint.value.posterior.price.Price` takes it; it is
        charged at other prices, too.
    """

    best: Recommendation
    ask_all: Recommendation
    answer_all: Recommendation
    below: float
    prices: tuple[tuple[float, Recommendation], ...]
    next_labels: SavingOfLabels | None
    probably_wrong: float
    found: Prospects = field(repr=False, compare=False)
    seed: int
    fall: Fall | None = None
    misfit: Misfit | None = None
    interval_rule: IntervalRule | None = None
    people_wrong: FloatArray = field(
        default_factory=lambda: np.zeros(()), repr=False, compare=False
    )

    @property
    def is_swapped(self) -> bool:
        """Whether the model is wrong so often that its classes may be swapped."""
        return self.probably_wrong >= _SWAPPED

    @property
    def at_stake_per_1000(self) -> float | None:
        """What 1,000 new cases cost by the better of sending every case to review and answering all; None without a price."""
        ends = [each.cost_per_1000 for each in (self.ask_all, self.answer_all)]
        means = [cost.mean for cost in ends if cost is not None]
        return min(means) if means and self.best.cost_per_1000 is not None else None

    @property
    def saved_share(self) -> float | None:
        """The share of what is at stake that the recommendation is expected to save; None without a price."""
        stake, saving = self.at_stake_per_1000, self.best.saving_per_1000
        return saving / stake if saving is not None and stake else None

    def at_price(self, checks: float) -> Recommendation:
        """What to do, and to expect, if a mistake were worth so many checks."""
        price = Price(checks, self.people_wrong)
        return _at_price(self.best, self.found, price, self.seed)

    def always_at_price(self, checks: float) -> float:
        """Checks that 1,000 new cases cost if people are asked about all, and a mistake is worth so many."""
        asking = Price(checks, self.people_wrong).asking(len(self.found.mass)).mean(axis=0)
        return float(1000 * np.average(asking, weights=self.found.mass))

    def pays_at(self) -> float | None:
        """Checks that a mistake may be worth at most for the model to decide more than 1% of the cases.

        None where no price up to 1,000 checks changes that, or none was stated.
        """
        paying = [checks for checks, each in self.prices if each.asked.mean <= _PRACTICALLY_ALL]
        if not paying or self.best.checks is None or self.best.asked.mean <= _PRACTICALLY_ALL:
            return None
        low, high = max(paying), self.best.checks
        if low >= high:
            return None
        for _ in range(_HALVINGS):
            middle = math.sqrt(low * high)
            pays = self.at_price(middle).asked.mean <= _PRACTICALLY_ALL
            low, high = (middle, high) if pays else (low, middle)
        return low

    def price_of_capacity(self, share: float, audited: float) -> float:
        """Checks that a mistake may be worth at most for people to check no more than a share of the cases.

        Parameters
        ----------
        share : float
            Of the cases that come, below 1: what people can check, audits included.
        audited : float
            Share of the model's own decisions that they check, too.

        Raises
        ------
        InputError
            If audits alone take as many.
        """
        asked = (share - audited) / (1 - audited)
        if asked <= 0:
            raise InputError(
                f"people can check {share:.1%} of the cases, and audits of {audited:.1%} of the decisions take all of "
                "that: audit less, or let people check more"
            )
        low, high = _PRICES
        if self.at_price(high).asked.mean <= asked:
            return high
        for _ in range(_HALVINGS):
            middle = math.sqrt(low * high)
            fits = self.at_price(middle).asked.mean <= asked
            low, high = (middle, high) if fits else (low, middle)
        return low

    def at_capacities(self, shares: Sequence[float]) -> list[Recommendation]:
        """What to do, and to expect, if people could check each of these shares of the cases."""
        return by_capacities(self.found, shares, np.random.default_rng(self.seed))


def answer_tomorrow(
    case: ModelCases, people: ReviewerErrors | None, fixed: float | None = None
) -> Tomorrow:
    """Recommend a threshold for new cases."""
    objective = case.question.objective
    rng = np.random.default_rng(case.question.seed)
    posterior, found = prospects_of(case, rng)
    price: Price | None = None
    last = len(found.mass)
    if objective.costs is not None:
        from askpoint.answers.value.cost_matrix_rule import by_costs_of_classes

        best, *ends = by_costs_of_classes(case, objective.costs, found, rng)
    else:
        price = price_of(objective, people, found, rng)
        best = _recommend(case, fixed, found, price, rng)
        ends = [
            recommend_at_limit(found, step, None, rng, settled=True)
            if price is None
            else at_threshold(found, step, price, rng)
            for step in (last, 0)
        ]
    lowest = np.append(case.places.highest, -np.inf)
    below = float(lowest[lowest < best.threshold].max())
    next_labels = None
    if price is not None and 0 < found.n_labelled < _MOST_LABELS:
        next_labels = saving_of_labels(
            posterior, _NEXT_LABELS, rng, checks=price.mean_checks, n_draws=_SIMULATED
        )
    prices: tuple[tuple[float, Recommendation], ...] = ()
    people_wrong = np.zeros(()) if people is None or price is None else price.people_wrong
    if objective.has_one_price and found.n_labelled:
        prices = tuple(
            (
                float(checks),
                _at_price(best, found, Price(checks, people_wrong), case.question.seed),
            )
            for checks in _OTHER_PRICES
        )
    wrong = found.wrong_draws[:, 0]
    by_confidence = objective.costs is None
    return Tomorrow(
        best=best,
        ask_all=ends[0],
        answer_all=ends[1],
        below=below,
        prices=prices,
        next_labels=next_labels,
        probably_wrong=float((wrong > 0.5).mean()) if found.n_labelled else 0.0,
        found=found,
        seed=case.question.seed,
        fall=find_fall(found) if by_confidence else None,
        misfit=find_misfit(posterior, rng) if by_confidence else None,
        interval_rule=find_interval_rule(found, best, price, rng)
        if price is not None and fixed is None
        else None,
        people_wrong=people_wrong,
    )


def _at_price(best: Recommendation, found: Prospects, price: Price, seed: int) -> Recommendation:
    if best.checks is not None and math.isclose(price.mean_checks, best.checks):
        return best
    return by_price(found, price, np.random.default_rng(seed))


def price_of(
    objective: Objective, people: ReviewerErrors | None, found: Prospects, rng: np.random.Generator
) -> Price | None:
    """The price of mistakes and checks that an objective states; None where it states none.

    How often people err is drawn, where it was measured.
    """
    if people is not None:
        at = found.thresholds[:-1]
        wrong = people.wrong(at)
        if people.cases:
            hits = people.right * people.cases
            n_draws = len(found.right_draws)
            wrong = draw_people_wrong(hits, people.cases, people.edges, at, n_draws, rng)
        return Price(max(1 / max(people.check_price, _NO_WORK), 1.0), wrong)
    if objective.rate is None:
        return None
    between = objective.checks_between
    if between is not None:
        stated, n_draws = objective.rate.checks_per_mistake, len(found.right_draws)
        return Price(draw_checks(Interval(*between), n_draws, rng, level=_LEVEL, middle=stated))
    return Price(objective.rate.checks_per_mistake)


def _recommend(
    case: ModelCases,
    fixed: float | None,
    found: Prospects,
    price: Price | None,
    rng: np.random.Generator,
) -> Recommendation:
    objective = case.question.objective
    if fixed is None and objective.is_promised:
        fixed = np.inf
        if case.curve is not None:
            with contextlib.suppress(UnmetError, NotEstimableError):
                fixed = objective.choose(case.curve).threshold
    if fixed is not None:
        return _recommend_fixed(fixed, found, rng, settled=objective.is_capacity)
    if price is not None:
        return by_price(found, price, rng)
    if objective.is_capacity:
        return by_capacity(found, objective.share_of(int(case.places.items.sum())), rng)
    if objective.needs_cases:
        from askpoint.answers.value.class_limits import class_step

        step, kept, settled = class_step(case, objective, found, rng)
        return recommend_at_limit(found, step, kept, rng, settled=settled)
    return recommend(found, objective, rng)


def _recommend_fixed(
    threshold: float, found: Prospects, rng: np.random.Generator, *, settled: bool
) -> Recommendation:
    """A threshold that keeps a promise, or a day's capacity; asking everybody keeps any promise."""
    step = int(np.searchsorted(found.thresholds, threshold))
    said = recommend_at_limit(found, step, None, rng, settled=settled or step < len(found.mass))
    return replace(said, threshold=threshold)
