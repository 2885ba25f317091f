"""A threshold in use, judged on a fresh log: it holds, fails, or is undecided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from askpoint.answers.value.model_cases import ModelCases
from askpoint.answers.value.posteriors import prospects_of
from askpoint.answers.value.tomorrow import price_of
from askpoint.errors import InputError
from askpoint.measures.inputs import FloatArray
from askpoint.value.posterior.price import Price
from askpoint.value.posterior.prospects import Prospects
from askpoint.value.posterior.recommendation import (
    SURE,
    Recommendation,
    at_threshold,
    by_price,
    recommend_at_limit,
)
from askpoint.value.reviewer_errors import ReviewerErrors

__all__ = ["InUse", "Judgement", "Since", "judge_current", "since_report"]

Judgement = Literal["holds", "fails", "undecided"]

_NEAR = 0.05  # a threshold holds while nothing else costs less by more than this share
_DEVIATIONS = 1.2816  # the normal quantile of .9


@dataclass(frozen=True)
class Since:
    """What the report that chose a threshold said of new cases, as shares.

    Parameters
    ----------
    threshold : float
        The threshold.
    asked, mistakes : tuple of float
        Mean, least and greatest share that it stated.
    """

    threshold: float
    asked: tuple[float, float, float]
    mistakes: tuple[float, float, float]


@dataclass(frozen=True)
class InUse:
    """What became of a threshold.

    Parameters
    ----------
    threshold : float
        The one in use.
    judgement : {"holds", "fails", "undecided"}
        Whether it is still as good as any policy, to a twentieth of its cost, or keeps its limit.
    chance : float
        Probability that it holds.
    expected : Recommendation
        What to expect of new cases at it.
    more_labels : int or None
        About so many more labels would tell; None where that is told, or no number would.
    since : Since or None
        What the report that chose it stated.
    more_mistakes : float or None
        Probability that it makes more mistakes than that report thought possible.
    limit : float or None
        The share of mistakes among its answers that it is to keep; None at a price.
    """

    threshold: float
    judgement: Judgement
    chance: float
    expected: Recommendation
    more_labels: int | None
    since: Since | None = None
    more_mistakes: float | None = None
    limit: float | None = None


def since_report(content: Mapping[str, Any], classes: tuple[str, ...]) -> Since:
    """Read what a report (its JSON object) said of a threshold for the same classes."""
    expected, threshold = content.get("expected"), content.get("threshold")
    if not isinstance(expected, Mapping) or threshold is None:
        raise InputError(
            "the report gives no threshold for new cases: take one that askpoint value --json "
            "wrote with a verdict"
        )
    if list(content.get("classes", [])) != list(classes):
        raise InputError(
            f"the report is of another model: its classes are {content.get('classes')}, those of the "
            f"log {list(classes)}"
        )
    asked, mistakes = (
        tuple(float(expected[name][key]) for key in ("mean", "low", "high"))
        for name in ("asked", "mistakes")
    )
    return Since(float(threshold), asked, mistakes)  # type: ignore[arg-type]


def judge_current(
    case: ModelCases, threshold: float, people: ReviewerErrors | None, since: Since | None
) -> InUse:
    """Judge a threshold by the labels of a log that had no part in choosing it."""
    objective = case.question.objective
    rng = np.random.default_rng(case.question.seed)
    _, found = prospects_of(case, rng)
    step = int(np.searchsorted(found.thresholds, threshold))
    price = price_of(objective, people, found, rng)
    if price is not None:
        margins = _margins(found, step, price, rng)
        expected = at_threshold(found, step, price, rng)
    elif objective.error_limit is not None:
        limit = objective.error_limit * (1 - found.asked[step])
        margins = [limit - found.wrong_draws[:, step]]
        expected = recommend_at_limit(found, step, None, rng, settled=True)
    elif objective.output_limit is not None:
        margins = [objective.output_limit - found.wrong_draws[:, step]]
        expected = recommend_at_limit(found, step, None, rng, settled=True)
    else:
        raise InputError(
            "a threshold in use is judged at a price (--rho, --prices), or with --max-error or "
            f"--max-mistakes; got {objective.name}"
        )
    chances = [float((margin >= 0).mean()) for margin in margins]
    worst = int(np.argmin(chances))
    chance = chances[worst]
    judgement: Judgement = (
        "holds" if chance >= SURE else "fails" if chance <= 1 - SURE else "undecided"
    )
    more = _more_labels(margins[worst], found.n_labelled) if judgement == "undecided" else None
    over = None if since is None else float((found.wrong_draws[:, step] > since.mistakes[2]).mean())
    risk = objective.error_limit
    return InUse(
        threshold=threshold,
        judgement=judgement,
        chance=chance,
        expected=expected,
        more_labels=more,
        since=since,
        more_mistakes=over,
        limit=risk,
    )


def _margins(
    found: Prospects, step: int, price: Price, rng: np.random.Generator
) -> list[FloatArray]:
    """How much more every other policy costs than this one, less what does not matter."""
    one = price.asking(len(found.mass)) * found.mass
    asking = np.concatenate([np.zeros((len(one), 1)), np.cumsum(one, axis=1)], axis=1)

    def cost(k: int) -> FloatArray:
        return np.asarray(asking[:, k] + price.checks * found.wrong_draws[:, k])

    best = int(np.searchsorted(found.thresholds, by_price(found, price, rng).threshold))
    ours = (1 - _NEAR) * cost(step)
    return [cost(k) - ours for k in {0, len(found.mass), best}]


def _more_labels(margin: FloatArray, n: float) -> int | None:
    mean, spread = abs(float(margin.mean())), float(margin.std())
    if not mean or not n:
        return None
    wanted = n * (_DEVIATIONS * spread / mean) ** 2 - n
    return max(int(np.ceil(wanted)), 1) if wanted < 1e6 else None
