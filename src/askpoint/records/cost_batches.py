"""What the model thinks that the cases of a log cost, batch by batch, and a second time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.inputs import FloatArray
from askpoint.records.case_fingerprints import CaseFingerprint
from askpoint.records.scored_batches import ScoredTable
from askpoint.unknowns.case_costs import CostEstimate, mistakes_only

__all__ = ["CostBatch", "CostBatches"]

_KEPT = (
    1 << 27
)  # bytes of costs that are kept, of 16 to 32 million cases; those of longer logs are made twice


class CostBatch(NamedTuple):
    """Estimated costs of some rows.

    Attributes
    ----------
    start : int
        Rows of the log before these.
    cost : ndarray of shape (n_rows,)
        The estimated costs.
    squared : ndarray of shape (n_rows,), or None
        Estimated squared costs of the decisions, where they were asked for.
    """

    start: int
    cost: FloatArray
    squared: FloatArray | None


class CostBatches:
    """The estimated costs of a log, which goes by again only if they take more memory than is kept.

    Parameters
    ----------
    scored : ScoredTable
        The log.
    by : str
        Which estimate.
    squared : bool, default=False
        Whether squared costs are wanted, too.
    """

    def __init__(self, scored: ScoredTable, by: str, *, squared: bool = False) -> None:
        self._scored = scored.without_labels()
        self._estimate = CostEstimate(scored.costs, by)
        self._squares = None
        if squared:
            squares = np.square(mistakes_only(scored.costs).cost)
            self._squares = CostEstimate(CostMatrix(scored.classes, squares), "decision")
        self._kept: list[CostBatch] | None = None

    def first(self, fingerprint: CaseFingerprint) -> Iterator[CostBatch]:
        """Yield all costs, and add the cases to a fingerprint."""
        kept, size = list[CostBatch](), 0
        for costs in self._passing(fingerprint):
            size += costs.cost.nbytes + (0 if costs.squared is None else costs.squared.nbytes)
            if size <= _KEPT:
                kept.append(costs)
            else:
                kept.clear()
            yield costs
        self._kept = kept if size <= _KEPT else None

    def again(self) -> Iterator[CostBatch]:
        """Yield all costs once more."""
        return self._passing() if self._kept is None else iter(self._kept)

    def _passing(self, fingerprint: CaseFingerprint | None = None) -> Iterator[CostBatch]:
        for batch in self._scored.batches():
            if fingerprint is not None:
                fingerprint.add(batch)
            given = (batch.proba, batch.decided)
            squared = None if self._squares is None else self._squares.of(*given)
            cost = self._estimate.of(*given, narrow=squared is None)
            yield CostBatch(batch.start, cost, squared)
