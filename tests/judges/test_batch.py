"""All trios at once say what the exact evaluator says of each."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.judges.methods.algebra import OUTCOMES, TrioAlgebra
from askpoint.judges.methods.independent import evaluate_independent
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.judges.trios.batch import evaluate_moments
from askpoint.judges.trios.counts import TrioMoments, trio_moments
from judges.cases import PATTERNS, drawn_votes


def assert_same(sketch):
    found = evaluate_moments(trio_moments(sketch))
    place = {row: i for i, row in enumerate(found.rows.tolist())}
    for row, trio in enumerate(itertools.combinations(sketch.judges, 3)):
        if not found.n_items[row]:
            assert OUTCOMES[found.outcomes[row]] == "empty"
            continue
        exact = evaluate_independent(sketch.select(trio))
        assert OUTCOMES[found.outcomes[row]] == exact.outcome
        assert found.n_items[row] == exact.n_items
        assert (row in place) == bool(exact.points)
        if exact.points:
            point = exact.chosen
            scale = max(abs(float(x)) for of in point.accuracy.values() for x in of.values())
            close = {"abs": 1e-9 * max(1, scale), "rel": 1e-6}
            assert found.prevalence[place[row]] == pytest.approx(
                float(point.prevalence["a"]), **close
            )
            assert found.accuracy[place[row]] == pytest.approx(
                np.array([[float(x) for x in of.values()] for of in point.accuracy.values()]),
                **close,
            )


@given(st.integers(0, 2**32), st.sampled_from([3, 12, 60, 500]), st.sampled_from([0, -1]))
@settings(max_examples=40)
def test_all_trios_are_evaluated_as_one_by_one(seed, n_items, low):
    rng = np.random.default_rng(seed)
    sketch = VoteSketch(5, ["a", "b"])
    sketch.update_codes(rng.integers(low, 2, (n_items, 5)))
    assert_same(sketch)


def test_judges_who_see_something(rng):
    sketch = VoteSketch(7, ["a", "b"])
    sketch.update_codes(drawn_votes(rng, 5000, 0.4, rng.uniform(0.5, 0.95, (7, 2)))[1])
    assert_same(sketch)
    assert evaluate_moments(trio_moments(sketch)).share_inside > 0.9


def test_small_counts_have_the_exact_outcome(rng):
    """Degenerate votes are frequent here: every boundary is met."""
    counts = rng.integers(0, 3, (3000, 8))
    counts = counts[counts.any(axis=1)]
    trios = [TrioAlgebra.from_cells(row.tolist()) for row in counts]
    votes = np.array(PATTERNS)
    pairs = np.column_stack(
        [votes[:, 1] * votes[:, 2], votes[:, 0] * votes[:, 2], votes[:, 0] * votes[:, 1]]
    )
    found = evaluate_moments(
        TrioMoments(
            np.zeros((len(counts), 3), int),
            counts.sum(axis=1),
            counts @ votes,
            counts @ pairs,
            counts[:, 7],
        )
    )
    assert [OUTCOMES[code] for code in found.outcomes] == [trio.outcome for trio in trios]
    assert np.isfinite(found.prevalence).all()
    assert np.isfinite(found.accuracy).all()
    assert set(found.outcomes.tolist()) == set(range(5))
    assert found.is_inside.sum() == [trio.outcome for trio in trios].count("inside")
