"""The vote sketch: how often each pattern of votes occurred, in exact integers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askpoint.errors import InputError, SketchError
from askpoint.judges.sketch.codes import (
    as_judges,
    as_labels,
    as_vote_codes,
    check_codes,
    judge_places,
)
from askpoint.judges.sketch.patterns import new_patterns
from askpoint.judges.sketch.tables import patterns_from_frame, table_from_frame
from askpoint.measures.sketch_bytes import pack_arrays, unpack_arrays

__all__ = ["VoteCells", "VoteSketch"]

_MOST = 2**63 - 1


class VoteCells(NamedTuple):
    """The patterns that occurred, and how often.

    Attributes
    ----------
    votes : ndarray of int16 of shape (n_patterns, n_judges)
        Positions of labels, -1 for a missing vote; rows distinct, in lexicographic order.
    counts : ndarray of int64 of shape (n_patterns,)
        Items with each pattern, at least 1.
    """

    votes: NDArray[np.int16]
    counts: NDArray[np.int64]

    def votes_cast(self, label: int | None = None) -> NDArray[np.int64]:
        """Count each judge's votes, or those for one label."""
        rows, judges = np.nonzero(self.votes >= 0 if label is None else self.votes == label)
        cast = np.zeros(self.votes.shape[1], dtype=np.int64)
        np.add.at(cast, judges, self.counts[rows])  # a product of matrices would cast all to int64
        return cast


class VoteSketch:
    """Counts of the joint votes of several judges on items: n_v in the paper.

    Exact integers: the merge of sketches is the sketch of all their items. Up to 65,536
    possible patterns have a counter each, beyond that only those that occur.

    Parameters
    ----------
    judges : int or sequence of str
        Their names, or how many there are: then they are called "judge 1", "judge 2", ...
    labels : sequence
        What they choose from, in order: alpha, then beta. Compared as texts.

    Attributes
    ----------
    judges, labels : tuple of str
        As given, as texts.
    n_items : int
        Items counted so far.

    References
    ----------
    "Streaming algorithms for evaluating noisy judges on unlabeled data", section 1, figure 1.

    Examples
    --------
    >>> from askpoint.judges.sketch.vote_sketch import VoteSketch
    >>> monday, tuesday = VoteSketch(3, ["ham", "spam"]), VoteSketch(3, ["ham", "spam"])
    >>> monday.update(["ham", "spam", None])
    >>> tuesday.update_many([["ham", "ham", "ham"], ["ham", "ham", "ham"]])
    >>> both = monday + tuesday
    >>> both.n_items
    3
    >>> both.cells()
    VoteCells(votes=array([[ 0,  0,  0],
           [ 0,  1, -1]], dtype=int16), counts=array([2, 1]))
    """

    def __init__(self, judges: int | Sequence[str], labels: Sequence[Any]) -> None:
        self.judges = as_judges(judges)
        self.labels = as_labels(labels)
        self.n_items = 0
        self._patterns = new_patterns(len(self.labels), len(self.judges))
        self._cells: VoteCells | None = None  # sorting the patterns takes its time

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        judges: Sequence[str] | None = None,
        labels: Sequence[Any] | None = None,
        worker: str | None = None,
        task: str | None = None,
        label: str | None = None,
        repeats: str = "refuse",
    ) -> Self:
        """Count the votes in any dataframe.

        Wide frames have a column a judge and a row an item; long ones have a row a vote, with
        columns for worker, task and label.

        Parameters
        ----------
        frame : dataframe
            Anything that narwhals knows.
        judges : sequence of str, optional
            Wide: the judges' columns, by default all. Long: the workers, by default all.
        labels : sequence, optional
            The labels in order, by default those that occur, sorted.
        worker, task, label : str, optional
            Long: the columns; give all three. Wide: `task` is a column that is no judge's.
        repeats : {"refuse", "first", "last"}, default="refuse"
            What to do where a worker judged a task several times.

        Returns
        -------
        VoteSketch

        Raises
        ------
        UnknownColumnError
            If a column does not exist.
        InputError
            If a vote is none of the labels, or a worker judged a task twice.

        Examples
        --------
        >>> import polars as pl
        >>> from askpoint.judges.sketch.vote_sketch import VoteSketch
        >>> frame = pl.DataFrame({"ann": [0, 1, 1], "bob": [0, 0, None]})
        >>> sketch = VoteSketch.from_frame(frame)
        >>> sketch.judges, sketch.labels, sketch.n_items
        (('ann', 'bob'), ('0', '1'), 3)
        """
        if worker is None and task is None and label is None:
            patterns, counts = patterns_from_frame(frame, judges, labels)
            sketch = cls(patterns.judges, patterns.labels)
            sketch.update_codes(patterns.codes, counts)
            return sketch
        table = table_from_frame(
            frame,
            judges=judges,
            labels=labels,
            worker=worker,
            task=task,
            label=label,
            repeats=repeats,
        )
        sketch = cls(table.judges, table.labels)
        sketch.update_codes(table.codes)
        return sketch

    def update(self, votes: Sequence[Any]) -> None:
        """Count one item.

        Parameters
        ----------
        votes : sequence of length n_judges
            A label from each judge in their order; None where one did not vote.

        Raises
        ------
        InputError
            If a vote is none of the labels, or their number is another.
        """
        self.update_many([list(votes)])

    def update_many(self, votes: ArrayLike) -> None:
        """Count many items.

        Parameters
        ----------
        votes : array-like of shape (n_items, n_judges)
            Labels; None, NaN, NA and "" are missing votes.

        Raises
        ------
        InputError
            If a vote is none of the labels, or the shape is another. Then nothing is counted.
        SketchError
            If the counts reach 2^63.
        """
        self._add(as_vote_codes(votes, self.labels, len(self.judges)))

    def update_codes(self, codes: ArrayLike, counts: ArrayLike | None = None) -> None:
        """Count many items whose votes are positions of labels already.

        Parameters
        ----------
        codes : array-like of int of shape (n_items, n_judges)
            0 for the first label, -1 for a missing vote.
        counts : array-like of int of shape (n_items,), optional
            How often each row occurred; by default once.

        Raises
        ------
        InputError
            If a code or count is out of range, or a shape is another.
        SketchError
            If the counts reach 2^63.
        """
        rows = check_codes(codes, len(self.labels), len(self.judges))
        if counts is None:
            return self._add(rows)
        often = np.asarray(counts)
        if often.dtype == object and all(type(count) is int for count in often.flat):
            if sum(often.flat) > _MOST:  # beyond what an array of integers holds
                raise self._full(sum(often.flat))
            often = often.astype(np.int64)
        if often.dtype.kind not in "iu" or often.shape != rows.shape[:1] or (often < 0).any():
            raise InputError(f"counts must be {len(rows)} natural numbers; got {counts!r}")
        if not often.all():
            rows, often = rows[often > 0], often[often > 0]
        return self._add(rows, often)

    def merge(self, other: VoteSketch) -> None:
        """Add the counts of another sketch of the same judges and labels.

        Parameters
        ----------
        other : VoteSketch
            A sketch of other items.

        Raises
        ------
        SketchError
            If judges or labels differ, or the counts reach 2^63.
        """
        for what in ("judges", "labels"):
            mine, theirs = getattr(self, what), getattr(other, what)
            if mine != theirs:
                raise SketchError(f"sketches of other {what} cannot be merged: {mine} and {theirs}")
        self._add(*other.cells())

    def __add__(self, other: VoteSketch) -> Self:
        if not isinstance(other, VoteSketch):
            return NotImplemented
        total = type(self)(self.judges, self.labels)
        total.merge(self)
        total.merge(other)
        return total

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, VoteSketch):
            return NotImplemented
        if (self.judges, self.labels, self.n_items) != (other.judges, other.labels, other.n_items):
            return False
        mine, theirs = self.cells(), other.cells()
        same_votes = np.array_equal(mine.votes, theirs.votes)
        return same_votes and np.array_equal(mine.counts, theirs.counts)

    __hash__ = None  # type: ignore[assignment]  # a sketch changes

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self.judges[:5])) + (", ..." if len(self.judges) > 5 else "")
        return f"VoteSketch(judges=({shown}), labels={self.labels}, n_items={self.n_items})"

    def cells(self) -> VoteCells:
        """Return the patterns that occurred, and how often.

        Returns
        -------
        VoteCells
        """
        if self._cells is None:
            self._cells = VoteCells(*self._patterns.cells())
            for array in self._cells:
                array.flags.writeable = False
        return self._cells

    def select(self, judges: Sequence[str]) -> VoteSketch:
        """Return the sketch of some of the judges, in the order given.

        Parameters
        ----------
        judges : sequence of str
            Names among the judges.

        Returns
        -------
        VoteSketch
            Of the same items, those included on which none of them voted.

        Raises
        ------
        InputError
            If one is not among the judges.
        """
        places = judge_places(self.judges, judges)
        part = VoteSketch(judges, self.labels)
        votes, counts = self.cells()
        part.update_codes(votes[:, places], counts)
        return part

    def to_bytes(self) -> bytes:
        """Return the sketch as bytes; equal sketches give equal bytes.

        Returns
        -------
        bytes
            Judges and labels as JSON, patterns and 64-bit counts, and a checksum.
        """
        header = {"judges": self.judges, "labels": self.labels}
        return pack_arrays("vote sketch", header, *self.cells())

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Read a sketch from `to_bytes`.

        Parameters
        ----------
        data : bytes
            What `to_bytes` gave.

        Returns
        -------
        VoteSketch

        Raises
        ------
        SketchError
            If the bytes are no vote sketch, are cut off, or were changed.
        """
        header, arrays = unpack_arrays("vote sketch", data)
        try:
            sketch = cls(header["judges"], header["labels"])
            codes, counts = arrays
            sketch.update_codes(codes, counts)
        except (KeyError, TypeError, ValueError) as error:
            raise SketchError(f"these bytes are not a vote sketch: {error}") from error
        return sketch

    def _add(self, codes: NDArray[Any], counts: NDArray[Any] | None = None) -> None:
        n_more = len(codes) if counts is None else sum(counts.tolist())
        if self.n_items + n_more > _MOST:
            raise self._full(n_more)
        self._cells = None
        self._patterns.add(codes, counts)
        self.n_items += n_more

    def _full(self, n_more: int) -> SketchError:
        return SketchError(
            f"a sketch counts fewer than 2^63 items: {self.n_items} and {n_more} more are too "
            "many; start a new one"
        )
