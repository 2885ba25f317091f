"""What is promised of new cases, said."""

from __future__ import annotations

from typing import Any

import numpy as np

from askpoint.answers.value.guarantee import Guarantee
from askpoint.reports.document import Block, Grid, Paragraph
from askpoint.reports.words import amount, probability, round_share, share

__all__ = ["answering_pays_block", "guarantee_blocks", "guarantee_object"]


def answering_pays_block(p_value: float) -> Paragraph:
    """Return the test of answering against asking in words."""
    return Paragraph(
        "Were answering no better than asking at this price, so many right answers would have a "
        f"probability of {probability(p_value)} (exact binomial test). The threshold was chosen on "
        "the same cases, so take it for a hint; new cases would make it a proof."
    )


def guarantee_blocks(guarantee: Guarantee) -> tuple[Block, ...]:
    """Return the promise in words, and the two choices side by side."""
    rows = tuple(
        (
            name,
            "never" if np.isinf(point.threshold) else amount(point.threshold),
            share(coverage),
            "–" if point.outcomes.risk is None else share(point.outcomes.risk),
        )
        for name, point, coverage in (
            ("with the promise", guarantee.point, guarantee.coverage),
            ("without it", guarantee.unguarded, guarantee.unguarded_coverage),
        )
    )
    return (
        Paragraph(
            f"With a probability of {round_share(1 - guarantee.delta)} over labelled cases like these, at "
            f"most {round_share(guarantee.risk)} of the answers to new cases are wrong (learn then test: "
            "exact binomial tests, one threshold after the other, from cautious to bold). The "
            f"promise costs {share(guarantee.price)} of the cases: they go to people for its sake."
        ),
        Grid(
            "What the promise costs",
            ("choice", "answer from", "answered", "mistakes among answers here"),
            rows,
            "Without the promise the limit holds on these cases, and on new ones about every "
            "second time. The promise is for cases drawn like the labelled ones.",
        ),
    )


def guarantee_object(guarantee: Guarantee) -> dict[str, Any]:
    """Return the same as part of a JSON object."""
    guarded, free = (
        {
            "threshold": point.threshold if np.isfinite(point.threshold) else None,
            "coverage": coverage,
            "accepted_error": point.outcomes.risk,
        }
        for point, coverage in (
            (guarantee.point, guarantee.coverage),
            (guarantee.unguarded, guarantee.unguarded_coverage),
        )
    )
    return {
        "risk": guarantee.risk,
        "delta": guarantee.delta,
        **guarded,
        "price_in_coverage": guarantee.price,
        "unguarded": free,
    }
