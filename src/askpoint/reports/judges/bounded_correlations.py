"""What three judges leave open if their errors correlate by at most a bound."""

from __future__ import annotations

from typing import Any

from askpoint.errors import InputError
from askpoint.judges.sketch.codes import MISSING
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.judges.trios.bounded_correlations import BoundedEvaluation, bound_evaluation
from askpoint.reports.document import Grid, Notice, Section
from askpoint.reports.words import share

__all__ = ["bound_sketch", "object_of_bounds", "section_of_bounds"]


def bound_sketch(sketch: VoteSketch, at_most: float) -> BoundedEvaluation | None:
    """Bound the evaluation of three judges on the items that all three judged."""
    if (len(sketch.judges), len(sketch.labels)) != (3, 2):
        raise InputError(
            "--correlation-at-most must have three judges and two labels; got "
            f"{len(sketch.judges)} and {len(sketch.labels)}. Choose them with --judges and --positive."
        )
    votes, counts = sketch.cells()
    cells = [0] * 8
    for pattern, n in zip(votes.tolist(), counts.tolist(), strict=True):
        if MISSING not in pattern:
            cells[4 * pattern[0] + 2 * pattern[1] + pattern[2]] += n
    return bound_evaluation(cells, at_most)


def section_of_bounds(
    bounds: BoundedEvaluation | None, sketch: VoteSketch, at_most: float
) -> Section:
    """Return the section on what is left open."""
    title = f"If errors correlate by at most {at_most:g}"
    if bounds is None:
        return Section(
            title,
            (Notice("No three judges better than chance cast these votes: raise the bound."),),
        )
    first, second = sketch.labels
    rows = (
        (f"share of {first}", _interval(bounds.prevalence), ""),
        *(
            (judge, *map(_interval, of_labels))
            for judge, of_labels in zip(sketch.judges, bounds.accuracy, strict=True)
        ),
    )
    note = (
        "Every evaluation of judges better than chance whose error correlations (covariances of being "
        "right, on each label) are within the bound lies within these; sampling error comes on top."
    )
    return Section(
        title, (Grid("How often right", ("", f"on {first}", f"on {second}"), rows, note),)
    )


def object_of_bounds(
    bounds: BoundedEvaluation | None, sketch: VoteSketch, at_most: float
) -> dict[str, Any]:
    """Return the same as JSON; without intervals where no judges fit."""
    if bounds is None:
        return {"at_most": at_most, "is_possible": False}
    return {
        "at_most": at_most,
        "is_possible": True,
        "prevalence": list(bounds.prevalence),
        "accuracy": {
            judge: dict(zip(sketch.labels, map(list, of_labels), strict=True))
            for judge, of_labels in zip(sketch.judges, bounds.accuracy, strict=True)
        },
    }


def _interval(bounds: tuple[float, float]) -> str:
    return f"{share(bounds[0])} to {share(bounds[1])}"
