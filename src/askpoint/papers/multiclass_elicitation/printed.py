"""What the paper prints in its tables 2 and 3, and the law of its synthetic labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from askpoint.measures.inputs import FloatArray

__all__ = ["METHODS", "PRINTED_COSTS", "PRINTED_WEIGHTS", "Printed", "law_of_labels"]

METHODS = ("paper", "chord")
"""Its search, and this project's."""


@dataclass(frozen=True)
class Printed:
    """A row as the paper prints it: true weights, estimated ones, questions."""

    truth: tuple[float, ...]
    estimate: tuple[float, ...]
    n_questions: int


PRINTED_WEIGHTS = (
    Printed((0.21, 0.59, 0.20), (0.21, 0.60, 0.20), 56),
    Printed((0.23, 0.15, 0.62), (0.23, 0.15, 0.62), 56),
    Printed((0.22, 0.13, 0.14, 0.52), (0.22, 0.13, 0.14, 0.52), 84),
    Printed((0.58, 0.17, 0.08, 0.18), (0.58, 0.17, 0.08, 0.18), 84),
)
"""Table 2."""

_THIRD = (-0.90, -0.28, -0.10, -0.31, -0.04, -0.05, -0.03, -0.04, -0.02, -0.01, -0.01, -0.01)
PRINTED_COSTS = (
    Printed(*((-0.37, -0.89, -0.09, -0.23, -0.04, -0.03),) * 2, 320),
    Printed(*((-0.80, -0.55, -0.18, -0.08, -0.14, -0.05),) * 2, 320),
    Printed(_THIRD, _THIRD, 704),
    Printed(
        (-0.54, -0.10, -0.62, -0.52, -0.03, -0.07, -0.11, -0.07, -0.14, -0.03, -0.03, -0.04),
        (-0.55, -0.11, -0.62, -0.51, -0.03, -0.07, -0.11, -0.07, -0.14, -0.03, -0.03, -0.04),
        704,
    ),
)
"""Table 3."""

_NOISE = {3: (1, 3, 5), 4: (1, 3, 6, 10)}


def law_of_labels(k: int, n: int, reading: str = "softmax") -> FloatArray:
    """Class probabilities on a grid of x, uniform on [-1, 1] (section 6.1)."""
    x = (np.arange(n) + 0.5) * 2 / n - 1
    powers = np.exp(np.outer(x, _NOISE[k]))
    odds = 1 / powers if reading == "softmax" else 1 / (1 + powers)
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))
