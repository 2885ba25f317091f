"""Evaluate three judges by assuming that they err independently (section 3 of the paper)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy import special

from askpoint.errors import InputError
from askpoint.judges.evaluation import Evaluation, EvaluationIntervals
from askpoint.judges.methods.algebra import TrioAlgebra
from askpoint.judges.methods.identification import RootPolicy, as_policies, choose_point
from askpoint.judges.sketch.codes import MISSING
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.measures.inputs import as_level
from askpoint.measures.intervals import Interval

__all__ = ["IndependentEvaluation", "IndependentPoint", "evaluate_independent"]

_WHY = {
    "empty": "no evaluation of independent judges explains these votes",
    "positive-dimensional": (
        "infinitely many evaluations explain these votes: a judge is blind to the labels, or only "
        "one label occurs"
    ),
    "complex": "only complex numbers explain these votes: the judges did not err independently",
}


@dataclass(frozen=True)
class IndependentPoint(Evaluation):
    """One of the two points that three independent judges with these votes can have.

    Attributes
    ----------
    is_inside : bool
        Whether it lies in the unit cube.
    """

    is_inside: bool = True

    def interval(self, level: float = 0.95) -> EvaluationIntervals | None:
        """Return intervals for the truth of this very test, around this point.

        None outside the unit cube.

        They hold if the judges err independently; `sensitivity` says what else can happen.
        """
        z = float(special.ndtri((1 + as_level(level, "level")) / 2))
        if not self.is_inside:
            return None
        p, accuracy = _floats(self)
        q, (Va, Vb) = 1 - p, (accuracy * (1 - accuracy)).T
        d = accuracy.sum(axis=1) - 1
        i, j = np.array([1, 0, 0]), np.array([2, 2, 1])  # the two beside judge k
        dd = (d[i] * d[j]) ** 2
        var_p = ((q * Vb[i] * Vb[j] + p * Va[i] * Va[j]) / dd).sum()
        var_p += 4 * (q * Vb.prod() + p * Va.prod()) / d.prod() ** 2

        def variance(p: float, q: float, Va: _Numbers, Vb: _Numbers) -> _Numbers:
            own = Va * (Va[i] / d[i] ** 2 + Va[j] / d[j] ** 2) / p
            other = q * d**2 * Vb[i] * Vb[j] / (p * p * dd)
            shared: _Numbers = own + other + (Va.prod() / p + q * Vb.prod() / p**2) / dd
            return shared

        half = z * np.sqrt(
            np.column_stack([variance(p, q, Va, Vb), variance(q, p, Vb, Va)]) / self.n_items
        )
        return self._around(p, accuracy, z * math.sqrt(var_p / self.n_items), half)

    def sensitivity(self, g: float = 0.05) -> EvaluationIntervals:
        """Return how far pair correlations of errors can carry this point, to first order.

        References
        ----------
        Section 5 of the paper: 1 / (P_kl - f_kl) is 1 / (q d_k), the blind spot at d_k = 0.
        """
        _check_correlation(g)
        p, accuracy = _floats(self)
        size = np.abs(accuracy.sum(axis=1) - 1)
        beside = np.array(
            [1 / size[1] + 1 / size[2], 1 / size[0] + 1 / size[2], 1 / size[0] + 1 / size[1]]
        )
        across = size**2 / size.prod()  # d_k / (d_i d_j)
        odds = abs((1 - p) / p)
        half = g * np.column_stack([beside + odds * across, beside + across / odds])
        return self._around(p, accuracy, g * float(across @ (1 / size)), half)

    def _around(
        self, p: float, accuracy: _Numbers, half_p: float, half: _Numbers
    ) -> EvaluationIntervals:
        def cut(centre: float, half: float) -> Interval:
            return Interval(min(max(centre - half, 0.0), 1.0), max(min(centre + half, 1.0), 0.0))

        return EvaluationIntervals(
            dict(zip(self.labels, (cut(p, half_p), cut(1 - p, half_p)), strict=True)),
            {
                judge: dict(zip(self.labels, map(cut, centres, halves), strict=True))
                for judge, centres, halves in zip(
                    self.judges, accuracy.tolist(), half.tolist(), strict=True
                )
            },
        )


@dataclass(frozen=True, kw_only=True)
class IndependentEvaluation:
    """Both points that independent judges with these votes can have.

    Attributes
    ----------
    judges, labels : tuple of str
        Three judges, two labels.
    algebra : TrioAlgebra
        The integers behind it.
    outcome : str
        "inside" if the two points lie in the unit cube: seemingly correct. "outside",
        "complex" (no real points), "empty" (no points) or "positive-dimensional" (a curve of
        them) disprove exact independence or say that the votes carry no answer.
    points : tuple of IndependentPoint
        Both, or none. Exact Fractions where the root is rational.
    chosen : IndependentPoint or None
        The point that the policy allows.
    reason : str
        Why that one, or why none.
    n_items, n_incomplete : int
        Items judged by all three, which count, and items judged by fewer, which do not.
    is_resolved : bool
        Whether the points are rational. If not, the judges were not exactly independent on
        this test: nearly every real trio.
    """

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    algebra: TrioAlgebra
    outcome: str
    points: tuple[IndependentPoint, ...]
    chosen: IndependentPoint | None
    reason: str
    n_items: int
    n_incomplete: int
    is_resolved: bool

    @property
    def is_integer_consistent(self) -> bool:
        """Whether exactly independent judges on whole items could have voted like this.

        Each label's items with each pattern of votes must be a whole number. True is no proof
        of independence, False is one of its lack.
        """
        if not (self.is_resolved and self.outcome == "inside"):
            return False
        p, accuracy = self.algebra.point(1)
        of_label = [Fraction(p) * self.algebra.n_items, (1 - Fraction(p)) * self.algebra.n_items]
        return all(
            (n * math.prod(Fraction(accuracy[k][label]) for k in judges)).denominator == 1
            for label, n in enumerate(of_label)
            for size in range(4)
            for judges in itertools.combinations(range(3), size)
        )

    def interval(self, level: float = 0.95) -> EvaluationIntervals | None:
        """Return intervals for the truth of this very test, around the chosen point.

        They hold if the judges err independently; `sensitivity` says what else can happen.
        """
        as_level(level, "level")
        return None if self.chosen is None else self.chosen.interval(level)

    def sensitivity(self, g: float = 0.05) -> EvaluationIntervals | None:
        """Return how far pair correlations of errors can carry the chosen point, to first order."""
        _check_correlation(g)
        return None if self.chosen is None else self.chosen.sensitivity(g)


_Numbers = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def evaluate_independent(
    sketch: VoteSketch,
    *,
    root: str | RootPolicy | Sequence[RootPolicy] = "better-than-chance",
) -> IndependentEvaluation:
    """Evaluate three judges on two labels as if their errors were independent on this test.

    If they were, one of the two points is the truth, exactly. If not, the outcome often says
    so. In epidemiology this is the Hui-Walter model of diagnostic tests without gold standard.

    Parameters
    ----------
    sketch : VoteSketch
        Three judges, two labels: alpha, then beta. For more judges ``sketch.select`` three.
    root : "better-than-chance", PrevalenceRange, or a list of policies, default="better-than-chance"
        Which of both points to choose; all given must hold.

    Returns
    -------
    IndependentEvaluation

    Raises
    ------
    InputError
        If there are not three judges and two labels, or no item has been judged by all three.

    References
    ----------
    "Streaming algorithms for evaluating noisy judges on unlabeled data", theorems 1 and 2; Hui
    and Walter, Biometrics 36 (1980); Kostoulas et al., STARD-BLCM, Prev. Vet. Med. 138 (2017).

    Examples
    --------
    >>> from askpoint.judges.methods.independent import evaluate_independent
    >>> from askpoint.judges.sketch.vote_sketch import VoteSketch
    >>> sketch = VoteSketch(["ann", "bob", "cid"], ["x", "y"])
    >>> patterns = [[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    >>> sketch.update_codes(patterns, [36, 9, 9, 6, 9, 6, 6, 9])
    >>> evaluation = evaluate_independent(sketch)
    >>> evaluation.outcome, evaluation.is_resolved
    ('inside', False)
    """
    trio, n_incomplete = _counts(sketch)
    policies = as_policies(root)
    points: tuple[IndependentPoint, ...] = ()
    chosen, reason = None, _WHY.get(trio.outcome, "")
    if trio.outcome in ("inside", "outside"):
        points = tuple(_point(sketch, trio, sign) for sign in (1, -1))
        chosen, reason = choose_point(points, policies)
    return IndependentEvaluation(
        judges=sketch.judges,
        labels=sketch.labels,
        algebra=trio,
        outcome=trio.outcome,
        points=points,
        chosen=chosen,
        reason=reason,
        n_items=trio.n_items,
        n_incomplete=n_incomplete,
        is_resolved=bool(points) and trio.is_square,
    )


def _point(
    sketch: VoteSketch,
    trio: TrioAlgebra,
    sign: int,
) -> IndependentPoint:
    p, accuracy = trio.point(sign)
    return IndependentPoint(
        dict(zip(sketch.labels, (p, 1 - p), strict=True)),
        {
            judge: dict(zip(sketch.labels, pair, strict=True))
            for judge, pair in zip(sketch.judges, accuracy, strict=True)
        },
        trio.n_items,
        is_inside=trio.outcome == "inside",
    )


def _counts(sketch: VoteSketch) -> tuple[TrioAlgebra, int]:
    """Return the eight counts, and the number of items left out."""
    if len(sketch.judges) != 3 or len(sketch.labels) != 2:
        raise InputError(
            "the independent evaluator takes three judges and two labels; got "
            f"{len(sketch.judges)} and {len(sketch.labels)}; choose three with select, or use "
            "evaluate_ensemble for more judges and evaluate_confusions for more labels"
        )
    votes, counts = sketch.cells()
    cells, n_incomplete = [0] * 8, 0
    for pattern, count in zip(votes.tolist(), counts.tolist(), strict=True):
        if MISSING in pattern:
            n_incomplete += count
        else:
            cells[4 * pattern[0] + 2 * pattern[1] + pattern[2]] = count
    if not any(cells):
        raise InputError(
            f"no item has votes of all three judges ({n_incomplete} "
            "lack one or more); let all three judge the same items"
        )
    return TrioAlgebra.from_cells(cells), n_incomplete


def _check_correlation(g: float) -> None:
    if not 0 <= g <= 0.25:
        raise InputError(f"a correlation of errors, g, must be between 0 and 0.25; got {g}")


def _floats(point: Evaluation) -> tuple[float, _Numbers]:
    accuracy: Mapping[str, Mapping[str, float | Fraction | None]] = point.accuracy
    numbers = [[float(value or 0) for value in of.values()] for of in accuracy.values()]
    return float(next(iter(point.prevalence.values()))), np.array(numbers)
