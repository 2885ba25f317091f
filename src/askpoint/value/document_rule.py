"""Documents of several fields that are released together: one rule for the sum, closed for any chances.

To open a document costs something once, and each field that is looked at costs something more. A wrong field that
nobody looked at is a mistake. Then a document is released where what looking would save is at most what opening
costs. That is a threshold of the sum over its fields, and never one for each field.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from askpoint.errors import ObjectiveError
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray

__all__ = [
    "DocumentPlan",
    "DocumentPrices",
    "document_costs",
    "plan_by_fields",
    "plan_documents",
    "release_score",
]


@dataclass(frozen=True)
class DocumentPrices:
    """What documents cost, in checks: a check is what a document costs to open, unless another price is stated.

    Parameters
    ----------
    mistake : float
        A wrong field that nobody looked at.
    opening : float, default=1
        To open a document.
    field : float, default=0
        To look at one of its fields.
    """

    mistake: float
    opening: float = 1.0
    field: float = 0.0

    def __post_init__(self) -> None:
        if not (np.isfinite(self.mistake) and self.mistake >= 1):
            raise ObjectiveError(f"a mistake must cost 1 check or more; got {self.mistake:g}")
        for name, price in (("open a document", self.opening), ("look at a field", self.field)):
            if not (np.isfinite(price) and price >= 0):
                raise ObjectiveError(f"what it costs to {name} must be 0 or more; got {price:g}")
        if self.opening + self.field == 0:
            raise ObjectiveError(
                "to open a document and to look at a field cannot both be free: then people look at everything, and "
                "no rule is needed"
            )


@dataclass(frozen=True, eq=False)
class DocumentPlan:
    """Which documents are released unseen, and which fields of the others people look at.

    Parameters
    ----------
    released : ndarray of bool of shape (n_documents,)
        By number of the document.
    looked : ndarray of bool of shape (n_fields,)
        By field.
    """

    released: BoolArray
    looked: BoolArray


def plan_documents(wrong: FloatArray, document: IntArray, prices: DocumentPrices) -> DocumentPlan:
    """Return the plan of least expected cost.

    Parameters
    ----------
    wrong : ndarray of shape (n_fields,)
        Chance that each field is wrong.
    document : ndarray of int of shape (n_fields,)
        Which document each belongs to, 0, 1, ...
    prices : DocumentPrices
        What is paid.

    Notes
    -----
    cost = min(M sum w, r0 + sum min(r, M w)), so a document is released iff sum max(0, M w - r) <= r0, and of
    others the fields with M w > r are looked at.
    """
    saved = np.maximum(0, prices.mistake * wrong - prices.field)
    released = np.bincount(document, saved) <= prices.opening
    return DocumentPlan(released, ~released[document] & (saved > 0))


def plan_by_fields(wrong: FloatArray, document: IntArray, prices: DocumentPrices) -> DocumentPlan:
    """Return what a threshold for each field does: release a document where every field passes. It is not offered."""
    dear = prices.mistake * wrong > prices.opening + prices.field
    released = np.bincount(document, dear) == 0
    return DocumentPlan(released, ~released[document] & (prices.mistake * wrong > prices.field))


def document_costs(
    plan: DocumentPlan, wrong: FloatArray, document: IntArray, prices: DocumentPrices
) -> FloatArray:
    """Return what each document costs; `wrong` holds chances, or what is so."""
    fields = np.bincount(
        document, np.where(plan.looked, prices.field, prices.mistake * wrong), len(plan.released)
    )
    return np.asarray(np.where(plan.released, 0.0, prices.opening) + fields)


def release_score(wrong: FloatArray, document: IntArray) -> FloatArray:
    """Return how sure it is that no field of a document is wrong, for a threshold: exp of minus the expected mistakes."""
    return np.asarray(np.exp(-np.bincount(document, wrong)))
