"""Labels whose chance follows the confidence: each counts for the cases of its stratum."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from askpoint.answers.value.label_gaps import find_label_gap
from askpoint.answers.value.model_cases import ModelCases
from askpoint.answers.value.row_case import RowCase
from askpoint.measures.inputs import FloatArray, IntArray
from askpoint.measures.label_draws import cut_parts

__all__ = ["balance_labels"]

_STRATA = 8
_FEWEST = 4  # labels of a stratum, spec J13.1


def balance_labels(case: ModelCases) -> RowCase | None:
    """Return a case whose labels are weighted by strata of confidence; None where none need be, or none help.

    Labels that were visibly not drawn with equal chances, by confidence, tell as much of how often the model
    is right where it is so sure; averages over cases need weights. Where some confidences lack labels
    beyond chance, and for promises, which count cases, nothing helps.
    """
    log, question, selection = case.log, case.question, case.selection
    if (
        not isinstance(case, RowCase)
        or log is None
        or case.is_weighted
        or log.chosen is not None
        or question.labels_are_random
        or question.objective.is_promised
        or question.objective.output_limit is not None
        or selection is None
        or not selection.is_selective
        or find_label_gap(case)
    ):
        return None
    chance = _chances(case.confidence, log.labelled.astype(np.int64))
    balanced = RowCase(replace(log, propensity=chance[log.labelled]), question)
    balanced.selection = selection
    return balanced


def _chances(confidence: FloatArray, labelled: IntArray) -> FloatArray:
    """Return the share of labelled cases in each one's stratum of confidence."""
    stratum = cut_parts(confidence, np.ones(len(confidence), dtype=np.int64), _STRATA)
    while True:
        stratum = np.unique(stratum, return_inverse=True)[1].ravel()
        labels, items = np.bincount(stratum, labelled), np.bincount(stratum)
        few = np.flatnonzero(labels < _FEWEST)
        if not few.size or len(labels) == 1:
            return np.asarray((labels / items)[stratum])
        at = int(few[np.argmin(labels[few])])
        neighbours = [k for k in (at - 1, at + 1) if 0 <= k < len(labels)]
        stratum[stratum == at] = min(neighbours, key=labels.__getitem__)
