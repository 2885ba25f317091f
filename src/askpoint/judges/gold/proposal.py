"""Which items to check next: in two batches, the second where the first found the votes wrong."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askpoint.errors import InputError
from askpoint.judges.gold.allocation import top_up
from askpoint.judges.gold.gold_sketch import GoldSketch
from askpoint.judges.gold.labelled_patterns import LabelledPatterns, label_patterns, patterns_of
from askpoint.judges.gold.residual_totals import expected_spread, totals_of
from askpoint.judges.gold.strata import cautious
from askpoint.judges.sketch.codes import check_codes
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.measures.inputs import FloatArray, IntArray

__all__ = ["GoldProposal", "GoldStratum", "propose_gold", "propose_labelled"]

_FIRST, _FIRST_SHARE = 25, 0.4  # labels of the first batch
_UNIFORM = (0.5, 0.3)  # share that goes by size alone, in either batch
_SPREAD = 0.01  # no item is surer than that
_IMAGINARY = 4.0  # labels of the spread that the votes expect


@dataclass(frozen=True)
class GoldStratum:
    """Vote patterns whose items are drawn alike.

    Attributes
    ----------
    votes : ndarray of int16 of shape (n_patterns, n_judges)
        Positions of labels, -1 for a missing vote.
    n_items : int
        Items of these patterns that are not checked yet.
    n_check : int
        How many of them to check now, drawn at random.
    deviation : float
        Expected standard deviation of an item's truth (symbol sqrt(p_v (1 - p_v))).
    """

    votes: NDArray[np.int16]
    n_items: int
    n_check: int
    deviation: float


@dataclass(frozen=True)
class GoldProposal:
    """What `propose_gold` proposes.

    Attributes
    ----------
    n : int
        Items to check now.
    strata : tuple of GoldStratum
    n_later : int
        Items of those asked for that had better be chosen when these are checked.
    """

    n: int
    strata: tuple[GoldStratum, ...]
    n_later: int = 0

    def draw(
        self, codes: ArrayLike, rng: np.random.Generator, checked: ArrayLike | None = None
    ) -> IntArray:
        """Draw the items to check."""
        judges = self.strata[0].votes.shape[1]
        rows = np.ascontiguousarray(check_codes(codes, 1 << 15, judges).astype(np.int16))
        open_ = np.ones(len(rows), bool) if checked is None else ~np.asarray(checked, dtype=bool)
        stratum = {row.tobytes(): h for h, part in enumerate(self.strata) for row in part.votes}
        of = np.array([stratum.get(row.tobytes(), -1) for row in rows], dtype=np.int64)
        chosen = []
        for h, part in enumerate(self.strata):
            here = np.flatnonzero((of == h) & open_)
            if len(here) < part.n_check:
                raise InputError(
                    f"{part.n_check} items are to be drawn where only {len(here)} are left; give "
                    "the votes of the items that the proposal was made for"
                )
            chosen.append(rng.choice(here, part.n_check, replace=False))
        return rng.permutation(np.concatenate(chosen))


def propose_gold(sketch: VoteSketch, n: int, *, gold: GoldSketch | None = None) -> GoldProposal:
    """Propose which items to check next.

    Patterns of like posterior make up to eight strata, the same however often one asks. A first
    batch, two fifths of the labels and at least 25, goes half by Neyman's allocation, as the
    votes see each stratum, half by size; what is asked for later goes where the labels so far
    found the votes wrong, three tenths of it by size.

    Parameters
    ----------
    sketch : VoteSketch
        All items, those checked included.
    n : int
        How many more to check.
    gold : GoldSketch, optional
        The items checked so far.

    Returns
    -------
    GoldProposal
        Fewer than `n` if a first batch should be checked before; `n_later` says how many.

    Raises
    ------
    InputError
        If fewer than `n` items are left, or as in `evaluate_with_gold`.

    References
    ----------
    Neyman, JRSS 97 (1934).

    Examples
    --------
    >>> from askpoint.judges.gold.proposal import propose_gold
    >>> from askpoint.judges.sketch.vote_sketch import VoteSketch
    >>> sketch = VoteSketch(["ann", "bob", "cy"], ["ham", "spam"])
    >>> sketch.update_codes([[0, 0, 0], [0, 0, 1], [1, 1, 1]], [500, 100, 400])
    >>> proposal = propose_gold(sketch, 100)
    >>> proposal.n, proposal.n_later, sum(stratum.n_check for stratum in proposal.strata)
    (40, 60, 40)
    """
    if gold is None:
        return propose_labelled(patterns_of(sketch), n)
    return propose_labelled(label_patterns(sketch, gold), n)


def propose_labelled(known: LabelledPatterns, n: int) -> GoldProposal:
    """Propose which items to check next, from patterns beside their labels."""
    left, n_known = known.cells.counts - known.drawn, int(known.drawn.sum())
    if isinstance(n, bool) or not 1 <= n <= left.sum():
        raise InputError(
            f"n must be between 1 and {left.sum()}, the items that are not checked yet; got {n}"
        )
    missing = _first_batch(n_known + n) - n_known if n_known < _FIRST else 0
    now = min(n, missing) if missing > 0 else n
    spread = _foreseen(known) if missing > 0 else _residual_squares(known)
    draws = top_up(known.sizes, known.draws, np.sqrt(spread), _UNIFORM[missing <= 0], now)
    open_ = known.sizes - known.draws
    strata = tuple(
        GoldStratum(
            known.cells.votes[(known.stratum == h) & (left > 0)],
            int(open_[h]),
            int(draws[h]),
            float(np.sqrt(spread[h])),
        )
        for h in range(len(draws))
        if open_[h]
    )
    return GoldProposal(now, strata, n - now)


def _first_batch(n: int) -> int:
    """Return how many of `n` labels shall be known before the others are chosen."""
    return (n + 1) // 2 if n < 2 * _FIRST else max(_FIRST, round(_FIRST_SHARE * n))


def _foreseen(known: LabelledPatterns) -> FloatArray:
    """Mean variance of an item's truth in each stratum, as the votes see it."""
    open_ = expected_spread(cautious(known.posterior), _SPREAD).sum(axis=1) / 2
    mean: FloatArray = np.bincount(known.stratum, known.cells.counts * open_) / known.sizes
    return mean


def _residual_squares(known: LabelledPatterns) -> FloatArray:
    """Mean square of the residuals in each stratum, with a few of the size that votes expect."""
    total: FloatArray = np.zeros(len(known.sizes))
    for of in totals_of(known):
        open_ = expected_spread(of.curve.chance, _SPREAD)
        expected = np.bincount(known.stratum, known.cells.counts * open_) / known.sizes
        squares = of.positives * of.curve.residuals(1) ** 2
        squares += of.negatives * of.curve.residuals(0) ** 2
        total += np.bincount(known.stratum, squares) + _IMAGINARY * expected
    mean: FloatArray = total / (known.draws + _IMAGINARY) / 2
    return mean
