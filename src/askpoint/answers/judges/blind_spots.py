"""What votes alone leave open: errors that all judges share, and the labels that would show them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from askpoint.judges.checks.blind_spot import BlindSpotBand, blind_spot_band, own_intervals
from askpoint.judges.evaluation import EvaluationIntervals
from askpoint.judges.evaluator import MethodDoubt
from askpoint.judges.gold.gold_sketch import GoldSketch
from askpoint.judges.methods.dawid_skene import ConfusionsEvaluation
from askpoint.judges.sketch.vote_sketch import VoteSketch

__all__ = ["STRONG_CORRELATION", "BlindSpots", "SureItems", "blind_spots_of"]

STRONG_CORRELATION = 0.5
"""Error correlation of the panels of model judges whose errors are the most alike."""

_SHARES = (0.05, 0.1)
_SURE = 0.9


@dataclass(frozen=True)
class SureItems:
    """Items that votes alone give one label for sure, and what checking some of them brought."""

    n_items: int
    n_labelled: int
    n_wrong: int


@dataclass(frozen=True)
class BlindSpots:
    """What an error common to all judges would change, and whether other errors are common.

    Attributes
    ----------
    band : BlindSpotBand
        At the correlation that was asked.
    others : tuple of BlindSpotBand
        At a strong correlation, and where 5 and 10% of each label's items look like another.
    misfits : tuple of Doubt or None
        What shows that some judges err together; None if these votes cannot show such a thing.
    sure : mapping of label to SureItems
    """

    band: BlindSpotBand
    others: tuple[BlindSpotBand, ...]
    misfits: tuple[MethodDoubt, ...] | None
    sure: Mapping[str, SureItems]


def blind_spots_of(
    evaluation: ConfusionsEvaluation,
    sketch: VoteSketch,
    gold: GoldSketch | None,
    *,
    correlation: float,
    level: float,
    own: EvaluationIntervals | None,
    misfits: tuple[MethodDoubt, ...] | None,
) -> BlindSpots:
    """Return the bands around Dawid and Skene's evaluation."""
    own = own_intervals(evaluation, level) if own is None else own
    return BlindSpots(
        blind_spot_band(evaluation, correlation=correlation, own=own),
        (
            blind_spot_band(evaluation, correlation=STRONG_CORRELATION, own=own),
            *(blind_spot_band(evaluation, share=share, own=own) for share in _SHARES),
        ),
        misfits,
        _sure(evaluation, sketch, gold),
    )


def _sure(
    evaluation: ConfusionsEvaluation, sketch: VoteSketch, gold: GoldSketch | None
) -> dict[str, SureItems]:
    votes, counts = sketch.cells()
    sure = evaluation.posterior > _SURE
    checked = np.zeros((len(votes), len(sketch.labels)), dtype=np.int64)
    if gold is not None:
        place = {row.tobytes(): i for i, row in enumerate(votes)}
        labelled, truths = gold.cells()
        for row, truth in zip(labelled, truths, strict=True):
            checked[place[row.tobytes()]] += truth
    return {
        label: SureItems(
            int(counts[sure[:, code]].sum()),
            int(checked[sure[:, code]].sum()),
            int(np.delete(checked[sure[:, code]], code, axis=1).sum()),
        )
        for code, label in enumerate(sketch.labels)
    }
