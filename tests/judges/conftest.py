"""Random numbers and votes for the judges' tests: the same in each run."""

from __future__ import annotations

import numpy as np
import pytest


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20230537)
