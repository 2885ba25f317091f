"""What becomes of a fold's test rows: answered right, answered wrong, asked; by each way to choose whom to ask."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from askpoint.measures.confidence import confidence_scores
from askpoint.measures.confidence_measures import CONFIDENCE_MEASURES
from askpoint.measures.inputs import FloatArray, IntArray
from askpoint.papers.grid import Rows
from askpoint.value.curve import ValueCurve

__all__ = ["BETAS", "RHOS", "fold_outcomes"]

RHOS = tuple(round(0.1 * i, 1) for i in range(1, 10))
"""Costs of asking."""

BETAS = (*RHOS, 1.0)
"""Weights of recall."""

_SHARES = np.arange(5, 100, 5) / 100
_REPEATS = 10


def fold_outcomes(posteriors: pl.DataFrame, rng: np.random.Generator) -> Rows:
    """Return test outcomes: never asking, thresholds from test and from training rows, asking at random."""
    parts = []
    for of_part in (~pl.col("is_test"), pl.col("is_test")):
        part = posteriors.filter(of_part)
        p = np.array(part["posterior"].to_list())
        parts.append((p, p.argmax(axis=1) == part["truth"].to_numpy()))
    (p_train, right_train), (p_test, right_test) = parts
    n, right = len(right_test), int(right_test.sum())
    never = {"emic": None, "parameter": None, "threshold": "never", "confidence": None}
    rows: list[dict[str, object]] = [{**never, "right": right, "wrong": n - right, "asked": 0}]
    for confidence in CONFIDENCE_MEASURES:
        train, test = (
            ValueCurve.from_outcomes(is_right, confidence_scores(p, confidence))
            for p, is_right in ((p_train, right_train), (p_test, right_test))
        )
        for emic, parameter in _emics():
            for threshold, curve in (("optimistic", test), ("realistic", train)):
                outcomes = test.outcomes(_best(curve, emic, parameter))
                rows.append(
                    {
                        "emic": emic,
                        "parameter": parameter,
                        "threshold": threshold,
                        "confidence": confidence,
                        "right": int(outcomes.right),
                        "wrong": int(outcomes.wrong),
                        "asked": int(outcomes.asked),
                    }
                )
    rows.extend(_random_rows(right_train, right_test, rng))
    return rows


def _worth(emic: str, parameter: float, right: IntArray, asked: IntArray, n: int) -> FloatArray:
    """F_beta or EP_rho of many outcomes at once."""
    if emic == "EP":
        profit: FloatArray = (right + (1 - parameter) * asked) / n
        return profit
    weight = 1 + parameter**2
    f_beta: FloatArray = weight * right / (weight * n - asked)
    return f_beta


def _emics() -> Iterator[tuple[str, float]]:
    yield from (("F", beta) for beta in BETAS)
    yield from (("EP", rho) for rho in RHOS)


def _best(curve: ValueCurve, emic: str, parameter: float) -> float:
    return curve.f_beta_threshold(parameter) if emic == "F" else curve.threshold(1 / parameter - 1)


def _random_rows(
    train: IntArray, test: IntArray, rng: np.random.Generator
) -> Iterator[dict[str, object]]:
    """The share that is best on training rows, ten draws each; then one draw on the test rows."""
    for emic, parameter in _emics():
        n, right = len(train), int(train.sum())
        asked = np.rint(_SHARES * n).astype(np.int64)
        kept = rng.hypergeometric(right, n - right, n - asked, size=(_REPEATS, len(asked)))
        means = _worth(emic, parameter, kept, asked, n).mean(axis=0)
        share = float(_SHARES[np.argmax(means)])
        n, right = len(test), int(test.sum())
        n_asked = round(share * n)
        left = int(rng.hypergeometric(right, n - right, n - n_asked))
        yield {
            "emic": emic,
            "parameter": parameter,
            "threshold": "random",
            "confidence": None,
            "right": left,
            "wrong": n - n_asked - left,
            "asked": n_asked,
        }
