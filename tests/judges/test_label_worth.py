"""What judges are worth in labels: against the closed form without votes, and planted good and bad judges."""

from __future__ import annotations

import numpy as np
import pytest

from askpoint.errors import InputError
from askpoint.judges.gold import fewest_judges, label_worth
from askpoint.judges.gold.evaluation import evaluate_labelled
from askpoint.judges.gold.fewest_judges import choose_fewest
from askpoint.judges.gold.gold_sketch import GoldSketch
from askpoint.judges.gold.label_worth import measure_panel, measure_worth
from askpoint.judges.gold.labelled_patterns import label_patterns
from askpoint.judges.gold.residual_totals import totals_of
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.measures.intervals import binomial_interval


def panel(accuracies, seed=0, n=2000, n_gold=200):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    right = rng.random((n, len(accuracies))) < accuracies
    votes = np.where(right, truth[:, None], 1 - truth[:, None])
    names = [f"j{i}" for i in range(len(accuracies))]
    sketch, gold = VoteSketch(names, ["fail", "pass"]), GoldSketch(names, ["fail", "pass"])
    sketch.update_codes(votes)
    drawn = rng.choice(n, n_gold, replace=False)
    gold.update_codes(votes[drawn], truth[drawn])
    return label_patterns(sketch, gold)


@pytest.mark.parametrize("seed", range(4))
def test_judges_who_know_nothing_are_worth_nothing(seed):
    found = measure_worth(panel([0.5, 0.5, 0.5], seed), "pass")
    assert found.n_gold == 200
    assert 1 <= found.factor < 1.12
    assert found.interval.lower == pytest.approx(200)  # nobody is worth less than nothing
    losses = [loss for loss in found.judges.values() if loss is not None]
    assert bool(losses) == found.uses_votes
    assert all(abs(loss.labels) < 0.15 * 200 for loss in losses)


@pytest.mark.parametrize("seed", range(4))
def test_the_only_good_judge_is_worth_most(seed):
    found = measure_worth(panel([0.93, 0.55, 0.55], seed), "pass")
    assert found.factor > 1.8  # 1 / (1 - r^2) with r = .86 is 3.8
    losses = {judge: loss.labels for judge, loss in found.judges.items()}
    assert losses["j0"] > 100 > max(abs(losses["j1"]), abs(losses["j2"]))
    assert losses["j0"] == max(losses.values())


def test_a_factor_follows_from_the_correlation_of_one_judge():
    """A regression on one judge leaves 1 - r^2 of the variance, so labels count 1 / (1 - r^2) times."""
    accuracy = 0.85
    found = np.mean([measure_worth(panel([accuracy], s), "pass").factor for s in range(8)])
    correlation = 2 * accuracy - 1
    plain = 1 / (1 - correlation**2)
    # of 2,000 items 200 are labelled: what is left of the finite population
    finite = 1 / ((1 / 200 - 1 / 2000) * (1 / plain) + 1 / 2000) / 200
    assert found == pytest.approx(finite, rel=0.15)


def test_one_judge_has_no_others_and_too_many_are_not_measured(monkeypatch):
    assert measure_worth(panel([0.8]), "pass").judges == {"j0": None}
    many = panel([0.8] * 5, n=500, n_gold=60)
    assert None not in measure_worth(many, "pass").judges.values()
    monkeypatch.setattr(label_worth, "_MOST_WORK", many.cells.votes.size)
    assert set(measure_worth(many, "pass").judges.values()) == {None}
    assert choose_fewest(many, "pass", measure_worth(many, "pass")) is None


def test_a_label_that_is_none_is_refused():
    with pytest.raises(InputError, match="label must be one of fail, pass; got 'x'"):
        measure_worth(panel([0.8, 0.7]), "x")


@pytest.mark.no_cover
@pytest.mark.whole
def test_intervals_hold_the_mean_worth():
    """The mean over many samples is what a panel is worth at that number of labels."""
    found = [measure_worth(panel([0.8, 0.8, 0.8, 0.7], s), "pass") for s in range(40)]
    mean = np.mean([one.n_plain for one in found])
    held = [one.interval.lower <= mean <= one.interval.upper for one in found]
    assert np.mean(held) >= 0.85
    for judge in ("j0", "j3"):
        rows = [one.judges[judge] for one in found]
        mean = np.mean([row.labels for row in rows])
        held = [row.interval.lower <= mean <= row.interval.upper for row in rows]
        assert np.mean(held) >= 0.85


def test_where_votes_tell_less_than_labels_alone_they_are_not_used():
    """A panel that tosses coins: the plain mean and its interval, as if there were no votes."""
    alone = 0
    for seed in range(6):
        patterns = panel([0.5, 0.5, 0.5], seed, n=1000, n_gold=60)
        found = measure_worth(patterns, "pass")
        if found.uses_votes:
            continue
        alone += 1
        assert found.factor == 1
        assert found.n_plain == 60
        known = evaluate_labelled(totals_of(patterns.as_drawn("at random")))
        positives = patterns.labelled[:, 1].sum()
        assert known.prevalence["pass"] == pytest.approx(positives / 60)
        plain = binomial_interval(int(positives), 60)
        width = known.interval().prevalence["pass"]
        assert width.upper - width.lower < 1.05 * (plain.upper - plain.lower)
    assert alone


def test_the_fewest_judges_tell_as_much_as_all():
    patterns = panel([0.93, 0.9, 0.55, 0.55, 0.52])
    worth = measure_worth(patterns, "pass")
    found = choose_fewest(patterns, "pass", worth)
    assert set(found.judges) == {"j0", "j1"}
    assert found.n_plain == measure_panel(patterns, "pass", found.judges, 0.95).n_plain
    assert found.n_plain >= worth.n_plain - 0.05 * 200
    for judge in found.judges:
        rest = [other for other in found.judges if other != judge]
        assert measure_panel(patterns, "pass", rest, 0.95).n_plain < worth.n_plain - 0.05 * 200


def test_of_judges_who_bring_nothing_none_is_kept():
    patterns = panel([0.5, 0.5, 0.5], 1)
    found = choose_fewest(patterns, "pass", measure_worth(patterns, "pass"))
    assert found.judges == ()
    assert found.n_plain == 200


def test_where_all_are_needed_all_are_kept():
    patterns = panel([0.8, 0.8], n=4000, n_gold=1500)
    found = choose_fewest(patterns, "pass", measure_worth(patterns, "pass"))
    assert set(found.judges) == {"j0", "j1"}
    assert found.is_sure


def test_of_many_judges_who_are_all_needed_no_few_are_named(monkeypatch):
    monkeypatch.setattr(fewest_judges, "_FEW", 3)
    monkeypatch.setattr(fewest_judges, "_ROUNDS", 2)
    patterns = panel([0.8] * 4, n=2000, n_gold=700)
    worth = measure_worth(patterns, "pass")
    assert worth.factor > 1.5
    assert choose_fewest(patterns, "pass", worth) is None


def test_of_several_labels_each_has_its_worth():
    """Judges who tell a from the rest, and nothing between b and c."""
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 3, 1500)
    coin = rng.integers(1, 3, (1500, 3))
    said = np.where((rng.random((1500, 3)) < 0.95), truth[:, None] == 0, truth[:, None] != 0)
    votes = np.where(said, 0, coin)
    sketch, gold = VoteSketch(3, list("abc")), GoldSketch(3, list("abc"))
    sketch.update_codes(votes)
    gold.update_codes(votes[:200], truth[:200])
    patterns = label_patterns(sketch, gold)
    found = measure_worth(patterns, "b")
    assert found.by_label["b"] == found.n_plain
    assert found.by_label["a"] == measure_worth(patterns, "a").n_plain > 2 * found.by_label["b"]
    assert measure_worth(panel([0.8]), "pass").by_label == {}
