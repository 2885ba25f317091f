"""Decisions count what became of the cases."""

from __future__ import annotations

import numpy as np
import pytest

from askpoint.errors import InputError
from askpoint.measures.outcomes import Outcomes
from askpoint.value.decisions import SelectiveDecisions


def decisions():
    labels = np.array(["a", "b", "a", "b"])
    return SelectiveDecisions(
        labels, np.array([False, False, True, True]), np.array([0.9, 0.8, 0.5, 0.4])
    )


def test_counts_and_shares():
    made = decisions()
    assert len(made) == 4
    assert made.coverage == 0.5
    assert made.outcomes(["a", "a", "a", "a"]) == Outcomes(1, 1, 2)
    assert made.outcomes(["a", "a", "a", "a"], [1, 2, 3, 4]) == Outcomes(1.0, 2.0, 7.0)


def test_asking_can_be_filled_with_anything():
    assert decisions().fill(None).tolist() == ["a", "b", None, None]


def test_lengths_must_agree():
    with pytest.raises(InputError, match="got 1 and 4"):
        decisions().outcomes(["a"])
