"""What an examination found, once judged: side by side, what was found and what that means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from askpoint.errors import InputError, NotEstimableError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.inputs import FloatArray, as_codes, as_level, as_probabilities
from askpoint.measures.intervals import Interval
from askpoint.unknowns.case_costs import actual_cost, estimate_cost, mistakes_only
from askpoint.unknowns.examination import ExaminationSample
from askpoint.unknowns.population import PopulationEstimate, looking_interval, population_mean
from askpoint.unknowns.quadrants import Bounds, Quadrants, item_quadrants
from askpoint.unknowns.severity import severities

__all__ = ["BinFinding", "FindingEstimate", "Findings", "examination_findings"]


@dataclass(frozen=True)
class FindingEstimate:
    """One quantity: among the cases judged, and among all.

    Parameters
    ----------
    found : float
        Mean over the cases judged; it says how the examination was drawn, not how good the
        model is.
    estimate : Estimate or None
        Horvitz-Thompson estimate of the mean over all cases with its interval, for an
        examination that ends where it was planned to end.
    looking : Interval or None
        Interval that stays valid while looking, and when the examination stops early.
    reason : str
        Why something is None.
    """

    found: float
    estimate: PopulationEstimate | None
    looking: Interval | None
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class BinFinding:
    """One bin of estimated cost.

    Parameters
    ----------
    low, high : float
        Its edges.
    n_cases, n_drawn, n_judged : int
        Cases in the log, in the examination, judged so far.
    classes : mapping of str to int
        How often each class was the truth among those judged.
    mistakes : int
        Wrong decisions among those judged.
    estimated : float or None
        Mean estimated cost of the cases judged; None without any.
    actual : Estimate or None
        Mean actual cost of cases like these and its interval, also where all of the bin were
        judged; None without any.
    """

    low: float
    high: float
    n_cases: int
    n_drawn: int
    n_judged: int
    classes: Mapping[Any, int]
    mistakes: int
    estimated: float | None
    actual: PopulationEstimate | None

    @property
    def calibrated(self) -> bool | None:
        """Whether the model's own estimate lies in the interval; None if nothing was judged."""
        if self.estimated is None or self.actual is None:
            return None
        lower, upper = self.actual.interval
        return lower <= self.estimated <= upper


@dataclass(frozen=True, eq=False, kw_only=True)
class Findings:
    """The result of an examination.

    Made by `examination_findings`.

    Parameters
    ----------
    examination : Examination
        What was drawn.
    n_judged : int
        The first so many of it were judged.
    mistakes, cost, unknown_unknowns : Finding
        Share of wrong decisions, mean actual cost, share of unknown unknowns.
    bins : tuple of BinFinding
        The same by bin of estimated cost.
    severities : ndarray of shape (n_judged,)
        0 where the decision was right, else how sure the model was, up to 1000.
    quadrants : Quadrants
        Of the cases judged.
    level : float
        Interval coverage.
    """

    examination: ExaminationSample
    n_judged: int
    mistakes: FindingEstimate
    cost: FindingEstimate
    unknown_unknowns: FindingEstimate
    bins: tuple[BinFinding, ...]
    severities: FloatArray
    quadrants: Quadrants
    level: float

    @property
    def bounds(self) -> Bounds:
        """What was called high."""
        return self.quadrants.bounds


def examination_findings(
    examination: ExaminationSample,
    labels: Sequence[Any],
    proba: ArrayLike,
    decisions: ArrayLike,
    cost_matrix: CostMatrix,
    *,
    by: str = "decision",
    estimated_bound: float | None = None,
    actual_bound: float = 0.0,
    level: float = 0.95,
) -> Findings:
    """Evaluate an examination, whole or as far as it was judged.

    Parameters
    ----------
    examination : Examination
        What was drawn.
    labels : sequence of length n_judged
        True classes of its first cases, as `labels_in_order` gives them.
    proba : array-like of shape (n_drawn, n_classes) or (n_drawn,)
        Probabilities of all its cases, in their order.
    decisions : array-like of shape (n_drawn,)
        Decisions on all its cases.
    cost_matrix : CostMatrix
        Truths in rows, decisions in columns.
    by : {"decision", "minimum", "expected"}
        Which estimate of the cost the bins and quadrants use.
    estimated_bound : float, optional
        See `askpoint.unknowns.quadrants.bounds_of`.
    actual_bound : float, default=0
        See `askpoint.unknowns.quadrants.bounds_of`.
    level : float, default=0.95
        Interval coverage.

    Returns
    -------
    Findings

    Raises
    ------
    NotEstimableError
        If nothing was judged.
    InputError
        If the arrays do not fit together.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.measures.cost_matrix import CostMatrix
    >>> from askpoint.unknowns.case_costs import estimate_cost
    >>> from askpoint.unknowns.examination import ExaminationDesign, draw_examination
    >>> from askpoint.unknowns.findings import examination_findings
    >>> rng = np.random.default_rng(4)
    >>> p = rng.random(20_000) ** 4
    >>> truth = np.where(rng.random(20_000) < p, "hate", "benign")
    >>> decided = np.where(p > 0.5, "hate", "benign")
    >>> costs = CostMatrix.zero_one(["benign", "hate"])
    >>> drawn = draw_examination(
    ...     np.arange(20_000), estimate_cost(p, costs, decided), ExaminationDesign(n=500), rng
    ... )
    >>> rows = drawn.items
    >>> found = examination_findings(drawn, truth[rows], p[rows], decided[rows], costs)
    >>> f"found {found.mistakes.found:.0%}, in all {found.mistakes.estimate.value:.0%}"
    'found 24%, in all 12%'
    >>> lower, upper = found.mistakes.estimate.interval
    >>> bool(lower < (truth != decided).mean() < upper)
    True
    """
    as_level(level, "level")
    n_judged, n_drawn = len(labels), len(examination.items)
    if not n_judged:
        raise NotEstimableError(
            "no case of the examination was judged yet; judge from its first case on"
        )
    p = as_probabilities(proba, n_classes=len(cost_matrix.classes))
    decided = as_codes(decisions, cost_matrix.classes)
    if not n_judged <= n_drawn == len(p) == len(decided):
        raise InputError(
            "probabilities and decisions need one entry for each case drawn, and there are at "
            f"most as many labels: got {len(p)}, {len(decided)} and {n_judged} for {n_drawn}"
        )
    judged = slice(n_judged)
    proba, decisions = p[judged], np.asarray(decisions)[judged]
    truth = as_codes(np.asarray(labels), cost_matrix.classes)
    estimated = estimate_cost(proba, cost_matrix, decisions, by=by)
    mistakes = mistakes_only(cost_matrix)
    actual = actual_cost(mistakes, decisions, labels)
    wrong = (truth != decided[judged]).astype(np.float64)
    quadrants = item_quadrants(
        proba,
        cost_matrix,
        decisions,
        labels,
        by=by,
        estimated_bound=estimated_bound,
        actual_bound=actual_bound,
    )
    unknown = np.zeros(n_judged)
    unknown[quadrants.rows("unknown unknown")] = 1
    largest = float(mistakes.cost.max())
    of = examination.bins[judged]
    bins = []
    for b in range(len(examination.sizes)):
        rows = of == b
        counts = np.bincount(truth[rows], minlength=len(cost_matrix.classes))
        some = bool(rows.any())
        bins.append(
            BinFinding(
                low=float(examination.edges[b]),
                high=float(examination.edges[b + 1]),
                n_cases=int(examination.sizes[b]),
                n_drawn=int(examination.planned[b]),
                n_judged=int(rows.sum()),
                classes=dict(zip(cost_matrix.classes, counts.tolist(), strict=True)),
                mistakes=int(wrong[rows].sum()),
                estimated=float(estimated[rows].mean()) if some else None,
                actual=_of_bin(actual[rows], examination, b, largest, level) if some else None,
            )
        )
    return Findings(
        examination=examination,
        n_judged=n_judged,
        mistakes=_finding(wrong, examination, 1.0, level),
        cost=_finding(actual, examination, largest, level),
        unknown_unknowns=_finding(unknown, examination, 1.0, level),
        bins=tuple(bins),
        severities=severities(proba, cost_matrix, decisions, labels, by=by),
        quadrants=quadrants,
        level=level,
    )


def _finding(
    values: FloatArray, drawn: ExaminationSample, largest: float, level: float
) -> FindingEstimate:
    found_rate = float(values.mean())
    if drawn.method == "uncertainty":
        return FindingEstimate(
            found_rate,
            None,
            None,
            "the most uncertain cases were picked, not drawn: nothing follows for the others",
        )
    of = drawn.bins[: len(values)]
    looking = looking_interval(values, of, drawn.planned, drawn.sizes, largest=largest, level=level)
    try:
        estimate = population_mean(values, of, drawn.sizes, largest=largest, level=level)
    except NotEstimableError as error:
        return FindingEstimate(found_rate, None, looking, str(error))
    return FindingEstimate(found_rate, estimate, looking)


def _of_bin(
    values: FloatArray, drawn: ExaminationSample, which: int, largest: float, level: float
) -> PopulationEstimate:
    # whether the model's own estimate holds is asked of cases like these, of which a bin that was
    # judged whole is a sample, too
    one = np.zeros(len(values))
    return population_mean(
        values, one, drawn.sizes[[which]], largest=largest, level=level, finite=False
    )
