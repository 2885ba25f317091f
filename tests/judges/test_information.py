"""Observed information: the curvature of the likelihood, the paper's variances, known truths."""

import csv
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy import special

from askpoint.errors import InputError, NotEstimableError
from askpoint.judges.methods.dawid_skene import evaluate_dawid_skene, fit_labels
from askpoint.judges.methods.ensemble import evaluate_ensemble
from askpoint.judges.methods.information import effective_interval, effective_sizes
from askpoint.judges.sketch.vote_sketch import VoteCells, VoteSketch
from askpoint.measures.intervals import binomial_interval
from judges.simulate import exact_sketch, sample_variances, simulate

PRIOR = 0.1


def posterior_of(prevalence, confusion, votes):
    """Bayes' rule, item by item."""
    joint = np.array(
        [
            [
                prevalence[t] * np.prod([confusion[j, t, x] for j, x in enumerate(row) if x >= 0])
                for t in range(len(prevalence))
            ]
            for row in votes
        ]
    )
    return joint / joint.sum(axis=1, keepdims=True), np.log(joint.sum(axis=1))


def shares(free, n, r):
    """Prevalence and confusion matrices from log odds against the last label."""
    odds = np.append(free.reshape(-1, r - 1), np.zeros((1 + n * r, 1)), axis=1)
    every = special.softmax(odds, axis=1)
    return every[0], every[1:].reshape(n, r, r)


@pytest.mark.no_cover
@pytest.mark.parametrize("r", [2, pytest.param(3, marks=pytest.mark.whole)])
def test_the_variances_are_those_of_the_likelihood_s_curvature(r):
    rng = np.random.default_rng(r)
    n, m = 3, 60
    truth = rng.integers(0, r, m)
    votes = np.where(rng.random((m, n)) < 0.75, truth[:, None], rng.integers(0, r, (m, n)))
    votes[rng.random(votes.shape) < 0.2] = -1
    weights = rng.integers(1, 5, m)
    sketch = VoteSketch(n, list("abc")[:r])
    sketch.update_codes(votes, weights)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("askpoint.judges.methods.dawid_skene._STEPS", 3000)
        patch.setattr("askpoint.judges.methods.dawid_skene._PRECISION", -1.0)
        model = fit_labels(sketch.cells(), r)

    def reached(free):
        prevalence, confusion = shares(free, n, r)
        logged = posterior_of(prevalence, confusion, votes)[1]
        return weights @ logged + PRIOR * np.log(confusion).sum()

    every = np.append(model.prevalence[None], model.confusion.reshape(-1, r), axis=0)
    free = np.log(every[:, :-1] / every[:, -1:]).ravel()
    step = 1e-3 * np.eye(len(free))
    slope = [(reached(free + d) - reached(free - d)) / 2e-3 for d in step]
    assert slope == pytest.approx(np.zeros(len(free)), abs=1e-3)  # at the maximum
    curvature = np.array(
        [
            [
                reached(free + d + e)
                - reached(free + d - e)
                - reached(free - d + e)
                + reached(free - d - e)
                for e in step
            ]
            for d in step
        ]
    ) / (4e-6)

    def asked(at):
        prevalence, confusion = shares(at, n, r)
        return np.append(prevalence, np.diagonal(confusion, axis1=1, axis2=2))

    by_free = np.array([(asked(free + d) - asked(free - d)) / 2e-3 for d in step])
    variance = np.diag(by_free.T @ np.linalg.inv(-curvature) @ by_free)
    of_prevalence, of_accuracy = effective_sizes(
        sketch.cells(), model.prevalence, model.confusion, model.posterior, PRIOR
    )
    found = np.append(of_prevalence, of_accuracy)
    assert found == pytest.approx(asked(free) * (1 - asked(free)) / variance, rel=2e-3)


def test_three_judges_have_the_paper_s_variances():
    # the paper's are of the shares among these items, to which drawing the items comes
    right = np.array([[0.8, 0.7], [0.9, 0.8], [0.7, 0.6]])
    p, n = 0.4, 10_000_000
    tenths = [[Fraction(round(10 * x), 10) for x in row] for row in right.tolist()]
    sketch = exact_sketch(Fraction(2, 5), tenths, n)
    of_prevalence, of_accuracy = sample_variances(p, right)
    cells = sketch.cells()
    confusion = np.stack(
        [[[a, 1 - a], [1 - b, b]] for a, b in right]  # true label, then vote
    )
    start = posterior_of(np.array([p, 1 - p]), confusion, cells.votes)[0]
    model = fit_labels(cells, 2, start)
    sizes, of_judges = effective_sizes(
        cells, model.prevalence, model.confusion, model.posterior, PRIOR
    )
    share = np.diagonal(model.confusion, axis1=1, axis2=2)
    drawn = share * (1 - share) / [p, 1 - p]
    np.testing.assert_allclose(share * (1 - share) / of_judges * n, of_accuracy + drawn, rtol=1e-4)
    whole = of_prevalence + p * (1 - p)
    np.testing.assert_allclose(p * (1 - p) / sizes * n, whole, rtol=1e-4)


def test_of_ten_million_items_steps_end_near_the_maximum_as_intervals_measure_it():
    right = np.array([[0.8, 0.7], [0.9, 0.8], [0.7, 0.6]])
    tenths = [[Fraction(round(10 * x), 10) for x in row] for row in right.tolist()]
    found = evaluate_dawid_skene(exact_sketch(Fraction(2, 5), tenths, 10_000_000))
    for row, planted in zip(found.interval().accuracy.values(), right, strict=True):
        for (lower, upper), share in zip(row.values(), planted, strict=True):
            assert share == pytest.approx((lower + upper) / 2, abs=0.15 * (upper - lower))


def test_a_truth_that_no_votes_tell_is_not_known():
    cells = VoteCells(np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([25, 25, 25, 25]))
    blind = np.full((2, 2, 2), 0.5)
    sizes = effective_sizes(cells, np.array([0.5, 0.5]), blind, np.full((4, 2), 0.5), PRIOR)
    assert effective_interval(0.5, sizes[0][0], 0.95) == pytest.approx((0, 1), abs=0.03)


def test_a_label_that_died_out_is_known_no_better_than_from_all_items():
    cells = VoteCells(np.array([[0, 0, 0]]), np.array([50]))
    model = fit_labels(cells, 2, np.array([[1.0, 0.0]]))
    assert model.prevalence[1] == 0
    sizes, of_judges = effective_sizes(
        cells, model.prevalence, model.confusion, model.posterior, PRIOR
    )
    assert sizes == pytest.approx([50, 50])
    assert of_judges[:, 0] == pytest.approx(50 + 2 * PRIOR)
    assert of_judges[:, 1] == pytest.approx(2 * PRIOR)


def test_whole_sizes_give_clopper_and_pearson_s_interval():
    for right, size in ((0, 12), (3, 12), (12, 12)):
        found = effective_interval(right / size, size, 0.9)
        assert found == pytest.approx(binomial_interval(right, size, level=0.9))
    assert effective_interval(0.996, 100, 0.95).upper == 1
    assert effective_interval(0.004, 100, 0.95).lower == 0


def test_too_many_numbers_are_refused():
    cells = VoteCells(np.zeros((1, 750), dtype=np.int16), np.array([5]))
    model = fit_labels(cells, 2)
    with pytest.raises(NotEstimableError, match="750 judges and 2 labels make 1501 numbers"):
        effective_sizes(cells, model.prevalence, model.confusion, model.posterior, PRIOR)


def test_who_never_voted_has_no_interval_and_who_voted_little_is_named():
    sketch = VoteSketch(["w", "x", "y", "z"], ["a", "b"])
    sketch.update_codes([[0, 0, 0, -1], [1, 1, 1, -1], [1, 1, -1, -1]], [60, 19, 21])
    found = evaluate_dawid_skene(sketch)
    around = found.interval(0.9)
    assert around.accuracy["z"] == {"a": None, "b": None}
    assert around.prevalence["a"] == pytest.approx(binomial_interval(60, 100, level=0.9), abs=0.01)
    lower, upper = around.accuracy["y"]["b"]
    assert (lower, upper) == pytest.approx(binomial_interval(19, 19, level=0.9), abs=0.01)
    assert found.few_votes == ("y",)
    assert found.n_votes["y"] == pytest.approx({"a": 60, "b": 19}, abs=0.1)


def published():
    """Rows of the table in the documentation: coverage of accuracies and prevalence, by setting."""
    tables = Path(__file__).parents[2] / "docs" / "evidence" / "tables"
    with (tables / "judges-latent-intervals.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            judges, items = int(row["judges"]), int(row["items"].replace(",", ""))
            shares = (map(float, row[name].split()) for name in ("accuracies", "prevalence"))
            for p, *held in zip((0.5, 0.2, 0.1), *shares, strict=True):
                yield row["votes"] != "all", judges, items, p, held


def voted_in_turn(votes, rng):
    """Of each item two votes by lot, and a third one where they differ, as campaigns ask for them."""
    kept = np.full_like(votes, -1)
    for row, own in zip(votes, kept, strict=True):
        first, second, third = rng.permutation(len(row))[:3]
        own[[first, second]] = row[[first, second]]
        if row[first] != row[second]:
            own[third] = row[third]
    return kept


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("is_third", "n_judges", "n_items", "p", "n_runs"),
    [
        (False, 3, 100, 0.2, 150),
        pytest.param(False, 8, 500, 0.5, 60, marks=pytest.mark.soak),
        (True, 3, 500, 0.5, 150),
        pytest.param(True, 5, 100, 0.1, 150, marks=pytest.mark.soak),
        pytest.param(True, 8, 100, 0.2, 150, marks=pytest.mark.soak),
        pytest.param(True, 3, 2000, 0.2, 60, marks=pytest.mark.soak),
    ],
)
def test_intervals_hold_the_truth_as_often_as_published(is_third, n_judges, n_items, p, n_runs):
    (expected,) = (row[-1] for row in published() if row[:4] == (is_third, n_judges, n_items, p))
    rng, held = np.random.default_rng(7), []
    for _ in range(n_runs):
        planted = rng.uniform(0.7, 0.95, (n_judges, 2))
        _, votes = simulate(rng, p, planted, n_items)
        sketch = VoteSketch(n_judges, ["a", "b"])
        sketch.update_codes(voted_in_turn(votes, rng) if is_third else votes)
        around = evaluate_dawid_skene(sketch).interval()
        low, high = np.array([[*row.values()] for row in around.accuracy.values()]).T
        lower, upper = around.prevalence["a"]
        held.append([((low <= planted.T) & (high >= planted.T)).mean(), lower <= p <= upper])
    noise = np.std(held, axis=0, ddof=1) / np.sqrt(n_runs)
    assert (np.mean(held, axis=0) > np.array(expected) - 3 * noise - 0.005).all()


@pytest.mark.parametrize("evaluate", [evaluate_dawid_skene, evaluate_ensemble])
def test_the_door_checks_the_level(evaluate):
    sketch = VoteSketch(3, ["a", "b"])
    sketch.update_codes([[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 1, 1]], [40, 9, 8, 7, 30])
    with pytest.raises(InputError, match="level must be strictly between 0 and 1; got 95"):
        evaluate(sketch).interval(95)
