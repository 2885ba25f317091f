"""What is counted anew while a policy is closed, so that an old trouble delays no reopening.

While everything is asked, labels are free and a random sample, so tests may begin anew beside the
episode's own, and the first that allows it opens. Under a promise a *start* is a run of labels with
certificates of its own. Starts are numbered over the whole life, and start K spends
delta / (K (K + 1)), whatever episode it falls into; when one begins is decided by labels counted before
it, never by those that it will use. For a price the last labels alone are a window: its length doubles
with each reopening that did not last, so that a model which is good every other week stays closed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from askpoint.live.calibration import BINS
from askpoint.live.pending import LOST
from askpoint.live.terms import Terms
from askpoint.measures.eprocess import log_risk_evidence
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray

__all__ = ["LabelCounts", "Restarts", "Start", "count_relapses", "window_labels"]

_BLOCK = 200  # labels between two moments at which a start may begin
_WINDOW = 200  # labels of the shortest window for a price
_AGAIN = 3200  # that must speak for a reopening after one that did not last; four times as many each time
_PARTS = 8  # of a window: it moves on by one of them
_PATIENCE = (
    2000  # labels after which, and at each doubling, the window doubles: who looks often errs often
)
_FINEST = 50  # labels of a part, at least
_MOST_RELAPSES = 4
_LASTING = {"money": 3000, "promise": 1800}  # decisions after which an opening has lasted
_CHAINS = (0, 7, 16)  # places of the grid at which chains begin
_HOPEFUL = (7, 16)  # those at which a block must look good before a start is spent on it
_BEHIND = 3.0  # nats behind the newcomer: such a start ends
_MOST_STARTS = 3  # beside the episode's own


@dataclass(frozen=True, eq=False)
class LabelCounts:
    """Labels and mistakes: of the uniform sample above each threshold of the grid, and in each bin.

    Parameters
    ----------
    labels : int
        How many were counted.
    n, w : ndarray of shape (32,)
        Labels and mistakes at each threshold.
    labelled, wrong, given_up : ndarray of shape (40,)
        Labels, mistakes and labels that did not come in each bin.
    """

    labels: int
    n: IntArray
    w: IntArray
    labelled: IntArray
    wrong: IntArray
    given_up: IntArray

    @classmethod
    def of(cls, above: BoolArray, label: IntArray, place: IntArray) -> Self:
        """Count labels (0 right, 1 wrong, 2 missing): where they lie above each threshold, and their bins."""
        return cls(
            len(place),
            above.sum(axis=0),
            above[label > 0].sum(axis=0),
            np.bincount(place[label < LOST], minlength=BINS),
            np.bincount(place[label == 1], minlength=BINS),
            np.bincount(place[label == LOST], minlength=BINS),
        )

    def __add__(self, other: LabelCounts) -> LabelCounts:
        """Return both together."""
        return LabelCounts(
            self.labels + other.labels,
            self.n + other.n,
            self.w + other.w,
            self.labelled + other.labelled,
            self.wrong + other.wrong,
            self.given_up + other.given_up,
        )

    def to_plain(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            name: value.tolist() if isinstance(value, np.ndarray) else value
            for name, value in vars(self).items()
        }

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> Self:
        """Return what `to_plain` wrote."""
        arrays = {
            name: np.array(value, dtype=np.int64)
            for name, value in plain.items()
            if name != "labels"
        }
        return cls(plain["labels"], **arrays)


@dataclass(frozen=True, eq=False)
class Start:
    """Certificates that began anew.

    Parameters
    ----------
    number : int
        Counted over the whole life (symbol K).
    since : int
        Decision after which it began.
    counts : LabelCounts or None
        Labels since; None before the first.
    places : ndarray
        The chains.
    """

    number: int
    since: int
    counts: LabelCounts | None = None
    places: IntArray = field(default_factory=lambda: np.array(_CHAINS))

    def score(self, limit: float) -> float:
        """Evidence of the best place at which a chain begins, less what its number costs; logarithms."""
        if self.counts is None:
            return _price(self.number)
        return _score(self.number, limit, self.counts.n, self.counts.w)


@dataclass(frozen=True, eq=False)
class Restarts:
    """What is counted beside the episode's own counts while a policy is closed.

    Parameters
    ----------
    partial : LabelCounts or None
        Labels since the last block was full.
    blocks : tuple of LabelCounts
        For a price: the last full ones, which make the window.
    starts : tuple of Start
        Under a promise: those that run.
    labels : int
        Labels of full blocks so far.
    """

    partial: LabelCounts | None = None
    blocks: tuple[LabelCounts, ...] = ()
    starts: tuple[Start, ...] = ()
    labels: int = 0

    def room(self, aim: str, relapses: int) -> int:
        """How many labels are missing until the block is full."""
        size = _BLOCK if aim == "promise" else self.part_labels(relapses)
        return size - (0 if self.partial is None else self.partial.labels)

    def full_block(self, aim: str, relapses: int) -> LabelCounts | None:
        """Return the labels since the last block, once they are one."""
        return self.partial if self.room(aim, relapses) == 0 else None

    def part_labels(self, relapses: int) -> int:
        """Labels of a part of the window for a price, by which it moves on."""
        return max(_FINEST, self.window_labels(relapses) // _PARTS)

    def window_labels(self, relapses: int) -> int:
        """Labels of the window for a price: more, the longer nothing opened."""
        longer = max(0, math.floor(math.log2(max(1, self.labels) / _PATIENCE)))
        return max(window_labels(relapses), _WINDOW << longer)

    def add(self, counts: LabelCounts) -> Restarts:
        """Return it after more labels, of one block at most."""
        return replace(
            self,
            partial=counts if self.partial is None else self.partial + counts,
            starts=tuple(
                replace(start, counts=counts if start.counts is None else start.counts + counts)
                for start in self.starts
            ),
        )

    def end_block(self, block: LabelCounts, relapses: int) -> Restarts:
        """Return it with the full block at the end of the window."""
        ended = replace(self, partial=None, labels=self.labels + block.labels)
        blocks = (*self.blocks, block)
        if ended.part_labels(relapses) > self.part_labels(relapses):  # by pairs, the latest first
            pairs = zip(blocks[-2::-2], blocks[::-2], strict=False)
            blocks = tuple(older + newer for older, newer in pairs)[::-1]
        n_parts = ended.window_labels(relapses) // ended.part_labels(relapses)
        return replace(ended, blocks=blocks[-n_parts:])

    def window(self, relapses: int) -> LabelCounts | None:
        """Return the counts of the window; None while it is not full."""
        if sum(block.labels for block in self.blocks) < self.window_labels(relapses):
            return None
        total = self.blocks[0]
        for block in self.blocks[1:]:
            total += block
        return total

    def begin_start(
        self,
        terms: Terms,
        block: LabelCounts,
        own: tuple[int, IntArray, IntArray],
        last: int,
        since: int,
    ) -> tuple[Restarts, int]:
        """End the block; begin a start where it looks good and no running one is better off.

        Parameters
        ----------
        terms : Terms
            What was agreed.
        block : LabelCounts
            The full one.
        own : tuple of int, ndarray and ndarray
            Number of the episode's own start, its labels and mistakes.
        last : int
            The last number given to a start.
        since : int
            The decision of the last label counted.

        Returns
        -------
        Restarts, int
            After; the last number given to a start.
        """
        ended = replace(self, partial=None)
        hopeful = any(block.w[k] <= terms.limit * block.n[k] + 1 for k in _HOPEFUL)
        newcomer = _price(last + 1)
        scores = {start.number: start.score(terms.limit) for start in self.starts}
        best = max([_score(own[0], terms.limit, own[1], own[2]), *scores.values()])
        if not hopeful or best >= newcomer:
            return ended, last
        kept = [start for start in self.starts if scores[start.number] >= newcomer - _BEHIND]
        kept = sorted(kept, key=lambda start: -scores[start.number])[: _MOST_STARTS - 1]
        kept = sorted(kept, key=lambda start: start.number)
        return replace(ended, starts=(*kept, Start(last + 1, since))), last + 1

    def to_plain(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "labels": self.labels,
            "partial": None if self.partial is None else self.partial.to_plain(),
            "blocks": [block.to_plain() for block in self.blocks],
            "starts": [
                {
                    "number": start.number,
                    "since": start.since,
                    "counts": None if start.counts is None else start.counts.to_plain(),
                    "places": start.places.tolist(),
                }
                for start in self.starts
            ],
        }

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> Self:
        """Return what `to_plain` wrote."""

        def counts(one: dict[str, Any] | None) -> LabelCounts | None:
            return None if one is None else LabelCounts.from_plain(one)

        return cls(
            counts(plain["partial"]),
            tuple(LabelCounts.from_plain(block) for block in plain["blocks"]),
            tuple(
                Start(one["number"], one["since"], counts(one["counts"]), np.array(one["places"]))
                for one in plain["starts"]
            ),
            plain["labels"],
        )


def window_labels(relapses: int) -> int:
    """Labels that must speak for a reopening, after so many openings in a row that did not last."""
    return _WINDOW if not relapses else _AGAIN << 2 * (relapses - 1)


def count_relapses(aim: str, relapses: int, lasted: int) -> int:
    """Return the openings in a row that did not last, when one ends after so many decisions."""
    if lasted < _LASTING[aim]:
        return relapses + (relapses < _MOST_RELAPSES)
    return max(0, relapses - 1)


def _price(number: int) -> float:
    return -math.log(number * (number + 1))


def _score(number: int, limit: float, n: IntArray, w: IntArray) -> float:
    places = list(_CHAINS)
    evidence: FloatArray = log_risk_evidence(w[places], n[places], limit)
    return float(evidence.max()) + _price(number)
