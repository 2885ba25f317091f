"""The fingerprint of a log's cases and of what the model says of them, whatever file they stand in."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from askpoint.records.fingerprints import Fingerprint
from askpoint.records.scored_batches import ScoredBatch

__all__ = ["CaseFingerprint"]

_FORM, _EARLIER = "cases-sha256", "sha256"


class CaseFingerprint:
    """A digest of the columns that the batches of a log have, each by itself.

    Those are ids, decisions and probabilities, to the precision of float32, in the order of the rows.
    What follows from them is left out: numbers of rows, the most probable class, what the others leave the last.

    Parameters
    ----------
    classes : sequence of str
        The classes.
    like : str, default=""
        A digest to compare with: one that an earlier version made is made again as it was.
    """

    def __init__(self, classes: Sequence[str], like: str = "") -> None:
        self._classes = classes
        self._earlier = like.startswith(f"{_EARLIER}:")
        self._columns = Fingerprint()
        self._columns.add_texts("classes", classes)

    def add(self, batch: ScoredBatch) -> None:
        """Add the rows of a batch."""
        if self._earlier:
            self._add_earlier(batch)
            return
        if batch.ids is not None:
            self._columns.add_ids(batch.ids)
        if batch.decided is not None:
            self._columns.add_numbers("decisions", batch.decided, "<i4")
        for name, column in zip(self._classes[:-1], batch.proba.T, strict=False):
            self._columns.add_numbers(f"proba {name}", column, "<f4")

    def digest(self) -> str:
        """Return the fingerprint of all batches."""
        name, _, digits = self._columns.digest().partition(":")
        return f"{name if self._earlier else _FORM}:{digits}"

    def _add_earlier(self, batch: ScoredBatch) -> None:
        rows = np.arange(len(batch.proba))
        self._columns.add_ids(rows + batch.start if batch.ids is None else batch.ids)
        self._columns.add_numbers("prediction", batch.decisions(rows), "<i4")
        self._columns.add_numbers("proba", batch.proba, "<f4")
