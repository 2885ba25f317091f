"""Items that are one: near-duplicates, turns of one conversation, prompts from one template.

Counted one by one they make intervals narrower than they are; so each cluster counts once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from askpoint.errors import InputError
from askpoint.judges.sketch.codes import MISSING
from askpoint.judges.sketch.tables import VoteTable

__all__ = ["cluster_gold", "cluster_votes"]


def cluster_votes(table: VoteTable, clusters: Mapping[str, str]) -> VoteTable:
    """Count the items of a cluster once: each judge's vote on it is the judge's most frequent one."""
    if clusters and not any(task in clusters for task in table.tasks):
        raise InputError(
            f"none of the {len(table.tasks)} items has a cluster: the items' names must be the "
            f"same in both files (votes on {table.tasks[0]!r}, a cluster for "
            f"{next(iter(clusters))!r})"
        )
    places: dict[str, int] = {}
    names = [clusters.get(task, task) for task in table.tasks]
    rows = np.array([places.setdefault(name, len(places)) for name in names], dtype=np.int64)
    counts = np.zeros((len(table.labels), len(places), len(table.judges)), dtype=np.int64)
    for code in range(len(table.labels)):
        np.add.at(counts[code], rows, table.codes == code)
    most = counts.max(axis=0)
    single = ((counts == most).sum(axis=0) == 1) & (most > 0)
    codes = np.where(single, counts.argmax(axis=0), MISSING).astype(np.int16)
    joined = len(names) - len(places)
    return replace(table, tasks=tuple(places), codes=codes, n_clustered=joined)


def cluster_gold(gold: Mapping[str, str], clusters: Mapping[str, str]) -> dict[str, str]:
    """Return the true labels of clusters instead of items."""
    label_of: dict[str, str] = {}
    for task, label in gold.items():
        name = clusters.get(task, task)
        if label_of.setdefault(name, label) != label:
            raise InputError(
                f"the gold labels say both {label_of[name]!r} and {label!r} in the cluster {name!r}: "
                "its items are not one; part it, or keep one label"
            )
    return label_of
