"""Groups that may be alike: the posterior against dense matrices, and what it does at the edges."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import special

from askpoint.errors import ObjectiveError
from askpoint.value.posterior import group_posterior
from askpoint.value.posterior.grid import cell_parameters
from askpoint.value.posterior.group_posterior import (
    ALIKE,
    SPREADS,
    GroupCounts,
    Spread,
    fit_groups,
)
from askpoint.value.posterior.group_thresholds import choose_group_thresholds
from askpoint.value.posterior.prior import CELLS, LOG_SLOPES, PROBABILITIES, SHIFTS
from askpoint.value.posterior.rightness import RightnessPosterior


def world(seed=0, n=3000, n_labels=300, shifts=(0.0, 0.0, -2.5)):
    rng = np.random.default_rng(seed)
    group = rng.integers(0, len(shifts), n)
    z = rng.normal(2.2, 1.8, n)
    rate = special.expit(np.array(shifts)[group] + z)
    rows = rng.choice(n, n_labels, replace=False)
    hit = rng.random(n_labels) < rate[rows]
    right, wrong = np.zeros(n), np.zeros(n)
    right[rows], wrong[rows] = hit, ~hit
    return special.expit(z), group, right, wrong


def fitted(confidence, group, right, wrong, n_groups=None, **more):
    known = right + wrong > 0
    common = RightnessPosterior().fit(confidence[known], right[known] > 0, confidence)
    counts = GroupCounts.of_cases(
        common.evidence_, group, n_groups or int(group.max()) + 1, confidence, right, wrong
    )
    return counts, fit_groups(counts, common.right_, common.evidence_, **more), common


def dense(spread):
    """The chances of a group's cell (columns) given the centre's (rows), as one matrix of normal weights."""

    def normal(grid, width):
        if width == 0:
            return np.eye(len(grid))
        width = max(width, 0.6 * (grid[1] - grid[0]))
        weight = np.array([[np.exp(-(((a - b) / width) ** 2) / 2) for b in grid] for a in grid])
        return weight / weight.sum(axis=1)[:, None]

    shift = normal(SHIFTS, spread.shift)
    if spread.far_off:
        shift = (1 - spread.far_off) * shift + spread.far_off * normal(SHIFTS, 2.0)
    lapse = np.eye(6)
    if spread.lapse:
        own = np.array([0, 0, 0.1, 0.2, 0.3, 0.4])
        lapse = (1 - spread.lapse) * lapse + spread.lapse * own[None, :]
    return np.kron(lapse, np.kron(shift, normal(LOG_SLOPES, spread.log_slope)))


@pytest.mark.parametrize("place", [1, 7, 10])
def test_cells_are_those_of_the_joint_sum_over_dense_matrices(monkeypatch, place):
    spread = SPREADS[place]
    monkeypatch.setattr(group_posterior, "SPREADS", (Spread(0, 0), spread))
    rng = np.random.default_rng(3)
    likelihood = np.log(rng.random((3, CELLS)) ** 4)
    prior = PROBABILITIES.log_weights
    cells, spreads = group_posterior._by_spread(likelihood, prior, np.array([0.6, 0.4]))
    likely = np.exp(likelihood)
    matrices = (np.eye(CELLS), dense(spread))
    joint = [np.exp(prior) * weight for weight in (0.6, 0.4)]
    scattered = [[matrix @ likely[g] for g in range(3)] for matrix in matrices]
    totals = [joint[h] * np.prod(scattered[h], axis=0) for h in range(2)]
    whole = sum(total.sum() for total in totals)
    np.testing.assert_allclose(spreads, [total.sum() / whole for total in totals], rtol=1e-4)
    for g in range(3):
        expected = np.zeros(CELLS)
        for h in range(2):
            others = np.prod([scattered[h][k] for k in range(3) if k != g], axis=0)
            expected += likely[g] * ((joint[h] * others) @ matrices[h])
        np.testing.assert_allclose(cells[g], expected / whole, rtol=2e-3, atol=1e-8)
    unlabelled = sum(totals[h] @ matrices[h] for h in range(2)) / whole
    np.testing.assert_allclose(cells[3], unlabelled, rtol=2e-3, atol=1e-8)


def test_likelihood_is_that_of_each_label():
    z = np.array([-1.0, 0.5, 3.0])
    right, wrong = np.array([[2.0, 0, 1]]), np.array([[0.0, 1, 1]])
    found = group_posterior._log_likelihood(group_posterior._cell_logits(z), right, wrong)[0]
    for cell in (0, 500, 2000, CELLS - 1):
        shift, slope, lapse = (float(each[0]) for each in cell_parameters(np.array([cell])))
        q = lapse / 2 + (1 - lapse) * special.expit(shift + slope * z)
        assert found[cell] == pytest.approx(
            float((right * np.log(q) + wrong * np.log1p(-q)).sum()), rel=1e-4
        )


def test_groups_that_are_surely_alike_get_the_common_answer():
    confidence, group, right, wrong = world(shifts=(0.0, 0.0))
    _, found, common = fitted(confidence, group, right, wrong, alike=1 - 1e-12)
    np.testing.assert_allclose(found.right[0], common.right_, atol=2e-3)
    np.testing.assert_allclose(found.right[1], common.right_, atol=2e-3)


def test_a_bad_group_is_asked_about_and_the_others_are_not():
    counts, found, common = fitted(*world(n_labels=600))
    assert found.alike < 0.05
    rates = (found.right * counts.cases).sum(axis=1) / counts.cases.sum(axis=1)
    assert rates[2] < rates[:2].min() - 0.1
    chosen = choose_group_thresholds(counts, found, 5, 0.85, np.random.default_rng(1))
    assert chosen[2].threshold > max(chosen[0].threshold, chosen[1].threshold)
    assert chosen[2].differs == "yes"
    assert [each.n_labelled for each in chosen] == counts.labels.tolist()
    assert sum(each.n_items for each in chosen) == 3000
    del common


def test_names_of_groups_do_not_matter():
    confidence, group, right, wrong = world()
    turn = np.array([2, 0, 1])
    _, one, _ = fitted(confidence, group, right, wrong)
    _, other, _ = fitted(confidence, turn[group], right, wrong)
    np.testing.assert_allclose(one.right, other.right[turn], rtol=1e-4)
    assert one.alike == pytest.approx(other.alike, rel=1e-3)


def test_a_group_without_labels_gets_the_centre_and_one_row_is_a_group():
    confidence, group, right, wrong = world()
    group = np.where(np.arange(3000) < 100, 3, group)
    right[:100] = wrong[:100] = 0
    group[200] = 4
    counts, found, _ = fitted(confidence, group, right, wrong)
    assert counts.labels[3] == 0
    assert counts.cases[4].sum() == 1
    assert np.isfinite(found.right).all()
    chosen = choose_group_thresholds(counts, found, 10, 0.9, np.random.default_rng(1))
    assert all(0 <= each.asked <= 1 for each in chosen)
    # without labels it lies between the groups that have some
    rate = (found.right[3] * counts.cases[3]).sum() / counts.cases[3].sum()
    others = (found.right[:3] * counts.cases[3]).sum(axis=1) / counts.cases[3].sum()
    assert others.min() < rate < others.max()


def test_labels_in_one_group_only_and_no_labels_at_all():
    confidence, group, right, wrong = world()
    right[group != 0] = wrong[group != 0] = 0
    counts, found, _ = fitted(confidence, group, right, wrong)
    np.testing.assert_allclose(found.right[1], found.right[2])
    assert abs(found.alike - ALIKE) < 0.15  # one group says nothing of how groups differ
    none = np.zeros(3000)
    counts, found, common = fitted(confidence, group, none, none)
    assert found.alike == pytest.approx(ALIKE, abs=1e-3)
    np.testing.assert_allclose(found.right[0], common.right_, atol=0.05)
    del counts


def test_five_thousand_groups():
    rng = np.random.default_rng(2)
    confidence, _, right, wrong = world(n=6000)
    group = rng.permutation(np.arange(6000) % 5000)
    counts, found, _ = fitted(confidence, group, right, wrong)
    assert found.right.shape == counts.cases.shape
    assert np.isfinite(found.right).all()
    assert counts.labels is counts.labels  # added up once: each threshold asks for its group's


@pytest.mark.parametrize("bad", [0, 0.5, float("inf"), float("nan")])
def test_a_price_of_a_mistake_is_at_least_one_check(bad):
    counts, found, _ = fitted(*world())
    with pytest.raises(ObjectiveError, match="at least 1"):
        choose_group_thresholds(counts, found, bad, 0.9, np.random.default_rng(1))


def test_draws_are_wider_than_the_mean_and_centred_on_it():
    counts, found, _ = fitted(*world())
    draws = found.draw(0, 400, np.random.default_rng(5))
    mass = counts.cases[0] / counts.cases[0].sum()
    rates = draws @ mass
    assert rates.std() > 0.003
    assert abs(rates.mean() - found.right[0] @ mass) < 3 * rates.std()


def test_regret_is_what_drawn_curves_lose_by_the_verdict_of_now():
    posterior = fitted(*world(n_labels=60), n_groups=4)[1]
    rho = 0.1
    expected = posterior.regret(rho)
    for group in (0, 2, 3):
        drawn = posterior.draw(group, 4000, np.random.default_rng(0))
        gain = drawn - (1 - rho)
        answered = posterior.right[group] >= 1 - rho
        lost = np.where(answered, np.maximum(-gain, 0), np.maximum(gain, 0)).mean(axis=0)
        assert expected[group] == pytest.approx(lost, abs=2e-3)
    # of the group without a label least is known
    assert expected[3].sum() > expected[0].sum()


def test_what_is_surely_alike_differs_from_the_common_answer_nowhere():
    confidence, group, right, wrong = world(shifts=(0.0, 0.0, -2.5), n_labels=600)
    counts, found, _ = fitted(confidence, group, right, wrong)
    assert found.alike < 0.05
    chosen = choose_group_thresholds(counts, found, 5, 0.85, np.random.default_rng(1))
    assert {one.differs for one in chosen} >= {"yes"}
    alike = replace(found, alike=0.96)
    chosen = choose_group_thresholds(counts, alike, 5, 0.85, np.random.default_rng(1))
    assert [one.differs for one in chosen] == ["no"] * 3
