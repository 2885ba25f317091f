"""Reservoirs: simple random samples, whatever the pieces, and merged like one stream."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats

from askpoint.errors import InputError, SketchError
from askpoint.unknowns import reservoirs as reservoirs_of_bins
from askpoint.unknowns.reservoirs import Reservoirs, bin_edges, bins_of


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=60),
    st.integers(1, 5),
    st.integers(1, 4),
    st.lists(st.integers(0, 60), max_size=5),
)
def test_pieces_and_merging_change_nothing(cases, n_bins, capacity, cuts):
    cost = np.array([c for c, _ in cases])
    keys = np.array([k for _, k in cases])
    items = np.array([f"case {i}" for i in range(len(cases))])
    edges = bin_edges(0, 1, n_bins)
    whole, pieces, merged = (Reservoirs(edges, capacity) for _ in range(3))
    whole.update(items, cost, keys, squared=cost)
    for rows in np.split(np.arange(len(cases)), sorted(min(cut, len(cases)) for cut in cuts)):
        pieces.update(items[rows], cost[rows], keys[rows], squared=cost[rows])
        part = Reservoirs(edges, capacity)
        part.update(items[rows], cost[rows], keys[rows], squared=cost[rows])
        merged.merge(part)
    for other in (pieces, merged):
        assert (other.sizes == whole.sizes).all()
        assert other.sums == pytest.approx(whole.sums)
        assert other.squares == pytest.approx(whole.squares)
        for b in range(n_bins):
            assert (other.items(b) == whole.items(b)).all()
    for b in range(n_bins):  # the least keys of each bin, by sorting
        rows = np.flatnonzero(bins_of(cost, edges) == b)
        expected = rows[np.argsort(keys[rows], kind="stable")][:capacity]
        assert whole.items(b).tolist() == items[expected].tolist()
        assert whole.sizes[b] == len(rows)


@pytest.mark.no_cover
def test_every_case_is_kept_equally_often():
    rng = np.random.default_rng(4)
    kept = np.zeros(20)
    for _ in range(3000):
        reservoirs = Reservoirs([0.0, 1.0], 5)
        for start in range(0, 20, 7):
            rows = np.arange(start, min(start + 7, 20))
            reservoirs.update(rows, np.full(len(rows), 0.5), rng.random(len(rows)))
        kept[reservoirs.items(0).astype(int)] += 1
    assert kept.sum() == 15_000
    assert stats.chisquare(kept).pvalue > 0.001


def test_bins_are_of_equal_width_and_hold_their_lower_edge():
    edges = bin_edges(0.1, 0.5, 4)
    assert np.diff(edges) == pytest.approx([0.1] * 4)
    assert bins_of(edges, edges).tolist() == [0, 1, 2, 3, 3]
    assert bins_of([-1, 0.05, 0.9], edges).tolist() == [0, 0, 3]  # a stream has no known range


@pytest.mark.parametrize("n_bins", [1, 7, 40])
def test_few_and_many_bins_are_found_alike(n_bins):
    edges = bin_edges(0, 0.7, n_bins)
    values = np.append(np.random.default_rng(n_bins).uniform(-0.1, 0.8, 500), edges)
    within = edges[1:-1]
    assert bins_of(values, edges).tolist() == [int((within <= v).sum()) for v in values]


@pytest.mark.parametrize("n_bins", [1, 6, 40])
@pytest.mark.parametrize("has_squares", [True, False])
def test_many_cases_at_once_are_looked_at_in_pieces(n_bins, has_squares, monkeypatch):
    rng = np.random.default_rng(n_bins)
    cost, keys = rng.random(500) ** 4, rng.random(500)
    edges = bin_edges(0, 1, n_bins)
    monkeypatch.setattr(reservoirs_of_bins, "_PIECE", 17)
    kept = Reservoirs(edges, 3)
    kept.update(np.arange(500), cost, keys, squared=cost**2 if has_squares else None)
    of = np.minimum((cost * n_bins).astype(int), n_bins - 1)
    assert kept.sizes.tolist() == np.bincount(of, minlength=n_bins).tolist()
    for b in range(n_bins):
        mine = np.flatnonzero(of == b)
        assert kept.items(b).tolist() == mine[np.argsort(keys[mine])][:3].tolist()
        if has_squares:
            assert kept.sums[b] == pytest.approx(cost[mine].sum())
            assert kept.squares[b] == pytest.approx((cost[mine] ** 2).sum())


def test_what_is_kept_is_what_the_bins_hold():
    rng = np.random.default_rng(0)
    kept = Reservoirs(bin_edges(0, 1, 4), 5)
    kept.update(np.arange(200), rng.random(200), rng.random(200))
    held = np.concatenate([kept.items(b) for b in range(4)])
    assert sorted(kept.kept.tolist()) == sorted(held.tolist())
    assert len(kept.kept) == 20


def test_the_memory_is_constant():
    rng = np.random.default_rng(5)
    reservoirs = Reservoirs(bin_edges(0, 1, 3), 10)
    for start in range(0, 50_000, 1000):
        reservoirs.update(range(start, start + 1000), rng.random(1000), rng.random(1000))
    assert sum(len(reservoirs.items(b)) for b in range(3)) == 30
    assert len(reservoirs._keys) == 30
    assert len(reservoirs.items(0, 4)) == 4


def test_bad_input_is_named():
    with pytest.raises(InputError, match="keeps at least one case; got 0"):
        Reservoirs([0, 1], 0)
    with pytest.raises(InputError, match="at least one bin"):
        bin_edges(0, 1, 0)
    with pytest.raises(InputError, match="at least one bin"):
        bin_edges(1, 0, 2)
    reservoirs = Reservoirs([0, 1], 2)
    with pytest.raises(InputError, match="costs and keys"):
        reservoirs.update([1], [0.1], [0.1, 0.2])
    with pytest.raises(InputError, match="items and estimated costs"):
        reservoirs.update([1, 2], [0.1], [0.1])
    with pytest.raises(SketchError, match="same edges and capacity"):
        reservoirs.merge(Reservoirs([0, 1], 3))
    with pytest.raises(SketchError, match="same edges and capacity"):
        reservoirs.merge(Reservoirs([0, 0.5], 2))


@pytest.mark.parametrize("n_bins", [1, 7, 10])
def test_single_precision_falls_into_the_bins_of_its_values(n_bins):
    """Also next to an edge that no number of single precision is."""
    edges = bin_edges(0, 0.7, n_bins)
    near = edges.astype(np.float32)
    beside = [np.nextafter(near, np.float32(to)) for to in (0, 1)]
    cost = np.concatenate([near, *beside, np.random.default_rng(1).random(50, np.float32)])
    single, double = Reservoirs(edges, 3), Reservoirs(edges, 3)
    keys = np.linspace(0, 1, len(cost))
    single.update(np.arange(len(cost)), cost, keys)
    double.update(np.arange(len(cost)), cost.astype(np.float64), keys)
    assert single.sizes.tolist() == double.sizes.tolist()
    assert single.kept.tolist() == double.kept.tolist()
