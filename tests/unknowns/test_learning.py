"""Figure 5: what is learned within and across, duplicates apart, and what is not estimable."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier

from askpoint.errors import InputError
from askpoint.unknowns.learning import CaseSet, LearningCurve, learning_curves

NORTH = ["north", "cold", "ice", "snow", "wind"]
SOUTH = ["south", "warm", "sand", "sun", "palm"]
PLAIN = ["people", "go", "see", "city", "road", "house", "week", "bring", "take", "other"]


def texts(words, n, rng):
    """Half of them with a word that tells them."""
    sought = rng.random(n) < 0.5
    return [
        " ".join([*rng.choice(PLAIN, 7), rng.choice(words) if s else "none"]) for s in sought
    ], sought


def sets(n=120, seed=0):
    rng = np.random.default_rng(seed)
    return CaseSet("north", *texts(NORTH, n, rng)), CaseSet("south", *texts(SOUTH, n, rng)), rng


@pytest.mark.no_cover
def test_each_set_is_learned_but_not_from_the_other():
    first, second, rng = sets()
    shared = CaseSet("both", [*first.cases, *second.cases], [*first.positive, *second.positive])
    curves = learning_curves(first, second, rng, sizes=[80], folds=5)
    assert [curve.name for curve in curves] == [
        "north only",
        "south only",
        "north on south",
        "south on north",
    ]
    within, across = [c.points[0].auc for c in curves[:2]], [c.points[0].auc for c in curves[2:]]
    assert min(within) > 0.9
    # "none" is common to both, so that some is learned across even here
    assert max(across) <= min(within)
    alike = learning_curves(
        first, CaseSet("again", shared.cases, shared.positive), rng, sizes=[80], folds=5
    )
    assert alike[2].points[0].auc > 0.6


@pytest.mark.no_cover
@pytest.mark.whole
def test_curves_rise_with_the_training_size():
    first, second, rng = sets(160)
    curve = learning_curves(first, second, rng, folds=5)[0]
    assert [point.size for point in curve.points] == [13, 32, 64, 96, 128]
    assert curve.points[-1].auc > curve.points[0].auc
    assert all(point.n_runs == 5 and point.reason == "" for point in curve.points)


def test_duplicates_are_not_learned_from_and_tested():
    # without grouping a nearest neighbour recalls copies of random labels; with it, it guesses
    rng = np.random.default_rng(3)
    x = np.repeat(rng.normal(size=(60, 3)), 4, axis=0)
    y = np.repeat(rng.random(60) < 0.5, 4)
    copies = np.repeat(np.arange(60), 4)
    one, two = CaseSet("one", x, y), CaseSet("two", x, y)
    model = KNeighborsClassifier(1)
    naive = learning_curves(one, two, rng, model=model, sizes=[190], folds=5)
    grouped = learning_curves(
        one, two, rng, model=model, sizes=[100], folds=5, groups=(copies, copies)
    )
    assert naive[0].points[0].auc > 0.9
    assert naive[2].points[0].auc > 0.8
    assert grouped[0].points[0].auc < 0.65
    # across, all that was learned from is left out of the test
    assert grouped[2].points[0].auc is None or grouped[2].points[0].auc < 0.7


def test_near_duplicate_texts_are_grouped_by_themselves():
    rng = np.random.default_rng(4)
    base = [" ".join(rng.choice(PLAIN, 25)) for _ in range(40)]
    noise = rng.random(40) < 0.5
    cases = [text + ending for text in base for ending in ("", "!", "?", ".")]
    one = CaseSet("one", cases, np.repeat(noise, 4))
    two = CaseSet("two", cases[:80], np.repeat(noise[:20], 4))
    curve = learning_curves(one, two, rng, sizes=[60], folds=5)
    assert curve[0].points[0].auc < 0.75


def test_sparse_features_serve_too():
    rng = np.random.default_rng(5)
    x = rng.normal(size=(60, 3))
    dense = [CaseSet(name, x, x[:, 0] > 0) for name in ("one", "two")]
    sparse = [CaseSet(name, csr_array(x), x[:, 0] > 0) for name in ("one", "two")]
    results = [
        learning_curves(
            *pair, np.random.default_rng(1), model=LogisticRegression(), sizes=[40], folds=5
        )
        for pair in (dense, sparse)
    ]
    for a, b in zip(*results, strict=True):
        assert a.points[0].auc == pytest.approx(b.points[0].auc, abs=0.02)


def test_only_one_class_or_too_few_is_not_estimable():
    first, second, rng = sets(60)
    one_class = CaseSet("errors", first.cases, np.ones(60))
    curves = learning_curves(one_class, second, rng, sizes=[20], folds=5)
    assert [curve.points[0].auc is None for curve in curves] == [True, False, True, True]
    assert (
        "errors has 0 distinct cases of the other class (0 with near-duplicates)"
        in curves[0].points[0].reason
    )
    assert "collect at least 5 of each" in curves[2].points[0].reason
    assert curves[0].points[0].deviation is None
    copies = CaseSet(
        "copies",
        [*first.cases[:40], *["the same old thing"] * 20],
        np.repeat([False, True], [40, 20]),
    )
    curve = learning_curves(copies, second, rng, sizes=[20], folds=5)[0]
    assert (
        "1 distinct cases of the sought class (20 with near-duplicates)" in curve.points[0].reason
    )


def test_sizes_that_a_set_cannot_fill_are_not_estimable():
    first, second, rng = sets(60)
    curves = learning_curves(first, second, rng, sizes=[10, 500], folds=5)
    for curve in curves:
        assert curve.points[0].auc is not None
        assert curve.points[1].auc is None
        assert "too few cases to train on 500" in curve.points[1].reason


def test_runs_without_both_classes_do_not_count():
    rng = np.random.default_rng(6)
    x = rng.normal(size=(100, 1))
    rare = CaseSet("rare", x, np.arange(100) < 5)
    other = CaseSet("other", x, np.arange(100) < 50)
    curve = learning_curves(rare, other, rng, model=LogisticRegression(), sizes=[2], folds=5)[0]
    point = curve.points[0]
    assert point.n_runs < 5
    if not point.n_runs:
        assert "both classes" in point.reason


def test_no_run_with_both_classes_is_said():
    # all that could be tested was learned from
    x = np.arange(20.0).reshape(-1, 1)
    cases = CaseSet("one", x, np.arange(20) % 2 == 0), CaseSet("two", x, np.arange(20) % 2 == 0)
    curves = learning_curves(
        *cases,
        np.random.default_rng(1),
        model=LogisticRegression(),
        sizes=[20],
        folds=2,
        groups=(range(20), range(20)),
    )
    assert "no 20 cases hold both classes in training and test" in curves[2].points[0].reason


def test_bad_input_is_named():
    first, second, rng = sets(20)
    with pytest.raises(InputError, match="at least 2 folds; got 1"):
        learning_curves(first, second, rng, folds=1)
    with pytest.raises(InputError, match="at least 2 cases; got 1"):
        learning_curves(first, second, rng, sizes=[1])
    with pytest.raises(InputError, match="both are called 'north'"):
        learning_curves(first, first, rng)
    with pytest.raises(
        InputError, match="north: cases and labels need one entry each: got 1 and 2"
    ):
        CaseSet("north", ["a"], [True, False])
    with pytest.raises(InputError, match="groups of north and cases"):
        learning_curves(first, second, rng, groups=([1], [1]))
    assert first.n_cases == 20


def test_a_line_is_named_by_where_it_learned_and_where_it_was_tested():
    names = [LearningCurve(*sets, ()).name for sets in (("players", "players"), ("players", "all"))]
    assert names == ["players only", "players on all"]
