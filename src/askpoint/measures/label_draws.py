"""Can labelled cases be a draw with equal chances? What is known of all cases can show that they are not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from askpoint.measures.inputs import FloatArray, IntArray

__all__ = ["ODD", "SELECTED", "cut_parts", "draw_p_value"]

SELECTED = 0.005
"""Below this p-value the chances were not equal: false in .004 of random draws, spec J19."""
ODD = 0.05
"""Below this p-value a reader is asked whether labels were drawn at random."""

_DRAWS = 9999
_AT_ONCE = 500  # draws: crowds have thousands of cells
_NOTHING = 1e-9


def draw_p_value(
    items: IntArray,
    labelled: IntArray,
    rng: np.random.Generator,
    *,
    scores: Sequence[FloatArray],
    parts: Sequence[IntArray],
    stratum: IntArray | None = None,
    n_draws: int = _DRAWS,
) -> float:
    """Chance that labels drawn with equal chances look as odd as these, times the number of statistics.

    Parameters
    ----------
    items, labelled : ndarray of int of shape (n_cells,)
        Cases that are alike, and how many of them are labelled.
    rng : Generator
    scores : sequence of ndarray of shape (n_cells,)
        The sum of each over the labelled cases is compared with what is expected.
    parts : sequence of ndarray of int of shape (n_cells,)
        Labelled cases by part are compared with what is expected, by chi-square.
    stratum : ndarray of int of shape (n_cells,), optional
        Chances may differ from stratum to stratum.
    n_draws : int, default=9999
        Permutations of which cases are labelled, at most: once all of them can no longer bring the p-value below
        `ODD`, the answer is that of those drawn so far (Besag and Clifford, 1991).

    Returns
    -------
    float
        The least p-value of all statistics times their number (Bonferroni), at most 1.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.measures.label_draws import draw_p_value
    >>> items, score = np.array([50, 50]), np.array([0.0, 1.0])
    >>> rng = np.random.default_rng(0)
    >>> draw_p_value(items, np.array([20, 0]), rng, scores=[score], parts=[])
    0.0001
    >>> draw_p_value(items, np.array([10, 10]), rng, scores=[score], parts=[])
    1.0
    """
    home = np.zeros(len(items), dtype=np.int64) if stratum is None else stratum
    expected = np.empty(len(items))
    strata = [np.flatnonzero(home == h) for h in np.unique(home)]
    for here in strata:
        expected[here] = labelled[here].sum() * items[here] / items[here].sum()

    def statistics(drawn: FloatArray) -> FloatArray:
        off = drawn - expected
        sums = [np.abs(off @ score) for score in scores]
        return np.array([*sums, *(_chi_square(off, expected, part) for part in parts)])

    own = statistics(labelled[None].astype(np.float64))
    at_least = np.ones(len(own))
    n_seen = 0
    while n_seen < n_draws and len(own) * at_least.min() < ODD * (n_draws + 1):
        drawn = np.empty((min(_AT_ONCE, n_draws - n_seen), len(items)))
        for here in strata:
            n = int(labelled[here].sum())
            drawn[:, here] = rng.multivariate_hypergeometric(
                items[here], n, len(drawn), method="marginals"
            )
        at_least += (statistics(drawn) >= own - _NOTHING * np.maximum(1.0, own)).sum(axis=1)
        n_seen += len(drawn)
    return float(min(1.0, len(own) * at_least.min() / (n_seen + 1)))


def cut_parts(value: FloatArray | IntArray, items: IntArray, n: int = 5) -> IntArray:
    """Cut values of cells into at most n parts of about as many cases; equal ones stay together."""
    place = np.unique(value, return_inverse=True)[1].ravel()
    mass = np.bincount(place, items)
    middle = (np.cumsum(mass) - mass / 2) / mass.sum()
    parts: IntArray = np.minimum((middle * n).astype(np.int64), n - 1)[place]
    return parts


def _chi_square(off: FloatArray, expected: FloatArray, of: IntArray) -> FloatArray:
    total = np.zeros(len(off))
    for k in np.unique(of):
        if (e := expected[of == k].sum()) > 0:
            total += off[:, of == k].sum(axis=1) ** 2 / e
    return total
