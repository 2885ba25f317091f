"""What the user stated of prices and limits, and what that makes of a mistake, in words."""

from __future__ import annotations

import math

from askpoint.answers.value.answer import ValueAnswer
from askpoint.answers.value.question import ASSUMED_CHECKS
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.reports.words import amount
from askpoint.value.objectives import Objective

__all__ = ["price_options", "price_text"]


def price_options(answer: ValueAnswer) -> str:
    """Return a sentence on the options that state a price, where none was stated."""
    is_assumed = answer.rate is not None and answer.question.is_assumed
    return "Add yours: --mistake 40 --check 2 in your money, or --rho 0.05." if is_assumed else ""


def price_text(answer: ValueAnswer) -> str:
    """Say what a mistake is worth, by prices that were stated, assumed, or follow from a limit."""
    objective, rate = answer.question.objective, answer.rate
    if answer.people is not None:
        from askpoint.reports.value.people import people_price

        return people_price(answer.people)
    if rate is None:
        if objective.costs is not None:
            return (
                "The costs are those of the file; no one price of a mistake sums them up for this "
                "model."
            )
        if answer.asked == answer.n_items:
            return _wish(answer)
        return f"{_wish(answer)} Within that, answering still more would cost nothing."
    checks = amount(rate.checks_per_mistake)
    worth = f"worth {checks} {'check' if checks == '1' else 'checks'}"
    if objective.costs is not None:
        return (
            f"By your costs one mistake is, on average, {worth}. The model takes the decision that is expected "
            f"to cost least.{_open_costs(objective.costs)}"
        )
    if answer.question.is_assumed:
        return f"You gave no price, so {ASSUMED_CHECKS} checks are taken to be worth one mistake."
    if not objective.states_price:
        if not answer.is_priced:
            return f"{_wish(answer)} No price of a mistake follows from that."
        otherwise = (
            " If a mistake is worse than that for you, send more cases to review; if it is less bad, send fewer."
            if answer.asked < answer.n_items
            else ""
        )
        between = _between_prices(answer) or worth
        return f"{_wish(answer)} This choice is right if one mistake is {between}.{otherwise}"
    if objective.unit == "money":
        return f"By your prices one mistake is {worth}."
    calibrated = ""
    if answer.is_probability:
        threshold = amount(rate.calibrated_threshold)
        calibrated = f"; if its confidence meant what it says (calibrated), the threshold would be {threshold}"
    return f"At your price one mistake is {worth}{calibrated}.{_open_price(objective)}"


def _between_prices(answer: ValueAnswer) -> str:
    """Say between which of the report's other prices the recommended threshold lies; empty where no table says so.

    The price that the log itself implies belongs to another threshold, the best one in hindsight.
    """
    if answer.tomorrow is None:
        return ""
    here = answer.tomorrow.best.threshold
    prices = [(checks, each.threshold) for checks, each in answer.tomorrow.prices]
    below = [checks for checks, threshold in prices if threshold < here]
    above = [checks for checks, threshold in prices if threshold > here]
    low, high = max(below, default=0.0), min(above, default=math.inf)
    if not prices or low >= high:
        return ""
    if not below:
        return f"worth less than {amount(high)} checks"
    if not above:
        return f"worth more than {amount(low)} checks"
    return f"worth between {amount(low)} and {amount(high)} checks"


def _open_price(objective: Objective) -> str:
    if objective.checks_between is None:
        return ""
    low, high = objective.checks_between
    return (
        f" It may be worth {amount(low)} to {amount(high)} checks (90%), which is in every number "
        "about new cases."
    )


def _open_costs(costs: CostMatrix) -> str:
    if not {"cost", "checks"} & set(costs.interval):
        return ""
    return " What the file leaves open of the costs, its intervals, is in every number about new cases."


def _wish(answer: ValueAnswer) -> str:
    objective = answer.question.objective
    wish = f"You asked {objective.wish}{' a day' if answer.days is not None else ''}."
    if objective.is_capacity and answer.days is None and _fewer_go(answer):
        wish += (
            " Fewer go: the next cases share one confidence and are too many, or sending them to review "
            "would save no mistake here."
        )
    return wish


def _fewer_go(answer: ValueAnswer) -> bool:
    limit = answer.question.objective.share_of(answer.n_items)
    return 1 - answer.coverage < limit - 0.5 / answer.n_items
