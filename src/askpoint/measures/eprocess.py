"""Evidence that a risk lies below a limit: e-processes, valid at any moment of looking.

Each is a nonnegative process of expectation at most 1 wherever the risk is at least the limit. By
Ville's inequality it ever reaches 1 / delta with probability at most delta then.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from askpoint.measures.inputs import FloatArray

__all__ = ["log_risk_evidence"]


def log_risk_evidence(wrong: ArrayLike, n: ArrayLike, limit: float) -> FloatArray:
    """Logarithm of the evidence from `wrong` mistakes in `n` cases that the risk is below `limit`.

    A Beta(1, 2 / limit) mixture over the greatest likelihood of a risk at or above the limit.

    References
    ----------
    Wasserman, Ramdas and Balakrishnan, "Universal inference", PNAS 117 (2020); Robbins, Annals of
    Mathematical Statistics 41 (1970).
    """
    w = np.asarray(wrong, dtype=np.float64)
    cases = np.asarray(n, dtype=np.float64)
    b = 2 / limit
    most = np.maximum(limit, w / np.maximum(cases, 1))
    mixture = special.betaln(1 + w, b + cases - w) - special.betaln(1, b)
    null = special.xlogy(w, most) + special.xlog1py(cases - w, -most)
    return np.asarray(mixture - null)
