"""What the model thinks that the cases of a log cost, and the log's fingerprint, seen once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from askpoint.records.case_fingerprints import CaseFingerprint
from askpoint.records.cost_batches import CostBatches
from askpoint.records.log_stream import Progress
from askpoint.records.scored_batches import ScoredTable

__all__ = ["Estimates", "log_estimates"]


class Estimates(NamedTuple):
    """What the model thinks that the cases of a log cost, seen once.

    Attributes
    ----------
    n_items : int
        Rows.
    low, high : float
        Range of the estimated costs.
    digest : str
        Fingerprint of the cases and what the model says on them.
    """

    n_items: int
    low: float
    high: float
    digest: str


def log_estimates(
    scored: ScoredTable,
    *,
    by: str = "decision",
    progress: Progress | None = None,
    costs: CostBatches | None = None,
) -> Estimates:
    """Let a log go by for the range of its estimated costs, and its fingerprint.

    Who wants the `costs` a second time hands them in.
    """
    fingerprint, rows, low, high = CaseFingerprint(scored.classes), 0, np.inf, -np.inf
    passing = CostBatches(scored, by) if costs is None else costs
    for batch in passing.first(fingerprint):
        low, high = min(low, float(batch.cost.min())), max(high, float(batch.cost.max()))
        rows += len(batch.cost)
        if progress is not None:
            progress(rows)
    return Estimates(rows, low, high, fingerprint.digest())
