"""Nearest neighbours of nominal cases, all that tie for the third place included, as IBk counts them."""

from __future__ import annotations

import numpy as np

from askpoint.measures.inputs import FloatArray, IntArray

__all__ = ["neighbour_posteriors"]

_CHUNK = 128


def neighbour_posteriors(
    codes: IntArray, y: IntArray, n_classes: int, cases: IntArray, *, k: int = 3
) -> FloatArray:
    """Return the shares of classes among the k nearest rows, and those as near as the k-th.

    The distance is the number of attributes that differ. Each class begins with 1/n of a vote.
    """
    order = np.argsort(y, kind="stable")
    known = np.ascontiguousarray(codes[order].T.astype(np.uint16))
    ends = np.bincount(y, minlength=n_classes).cumsum()
    present = np.flatnonzero(np.diff(ends, prepend=0))
    starts = np.r_[0, ends[:-1]][present]
    asked, back = np.unique(cases.astype(np.uint16), axis=0, return_inverse=True)
    votes = np.full((len(asked), n_classes), 1 / len(y))
    for start in range(0, len(asked), _CHUNK):
        chunk = asked[start : start + _CHUNK]
        distance = np.zeros((len(chunk), len(y)), dtype=np.uint8)
        for mine, theirs in zip(chunk.T, known, strict=True):
            distance += mine[:, None] != theirs
        found = np.zeros((len(chunk), n_classes))
        open_ = np.arange(len(chunk))
        for near in range(len(known) + 1):
            hits = np.add.reduceat(distance[open_] == near, starts, axis=1, dtype=np.int64)
            found[np.ix_(open_, present)] += hits
            open_ = open_[found[open_].sum(axis=1) < k]
            if not len(open_):
                break
        votes[start : start + _CHUNK] += found
    shares: FloatArray = votes / votes.sum(axis=1, keepdims=True)
    return shares[back.ravel()]
