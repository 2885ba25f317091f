"""Which items to check next: where the votes leave the true label most open."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askpoint.errors import InputError
from askpoint.judges.gold.evaluation import checked_patterns
from askpoint.judges.gold.gold_sketch import GoldSketch
from askpoint.judges.gold.pattern_calibration import label_totals
from askpoint.judges.methods.dawid_skene import fit_labels
from askpoint.judges.sketch.codes import check_codes
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.measures.inputs import FloatArray, IntArray
from askpoint.measures.sampling import neyman_allocation

__all__ = ["GoldProposal", "GoldStratum", "propose_gold"]

_STRATA = 16  # where patterns outnumber the budget
_EACH = 4  # checks a stratum should have


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
        Items to check in all.
    strata : tuple of GoldStratum
    """

    n: int
    strata: tuple[GoldStratum, ...]

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

    Neyman's allocation: in proportion to a pattern's items times the deviation of their truth,
    as the label-free posterior or the checks so far see it, and a few of every pattern. It only
    steers: what `evaluate_with_gold` says holds wherever the checks fall, as long as they are
    random within a pattern. Where patterns outnumber the budget, patterns of like posterior are
    drawn together.

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
    >>> proposal = propose_gold(sketch, 50)
    >>> sum(stratum.n_check for stratum in proposal.strata)
    50
    """
    known = GoldSketch(sketch.judges, sketch.labels) if gold is None else gold
    cells, checked = checked_patterns(sketch, known)
    left = cells.counts - checked.sum(axis=1)
    if isinstance(n, bool) or not 1 <= n <= left.sum():
        raise InputError(
            f"n must lie between 1 and {left.sum()}, the items that are not checked yet; got {n}"
        )
    shares = fit_labels(cells, len(sketch.labels)).posterior
    if known.n_items:
        totals = label_totals(cells.counts, shares, checked).mean()
        shares = totals / totals.sum(axis=1, keepdims=True)
    # votes that seem unanimous may be wrong together: never sure beyond 1 %
    deviation = np.sqrt(1.01 - np.square(shares).sum(axis=1))
    kept = np.flatnonzero(left > 0)
    group = _groups(shares[kept], left[kept] * deviation[kept], n)
    sizes = np.bincount(group, left[kept])
    spread = np.bincount(group, left[kept] * deviation[kept]) / sizes
    draws = neyman_allocation(sizes, spread, n, at_least=2 if 2 * len(sizes) <= n else 1)
    return GoldProposal(
        n,
        tuple(
            GoldStratum(
                cells.votes[kept[group == h]], int(sizes[h]), int(draws[h]), float(spread[h])
            )
            for h in range(len(sizes))
        ),
    )


def _groups(shares: FloatArray, mass: FloatArray, n: int) -> IntArray:
    """Each pattern alone where the budget allows, else those of like posterior together."""
    if _EACH * len(shares) <= n:
        return np.arange(len(shares))
    n_groups = min(_STRATA, max(1, n // _EACH))
    order = np.lexsort((shares[:, 0], shares.argmax(axis=1)))
    reached = np.cumsum(mass[order]) / mass.sum()
    group = np.empty(len(shares), dtype=np.int64)
    group[order] = np.minimum((reached * n_groups).astype(np.int64), n_groups - 1)
    return np.unique(group, return_inverse=True)[1].ravel()
