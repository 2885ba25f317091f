"""Retraining with what was found: islands are learned, outliers are kept in bounds."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from askpoint.errors import InputError
from askpoint.unknowns.learning import text_model
from askpoint.unknowns.retraining import BoostedModel, retrain, weigh_findings


def world(seed=0, n=300):
    """Two classes parted at 0 on one axis; an island on the other, where it is turned round."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 2))
    x[:, 1] /= 4
    island = rng.normal([2, 8], 0.3, size=(40, 2))
    return x, x[:, 0] > 0, island, np.zeros(40, dtype=bool), rng


@pytest.mark.parametrize("method", ["plain", "capped", "boosted"])
def test_an_island_is_learned(method):
    x, y, island, wanted, rng = world()
    model = DecisionTreeClassifier(max_depth=3, random_state=0).fit(x, y)
    assert model.predict(island).mean() == 1
    better = retrain(model, x, y, island[:20], wanted[:20], rng, method=method)
    assert better.predict(island[20:]).mean() < 0.2
    assert (better.predict(x) == y).mean() > 0.95
    assert model.predict(island).mean() == 1  # the model that was given is not changed


def test_plain_is_a_fit_on_all_cases_once():
    x, y, island, wanted, rng = world()
    plain = retrain(LogisticRegression(), x, y, island, wanted, rng)
    by_hand = LogisticRegression().fit(np.vstack([x, island]), np.r_[y, wanted])
    assert plain.coef_ == pytest.approx(by_hand.coef_)
    one_round = retrain(LogisticRegression(), x, y, island, wanted, rng, method="boosted", rounds=1)
    assert one_round.predict_proba(x) == pytest.approx(by_hand.predict_proba(x))


def test_the_cap_bounds_what_outliers_can_break():
    # found cases that are simply wrong: ten outliers without a pattern
    x, y, _, _, rng = world()
    outliers, labels = x[:10], ~y[:10]
    severe = np.full(10, 1000)

    def broken(**limits):
        model = retrain(
            KNeighborsClassifier(15),
            x,
            y,
            outliers,
            labels,
            rng,
            method="capped",
            severities=severe,
            **limits,
        )
        return (model.predict(x) != y).mean()

    assert broken() < 0.1
    assert broken(cap=40, share=0.9) > 2 * broken()


def test_weights_follow_severity_within_both_limits():
    assert weigh_findings([0, 250, 1000], 10_000, cap=9).tolist() == [1, 3, 9]
    together = weigh_findings([1000] * 50, 100, share=0.5)
    assert together.sum() == pytest.approx(100)
    assert len(set(together)) == 1
    assert weigh_findings([], 10).tolist() == []


@pytest.mark.no_cover
def test_copies_count_like_weights_on_average():
    x, y, island, wanted, rng = world()

    class Counting(LogisticRegression):
        sizes: list = []  # noqa: RUF012

        def fit(self, cases, labels):
            self.sizes.append(len(cases) - 300)
            return super().fit(cases, labels)

    for _ in range(200):
        retrain(
            Counting(),
            x,
            y,
            island[:3],
            wanted[:3],
            rng,
            method="capped",
            severities=[0, 100, 1000],
        )
    assert np.mean(Counting.sizes) == pytest.approx(1 + 1.4 + 5, abs=0.15)


def test_texts_are_retrained_too():
    texts = ["good people", "nice city", "bad words", "ugly words"] * 10
    labels = ["ham", "ham", "spam", "spam"] * 10
    found, truth = ["vile northerners", "vile ice"], ["spam", "spam"]
    rng = np.random.default_rng(1)
    for method in ("plain", "capped", "boosted"):
        better = retrain(text_model(), texts, labels, found, truth, rng, method=method)
        assert better.predict(["vile people"]).tolist() == ["spam"], method
        assert better.classes_.tolist() == ["ham", "spam"]


def test_boosting_looks_at_what_was_got_wrong():
    rng = np.random.default_rng(2)
    x = rng.uniform(-1, 1, size=(400, 2))
    y = x[:, 0] * x[:, 1] > 0  # a stump cannot tell
    stump = DecisionTreeClassifier(max_depth=2, random_state=0)
    weak = (stump.fit(x, y).predict(x) == y).mean()
    committee = retrain(stump, x[:350], y[:350], x[350:], y[350:], rng, method="boosted", rounds=30)
    assert (committee.predict(x) == y).mean() > weak + 0.1
    assert committee.predict_proba(x).sum(axis=1) == pytest.approx(np.ones(400))


def test_boosting_stops_when_nothing_is_wrong_or_nothing_is_learned():
    x, y, island, wanted, rng = world()
    perfect = retrain(KNeighborsClassifier(1), x, y, island, wanted, rng, method="boosted")
    assert len(perfect.members) == 1
    # labels by chance: from some round on members are no better than guessing
    noise = rng.random(300) < 0.5
    guess = retrain(
        DecisionTreeClassifier(max_depth=1),
        x,
        noise,
        island,
        wanted,
        rng,
        method="boosted",
        rounds=60,
    )
    assert 1 <= len(guess.members) < 60
    # a class of one case, always told right, is missing from some round's sample: that ends it
    far = np.vstack([x[:50], [[100.0, 0.0]]])
    labels = np.r_[np.where(noise[:50], "a", "b"), ["c"]]
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    few = retrain(tree, far, labels, far[:1], labels[:1], rng, method="boosted", rounds=60)
    assert isinstance(few, BoostedModel)
    assert len(few.members) < 20


def test_bad_input_is_named():
    x, y, island, wanted, rng = world()
    model = LogisticRegression()
    with pytest.raises(InputError, match="method must be one of plain, capped, boosted"):
        retrain(model, x, y, island, wanted, rng, method="magic")
    with pytest.raises(InputError, match="at least one round; got 0"):
        retrain(model, x, y, island, wanted, rng, rounds=0)
    with pytest.raises(
        InputError, match="cases and labels must have one entry per item: got 300 and 299"
    ):
        retrain(model, x, y[1:], island, wanted, rng)
    with pytest.raises(InputError, match="found cases and labels"):
        retrain(model, x, y, island, wanted[1:], rng)
    with pytest.raises(InputError, match="severities and found cases"):
        retrain(model, x, y, island, wanted, rng, method="capped", severities=[1])
    with pytest.raises(InputError, match="rows of the same features"):
        retrain(model, x, y, ["text"] * 40, wanted, rng)
    with pytest.raises(InputError, match="between 0 and 1000"):
        weigh_findings([1001], 10)
    for limits in ({"cap": 0.5}, {"share": 0}, {"share": 1}):
        with pytest.raises(InputError, match="cap must be at least 1"):
            weigh_findings([1], 10, **limits)
