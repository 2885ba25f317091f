"""From outcomes of folds to means of a data set, and what tells two ways of asking apart."""

from __future__ import annotations

import polars as pl

from askpoint.errors import InputError
from askpoint.measures.inputs import FloatArray
from askpoint.papers.interactive.paper_numbers import MEASURES
from askpoint.value.ranking import ModelRanking, rank_models

__all__ = ["LEVEL", "NEVER", "against_never", "by_measure", "of_sets", "ranking"]

LEVEL = 0.05
NEVER = "never asking"


def of_sets(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the mean over folds of the score and of the share asked, for each data set.

    The score is F_beta or EP_rho; without interaction both are the accuracy.
    """
    n = pl.sum_horizontal("right", "wrong", "asked")
    weight = 1 + pl.col("parameter").pow(2)
    score = (
        pl.when(pl.col("emic") == "F")
        .then(weight * pl.col("right") / (weight * n - pl.col("asked")))
        .when(pl.col("emic") == "EP")
        .then((pl.col("right") + (1 - pl.col("parameter")) * pl.col("asked")) / n)
        .otherwise(pl.col("right") / n)
    )
    keys = ["by", "data", "classifier", "emic", "parameter", "threshold", "confidence"]
    kept = [name for name in ("experiment", "version", "seed") if name in rows.columns]
    return rows.group_by(*kept, *keys, maintain_order=True).agg(
        score.mean().alias("score"), (pl.col("asked") / n).mean().alias("asked")
    )


def by_measure(
    rows: pl.DataFrame, classifier: str, emic: str, parameter: float, threshold: str = "realistic"
) -> FloatArray:
    """Return scores: a row for each data set, a column for each measure, then one for never asking."""
    mine = rows.filter(pl.col("classifier") == classifier)
    chosen = mine.filter(
        (pl.col("threshold") == "never")
        | (
            (pl.col("emic") == emic)
            & (pl.col("parameter") == parameter)
            & (pl.col("threshold") == threshold)
        )
    )
    wide = chosen.with_columns(pl.col("confidence").fill_null(NEVER)).pivot(
        "confidence", index="data", values="score", maintain_order=True
    )
    return wide.select(*MEASURES, NEVER).to_numpy()


def against_never(scores: FloatArray) -> tuple[bool, list[float]]:
    """Return whether Friedman's test tells any apart, and Hommel's p-value of each measure against the last column."""
    names = (*MEASURES, NEVER)
    ranking = rank_models(scores, names)
    p = {pair[:2]: pair.p_value for pair in ranking.pairs if NEVER in pair[:2]}
    of_measure = [p.get((name, NEVER), p.get((NEVER, name), 1.0)) for name in MEASURES]
    return ranking.test.p_value <= LEVEL, _hommel(of_measure)


def ranking(scores: FloatArray) -> ModelRanking:
    """Rank the five measures; all pairs by Shaffer."""
    return rank_models(scores[:, : len(MEASURES)], tuple(MEASURES.values()))


def _hommel(p_values: list[float]) -> list[float]:
    try:
        from statsmodels.stats.multitest import multipletests
    except ImportError:
        raise InputError(
            "Hommel's test against never asking needs statsmodels: pip install 'askpoint[papers]'"
        ) from None
    return [float(p) for p in multipletests(p_values, method="hommel")[1]]
