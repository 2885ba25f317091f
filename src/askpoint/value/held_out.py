"""What a classifier predicts for cases that it was not fitted on, by scikit-learn's rules."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike
from sklearn import get_config
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import check_cv, cross_val_predict
from sklearn.utils.metadata_routing import process_routing
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from askpoint.errors import InputError
from askpoint.measures.estimators import check_gives_probabilities, class_probabilities
from askpoint.measures.inputs import FloatArray, as_probabilities

__all__ = ["predict_held_out"]


def predict_held_out(
    owner: Any, X: Any, y: Any, sample_weight: ArrayLike | None, params: dict[str, Any]
) -> tuple[FloatArray, Any]:
    """Probabilities for cases that the model has not seen, and the model itself."""
    check_gives_probabilities(owner.estimator)
    if isinstance(owner.estimator, FrozenEstimator):
        check_is_fitted(owner.estimator)
        return as_probabilities(class_probabilities(owner.estimator, X)), owner.estimator
    if get_config()["enable_metadata_routing"]:
        if sample_weight is not None:
            params = {**params, "sample_weight": sample_weight}
        fit_params = process_routing(owner, "fit", **params).estimator.fit if params else {}
    elif params:
        raise InputError(
            f"fit got {min(params)!r}: metadata for the estimator needs "
            "sklearn.set_config(enable_metadata_routing=True)"
        )
    else:
        takes = sample_weight is not None and has_fit_parameter(owner.estimator, "sample_weight")
        fit_params = {"sample_weight": sample_weight} if takes else {}
    fitted = clone(owner.estimator).fit(X, y, **fit_params)
    cv = check_cv(owner.cv, y, classifier=True)
    p = cross_val_predict(
        clone(owner.estimator),
        X,
        y,
        cv=cv,
        method="predict_proba",
        n_jobs=owner.n_jobs,
        params=fit_params,
    )
    return as_probabilities(p), fitted
