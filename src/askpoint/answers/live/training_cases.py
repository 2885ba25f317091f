"""The labelled cases of a policy in use, as a set to fit a model on."""

from __future__ import annotations

import polars as pl

__all__ = ["training_set"]


def training_set(decisions: pl.DataFrame, labels: pl.DataFrame) -> pl.DataFrame:
    """Return what was labelled because it was asked or audited, in the order of decisions.

    Parameters
    ----------
    decisions, labels : polars.DataFrame
        Of a deployment, as its folder keeps them.

    Returns
    -------
    polars.DataFrame
        Key, content, the label that counts, what the model said, its confidence, the episode, and the
        propensity: the chance of each case to be labelled. One over it weighs a case as all decisions
        that it stands for.
    """
    first = (
        labels.filter(pl.col("source").is_in(["asked", "audit"]))
        .unique("key", keep="first", maintain_order=True)
        .select("key", "label")
    )
    columns = ("key", "content", "label", "prediction", "confidence", "episode", "propensity")
    found = decisions.join(first, on="key", how="inner", maintain_order="left")
    return found.select(columns)
