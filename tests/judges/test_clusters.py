"""Clusters: counted once, by brute force; copies of items tell nothing new."""

from __future__ import annotations

from collections import Counter

import polars as pl
import pytest
from hypothesis import given, strategies as st

from askpoint.errors import InputError
from askpoint.judges.clusters import cluster_gold, cluster_votes
from askpoint.judges.sketch.tables import table_from_frame

LABELS = ["x", "y", "z"]


def table(rows):
    items = {"item": [f"i{i}" for i in range(len(rows))]}
    columns = {f"judge {j}": [row[j] for row in rows] for j in range(len(rows[0]))}
    return table_from_frame(pl.DataFrame(items | columns), task="item", labels=LABELS)


votes = st.lists(
    st.tuples(*[st.sampled_from([*LABELS, None])] * 3, st.integers(0, 3)), min_size=1, max_size=12
)


def most_frequent(said):
    counts = Counter(label for label in said if label is not None).most_common(2)
    if not counts or (len(counts) == 2 and counts[0][1] == counts[1][1]):
        return None
    return counts[0][0]


@given(votes)
def test_each_judge_says_what_it_says_most_often(rows):
    clusters = {f"i{i}": f"cluster {row[3]}" for i, row in enumerate(rows)}
    once = cluster_votes(table([row[:3] for row in rows]), clusters)
    assert once.tasks == tuple(dict.fromkeys(clusters.values()))
    assert once.n_clustered == len(rows) - len(once.tasks)
    for name, codes in zip(once.tasks, once.codes.tolist(), strict=True):
        members = [row for row in rows if f"cluster {row[3]}" == name]
        expected = [most_frequent([row[j] for row in members]) for j in range(3)]
        assert [None if code < 0 else LABELS[code] for code in codes] == expected


@given(votes, st.integers(1, 4))
def test_copies_of_items_change_nothing(rows, copies):
    rows = [row[:3] for row in rows]
    many = [row for row in rows for _ in range(copies)]
    clusters = {f"i{i}": f"i{i // copies}" for i in range(len(many))}
    single, once = table(rows), cluster_votes(table(many), clusters)
    assert once.tasks == single.tasks
    assert once.codes.tolist() == single.codes.tolist()


def test_an_item_without_a_cluster_stays_and_no_cluster_at_all_changes_nothing():
    one = table([("x", "x", "y"), ("y", "y", "y"), ("x", None, "y")])
    assert cluster_votes(one, {"i0": "a", "i2": "a"}).tasks == ("a", "i1")
    same = cluster_votes(one, {})
    assert (same.tasks, same.codes.tolist(), same.n_clustered) == (one.tasks, one.codes.tolist(), 0)


def test_clusters_of_other_items_are_refused():
    with pytest.raises(InputError, match="none of the 1 items has a cluster"):
        cluster_votes(table([("x", "x", "y")]), {"p": "a"})


def test_gold_of_a_cluster_is_one_label():
    assert cluster_gold({"p": "x", "q": "y", "r": "x"}, {"p": "a", "r": "a"}) == {
        "a": "x",
        "q": "y",
    }
    with pytest.raises(InputError, match="both 'x' and 'y' in the cluster 'a'"):
        cluster_gold({"p": "x", "q": "y"}, {"p": "a", "q": "a"})
