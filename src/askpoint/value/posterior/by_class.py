"""Objectives on single classes: each predicted class has a posterior of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from askpoint.errors import InputError, NotEstimableError
from askpoint.measures.inputs import FloatArray, IntArray, as_finite
from askpoint.value.by_class import MinPrecision, MinRecall
from askpoint.value.posterior.prospects import Prospects, draw_prospects
from askpoint.value.posterior.rightness import RightnessPosterior

__all__ = ["ClassVerdict", "ClassifiedCases", "by_costs", "by_precision", "by_recall"]

_FEWEST = 10  # labels among the answers of a class, below which its rates are hearsay
_SURE = 0.9


@dataclass(frozen=True, eq=False)
class ClassifiedCases:
    """All cases: confidence, position of the predicted class, and of the true one (-1: no label)."""

    classes: tuple[Any, ...]
    confidence: FloatArray
    predicted: IntArray
    truth: IntArray

    def code(self, label: Any) -> int:
        """Position of a class."""
        if label not in self.classes:
            shown = ", ".join(map(repr, self.classes[:10]))
            raise InputError(f"the label {label!r} is not among the classes {shown}")
        return self.classes.index(label)

    def prospects(
        self, rows: ArrayLike, hit: ArrayLike, name: str, rng: np.random.Generator, n_draws: int
    ) -> Prospects | None:
        """What is to be expected of some of the cases, `hit` being right; None if there are none."""
        some = np.asarray(rows, dtype=np.bool_)
        known = some & (self.truth >= 0)
        if not some.any():
            return None
        if known.sum() < _FEWEST:
            raise NotEstimableError(
                f"{int(known.sum())} of the cases {name} have labels; label {_FEWEST} of them, so "
                "that an objective on single classes can be answered for new cases"
            )
        score = as_finite(self.confidence, "confidence")
        right = np.asarray(hit, dtype=np.bool_)
        posterior = RightnessPosterior().fit(score[known], right[known], score[some])
        return draw_prospects(posterior, rng, n_draws=n_draws)


@dataclass(frozen=True)
class ClassVerdict:
    """A threshold for an objective on classes, and how probably it keeps what was asked for.

    `level` is the expected recall or precision at the threshold; None where the class is never
    answered. Decided where it is kept with probability .9.
    """

    threshold: float
    decided: bool
    level: float | None
    kept: float
    coverage: float


def by_precision(
    cases: ClassifiedCases,
    objective: MinPrecision,
    rng: np.random.Generator,
    *,
    n_draws: int = 1000,
) -> ClassVerdict:
    """Most cases answered while answers of a class are right at least so often."""
    rows = cases.predicted == cases.code(objective.label)
    found = cases.prospects(
        rows, cases.truth == cases.predicted, f"answered {objective.label!r}", rng, n_draws
    )
    if found is None:
        return ClassVerdict(-np.inf, decided=True, level=None, kept=1.0, coverage=1.0)
    answered = np.maximum(1 - found.asked, 0)
    allowed = (1 - objective.level) * answered
    expected = np.divide(
        answered - found.wrong, answered, out=np.ones_like(answered), where=answered > 0
    )
    return _boldest(
        cases,
        found.thresholds,
        found.wrong <= allowed,
        (found.wrong_draws <= allowed).mean(axis=0),
        expected,
    )


def by_recall(
    cases: ClassifiedCases, objective: MinRecall, rng: np.random.Generator, *, n_draws: int = 1000
) -> ClassVerdict:
    """Most cases answered while at least so much of a class is not answered wrongly.

    Lost are cases of the class that are answered with another; how many there are of it is the
    sum of two posteriors, among answers of the class and among the others.
    """
    code = cases.code(objective.label)
    own, others = cases.predicted == code, cases.predicted != code
    right = cases.truth == code
    named = cases.prospects(own, right, f"answered {objective.label!r}", rng, n_draws)
    missed = cases.prospects(
        others, ~right, f"answered otherwise than {objective.label!r}", rng, n_draws
    )
    if missed is None:
        return ClassVerdict(-np.inf, decided=True, level=1.0, kept=1.0, coverage=1.0)
    share = float(others.mean())
    found = 0.0 if named is None else float((named.mass * named.right).sum()) * (1 - share)
    found_draws = (
        np.zeros(n_draws) if named is None else named.right_draws @ named.mass * (1 - share)
    )
    lost, lost_draws = share * missed.wrong, share * missed.wrong_draws
    total, total_draws = found + lost[0], found_draws + lost_draws[:, 0]
    return _boldest(
        cases,
        missed.thresholds,
        lost <= (1 - objective.level) * total,
        (lost_draws <= (1 - objective.level) * total_draws[:, None]).mean(axis=0),
        1 - lost / total,
    )


def _boldest(
    cases: ClassifiedCases,
    thresholds: FloatArray,
    within: Any,
    holds: FloatArray,
    level: FloatArray,
) -> ClassVerdict:
    """The boldest that keeps it with probability .9, else the boldest that does in expectation."""
    sure, likely = np.flatnonzero(holds >= _SURE), np.flatnonzero(within)
    last = len(thresholds) - 1
    step = int(sure[0]) if sure[0] < last or likely[0] == last else int(likely[0])
    # below the least sure of these cases, the others may be answered too
    threshold = float(thresholds[step]) if step else -np.inf
    return ClassVerdict(
        threshold,
        decided=bool(holds[step] >= _SURE),
        level=float(level[step]),
        kept=float(holds[step]),
        coverage=float((cases.confidence >= threshold).mean()),
    )


def by_costs(
    cases: ClassifiedCases,
    costs: ArrayLike,
    reject_cost: float,
    rng: np.random.Generator,
    *,
    n_draws: int = 1000,
) -> Mapping[Any, float]:
    """The threshold of least expected cost for each predicted class; infinity: always ask.

    `costs` has a row for each true class and a column for each decision. Among wrong answers of a
    class the truths are as among those labelled, half a case of each added.
    """
    matrix = as_finite(costs, "costs", ndim=2)
    k = len(cases.classes)
    if matrix.shape != (k, k):
        raise InputError(
            f"costs must have one row and one column for each of {k} classes, got {matrix.shape}"
        )
    thresholds = {}
    for code, name in enumerate(cases.classes):
        rows = cases.predicted == code
        found = cases.prospects(
            rows, cases.truth == cases.predicted, f"answered {name!r}", rng, n_draws
        )
        if found is None:
            continue
        other = np.arange(k) != code
        truths = np.bincount(cases.truth[rows & (cases.truth >= 0)], minlength=k) + 0.5
        wrong_cost = float(np.average(matrix[other, code], weights=truths[other]))
        cost = found.right * matrix[code, code] + (1 - found.right) * wrong_cost - reject_cost
        total = np.append(np.cumsum((found.mass * cost)[::-1])[::-1], 0.0)
        step = len(total) - 1 - int(np.argmin(total[::-1]))
        thresholds[name] = float(found.thresholds[step])
    return thresholds
