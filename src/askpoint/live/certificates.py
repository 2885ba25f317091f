"""Certificates of a promise: which thresholds have been shown to keep to the limit, and which may open."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from askpoint.live.restarts import Start, window_labels
from askpoint.live.terms import Terms
from askpoint.measures.chains import ThresholdChains
from askpoint.measures.eprocess import log_risk_evidence

__all__ = ["WAIT", "advance_start", "certified_place", "place_to_open"]

WAIT = 2000
"""Labels after which any certificate is used."""
_NEAR = 0.6  # of the coverage that the raw counts would allow: used earlier


def advance_start(start: Start, terms: Terms) -> Start:
    """Walk the chains of a start as far as its labels allow."""
    counts = start.counts
    if counts is None:
        return start
    evidence = log_risk_evidence(counts.w, counts.n, terms.limit)
    return replace(start, places=_chains(start, terms).advance(start.places, evidence))


def certified_place(start: Start, terms: Terms) -> int | None:
    """Return the boldest place of the grid that a start has certified."""
    return _chains(start, terms).boldest_passed(start.places)


def place_to_open(start: Start, terms: Terms, relapses: int | None = None) -> int | None:
    """Return the place of the grid from which a start may open; None while it may not.

    Parameters
    ----------
    start : Start
        As of now.
    terms : Terms
        What was agreed.
    relapses : int, optional
        Openings in a row that did not last: of a start beside the episode's own, which has then to
        see the more, and must look good to the end.
    """
    best, counts = certified_place(start, terms), start.counts
    if best is None or counts is None:
        return None
    if relapses is not None:
        must = window_labels(relapses) if relapses else 0
        if counts.labels < must or counts.w[best] > terms.limit * counts.n[best]:
            return None
    raw = np.flatnonzero(counts.w <= terms.limit * counts.n)
    is_timid = counts.n[best] < _NEAR * counts.n[raw.max(initial=best)]
    return None if is_timid and counts.labels < WAIT else best


def _chains(start: Start, terms: Terms) -> ThresholdChains:
    return ThresholdChains(terms.episode_delta(start.number))
