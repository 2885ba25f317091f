"""How often a model is right on the cases of its log: the one number that a gate on it asks for."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np

from askpoint.answers.value.balanced_labels import balance_labels
from askpoint.answers.value.question import ValueQuestion
from askpoint.answers.value.refusals import Refusal, SelectiveLabels, find_refusal
from askpoint.answers.value.row_case import RowCase
from askpoint.answers.value.worst_cases import worst_case
from askpoint.errors import InputError
from askpoint.judges.gold.confidence_sequence import gold_confidence_sequence
from askpoint.measures.inputs import BoolArray
from askpoint.measures.intervals import Interval
from askpoint.records.predictions import PredictionLog
from askpoint.value.selection import LabelDependence

__all__ = ["RightShare", "measure_right_share"]

_NEAR, _FAR = 0.01, 0.2  # half widths that a first plan is made for, as for votes
_FIRST_BATCH = 30  # so many in sealed order stand for all where others were selected


@dataclass(frozen=True, kw_only=True)
class RightShare:
    """Share of a log's cases on which the model is right, as far as labels tell.

    Attributes
    ----------
    n_items, n_labels : int
        Cases, and those with a label; a cluster counts once.
    value : float or None
        The share; None where nothing follows from the labels.
    interval : Interval or None
        Where it lies; None with `value`, and where too few labels speak for cases that were hardly labelled.
    by_confidence : float or None
        The mean confidence, where that is meant as a probability.
    selection : LabelDependence or None
        How labelled and other cases differ; None without labels, and where all have one.
    is_balanced : bool
        Whether labels, visibly not drawn with equal chances, are weighted by strata of confidence.
    refusal : Refusal or None
        Why nothing follows.
    bounds : Interval or None
        Of selected labels: where the share lies if whoever chose saw the confidence alone. Confidences
        without labels count as all right or all wrong.
    """

    n_items: int
    n_labels: int
    value: float | None = None
    interval: Interval | None = None
    by_confidence: float | None = None
    selection: LabelDependence | None = None
    is_balanced: bool = False
    refusal: Refusal | None = None
    bounds: Interval | None = None

    def labels_to_begin(self, edge: float) -> int | None:
        """Return about how many labels would decide, if the confidence is right on the whole; None without one."""
        p = self.by_confidence
        if p is None:
            return None
        within = min(max(abs(p - edge), _NEAR), _FAR) / 1.96
        spread = p * (1 - p)
        wanted = ceil(spread / (within**2 + spread / self.n_items))
        return min(max(wanted, _FIRST_BATCH), self.n_items)


def measure_right_share(
    log: PredictionLog, *, level: float = 0.95, any_time: bool = False
) -> RightShare:
    """Estimate on what share of its cases one model is right.

    Labels that were visibly not drawn at random, by confidence, are weighted by strata of confidence where
    each stratum has some, and tell nothing else.

    Parameters
    ----------
    log : PredictionLog
        Of one model.
    level : float, default=0.95
        Interval coverage.
    any_time : bool, default=False
        Whether the interval shall hold however often one looks while labelling; then labels must be one per
        case, and of equal chances.

    Raises
    ------
    InputError
        If the log holds several models.

    Examples
    --------
    >>> import polars as pl
    >>> from askpoint import read_log
    >>> from askpoint.answers.value.right_share import measure_right_share
    >>> labels = (["a"] * 9 + ["b"]) * 10
    >>> log = read_log(pl.DataFrame({"label": labels, "prediction": "a", "confidence": 0.9}))
    >>> found = measure_right_share(log)
    >>> round(found.value, 2), found.interval.lower < 0.9 < found.interval.upper
    (0.9, True)
    """
    if log.model is not None:
        raise InputError(
            "the log must hold one model's predictions; got several. Keep one model's rows."
        )
    case = RowCase(log, ValueQuestion(level=level))
    balanced = balance_labels(case)
    case = case if balanced is None else balanced
    places, is_balanced = case.places, balanced is not None
    everywhere = np.ones(len(places.lowest), dtype=np.bool_)
    refusal = find_refusal(case, is_balanced=is_balanced)
    value = interval = bounds = None
    if refusal is None:
        value, interval = places.share_of(everywhere, places.right, level)
        if any_time:
            interval = _any_time_interval(case, level)
    elif isinstance(refusal, SelectiveLabels):
        worst = worst_case(case)
        bounds = Interval(1 - worst.high, 1 - worst.low)
    return RightShare(
        n_items=_units(log, everywhere),
        n_labels=_units(log, log.labelled),
        value=value,
        interval=interval,
        by_confidence=float(case.confidence.mean()) if case.is_probability else None,
        selection=case.selection,
        is_balanced=is_balanced,
        refusal=refusal,
        bounds=bounds,
    )


def _units(log: PredictionLog, rows: BoolArray) -> int:
    return int(rows.sum()) if log.cluster is None else len(np.unique(log.cluster[rows]))


def _any_time_interval(case: RowCase, level: float) -> Interval | None:
    """Return an interval that holds at all moments; None where labels are weighted or belong together."""
    places = case.places
    if places.is_weighted or places.cluster is not None:
        return None
    n = case.log.n_labelled
    return gold_confidence_sequence(
        int(places.right.sum()), n, n_items=case.log.n_items, level=level
    )
