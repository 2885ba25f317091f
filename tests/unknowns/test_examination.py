"""Which cases are drawn, with which probability; and designs that cannot be."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.errors import InputError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.unknowns.case_costs import decision_cost, estimate_cost
from askpoint.unknowns.examination import ExaminationDesign, draw_examination
from askpoint.unknowns.examination_names import METHODS
from askpoint.unknowns.reservoirs import bin_edges, bins_of


def estimates(n=2000, seed=3):
    return np.square(np.random.default_rng(seed).random(n)) / 2


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(METHODS), st.integers(20, 200), st.integers(1, 10), st.integers(0, 99))
def test_what_is_drawn_is_on_record(method, n, n_bins, seed):
    cost = estimates(300, seed)
    items = np.array([f"case {i}" for i in range(300)])
    drawn = draw_examination(
        items, cost, ExaminationDesign(method, n, n_bins), np.random.default_rng(seed)
    )
    assert len(set(drawn.items)) == len(drawn.items) == len(drawn.bins) <= n
    assert drawn.sizes.sum() == 300
    rows = np.array([int(item.split()[1]) for item in drawn.items])
    assert (bins_of(cost[rows], drawn.edges) == drawn.bins).all()
    if method == "uncertainty":
        assert (drawn.inclusion == 1).all()
        assert sorted(cost[rows]) == sorted(cost)[-n:]
    else:
        assert drawn.inclusion == pytest.approx((drawn.planned / drawn.sizes.clip(1))[drawn.bins])
        # the inverse probabilities count all cases
        assert (1 / drawn.inclusion).sum() == pytest.approx(300)
    if method == "stratified":
        share = np.full(n_bins, n // n_bins) + (np.arange(n_bins) < n % n_bins)
        assert (drawn.planned == np.minimum(share, drawn.sizes)).all()
    else:
        assert len(drawn.items) == n
    assert set(drawn.whole) == {
        b for b, size in enumerate(drawn.sizes) if size and drawn.planned[b] == size
    }


def test_the_bins_part_the_range_not_the_cases():
    drawn = draw_examination(
        np.arange(2000), estimates(), ExaminationDesign(n=100), np.random.default_rng(1)
    )
    assert drawn.edges == pytest.approx(bin_edges(estimates().min(), estimates().max(), 10))
    assert drawn.sizes[0] > 4 * drawn.sizes[-1]


def test_a_short_or_empty_bin_is_taken_whole_and_not_made_up_for():
    cost = np.array([0.0] * 95 + [0.26] * 4 + [0.5])
    drawn = draw_examination(
        np.arange(100), cost, ExaminationDesign(n=30, n_bins=3), np.random.default_rng(1)
    )
    assert drawn.sizes.tolist() == [95, 4, 1]
    assert drawn.planned.tolist() == [10, 4, 1]
    assert drawn.whole.tolist() == [1, 2]
    empty = draw_examination(
        np.arange(100), cost, ExaminationDesign(n=50, n_bins=5), np.random.default_rng(1)
    )
    assert empty.sizes.tolist() == [95, 0, 4, 0, 1]
    assert empty.planned.tolist() == [10, 0, 4, 0, 1]
    assert empty.whole.tolist() == [2, 4]


def test_all_cases_alike_lie_in_one_bin():
    drawn = draw_examination(
        np.arange(100), np.zeros(100), ExaminationDesign(n=30, n_bins=3), np.random.default_rng(1)
    )
    assert drawn.planned.tolist() == [0, 0, 10]


def test_neyman_follows_size_and_expected_deviation():
    rng = np.random.default_rng(2)
    cost = np.concatenate([np.full(900, 0.01), np.full(100, 0.49)])
    drawn = draw_examination(np.arange(1000), cost, ExaminationDesign("neyman", 100, 2), rng)
    low, high = 0.01 * 0.99, 0.49 * 0.51
    doubt = 0.1 * (0.9 * low + 0.1 * high)
    weights = np.array([900 * np.sqrt(low + doubt), 100 * np.sqrt(high + doubt)])
    assert drawn.planned == pytest.approx(100 * weights / weights.sum(), abs=1)
    # a model that is sure of everything is still looked at everywhere
    sure = draw_examination(
        np.arange(1000), [0.0] * 999 + [0.5], ExaminationDesign("neyman", 50, 2), rng
    )
    assert sure.planned.tolist() == [49, 1]


def test_neyman_weighs_what_mistakes_cost():
    rng = np.random.default_rng(2)
    costs = CostMatrix(["benign", "hate"], [[0, 1], [20, 0]])
    p = np.concatenate([np.full(500, 0.02), np.full(500, 0.9)])  # one bin would hide the other
    decided = np.repeat(["benign", "hate"], 500)
    estimated = estimate_cost(p, costs, decided)  # .4 for those 20 may be lost on, .1
    squared = decision_cost(p, CostMatrix(costs.classes, costs.cost**2), decided)
    drawn = draw_examination(
        np.arange(1000), estimated, ExaminationDesign("neyman", 100, 2), rng, squared=squared
    )
    variance = np.array([0.1 - 0.1**2, 0.02 * 400 - 0.4**2])  # of the bins .1 and .4
    deviation = np.sqrt(variance + 0.1 * variance.mean())
    assert drawn.planned == pytest.approx(100 * deviation / deviation.sum(), abs=1)
    assert drawn.planned[1] > 75


def test_a_stream_is_examined_continually():
    rng = np.random.default_rng(6)
    design = ExaminationDesign(n=40, n_bins=4)
    reservoirs = design.reservoirs(0.0, 0.5)
    for day in range(3):
        cost = rng.random(500) / 2
        reservoirs.update(500 * day + np.arange(500), cost, design.keys(cost, rng))
        drawn = design.draw(reservoirs, rng, seed=6, digest=f"day {day}")
        assert drawn.sizes.sum() == 500 * (day + 1)
        assert drawn.planned.tolist() == [10] * 4
        assert (drawn.seed, drawn.digest) == (6, f"day {day}")
        assert drawn.items.max() < 500 * (day + 1)


def test_the_order_of_judging_is_random_over_the_whole_sample():
    bins = [
        draw_examination(
            np.arange(2000), estimates(), ExaminationDesign(n=100), np.random.default_rng(seed)
        ).bins
        for seed in range(200)
    ]
    assert np.mean(bins, axis=0) == pytest.approx(np.full(100, 4.5), abs=0.9)


@pytest.mark.parametrize(
    ("design", "message"),
    [
        ({"method": "dense"}, "method must be one of stratified, neyman, random, uncertainty"),
        ({"n": 0}, "at least 1: got 0 and 10"),
        ({"n_bins": 0}, "at least 1: got 500 and 0"),
        ({"n": 9}, "9 cases are too few for 10 bins: draw at least 1"),
        ({"method": "neyman", "n": 19}, "19 cases are too few for 10 bins: draw at least 2"),
    ],
)
def test_a_design_that_cannot_be_is_refused(design, message):
    with pytest.raises(InputError, match=message):
        ExaminationDesign(**design)


@pytest.mark.parametrize("method", METHODS)
def test_more_cases_than_the_log_has_are_refused(method):
    with pytest.raises(InputError, match="30 cases are to be judged, but the log has only 29"):
        draw_examination(
            np.arange(29), estimates(29), ExaminationDesign(method, 30), np.random.default_rng(1)
        )
    with pytest.raises(InputError, match="the log has only 0"):
        draw_examination([], [], ExaminationDesign(method, 30), np.random.default_rng(1))
