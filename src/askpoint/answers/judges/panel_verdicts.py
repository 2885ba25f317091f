"""Which verdicts a panel may give alone: it is a classifier, and labels calibrate its confidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from askpoint.answers.judges.answer import JudgesAnswer
from askpoint.answers.judges.label_origin import SELECTED_LABELS
from askpoint.errors import InputError, NotEstimableError, UnmetError
from askpoint.judges.gold.labelled_patterns import label_patterns
from askpoint.judges.panel_classifier import PanelClassifier, PanelOpinion, fit_panel
from askpoint.judges.sketch.tables import VoteTable
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray, as_level
from askpoint.value.curve import ValueCurve
from askpoint.value.guarantees import learn_then_test
from askpoint.value.posterior.price import Price
from askpoint.value.posterior.prospects import Prospects, draw_prospects
from askpoint.value.posterior.recommendation import Recommendation, by_error, by_price
from askpoint.value.posterior.rightness_model import RightnessModel

__all__ = ["ASSUMED_CHECKS", "PanelPromise", "PanelVerdicts", "VerdictsQuestion", "answer_panel"]

ASSUMED_CHECKS = 20.0
"""Checks that one mistake is taken to be worth where nobody says."""

_SEED = 0
_NO_LABELS = "no labels by people: without them nobody knows how often a sure panel is wrong"
_UNEVEN = (
    "a promise counts labels drawn with equal chances, and these were not: --propose N --random names such "
    "items"
)


@dataclass(frozen=True, kw_only=True)
class VerdictsQuestion:
    """What is wanted of a panel that decides some items alone.

    Parameters
    ----------
    checks : float, optional
        Checks that one mistake is worth; without, and without a limit, 20.
    max_error : float, optional
        Instead of a price: at most this share of its verdicts is wrong.
    guarantee : float, optional
        With `max_error`: the probability that this fails.
    look : {"once", "again"}, default="once"
        Whether a promise is asked for once, or again while labels come in, in their order.
    check_in_money : float, optional
        What a check costs in money, where both costs were stated in it.
    currency : str, optional
        What money is in, such as EUR; only said.
    """

    checks: float | None = None
    max_error: float | None = None
    guarantee: float | None = None
    look: Literal["once", "again"] = "once"
    check_in_money: float | None = None
    currency: str | None = None

    def __post_init__(self) -> None:
        if self.checks is not None and self.max_error is not None:
            raise InputError("give a price of a mistake or --max-error; got both")
        if self.guarantee is not None and self.max_error is None:
            raise InputError("--guarantee needs a limit on mistakes: add --max-error")
        for name in ("max_error", "guarantee"):
            if getattr(self, name) is not None:
                as_level(getattr(self, name), f"--{name.replace('_', '-')}")

    @property
    def is_assumed(self) -> bool:
        """Whether nobody said what a mistake costs."""
        return self.checks is None and self.max_error is None

    @property
    def price(self) -> float:
        """Checks that one mistake is worth."""
        return ASSUMED_CHECKS if self.checks is None else self.checks


@dataclass(frozen=True)
class PanelPromise:
    """What is promised of new items.

    Attributes
    ----------
    risk, delta : float
        At most this share of its verdicts is wrong, but for a probability of delta.
    threshold : float or None
        The lowest confidence that is proven; None if nothing is.
    reason : str
        Why nothing is.
    """

    risk: float
    delta: float
    threshold: float | None
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class PanelVerdicts:
    """Which verdicts a panel may give alone.

    Attributes
    ----------
    question : VerdictsQuestion
    panel : PanelClassifier or None
        None where judges gave probabilities.
    tasks : tuple of str
    opinion : PanelOpinion
        What the panel says of each item.
    labelled : ndarray of bool of shape (n_items,)
        Whether an item has a label that counts.
    right : ndarray of bool of shape (n_items,)
        Whether the panel gives the label; False without one.
    found : Recommendation or None
        The threshold of least expected cost, or the one that keeps a limit; None where `reason` says why.
    threshold : float
        Confidence from which on the panel decides alone; infinity if never.
    risk : tuple of three floats or None
        Expected share of mistakes among its verdicts on new items, and its 95% interval; None if it decides
        none.
    promise : PanelPromise or None
    is_even : bool
        Whether the labels can have been drawn with equal chances.
    reason : str
        Why there is no threshold.
    """

    question: VerdictsQuestion
    panel: PanelClassifier | None
    tasks: tuple[str, ...]
    opinion: PanelOpinion
    labelled: BoolArray
    right: BoolArray
    found: Recommendation | None = None
    threshold: float = np.inf
    risk: tuple[float, float, float] | None = None
    promise: PanelPromise | None = None
    is_even: bool = True
    reason: str = ""
    prospects: Prospects | None = field(default=None, repr=False)

    @property
    def alone(self) -> BoolArray:
        """Which items the panel decides alone."""
        return np.asarray(self.opinion.confidence >= self.threshold)

    @property
    def coverage(self) -> float:
        """Share of the items that it decides alone."""
        return float(self.alone.mean()) if len(self.tasks) else 0.0

    @property
    def n_labelled(self) -> int:
        """Labels that count."""
        return int(self.labelled.sum())

    @property
    def is_decided(self) -> bool:
        """Whether the labels settle it."""
        if self.promise is not None:
            return self.promise.threshold is not None
        return self.found is not None and self.found.decided


def answer_panel(
    answer: JudgesAnswer,
    question: VerdictsQuestion | None = None,
    *,
    opinion: PanelOpinion | None = None,
) -> PanelVerdicts:
    """Say which verdicts a panel may give alone.

    Parameters
    ----------
    answer : JudgesAnswer
        Of the panel's votes by item, with labels.
    question : VerdictsQuestion, optional
        By default a mistake is worth 20 checks.
    opinion : PanelOpinion, optional
        What the panel says of each item of `answer.table`, where judges gave probabilities; by default what
        its votes say.

    Returns
    -------
    PanelVerdicts

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.answers.judges.case import answer_judges
    >>> from askpoint.answers.judges.panel_verdicts import answer_panel
    >>> from askpoint.answers.judges.question import JudgesQuestion
    >>> from askpoint.judges.sketch.tables import VoteTable
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.integers(2, size=900)
    >>> codes = np.where(rng.random((900, 5)) < 0.85, truth[:, None], 1 - truth[:, None])
    >>> tasks = tuple(map(str, range(900)))
    >>> table = VoteTable(tasks, ("a", "b", "c", "d", "e"), ("no", "yes"), codes.astype(np.int16))
    >>> gold = {task: ("no", "yes")[truth[int(task)]] for task in tasks[:200]}
    >>> found = answer_panel(answer_judges(table, JudgesQuestion(gold=gold)))
    >>> 0.5 < found.coverage < 1, found.risk[2] < 0.1
    (True, True)
    """
    question = VerdictsQuestion() if question is None else question
    table, origin = answer.table, answer.origin
    if table is None or not len(table.tasks):
        raise NotEstimableError(
            "verdicts are given item by item, and only counts of votes are known"
        )
    panel = None
    if opinion is None:
        kin = {judge: family for family, of in answer.families.items() for judge in of}
        panel = fit_panel(answer.sketch, kin)
        opinion = panel.opine(table.codes)
    labelled, right = _check(table, origin.labels, opinion)
    is_even = origin.selection is None or not origin.selection.is_uneven or origin.n_left_out > 0
    bare = PanelVerdicts(
        question=question,
        panel=panel,
        tasks=table.tasks,
        opinion=opinion,
        labelled=labelled,
        right=right,
        is_even=is_even,
        reason=SELECTED_LABELS if origin.is_refused else "" if labelled.any() else _NO_LABELS,
    )
    if bare.reason:
        return bare
    place = {task: row for row, task in enumerate(table.tasks)}
    # in the order of the labels' file, which is that of time
    order = np.array([place[t] for t in origin.labels if t in place and labelled[place[t]]])
    return _answer(bare, order, None if is_even else _weights(answer, table))


def _check(
    table: VoteTable, gold: Mapping[str, str], opinion: PanelOpinion
) -> tuple[BoolArray, BoolArray]:
    """Return which items have a label, and where the panel gives it."""
    place = {label: code for code, label in enumerate(table.labels)}
    truth = np.array([place.get(gold.get(task, ""), -1) for task in table.tasks])
    return truth >= 0, truth == opinion.prediction


def _weights(answer: JudgesAnswer, table: VoteTable) -> FloatArray | None:
    """Return how many items each labelled item stands for, by item; zero for others."""
    gold = answer.evidence.gold
    if gold is None:
        return None
    patterns = label_patterns(answer.sketch, gold).as_drawn("as proposed")
    place = {row.tobytes(): i for i, row in enumerate(patterns.cells.votes.astype(np.int16))}
    at = [place[row.tobytes()] for row in np.ascontiguousarray(table.codes)]
    return np.asarray(patterns.weights[at])


def _answer(bare: PanelVerdicts, order: IntArray, weights: FloatArray | None) -> PanelVerdicts:
    question, score, right = bare.question, bare.opinion.confidence, bare.right[order]
    posterior = RightnessModel(scale="probability").fit(
        score[order], right, score, None if weights is None else weights[order]
    )
    rng = np.random.default_rng(_SEED)
    found = draw_prospects(posterior, rng)
    if question.max_error is None:
        best = by_price(found, Price(question.price), rng)
    else:
        best = by_error(found, question.max_error, rng)
    threshold, promise = best.threshold, None
    if question.max_error is not None and question.guarantee is not None:
        promise = _promise(question, score[order], right, is_even=bare.is_even)
        threshold = np.inf if promise.threshold is None else promise.threshold
    return replace(
        bare,
        found=best,
        threshold=float(threshold),
        risk=_risk(found, float(threshold)),
        promise=promise,
        prospects=found,
    )


def _promise(
    question: VerdictsQuestion, confidence: FloatArray, right: BoolArray, *, is_even: bool
) -> PanelPromise:
    risk, delta = question.max_error or 0.0, question.guarantee or 0.0
    if not is_even:
        return PanelPromise(risk, delta, None, _UNEVEN)
    try:
        if question.look == "again":
            from askpoint.value.growing_log import growing_promise

            found = growing_promise(confidence, right, risk, delta)
            why = f"no threshold is proven yet after {found.n_labels} labels"
            return PanelPromise(
                risk, delta, found.threshold, why if found.threshold is None else ""
            )
        curve = ValueCurve.from_outcomes(right, confidence)
        return PanelPromise(risk, delta, learn_then_test(curve, risk, delta))
    except (NotEstimableError, UnmetError) as error:
        return PanelPromise(risk, delta, None, str(error))


def _risk(found: Prospects, threshold: float) -> tuple[float, float, float] | None:
    """Return the share of mistakes among verdicts on new items: mean and 95% interval."""
    step = int(np.searchsorted(found.thresholds, threshold))
    alone = 1 - found.asked[step]
    if alone <= 0:
        return None
    draws = found.wrong_draws[:, step] / alone
    low, high = np.quantile(draws, (0.025, 0.975))
    return float(draws.mean()), float(low), float(high)
