"""A small deployment over posts: what is decided and labelled each day."""

from __future__ import annotations

import shutil

import polars as pl

from askpoint.live.batches import DecisionBatch, LabelRows
from askpoint.live.policy import Policy
from askpoint.live.terms import Terms
from askpoint.records.stores.deployment import Deployment
from askpoint.records.stores.tables import decision_frame
from live.worlds import cases

SECRET = b"sixteen or more bytes"
TERMS = Terms("money", 0.1, rate=0.2, planned_decisions=4000)
MODEL = {"name": "toxicity", "version": "3", "classes": ["no", "yes"]}
SIZE = 150
HOUR = 3_600_000_000


def at_of(day):
    """The morning of a day, in microseconds since 1970."""
    return (24 * day + 8) * HOUR


def document():
    c, wrong, _ = cases(600)
    return Policy.from_log(c, ~wrong, TERMS, secret=SECRET, name="posts", model=MODEL).document


def batch_of(day, *, seed=1, content=False):
    c, _, _ = cases(3000, seed, drift=1200)
    rows = range(day * SIZE, (day + 1) * SIZE)
    return DecisionBatch(
        [f"k{i}" for i in rows],
        ["yes" if i % 3 else "no" for i in rows],
        [float(c[i]) for i in rows],
        [f"text {i}" for i in rows] if content else None,
        model_version="3",
    )


def one_day(folder, day, **options):
    """Decide a day's cases and label what is asked."""
    with Deployment(folder) as deployment:
        made = decision_frame(
            deployment.decide_rows(batch_of(day, **options), at=at_of(day)).rows, "posts"
        )
    _, wrong, _ = cases(3000, 1, drift=1200)
    wanted = made.filter((pl.col("action") == "ask") | pl.col("audit"))
    keys = wanted["key"].to_list()
    other = {"yes": "no", "no": "yes"}
    labels = [
        other[said] if wrong[int(key[1:])] else said
        for key, said in zip(keys, wanted["prediction"], strict=True)
    ]
    rows = LabelRows(keys, labels, ["Bob"] * len(keys), [None] * len(keys))
    with Deployment(folder) as deployment:
        deployment.label_rows(rows, at=at_of(day) + HOUR)
    return made


def copy_of(folder, to):
    shutil.copytree(folder, to)
    return to
