"""A labelled sketch: how often each vote pattern had each true label, on the items people checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askpoint.errors import InputError, SketchError
from askpoint.judges.sketch.codes import as_vote_codes, label_name
from askpoint.judges.sketch.tables import VoteTable
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.measures.inputs import as_choice

__all__ = ["GoldCells", "GoldSketch"]

_TRUTH = "the true label"


class GoldCells(NamedTuple):
    """The checked patterns, and what they turned out to be.

    Attributes
    ----------
    votes : ndarray of int16 of shape (n_patterns, n_judges)
        Positions of labels, -1 for a missing vote; rows distinct, in lexicographic order.
    counts : ndarray of int64 of shape (n_patterns, n_labels)
        Checked items of each pattern and true label.
    """

    votes: NDArray[np.int16]
    counts: NDArray[np.int64]


class GoldSketch:
    """Counts of vote patterns by true label, on items whose truth people checked.

    Exact and mergeable like the vote sketch it is made of: the truth is one more vote.

    Parameters
    ----------
    judges : int or sequence of str
    labels : sequence
        As for `VoteSketch`.

    Attributes
    ----------
    judges, labels : tuple of str
    n_items : int
        Items checked so far.

    Examples
    --------
    >>> from askpoint.judges.gold.gold_sketch import GoldSketch
    >>> gold = GoldSketch(["ann", "bob"], ["ham", "spam"])
    >>> gold.update(["ham", "spam"], "ham")
    >>> gold.update_many([["ham", "ham"], ["ham", "spam"]], ["ham", "spam"])
    >>> gold.cells().counts.tolist()
    [[1, 0], [1, 1]]
    """

    def __init__(self, judges: int | Sequence[str], labels: Sequence[Any]) -> None:
        plain = VoteSketch(judges, labels)
        self.judges, self.labels = plain.judges, plain.labels
        if _TRUTH in self.judges:
            raise InputError(f"no judge can be called {_TRUTH!r}; give that one another name")
        self._counted = VoteSketch([*self.judges, _TRUTH], self.labels)

    @property
    def n_items(self) -> int:
        """Items checked so far."""
        return self._counted.n_items

    @classmethod
    def from_table(
        cls, table: VoteTable, gold: Mapping[Any, Any], *, unjudged: str = "refuse"
    ) -> Self:
        """Count the items of a table of votes whose true label is known.

        Parameters
        ----------
        table : VoteTable
            From `table_from_frame`.
        gold : mapping of task to label
            The truth of some tasks; tasks without a label are passed over.
        unjudged : {"refuse", "leave out"}, default="refuse"
            What to do with the truth of tasks that nobody judged.

        Returns
        -------
        GoldSketch

        Raises
        ------
        InputError
            If a task was judged by nobody, or a truth is none of the labels.
        """
        as_choice(unjudged, ("refuse", "leave out"), "unjudged")
        known = {label_name(task): label for task, label in gold.items() if label_name(label) != ""}
        place = {task: row for row, task in enumerate(table.tasks)}
        strange = [task for task in known if task not in place]
        if strange and unjudged == "refuse":
            raise InputError(
                f"nobody judged {len(strange)} of {len(known)} tasks whose truth is given, the "
                f"first {strange[0]!r}; leave them out (unjudged='leave out')"
            )
        tasks = [task for task in known if task in place]
        sketch = cls(table.judges, table.labels)
        codes = table.codes[[place[task] for task in tasks]]
        sketch.update_codes(codes, sketch._truth([known[task] for task in tasks]))
        return sketch

    def update(self, votes: Sequence[Any], label: Any) -> None:
        """Count one checked item.

        Parameters
        ----------
        votes : sequence of length n_judges
            None where a judge did not vote.
        label : object
            The true label.

        Raises
        ------
        InputError
            If a vote or the truth is none of the labels.
        """
        self.update_many([list(votes)], [label])

    def update_many(self, votes: ArrayLike, labels: ArrayLike) -> None:
        """Count many checked items.

        Parameters
        ----------
        votes : array-like of shape (n_items, n_judges)
        labels : array-like of shape (n_items,)
            Their true labels.

        Raises
        ------
        InputError
            If a vote or a truth is none of the labels, or the lengths differ.
        """
        codes = as_vote_codes(votes, self.labels, len(self.judges))
        self.update_codes(codes, self._truth(labels))

    def update_codes(self, codes: ArrayLike, truth: ArrayLike) -> None:
        """Count many checked items whose votes and truth are positions of labels already.

        Parameters
        ----------
        codes : array-like of int of shape (n_items, n_judges)
            -1 for a missing vote.
        truth : array-like of int of shape (n_items,)

        Raises
        ------
        InputError
            If a truth is missing or a code out of range, or the lengths differ.
        """
        rows, last = np.asarray(codes), np.asarray(truth)
        if len(rows) != len(last):
            raise InputError(f"each item has one truth; got {len(rows)} items and {len(last)}")
        if last.size and last.min() < 0:
            row = int(np.flatnonzero(last < 0)[0])
            raise InputError(f"the truth of item {row} is missing; leave out items not checked")
        self._counted.update_codes(np.column_stack([rows, last]))

    def _truth(self, labels: ArrayLike) -> NDArray[np.int16]:
        column = np.empty((len(np.atleast_1d(np.asarray(labels, dtype=object))), 1), dtype=object)
        column[:, 0] = np.atleast_1d(np.asarray(labels, dtype=object))
        return as_vote_codes(column, self.labels, 1)[:, 0]

    def merge(self, other: GoldSketch) -> None:
        """Add the counts of another labelled sketch of the same judges and labels.

        Parameters
        ----------
        other : GoldSketch
            Of other items.

        Raises
        ------
        SketchError
            If judges or labels differ.
        """
        self._counted.merge(other._counted)

    def __eq__(self, other: object) -> bool:
        return self._counted == other._counted if isinstance(other, GoldSketch) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # a sketch changes

    def __repr__(self) -> str:
        return f"GoldSketch(judges={self.judges}, labels={self.labels}, n_items={self.n_items})"

    def cells(self) -> GoldCells:
        """Return the checked patterns and how often each true label occurred.

        Returns
        -------
        GoldCells
        """
        rows, counts = self._counted.cells()
        votes, place = np.unique(rows[:, :-1], axis=0, return_inverse=True)
        table = np.zeros((len(votes), len(self.labels)), dtype=np.int64)
        table[place.ravel(), rows[:, -1]] = counts
        return GoldCells(votes, table)

    def to_bytes(self) -> bytes:
        """Return the sketch as bytes; equal sketches give equal bytes.

        Returns
        -------
        bytes
        """
        return self._counted.to_bytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Read a labelled sketch from `to_bytes`.

        Parameters
        ----------
        data : bytes

        Returns
        -------
        GoldSketch

        Raises
        ------
        SketchError
            If the bytes are no labelled sketch, are cut off, or were changed.
        """
        counted = VoteSketch.from_bytes(data)
        if counted.judges[-1] != _TRUTH:
            raise SketchError("these bytes are a vote sketch without true labels")
        sketch = cls(counted.judges[:-1], counted.labels)
        sketch._counted.merge(counted)
        return sketch
