"""Honest examination: which cases to show to judges, each with its probability of being drawn.

Four ways: the same number from each of k equal-width bins of estimated cost, as the paper does;
in proportion to what each bin leaves open (Neyman); at random; the most uncertain. Only the
first three say something about the cases that were not drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askpoint.errors import InputError
from askpoint.measures.inputs import FloatArray, IntArray, as_choice, as_finite
from askpoint.measures.sampling import neyman_allocation
from askpoint.unknowns.examination_names import METHODS
from askpoint.unknowns.reservoirs import Reservoirs, bin_edges

__all__ = ["ExaminationDesign", "ExaminationSample", "draw_examination"]

_DOUBT = 0.1  # share of the mean variance that every bin is given: unknown unknowns lie
# where the model expects no mistake at all


@dataclass(frozen=True, eq=False, kw_only=True)
class ExaminationSample:
    """Cases for judges, in the order in which to judge them.

    Made by `draw_examination` or `ExaminationDesign.draw`. The order is random over the whole
    sample, so that the first so many are an examination, too.

    Parameters
    ----------
    method : str
        One of `METHODS`.
    items : ndarray of shape (n_drawn,)
        Ids of the cases.
    bins : ndarray of int of shape (n_drawn,)
        Bin of each, from 0; one bin only for "random" and "uncertainty".
    inclusion : ndarray of shape (n_drawn,)
        Probability with which each was drawn: n_b / N_b.
    sizes : ndarray of int of shape (n_bins,)
        Cases in each bin, drawn or not (symbol N_b).
    edges : ndarray of shape (n_bins + 1,)
        Edges of the bins of estimated cost.
    seed : int, optional
        What the random numbers came from.
    digest : str, default=""
        Fingerprint of the log.
    """

    method: str
    items: NDArray[Any]
    bins: IntArray
    inclusion: FloatArray
    sizes: IntArray
    edges: FloatArray
    seed: int | None = None
    digest: str = ""

    @property
    def planned(self) -> IntArray:
        """Cases drawn from each bin, of shape (n_bins,)."""
        return np.bincount(self.bins, minlength=len(self.sizes))

    @property
    def whole(self) -> IntArray:
        """Bins that were too short for their share, or just held it: all their cases are drawn."""
        bins: IntArray = np.flatnonzero((self.planned == self.sizes) & (self.sizes > 0))
        return bins


@dataclass(frozen=True)
class ExaminationDesign:
    """How to draw an examination.

    Parameters
    ----------
    method : {"stratified", "neyman", "random", "uncertainty"}
        "stratified" draws n / n_bins from each bin, or all it holds; what a short bin lacks is
        not made up for elsewhere. "neyman" draws in proportion to size times the deviation of
        cost that the model expects. "random" draws from all alike; "uncertainty" takes the
        cases of greatest estimated cost.
    n : int, default=500
        Cases to judge (symbol N in the paper).
    n_bins : int, default=10
        Bins of equal width over the range of estimated costs (symbol k).

    Raises
    ------
    InputError
        If the method is unknown, or `n` is too small for the bins.

    References
    ----------
    Attenberg, Ipeirotis and Provost, "Beat the Machine", ACM JDIQ 6 (2015), section 5;
    Neyman, JRSS 97 (1934).

    Examples
    --------
    >>> from askpoint.unknowns.examination import ExaminationDesign
    >>> ExaminationDesign("neyman", n=200).n_bins
    10
    """

    method: str = "stratified"
    n: int = 500
    n_bins: int = 10

    def __post_init__(self) -> None:
        as_choice(self.method, METHODS, "method")
        least = {"stratified": 1, "neyman": 2}.get(self.method)
        if self.n < 1 or self.n_bins < 1:
            raise InputError(f"n and n_bins must be at least 1: got {self.n} and {self.n_bins}")
        if least is not None and self.n < least * self.n_bins:
            raise InputError(
                f"{self.n} cases are too few for {self.n_bins} bins: draw at least {least} for "
                "each, or take fewer bins"
            )

    @property
    def _binned(self) -> bool:
        return self.method in ("stratified", "neyman")

    def reservoirs(self, low: float, high: float) -> Reservoirs:
        """Return empty reservoirs for cases whose estimated costs lie between `low` and `high`.

        Parameters
        ----------
        low, high : float
            The range of the log; for a stream from 0 to the normaliser of the costs.

        Returns
        -------
        Reservoirs
        """
        share = -(-self.n // self.n_bins) if self.method == "stratified" else self.n
        return Reservoirs(bin_edges(low, high, self.n_bins if self._binned else 1), share)

    def keys(self, estimated: ArrayLike, rng: np.random.Generator) -> FloatArray:
        """Return the keys under which cases go to the reservoirs.

        Parameters
        ----------
        estimated : array-like of shape (n_items,)
            Estimated costs.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        ndarray of shape (n_items,)
        """
        if self.method == "uncertainty":
            return -as_finite(estimated, "estimated costs")
        return rng.random(len(np.asarray(estimated)))

    def allocation(self, reservoirs: Reservoirs) -> IntArray:
        """Return how many cases to draw from each bin.

        Parameters
        ----------
        reservoirs : Reservoirs
            All cases.

        Returns
        -------
        ndarray of int of shape (n_bins,)

        Raises
        ------
        InputError
            If `n` exceeds the cases there are.
        """
        sizes = reservoirs.sizes
        if self.n > sizes.sum():
            raise InputError(
                f"{self.n} cases are to be judged, but the log has only {sizes.sum()}; ask for "
                "fewer"
            )
        if self.method == "neyman":
            cases = np.maximum(sizes, 1)
            variance = reservoirs.squares / cases - np.square(reservoirs.sums / cases)
            doubt = _DOUBT * (sizes * variance).sum() / sizes.sum()
            return neyman_allocation(sizes, np.sqrt(variance.clip(0) + doubt), self.n)
        share, more = divmod(self.n, len(sizes))
        planned: IntArray = np.minimum(sizes, share + (np.arange(len(sizes)) < more))
        return planned

    def draw(
        self,
        reservoirs: Reservoirs,
        rng: np.random.Generator,
        *,
        seed: int | None = None,
        digest: str = "",
    ) -> ExaminationSample:
        """Draw from the cases that the reservoirs kept.

        Parameters
        ----------
        reservoirs : Reservoirs
            Made by `reservoirs`, after all cases came under their `keys`.
        rng : numpy.random.Generator
            Source of the order of judging.
        seed : int, optional
            What the random numbers came from, for the record.
        digest : str, default=""
            Fingerprint of the log, for the record.

        Returns
        -------
        Examination

        Raises
        ------
        InputError
            If `n` exceeds the cases there are.
        """
        planned = self.allocation(reservoirs)
        items = [reservoirs.items(b, n) for b, n in enumerate(planned.tolist())]
        bins = np.repeat(np.arange(len(planned)), planned)
        inclusion = (planned / np.maximum(reservoirs.sizes, 1))[bins]
        if self.method == "uncertainty":
            inclusion = np.ones(len(bins))
        order = rng.permutation(len(bins))
        return ExaminationSample(
            method=self.method,
            items=np.concatenate(items)[order],
            bins=bins[order],
            inclusion=inclusion[order],
            sizes=reservoirs.sizes.copy(),
            edges=reservoirs.edges,
            seed=seed,
            digest=digest,
        )


def draw_examination(
    items: ArrayLike,
    estimated: ArrayLike,
    design: ExaminationDesign,
    rng: np.random.Generator,
    *,
    squared: ArrayLike | None = None,
) -> ExaminationSample:
    """Draw an examination from a log in memory.

    Parameters
    ----------
    items : array-like of shape (n_items,)
        Ids of the cases.
    estimated : array-like of shape (n_items,)
        What the model thinks that each costs.
    design : ExaminationDesign
        How to draw.
    rng : numpy.random.Generator
        Source of randomness.
    squared : array-like of shape (n_items,), optional
        Estimated squared costs, for "neyman"; by default those of costs that are 0 or 1.

    Returns
    -------
    Examination

    Raises
    ------
    InputError
        If there are fewer cases than are to be judged, or lengths differ.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.unknowns.examination import ExaminationDesign, draw_examination
    >>> rng = np.random.default_rng(1)
    >>> estimated = np.square(rng.random(10_000)) / 2
    >>> drawn = draw_examination(np.arange(10_000), estimated, ExaminationDesign(n=50), rng)
    >>> drawn.planned, len(drawn.items)
    (array([5, 5, 5, 5, 5, 5, 5, 5, 5, 5]), 50)
    """
    cost = as_finite(estimated, "estimated costs")
    low, high = (cost.min(), cost.max()) if cost.size else (0.0, 0.0)
    reservoirs = design.reservoirs(float(low), float(high))
    squares = cost if squared is None else squared
    reservoirs.update(items, cost, design.keys(cost, rng), squared=squares)
    return design.draw(reservoirs, rng)
