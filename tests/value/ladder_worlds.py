"""Worlds of several models whose truth is known."""

from __future__ import annotations

import numpy as np
from scipy import special

from askpoint.value.ladder.learning import LadderCases
from askpoint.value.ladder.outputs import RungOutputs, log_probabilities


def make_cases(
    rng, skills=(1.0, 2.5), prices=(0.01, 0.1), *, n=1500, n_labelled=300, checks=20.0, asking=1.0
):
    """Cases of two classes, seen by models of different skill with errors of their own."""
    truth = rng.integers(0, 2, n)
    sign = 2 * truth - 1
    hard = rng.normal(0, 1, n)
    parts = []
    for skill in skills:
        z = sign * skill * np.exp(0.5 * hard) + rng.normal(0, 1, n)
        p = special.expit(1.3 * z)
        parts.append(np.column_stack([1 - p, p]))
    log_p = log_probabilities(np.array(parts))
    seen = np.ones(log_p.shape[:2], dtype=bool)
    labelled = np.arange(n) < n_labelled
    return LadderCases(RungOutputs(log_p, seen), labelled, truth, np.array(prices), checks, asking)
