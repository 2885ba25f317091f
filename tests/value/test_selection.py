"""Whether labels stand where the model was unsure."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from askpoint.errors import InputError
from askpoint.value.selection import (
    LabelDependence,
    depends_on_confidence_alone,
    label_selection,
    selection_from_counts,
)


def test_all_labelled():
    assert label_selection(np.array([0.5, 0.9]), np.array([True, True])) is None


def test_labels_where_the_model_was_unsure(rng):
    confidence = rng.random(2000)
    labelled = rng.random(2000) < 1 - confidence
    found = label_selection(confidence, labelled)
    oracle = stats.ks_2samp(confidence[labelled], confidence[~labelled], method="asymp")
    assert found.is_selective
    assert found.distance == pytest.approx(oracle.statistic, abs=1e-12)
    assert found.p_value == pytest.approx(0, abs=1e-30)
    assert oracle.pvalue == pytest.approx(0, abs=1e-30)
    assert (found.labelled, found.unlabelled) == (labelled.sum(), (~labelled).sum())
    assert found.shares == pytest.approx(np.linspace(0.95, 0.05, 10), abs=0.1)


def test_chance_is_that_of_scipy(rng):
    for _ in range(20):
        confidence, labelled = rng.integers(0, 50, 3000) / 50, rng.random(3000) < 0.4
        found = label_selection(confidence, labelled)
        oracle = stats.ks_2samp(confidence[labelled], confidence[~labelled], method="asymp")
        assert found.distance == pytest.approx(oracle.statistic, abs=1e-12)
        assert found.p_value == pytest.approx(oracle.pvalue, abs=0.02)


def test_labels_of_the_middle_are_named_where_they_are_and_not_by_the_ends():
    confidence = np.linspace(0.5, 1, 1000)
    labelled = (np.arange(1000) % 10 == 0) | ((np.arange(1000) >= 500) & (np.arange(1000) < 600))
    labelled[200:300] = np.arange(100) % 50 == 0
    told = label_selection(confidence, labelled).extremes
    assert "in part 3 of 10, from the least sure to the surest, 2.0% have a label" in told
    assert told.endswith("in part 6 100.0%")


def test_labels_at_random_are_rarely_called_selective(rng):
    calls = [
        label_selection(rng.random(300), rng.random(300) < 0.3).is_selective for _ in range(500)
    ]
    assert np.mean(calls) < 0.01


def test_a_handful_of_labels_proves_nothing(rng):
    assert not label_selection(np.array([0.6, 0.7, 0.8, 0.9]), np.arange(4) < 3).is_selective
    calls = [
        label_selection(rng.random(n), rng.permutation(n) < n // 2).is_selective
        for n in range(2, 12)
        for _ in range(40)
    ]
    assert not any(calls)
    found = label_selection(np.linspace(0.5, 1, 40), np.arange(40) < 20)
    assert found.is_selective
    exact = 2 / math.comb(40, 20)  # of all ways to choose 20 of 40, two part them so
    assert exact < found.p_value < 1e-6


def test_a_sure_but_small_difference_moves_no_verdict(rng):
    confidence = rng.random(100_000)
    labelled = rng.random(100_000) < 0.5 + 0.05 * (confidence - 0.5)
    found = label_selection(confidence, labelled)
    assert found.p_value < 1e-3
    assert not found.is_selective


def test_shares_by_definition_and_fewer_of_them_where_confidences_are_tied(rng):
    confidence = np.repeat([0.6, 0.7, 0.9], [10, 70, 20])
    labelled = np.concatenate([[True] * 5 + [False] * 5, [True] * 70, [False] * 20])
    order = rng.permutation(100)
    found = label_selection(confidence[order], labelled[order])
    assert found.shares.tolist() == [0.5, 1.0, 0.0]
    assert label_selection(np.ones(4), np.arange(4) < 1).shares.tolist() == [0.25]


@pytest.mark.parametrize(
    ("distance", "p_value", "selective"),
    [(0.05, 1e-4, True), (0.049, 1e-4, False), (0.5, 1e-3, False)],
)
def test_both_chance_and_size_count(distance, p_value, selective):
    assert LabelDependence(1, 1, distance, p_value, np.ones(1)).is_selective is selective


@pytest.mark.parametrize(
    ("confidence", "labelled", "message"),
    [
        ([0.5, 0.6], [False, False], "no case is labelled"),
        ([0.5, 0.6], [True], "one entry per item: got 2 and 1"),
    ],
)
def test_bad_input(confidence, labelled, message):
    with pytest.raises(InputError, match=message):
        label_selection(np.array(confidence), np.array(labelled))


# ------------------------------------------------------------------ weights put to the test


def looked_at_where_unsure(rng, n=1000):
    """Confidences, who has a label, and the true chance of that."""
    confidence = rng.random(n)
    chance = np.where(confidence < 0.5, 0.9, 0.2)
    return confidence, rng.random(n) < chance, chance


def test_true_propensities_are_rarely_doubted(rng):
    doubts = 0
    for _ in range(300):
        confidence, labelled, chance = looked_at_where_unsure(rng)
        assert label_selection(confidence, labelled).is_selective
        doubts += label_selection(confidence, labelled, weight=1 / chance[labelled]).is_selective
    assert doubts <= 3


def test_weights_that_explain_nothing_are_found_out(rng):
    confidence, labelled, chance = looked_at_where_unsure(rng)
    for wrong in (np.ones(labelled.sum()), chance[labelled]):
        assert label_selection(confidence, labelled, weight=wrong).is_selective
    never = labelled & (confidence < 0.5)  # where nobody looked, no weight helps
    assert label_selection(confidence, never, weight=1 / chance[never]).is_selective


def test_the_weighted_distance_by_definition(rng):
    confidence = rng.integers(0, 8, 60) / 8  # ties
    labelled = rng.random(60) < 0.5
    weight, mass = rng.uniform(1, 3, labelled.sum()), rng.uniform(1, 2, 60)
    for counts in (None, mass):
        whole = np.ones(60) if counts is None else counts
        gaps = [
            abs(
                weight[confidence[labelled] <= c].sum() / weight.sum()
                - whole[confidence <= c].sum() / whole.sum()
            )
            for c in confidence
        ]
        found = label_selection(confidence, labelled, weight=weight, mass=counts)
        assert found.distance == pytest.approx(max(gaps), abs=1e-12)
        n = weight.sum() ** 2 / (weight**2).sum()
        assert found.p_value == pytest.approx(stats.kstwobign.sf(max(gaps) * np.sqrt(n)))


def test_a_weight_for_each_labelled_case():
    with pytest.raises(InputError, match=r"labelled cases and weights.* got 2 and 1"):
        label_selection(np.ones(3), np.array([True, True, False]), weight=np.ones(1))


@pytest.mark.parametrize("seed", range(4))
def test_counts_say_what_the_cases_say(seed):
    rng = np.random.default_rng(seed)
    confidence = rng.choice(np.linspace(0.5, 1, 40), 900)
    labelled = rng.random(900) < [0.5, 0.2 + 0.6 * confidence][seed % 2]
    exact = label_selection(confidence, labelled)
    values, place = np.unique(confidence, return_inverse=True)
    counted = selection_from_counts(
        values,
        np.bincount(place[labelled], minlength=40),
        np.bincount(place[~labelled], minlength=40),
    )
    assert counted.distance == pytest.approx(exact.distance, abs=1e-12)
    assert counted.p_value == pytest.approx(exact.p_value, rel=1e-9)
    assert (counted.labelled, counted.unlabelled) == (exact.labelled, exact.unlabelled)
    assert counted.shares.tolist() == exact.shares.tolist()


def test_counts_without_unlabelled_cases():
    assert selection_from_counts(np.array([0.5]), np.array([3]), np.array([0])) is None


def test_copies_of_one_case_are_one_label():
    rng = np.random.default_rng(3)
    false_alarms = {True: 0, False: 0}
    for _ in range(60):
        single, cluster = rng.random(150), np.repeat(np.arange(150), 6)
        labelled = np.isin(cluster, rng.permutation(150)[:40])
        confidence = np.repeat(single, 6)
        for named in false_alarms:
            found = label_selection(confidence, labelled, cluster=cluster if named else None)
            false_alarms[named] += found.is_selective
    assert false_alarms[True] == 0
    assert false_alarms[False] > 10
    asked = np.isin(cluster, np.argsort(single)[:40])
    assert label_selection(confidence, asked, cluster=cluster).is_selective


def test_copies_have_the_chance_of_the_cases_that_they_copy(rng):
    single, labelled = rng.random(300), rng.random(300) < 0.3
    once = label_selection(single, labelled)
    copied = label_selection(
        np.repeat(single, 4), np.repeat(labelled, 4), cluster=np.repeat(np.arange(300), 4)
    )
    assert copied.p_value == pytest.approx(once.p_value)
    assert copied.distance == pytest.approx(once.distance)
    weight = 1 + rng.random(labelled.sum())
    weighted = label_selection(single, labelled, weight=weight)
    copied = label_selection(
        np.repeat(single, 4),
        np.repeat(labelled, 4),
        weight=np.repeat(weight, 4),
        cluster=np.repeat(np.arange(300), 4),
    )
    assert copied.p_value == pytest.approx(weighted.p_value)


@pytest.mark.parametrize(
    "chance",
    [
        lambda c: 0.02 + 0.5 * (1 - c) ** 3,
        lambda c: np.where(c < 0.7, 1.0, 0.05),
        lambda c: np.round(0.1 + 0.5 * np.exp(-50 * (c - 0.6) ** 2), 3),
        lambda c: np.full(len(c), 0.2),
    ],
)
def test_chances_by_confidence_are_recognised(chance, rng):
    confidence = rng.random(400) / 2 + 0.5
    assert depends_on_confidence_alone(confidence, chance(confidence))
    tied = np.round(confidence, 1)
    assert depends_on_confidence_alone(tied, chance(tied))


def test_chances_that_depend_on_more_are_told_apart(rng):
    confidence = rng.random(400) / 2 + 0.5
    for share in (0.005, 0.05, 0.5):
        island = rng.permutation(400) < max(share * 400, 1)
        assert not depends_on_confidence_alone(confidence, np.where(island, 0.02, 0.5))
        both = np.where(island, 0.02, 1) * (0.1 + (1 - confidence))
        assert not depends_on_confidence_alone(confidence, both)
    tied = np.full(400, 0.8)
    assert not depends_on_confidence_alone(tied, rng.choice([0.1, 0.2], 400))
    assert not depends_on_confidence_alone(confidence[:9], np.full(9, 0.3))  # too few to tell


@pytest.mark.parametrize("selective", [False, True])
def test_by_permutations_copies_of_one_case_are_one(selective):
    """Whichever of its copies stands for a cluster, the chance is that of the single cases."""
    rng = np.random.default_rng(11)
    single = rng.random(120)
    chance = 0.15 + 0.6 * (1 - single) if selective else np.full(120, 0.3)
    labelled = rng.random(120) < chance
    once = label_selection(single, labelled, rng=np.random.default_rng(1)).p_random
    cluster = np.repeat(np.arange(120), 4)
    copies = np.repeat(single, 4), np.repeat(labelled, 4)
    copied = label_selection(*copies, cluster=cluster, rng=np.random.default_rng(2)).p_random
    alone = label_selection(*copies, rng=np.random.default_rng(2)).p_random
    assert copied == pytest.approx(once, abs=0.02 + 0.1 * once)
    assert alone < once  # four labels for each, as if these were cases
    assert (copied < 0.01) == selective


def test_counts_are_permuted_as_cases_are():
    rng = np.random.default_rng(5)
    confidence = rng.choice(np.linspace(0.5, 1, 40), 300)
    labelled = rng.random(300) < 0.2 + 0.6 * (1 - confidence)
    values, place = np.unique(confidence, return_inverse=True)
    counts = [np.bincount(place[one], minlength=len(values)) for one in (labelled, ~labelled)]
    counted = selection_from_counts(values, *counts, rng=np.random.default_rng(1))
    exact = label_selection(confidence, labelled, rng=np.random.default_rng(2))
    assert counted.p_random == pytest.approx(exact.p_random, abs=0.02 + 0.1 * exact.p_random)
    assert 0.02 < exact.p_random < 0.5  # neither sure nor nothing
    assert selection_from_counts(values, *counts).p_random is None
