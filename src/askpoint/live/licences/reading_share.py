"""Evidence that counts what readers overlook, measured by golden actions (spec/approvals.md, A3).

A golden action is known to be bad, stands unmarked in the same queue and is never executed. Of bad actions a share
m is overlooked; in each bracket of m the marked rate has a limit of its own and golden misses speak against the
bracket. The true m lies in one bracket, where the product is a supermartingale; the least is smaller.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from askpoint.live.licences.certificate import evidence_path
from askpoint.measures.inputs import FloatArray

__all__ = ["BRACKETS", "evidence_with_gold"]

BRACKETS = (0.0, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.45, 0.6, 0.8, 0.95, 1.0)
"""Edges of the share that readers overlook."""


def evidence_with_gold(bad: Sequence[float], missed: Sequence[bool], limit: float) -> FloatArray:
    """Return the evidence after each label that the true rate lies below a limit.

    Parameters
    ----------
    bad : sequence of float
        Labels in the order of their actions, 0 right to 1 wrong.
    missed : sequence of bool
        Of golden actions, which the readers let pass; dealt independently of the actions.
    limit : float
        On the true rate.

    Returns
    -------
    ndarray of shape (n_labels,)
    """
    edges = np.array(BRACKETS)
    gold = np.ones(len(edges) - 1)
    if len(missed):
        against = evidence_path([float(one) for one in missed], edges[1:-1])[-1]
        gold[1:] = (1 + against) / 2
    marked = evidence_path(bad, limit * (1 - edges[1:-1]))
    products = np.column_stack([marked * gold[:-1], np.full(len(marked), gold[-1])])
    return np.asarray(products.min(axis=1)) if len(marked) else np.empty(0)
