"""What is promised of new cases: once, or again on a growing log, and what each costs."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from askpoint.answers.value.model_cases import ModelCases
from askpoint.answers.value.posteriors import prospects_of
from askpoint.errors import InputError, NotEstimableError, ObjectiveError, UnmetError
from askpoint.measures.intervals import Interval
from askpoint.value.curve import ValueCurve
from askpoint.value.guarantees import best_promise, better_than_asking, learn_then_test
from askpoint.value.limits import MaxError
from askpoint.value.objectives import OperatingPoint

if TYPE_CHECKING:
    from askpoint.value.certificates import CertificateOdds

__all__ = ["Guarantee", "Look", "Promise", "answering_pays", "guarantee_of"]

Look = Literal["once", "again"]
"""Whether a promise is asked for once, or again and again while the log grows."""

_MOST_DRAWN = 20_000  # labels; with more, certificates are not rare


@dataclass(frozen=True)
class Promise:
    """One choice of a threshold.

    Parameters
    ----------
    threshold : float
        Answer from here on; infinity where nothing can be promised.
    coverage : float
        Share of all cases answered.
    risk : float or None
        Share of mistakes among its answers that have a label; None where there is none.
    interval : Interval or None
        Where it may lie, for a threshold fixed before.
    reason : str or None
        Why nothing can be promised.
    """

    threshold: float
    coverage: float
    risk: float | None
    interval: Interval | None
    reason: str | None = None

    @property
    def is_given(self) -> bool:
        """Whether anything is promised."""
        return bool(np.isfinite(self.threshold))


@dataclass(frozen=True)
class Guarantee:
    """A promise on new cases beside the choice without one.

    Parameters
    ----------
    risk, delta : float
        The share of mistakes among the answers is at most `risk`, but for a probability `delta`.
    n_models : int
        So many models share delta.
    look : {"once", "again"} or None
        What was asked for; None where nobody said, and then what is safe either way.
    once : Promise
        By learn then test: true of one look at a log whose size was fixed before.
    again : Promise
        True however often the growing log is looked at.
    unguarded : Promise
        Without a promise.
    least : float or None
        Where the limit cannot be promised, once: the least that could; None if none below 1.
    odds : CertificateOdds or None
        How often such a log certifies, once, and how many of these certificates hold.
    worth : float or None
        Probability, by the labels and by what models are like, that the threshold in force keeps
        its promise.
    log_digest : str
        Of the labels in their order, by which a later look finds them again.
    """

    risk: float
    delta: float
    n_models: int
    look: Look | None
    once: Promise
    again: Promise
    unguarded: Promise
    least: float | None
    odds: CertificateOdds | None
    worth: float | None
    n_labels: int
    log_digest: str

    @property
    def kept(self) -> Promise:
        """The promise in force."""
        return self.once if self.look == "once" else self.again

    @property
    def price(self) -> float:
        """Share of the cases that go to review for the sake of the promise."""
        return self.unguarded.coverage - self.kept.coverage


def guarantee_of(case: ModelCases, curve: ValueCurve) -> Guarantee | None:
    """Return the promise that an objective makes, with its price."""
    question, places = case.question, case.places
    objective = question.objective
    risk, delta, k = objective.error_limit, objective.promise_delta, question.n_models
    if risk is None or delta is None:
        return None
    if places.cluster is not None:
        raise ObjectiveError(
            "a promise counts independent cases, and --cluster says that some belong together: keep "
            "one row of each cluster, or leave out --guarantee"
        )
    if case.is_weighted:
        raise ObjectiveError(
            "guarantees count cases: they hold for unweighted labels drawn at random only"
        )

    def promise_at(threshold: float, reason: str | None = None) -> Promise:
        answered = places.above(threshold)
        known = places.share_wrong(answered, question.level)
        return Promise(threshold, places.share(answered), *known, reason)

    digests = _digests(case)
    _check_not_again(case, question.look, digests)
    try:
        once = promise_at(learn_then_test(curve, risk, delta, n_models=k))
    except (UnmetError, NotEstimableError) as error:
        once = promise_at(np.inf, str(error).partition("; ")[0])
    again = promise_at(*_growing(case, risk, delta, k))
    try:
        free = promise_at(MaxError(risk).choose(curve).threshold)
    except UnmetError as error:
        free = promise_at(np.inf, str(error))
    odds = worth = None
    kept = once if question.look == "once" else again
    if curve.items[-1] <= _MOST_DRAWN:
        from askpoint.value.certificates import certificate_odds, certificate_worth

        rng = np.random.default_rng(question.seed)
        posterior, _ = prospects_of(case, rng)
        odds = certificate_odds(posterior, curve, risk, delta, rng, n_models=k)
        if kept.is_given:
            worth = certificate_worth(posterior, kept.threshold, risk, rng)
    least = None if once.is_given else best_promise(curve, delta, n_models=k)
    return Guarantee(
        risk=risk, delta=delta, n_models=k, look=question.look, once=once, again=again, unguarded=free, least=least, odds=odds, worth=worth, n_labels=len(digests) - 1, log_digest=digests[-1]
    )  # fmt: skip


def _growing(
    case: ModelCases, risk: float, delta: float, n_models: int
) -> tuple[float, str | None]:
    log = case.log
    if log is None:
        return np.inf, "the counts of a sketch do not tell in which order the labels came"
    confidence = case.places.lowest[log.labelled]
    right = case.places.right[log.labelled] > 0
    from askpoint.value.growing_log import growing_promise

    try:
        found = growing_promise(confidence, right, risk, delta, n_models=n_models)
    except NotEstimableError as error:
        return np.inf, str(error)
    if found.threshold is None:
        return np.inf, (
            f"after {found.n_labels} labels no threshold is proven yet for a log that is looked at again"
        )
    return found.threshold, None


def _digests(case: ModelCases) -> list[str]:
    """Fingerprints of the labels up to each, in their order; one only where rows are not kept."""
    log, places = case.log, case.places
    if log is None:
        return [""]
    rows = np.column_stack([places.lowest[log.labelled], places.right[log.labelled]])
    digest = hashlib.sha256()
    found = [digest.hexdigest()[:16]]
    for row in rows.astype("<f4"):
        digest.update(row.tobytes())
        found.append(digest.hexdigest()[:16])
    return found


def _check_not_again(case: ModelCases, look: Look | None, digests: list[str]) -> None:
    """Refuse what would break an earlier promise."""
    since = case.question.since
    chosen: Any = {} if since is None else since.get("recommended") or {}
    earlier = chosen.get("guarantee")
    if not isinstance(earlier, Mapping):
        return
    n, known = earlier.get("n_labels"), earlier.get("log_digest")
    if not isinstance(n, int) or case.log is None:
        return
    same = n < len(digests) and digests[n] == known
    if look == "once" and same and n < len(digests) - 1:
        raise InputError(
            f"the report of {n} labels already looked at this log, which has grown to "
            f"{len(digests) - 1}: a promise for one look would be broken more often than it says; "
            "take --look again, or labels of other cases"
        )
    if look != "once" and not same:
        raise InputError(
            f"the first {n} labels are not those of the report: a promise on a growing log needs "
            "them in their order, new ones behind; restore the order of the rows, or leave out --since"
        )


def answering_pays(curve: ValueCurve, point: OperatingPoint) -> float | None:
    """Return the p-value of answering being no better than asking, at the point's price."""
    if point.rate is None or not point.outcomes.answered or curve.is_weighted:
        return None
    return better_than_asking(point.outcomes, point.rate)
