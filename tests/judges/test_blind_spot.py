"""The blind spot that all judges share: an identity, and the band that follows."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given, strategies as st

from askpoint.errors import InputError
from askpoint.judges.checks.blind_spot import blind_spot_band, blind_spot_of_correlation
from askpoint.judges.methods import information
from askpoint.judges.methods.dawid_skene import evaluate_dawid_skene
from askpoint.judges.sketch.vote_sketch import VoteSketch

GRID = 20
shares = st.integers(1, GRID - 1).map(lambda n: Fraction(n, GRID))


def law(prevalence, on_label, on_rest, share=Fraction(0), rest_share=Fraction(0)):
    """Probability of each vote pattern; hidden items look to all judges like the other label."""

    def of(accuracies, votes, says):
        return prod(a if vote == says else 1 - a for a, vote in zip(accuracies, votes, strict=True))

    found = {}
    for votes in product((0, 1), repeat=len(on_label)):
        like_label, like_rest = of(on_label, votes, 1), of(on_rest, votes, 0)
        found[votes] = prevalence * ((1 - share) * like_label + share * like_rest) + (
            1 - prevalence
        ) * ((1 - rest_share) * like_rest + rest_share * like_label)
    return found


@pytest.mark.no_cover
@given(
    shares,
    st.lists(st.tuples(shares, shares), min_size=3, max_size=5),
    st.integers(0, 9).map(lambda n: Fraction(n, GRID)),
    st.integers(0, 9).map(lambda n: Fraction(n, GRID)),
)
def test_votes_with_a_blind_spot_are_votes_without_one(prevalence, judges, share, rest_share):
    """Exactly, in fractions: no statistic of votes, of any number of judges, can tell."""
    on_label, on_rest = zip(*judges, strict=True)
    seen = prevalence * (1 - share) + (1 - prevalence) * rest_share
    hidden = law(prevalence, on_label, on_rest, share, rest_share)
    assert hidden == law(seen, on_label, on_rest)


@given(
    shares,
    st.lists(st.tuples(shares, shares), min_size=3, max_size=5),
    st.integers(0, 9).map(lambda n: Fraction(n, GRID)),
    st.integers(0, 9).map(lambda n: Fraction(n, GRID)),
)
def test_true_accuracies_are_those_of_the_formula(prevalence, judges, share, rest_share):
    """P_i1 = (1 - h_1) P*_i1 + h_1 (1 - P*_i0), by counting items."""
    for starred, other in judges:
        right = (1 - share) * starred + share * (1 - other)
        hidden = {**law(Fraction(1), [starred], [other], share, rest_share)}
        assert hidden[(1,)] == right


def sketch(counts, judges=3):
    votes = VoteSketch(judges, ["fail", "pass"])
    patterns = list(product((0, 1), repeat=judges))
    votes.update_codes(patterns, counts)
    return votes


def planted(share, rest_share, accuracies=(0.9, 0.85, 0.8), prevalence=0.6, n=10_000_000):
    """Votes of very many items under a blind spot, so that sampling plays no part."""
    found = law(prevalence, accuracies, accuracies, share, rest_share)
    return sketch([round(n * found[votes]) for votes in product((0, 1), repeat=len(accuracies))])


@pytest.mark.parametrize("share", [0.0, 0.05, 0.1])
def test_the_band_holds_the_truth_up_to_its_share(share):
    accuracies, prevalence = (0.9, 0.85, 0.8), 0.6
    for hidden, rest in product((0.0, share), repeat=2):
        evaluation = evaluate_dawid_skene(planted(hidden, rest))
        band = blind_spot_band(evaluation, share=share)
        low, high = band.prevalence["pass"]
        assert low <= prevalence <= high
        for judge, accuracy in zip(evaluation.judges, accuracies, strict=True):
            truth = (1 - hidden) * accuracy + hidden * (1 - accuracy)
            low, high = band.accuracy[judge]["pass"]
            assert low <= truth <= high


def test_beyond_its_share_the_truth_lies_outside():
    band = blind_spot_band(evaluate_dawid_skene(planted(0.1, 0.0)), share=0.02)
    assert band.prevalence["pass"].upper < 0.6
    assert band.correlation is None


def test_a_correlation_names_its_share():
    """The share found gives back the correlation, counted on the items of the label."""
    starred, g = np.array([0.9, 0.85, 0.8]), 0.2
    h = blind_spot_of_correlation(starred, starred, g)
    right = (1 - h) * starred + h * (1 - starred)
    covariance = scale = 0.0
    for i, j in product(range(3), repeat=2):
        if i != j:
            both = (1 - h) * starred[i] * starred[j] + h * (1 - starred[i]) * (1 - starred[j])
            covariance += both - right[i] * right[j]
            scale += np.sqrt(right[i] * (1 - right[i]) * right[j] * (1 - right[j]))
    assert covariance / scale == pytest.approx(g, abs=1e-3)
    assert h == pytest.approx(0.04, abs=0.03)


def test_good_judges_of_the_specification():
    """At accuracies .9 a correlation of .32 is a blind spot of 7%; weak judges reach the cap."""
    good, weak = np.full(5, 0.9), np.full(5, 0.6)
    assert blind_spot_of_correlation(good, good, 0.32) == pytest.approx(0.07, abs=0.005)
    assert blind_spot_of_correlation(weak, weak, 0.32) == 0.3


def test_more_correlation_gives_a_wider_band_around_a_narrower():
    evaluation = evaluate_dawid_skene(planted(0.0, 0.0, n=2000))
    none, some, more = (blind_spot_band(evaluation, correlation=g) for g in (0.0, 0.32, 0.5))
    own = evaluation.interval()
    for label in evaluation.labels:
        assert none.prevalence[label] == pytest.approx(own.prevalence[label])
        assert more.prevalence[label].lower <= some.prevalence[label].lower
        assert some.prevalence[label].lower < none.prevalence[label].lower
        assert none.prevalence[label].upper < some.prevalence[label].upper
    assert some.correlation == 0.32
    assert set(some.share) == {"fail", "pass"}


def test_three_labels_are_set_against_the_rest_one_by_one():
    rng = np.random.default_rng(0)
    truth = rng.choice(3, 3000, p=[0.5, 0.3, 0.2])
    wrong = rng.random((3000, 4)) < 0.15
    votes = np.where(wrong, (truth[:, None] + rng.integers(1, 3, (3000, 4))) % 3, truth[:, None])
    table = VoteSketch(4, ["a", "b", "c"])
    table.update_codes(votes)
    band = blind_spot_band(evaluate_dawid_skene(table))
    for place, label in enumerate("abc"):
        assert band.prevalence[label].lower < np.mean(truth == place) < band.prevalence[label].upper


def test_a_label_that_nobody_gives_has_a_band_too():
    votes = VoteSketch(3, ["a", "b", "c"])
    votes.update_codes([[0, 0, 0], [0, 0, 1], [1, 1, 1]], [50, 10, 40])
    low, high = blind_spot_band(evaluate_dawid_skene(votes)).prevalence["c"]
    assert 0 <= low <= high <= 1
    only = VoteSketch(3, ["a", "b"])
    only.update_codes([[0, 0, 0]], [50])
    low, high = blind_spot_band(evaluate_dawid_skene(only)).prevalence["a"]
    assert low < 1 <= high


def test_judges_who_never_voted_have_no_band():
    votes = VoteSketch(4, ["fail", "pass"])
    votes.update_codes([[0, 0, 0, -1], [1, 1, 1, -1], [0, 1, 1, -1]], [40, 50, 10])
    assert "judge 4" not in blind_spot_band(evaluate_dawid_skene(votes)).accuracy


def test_a_crowd_too_large_for_its_own_intervals_has_binomial_ones(monkeypatch):
    evaluation = evaluate_dawid_skene(planted(0.0, 0.0, n=2000))
    with_own = blind_spot_band(evaluation)
    monkeypatch.setattr(information, "_MOST", 2)
    without = blind_spot_band(evaluation)
    assert without.share == with_own.share
    narrower = without.prevalence["pass"]
    assert with_own.prevalence["pass"].lower < narrower.lower < narrower.upper


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"correlation": 1.0}, "correlation must be between 0 and 1; got 1.0"),
        ({"correlation": -0.1}, "correlation must be"),
        ({"share": 0.5}, "between 0 and .45; got 0.5"),
        ({"share": -0.1}, "share of a blind spot"),
    ],
)
def test_numbers_out_of_range_are_refused(settings, words):
    with pytest.raises(InputError, match=words):
        blind_spot_band(evaluate_dawid_skene(planted(0, 0, n=1000)), **settings)
