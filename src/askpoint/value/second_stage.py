"""A second model of "will the first one be right?", from any columns.

The first model's probabilities are one source of confidence; who sent the case, how long the text
is, which camera took the picture may be others.
"""

from __future__ import annotations

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from sklearn.base import clone
from sklearn.model_selection import cross_val_predict

from askpoint.errors import InputError, NotEstimableError
from askpoint.measures.estimators import check_gives_probabilities
from askpoint.measures.inputs import BoolArray, FloatArray

__all__ = ["SecondStage"]

_FEWEST = 5  # one of each outcome for each of the five folds


class SecondStage:
    """Confidence by a classifier that predicts whether the first one is right.

    Parameters
    ----------
    classifier : classifier with ``predict_proba``
        Cloned and fitted. It sees the columns of X and one more for each class, the first
        model's probability (called ``proba_0``, ``proba_1`` ... where X is a dataframe).
    cv : int, default=5
        Folds for the held-out confidences.

    Attributes
    ----------
    classifier_ : classifier
        Fitted on all cases.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> from askpoint.value.second_stage import SecondStage
    >>> X = np.array([[0.0], [1.0]] * 20)  # the model fails on the second kind
    >>> p = np.tile([0.2, 0.8], (40, 1))
    >>> right = np.array([True, False] * 20)
    >>> stage = SecondStage(LogisticRegression())
    >>> held_out = stage.fit(X, p, right)
    >>> bool((stage.confidence(X[:2], p[:2]) > 0.5)[0])
    True
    """

    def __init__(self, classifier: Any, *, cv: Any = 5) -> None:
        self.classifier = classifier
        self.cv = cv

    def fit(self, X: Any, p: FloatArray, right: BoolArray) -> FloatArray:
        """Fit on held-out predictions of the first model.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_items, n_features)
            Cases.
        p : ndarray of shape (n_items, n_classes)
            Probabilities by models that had not seen them.
        right : ndarray of bool of shape (n_items,)
            Whether the most probable class was right.

        Returns
        -------
        ndarray of shape (n_items,)
            Held-out probabilities of being right.

        Raises
        ------
        NotEstimableError
            If there are too few mistakes, or right answers, to learn from.
        """
        fewest = int(min(right.sum(), (~right).sum()))
        if fewest < _FEWEST:
            raise NotEstimableError(
                f"a second stage learns from mistakes and right answers, at least {_FEWEST} of each; "
                f"got {int((~right).sum())} and {int(right.sum())}: collect more labels"
            )
        check_gives_probabilities(self.classifier)
        columns = _with_probabilities(X, p)
        outcome = right.astype(np.int64)
        held_out = cross_val_predict(
            clone(self.classifier), columns, outcome, cv=self.cv, method="predict_proba"
        )
        self.classifier_ = clone(self.classifier).fit(columns, outcome)
        return np.asarray(held_out[:, 1])

    def confidence(self, X: Any, p: FloatArray) -> FloatArray:
        """Probability that the first model is right on new cases.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_items, n_features)
            Cases.
        p : ndarray of shape (n_items, n_classes)
            The first model's probabilities.

        Returns
        -------
        ndarray of shape (n_items,)
        """
        return np.asarray(self.classifier_.predict_proba(_with_probabilities(X, p))[:, 1])


def _with_probabilities(X: Any, p: FloatArray) -> Any:
    if nw.dependencies.is_into_dataframe(X):
        frame = nw.from_native(X, eager_only=True)
        columns = [
            nw.new_series(f"proba_{j}", p[:, j], backend=frame.implementation)
            for j in range(p.shape[1])
        ]
        return frame.with_columns(*columns).to_native()
    if hasattr(X, "toarray"):
        raise InputError(
            "a second stage takes arrays and dataframes, not sparse matrices; give "
            "X.toarray(), or fewer columns"
        )
    return np.column_stack([np.asarray(X), p])
