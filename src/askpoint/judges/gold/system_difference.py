"""Two systems answer the same items and one panel judges both: which is better, and by how much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from askpoint.errors import NotEstimableError
from askpoint.judges.gold.domain_sums import DomainSums, stratified_variance
from askpoint.judges.gold.labelled_patterns import DRAWN
from askpoint.judges.gold.recalibration import panel_features, recalibrate
from askpoint.judges.gold.residual_totals import expected_spread
from askpoint.judges.gold.strata import merge_strata
from askpoint.judges.gold.system_pairs import pair_systems
from askpoint.judges.gold.uncertain_shares import (
    UncertainShare,
    chance_above,
    difference_interval,
    share_interval_around,
)
from askpoint.judges.sketch.codes import label_name
from askpoint.judges.sketch.tables import VoteTable
from askpoint.measures.inputs import FloatArray, IntArray, as_choice, as_level
from askpoint.measures.intervals import Interval

__all__ = ["SystemDifference", "SystemShare", "compare_systems"]

_FAVOUR = 0.7  # how much a panel may favour one system, on the logit scale


@dataclass(frozen=True)
class SystemShare:
    """How often one of the systems passes on the items that both answered.

    Attributes
    ----------
    share : float
    interval : Interval
    by_votes : float
        What the judges alone would say; no interval goes with it.
    """

    share: float
    interval: Interval
    by_votes: float


@dataclass(frozen=True, kw_only=True)
class SystemDifference:
    """How much more often the second system passes than the first, on the same items.

    Attributes
    ----------
    difference : float
        Share that the second passes less share that the first passes.
    interval : Interval
    by_votes : float
        What the judges alone would say; no interval goes with it.
    n_items : int
        Items with an answer of both systems.
    n_gold : int
        Of these, items whose two answers are both labelled.
    n_left_out : int
        Items that only one of the systems answered.
    chance_better : float
        That the second passes more often: the share above 0 of the Student distribution around
        the difference, as if nothing had been believed before.
    shares : (SystemShare, SystemShare)
        How often either passes, on the same items.
    """

    difference: float
    interval: Interval
    by_votes: float
    n_items: int
    n_gold: int
    n_left_out: int
    chance_better: float
    shares: tuple[SystemShare, SystemShare]


def compare_systems(
    first: VoteTable,
    second: VoteTable,
    gold_first: Mapping[str, str],
    gold_second: Mapping[str, str],
    *,
    passing: str,
    level: float = 0.95,
    drawn: str = "as proposed",
    any_time: bool = False,
) -> SystemDifference:
    """Compare two systems that one panel judged on the same items.

    Votes on both systems' answers are recalibrated together, with a term for a panel that
    favours one system, and mended by what they got wrong on the labelled items.

    Parameters
    ----------
    first, second : VoteTable
        Votes on the answers of either system: the same judges, two labels, the same items.
    gold_first, gold_second : mapping of task to label
        The truth of some items' answers; items count whose two answers are labelled.
    passing : str
        The label of a good answer.
    level : float, default=0.95
        Interval coverage.
    drawn : {"as proposed", "at random"}, default="as proposed"
        How the labelled items were drawn: "as proposed" by `propose_for_systems` holds for
        plain random samples, too; "at random" is somewhat narrower for these.
    any_time : bool, default=False
        Whether the interval shall hold however often one looks while labelling.

    Returns
    -------
    SystemDifference

    Raises
    ------
    InputError
        If judges or labels differ, there are not two labels, or a truth is none of them.
    NotEstimableError
        If no item was answered by both, or none has both answers labelled.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.judges.gold.system_difference import compare_systems
    >>> from askpoint.judges.sketch.tables import VoteTable
    >>> tasks = tuple(map(str, range(300)))
    >>> votes = np.array([[1, 1], [1, 0], [0, 0]] * 100, dtype=np.int16)
    >>> old = VoteTable(tasks, ("x", "y"), ("fail", "pass"), votes)
    >>> new = VoteTable(tasks, ("x", "y"), ("fail", "pass"), np.roll(votes | 1, 1, axis=0))
    >>> truth = ["pass", "fail", "fail"] * 20
    >>> found = compare_systems(
    ...     old, new, dict(zip(tasks, truth)), dict.fromkeys(tasks[:60], "pass"), passing="pass"
    ... )
    >>> found.n_gold, round(found.difference, 1), found.interval.lower > 0
    (60, 0.7, True)
    """
    as_level(level, "level")
    as_choice(drawn, DRAWN, "drawn")
    pairs = pair_systems(first, second, passing)
    n = len(pairs.tasks)
    truth = _truth(pairs.tasks, (gold_first, gold_second), first.labels, passing)
    seen = np.all(truth >= 0, axis=0)
    if not seen.any():
        raise NotEstimableError(
            "no item has both answers labelled; label some (propose_for_systems says which)"
        )
    few = np.where(seen, 1, 0)
    stratum = merge_strata(pairs.stratum, few) if drawn == "as proposed" else 0 * pairs.stratum
    sizes, draws = (np.bincount(stratum, of).astype(float) for of in (np.ones(n), seen))
    weights = (sizes / draws)[stratum]
    both, of_both = np.tile(seen, 2), truth.ravel()
    features = panel_features(pairs.posterior, pairs.vote_share, pairs.votes, pairs.passing)
    curve = recalibrate(
        features.with_column(np.repeat([-0.5, 0.5], n), _FAVOUR),
        (both & (of_both == 0)).astype(float),
        (both & (of_both == 1)).astype(float),
        np.tile(weights, 2),
    )
    chance = curve.chance.reshape(2, n)
    raw = np.where(seen, truth - chance, 0.0)
    loose = raw / (1 - curve.leverage.reshape(2, n))
    open_ = expected_spread(chance)
    drawn_from = _LabelledItems(seen, stratum, sizes, draws)
    known = np.where(seen, truth, 0)
    by_votes = pairs.posterior.reshape(2, n).mean(axis=1)
    n_gold = int(seen.sum())
    looked = n_gold if any_time else None
    shares = []
    for of in (0, 1):
        passed = float(known[of].sum())
        at = drawn_from.mean(
            chance[of], raw[of], loose[of], open_[of], (passed / n, (passed + n - n_gold) / n)
        )
        at = replace(at, open_below=passed == 0, open_above=passed == n_gold)
        interval = share_interval_around(at, level, looked)
        shares.append(SystemShare(at.value, interval, float(by_votes[of])))
    sure = float((known[1] - known[0]).sum())
    at = drawn_from.mean(
        chance[1] - chance[0],
        raw[1] - raw[0],
        loose[1] - loose[0],
        open_.sum(axis=0),
        ((sure - n + n_gold) / n, (sure + n - n_gold) / n),
    )
    return SystemDifference(
        difference=at.value,
        interval=difference_interval(at, level, looked),
        by_votes=float(by_votes[1] - by_votes[0]),
        n_items=n,
        n_gold=n_gold,
        n_left_out=pairs.n_left_out,
        chance_better=chance_above(at, 0.0),
        shares=(shares[0], shares[1]),
    )


@dataclass(frozen=True)
class _LabelledItems:
    """Which items were labelled, and from which strata they were drawn."""

    seen: NDArray[np.bool_]
    stratum: IntArray
    sizes: FloatArray
    draws: FloatArray

    def mean(
        self,
        expected: FloatArray,
        raw: FloatArray,
        loose: FloatArray,
        open_: FloatArray,
        certain: tuple[float, float],
    ) -> UncertainShare:
        """Mean over all items of what is expected, mended by what it got wrong where labelled."""
        n = len(self.seen)
        weights = (self.sizes / self.draws)[self.stratum]
        columns = (np.ones(n), self.seen.astype(float), open_, loose**2, loose**4)
        sums = DomainSums(*(np.bincount(self.stratum, of)[:, None] * 1.0 for of in columns))
        spread = stratified_variance([(sums, np.array([1 / n]))], self.sizes, self.draws)
        value = float(expected.mean() + weights @ raw / n)
        return UncertainShare(
            min(max(value, certain[0]), certain[1]),
            float(spread.variance[0]),
            float(spread.freedom[0]),
            n,
            float((self.seen * weights).sum() ** 2 / (self.seen * weights**2).sum()),
            *certain,
            open_below=False,
            open_above=False,
        )


def _truth(
    tasks: Sequence[str], golds: Sequence[Mapping[str, str]], labels: Sequence[str], passing: str
) -> IntArray:
    """Whether each answer passes, -1 where it is not labelled: one row a system."""
    truth = np.full((2, len(tasks)), -1, dtype=np.int64)
    for row, gold in enumerate(golds):
        named = {label_name(task): label_name(label) for task, label in gold.items()}
        for label in named.values():
            as_choice(label, labels, "a gold label")
        truth[row] = [-1 if task not in named else named[task] == passing for task in tasks]
    return truth
