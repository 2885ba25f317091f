"""One reader of logs: the same arrays from every kind of source, and a plain line for bad ones."""

from __future__ import annotations

import csv

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from askpoint.errors import InputError, LogError, UnknownColumnError
from askpoint.records.logs import read_log
from cast import require

SLOW = settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def assert_same(one, other):
    """Every array of two logs is the same, number by number."""
    assert one.classes == other.classes
    for name in ("prediction", "labelled", "label", "ids"):
        assert getattr(one, name).tolist() == getattr(other, name).tolist(), name
    for name in ("proba", "confidence", "weight", "propensity"):
        mine, yours = getattr(one, name), getattr(other, name)
        assert (mine is None) == (yours is None), name
        assert mine is None or np.array_equal(mine, yours), name
    for name in ("group", "model"):
        mine, yours = getattr(one, name), getattr(other, name)
        assert (mine is None) == (yours is None), name
        assert mine is None or mine.names == yours.names, name
        assert mine is None or mine.codes.tolist() == yours.codes.tolist(), name
    assert one.digest() == other.digest()


@st.composite
def tables(draw):
    """A table of plain Python values as a log may hold them, and how to read it."""
    classes = draw(
        st.sampled_from([["ham", "spam"], ["0", "1", "2"], ["NA", "null", "b c"], ["é", "ß"]])
    )
    n = draw(st.integers(1, 8))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    ids = draw(st.sampled_from([[f"case {i}" for i in range(n)], list(range(5, n + 5))]))
    labels = draw(st.lists(st.none() | st.sampled_from(classes), min_size=n, max_size=n))
    labels[draw(st.integers(0, n - 1))] = classes[0]
    table = {"id": ids, "label": labels}
    options = {}
    if draw(st.booleans()):
        proba = rng.dirichlet(np.ones(len(classes)), n)
        table |= {f"proba_{name}": proba[:, j].tolist() for j, name in enumerate(classes)}
    else:
        table["prediction"] = [classes[i] for i in rng.integers(0, len(classes), n)]
        table["confidence"] = rng.normal(size=n).tolist()
        options["classes"] = classes
    if draw(st.booleans()):
        table["site"] = draw(st.lists(st.none() | st.sampled_from("xy"), min_size=n, max_size=n))
        options["group"] = "site"
    table["release"] = [str(i % 2) + "a" for i in range(n)]
    if draw(st.booleans()):
        options["model"] = "release"
    if draw(st.booleans()):
        table["w"] = (rng.random(n) + 0.01).tolist()
        options["weight" if draw(st.booleans()) else "propensity"] = "w"
        table["w"] = np.minimum(table["w"], 1).tolist()
    return table, options


def written(table, folder):
    """The table at rest in every kind of file, by several writers."""
    frame = pl.DataFrame(table)
    frame.write_parquet(folder / "polars.parquet")
    frame.write_csv(folder / "polars.csv")
    frame.write_ndjson(folder / "polars.jsonl")
    pq.write_table(pa.table(table), folder / "arrow.parquet")
    pandas = pd.DataFrame(table)
    pandas.to_parquet(folder / "pandas.parquet")
    pandas.to_csv(folder / "pandas.csv.gz", index=False)
    with open(folder / "quoted.csv", "w", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL)
        writer.writerow(table)
        writer.writerows(zip(*table.values(), strict=True))
    return list(folder.iterdir())


@given(tables())
@SLOW
def test_all_kinds_of_sources_hold_the_same_log(tmp_path_factory, case):
    table, options = case
    log = read_log(pl.DataFrame(table), **options)
    folder = tmp_path_factory.mktemp("logs")
    sources = [
        *written(table, folder),
        pl.LazyFrame(table),
        pa.table(table),
        pd.DataFrame(table),
        pd.DataFrame(table).convert_dtypes(),
    ]
    for source in sources:
        assert_same(read_log(source, **options), log)
    # pandas writes 15 digits only: the fingerprint, of float32, is the same
    path = folder / "pandas.ndjson.gz"
    pd.DataFrame(table).to_json(path, orient="records", lines=True, double_precision=15)
    assert read_log(path, **options).digest() == log.digest()


@given(tables(), st.randoms(use_true_random=False))
@SLOW
def test_rows_and_columns_in_another_order(case, random):
    table, options = case
    log = read_log(pl.DataFrame(table), **options)
    order = list(range(log.n_items))
    random.shuffle(order)
    columns = list(table)
    random.shuffle(columns)
    shuffled = pl.DataFrame(table).select(columns)[order]
    expected = log.take(np.array(order))
    assert_same(read_log(shuffled, **{"classes": log.classes} | options), expected)


@given(tables())
@SLOW
def test_arrays_hold_what_the_rows_say(case):
    table, options = case
    log = read_log(pl.DataFrame(table), **options)
    labels = [x for x in table["label"] if x is not None]
    assert [log.classes[code] for code in log.label] == labels
    assert log.labelled.tolist() == [x is not None for x in table["label"]]
    assert log.ids.tolist() == table["id"]
    if "prediction" in table:
        answers = table["prediction"]
        assert log.confidence.tolist() == table["confidence"]
    else:
        rows = zip(*(table[f"proba_{name}"] for name in log.classes), strict=True)
        answers = [log.classes[row.index(max(row))] for row in rows]
    assert [log.classes[code] for code in log.prediction] == answers
    right = [a == b for a, b in zip(answers, table["label"], strict=True) if b is not None]
    assert log.right.tolist() == right


def fitted(load):
    X, y = load(return_X_y=True)
    names = load().target_names
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X[::2], names[y[::2]])
    return model, X[1::2], names[y[1::2]]


@pytest.mark.parametrize("load", [load_breast_cancer, load_wine])
def test_what_people_save_of_predict_proba(load, tmp_path):
    model, X, y = fitted(load)
    proba, names = model.predict_proba(X), [str(name) for name in model.classes_]
    accuracy = accuracy_score(y, model.predict(X))

    def check(log):
        assert log.right.mean() == accuracy
        assert [log.classes[code] for code in log.label] == y.tolist()
        np.testing.assert_allclose(log.proba[:, np.argsort(log.classes)], proba, atol=2e-7)

    wide = pd.DataFrame(proba, columns=model.classes_)
    check(read_log(wide.assign(label=y), proba=names))
    check(read_log(wide.add_prefix("proba_").assign(label=y)))
    check(read_log(wide.add_prefix("P.").astype("float32").assign(label=y), proba="P."))
    check(read_log(pd.DataFrame(proba).assign(label=y), proba=range(len(names)), classes=names))
    check(read_log(wide.add_prefix("p_").assign(label=y, prediction=model.predict(X))))
    if len(names) == 2:
        check(read_log(pd.DataFrame({"label": y, "proba": proba[:, 1]})))
        check(read_log(pd.DataFrame({"label": y, f"proba_{names[0]}": proba[:, 0]})))
        check(read_log(pd.DataFrame({"label": y, "score": proba[:, 1]}), proba="score"))
    wide.add_prefix("proba_").assign(label=y).to_csv(tmp_path / "log.csv")  # with the index
    check(read_log(tmp_path / "log.csv"))


@pytest.mark.parametrize(
    "labels",
    [
        [1, 0, None, 1],
        [1.0, 0.0, float("nan"), 1.0],
        ["1", "0", None, "1"],
        ["1.0", "0.0", "", "1.0"],
        [True, False, None, True],
        ["True", "False", None, "True"],
    ],
    ids=["integers", "floats", "texts", "texts of floats", "booleans", "texts of booleans"],
)
@pytest.mark.parametrize("columns", [("proba_0", "proba_1"), ("p_False", "p_True"), (0.0, 1.0)])
def test_labels_are_compared_as_text(labels, columns):
    frame = pd.DataFrame([[0.2, 0.8], [0.7, 0.3], [0.5, 0.5], [0.6, 0.4]], columns=list(columns))
    frame["label"] = labels
    for source in (frame, pl.from_pandas(frame.rename(columns=str))):
        log = read_log(source, proba=["0.0", "1.0"] if columns[0] == 0 else None)
        assert log.label.tolist() == [1, 0, 1]
        assert log.right.tolist() == [True, True, False]


def test_classes_without_names_are_those_that_occur():
    frame = pl.DataFrame(
        {"label": ["True", None], "proba": [0.5, 0.75], "prediction": [False, True]}
    )
    assert read_log(frame).classes == ("false", "true")
    log = read_log(frame, prediction="prediction", confidence="proba")
    assert (log.classes, log.proba) == (("false", "true"), None)
    log = read_log(frame, prediction="prediction", confidence="proba", classes=[True, False, None])
    assert log.classes == ("True", "False", "None")
    assert (log.label.tolist(), log.prediction.tolist()) == ([0], [1, 0])


def test_the_first_of_equally_probable_classes_is_the_answer():
    frame = pl.DataFrame({"label": ["b"], "p_a": [0.4], "p_b": [0.4], "p_c": [0.2]})
    assert read_log(frame).prediction.tolist() == [0]
    # a log that says otherwise is believed: both are most probable
    assert read_log(frame.with_columns(prediction=pl.lit("b"))).prediction.tolist() == [1]


def test_a_single_column_for_the_first_of_the_classes():
    frame = pl.DataFrame({"label": ["spam", "ham"], "proba_spam": [0.75, 0.25]})
    for classes in (["spam", "ham"], ["ham", "spam"]):
        log = read_log(frame, classes=classes)
        assert log.classes == tuple(classes)
        assert log.proba[:, classes.index("spam")].tolist() == [0.75, 0.25]
        assert log.right.all()


def test_single_precision_is_kept():
    frame = pl.DataFrame({"label": ["a"], "p_a": [0.25], "p_b": [0.75], "c": [0.5]})
    frame = frame.with_columns(pl.col("p_a", "p_b", "c").cast(pl.Float32))
    log = read_log(frame, proba="p_", confidence="c", weight="c")
    assert log.proba.dtype == log.confidence.dtype == log.weight.dtype == np.float32


def test_a_judge_log_of_json_lines(tmp_path):
    path = tmp_path / "judge.jsonl"
    path.write_text(
        '{"item": 7, "verdict": "safe", "sureness": 85, "truth": null}\n'
        '{"item": 8, "verdict": "unsafe", "sureness": 60, "truth": "safe"}\n'
        '{"item": 9, "verdict": "safe", "sureness": 99.5, "truth": "safe"}\n'
    )
    log = read_log(path, label="truth", prediction="verdict", confidence="sureness")
    assert log.classes == ("safe", "unsafe")
    assert log.right.tolist() == [False, True]
    assert log.confidence.tolist() == [85, 60, 99.5]
    assert log.ids.tolist() == [0, 1, 2]


def test_models_in_long_form():
    frame = pl.DataFrame(
        {
            "id": [1, 2, 1, 2],
            "judge": ["x", "x", "y", "y"],
            "label": ["a", "b", "a", "b"],
            "proba_a": [0.9, 0.8, 0.4, 0.1],
            "proba_b": [0.1, 0.2, 0.6, 0.9],
        }
    )
    log = read_log(frame, model="judge")
    found = {name: (part.ids.tolist(), part.right.tolist()) for name, part in log.by_model()}
    assert found == {"x": ([1, 2], [True, False]), "y": ([1, 2], [False, True])}


def test_a_confidence_beside_probabilities():
    frame = pl.DataFrame({
        "label": ["a", "b"], "proba_a": [0.9, 0.2], "proba_b": [0.1, 0.8], "second": [0.3, 7.0],
    })  # fmt: skip
    log = read_log(frame, confidence="second")
    assert (log.prediction.tolist(), log.confidence.tolist()) == ([0, 1], [0.3, 7])


def test_labels_may_be_unwanted():
    frame = pl.DataFrame({"label": ["?", "?"], "proba_a": [0.9, 0.2], "proba_b": [0.1, 0.8]})
    log = read_log(frame, label=None)
    assert (log.n_items, log.n_labelled, log.right.tolist()) == (2, 0, [])
    assert log.digest() == read_log(frame.drop("label"), label=None).digest()


def test_propensities_are_of_labelled_rows_only():
    frame = pl.DataFrame({"label": ["a", None, "b"], "proba": [0.1, 0.2, 0.9], "q": [0.5, None, 1]})
    assert read_log(frame, propensity="q").propensity.tolist() == [0.5, 1]


GOOD = {
    "id": [1, 2, 3],
    "label": ["ham", "spam", None],
    "proba_ham": [0.9, 0.2, 0.5],
    "proba_spam": [0.1, 0.8, 0.5],
}
ANSWERS = {"label": ["ham", "spam"], "prediction": ["ham", "ham"], "confidence": [0.7, 0.6]}
SINGLE = {"label": ["ham", "spam", None], "proba": [0.1, 0.8, 0.5]}


@pytest.mark.parametrize(
    ("table", "changes", "options", "kind", "expected"),
    [
        (GOOD, {}, {"label": "lable"}, UnknownColumnError,
         "the log has no column 'lable'; did you mean 'label'? It has: id, label, proba_ham"),
        (GOOD, {"label": None}, {}, LogError,
         "no row has a label: the column 'label' is empty; label some rows"),
        (GOOD, {"label": ["", None, ""]}, {}, LogError, "no row has a label: the column 'label'"),
        (GOOD, {"label": ["ham", "spma", None]}, {}, LogError,
         "'spma' in row 1, which is not among the classes 'ham', 'spam' (1 of 2 rows are stran"),
        (GOOD, {"label": [None, 1, 0]}, {}, LogError, "the column 'label' says '1' in row 1, which"),
        (ANSWERS, {"prediction": ["ham", "eggs"]}, {"classes": ["ham", "spam"]}, LogError,
         "the column 'prediction' says 'eggs' in row 1, which is not among the classes 'ham', "),
        (ANSWERS, {"label": ["x", "ham"]}, {"classes": range(12)}, LogError, "'9', ... (2 of 2 ro"),
        (GOOD, {"proba_ham": [0.9, -0.2, 0.5]}, {}, InputError,
         "probabilities must be between 0 and 1; got -0.2 in row 1; normalise scores before"),
        (SINGLE, {"proba": [1.5, 0.5, 0.5]}, {}, InputError,
         "probabilities must be between 0 and 1; got 1.5 in row 0"),
        (GOOD, {"proba_ham": [0.9, 0.2, 0.4]}, {}, InputError,
         "the probabilities of a row must sum to 1: row 2 sums to 0.9, off by 0.1 (1 of 3 rows"),
        (GOOD, {"proba_ham": [0.9, float("nan"), 0.5]}, {}, InputError,
         "probabilities holds 1 missing or infinite value, the first in row 1; fill or remove"),
        (GOOD, {"proba_spam": [0.1, 0.8, None]}, {}, InputError,
         "probabilities holds 1 missing or infinite value, the first in row 2"),
        (SINGLE, {"proba": ["0.1", "?", "0.5"]}, {}, LogError,
         "the column 'proba' must hold numbers; got '?' in row 1"),
        (GOOD, {}, {"classes": ["a", "b", "c"]}, LogError,
         "3 classes are named, but there are 2 columns of probabilities: proba_ham, proba_spam"),
        (GOOD, {}, {"classes": ["ham", "eggs"]}, LogError,
         "no column of probabilities is named for the class 'eggs'; the columns are for: ham, sp"),
        (GOOD, {}, {"classes": ["ham"]}, InputError, "at least two classes; got 1 ('ham')"),
        (GOOD, {}, {"classes": "ham,spam"}, LogError,
         "classes must be a list of names; got the text 'ham,spam'"),
        (SINGLE, {"label": ["ham", "ham", None]}, {}, LogError,
         "the single column of probabilities 'proba' needs two classes, but 1 occur: ham; name"),
        (SINGLE, {}, {"label": None}, LogError, "needs two classes, but 0 occur; name classes"),
        (ANSWERS, {"label": ["ham", None]}, {}, LogError,
         "only one class occurs, 'ham'; a classifier decides between at least two: name them"),
        (ANSWERS, {"prediction": ["ham", None]}, {}, LogError,
         "the column 'prediction' must hold an answer in every row; row 1 has none"),
        (ANSWERS, {"confidence": [0.7, None]}, {}, InputError,
         "the column 'confidence' holds 1 missing or infinite value, the first in row 1"),
        (ANSWERS, {"confidence": [float("inf"), 1]}, {}, InputError,
         "the column 'confidence' holds 1 missing or infinite value, the first in row 0"),
        (ANSWERS, {"confidence": ["high", "low"]}, {}, LogError,
         "the column 'confidence' must hold numbers; got 'high' in row 0"),
        (GOOD, {"prediction": ["ham", "ham", "spam"]}, {}, LogError,
         "says 'ham' in row 1, but the most probable class is 'spam' (1 of 3 rows contradict ea"),
        (GOOD, {"w": [1, 0, 2]}, {"weight": "w"}, InputError,
         "weights must be positive; got 0.0 in row 1; remove rows that should not count"),
        (GOOD, {"w": [1, 3, -2]}, {"weight": "w"}, InputError, "be positive; got -2.0 in row 2"),
        (GOOD, {"w": [1, None, 2]}, {"weight": "w"}, InputError, "weights holds 1 missing or infi"),
        (GOOD, {"q": [1, 0, 2]}, {"propensity": "q"}, LogError,
         "a probability above 0 and at most 1; got 0 in row 1 of the column 'q'"),
        (GOOD, {"w": [1, 1, 1]}, {"weight": "w", "propensity": "w"}, LogError,
         "give weight or propensity, not both"),
        (GOOD, {"w": [1, 1, 1]}, {"label": None, "propensity": "w"}, LogError,
         "a propensity belongs to the labels: name the label column, too"),
        (GOOD, {"id": [1, 2, 1]}, {}, LogError,
         "the column 'id' names the case 1 more than once: a log has one row per case, or per c"),
        (GOOD, {"id": [1, 2, 1], "m": ["x", "y", "x"]}, {"model": "m"}, LogError,
         "the column 'id' names the case 1 more than once under the model 'x': a log has one row"),
        (GOOD, {"id": [1, None, 3]}, {}, LogError, "the column 'id' names no case in row 1"),
        (GOOD, {"m": ["x", None, "x"]}, {"model": "m"}, LogError,
         "the column 'm' must name a model in every row; row 1 has none"),
        (GOOD, {"m": [["x"], ["y"], ["x"]]}, {"group": "m"}, LogError,
         "the column 'm' must hold texts or numbers, not List(String)"),
        (GOOD, {"proba_eggs": ["a", "b", "c"]}, {}, LogError,
         "the column 'proba_eggs' must hold numbers; got 'a' in row 0"),
        ({"label": ["a"], "x": [1]}, {}, {}, LogError,
         "the log has no column of probabilities that goes by a usual name (proba_CLASS): name"),
    ],
)  # fmt: skip
def test_bad_logs_say_what_is_wrong_in_one_line(table, changes, options, kind, expected):
    frame = pl.DataFrame({**table, **changes}, strict=False)
    with pytest.raises(kind) as caught:
        read_log(frame, **options)
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


def test_real_texts_with_votes_as_a_log():
    """Crowd votes on tweets (Davidson et al.): shares of votes are probabilities, ties and all."""
    path = f"{require('data')}/text/davidson.csv.gz"
    frame = pl.read_csv(path)
    votes = frame.select(
        proba_hate="n_hate", proba_offensive="n_offensive", proba_neither="n_neither"
    )
    shares = votes / votes.sum_horizontal()
    log = read_log(frame.select("label").hstack(shares))
    # the label is the top vote, without ties, and these are the published counts
    assert log.right.all()
    counts = dict(zip(log.classes, np.bincount(log.label).tolist(), strict=True))
    assert counts == {"hate": 1430, "offensive": 19190, "neither": 4163}
