"""Regions of a log: where the model is sure and wrong, and where it is unsure and right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from askpoint.errors import InputError, NotEstimableError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.inputs import FloatArray, IntArray
from askpoint.records.features import Features, features_of
from askpoint.records.judged_cases import FoundCases
from askpoint.records.scored_batches import ScoredTable
from askpoint.unknowns.regions import Regions, find_regions
from askpoint.unknowns.unknown_knowns import Releases, find_unknown_knowns

__all__ = [
    "ExamineQuestion",
    "RegionsAnswer",
    "ReleasesAnswer",
    "answer_regions",
    "answer_releases",
]

_NO_FEATURES = "the log has no column of features or text to seek regions in"
_CONFIDENCE = "confidence"  # of the decision made: a region may begin where the model is surer
_UNEVEN = (
    "the cases were not drawn evenly, so their share of mistakes is not that of the unsure cases; "
    "draw with --method random"
)


@dataclass(frozen=True)
class ExamineQuestion:
    """How the examination is to be read.

    Parameters
    ----------
    by : {"decision", "minimum", "expected"}
        Which estimate of the cost.
    estimated_bound : float, optional
        Estimated cost above which the model counts as uncertain.
    level : float, default=0.95
        Interval coverage.
    width : float, default=0.05
        How narrow the interval of the share of mistakes is to be.
    seed : int, default=0
        Of the halves on which regions are sought and confirmed.
    cluster : str, optional
        Column that says which cases belong together, where regions are sought.
    release_limit : float, optional
        Share of mistakes up to which regions of unsure cases are released from checks; without
        it none are sought.
    """

    by: str = "decision"
    estimated_bound: float | None = None
    level: float = 0.95
    width: float = 0.05
    seed: int = 0
    cluster: str | None = None
    release_limit: float | None = None


@dataclass(frozen=True)
class RegionsAnswer:
    """Where the model is confident but wrong, or why that is not known.

    Parameters
    ----------
    found : Regions or None
        What was confirmed; None if nothing could be sought.
    sought_in : tuple of str
        Columns that were looked through.
    skipped : tuple of str
        Columns that were not.
    reason : str
        Why `found` is None.
    """

    found: Regions | None
    sought_in: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class ReleasesAnswer:
    """Where the model is unsure and right, or why that is not known.

    Parameters
    ----------
    found : Releases or None
        What was certified; None if nothing could be sought.
    limit : float
        The share of mistakes that was allowed.
    reason : str
        Why `found` is None.
    """

    found: Releases | None
    limit: float
    reason: str = ""


def answer_regions(
    scored: ScoredTable,
    cases: FoundCases,
    rows: IntArray,
    truths: Any,
    question: ExamineQuestion,
    weights: FloatArray | None = None,
) -> RegionsAnswer:
    """Seek regions where the model is sure and wrong."""
    features, clusters = _features(cases, rows, question)
    sought = (*features.columns, *features.texts)
    if not sought:
        return RegionsAnswer(None, (), features.skipped, _NO_FEATURES)
    try:
        found = find_regions(
            *_case_arrays(scored, cases, rows, truths),
            np.random.default_rng(question.seed),
            columns=features.columns,
            texts=features.texts,
            by=question.by,
            weights=weights,
            clusters=clusters,
            level=question.level,
        )
    except NotEstimableError as error:
        return RegionsAnswer(None, sought, features.skipped, str(error))
    return RegionsAnswer(found, sought, features.skipped)


def answer_releases(
    scored: ScoredTable,
    cases: FoundCases,
    rows: IntArray,
    truths: Any,
    question: ExamineQuestion,
    *,
    evenly: bool = True,
) -> ReleasesAnswer | None:
    """Seek regions where the model is unsure and right, where a limit is stated."""
    limit = question.release_limit
    if limit is None:
        return None
    features, clusters = _features(cases, rows, question)
    if not evenly:
        return ReleasesAnswer(None, limit, _UNEVEN)
    given = _case_arrays(scored, cases, rows, truths)
    columns = dict(features.columns)
    if _CONFIDENCE not in (*columns, *features.texts):
        columns[_CONFIDENCE] = given[0][np.arange(len(rows)), cases.decisions[rows]]
    try:
        found = find_unknown_knowns(
            *given,
            np.random.default_rng(question.seed),
            limit=limit,
            columns=columns,
            texts=features.texts,
            by=question.by,
            estimated_bound=question.estimated_bound,
            clusters=clusters,
            level=question.level,
        )
    except NotEstimableError as error:
        return ReleasesAnswer(None, limit, str(error))
    return ReleasesAnswer(found, limit)


def _case_arrays(
    scored: ScoredTable, cases: FoundCases, rows: IntArray, truths: Any
) -> tuple[FloatArray, CostMatrix, Any, Any]:
    names = np.array(scored.classes, dtype=object)
    return cases.proba[rows], scored.costs, names[cases.decisions[rows]], truths


def _features(cases: FoundCases, rows: IntArray, question: ExamineQuestion) -> tuple[Features, Any]:
    """Columns to seek in, and the clusters, where they are named."""
    cells = cases.cells[rows] if cases.cells.width else cases.cells
    clusters = None
    if question.cluster is not None:
        if question.cluster not in cells.columns:
            raise InputError(
                f"the log has no column {question.cluster!r} for clusters, among {cells.columns}"
            )
        clusters = cells[question.cluster].cast(pl.String).fill_null("").to_numpy()
        cells = cells.drop(question.cluster)
    return features_of(cells), clusters
