"""Whether labels were visibly not drawn at random: the votes on all items are known, so they can show it.

People label what is clear, or read only failures. What follows the votes shows in them; what follows
the truth beyond the votes cannot be seen by anybody.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from askpoint.errors import InputError
from askpoint.judges.gold.labelled_patterns import LabelledPatterns
from askpoint.judges.gold.strata import stratum_mass
from askpoint.judges.gold.uncertain_shares import student_quantile
from askpoint.measures.inputs import FloatArray, IntArray
from askpoint.measures.intervals import Interval
from askpoint.measures.label_draws import ODD, SELECTED, cut_parts, draw_p_value

__all__ = [
    "DrawTest",
    "LabelSelection",
    "VoteStratum",
    "bound_share",
    "compare_truth",
    "find_selection",
]

_DRAWS = 9999
_BINS = 5
_PART = 0.05  # of all items: a stratum by votes is no smaller, but for the last


@dataclass(frozen=True, kw_only=True)
class VoteStratum:
    """Items with about the same share of votes for the panel's commonest label.

    Attributes
    ----------
    low, high : float
        Least and greatest such share.
    n_items, n_labelled : int
    """

    low: float
    high: float
    n_items: int
    n_labelled: int


@dataclass(frozen=True, kw_only=True)
class DrawTest:
    """Whether labelled items can be a random draw from all items, or one as proposed.

    Attributes
    ----------
    p_random : float
        Chance that a draw with equal chances looks as odd, times as many as the statistics are.
    p_proposed : float
        The same for a draw with equal chances inside each of the strata that proposals draw from; 0 if
        strata have no label though a proposal would have put some there.
    """

    p_random: float
    p_proposed: float

    @property
    def is_odd(self) -> bool:
        """Whether labels of which some are known to be drawn at random had better be those alone."""
        return self.p_random < ODD

    @property
    def is_uneven(self) -> bool:
        """Whether the chances were visibly not equal."""
        return self.p_random < SELECTED

    @property
    def is_selected(self) -> bool:
        """Whether the labels are neither a random draw nor one as proposed, so that nothing follows."""
        return self.is_uneven and self.p_proposed < SELECTED


@dataclass(frozen=True, kw_only=True)
class LabelSelection(DrawTest):
    """The test of labels of one panel, by four statistics.

    Attributes
    ----------
    label : str
        The commonest label among all votes; strata are by its share.
    strata : tuple of VoteStratum
    """

    label: str
    strata: tuple[VoteStratum, ...]


def find_selection(
    patterns: LabelledPatterns, rng: np.random.Generator, *, n_draws: int = _DRAWS
) -> LabelSelection:
    """Test whether the labelled items were drawn at random.

    Parameters
    ----------
    patterns : LabelledPatterns
        All items, in the strata that proposals draw from.
    rng : Generator
    n_draws : int, default=9999
        Permutations of which items are labelled.

    Returns
    -------
    LabelSelection

    Notes
    -----
    Of each item s is the share of its votes for the commonest label, m how many votes it has. Four
    statistics compare labelled items with all: chi-square of the counts in five bins of s, the mean of s,
    the mean of abs(s - 1/2), chi-square of the counts by m; their least p-value times four counts.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint import GoldSketch, VoteSketch
    >>> from askpoint.judges.gold.label_selection import find_selection
    >>> from askpoint.judges.gold.labelled_patterns import label_patterns
    >>> votes, gold = VoteSketch(3, ["no", "yes"]), GoldSketch(3, ["no", "yes"])
    >>> votes.update_codes([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]], [300, 200, 200, 300])
    >>> gold.update_codes([[0, 0, 0]] * 20 + [[1, 1, 1]] * 20, [0] * 20 + [1] * 20)
    >>> find_selection(label_patterns(votes, gold), np.random.default_rng(0)).is_selected
    True
    """
    n = int(patterns.drawn.sum())
    if not n:
        raise InputError("no item is labelled, so there is nothing to test; give gold labels")
    share, size, label = _shares(patterns)
    one = np.zeros_like(patterns.stratum)
    p_random = _test(patterns, one, share, size, rng, n_draws)
    p_proposed = 0.0
    empty = patterns.draws == 0
    mass = stratum_mass(patterns.cells.counts, patterns.posterior)
    spread = np.bincount(patterns.stratum, mass) / mass.sum()
    least = (spread + patterns.sizes / patterns.n_items) / 4  # half of what the first batch goes by
    if (1 - least[empty].sum()) ** n >= SELECTED:
        p_proposed = _test(patterns, patterns.stratum, share, size, rng, n_draws)
    home, strata = _strata(patterns, share)
    del home
    return LabelSelection(
        p_random=p_random, p_proposed=p_proposed, label=patterns.labels[label], strata=strata
    )


def compare_truth(first: LabelledPatterns, second: LabelledPatterns) -> float:
    """Return p of a test that two sets of labelled items are as often what their votes say.

    By the mean of truth less posterior, label by label (Welch, least p times their number): complaints
    are of items on which the votes are wrong, which the votes alone cannot show.
    """
    labels = range(1, 2) if len(first.labels) == 2 else range(len(first.labels))
    found = [1.0]
    for label in labels:
        means, variances = zip(
            *(_residual_mean(one, label) for one in (first, second)), strict=True
        )
        spread = sum(variances) ** 0.5
        if spread > 0:
            found.append(2 * float(special.ndtr(-abs(means[0] - means[1]) / spread)))
    return min(1.0, min(found) * len(labels))


def _residual_mean(patterns: LabelledPatterns, label: int) -> tuple[float, float]:
    """Return the mean of truth less posterior over labelled items, and its variance."""
    truth = np.arange(len(patterns.labels)) == label
    residual = truth - patterns.posterior[:, [label]]
    n = patterns.labelled.sum()
    mean = float((patterns.labelled * residual).sum() / n)
    return mean, float((patterns.labelled * (residual - mean) ** 2).sum() / n / max(n - 1, 1))


def bound_share(patterns: LabelledPatterns, label: int, level: float = 0.95) -> Interval:
    """Bound a label's share if the chance of being labelled followed the votes alone.

    The mean over strata by the share of votes; what a stratum without labels holds lies between nothing
    and all of its items.

    Examples
    --------
    >>> from askpoint import GoldSketch, VoteSketch
    >>> from askpoint.judges.gold.label_selection import bound_share
    >>> from askpoint.judges.gold.labelled_patterns import label_patterns
    >>> votes, gold = VoteSketch(2, ["no", "yes"]), GoldSketch(2, ["no", "yes"])
    >>> votes.update_codes([[0, 0], [0, 1], [1, 1]], [300, 400, 300])
    >>> gold.update_codes([[0, 0]] * 40 + [[1, 1]] * 40, [0] * 40 + [1] * 40)
    >>> low, high = bound_share(label_patterns(votes, gold), 1)
    >>> high - low > 0.4
    True
    """
    share, _, _ = _shares(patterns)
    home, strata = _strata(patterns, share)
    n = np.array([one.n_items for one in strata], dtype=float)
    m = np.array([one.n_labelled for one in strata], dtype=float)
    yes = np.bincount(home, patterns.labelled[:, label], len(strata))
    weight = n / n.sum()
    seen = m > 0
    value = yes[seen] / m[seen]
    # one imaginary label of either kind: no counterexample among few labels is no certainty
    near = (yes[seen] + 1) / (m[seen] + 2)
    variance = weight[seen] ** 2 * near * (1 - near) / m[seen] * (1 - m[seen] / n[seen])
    total = variance.sum()
    freedom = max(2 * total**2 / max((variance**2 / m[seen]).sum(), 1e-300), 2.0) if total else 2.0
    reach = student_quantile(float(freedom), level, None) * float(np.sqrt(total))
    low = float(weight[seen] @ value)
    certain_low = float(yes.sum() / n.sum())
    certain_high = 1 - float((m - yes).sum() / n.sum())
    return Interval(
        max(low - reach, certain_low), min(low + float(weight[~seen].sum()) + reach, certain_high)
    )


def _shares(patterns: LabelledPatterns) -> tuple[FloatArray, FloatArray, int]:
    """Return of each pattern the share of the commonest label and how many votes, and that label."""
    votes = np.column_stack([np.asarray(of.sum(axis=1)).ravel() for of in patterns.cast])
    label = int((patterns.cells.counts @ votes).argmax())
    size = votes.sum(axis=1)
    return np.where(size > 0, votes[:, label] / np.maximum(size, 1), 0.5), size, label


def _strata(
    patterns: LabelledPatterns, share: FloatArray
) -> tuple[IntArray, tuple[VoteStratum, ...]]:
    """Cut the items by the share of votes; unanimous ones stay apart from all others."""
    counts, least = patterns.cells.counts, _PART * patterns.n_items
    values, place = np.unique(np.round(share, 9), return_inverse=True)
    items = np.bincount(place.ravel(), counts)
    home, current, mass = np.zeros(len(values), dtype=np.int64), 0, 0.0
    for i, value in enumerate(values):
        if i and (mass >= least or values[i - 1] == 0 or value == 1):
            current, mass = current + 1, 0.0
        home[i] = current
        mass += items[i]
    of = home[place.ravel()]
    strata = tuple(
        VoteStratum(
            low=float(values[home == h].min()),
            high=float(values[home == h].max()),
            n_items=int(counts[of == h].sum()),
            n_labelled=int(patterns.drawn[of == h].sum()),
        )
        for h in range(current + 1)
    )
    return of, strata


def _test(
    patterns: LabelledPatterns,
    stratum: IntArray,
    share: FloatArray,
    size: FloatArray,
    rng: np.random.Generator,
    n_draws: int,
) -> float:
    """Return the least of four p-values, times four, with the labels of each stratum permuted in it."""
    cells, place = np.unique(
        np.column_stack([stratum, np.round(share, 9), size]), axis=0, return_inverse=True
    )
    place = place.ravel()
    items = np.bincount(place, patterns.cells.counts).astype(np.int64)
    labelled = np.bincount(place, patterns.drawn).astype(np.int64)
    home, share, size = cells[:, 0].astype(np.int64), cells[:, 1], cells[:, 2]
    return draw_p_value(
        items,
        labelled,
        rng,
        scores=[share, np.abs(share - 0.5)],
        parts=[np.minimum((share * _BINS).astype(np.int64), _BINS - 1), cut_parts(size, items)],
        stratum=home,
        n_draws=n_draws,
    )
