"""Parts of the paper of 2012: intervals, folds, the Bayesian network, neighbours, outcomes."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, strategies as st

from askpoint.errors import InputError
from askpoint.papers.data_files import Data
from askpoint.papers.interactive.bayes_net import BayesNet
from askpoint.papers.interactive.discretisation import cut_points, discretise
from askpoint.papers.interactive.mean_tables import _why_random
from askpoint.papers.interactive.neighbours import neighbour_posteriors
from askpoint.papers.interactive.nominal_sets import SETS, folds, nominal_set
from askpoint.papers.interactive.set_means import of_sets
from askpoint.papers.interactive.stand_ins import CLASSIFIERS, stand_in_posteriors
from askpoint.papers.interactive.ways_to_ask import BETAS, RHOS, fold_outcomes

TABLE_1 = """
adult 45222 14 2, australian 690 14 2, breast 682 10 2, car 1728 6 4, chess 3196 36 2, cleve 296 13 2,
corral 128 6 2, crx 653 15 2, diabetes 768 8 2, DNA-nominal 3186 60 3, flare 1066 10 2, german 1000 20 2,
glass2 163 9 2, glass 214 9 7, heart 270 13 2, hepatitis 80 19 2, iris 150 4 3, letter 20000 16 26,
lymphography 148 18 4, mofn-3-7-10 1324 10 2, mushroom 8124 22 2, nursery 12960 8 5, pima 768 8 2,
satimage 6435 36 6, segment 2310 19 7, shuttle-small 5800 9 7, soybean-large 562 35 19, splice 3190 60 3,
vehicle 846 18 4, vote 435 16 2, waveform-21 5000 21 3
"""


def test_the_sets_are_those_of_table_1(data):
    """But for one row of breast, and classes that no complete row has (glass, soybean-large)."""
    differ = {}
    for name, line in zip(SETS, TABLE_1.strip().split(","), strict=True):
        title, *printed = line.split()
        assert title == name
        if name == "adult":  # takes as long as all others
            continue
        found = nominal_set(Data(str(data)), name)
        here = (len(found.y), len(found.n_values), found.n_classes)
        if here != tuple(map(int, printed)):
            differ[name] = here
    assert differ == {"breast": (683, 10, 2), "glass": (214, 9, 6), "soybean-large": (562, 35, 15)}


def entropy(counts):
    n = sum(counts)
    return -sum(c / n * math.log2(c / n) for c in counts if c)


def cuts_by_hand(pairs):
    """Fayyad and Irani, read off their paper: pairs of value and class, sorted."""
    classes = sorted({label for _, label in pairs})

    def counts(part):
        return [sum(label == c for _, label in part) for c in classes]

    n, best = len(pairs), None
    for i in range(1, n):
        if pairs[i - 1][0] == pairs[i][0]:
            continue
        parts = counts(pairs[:i]), counts(pairs[i:])
        e = sum(sum(part) * entropy(part) for part in parts) / n
        if best is None or e < best[0] - 1e-12:
            best = (e, i, parts)
    if best is None:
        return []
    e, i, parts = best
    k, k_parts = len(classes), [sum(c > 0 for c in part) for part in parts]
    whole = counts(pairs)
    delta = math.log2(3**k - 2) - (
        k * entropy(whole)
        - sum(k_part * entropy(part) for k_part, part in zip(k_parts, parts, strict=True))
    )
    if entropy(whole) - e <= (math.log2(n - 1) + delta) / n:
        return []
    cut = (pairs[i - 1][0] + pairs[i][0]) / 2
    return [*cuts_by_hand(pairs[:i]), cut, *cuts_by_hand(pairs[i:])]


@given(st.integers(0, 10**6))
def test_cuts_pay_for_their_description(seed):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 12, size=60).astype(float)
    y = (x + rng.normal(size=60) * rng.choice([0.1, 1, 4]) > 5).astype(int) + (x > 9)
    pairs = sorted(zip(x.tolist(), y.tolist(), strict=True))
    assert cut_points(x, y).tolist() == cuts_by_hand(pairs)


def test_iris_is_cut_where_weka_cuts_it(data):
    """As Weka's manual and many a tutorial show it."""
    frame = Data(str(data)).frame("iris")
    y = nominal_set(Data(str(data)), "iris").y
    found = [cut_points(frame.to_series(i).to_numpy(), y).tolist() for i in range(4)]
    known = [[5.55, 6.15], [2.95, 3.35], [2.45, 4.75], [0.8, 1.75]]
    assert [pytest.approx(cuts) for cuts in known] == found
    length = frame.to_series(2).to_numpy()
    assert discretise(length, y).tolist() == [int(x > 2.45) + int(x > 4.75) for x in length]


def test_folds_need_rows_and_spread_classes():
    y = np.repeat([0, 1], [50, 7])
    found = folds(y, "toy", 0)
    assert sorted(np.bincount(found).tolist()) == [11, 11, 11, 12, 12]
    assert all(10 <= (y[found == fold] == 0).sum() <= 10 for fold in range(5))
    assert (folds(y, "toy", 1) != found).any()
    for y in (np.arange(3), np.repeat(np.arange(4), 3)):
        with pytest.raises(InputError, match=r"toy has .* folds need at least 5 of one class"):
            folds(y, "toy", 0)


def score_by_hand(table, node, parents, sizes):
    """BDeu of Heckerman, Geiger and Chickering, equation by equation."""
    q, r = math.prod(sizes[p] for p in parents), sizes[node]
    total = 0.0
    for held in itertools.product(*(range(sizes[p]) for p in parents)):
        rows = table[(table[:, list(parents)] == held).all(axis=1)] if parents else table
        total += math.lgamma(1 / q) - math.lgamma(1 / q + len(rows))
        for value in range(r):
            n = int((rows[:, node] == value).sum())
            total += math.lgamma(1 / (q * r) + n) - math.lgamma(1 / (q * r))
    return total


def test_no_arc_would_raise_the_networks_score():
    rng = np.random.default_rng(5)
    sizes = (2, 3, 2, 2)
    a, c = rng.integers(0, 2, 300), rng.integers(0, 2, 300)
    b = np.where(rng.random(300) < 0.8, a, 2)
    table = np.column_stack([a, b, c, a ^ c ^ (rng.random(300) < 0.05)])
    net = BayesNet(table, sizes)

    def total(parents):
        return sum(score_by_hand(table, node, sorted(of), sizes) for node, of in enumerate(parents))

    def acyclic(parents):
        left = set(range(4))
        while free := {node for node in left if not parents[node] & left}:
            left -= free
        return not left

    assert acyclic(net.parents)
    assert any(net.parents)
    best = total(net.parents)
    for tail, head in itertools.permutations(range(4), 2):
        for change in ("toggle", "reverse"):
            changed = [set(of) for of in net.parents]
            if change == "toggle":
                changed[head] ^= {tail}
            elif tail in changed[head]:
                changed[head] -= {tail}
                changed[tail] |= {head}
            if acyclic(changed):
                assert total(changed) <= best + 1e-9
    assert all(
        net._score(node, of) == pytest.approx(score_by_hand(table, node, sorted(of), sizes))
        for node, of in enumerate(net.parents)
    )


def test_a_networks_posterior_is_its_joint_probability_normalised():
    rng = np.random.default_rng(6)
    sizes = (2, 3, 2)
    y = rng.integers(0, 2, 80)
    table = np.column_stack([y ^ (rng.random(80) < 0.2), y + (rng.random(80) < 0.3), y])
    net = BayesNet(table, sizes)
    for codes in itertools.product(range(2), range(3)):
        joint = []
        for label in (0, 1):
            case = (*codes, label)
            p = 1.0
            for node, of in enumerate(net.parents):
                rows = table[[all(row[i] == case[i] for i in of) for row in table]]
                p *= ((rows[:, node] == case[node]).sum() + 0.5) / (len(rows) + 0.5 * sizes[node])
            joint.append(p)
        assert net.posteriors(np.array([codes]))[0] == pytest.approx(np.array(joint) / sum(joint))


@given(st.integers(0, 10**6))
def test_all_that_tie_for_the_third_place_vote(seed):
    rng = np.random.default_rng(seed)
    codes, cases = rng.integers(0, 3, (12, 3)), rng.integers(0, 3, (5, 3))
    y = rng.choice([0, 2, 3], 12)
    found = neighbour_posteriors(codes, y, 4, cases)
    for case, shares in zip(cases, found, strict=True):
        distance = (codes != case).sum(axis=1)
        near = distance <= np.sort(distance)[2]
        votes = np.bincount(y[near], minlength=4) + 1 / 12
        assert shares == pytest.approx(votes / votes.sum())


def test_every_stand_in_gives_probabilities_for_all_classes(data):
    """Also for a class that no training row has."""
    prepared = nominal_set(Data(str(data)), "lymphography")
    train, test = np.flatnonzero(prepared.y != 3), np.flatnonzero(prepared.y == 3)
    for classifier in CLASSIFIERS:
        for p in stand_in_posteriors(classifier, prepared, train, test, np.random.default_rng(0)):
            assert p.shape[1] == 4
            assert p.sum(axis=1) == pytest.approx(1)
            assert (p >= 0).all()


@pytest.mark.parametrize("name", ["lymphography", "heart"])
def test_logistic_regression_goes_on_until_shares_are_met(name, data):
    """Score equations: among the rows with a value, mean probabilities are the classes' shares."""
    prepared = nominal_set(Data(str(data)), name)
    rows = np.arange(len(prepared.y))
    p, _ = stand_in_posteriors("LOG", prepared, rows, rows[:1], np.random.default_rng(0))
    apart = p - np.eye(prepared.n_classes)[prepared.y]
    for column in prepared.codes.T:
        for value in np.unique(column):
            assert apart[column == value].sum(axis=0) == pytest.approx(0, abs=1e-4)


@pytest.fixture(scope="module")
def judged():
    """Posteriors with many ties, and what became of them."""
    rng = np.random.default_rng(2)
    p = rng.integers(1, 5, (260, 3)) / 1.0
    p /= p.sum(axis=1, keepdims=True)
    truth = np.array([rng.choice(3, p=row) for row in p])
    table = pl.DataFrame(
        {"truth": truth, "is_test": np.arange(260) >= 200, "posterior": p.tolist()}
    )
    return p, truth, pl.DataFrame(fold_outcomes(table, rng))


def score(emic, parameter, right, wrong, asked):
    n = right + wrong + asked
    if emic == "EP":
        return (right + (1 - parameter) * asked) / n
    return (1 + parameter**2) * right / ((1 + parameter**2) * n - asked)


def test_thresholds_are_the_best_on_their_rows(judged):
    """Brute force over all thresholds, by the largest probability; ties ask more."""
    p, truth, rows = judged
    phi, right = p.max(axis=1), p.argmax(axis=1) == truth
    test = np.arange(260) >= 200

    def counts(rows, threshold):
        answered = phi[rows] >= threshold
        good = int((right[rows] & answered).sum())
        return good, int(answered.sum()) - good, int((~answered).sum())

    for emic, parameters in (("F", BETAS), ("EP", RHOS)):
        for parameter in parameters:
            for threshold, chosen_on in (("optimistic", test), ("realistic", ~test)):
                at = {t: counts(chosen_on, t) for t in (*np.unique(phi), np.inf)}
                best = max(score(emic, parameter, *of) for of in at.values())
                t = max(t for t, of in at.items() if score(emic, parameter, *of) >= best - 1e-12)
                line = rows.row(
                    by_predicate=(pl.col("emic") == emic)
                    & (pl.col("parameter") == parameter)
                    & (pl.col("threshold") == threshold)
                    & (pl.col("confidence") == "max_probability"),
                    named=True,
                )
                found = line["right"], line["wrong"], line["asked"]
                if threshold == "optimistic":
                    assert score(emic, parameter, *found) == pytest.approx(best)
                else:
                    assert found == counts(test, t)


def test_every_test_row_is_counted_once(judged):
    _, _, rows = judged
    assert set(rows["right"] + rows["wrong"] + rows["asked"]) == {60}
    assert rows.height == 1 + 5 * 19 * 2 + 19


def test_random_asking_takes_the_end_that_is_better_on_training_rows(judged):
    """Expected EP is linear in the share, so the accuracy beside 1 - rho decides."""
    p, truth, rows = judged
    accuracy = (p.argmax(axis=1) == truth)[:200].mean()
    chance = rows.filter((pl.col("threshold") == "random") & (pl.col("emic") == "EP"))
    for line in chance.iter_rows(named=True):
        if abs(accuracy - (1 - line["parameter"])) > 0.15:
            assert line["asked"] == (3 if accuracy > 1 - line["parameter"] else 57)


def test_random_asking_by_f_takes_the_least_share(judged):
    """Expected F falls with the share asked, whatever the accuracy; table 10 says so, table 11 speaks of EP."""
    _, _, rows = judged
    chance = rows.filter(threshold="random", emic="F")
    for line in chance.iter_rows(named=True):
        if line["parameter"] >= 0.5:  # ten draws may take 10% for 5%
            assert line["asked"] in (3, 6)
    for weight in (Fraction(101, 100), Fraction(5, 4), Fraction(2)):
        kept = [(1 - s) / (weight - s) for s in (Fraction(i, 20) for i in range(20))]
        assert kept == sorted(kept, reverse=True)
    by_f, by_ep = (_why_random((emic,), whole=True) for emic in ("F", "EP"))
    assert "F under random asking falls" in by_f
    assert "EP" not in by_f
    assert "linear" in by_ep


def test_means_of_folds_are_told():
    line = {"by": "x", "data": "toy", "classifier": "NB", "threshold": "realistic"}
    rows = pl.DataFrame(
        [
            {**line, "emic": "EP", "parameter": 0.2, "confidence": "margin", "right": r, "wrong": w, "asked": a}
            for r, w, a in ((6, 2, 2), (5, 0, 5))
        ]
    )  # fmt: skip
    found = of_sets(rows).row(0, named=True)
    assert found["score"] == pytest.approx((0.76 + 0.9) / 2)
    assert found["asked"] == pytest.approx(0.35)


def test_the_two_directions_of_a_first_arc_tie():
    """BDeu is score equivalent: exactly alike, whatever the counts; the arc goes into the class."""
    rng = np.random.default_rng(5)
    for sizes in ((2, 2), (3, 2), (4, 5)):
        first = rng.integers(0, sizes[0], 200)
        table = np.column_stack([first, np.minimum(first, sizes[1] - 1)])
        scores = [
            score_by_hand(table, 0, list(into_0), sizes)
            + score_by_hand(table, 1, list(into_1), sizes)
            for into_0, into_1 in ((set(), {0}), ({1}, set()))
        ]
        assert scores[0] == pytest.approx(scores[1], abs=1e-9)
        assert BayesNet(table, sizes).parents == [frozenset(), frozenset({0})]


def test_arcs_into_the_class_learn_three_of_seven(data):
    """mofn-3-7-10: the class counts bits, which only a class with parents can say."""
    prepared = nominal_set(Data(str(data)), "mofn-3-7-10")
    fold = folds(prepared.y, "mofn-3-7-10", 0)
    for number in range(5):
        train, test = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
        table = np.column_stack([prepared.codes[train], prepared.y[train]])
        net = BayesNet(table, (*prepared.n_values, prepared.n_classes))
        found = net.posteriors(prepared.codes[test]).argmax(axis=1)
        assert (found == prepared.y[test]).all()
