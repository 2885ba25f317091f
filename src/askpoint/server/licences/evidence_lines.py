"""The picture of a unit's evidence: a line over labels, and the bound that a licence takes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from askpoint.live.licences.certificate import grant_bound
from askpoint.live.licences.replay import LicenceTerms, replay_labels

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


def evidence_picture(labels: Sequence[float], limit: float, delta: float) -> EvidencePicture | None:
    """Return the line of some labels, 0 right and 1 wrong; None where there are fewer than two."""
    if len(labels) < 2:
        return None
    history = replay_labels(list(labels), LicenceTerms(limit, delta))
    n, every = len(labels), max(1, len(labels) // _POINTS)
    places = [*range(0, n - 1, every), n - 1]
    points = " ".join(
        f"{_WIDTH * i / (n - 1):.1f},{_height(float(history.evidence[i])):.1f}" for i in places
    )
    bad = int(sum(labels))
    words = (
        f"Evidence after each of {n:,} labels, {bad:,} of them bad, on a scale of powers of ten. It "
        + (
            f"reached the bound at label {history.granted:,}."
            if history.granted
            else "has not reached the bound."
        )
    )
    return EvidencePicture(points, round(_height(grant_bound(delta)), 1), words)


def _height(evidence: float) -> float:
    power = min(_HIGH, max(_LOW, math.log10(max(evidence, 1e-9))))
    return _HEIGHT * (_HIGH - power) / (_HIGH - _LOW)
