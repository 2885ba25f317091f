"""The picture of a unit's evidence: a line over labels, and the bound that a licence takes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from askpoint.live.licences.certificate import Certificate, grant_bound
from askpoint.live.licences.replay import LicenceTerms, replay_labels
from askpoint.live.licences.without_each import WithoutEach
from askpoint.measures.inputs import FloatArray

__all__ = ["EvidencePicture", "evidence_picture"]

_WIDTH, _HEIGHT, _POINTS = 600, 140, 200
_LOW, _HIGH = -1.5, 4.5  # powers of ten that are shown


class EvidencePicture(NamedTuple):
    """A line to be drawn.

    Attributes
    ----------
    points : str
        Of the polyline.
    bound : float
        Height of the bound.
    words : str
        What it shows.
    """

    points: str
    bound: float
    words: str


def evidence_picture(
    labels: Sequence[float],
    limit: float,
    delta: float,
    people: Sequence[tuple[str | None, str | None]] = (),
) -> EvidencePicture | None:
    """Return the line of some labels, 0 right and 1 wrong; None where there are fewer than two.

    Where licences hold without each approver, `people` says to whom each action was dealt, and who decided: the line is
    then that of the least evidence.
    """
    if len(labels) < 2:
        return None
    history = replay_labels(list(labels), LicenceTerms(limit, delta))
    evidence, granted = history.evidence, history.granted
    if people:
        evidence = _least_evidence(labels, limit, people)
        passed = np.flatnonzero(evidence >= grant_bound(delta))
        granted = int(passed[0]) + 1 if len(passed) else None
    n, every = len(labels), max(1, len(labels) // _POINTS)
    places = [*range(0, n - 1, every), n - 1]
    points = " ".join(
        f"{_WIDTH * i / (n - 1):.1f},{_height(float(evidence[i])):.1f}" for i in places
    )
    bad = int(sum(labels))
    words = (
        f"{'Evidence without each approver, the least,' if people else 'Evidence'} after each of {n:,} labels, {bad:,} "
        "of them bad, on a scale of powers of ten. It "
        + (f"reached the bound at label {granted:,}." if granted else "has not reached the bound.")
    )
    return EvidencePicture(points, round(_height(grant_bound(delta)), 1), words)


def _least_evidence(
    labels: Sequence[float], limit: float, people: Sequence[tuple[str | None, str | None]]
) -> FloatArray:
    whole, apart, path = Certificate.start(limit), WithoutEach.start(limit), []
    for bad, (dealt, by) in zip(labels, people, strict=True):
        apart = apart.update(bad, whole, dealt=dealt, by=by)
        whole = whole.update(bad)
        path.append(min(whole.evidence, apart.evidence))
    return np.array(path)


def _height(evidence: float) -> float:
    power = min(_HIGH, max(_LOW, math.log10(max(evidence, 1e-9))))
    return _HEIGHT * (_HIGH - power) / (_HIGH - _LOW)
