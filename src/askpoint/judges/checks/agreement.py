"""How much judges agree, beyond chance: Cohen, Fleiss, Krippendorff. Agreement is not accuracy."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from askpoint.judges.sketch.codes import MISSING, judge_places
from askpoint.judges.sketch.vote_sketch import VoteSketch

__all__ = [
    "JudgeAgreement",
    "cohen_kappa",
    "fleiss_kappa",
    "krippendorff_alpha",
    "measure_agreement",
]


@dataclass(frozen=True)
class JudgeAgreement:
    """Agreement of all judges with each other.

    Attributes
    ----------
    observed : float or None
        Share of the pairs of votes on one item that are equal.
    fleiss, krippendorff : float or None
        Fleiss' kappa, and Krippendorff's alpha for nominal labels, which bears missing votes.
    cohen : mapping of pairs of str to float or None
        Cohen's kappa of each pair of judges.
    reasons : mapping of str to str
        Why a number is None, by its name.
    """

    observed: float | None
    fleiss: float | None
    krippendorff: float | None
    cohen: Mapping[tuple[str, str], float | None]
    reasons: Mapping[str, str]


def measure_agreement(sketch: VoteSketch, *, most_pairs: int = 2000) -> JudgeAgreement:
    """Measure how much judges agree."""
    reasons: dict[str, str] = {}
    equal, pairs = _pairs_of_votes(sketch)
    if not pairs:
        reasons["observed"] = "no item has two votes"
    fleiss, krippendorff = fleiss_kappa(sketch), krippendorff_alpha(sketch)
    if fleiss is None:
        uneven = len(_votes_an_item(sketch)) != 1
        reasons["fleiss"] = "items have different numbers of votes" if uneven else _CONSTANT
    if krippendorff is None:
        reasons["krippendorff"] = reasons.get("observed", _CONSTANT)
    n = len(sketch.judges)
    cohen: dict[tuple[str, str], float | None] = {}
    if n * (n - 1) // 2 > most_pairs:
        reasons["cohen"] = f"{n} judges make more than {most_pairs} pairs"
    else:
        for first, second in itertools.combinations(sketch.judges, 2):
            cohen[first, second] = cohen_kappa(sketch, first, second)
        if None in cohen.values():
            reasons["cohen"] = "pairs without common items, or with one label only, have none"
    observed = equal / pairs if pairs else None
    return JudgeAgreement(observed, fleiss, krippendorff, cohen, reasons)


_CONSTANT = "only one label was given, so that agreement by chance is complete"


def cohen_kappa(sketch: VoteSketch, first: str, second: str) -> float | None:
    """Cohen's kappa of two judges on the items that both judged.

    References
    ----------
    Cohen, Educational and Psychological Measurement 20 (1960).
    """
    places = judge_places(sketch.judges, (first, second))
    votes, counts = sketch.cells()
    columns = votes[:, places]
    both = (columns != MISSING).all(axis=1)
    table = np.zeros((len(sketch.labels),) * 2)
    np.add.at(table, tuple(columns[both].T), counts[both])
    total = table.sum()
    expected = table.sum(axis=0) @ table.sum(axis=1)
    if total * total == expected:  # both nothing, or one label only
        return None
    return float((total * np.trace(table) - expected) / (total * total - expected))


def fleiss_kappa(sketch: VoteSketch) -> float | None:
    """Fleiss' kappa.

    References
    ----------
    Fleiss, Psychological Bulletin 76 (1971).
    """
    sizes = _votes_an_item(sketch)
    if len(sizes) != 1 or min(sizes) < 2:
        return None
    equal, pairs = _pairs_of_votes(sketch)
    shares = _tally(sketch).T @ sketch.cells().counts / (sketch.n_items * min(sizes))
    expected = float(shares @ shares)
    return None if expected == 1 else (equal / pairs - expected) / (1 - expected)


def krippendorff_alpha(sketch: VoteSketch) -> float | None:
    """Krippendorff's alpha for nominal labels; items with fewer than two votes do not count.

    References
    ----------
    Krippendorff, Content Analysis (2004), chapter 11.
    """
    tally, counts = _tally(sketch), sketch.cells().counts
    size = tally.sum(axis=1)
    paired = size > 1
    tally, size, counts = tally[paired], size[paired], counts[paired].astype(float)
    label_totals = tally.T @ counts  # votes of each label
    total = label_totals.sum()
    expected = total * total - label_totals @ label_totals
    if not expected:
        return None
    disagreement = ((size * size - (tally * tally).sum(axis=1)) / np.maximum(size - 1, 1)) @ counts
    return float(1 - (total - 1) * disagreement / expected)


def _tally(sketch: VoteSketch) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Votes for each label in each pattern."""
    votes = sketch.cells().votes
    return np.stack([(votes == label).sum(axis=1) for label in range(len(sketch.labels))], axis=1)


def _votes_an_item(sketch: VoteSketch) -> set[int]:
    return set(_tally(sketch).sum(axis=1).tolist())


def _pairs_of_votes(sketch: VoteSketch) -> tuple[float, float]:
    """Pairs of equal votes on one item, and all pairs."""
    tally, counts = _tally(sketch), sketch.cells().counts.astype(float)
    size = tally.sum(axis=1)
    equal = (tally * (tally - 1)).sum(axis=1)
    return float(equal @ counts), float((size * (size - 1)) @ counts)
