"""Vote patterns beside their labels: what is drawn from where, and with which weight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from askpoint.errors import InputError, NotEstimableError
from askpoint.judges.gold.gold_sketch import GoldSketch
from askpoint.judges.gold.item_covariates import ItemCovariate, level_columns
from askpoint.judges.gold.strata import is_evenly_drawn, merge_strata, pattern_strata
from askpoint.judges.methods.dawid_skene import fit_labels
from askpoint.judges.sketch.tables import VoteTable
from askpoint.judges.sketch.vote_sketch import VoteCells, VoteSketch
from askpoint.measures.inputs import FloatArray, IntArray, as_choice

__all__ = ["DRAWN", "LabelledPatterns", "label_items", "label_patterns", "patterns_of"]

DRAWN = ("as proposed", "at random")
"""How labelled items can have been drawn."""


@dataclass(frozen=True, kw_only=True)
class LabelledPatterns:
    """All patterns, and how many items of each were labelled as what.

    Attributes
    ----------
    judges, labels : tuple of str
    cells : VoteCells
    labelled : ndarray of int of shape (n_patterns, n_labels)
    posterior : ndarray of shape (n_patterns, n_labels)
        Dawid and Skene's, without labels.
    vote_share : ndarray of shape (n_patterns, n_labels)
        Share of the votes for each label, one vote spread over all added.
    cast : sequence of sparse arrays of shape (n_patterns, n_judges)
        Who votes for each label.
    stratum : ndarray of int of shape (n_patterns,)
        From which stratum its items were drawn.
    is_even : bool
        Whether strata may be left aside: labels are spread over them as equal chances spread labels.
    covariates : tuple of ItemCovariate
        What else sets items apart: then a row is a pattern of votes and levels.
    levels : ndarray of int16 of shape (n_patterns, n_covariates)
    """

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    cells: VoteCells
    labelled: IntArray
    posterior: FloatArray
    vote_share: FloatArray
    cast: tuple[sparse.csr_array, ...]
    stratum: IntArray
    is_even: bool = False
    covariates: tuple[ItemCovariate, ...] = ()
    levels: NDArray[np.int16] = field(default_factory=lambda: np.empty((0, 0), np.int16))

    @property
    def level_columns(self) -> FloatArray:
        """A column for each level of a covariate, none without covariates."""
        return level_columns(self.covariates, self.levels)

    @property
    def n_items(self) -> int:
        """All items."""
        return int(self.cells.counts.sum())

    @property
    def drawn(self) -> IntArray:
        """Labelled items of each pattern."""
        return self.labelled.sum(axis=1)  # type: ignore[no-any-return]

    @property
    def sizes(self) -> FloatArray:
        """Items of each stratum."""
        return self.by_stratum(self.cells.counts)

    @property
    def draws(self) -> FloatArray:
        """Labelled items of each stratum."""
        return self.by_stratum(self.drawn)

    def by_stratum(self, values: IntArray | FloatArray) -> FloatArray:
        """Sum values of patterns by stratum."""
        return np.bincount(self.stratum, values).astype(np.float64)

    @property
    def weights(self) -> FloatArray:
        """Items that each labelled item of a pattern stands for."""
        return (self.sizes / np.maximum(self.draws, 1))[self.stratum]

    def as_drawn(self, drawn: str) -> LabelledPatterns:
        """Return the same with the strata that labels were drawn from."""
        as_choice(drawn, DRAWN, "drawn")
        if not self.drawn.any():
            raise NotEstimableError(
                "no item was checked yet; propose_gold says which to check first"
            )
        if drawn == "at random":
            return self.as_one_stratum()
        is_even = is_evenly_drawn(self.sizes, self.draws)
        return replace(self, stratum=merge_strata(self.stratum, self.drawn), is_even=is_even)

    def as_one_stratum(self) -> LabelledPatterns:
        """Return the same as if all items had equal chances."""
        return replace(self, stratum=np.zeros_like(self.stratum), is_even=False)

    def part(self, counts: IntArray, labelled: IntArray) -> LabelledPatterns:
        """Return the patterns of some of the items, in the strata of all."""
        here = counts > 0
        return replace(
            self,
            cells=VoteCells(self.cells.votes[here], counts[here].astype(np.int64)),
            labelled=labelled[here],
            posterior=self.posterior[here],
            vote_share=self.vote_share[here],
            cast=tuple(of[here] for of in self.cast),
            stratum=np.unique(self.stratum[here], return_inverse=True)[1].ravel(),
            levels=self.levels[here] if self.covariates else self.levels,
        )


def patterns_of(sketch: VoteSketch) -> LabelledPatterns:
    """Return all patterns and what votes alone say of each, none labelled yet."""
    cells, r = sketch.cells(), len(sketch.labels)
    rows, judges = np.nonzero(cells.votes >= 0)
    codes = cells.votes[rows, judges]
    cast = tuple(
        sparse.csr_array((np.ones(of.sum()), (rows[of], judges[of])), shape=cells.votes.shape)
        for of in (codes == k for k in range(r))
    )
    votes = np.column_stack([of.sum(axis=1) for of in cast])
    vote_share = (votes + 1 / r) / (votes.sum(axis=1, keepdims=True) + 1)
    posterior = fit_labels(cells, r).posterior
    return LabelledPatterns(
        judges=sketch.judges,
        labels=sketch.labels,
        cells=cells,
        labelled=np.zeros((len(cells.counts), r), dtype=np.int64),
        posterior=posterior,
        vote_share=vote_share,
        cast=cast,
        stratum=pattern_strata(cells.counts, posterior, vote_share),
    )


def label_patterns(sketch: VoteSketch, gold: GoldSketch) -> LabelledPatterns:
    """Return all patterns beside the checked items."""
    return replace(patterns_of(sketch), labelled=_count_checked(sketch, gold))


def label_items(
    table: VoteTable, gold: Mapping[str, str], covariates: Sequence[ItemCovariate] = ()
) -> LabelledPatterns:
    """Return all patterns of votes and levels of covariates, beside the checked items.

    What votes alone say of an item, and its stratum, do not depend on covariates: items are proposed
    the same with and without.
    """
    sketch = VoteSketch(table.judges, table.labels)
    sketch.update_codes(table.codes)
    known = label_patterns(sketch, GoldSketch.from_table(table, gold, unjudged="leave out"))
    covariates = tuple(of for of in covariates if len(of.levels) > 1)
    if not covariates:
        return known
    place = {row.tobytes(): i for i, row in enumerate(known.cells.votes.astype(np.int16))}
    votes = np.array([place[row.tobytes()] for row in table.codes.astype(np.int16)])
    items = np.column_stack([votes, *(of.codes for of in covariates)])
    rows, at, counts = np.unique(items, axis=0, return_inverse=True, return_counts=True)
    labelled = np.zeros((len(rows), len(table.labels)), dtype=np.int64)
    for task, row in zip(table.tasks, at.ravel(), strict=True):
        if task in gold:
            labelled[row, table.labels.index(gold[task])] += 1
    of_votes = rows[:, 0]
    return replace(
        known,
        cells=VoteCells(known.cells.votes[of_votes], counts.astype(np.int64)),
        labelled=labelled,
        posterior=known.posterior[of_votes],
        vote_share=known.vote_share[of_votes],
        cast=tuple(of[of_votes] for of in known.cast),
        stratum=known.stratum[of_votes],
        covariates=covariates,
        levels=rows[:, 1:].astype(np.int16),
    )


def _count_checked(sketch: VoteSketch, gold: GoldSketch) -> IntArray:
    for what in ("judges", "labels"):
        mine, theirs = getattr(sketch, what), getattr(gold, what)
        if mine != theirs:
            raise InputError(f"votes and gold have other {what}: {mine} and {theirs}")
    cells, gold_cells = sketch.cells(), gold.cells()
    place = {row.tobytes(): i for i, row in enumerate(cells.votes)}
    checked = np.zeros((len(cells.votes), len(sketch.labels)), dtype=np.int64)
    for row, counts in zip(gold_cells.votes.astype(np.int16), gold_cells.counts, strict=True):
        at = place.get(row.tobytes())
        judged = 0 if at is None else int(cells.counts[at])
        if at is None or counts.sum() > judged:
            votes = ", ".join(sketch.labels[code] if code >= 0 else "no vote" for code in row)
            raise InputError(
                f"{counts.sum()} items with the votes ({votes}) were checked, but {judged} were "
                "judged; the sketch must count all items, those checked included"
            )
        checked[at] = counts
    return checked
