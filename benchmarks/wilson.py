"""Wilson's interval of a share, the rule of thumb against which several figures are held."""

from __future__ import annotations

import numpy as np


def wilson_bounds(wrong, n, z):
    """Its lower and its upper end, of `wrong` in `n`; arrays are taken place by place."""
    p = wrong / n
    middle, reach = p + z * z / (2 * n), z * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return (middle - reach) / (1 + z * z / n), (middle + reach) / (1 + z * z / n)
