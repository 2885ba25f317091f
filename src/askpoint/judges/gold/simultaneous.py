"""Shares of a label in parts of the items, learnt from all labels together, and held together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from askpoint.errors import InputError
from askpoint.judges.gold.domain_sums import DomainSums, stratified_variance
from askpoint.judges.gold.gold_sketch import GoldSketch
from askpoint.judges.gold.labelled_patterns import label_patterns
from askpoint.judges.gold.residual_totals import expected_spread, totals_of
from askpoint.judges.gold.uncertain_shares import UncertainShare, share_interval_around
from askpoint.judges.sketch.tables import VoteTable
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.measures.inputs import as_choice, as_level
from askpoint.measures.intervals import Interval

__all__ = ["SliceShare", "slice_shares"]


@dataclass(frozen=True)
class SliceShare:
    """How common a label is in one part of the items.

    Attributes
    ----------
    share : float
    interval : Interval
        Those of all parts hold together.
    n_items, n_gold : int
        Items of the part, and those of them that are labelled.
    by_votes : float
        What the judges alone would say.
    """

    share: float
    interval: Interval
    n_items: int
    n_gold: int
    by_votes: float


def slice_shares(
    table: VoteTable,
    gold: Mapping[str, str],
    slices: Mapping[str, str],
    label: str,
    *,
    level: float = 0.95,
    drawn: str = "as proposed",
    any_time: bool = False,
) -> dict[str, SliceShare | None]:
    """Return the share of a label in each slice; None where none of its items is labelled.

    All labels teach how far to believe the votes; what they got wrong in a slice mends its share.
    With m slices each interval has level 1 - (1 - level) / m (Bonferroni), so that all hold at once.
    """
    as_level(level, "level")
    as_choice(label, table.labels, "label")
    names = sorted({slices[task] for task in table.tasks if task in slices})
    if not names:
        raise InputError("no item belongs to a slice: the items' names must be the same")
    sketch = VoteSketch(table.judges, table.labels)
    sketch.update_codes(table.codes)
    counted = GoldSketch.from_table(table, gold, unjudged="leave out")
    code = table.labels.index(label)
    learnt = totals_of(label_patterns(sketch, counted).as_drawn(drawn))[code]
    patterns, curve = learnt.known, learnt.curve  # in the strata that count
    place = {row.tobytes(): i for i, row in enumerate(patterns.cells.votes)}
    at = np.array([place[row.tobytes()] for row in table.codes.astype(np.int16)])
    stratum, n_strata = patterns.stratum[at], int(patterns.stratum.max()) + 1
    truth = np.array([-1 if task not in gold else gold[task] == label for task in table.tasks])
    seen, chance = truth >= 0, curve.chance[at]
    raw = np.where(seen, truth - chance, 0.0)
    loose = raw / (1 - curve.leverage[at])
    weights = patterns.weights[at]
    shares: dict[str, SliceShare | None] = {}
    one = 1 - (1 - level) / len(names)
    for name in names:
        of = np.array([slices.get(task) == name for task in table.tasks])
        labelled = of & seen
        n, m = int(of.sum()), int(labelled.sum())
        if not m:
            shares[name] = None
            continue
        columns = (of, labelled, of * expected_spread(chance), of * loose**2, of * loose**4)
        sums = DomainSums(
            *(np.bincount(stratum, column, minlength=n_strata)[:, None] * 1.0 for column in columns)
        )
        spread = stratified_variance([(sums, np.array([1 / n]))], patterns.sizes, patterns.draws)
        yes = int(truth[labelled].sum())
        lower, upper = yes / n, (yes + n - m) / n
        value = float(chance[of].mean() + weights[of] @ raw[of] / n)
        share = UncertainShare(
            min(max(value, lower), upper),
            float(spread.variance[0]),
            float(spread.freedom[0]),
            n,
            float(weights[labelled].sum() ** 2 / np.square(weights[labelled]).sum()),
            lower,
            upper,
            open_below=yes == 0,
            open_above=yes == m,
        )
        shares[name] = SliceShare(
            share.value,
            share_interval_around(share, one, counted.n_items if any_time else None),
            n,
            m,
            float(patterns.posterior[at[of], code].mean()),
        )
    return shares
