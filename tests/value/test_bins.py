"""Bins: order, edges to the last bit, and an engine's arithmetic against the bits themselves."""

from __future__ import annotations

import narwhals as nw
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.errors import InputError
from askpoint.measures.confidence import confidence_range
from askpoint.value.sketch.bins import BINS, Bins, DistinctBins, LinearBins, RelativeBins, as_bins

ALL = [
    RelativeBins(),
    RelativeBins(-np.log(3), 0.0),
    RelativeBins(0.0, confidence_range("standard_deviation", 3)[1]),
    LinearBins(),
    LinearBins(-2.0, 5.0, 1000),
    LinearBins(n_bins=1),
    DistinctBins(),
]


def confidences(bins, n=20_000, seed=0):
    """Uniform ones, ones at every distance from both ends, the ends, and round numbers."""
    rng = np.random.default_rng(seed)
    low, high = max(bins.low, -100.0), min(bins.high, 100.0)
    width = high - low
    near = 10.0 ** rng.uniform(-18, 0, n)
    round_ones = np.linspace(0, 1, 129)
    shares = np.concatenate([rng.random(n), near, 1 - near, round_ones, 1 - 2.0 ** -np.arange(54)])
    return np.clip(low + width * shares, low, high)


@pytest.mark.parametrize("bins", ALL, ids=str)
def test_surer_cases_lie_in_surer_bins(bins):
    scores = np.sort(confidences(bins))
    assert (np.diff(bins.keys(scores)) <= 0).all()


@pytest.mark.parametrize("bins", ALL[:-1], ids=str)
def test_edges_are_exact_to_the_last_bit(bins):
    keys = np.unique(bins.keys(confidences(bins)))
    lowest, highest = bins.lowest(keys), bins.highest(keys)
    assert (bins.keys(lowest) == keys).all()
    assert (bins.keys(highest) == keys).all()
    assert (highest >= lowest).all()
    below, above = np.nextafter(lowest, -np.inf), np.nextafter(highest, np.inf)
    assert (bins.keys(below[below >= bins.low]) > keys[below >= bins.low]).all()
    assert (bins.keys(above[above <= bins.high]) < keys[above <= bins.high]).all()


def test_distinct_bins_are_the_float32():
    scores = confidences(DistinctBins())
    singles = scores.astype(np.float32)
    keys = DistinctBins().keys(scores)
    assert len(np.unique(keys)) == len(np.unique(singles))
    lowest, highest = DistinctBins().lowest(keys), DistinctBins().highest(keys)
    assert (lowest <= np.minimum(scores, singles)).all()
    assert (np.maximum(scores, singles) <= highest).all()
    assert (lowest.astype(np.float32) == singles).all()
    assert (highest.astype(np.float32) == singles).all()
    assert (Bins.lowest(DistinctBins(), keys) == lowest).all()  # by bisection of all doubles
    assert DistinctBins().keys(np.array([0.0])) == DistinctBins().keys(np.array([-0.0]))


def test_relative_bins_are_the_top_bits_of_what_is_missing_to_certainty():
    scores = confidences(RelativeBins())
    by_struct = [int(np.float32(1 - c).tobytes()[::-1].hex()[:4], 16) for c in scores[:3000]]
    assert RelativeBins().keys(scores[:3000]).tolist() == by_struct
    assert RelativeBins().keys(np.array([1.0, 0.0])).tolist() == [0, 0x3F80]


@settings(deadline=None)
@given(st.floats(0, 1, width=32))
def test_single_and_double_precision_share_a_bin(score):
    single, double = np.array([score], np.float32), np.array([score], np.float64)
    assert RelativeBins().keys(single) == RelativeBins().keys(double)


def test_a_relative_bin_is_as_narrow_as_it_says():
    keys = np.unique(RelativeBins().keys(confidences(RelativeBins())))
    lowest, highest = RelativeBins().lowest(keys), RelativeBins().highest(keys)
    near = (lowest > 0.5) & (highest < 1 - 1e-9)
    width, distance = highest - lowest, 1 - highest
    assert (width[near] <= distance[near] / 128).all()


def test_linear_bins_are_of_equal_width():
    bins = LinearBins(n_bins=4)
    assert bins.keys(np.array([0.0, 0.25, 0.3, 0.5, 0.99, 1.0])).tolist() == [3, 2, 2, 1, 0, 0]
    assert bins.lowest(np.arange(4)).tolist() == [0.75, 0.5, 0.25, 0.0]
    assert bins.highest(np.arange(2)).tolist() == [1.0, np.nextafter(0.75, 0)]


@pytest.mark.parametrize("precision", [pl.Float32, pl.Float64])
@pytest.mark.parametrize("bins", ALL, ids=str)
def test_an_engine_finds_the_same_bins(bins, precision):
    if precision == pl.Float32 and bins.high not in (0, 1, DistinctBins().high):
        pytest.skip("a range that float32 has not")
    scores = pl.Series("c", confidences(bins)).cast(precision)
    scores = scores.filter(scores.is_between(bins.low, bins.high))
    kind = nw.Float32 if precision == pl.Float32 else nw.Float64
    frame = nw.from_native(pl.DataFrame({"confidence": scores, "is_sound": True}))
    for step in bins.steps(kind, nw.col("is_sound")):
        frame = frame.with_columns(**step)
    groups = frame["group"].to_numpy()
    assert not bins.without(groups).any()
    assert (bins.locate(groups, kind) == bins.keys(scores.to_numpy())).all()
    if isinstance(bins, RelativeBins):
        assert len(np.unique(groups)) <= 2 * len(np.unique(bins.keys(scores.to_numpy())))


@pytest.mark.parametrize("kind", [nw.Float32, nw.Float64])
def test_groups_differ_in_the_bits_at_which_an_engine_looks(kind):
    """Spark's quick table of groups has 2^17 places, two for each group to try."""
    scores = np.random.default_rng(0).beta(3, 0.3, 10**5)
    precision = pl.Float32 if kind is nw.Float32 else pl.Float64
    frame = nw.from_native(pl.DataFrame({"confidence": pl.Series(scores, dtype=precision)}))
    for step in RelativeBins().steps(kind, nw.col("confidence") >= 0):
        frame = frame.with_columns(**step)
    groups, rows = np.unique(frame["group"].to_numpy(), return_counts=True)
    _, place = np.unique(groups & ((1 << 17) - 1), return_inverse=True)
    alone = np.bincount(place)[place] <= 2
    assert rows[alone].sum() > 0.75 * rows.sum()


def test_few_bins_occur_between_0_and_1():
    most = RelativeBins().keys(np.array([0.0]))[0] + 1
    assert most == 16_257


@pytest.mark.parametrize("score", [-1e-9, 1.0000001, np.nan, np.inf])
def test_confidence_out_of_range(score):
    with pytest.raises(InputError, match=r"row 1|holds 1 missing or infinite value"):
        RelativeBins().check([0.5, score])


def test_the_range_is_said_and_what_takes_another():
    with pytest.raises(InputError) as caught:
        LinearBins(0, 5).check([1, 7.5])
    assert str(caught.value) == (
        "confidence must be between 0 and 5 for these bins; got 7.5 in row 1; RelativeBins(low, "
        "high) and LinearBins(low, high) take another range, DistinctBins() any"
    )


@pytest.mark.parametrize(("low", "high"), [(1, 1), (1, 0), (np.nan, 1), (0, np.inf)])
@pytest.mark.parametrize("kind", BINS.values())
def test_an_empty_range(kind, low, high):
    with pytest.raises(InputError, match="bins need two finite numbers, low below high; got"):
        kind(low, high)


@pytest.mark.parametrize("n", [0, -1, 2**31])
def test_the_number_of_linear_bins(n):
    with pytest.raises(InputError, match=f"n_bins must be between 1 and .*; got {n}"):
        LinearBins(n_bins=n)


def test_bins_by_name():
    assert as_bins("relative") == RelativeBins()
    assert as_bins(LinearBins(0, 2)) == LinearBins(0.0, 2.0)
    with pytest.raises(InputError, match="bins must be one of relative, linear, distinct; got 'l"):
        as_bins("log")


def test_bins_of_no_kind():
    bins = Bins()
    for use in (
        lambda: bins.keys(np.ones(1)),
        lambda: bins.steps(nw.Float64, nw.col("is_sound")),
        lambda: bins.locate(np.ones(1), nw.Float64),
    ):
        with pytest.raises(NotImplementedError):
            use()
