"""Precision, recall and error of the decisions, and by what sample each is known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from askpoint.answers.value.model_cases import CasePlaces, ModelCases
from askpoint.answers.value.out_of_fold import (
    folds_of,
    is_chosen_by_labels,
    thresholds_out_of_fold,
)
from askpoint.answers.value.row_case import RowCase
from askpoint.errors import NotEstimableError
from askpoint.measures.inputs import BoolArray
from askpoint.measures.intervals import Interval, clopper_pearson

__all__ = ["Account", "Accounts", "Design", "Kind", "accounts_of", "cross_fit_places"]

Design = Literal["all", "random", "stated", "propensity", "weight", "proposed"]
"""How it came that cases have labels."""

Kind = Literal["error", "precision", "recall"]
"""Which share is told."""

_MOST_CLASSES = 20
_MANY_LABELS = 20_000  # of so many no single one moves the threshold that judges it


@dataclass(frozen=True)
class Account:
    """One share, behind its sample.

    Parameters
    ----------
    kind : {"error", "precision", "recall"}
        Mistakes among answers; right ones among the answers of a class; of the cases of a class
        those that are answered so, or sent to review.
    label : str or None
        The class.
    estimate : float or None
        The share; None where no label tells.
    interval : Interval or None
        Where it may lie; None where too few of the heaviest labels tell.
    n_labels : int
        Labels that tell.
    """

    kind: Kind
    label: str | None
    estimate: float | None
    interval: Interval | None
    n_labels: int


@dataclass(frozen=True)
class Accounts:
    """For those who must account for decisions.

    Parameters
    ----------
    lines : tuple of Account
        The error first, then each class.
    design : {"all", "random", "stated", "propensity", "weight", "proposed"}
        Every case has a label; labels look random; the user says so; chances are known; weights
        are given; cases were proposed, with known chances.
    is_cross_fitted : bool
        Whether each case is judged at a threshold chosen without it.
    is_clustered : bool
        Whether cases that belong together are counted as what they tell.
    more_classes : int
        Classes that are not shown.
    """

    lines: tuple[Account, ...]
    design: Design
    is_cross_fitted: bool
    is_clustered: bool
    more_classes: int


def cross_fit_places(case: ModelCases, threshold: float) -> CasePlaces:
    """The places, with thresholds that their own labels had no part in choosing."""
    places = case.places
    if case.log is None or not is_chosen_by_labels(case) or case.log.n_labelled > _MANY_LABELS:
        return places
    try:
        held = thresholds_out_of_fold(case, folds_of(case), threshold)
    except NotEstimableError:  # a single case
        return places
    judged = np.full(case.log.n_items, threshold)
    judged[case.log.labelled] = held
    return places._replace(judged_from=judged)


def accounts_of(case: ModelCases, places: CasePlaces, threshold: float) -> Accounts | None:
    """Return the table; None for a sketch, which does not keep classes."""
    log = case.log
    if log is None or not isinstance(case, RowCase):
        return None
    answered = places.above_fitted(threshold)
    tell = _plain if places.cluster is None and not places.is_weighted else _effective_accounts
    shown = np.argsort(-np.bincount(log.label, minlength=len(log.classes)), kind="stable")
    codes = np.sort(shown[:_MOST_CLASSES]).tolist()
    lines = tuple(tell(case, places, answered, codes))
    return Accounts(
        lines,
        _design(case),
        places.judged_from is not None,
        places.cluster is not None,
        max(len(log.classes) - _MOST_CLASSES, 0),
    )


def _plain(
    case: RowCase, places: CasePlaces, answered: BoolArray, codes: list[int]
) -> Iterator[Account]:
    """Labels that count alike: all shares from one table of truth, decision and answered or not."""
    del places
    log, level, k = case.log, case.question.level, len(case.classes)
    known = log.labelled
    key = (log.label * k + case.decided[known]) * 2 + answered[known]
    table = np.bincount(key, minlength=2 * k * k).reshape(k, k, 2)
    made = table[:, :, 1]

    def account(kind: Kind, code: int | None, good: int, n: int) -> Account:
        label = None if code is None else case.classes[code]
        if not n:
            return Account(kind, label, None, None, 0)
        return Account(kind, label, good / n, clopper_pearson(good, n, level), n)

    total = int(made.sum())
    yield account("error", None, total - int(np.trace(made)), total)
    for code in codes:
        yield account("precision", code, int(made[code, code]), int(made[:, code].sum()))
        cases, lost = int(table[code].sum()), int(made[code].sum() - made[code, code])
        yield account("recall", code, cases - lost, cases)


def _effective_accounts(
    case: RowCase, places: CasePlaces, answered: BoolArray, codes: list[int]
) -> Iterator[Account]:
    """Labels that stand for many cases, or belong together."""
    log, level = case.log, case.question.level
    truth = np.full(log.n_items, -1)
    truth[log.labelled] = log.label

    def account(kind: Kind, code: int | None, rows: BoolArray, good: BoolArray) -> Account:
        known = rows & log.labelled
        found = places.share_of(known, good.astype(np.float64), level)
        label = None if code is None else case.classes[code]
        return Account(kind, label, *found, int(known.sum()))

    yield account("error", None, answered, places.wrong > 0)
    for code in codes:
        said = case.decided == code
        yield account("precision", code, answered & said, truth == code)
        yield account("recall", code, truth == code, said | ~answered)


def _design(case: RowCase) -> Design:
    log = case.log
    if log.chosen is not None:
        return "proposed"
    if log.propensity is not None:
        return "propensity"
    if log.weight is not None:
        return "weight"
    if log.labelled.all():
        return "all"
    return "stated" if case.question.labels_are_random else "random"
