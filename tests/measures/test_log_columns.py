"""Which column is what: by its name where it was named, else only where there is no doubt."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings, strategies as st

from askpoint.errors import InputError, LogError, UnknownColumnError
from askpoint.measures.class_spellings import class_codes
from askpoint.measures.log_columns import find_columns, order_classes, second_class

NAMES = st.text("ab_01", min_size=1, max_size=5)


@pytest.mark.parametrize(
    ("names", "proba"),
    [
        (["label", "proba_a", "proba_b"], ("proba_a", "proba_b")),
        (["label", "probability_a", "x", "probability_b"], ("probability_a", "probability_b")),
        (["label", "prob_a", "prob_b", "p_value", "p_adjusted"], ("prob_a", "prob_b")),
        (["label", "p_a", "p_b"], ("p_a", "p_b")),
        (["label", "proba_spam"], ("proba_spam",)),
        (["label", "proba"], ("proba",)),
        (["label", "probability", "p_value", "p_adjusted"], ("probability",)),
        (["label", "prob"], ("prob",)),
    ],
)
def test_usual_names_of_probabilities(names, proba):
    found = find_columns(names)
    assert found.proba == proba
    assert (found.id, found.label, found.prediction, found.confidence) == (
        None,
        "label",
        None,
        None,
    )
    assert found.wanted == ["label", *proba]


@pytest.mark.parametrize(
    ("proba", "found"),
    [
        ("score_", ("score_a", "score_b")),
        ("score_*", ("score_a", "score_b")),
        ("*_b", ("score_b",)),
        ("score_b", ("score_b",)),
        (["score_b", "score_a"], ("score_b", "score_a")),
        (["0", "*_a"], ("0", "score_a")),
        ([0, "score_a"], ("0", "score_a")),
        ("odd*", ("odd*",)),
    ],
)
def test_named_probabilities(proba, found):
    names = ["id", "label", "score_a", "score_b", "0", "odd*", "odd*2"]
    assert find_columns(names, proba=proba).proba == found


def test_ids_groups_models_and_weights():
    names = ["id", "label", "proba", "group", "model", "weight", "propensity"]
    found = find_columns(names)
    assert found.id == "id"
    assert found.wanted == ["id", "label", "proba"]  # others only if they are named
    found = find_columns(names, label=None, group="group", model="model", weight="weight")
    assert found.wanted == ["id", "group", "model", "weight", "proba"]


def test_prediction_and_confidence():
    names = ["label", "prediction", "confidence", "p_value", "p_adjusted", "mine"]
    found = find_columns(names)
    assert (found.prediction, found.confidence, found.proba) == ("prediction", "confidence", ())
    found = find_columns(names, confidence="mine")
    assert (found.prediction, found.confidence) == ("prediction", "mine")
    found = find_columns(["label", "answer", "confidence"], prediction="answer")
    assert (found.prediction, found.confidence) == ("answer", "confidence")


def test_probabilities_beside_predictions():
    names = ["label", "proba_a", "proba_b", "prediction", "confidence", "mine"]
    found = find_columns(names)
    assert (found.prediction, found.confidence) == ("prediction", None)  # to be compared
    found = find_columns(names, proba="proba_")
    assert (found.prediction, found.confidence) == (None, None)  # named alone
    found = find_columns(names, proba="proba_", confidence="mine")
    assert (found.prediction, found.confidence) == (None, "mine")
    found = find_columns(names, prediction="prediction")
    assert (found.proba, found.confidence) == ((), "confidence")
    found = find_columns(["label", "proba_a", "proba_b", "mine"], confidence="mine")
    assert (len(found.proba), found.prediction, found.confidence) == (2, None, "mine")


@pytest.mark.parametrize(
    ("names", "options", "expected"),
    [
        (["lable", "proba"], {}, "the log has no column 'label'; did you mean 'lable'?"),
        (["label", "proba_a"], {"proba": "prba_a"}, "no column 'prba_a'; did you mean 'proba_a'?"),
        (["label", "proba_a"], {"proba": "score_*"}, "the log has no column 'score_*'; it has:"),
        (["label", "proba"], {"group": "grp"}, "the log has no column 'grp'"),
        (["label", "proba"], {"model": "modl"}, "the log has no column 'modl'"),
        (["label", "proba"], {"weight": "w"}, "the log has no column 'w'"),
        (["label", "proba"], {"propensity": "w"}, "the log has no column 'w'"),
        (["label", "prediction"], {}, "the log has no column 'confidence'"),
        (["label", "prediction"], {"prediction": "answer"}, "the log has no column 'answer'"),
    ],
)
def test_unknown_columns(names, options, expected):
    with pytest.raises(UnknownColumnError) as caught:
        find_columns(names, **options)
    assert expected in str(caught.value)


@pytest.mark.parametrize(
    ("names", "options", "expected"),
    [
        (["label", "x"], {}, "or name prediction and confidence; it has: label, x"),
        (["label"] + ["x"] * 30, {}, "x, ..."),
        (["label", "p_value"], {}, "the log has no column of probabilities that goes by a usual"),
        (["label", "mine"], {"confidence": "mine"}, "the log has no column of probabilities"),
        (
            ["label", "proba_a", "proba_b", "prob_a"],
            {},
            "several kinds of probabilities; name proba: proba_a, proba_b or prob_a",
        ),
        (["label", "proba", "proba_a"], {}, "name proba: proba_a or proba"),
        (["label", "p"], {"proba": []}, "proba names no column; give one for each class"),
        (["label", "pa", "pb"], {"proba": ["pa", "p"]}, "proba names the column 'pa' twice"),
        (
            ["label", "proba", "w"],
            {"weight": "w", "propensity": "w"},
            "give weight or propensity, not both",
        ),
        (["proba", "w"], {"label": None, "propensity": "w"}, "a propensity belongs to the labels"),
    ],
)
def test_columns_that_contradict_each_other_or_are_not_there(names, options, expected):
    with pytest.raises(LogError) as caught:
        find_columns(names, **options)
    assert expected in str(caught.value)


@pytest.mark.parametrize(
    ("columns", "seen", "names"),
    [
        (["proba_ham", "proba_spam"], [], ("ham", "spam")),
        (["proba_ham", "proba_hammer"], [], ("ham", "hammer")),
        (["p.class.0", "p.class.1", "p.class.2"], [], ("0", "1", "2")),
        (["ham", "hammer"], [], ("ham", "hammer")),
        (["0", "1"], [], ("0", "1")),
        (["proba_", "proba_b"], [], ("proba_", "proba_b")),
        # the last separator of the common prefix, unless labels say otherwise
        (["proba_new_york", "proba_new_jersey"], [], ("york", "jersey")),
        (["proba_new_york", "proba_new_jersey"], ["new_york"], ("new_york", "new_jersey")),
        (["proba_class_0", "proba_class_1"], ["1.0"], ("0", "1")),
        (["proba_new_york", "proba_new_jersey"], ["boston"], ("york", "jersey")),
    ],
)
def test_classes_are_named_by_their_columns(columns, seen, names):
    assert order_classes(columns, seen, None) == (names, list(range(len(columns))))


@given(
    st.lists(NAMES, min_size=2, max_size=5, unique=True),
    st.sampled_from(["proba_", "p_", "the.score.", "a_"]),
)
@settings(deadline=None, max_examples=300)
def test_all_labels_seen_give_their_classes_back(classes, prefix):
    assume(all(class_codes([a], [b]) == [None] for a in classes for b in classes if a != b))
    columns = [prefix + name for name in classes]
    assert order_classes(columns, classes, None)[0] == tuple(classes)


@given(st.permutations(["ham", "spam", "eggs"]))
@settings(deadline=None)
def test_named_classes_put_the_columns_in_order(classes):
    columns = ["proba_ham", "proba_spam", "proba_eggs"]
    names, order = order_classes(columns, [], classes)
    assert names == tuple(classes)
    assert [columns[i] for i in order] == [f"proba_{name}" for name in classes]


def test_other_names_rename_the_columns_in_their_order():
    assert order_classes(["p_0", "p_1"], [], ["no", "yes"]) == (("no", "yes"), [0, 1])
    assert order_classes(["p_0", "p_1"], [], [1, 0]) == (("1", "0"), [1, 0])
    assert order_classes(["p_new_a", "p_new_b"], [], ["new_b", "new_a"]) == (
        ("new_b", "new_a"),
        [1, 0],
    )


@pytest.mark.parametrize(
    ("columns", "classes", "expected"),
    [
        (
            ["p_a", "p_b"],
            ["a", "b", "c"],
            "3 classes are named, but there are 2 columns of probabilities: p_a, p_b",
        ),
        (
            ["p_ham", "p_spam"],
            ["ham", "spma"],
            "is named for the class 'spma'; the columns are for: ham, spam",
        ),
        (["p_a", "p_b"], ["a"], "at least two classes; got 1 ('a')"),
        (["p_a", "p_b"], ["a", "a"], "the class 'a' is named twice"),
    ],
)
def test_classes_that_do_not_match_the_columns(columns, classes, expected):
    with pytest.raises(InputError) as caught:
        order_classes(columns, [], classes)
    assert expected in str(caught.value)


@pytest.mark.parametrize(
    ("column", "prefix", "seen", "classes", "expected"),
    [
        ("proba", None, ["0", "1"], None, (("0", "1"), 1)),
        ("proba", None, ["ham", "spam"], None, (("ham", "spam"), 1)),
        ("proba_spam", "proba_", ["ham", "spam"], None, (("ham", "spam"), 1)),
        ("proba_ham", "proba_", ["ham", "spam"], None, (("spam", "ham"), 1)),
        ("proba_spam", "proba_", ["ham"], None, (("ham", "spam"), 1)),
        ("proba_spam", "proba", ["ham"], None, (("ham", "spam"), 1)),
        ("proba_toxic", "proba_", ["0", "1"], None, (("0", "1"), 1)),
        ("proba_1", "proba_", ["false", "true"], None, (("false", "true"), 1)),
        ("score_not_spam", None, ["not_spam", "spam"], None, (("spam", "not_spam"), 1)),
        ("p_not_spam", "p_", ["not_spam", "spam"], None, (("spam", "not_spam"), 1)),
        ("proba", None, [], ["no", "yes"], (("no", "yes"), 1)),
        ("proba_spam", "proba_", [], ["spam", "ham"], (("spam", "ham"), 0)),
        ("proba_spam", "proba_", ["spam"], ["ham", "spam"], (("ham", "spam"), 1)),
        ("proba", None, ["0"], [0, 1], (("0", "1"), 1)),
    ],
)
def test_a_single_column(column, prefix, seen, classes, expected):
    assert second_class(column, prefix, seen, classes) == expected


@pytest.mark.parametrize(
    ("column", "prefix", "seen", "classes", "expected"),
    [
        ("proba", None, [], None, "needs two classes, but 0 occur; name classes, first the other"),
        ("proba", None, ["ham"], None, "needs two classes, but 1 occur: ham; name classes"),
        ("proba_spam", "proba_", ["spam"], None, "'proba_spam' needs two classes, but 1 occur: s"),
        ("proba", None, ["a", "b", "c"], None, "needs two classes, but 3 occur: a, b, c; name"),
        ("proba", None, [], ["a", "b", "c"], "needs two classes, but 3 are named: a, b, c"),
    ],
)
def test_a_single_column_without_two_classes(column, prefix, seen, classes, expected):
    with pytest.raises(LogError) as caught:
        second_class(column, prefix, seen, classes)
    assert expected in str(caught.value)
