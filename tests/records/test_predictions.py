"""A log's arrays, its parts and its fingerprint."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.records.predictions import Parts, PredictionLog


def make(n, seed, *, model=True):
    rng = np.random.default_rng(seed)
    labelled = rng.random(n) < 0.6
    k = int(labelled.sum())
    return PredictionLog(
        classes=("a", "b", "c"),
        prediction=rng.integers(0, 3, n, dtype=np.int32),
        proba=rng.dirichlet([1, 1, 1], n),
        confidence=rng.random(n),
        labelled=labelled,
        label=rng.integers(0, 3, k, dtype=np.int32),
        ids=np.arange(n),
        group=Parts(("x", "y", None), rng.integers(0, 3, n, dtype=np.int32)),
        model=Parts(("m", "n"), rng.integers(0, 2, n, dtype=np.int32)) if model else None,
        weight=rng.random(n) + 0.1,
        propensity=rng.random(k),
    )


def rows(log):
    """Every row as a tuple, found by walking along: the slow reader of the same arrays."""
    labels = iter(zip(log.label, log.propensity, strict=True))
    found = []
    for i in range(log.n_items):
        label = next(labels) if log.labelled[i] else None
        found.append((
            log.ids[i], log.prediction[i], *log.proba[i], log.confidence[i], label,
            log.group.names[log.group.codes[i]], log.model.names[log.model.codes[i]],
            log.weight[i],
        ))  # fmt: skip
    return found


@given(st.integers(1, 30), st.integers(0, 999), st.data())
@settings(deadline=None, max_examples=60)
def test_taking_rows(n, seed, data):
    log = make(n, seed)
    chosen = data.draw(st.lists(st.integers(0, n - 1), max_size=40))
    assert rows(log.take(np.array(chosen, np.int64))) == [rows(log)[i] for i in chosen]
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    assert rows(log.take(mask)) == [
        row for row, there in zip(rows(log), mask, strict=True) if there
    ]


@given(st.integers(1, 40), st.integers(0, 999))
@settings(deadline=None, max_examples=60)
def test_parts_are_a_partition(n, seed):
    log = make(n, seed)
    for parts, place in ((log.by_group(), -3), (log.by_model(), -2)):
        found = []
        for name, part in parts:
            assert part.n_items > 0
            assert {row[place] for row in rows(part)} == {name}
            found += rows(part)
        assert sorted(found, key=lambda row: row[0]) == rows(log)


@given(st.integers(1, 40), st.integers(0, 999))
@settings(deadline=None, max_examples=60)
def test_right_counts_labelled_rows_only(n, seed):
    log = make(n, seed)
    assert len(log.right) == log.n_labelled == int(log.labelled.sum())
    assert int(log.right.sum()) == sum(
        row[-4] is not None and row[-4][0] == row[1] for row in rows(log)
    )


def test_a_log_without_parts():
    log = PredictionLog(
        ("a", "b"), np.array([0, 1]), None, np.array([0.5, 1]), np.array([True, False]),
        np.array([1]), np.array(["x", "y"], object),
    )  # fmt: skip
    assert list(log.by_group()) == list(log.by_model()) == []
    part = log.take(np.array([1]))
    assert (part.ids.tolist(), part.n_labelled, part.proba, part.weight) == (["y"], 0, None, None)
    assert log.digest() != log.digest(labels=False)


def changed(log, **changes):
    return PredictionLog(**{**log.__dict__, **changes})


def test_the_digest_sees_what_counts():
    log = make(20, 1)
    digest = log.digest()
    assert digest.startswith("sha256:")
    assert len(digest) == 71
    flipped = log.labelled.copy()
    i, j = np.flatnonzero(flipped)[0], np.flatnonzero(~flipped)[0]
    flipped[[i, j]] = flipped[[j, i]]
    others = [
        log.take(np.arange(20)[::-1]),
        log.take(np.arange(19)),
        changed(log, classes=("a", "b", "d")),
        changed(log, prediction=(log.prediction + 1) % 3),
        changed(log, proba=log.proba[:, ::-1]),
        changed(log, proba=None),
        changed(log, confidence=log.confidence / 2),
        changed(log, ids=log.ids + 1),
        changed(log, model=None),
        changed(log, model=Parts(("m", "o"), log.model.codes)),
        changed(log, model=Parts(("m", "n"), 1 - log.model.codes)),
    ]
    relabelled = [
        changed(log, label=(log.label + 1) % 3),
        changed(log, labelled=flipped),
    ]
    digests = {other.digest() for other in [*others, *relabelled]}
    assert len(digests) == len(others) + len(relabelled)
    assert digest not in digests
    for other in relabelled:  # what the model said is the same
        assert other.digest(labels=False) == log.digest(labels=False)
    assert log.digest(labels=False) not in {other.digest(labels=False) for other in others}


@pytest.mark.parametrize("part", ["group", "weight", "propensity"])
def test_the_digest_does_not_see_ways_of_reading(part):
    log = make(20, 1)
    assert changed(log, **{part: None}).digest() == log.digest()


def test_the_digest_does_not_see_types_and_layouts():
    log = make(20, 1)
    single = changed(log, proba=log.proba.astype(np.float32))
    turned = changed(
        log, proba=np.asfortranarray(log.proba), prediction=log.prediction.astype(np.int64)
    )
    named = changed(log, ids=log.ids.astype(str).astype(object))  # beside "x1" in another batch
    assert single.digest() == turned.digest() == named.digest() == log.digest()
