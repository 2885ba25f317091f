"""Labels and probabilities that outcomes are counted on."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from askpoint.elicitation.rules import DecisionRule
from askpoint.errors import InputError, NotEstimableError
from askpoint.measures.inputs import (
    FloatArray,
    as_classes,
    as_codes,
    as_finite,
    as_probabilities,
    as_same_length,
)
from askpoint.measures.missing import distinct_labels

__all__ = ["Sample"]


@dataclass(frozen=True, eq=False)
class Sample:
    """Cases with their truth and a model's probabilities.

    Parameters
    ----------
    classes : tuple
        Class names, in the order of the columns.
    mass : ndarray of shape (n, k)
        How much each case weighs under each truth: a single 1 in the column of its label, or
        shares where the law of the labels is known.
    proba : ndarray of shape (n, k)
        Probabilities of the classes, symbol eta.
    """

    classes: tuple[Any, ...]
    mass: FloatArray
    proba: FloatArray

    @classmethod
    def of(cls, y: ArrayLike, proba: ArrayLike, *, classes: Sequence[Any] | None = None) -> Sample:
        """Check labels and probabilities."""
        p = as_probabilities(proba, n_classes=None if classes is None else len(classes))
        p = p.astype(np.float64)
        labels = np.asarray(y)
        as_same_length(labels, p, ("labels", "probabilities"))
        k = p.shape[1]
        if labels.ndim == 2:
            names = as_classes(range(k) if classes is None else classes)
            mass = as_finite(labels, "the weights of classes", ndim=2).astype(np.float64)
            if mass.shape != p.shape or (mass < 0).any():
                raise InputError(
                    f"weights of classes must be {len(p)} x {k} like the probabilities, none negative"
                )
        else:
            names = as_classes(_infer_classes(labels, k) if classes is None else classes)
            mass = np.eye(k)[as_codes(labels, names)]
        empty = [repr(names[i]) for i in np.flatnonzero(mass.sum(axis=0) == 0)]
        if empty:
            raise NotEstimableError(
                f"no case of class {', '.join(empty)} is labelled: what mistakes on it cost cannot "
                "be asked on this sample; label some, or leave the class out"
            )
        return cls(names, mass, p)

    @property
    def k(self) -> int:
        """Number of classes."""
        return len(self.classes)

    @property
    def zeta(self) -> FloatArray:
        """Share of each class, of shape (k,)."""
        return np.asarray(self.mass.sum(axis=0) / self.mass.sum())

    def confusion(self, rule: DecisionRule) -> FloatArray:
        """Count what a classifier does to the cases."""
        return np.asarray(self.mass.T @ rule.chances(self.proba) / self.mass.sum())

    @property
    def digest(self) -> str:
        """What identifies the labels and probabilities, as 16 hexadecimal digits."""
        parts = [repr(self.classes).encode(), self.mass.astype("<f8").tobytes()]
        parts.append(np.round(self.proba, 9).astype("<f8").tobytes())
        return hashlib.sha256(b"|".join(parts)).hexdigest()[:16]


def _infer_classes(labels: Any, k: int) -> list[Any]:
    classes = distinct_labels(labels)
    if len(classes) != k:
        raise NotEstimableError(
            f"the labels hold {len(classes)} of the {k} classes that have a column of probabilities; "
            "each class needs labelled cases (name the classes by classes=...)"
        )
    return classes
