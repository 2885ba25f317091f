"""Judges that tell nothing, or the same thing as another: constants, copies and opposites.

All of it follows from the votes alone, never from labels, so that the strata from which items are
drawn for labelling stay the same while labels come in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

from askpoint.judges.sketch.codes import MISSING
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.measures.inputs import FloatArray

__all__ = ["RedundantJudges", "find_redundant_judges"]

_CONSTANT = 0.005  # of a judge's votes for other labels, spec J20
_EXPECTED = 10.0  # votes for other labels, if he voted as the others do: exp(-10) none by chance
_COPY = 0.98  # of the contested items, spec J20
_AT_ONCE = 4096  # patterns
_FEWEST = 30  # contested items that two judges have in common


@dataclass(frozen=True)
class RedundantJudges:
    """Judges whose votes add nothing to those of the others.

    Attributes
    ----------
    constant : mapping of str to str
        By judge, the one label of more than 99.5% of the votes.
    copies : mapping of str to str
        By judge, the judge whose votes these are on 98% or more of the contested items.
    opposites : mapping of str to str
        By judge, the judge whose votes these are turned around, with two labels.
    """

    constant: Mapping[str, str] = field(default_factory=dict)
    copies: Mapping[str, str] = field(default_factory=dict)
    opposites: Mapping[str, str] = field(default_factory=dict)

    def keep(self, judges: tuple[str, ...]) -> tuple[str, ...]:
        """Return the judges that tell something of their own; all of them if none does."""
        gone = {*self.constant, *self.copies, *self.opposites}
        return tuple(judge for judge in judges if judge not in gone) or judges


def find_redundant_judges(sketch: VoteSketch, *, join_copies: bool = True) -> RedundantJudges:
    """Find judges who are constant, or copies or opposites of another judge.

    Parameters
    ----------
    sketch : VoteSketch
    join_copies : bool, default=True
        Whether copies and opposites are looked for; not where somebody named the families.

    Returns
    -------
    RedundantJudges

    Notes
    -----
    A judge is constant with one label on more than 99.5% of the votes, where the votes of the
    others on the same items let expect ten votes or more for other labels, and four times as many.
    An item is contested if not all its votes are equal. Two judges are copies if they agree on 98%
    of 30 contested items or more that both judged, and opposites if they disagree on 98% of all
    that both judged. The one with the most votes, and among these the first, stands for all.
    Two judges who are both nearly always right where the others are not look alike; labels tell
    them apart, and `--family` says so.

    Examples
    --------
    >>> from askpoint.judges.checks.redundant_judges import find_redundant_judges
    >>> from askpoint.judges.sketch.vote_sketch import VoteSketch
    >>> sketch = VoteSketch(["ann", "ann again", "bob", "yes man"], ["no", "yes"])
    >>> rows = [[0, 0, 0, 1], [1, 1, 1, 1], [0, 0, 1, 1], [1, 1, 0, 1]]
    >>> sketch.update_codes(rows, [40, 50, 20, 20])
    >>> found = find_redundant_judges(sketch)
    >>> found.constant, found.copies
    ({'yes man': 'yes'}, {'ann again': 'ann'})
    """
    cells, n_labels = sketch.cells(), len(sketch.labels)
    counts = cells.counts.astype(np.float64)
    said = [sparse.csr_array((cells.votes == k).astype(np.float64)) for k in range(n_labels)]
    votes = np.array([of.T @ counts for of in said])  # (n_labels, n_judges)
    tally = np.column_stack([of.sum(axis=1) for of in said])
    constant = _find_constant(sketch, said, votes, tally, counts)
    if not join_copies:
        return RedundantJudges(constant)
    use = np.array([judge not in constant for judge in sketch.judges])
    size = tally.sum(axis=1) - (cells.votes[:, ~use] != MISSING).sum(axis=1)
    most = np.column_stack([of[:, use].sum(axis=1) for of in said]).max(axis=1)
    # whoever voted on fewer items has no pair: in a crowd these are nearly all, and pairs grow by the square
    able = np.flatnonzero(use & (votes.sum(axis=0) >= _FEWEST))
    able = able[np.argsort(-votes[:, able].sum(axis=0), kind="stable")]
    columns = [of[:, able] for of in said]
    agreed, common = _pairs(columns, counts * (most < size))
    agreed_on_all, common_on_all = _pairs(columns, counts)
    copy = (common >= _FEWEST) & (agreed >= _COPY * common)
    opposite = (
        (common_on_all >= _FEWEST)
        & (agreed_on_all <= (1 - _COPY) * common_on_all)
        & (n_labels == 2)  # of more, who disagrees with one is not yet the same as him
    )
    copies, opposites = {}, {}
    kept = np.zeros(len(able), dtype=bool)
    names = [sketch.judges[place] for place in able]
    for i, judge in enumerate(names):
        like = np.flatnonzero(copy[i] & kept)
        against = np.flatnonzero(opposite[i] & kept)
        if len(like):
            copies[judge] = names[like[0]]
        elif len(against):
            opposites[judge] = names[against[0]]
        else:
            kept[i] = True
    return RedundantJudges(constant, copies, opposites)


def _find_constant(
    sketch: VoteSketch,
    said: list[sparse.csr_array],
    votes: FloatArray,
    tally: FloatArray,
    counts: FloatArray,
) -> dict[str, str]:
    """Return the label of each judge who gives hardly another, where the others give another."""
    total = votes.sum(axis=0)
    main = votes.argmax(axis=0)
    other = total - votes.max(axis=0)
    there = sum(said[1:], said[0])
    size = tally.sum(axis=1)
    found = {}
    for place, judge in enumerate(sketch.judges):
        if not total[place] or other[place] > _CONSTANT * total[place]:
            continue
        label = int(main[place])
        beside = counts * there[:, [place]].toarray().ravel()
        own = said[label][:, [place]].toarray().ravel()
        voters = np.maximum(size - 1, 1)
        elsewhere = (size - tally[:, label] - (1 - own)) / voters  # share of the others' votes
        expected = float(beside @ np.where(size > 1, elsewhere, 0.0))
        if expected >= max(_EXPECTED, 4 * other[place]):
            found[judge] = sketch.labels[label]
    return found


def _pairs(said: list[sparse.csr_array], weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return on how many items each two judges agree, and on how many both voted."""
    m, n = said[0].shape
    agreed, common = np.zeros((n, n)), np.zeros((n, n))
    for start in range(0, m, _AT_ONCE):
        rows = slice(start, start + _AT_ONCE)
        mass = weights[rows, None]
        there = np.zeros((len(mass), n))
        for of in said:
            votes = of[rows].toarray()
            agreed += votes.T @ (votes * mass)
            there += votes
        common += there.T @ (there * mass)
    return agreed, common
