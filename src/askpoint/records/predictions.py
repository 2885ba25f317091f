"""What a log of predictions holds once it is read: arrays, checked, and nothing missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from askpoint.errors import InputError
from askpoint.measures.confidence_measures import CONFIDENCE_MEASURES
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray, as_choice

if TYPE_CHECKING:
    from askpoint.records.fingerprints import Fingerprint

__all__ = ["Answers", "Days", "Parts", "PredictionLog"]


class Answers(NamedTuple):
    """What people answered, where somebody looked.

    Attributes
    ----------
    given : ndarray of bool of shape (n_items,)
        Which rows somebody looked at.
    codes : ndarray of int32 of shape (n_given,)
        The answers in those rows, as positions in the log's classes.
    """

    given: BoolArray
    codes: IntArray

    def take(self, rows: NDArray[Any]) -> Answers:
        """Return the answers in some rows, given by their positions."""
        given = self.given[rows]
        return Answers(given, self.codes[(np.cumsum(self.given) - 1)[rows[given]]])


class Parts(NamedTuple):
    """A column that divides the rows of a log into parts.

    Attributes
    ----------
    names : tuple of str or None
        Names of the parts; None, always last, is the part of the rows that name none.
    codes : ndarray of int32 of shape (n_items,)
        Position of each row's part in `names`.
    """

    names: tuple[str | None, ...]
    codes: IntArray


class Days(NamedTuple):
    """When cases came.

    Attributes
    ----------
    numbers : ndarray of int64 of shape (n_items,)
        The day of each row, from 1970-01-01 on.
    has_times : bool
        Whether the log tells times, too: then its first and its last day may be cut short.
    """

    numbers: IntArray
    has_times: bool


@dataclass(frozen=True, eq=False)
class PredictionLog:
    """A model's predictions on cases, and their labels where there are any.

    Arrays have one entry per row of the log, but `label` and `propensity` one per labelled row:
    what is not known is not in them.

    Parameters
    ----------
    classes : tuple of str
        Names of the k classes.
    prediction : ndarray of int32 of shape (n_items,)
        What the model answers, as positions in `classes`.
    proba : ndarray of float of shape (n_items, k), or None
        Probabilities of the classes.
    confidence : ndarray of float of shape (n_items,), or None
        The log's own confidence in `prediction`; there is `proba` or `confidence`.
    labelled : ndarray of bool of shape (n_items,)
        Which rows have a label.
    label : ndarray of int32 of shape (n_labelled,)
        The labels of those rows, as positions in `classes`.
    ids : ndarray of int64 or object of shape (n_items,)
        The column id, or the number of the row, from 0.
    group, model : Parts or None
        The parts of the log.
    weight : ndarray of float of shape (n_items,), or None
        How much each row counts, above 0.
    propensity : ndarray of float of shape (n_labelled,), or None
        Probability with which each labelled row was chosen to be labelled, in (0, 1].
    people : Answers or None
        What the person who looked at a row answered.
    chosen : ndarray of bool of shape (n_items,), or None
        Which rows were proposed for labelling, by their confidence.
    cluster : ndarray of int64 of shape (n_items,), or None
        Rows of one number belong together.
    days : Days or None
        When the cases came.
    least_propensity : float or None
        The least that any row states, labelled or not.
    n_uncounted : int
        Labels left out, because only those in sealed order were drawn at random.

    Examples
    --------
    >>> import polars as pl
    >>> from askpoint.records.logs import read_log
    >>> log = read_log(
    ...     pl.DataFrame(
    ...         {"label": ["ham", None], "proba_ham": [0.9, 0.3], "proba_spam": [0.1, 0.7]}
    ...     )
    ... )
    >>> log.n_items, log.n_labelled, log.right
    (2, 1, array([ True]))
    """

    classes: tuple[str, ...]
    prediction: IntArray
    proba: FloatArray | None
    confidence: FloatArray | None
    labelled: BoolArray
    label: IntArray
    ids: NDArray[Any]
    group: Parts | None = None
    model: Parts | None = None
    weight: FloatArray | None = None
    propensity: FloatArray | None = None
    people: Answers | None = None
    chosen: BoolArray | None = None
    cluster: IntArray | None = None
    days: Days | None = None
    least_propensity: float | None = None
    n_uncounted: int = 0

    @property
    def n_items(self) -> int:
        """Number of rows."""
        return len(self.labelled)

    @property
    def n_labelled(self) -> int:
        """Number of rows with a label."""
        return len(self.label)

    @property
    def right(self) -> BoolArray:
        """Whether the answer is the label, for the labelled rows only."""
        return np.asarray(self.prediction[self.labelled] == self.label)

    def scores(self, measure: str = "max_probability") -> FloatArray:
        """Return how sure the model is of each answer.

        Parameters
        ----------
        measure : str, default="max_probability"
            A confidence measure, for a log of probabilities without a confidence of its own.

        Returns
        -------
        ndarray of float of shape (n_items,)

        Raises
        ------
        InputError
            If the log has a confidence of its own, so that another would not be used.
        """
        if self.confidence is None:
            phi = CONFIDENCE_MEASURES[as_choice(measure, tuple(CONFIDENCE_MEASURES), "confidence")]
            return phi(cast("FloatArray", self.proba))  # checked when the log was read
        if measure != "max_probability":
            raise InputError(
                f"the log brings a confidence of its own, so {measure} would not be used; leave "
                "out the column of confidence, or the measure"
            )
        return self.confidence

    def take(self, rows: NDArray[Any]) -> PredictionLog:
        """Return the log of some rows.

        Parameters
        ----------
        rows : ndarray of bool of shape (n_items,), or of int
            A mask, or positions in the order that is wanted.

        Returns
        -------
        PredictionLog
            With the same classes, and the same names of parts.
        """
        if rows.dtype == np.bool_:
            rows = np.flatnonzero(rows)
        known = (np.cumsum(self.labelled) - 1)[rows[self.labelled[rows]]]
        return PredictionLog(
            classes=self.classes,
            prediction=self.prediction[rows],
            proba=None if self.proba is None else self.proba[rows],
            confidence=None if self.confidence is None else self.confidence[rows],
            labelled=self.labelled[rows],
            label=self.label[known],
            ids=self.ids[rows],
            group=None if self.group is None else Parts(self.group.names, self.group.codes[rows]),
            model=None if self.model is None else Parts(self.model.names, self.model.codes[rows]),
            weight=None if self.weight is None else self.weight[rows],
            propensity=None if self.propensity is None else self.propensity[known],
            people=None if self.people is None else self.people.take(rows),
            chosen=None if self.chosen is None else self.chosen[rows],
            cluster=None if self.cluster is None else self.cluster[rows],
            days=None if self.days is None else self.days._replace(numbers=self.days.numbers[rows]),
            least_propensity=self.least_propensity,
            n_uncounted=self.n_uncounted,
        )

    def by_group(self) -> Iterator[tuple[str | None, PredictionLog]]:
        """Yield each group's name and log; nothing where the log names no groups."""
        return self._split(self.group)

    def by_model(self) -> Iterator[tuple[str | None, PredictionLog]]:
        """Yield each model's name and log; nothing where the log names no models."""
        return self._split(self.model)

    def _split(self, parts: Parts | None) -> Iterator[tuple[str | None, PredictionLog]]:
        if parts is None:
            return
        for code, name in enumerate(parts.names):
            rows = np.flatnonzero(parts.codes == code)
            if rows.size:
                yield name, self.take(rows)

    def digest(self, *, labels: bool = True) -> str:
        """Return a fingerprint of the log's content, the same from whatever kind of file.

        It covers ids, models, classes, predictions and scores (to the precision of float32),
        in the order of the rows, and the labels unless they are left out.

        Parameters
        ----------
        labels : bool, default=True
            False gives the fingerprint of the cases and what the model said on them, which
            stays as it is when labels come in.

        Returns
        -------
        str
            "sha256:" and 64 hexadecimal digits.
        """
        from askpoint.records.fingerprints import Fingerprint

        fingerprint = Fingerprint()
        self.add_to(fingerprint, labels=labels)
        return fingerprint.digest()

    def add_to(self, fingerprint: Fingerprint, *, labels: bool = True) -> None:
        """Add these rows to a fingerprint that covers the batches of a log.

        Parameters
        ----------
        fingerprint : Fingerprint
            Of the batches before.
        labels : bool, default=True
            As in `digest`.
        """
        if not fingerprint:
            fingerprint.add_texts("classes", self.classes)
        fingerprint.add_ids(self.ids)
        if self.model is not None:
            names = np.array([str(name) for name in self.model.names], dtype=object)
            fingerprint.add_texts("model", names[self.model.codes].tolist())
        fingerprint.add_numbers("prediction", self.prediction, "<i4")
        if self.proba is not None:
            fingerprint.add_numbers("proba", self.proba, "<f4")
        if self.confidence is not None:
            fingerprint.add_numbers("confidence", self.confidence, "<f4")
        if labels:
            fingerprint.add_numbers("labelled", self.labelled, "|b1")
            fingerprint.add_numbers("label", self.label, "<i4")
