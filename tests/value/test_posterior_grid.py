"""The likelihood on the grid of curves is the product of what each label says."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from askpoint.value.posterior.grid import cell_parameters, log_likelihood, right_probability
from askpoint.value.posterior.prior import CELLS
from askpoint.value.posterior.scale import NODES


@pytest.mark.parametrize("n", [0, 40, 900])  # none, few nodes, and more nodes than are copied
def test_the_likelihood_of_a_cell_is_that_of_its_labels_one_by_one(n, rng):
    nodes = rng.integers(0, len(NODES), n)
    right, wrong = rng.integers(0, 3, n).astype(float), rng.integers(0, 2, n).astype(float)
    cells = rng.choice(CELLS, 20, replace=False)
    shift, slope, lapse = (part[:, None] for part in cell_parameters(cells))
    missed = lapse / 2 + (1 - lapse) * special.expit(-(shift + slope * NODES[nodes]))
    chance = right_probability(*cell_parameters(cells), NODES[nodes])
    expected = np.log(chance) @ right + np.log(missed) @ wrong
    found = log_likelihood(nodes, right, wrong)
    assert found[cells] == pytest.approx(expected, rel=1e-9)
    assert found.shape == (CELLS,)
