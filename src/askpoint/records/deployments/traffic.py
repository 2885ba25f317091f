"""How much of the traffic a policy decides: all, or a share drawn by key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import polars as pl

from askpoint.live.draws import audit_draws
from askpoint.records.deployments.deployment import Deployment
from askpoint.records.deployments.given import Batch

__all__ = ["with_traffic"]


def with_traffic(
    deployment: Deployment,
    batch: Batch,
    at: int,
    *,
    rollout: float = 1.0,
    raised: Mapping[str, float] | None = None,
    shadow: bool = False,
) -> pl.DataFrame:
    """Decide the cases of a batch that are in the share; the action of others is hold.

    The share is drawn by key with a salt of its own, so that a case stays in it, also when the
    share grows.
    """
    if rollout == 1:
        return deployment.decide(batch, at, raised=raised, shadow=shadow)
    salt = deployment.document.secret_hash.encode()
    inside = (audit_draws(salt, "traffic", batch.key) < rollout).tolist()
    made = deployment.decide(_part(batch, inside), at, raised=raised, shadow=shadow)
    every = pl.DataFrame({"key": batch.key, "said": batch.prediction})
    rows = every.join(made.unique("key"), on="key", how="left", maintain_order="left")
    return rows.with_columns(
        prediction=pl.coalesce("prediction", "said"), action=pl.col("action").fill_null("hold")
    ).select(made.columns)


def _part(batch: Batch, inside: list[bool]) -> Batch:
    rows = [i for i, one in enumerate(inside) if one]
    content, group = (
        None if column is None else [column[i] for i in rows]
        for column in (batch.content, batch.group)
    )
    return replace(
        batch,
        key=[batch.key[i] for i in rows],
        prediction=[batch.prediction[i] for i in rows],
        confidence=[batch.confidence[i] for i in rows],
        content=content,
        group=group,
    )
