"""What is known of a model before the first label: how real models' confidences mislead.

P(right | z) = e/2 + (1 - e) sigmoid(A + B z): the slope B and shift A of Platt, and a lapse e, a
share of cases on which confidence says nothing. `benchmarks/fit_prior.py` fits the two priors.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import special

from askpoint.measures.inputs import FloatArray

__all__ = ["CELLS", "LAPSES", "LOG_SLOPES", "PROBABILITIES", "SCORES", "SHIFTS", "RightnessPrior"]

SHIFTS = np.linspace(-3, 3, 21)
LOG_SLOPES = np.linspace(-2.8, 1.4, 22)
LAPSES = np.array([0, 0.002, 0.006, 0.02, 0.06, 0.15])
CELLS = len(LAPSES) * len(SHIFTS) * len(LOG_SLOPES)


@dataclass(frozen=True)
class RightnessPrior:
    """Shift and logarithm of the slope are jointly Student, the lapse is independent of them."""

    shift: tuple[float, float]
    log_slope: tuple[float, float]
    correlation: float
    lapse_weights: tuple[float, ...]
    degrees: float = np.inf

    @cached_property
    def log_weights(self) -> FloatArray:
        """Logarithm of the prior weight of each cell, lapses outermost, log slopes innermost."""
        a = (SHIFTS[:, None] - self.shift[0]) / self.shift[1]
        b = (LOG_SLOPES - self.log_slope[0]) / self.log_slope[1]
        r = self.correlation
        distance = (a * a - 2 * r * a * b + b * b) / (1 - r * r)
        if np.isfinite(self.degrees):
            plane = -(self.degrees + 2) / 2 * np.log1p(distance / self.degrees)
        else:
            plane = -distance / 2
        lapse = np.log(np.array(self.lapse_weights) / sum(self.lapse_weights))
        weights = (lapse[:, None, None] + plane).reshape(CELLS)
        return np.asarray(weights - special.logsumexp(weights))


PROBABILITIES = RightnessPrior(
    (-0.01, 0.39), (-0.05, 0.67), 0.48, (40, 24, 9, 10, 4, 13), degrees=4
)
"""For confidences that are probabilities, z their logit; fitted on 155 logs."""

SCORES = RightnessPrior((-0.19, 0.78), (0.27, 0.48), 0.23, (79, 8, 7, 1, 3, 3), degrees=4)
"""For scores, z from their ranks; fitted on the same logs, of which only the ranks were used."""
