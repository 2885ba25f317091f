"""Any number of judges: exact where they are independent, correlated pairs found, honest intervals."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.errors import InputError, NotEstimableError
from askpoint.judges.methods.ensemble import evaluate_ensemble
from askpoint.judges.methods.moments import trio_gradient, vote_moments
from askpoint.judges.methods.rank_one import _mask, fit_rank_one, has_trio
from askpoint.judges.sketch.vote_sketch import VoteSketch
from judges.simulate import exact_sketch, sample_variances, simulate, true_shares


def shares_of(evaluation):
    return np.array([list(row.values()) for row in evaluation.accuracy.values()], dtype=float)


def of(votes, judges=None, labels=("0", "1")):
    sketch = VoteSketch(judges or votes.shape[1], labels)
    sketch.update_codes(votes)
    return sketch


tenths = st.integers(6, 9).map(lambda k: Fraction(k, 10))


@settings(deadline=None, max_examples=25)
@given(
    st.integers(2, 8).map(lambda k: Fraction(k, 10)),
    st.lists(st.tuples(tenths, tenths), min_size=3, max_size=5),
)
def test_exactly_independent_judges_are_recovered(p, shares):
    sketch = exact_sketch(p, shares, 10 ** (len(shares) + 1))
    for robust in (True, False):
        evaluation = evaluate_ensemble(sketch, robust=robust)
        assert evaluation.prevalence["a"] == pytest.approx(float(p), abs=1e-6)
        np.testing.assert_allclose(shares_of(evaluation), np.array(shares, dtype=float), atol=1e-6)
        assert evaluation.flagged == evaluation.clipped == ()
        assert np.abs(evaluation.residuals).max() < 1e-6


@pytest.mark.parametrize("p", [0.5, 0.3])
def test_the_variances_of_three_judges_are_those_of_the_closed_form(p):
    shares = [
        (Fraction(4, 5), Fraction(7, 10)),
        (Fraction(3, 4), Fraction(17, 20)),
        (Fraction(9, 10), Fraction(3, 5)),
    ]
    sketch = exact_sketch(Fraction(str(p)), shares, 10**7)
    found = np.square(evaluate_ensemble(sketch)._deviations) * sketch.n_items
    prevalence, accuracy = sample_variances(p, shares)
    assert found[0] == pytest.approx(prevalence, rel=1e-6)
    np.testing.assert_allclose(found[1:].reshape(3, 2), accuracy, rtol=1e-6)


@pytest.mark.no_cover
@pytest.mark.parametrize("missing", [0.0, 0.4])
def test_intervals_hold_the_shares_among_these_items(missing):
    held = []
    shares = [(0.8, 0.7), (0.75, 0.85), (0.9, 0.6), (0.7, 0.7), (0.8, 0.9)]
    for seed in range(150):
        rng = np.random.default_rng(seed)
        truth, votes = simulate(rng, 0.4, shares, 3000)
        votes[rng.random(votes.shape) < missing] = -1
        evaluation = evaluate_ensemble(of(votes))
        intervals = evaluation.interval()
        lower, upper = intervals.prevalence["1"]
        held.append(lower <= truth.mean() <= upper)
        for row, true in zip(intervals.accuracy.values(), true_shares(truth, votes), strict=True):
            held += [low <= t <= up for (low, up), t in zip(row.values(), true, strict=True)]
    assert 0.93 < np.mean(held) < 0.975


@pytest.mark.no_cover
def test_planted_pairs_are_found_and_left_out():
    found, errors, plain = [], [], []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        shares = rng.uniform(0.6, 0.9, (8, 2))
        truth, votes = simulate(rng, rng.uniform(0.3, 0.7), shares, 20_000, [(0, 1), (2, 3)])
        evaluation = evaluate_ensemble(of(votes))
        found.append(
            {pair.judges for pair in evaluation.flagged}
            == {("judge 1", "judge 2"), ("judge 3", "judge 4")}
        )
        assert all(pair.residual > 0 and pair.deviations > 4 for pair in evaluation.flagged)
        true = true_shares(truth, votes)
        errors.append(np.abs(shares_of(evaluation) - true).mean())
        plain.append(np.abs(shares_of(evaluate_ensemble(of(votes), robust=False)) - true).mean())
    assert np.mean(found) >= 0.95
    assert np.mean(errors) <= 0.005
    assert np.mean(plain) > 3 * np.mean(errors)


def test_the_order_of_judges_and_labels_does_not_matter():
    rng = np.random.default_rng(4)
    _, votes = simulate(rng, 0.4, rng.uniform(0.6, 0.9, (5, 2)), 2000)
    straight = evaluate_ensemble(of(votes))
    turned = evaluate_ensemble(of(1 - votes[:, ::-1]))
    assert turned.prevalence["1"] == pytest.approx(straight.prevalence["0"], abs=1e-8)
    np.testing.assert_allclose(shares_of(turned), shares_of(straight)[::-1, ::-1], atol=1e-8)


def test_most_judges_are_taken_to_be_better_than_chance():
    rng = np.random.default_rng(4)
    shares = [(0.8, 0.7), (0.9, 0.8), (0.7, 0.7), (0.2, 0.3)]
    truth, votes = simulate(rng, 0.4, shares, 20_000)
    np.testing.assert_allclose(
        shares_of(evaluate_ensemble(of(votes))), true_shares(truth, votes), atol=0.03
    )


def test_constant_silent_and_equal_judges():
    rng = np.random.default_rng(5)
    truth, votes = simulate(rng, 0.4, [(0.8, 0.7), (0.9, 0.8), (0.7, 0.7)], 20_000)
    constant, silent = np.zeros(len(votes), int), np.full(len(votes), -1)
    sketch = of(np.column_stack([votes, constant, silent]), ["x", "y", "z", "same", "none"])
    evaluation = evaluate_ensemble(sketch)
    assert evaluation.accuracy["same"] == {"0": 1.0, "1": 0.0}
    assert evaluation.accuracy["none"] == {"0": None, "1": None}
    assert evaluation.undefined == {"none": "never voted"}
    assert evaluation.interval().accuracy["none"] == {"0": None, "1": None}
    np.testing.assert_allclose(shares_of(evaluation)[:3], true_shares(truth, votes), atol=0.03)
    equal = evaluate_ensemble(of(np.column_stack([truth] * 3)))
    np.testing.assert_allclose(shares_of(equal), 1.0)
    assert equal.prevalence["1"] == pytest.approx(truth.mean())
    assert equal.interval().accuracy["judge 1"]["0"] == pytest.approx((1, 1))


def test_judges_who_contradict_independence_are_named():
    sketch = VoteSketch(["x", "y", "z"], ["0", "1"])  # y and z never err together
    codes = [[0, 0, 0], [1, 1, 1], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 0]]
    sketch.update_codes(codes, [40, 40, 5, 5, 5, 5])
    evaluation = evaluate_ensemble(sketch)
    assert evaluation.clipped == ("x",)
    assert evaluation.accuracy["x"] == {"0": 1.0, "1": 1.0}


def test_masking_leaves_every_judge_in_a_trio():
    pairs = ~np.eye(4, dtype=bool)
    deviations = np.arange(5.0, 21.0).reshape(4, 4)
    masked = _mask(deviations + deviations.T, pairs)
    assert masked[2, 3]  # the worst
    assert has_trio(pairs & ~masked, (0, 1, 2, 3))
    assert not _mask(np.full((3, 3), 9.0), ~np.eye(3, dtype=bool)).any()


def test_votes_that_no_independent_judges_could_cast_still_have_an_answer():
    sketch = VoteSketch(3, ["0", "1"])  # two pairs agree, the third disagrees
    sketch.update_codes([[0, 0, 1], [0, 1, 0], [1, 0, 1], [1, 1, 0], [0, 0, 0]], [30, 9, 9, 30, 5])
    evaluation = evaluate_ensemble(sketch)
    assert all(0 <= share <= 1 for share in evaluation.prevalence.values())
    assert ((shares_of(evaluation) >= 0) & (shares_of(evaluation) <= 1)).all()


def test_a_fit_of_independent_judges_that_is_cut_short_is_near(monkeypatch):
    rng = np.random.default_rng(6)
    _, votes = simulate(rng, 0.5, rng.uniform(0.6, 0.9, (6, 2)), 20_000)
    whole = evaluate_ensemble(of(votes))
    monkeypatch.setattr("askpoint.judges.methods.rank_one._ROUNDS", 1)
    monkeypatch.setattr("askpoint.judges.methods.rank_one._STEPS", 5)
    np.testing.assert_allclose(shares_of(evaluate_ensemble(of(votes))), shares_of(whole), atol=1e-3)


def test_what_cannot_be_evaluated_is_refused():
    two = VoteSketch(["x", "y"], ["0", "1"])
    two.update(["0", "1"])
    with pytest.raises(NotEstimableError, match=r"at least 3 judges .* 2 of 2 did \(x, y\)"):
        evaluate_ensemble(two)
    with pytest.raises(NotEstimableError, match="0 of 3 did"):
        evaluate_ensemble(VoteSketch(3, ["0", "1"]))
    constant = of(np.zeros((9, 3), int))
    with pytest.raises(NotEstimableError, match=r"no three judges vary together"):
        evaluate_ensemble(constant)
    with pytest.raises(InputError, match=r"got 3 \(a, b, c\)"):
        evaluate_ensemble(VoteSketch(3, ["a", "b", "c"]))


@settings(deadline=None, max_examples=60)
@given(st.integers(3, 6), st.integers(0, 2**15 - 1), st.integers(0, 2**32 - 1))
def test_sums_over_trios_without_masked_pairs(n, chosen, seed):
    x = np.random.default_rng(seed).normal(size=(2, n))
    masked = np.zeros((n, n), bool)
    for bit, (i, j) in enumerate(combinations(range(n), 2)):
        masked[i, j] = masked[j, i] = bool(chosen >> bit & 1)
    expected = np.zeros_like(x)
    for i, j, k in combinations(range(n), 3):
        if not (masked[i, j] or masked[i, k] or masked[j, k]):
            for a, b, c in ((i, j, k), (j, i, k), (k, i, j)):
                expected[:, a] += x[:, b] * x[:, c]
    np.testing.assert_allclose(trio_gradient(x, masked), expected, atol=1e-9)


def test_pairs_that_are_known_to_be_related_say_nothing():
    """They are left out of the fit, whatever their covariance."""
    rng = np.random.default_rng(7)
    _, votes = simulate(rng, 0.5, rng.uniform(0.65, 0.9, (6, 2)), 20_000)
    votes[:, 1] = np.where(rng.random(20_000) < 0.7, votes[:, 0], votes[:, 1])
    moments = vote_moments(of(votes).cells())
    related = np.zeros((6, 6), dtype=bool)
    related[0, 1] = related[1, 0] = True
    left_out = fit_rank_one(moments, robust=False, related=related)
    kept = fit_rank_one(moments, robust=False)
    others = np.arange(2, 6)
    independent = fit_rank_one(vote_moments(of(votes[:, others]).cells()), robust=False).factor
    assert (
        np.abs(left_out.factor[others] - independent).max()
        < np.abs(kept.factor[others] - independent).max() / 2
    )
    changed = replace(moments, covariance=np.where(related, 9.0, moments.covariance))
    assert fit_rank_one(changed, robust=False, related=related).factor == pytest.approx(
        left_out.factor
    )


def test_weights_are_found_anew_a_number_of_times_at_most(monkeypatch):
    rng = np.random.default_rng(7)
    _, votes = simulate(rng, 0.5, rng.uniform(0.65, 0.9, (6, 2)), 3000)
    moments, ends = vote_moments(of(votes).cells()), []
    for rounds in (0, 1, 2, 200):
        monkeypatch.setattr("askpoint.judges.methods.rank_one._ROUNDS", rounds)
        ends.append(fit_rank_one(moments).factor)
    away = [np.abs(one - ends[-1]).max() for one in ends]
    assert away[0] > away[1] > away[2]
