"""What the tests of this room share."""

from __future__ import annotations

import numpy as np
import pytest


@pytest.fixture
def rng() -> np.random.Generator:
    """Random numbers, the same each time."""
    return np.random.default_rng(20191208)
