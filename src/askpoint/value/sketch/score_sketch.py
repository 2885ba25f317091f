"""The score sketch: right, wrong and unlabelled cases counted per bin of confidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, NamedTuple, Self, overload

import numpy as np
from numpy.typing import ArrayLike

from askpoint.errors import InputError, NotEstimableError, SketchError
from askpoint.measures.inputs import FloatArray, IntArray, as_same_length
from askpoint.measures.sketch_bytes import pack_arrays, unpack_arrays
from askpoint.value.curve import ValueCurve
from askpoint.value.sketch.bins import BINS, Bins, as_bins
from askpoint.value.sketch.bounds import greatest_value
from askpoint.value.sketch.counts import KINDS, MOST, UNLABELLED, as_counts, as_kinds
from askpoint.value.sketch.frame_columns import usual_columns
from askpoint.value.sketch.frames import count_scores
from askpoint.value.sketch.streamed_rows import add_cases
from askpoint.value.sketch.tally import IntegerCounts

__all__ = ["ScoreCells", "ScoreSketch"]


class ScoreCells(NamedTuple):
    """The bins in which cases lie, from the surest to the least sure.

    Attributes
    ----------
    lowest, highest : ndarray of float64 of shape (n_bins,)
        The least and the greatest confidence of each bin.
    right, wrong, unlabelled : ndarray of int64 of shape (n_bins,)
        Cases in each bin.
    """

    lowest: FloatArray
    highest: FloatArray
    right: IntArray
    wrong: IntArray
    unlabelled: IntArray


class ScoreSketch:
    """Counts of right, wrong and unlabelled cases per bin of confidence.

    Exact integers in constant memory, a sum like numbers: the merge of sketches is the sketch
    of all their cases, bit for bit.

    Parameters
    ----------
    measure : str, default="max_probability"
        What the confidence is: sketches of different measures do not merge. A name among
        `askpoint.measures.confidence_measures.CONFIDENCE_MEASURES`, or any other.
    bins : str or Bins, default="relative"
        "relative": the top 16 bits of float32(1 - confidence), at most 16,257 bins for
        confidences from 0 to 1. "linear": 65,536 of equal width. "distinct": each float32 on
        its own. Or an object of `askpoint.value.sketch.bins`.

    Attributes
    ----------
    measure : str
        What the confidence is.
    bins : Bins
        Which confidences are counted together.
    n_items, n_labelled : int
        Cases counted so far, and those of them with a label.

    Examples
    --------
    >>> from askpoint.value.sketch.score_sketch import ScoreSketch
    >>> monday, tuesday = ScoreSketch(), ScoreSketch()
    >>> monday.update(True, 0.9)
    >>> tuesday.update_many([True, False, None], [0.8, 0.6, 0.7])
    >>> both = monday + tuesday
    >>> both.n_items, both.n_labelled, both.curve().value(1.5)
    (4, 3, 0.6666666666666666)
    """

    def __init__(self, measure: str = "max_probability", bins: str | Bins = "relative") -> None:
        if not isinstance(measure, str) or not measure:
            raise InputError(f"measure must name what the confidence is; got {measure!r}")
        self.measure = measure
        self.bins = as_bins(bins)
        self.n_items = 0
        self._tally = IntegerCounts()

    @classmethod
    def from_counts(
        cls,
        confidence: ArrayLike,
        right: ArrayLike,
        wrong: ArrayLike,
        unlabelled: ArrayLike | None = None,
        *,
        measure: str = "max_probability",
        bins: str | Bins = "relative",
    ) -> Self:
        """Make a sketch from cases that are counted already.

        Parameters
        ----------
        confidence : array-like of shape (n_groups,)
            Confidence of each group; one may occur several times.
        right, wrong, unlabelled : array-like of int of shape (n_groups,)
            Cases of each kind; without `unlabelled` there is none.
        measure, bins
            As for the class.

        Returns
        -------
        ScoreSketch

        Raises
        ------
        InputError
            If a count is no natural number or a confidence lies outside the bins.
        SketchError
            If the counts sum to 2^63 or more.

        Examples
        --------
        >>> from askpoint.value.sketch.score_sketch import ScoreSketch
        >>> ScoreSketch.from_counts([0.9, 0.6], right=[90, 12], wrong=[2, 10]).n_items
        114
        """
        sketch = cls(measure, bins)
        keys = sketch.bins.keys(sketch.bins.check(confidence))
        kinds = [right, wrong, np.zeros(len(keys), np.int64) if unlabelled is None else unlabelled]
        sketch._add(keys, np.column_stack([as_counts(counts, len(keys)) for counts in kinds]))
        return sketch

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        label: str = "label",
        prediction: str | None = None,
        confidence: str | None = None,
        proba: str | Sequence[str] | None = None,
        classes: Sequence[Any] | None = None,
        measure: str | None = None,
        bins: str | Bins = "relative",
    ) -> Self:
        """Count the cases in any dataframe; the engine behind it groups and counts.

        One ``group_by(bin).agg(counts)``: lazy frames stay lazy, and only the bins come here.
        Give `prediction` and `confidence`, or `proba`; without any of them the columns are found by
        their usual names, as `read_log` finds them.

        Parameters
        ----------
        frame : dataframe
            Anything that narwhals knows: pandas, polars, pyarrow, DuckDB, Dask, Ibis, PySpark.
        label : str, default="label"
            Column of the true class; null, NaN and empty texts are cases without a label.
        prediction, confidence : str, optional
            Columns of the model's answer, of the label's type, and of how sure it is.
        proba : str or sequence of str, optional
            Columns of probabilities: one for each class, or one for the second of two. The
            answer is the most probable class, the first of several.
        classes : sequence, optional
            The classes in the order of `proba`, as they are written in the column of labels; for a
            single column by default 0 and 1.
        measure : str, optional
            From `proba` a name among `CONFIDENCE_MEASURES` (default "max_probability"). Beside `confidence` any name
            for what it is (default "confidence").
        bins : str or Bins, default="relative"
            As for the class.

        Returns
        -------
        ScoreSketch

        Raises
        ------
        UnknownColumnError
            If a column does not exist; the nearest is suggested.
        InputError
            If a confidence, answer or probability is missing or out of range, or a label is not
            among the classes.

        Examples
        --------
        >>> import polars as pl
        >>> from askpoint.value.sketch.score_sketch import ScoreSketch
        >>> frame = pl.LazyFrame({"label": [1, 0, None], "p": [0.9, 0.6, 0.2]})
        >>> sketch = ScoreSketch.from_frame(frame, proba="p")
        >>> sketch.n_items, sketch.n_labelled, sketch.curve().accuracy
        (3, 2, 0.5)
        """
        if proba is None and prediction is None and confidence is None:
            prediction, confidence, proba, classes = usual_columns(frame, label, classes)
        if measure is None:
            measure = "confidence" if proba is None else "max_probability"
        sketch = cls(measure, bins)
        keys, counts = count_scores(
            frame,
            sketch.bins,
            label=label,
            prediction=prediction,
            confidence=confidence,
            proba=proba,
            classes=classes,
            measure=measure,
        )
        sketch._add(keys, counts)
        return sketch

    def update(self, right: object, confidence: float) -> None:
        """Count one case.

        Parameters
        ----------
        right : bool or None
            Whether the answer is right; None, NaN or NA if that is not known.
        confidence : float
            How sure the model is.

        Raises
        ------
        InputError
            If the confidence lies outside the bins, or `right` is no outcome.
        """
        kind = int(as_kinds(np.array([right], dtype=object))[0])
        key = int(self.bins.keys(self.bins.check([confidence]))[0])
        self._check_room(1)
        self._tally.add_one(KINDS * key + kind)
        self.n_items += 1

    def update_many(self, right: ArrayLike, confidence: ArrayLike) -> None:
        """Count many cases.

        Parameters
        ----------
        right : array-like of shape (n_items,)
            Whether each answer is right: booleans, or zeros and ones; None, NaN, NA and
            masked entries are cases without a label.
        confidence : array-like of shape (n_items,)
            How sure the model is of each answer.

        Raises
        ------
        InputError
            If a confidence lies outside the bins, lengths differ, or an entry is no outcome.
            Then nothing is counted.
        """
        scores, kinds = self.bins.check(confidence), as_kinds(right)
        as_same_length(kinds, scores, ("right", "confidence"))
        self._check_room(len(scores))
        add_cases(self._tally, self.bins, scores, kinds)
        self.n_items += len(scores)

    def merge(self, other: ScoreSketch) -> None:
        """Add the counts of another sketch of the same measure and bins.

        Parameters
        ----------
        other : ScoreSketch
            A sketch of other cases.

        Raises
        ------
        SketchError
            If measures or bins differ, or the counts reach 2^63.
        """
        for what in ("measure", "bins"):
            mine, theirs = getattr(self, what), getattr(other, what)
            if mine != theirs:
                raise SketchError(
                    f"sketches of other {what} cannot be merged: {mine!r} and {theirs!r}"
                )
        self._check_room(other.n_items)
        self._tally.add_counts(*other._tally.cells())
        self.n_items += other.n_items

    def __add__(self, other: ScoreSketch) -> Self:
        if not isinstance(other, ScoreSketch):
            return NotImplemented
        total = type(self)(self.measure, self.bins)
        total.merge(self)
        total.merge(other)
        return total

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ScoreSketch):
            return NotImplemented
        if (self.measure, self.bins, self.n_items) != (other.measure, other.bins, other.n_items):
            return False
        pairs = zip(self._tally.cells(), other._tally.cells(), strict=True)
        return all(np.array_equal(mine, theirs) for mine, theirs in pairs)

    __hash__ = None  # type: ignore[assignment]  # a sketch changes

    def __repr__(self) -> str:
        return (
            f"ScoreSketch(measure={self.measure!r}, bins={self.bins!r}, n_items={self.n_items}, "
            f"n_labelled={self.n_labelled})"
        )

    @property
    def n_labelled(self) -> int:
        """Number of cases with a label."""
        cells, counts = self._tally.cells()
        return int(counts[cells % KINDS != UNLABELLED].sum())

    def cells(self) -> ScoreCells:
        """Return the bins in which cases lie, and what lies there.

        Returns
        -------
        ScoreCells
        """
        keys, (right, wrong, unlabelled) = self._by_bin()
        return ScoreCells(self.bins.lowest(keys), self.bins.highest(keys), right, wrong, unlabelled)

    def curve(self) -> ValueCurve:
        """Return the value curve of the labelled cases, its thresholds between bins.

        Each threshold is the least confidence of its bin: answering from there on gives
        exactly the counts of the curve. What the best threshold inside a bin would add is at
        most `bound` less the curve's value.

        Returns
        -------
        ValueCurve

        Raises
        ------
        NotEstimableError
            If no case has a label.
        """
        keys, (right, wrong, _) = self._by_bin()
        has_labels = right + wrong > 0
        if not has_labels.any():
            raise NotEstimableError("no case of the sketch has a label; label at least one")
        thresholds = np.append(np.inf, self.bins.lowest(keys[has_labels]))
        zero = np.zeros(1, dtype=np.int64)
        correct = np.concatenate([zero, right[has_labels].cumsum()])
        mistaken = np.concatenate([zero, wrong[has_labels].cumsum()])
        return ValueCurve(thresholds, correct, mistaken, correct + mistaken)

    @overload
    def bound(self, omega: float) -> float: ...
    @overload
    def bound(self, omega: FloatArray) -> FloatArray: ...
    def bound(self, omega: float | FloatArray) -> float | FloatArray:
        """Bound what the best threshold is worth on the very cases, also inside a bin.

        Parameters
        ----------
        omega : float or array-like
            Costs of a mistake, finite and 0 or more.

        Returns
        -------
        float or ndarray
            Not below ``curve().value(omega)``; `greatest_value` says how it is found.
        """
        return greatest_value(self.curve(), omega)

    def to_bytes(self) -> bytes:
        """Return the sketch as bytes; equal sketches give equal bytes.

        Returns
        -------
        bytes
            Measure and bins as JSON, cells and 64-bit counts, and a checksum.
        """
        kind = next(name for name, bins in BINS.items() if type(self.bins) is bins)
        header = {"measure": self.measure, "bins": {"kind": kind, **asdict(self.bins)}}
        return pack_arrays("score sketch", header, *self._tally.cells())

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Read a sketch from `to_bytes`.

        Parameters
        ----------
        data : bytes
            What `to_bytes` gave.

        Returns
        -------
        ScoreSketch

        Raises
        ------
        SketchError
            If the bytes are no score sketch, are cut off, or were changed.
        """
        header, arrays = unpack_arrays("score sketch", data)
        try:
            bins = header["bins"]
            sketch = cls(header["measure"], BINS[bins.pop("kind")](**bins))
            cells, counts = arrays
            counts = as_counts(counts, len(cells))
            sketch._check_room(int(counts.sum(dtype=object)))
            sketch._tally.add_counts(cells.astype(np.int64, casting="safe"), counts)
        except (KeyError, TypeError, ValueError) as error:
            raise SketchError(f"these bytes are not a score sketch: {error}") from error
        sketch.n_items = int(counts.sum())
        return sketch

    def _by_bin(self) -> tuple[IntArray, IntArray]:
        """Bins that occur, and the cases of each kind in them, one row a kind."""
        cells, counts = self._tally.cells()
        keys, place = np.unique(cells // KINDS, return_inverse=True)
        table = np.zeros((KINDS, len(keys)), dtype=np.int64)
        table[cells % KINDS, place] = counts
        return keys, table

    def _add(self, keys: IntArray, counts: IntArray) -> None:
        """Add cases of each kind, one column a kind, in bins that may occur several times."""
        n_more = int(counts.sum(dtype=object))
        self._check_room(n_more)
        cells = keys[:, None] * KINDS + np.arange(KINDS)
        self._tally.add_counts(cells.ravel(), counts.ravel())
        self.n_items += n_more

    def _check_room(self, n_more: int) -> None:
        if self.n_items + n_more > MOST:
            raise SketchError(
                f"a sketch counts fewer than 2^63 cases: {self.n_items} and {n_more} more are too "
                "many; start a new one"
            )
