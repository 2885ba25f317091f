"""Whether judges err independently, as three of them, trios, pairs and agreement tell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from askpoint.answers.judges.answer import JudgesAnswer
from askpoint.displays.pair_order import strongest_pairs
from askpoint.reports.document import Block, Grid, Notice, Paragraph, Picture
from askpoint.reports.judges.tables import possible_share
from askpoint.reports.words import amount, count, plural, share

__all__ = ["agreement_blocks", "independence_blocks"]

_FEW = 12  # judges
_OUTCOMES: Mapping[str, tuple[Block, ...]] = {
    "inside": (),
    "outside": (
        Notice(
            "The points that explain these votes lie outside what is possible: the judges did "
            "not err independently."
        ),
    ),
    "complex": (
        Notice("Only complex numbers explain these votes: the judges did not err independently."),
    ),
    "empty": (
        Notice("No evaluation of independent judges explains these votes: they did not err so."),
    ),
    "positive-dimensional": (
        Notice(
            "Infinitely many evaluations explain these votes: a judge does not see the labels at "
            "all, or only one label occurs."
        ),
    ),
}


def independence_blocks(answer: JudgesAnswer) -> Iterator[Block]:
    """Yield what the votes say of independent errors."""
    found = answer.independent
    if found is None:
        if answer.trios is not None:
            yield Paragraph(
                f"Of {count(len(answer.trios.trios))} trios of judges {share(answer.trios.share_inside)} "
                "give a seemingly correct answer when they are taken to err independently."
            )
        return
    yield from _OUTCOMES[found.outcome]
    if found.chosen is not None:
        label = answer.label
        yield Paragraph(
            f"Two points explain the votes if errors are independent; the one with {label} at "
            f"{possible_share(float(found.chosen.prevalence[label]))} counts, because {found.reason}."
        )
    elif found.points:
        yield Notice(f"Neither point was chosen: {found.reason}. Add --root.")
    if found.is_resolved is False and found.points:
        yield Paragraph(
            "The points are not fractions of whole numbers, which proves that the judges were not "
            "exactly independent on these items; next to no real judges are."
        )


def agreement_blocks(answer: JudgesAnswer) -> Iterator[Block]:
    """Yield how far judges agree, and the pairs that err together."""
    agreement = answer.agreement
    rows = [
        (
            "equal votes among pairs",
            "" if agreement.observed is None else share(agreement.observed),
        ),
        ("Fleiss' kappa", _number(agreement.fleiss, agreement.reasons.get("fleiss"))),
        (
            "Krippendorff's alpha",
            _number(agreement.krippendorff, agreement.reasons.get("krippendorff")),
        ),
    ]
    yield Grid(
        "Agreement is not accuracy: judges with the same blind spot agree, too",
        ("measure", "value"),
        tuple(rows),
    )
    found = answer.ensemble
    if found is None:
        return
    apart = " of different families" if answer.families else ""
    if found.flagged:
        named = "; ".join(
            f"{' and '.join(pair.judges)} ({amount(pair.residual)})" for pair in found.flagged[:8]
        )
        more = len(found.flagged) - 8
        yield Notice(
            f"{plural(len(found.flagged), 'pair', 'pairs')} of judges agree more, or less, than "
            f"their accuracies explain, and were left out of the fit: {named}"
            + (f"; and {more} more." if more > 0 else ".")
        )
    elif len(answer.sketch.judges) > 3:
        yield Paragraph(f"No pair of judges{apart} agrees more than their accuracies explain.")
    judges = len(answer.sketch.judges)
    if judges > 3 and (found.flagged or judges <= _FEW):  # of many, some pairs agree by chance
        panel, residuals = answer.sketch.judges, found.residuals
        flagged = [pair.judges for pair in found.flagged]

        def draw(ax: Any) -> object:
            from askpoint.displays.judges import (
                PairCorrelationDisplay,  # only pages need matplotlib
            )

            return PairCorrelationDisplay(panel, residuals, flagged).plot(ax)

        yield Picture(
            "How far pairs agree beyond what their accuracies explain, the strongest first; filled: "
            "flagged pairs, which is more than chance.",
            "; ".join(f"{' and '.join(p.judges)}: {amount(p.residual)}" for p in found.flagged)
            or "No pair is flagged.",
            draw,
            1.0 + 0.36 * len(strongest_pairs(panel, residuals, flagged)),
        )


def _number(value: float | None, reason: str | None) -> str:
    return f"none: {reason}" if value is None else amount(value)
