"""Counting on engines: the same counts from each, and a plain word where a cell is wrong."""

from __future__ import annotations

import contextlib
import functools
import itertools
import warnings

import dask.dataframe as dd
import duckdb
import ibis
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from askpoint.errors import InputError, UnknownColumnError
from askpoint.measures.confidence import confidence_scores
from askpoint.value.sketch.bins import LinearBins
from askpoint.value.sketch.score_sketch import ScoreSketch
from audit import pure_rooms_watched
from cast import require


def to_duckdb(frame):
    return duckdb.connect().from_arrow(frame.to_arrow())


def to_ibis(frame):
    return ibis.memtable(frame.to_arrow())


def to_numpy_pandas(frame):
    """Missing texts are None among objects, missing numbers are NaN."""
    return pd.DataFrame({
        name: frame[name].to_numpy().astype(object if frame[name].dtype == pl.String else None)
        for name in frame.columns
    })  # fmt: skip


@pytest.fixture(autouse=True)
def pure(request):
    """PySpark asks its engine through a socket; all else is watched as everywhere."""
    with contextlib.nullcontext() if "spark" in request.node.name else pure_rooms_watched():
        yield


@functools.cache
def spark_session():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
        builder = builder.config(
            "spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
        )
        return builder.config("spark.sql.shuffle.partitions", "1").getOrCreate()


def to_spark(frame):
    require("spark")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return spark_session().createDataFrame(frame.to_arrow())


ENGINES = {
    "polars": lambda frame: frame,
    "polars, lazy": pl.DataFrame.lazy,
    "pyarrow": pl.DataFrame.to_arrow,
    "pandas with NumPy": to_numpy_pandas,
    "pandas with pyarrow": lambda frame: frame.to_pandas(use_pyarrow_extension_array=True),
    "duckdb": to_duckdb,
    "ibis": to_ibis,
    "dask": lambda frame: dd.from_pandas(frame.to_pandas(), npartitions=3),
    "dask with NumPy": lambda frame: dd.from_pandas(to_numpy_pandas(frame), npartitions=2),
    "spark": to_spark,
}
PRECISIONS = [pl.Float32, pl.Float64]
with_each_precision = pytest.mark.parametrize("precision", PRECISIONS)
SLOW = {
    "dask",
    "dask with NumPy",
    "spark",
}  # half a second a query, most of it for plans of their own


def on_every_engine(**ways):
    """Every engine with each combination; one that is slow with each way of each once."""
    cases = []
    for name, engine in ENGINES.items():
        every = itertools.product(*ways.values())
        if name in SLOW:
            most = max(map(len, ways.values()))
            every = zip(
                *(itertools.islice(itertools.cycle(way), most) for way in ways.values()),
                strict=True,
            )
        for n, case in enumerate(every):
            marks = pytest.mark.whole if n and name in SLOW else ()
            words = "-".join(str(way) for way in case)
            cases.append(pytest.param(engine, *case, id=f"{words}-{name}", marks=marks))
    return pytest.mark.parametrize(("engine", *ways), cases)


N = 2000


def scores(n=N, seed=1):
    """At every distance from certainty, and round numbers."""
    rng = np.random.default_rng(seed)
    rest = n - 133
    near = 1 - 10 ** rng.uniform(-17, 0, rest // 2)
    return np.concatenate(
        [rng.random(rest - rest // 2), near, np.linspace(0, 1, 129), [0, 1, 1, 1]]
    )


def log(labels, precision=pl.Float64):
    """A log of predictions, three in ten without a label, and which answers are right."""
    rng = np.random.default_rng(0)
    said, confidence = rng.integers(0, 3, N), scores()
    truth = np.where(rng.random(N) < confidence, said, (said + 1) % 3)
    known = rng.random(N) < 0.7
    names = np.array(labels)
    frame = pl.DataFrame({
        "id": np.arange(N),
        "label": pl.Series(names[truth]).set(pl.Series(~known), None),
        "said": names[said],
        "sure": pl.Series(confidence, dtype=precision),
    })  # fmt: skip
    return frame, np.ma.array(truth == said, mask=~known)


@on_every_engine(bins=["relative", "linear", "distinct"], precision=PRECISIONS)
def test_every_engine_counts_as_numpy_does(engine, precision, bins):
    frame, right = log(["ham", "spam", "eggs"], precision)
    expected = ScoreSketch("confidence", bins)
    expected.update_many(right, frame["sure"].to_numpy())
    sketch = ScoreSketch.from_frame(engine(frame), prediction="said", confidence="sure", bins=bins)
    assert sketch == expected
    assert sketch.to_bytes() == expected.to_bytes()


@on_every_engine(labels=[[0, 1, 2], [0.0, 1.0, 2.0]])
def test_labels_that_are_numbers(engine, labels):
    frame, right = log(labels)
    expected = ScoreSketch("confidence")
    expected.update_many(right, frame["sure"].to_numpy())
    assert ScoreSketch.from_frame(engine(frame), prediction="said", confidence="sure") == expected


def probabilities(k, precision):
    rng = np.random.default_rng(2)
    p = rng.dirichlet(np.full(k, 0.3), N)
    p[:50] = 1 / k  # the first of several equal ones is the answer
    p[50:60, :2], p[50:60, 2:] = 0.5, 0
    single = p.astype(np.float32)
    return single if precision == pl.Float32 else p


@on_every_engine(measure=["max_probability", "margin"], precision=PRECISIONS)
def test_the_answer_is_the_most_probable_class(engine, precision, measure):
    names = ["ham", "spam", "eggs", "x"]
    p = probabilities(4, precision)
    truth = np.random.default_rng(3).integers(0, 4, N)
    known = np.arange(N) % 3 > 0
    label = pl.Series("label", np.array(names)[truth]).set(pl.Series(~known), None)
    frame = pl.DataFrame({"label": label, **{f"p_{n}": p[:, i] for i, n in enumerate(names)}})
    expected = ScoreSketch(measure)
    right = np.ma.array(p.argmax(axis=1) == truth, mask=~known)
    expected.update_many(right, confidence_scores(p, measure))
    columns = [f"p_{name}" for name in names]
    sketch = ScoreSketch.from_frame(engine(frame), proba=columns, classes=names, measure=measure)
    assert sketch == expected


@on_every_engine(precision=PRECISIONS)
def test_one_column_for_the_second_of_two_classes(engine, precision):
    p = pl.Series(scores(), dtype=precision)
    truth = np.random.default_rng(4).integers(0, 2, N)
    frame = pl.DataFrame({"label": truth, "p": p})
    both = np.column_stack([1 - p.to_numpy(), p.to_numpy()])
    expected = ScoreSketch()
    expected.update_many(both.argmax(axis=1) == truth, both.max(axis=1))
    assert ScoreSketch.from_frame(engine(frame), proba="p") == expected
    named = frame.with_columns(label=pl.col("label").cast(pl.String))
    sketch = ScoreSketch.from_frame(engine(named), proba=["p"], classes=["0", "1"])
    assert sketch == expected


def test_labels_of_several_types():
    """Booleans are numbers, categories are texts, and empty texts and NaN are no labels."""
    base = {"said": [True, True, False, False], "sure": [0.5] * 4}
    booleans = pl.DataFrame({"label": [True, False, None, False], **base})
    numbers = booleans.with_columns(label=pl.Series([1.0, 0.0, np.nan, 0.0]))
    texts = pl.DataFrame({
        "label": pl.Series(["a", "b", "", "b"]),
        "said": pl.Series(["a", "a", "b", "b"], dtype=pl.Categorical),
        "sure": [0.5] * 4,
    })  # fmt: skip
    for frame in (booleans, numbers, texts):
        cells = ScoreSketch.from_frame(frame, prediction="said", confidence="sure").cells()
        assert (cells.right, cells.wrong, cells.unlabelled) == (2, 1, 1)


def test_parts_of_a_frame_merge_to_the_whole():
    frame, _ = log(["ham", "spam", "eggs"])
    columns = {"prediction": "said", "confidence": "sure"}
    one, two = frame[:700], to_duckdb(frame[700:])
    merged = ScoreSketch.from_frame(one, **columns) + ScoreSketch.from_frame(two, **columns)
    assert merged == ScoreSketch.from_frame(frame, **columns)


def test_a_frame_without_rows():
    frame, _ = log(["ham", "spam", "eggs"])
    sketch = ScoreSketch.from_frame(frame[:0], prediction="said", confidence="sure")
    assert sketch.n_items == 0


GOOD = pl.DataFrame({"label": ["a", "b", None], "said": ["a", "a", "b"], "sure": [0.5, 1.0, 0.0]})


def changed(**columns):
    return GOOD.with_columns(**{name: pl.Series(cells) for name, cells in columns.items()})


@pytest.mark.parametrize("engine", ["polars", "pandas with NumPy", "duckdb", "dask", "ibis"])
@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (changed(sure=[0.5, 1.5, 0.0]), "between 0 and 1 for these bins; got 1.5 in sure; Rel"),
        (changed(sure=[0.5, -0.25, 0.0]), "between 0 and 1 for these bins; got -0.25 in sure"),
        (changed(sure=[0.5, None, 0.0]), "between 0 and 1 for these bins; got none in sure"),
        (changed(said=["a", None, "b"]), "'said' must hold an answer in every row; one has none"),
    ],
)
def test_cells_that_cannot_be_counted(engine, frame, message):
    with pytest.raises(InputError, match=message):
        ScoreSketch.from_frame(ENGINES[engine](frame), prediction="said", confidence="sure")


def test_not_a_number():
    with pytest.raises(InputError, match="got none in sure"):
        ScoreSketch.from_frame(
            changed(sure=[0.5, float("nan"), 0.0]), prediction="said", confidence="sure"
        )


@pytest.mark.parametrize("engine", ["polars", "pandas with NumPy", "duckdb"])
@pytest.mark.parametrize(
    ("label", "p", "message"),
    [
        (["a", "b"], [[0.5, 0.5], [0.5, 0.75]], "must sum to 1, one sums to 1.25; normalise"),
        (["a", "b"], [[0.5, 0.5], [1.5, -0.5]], "between 0 and 1; got 1.5 in the column 'p'"),
        (["a", "b"], [[0.5, 0.5], [None, 0.5]], "between 0 and 1; got none in the column 'p'"),
        (["a", "x"], [[0.5, 0.5], [0.5, 0.5]], "'label' says 'x', which is not among the .*'a', "),
    ],
)
def test_probabilities_that_cannot_be_counted(engine, label, p, message):
    frame = pl.DataFrame({"label": label, "p": [row[0] for row in p], "q": [row[1] for row in p]})
    with pytest.raises(InputError, match=message):
        ScoreSketch.from_frame(ENGINES[engine](frame), proba=["p", "q"], classes=["a", "b"])


@pytest.mark.parametrize("engine", ["polars", "pandas with NumPy", "pandas with pyarrow", "duckdb"])
@with_each_precision
@pytest.mark.parametrize(
    ("p", "q", "message"),
    [
        (1 + 5e-7, -5e-7, None),  # round-off
        (0.4, 0.6009, None),
        (1 + 2**-11, 0.0, "between 0 and 1; got 1.00048828 in the column 'p'"),
        (-(2**-11), 1.0, "between 0 and 1; got -0.00048828125 in the column 'p'"),
        (0.4, 0.6011, "must sum to 1, one sums to 1.0011"),
        (0.4, 0.5989, "must sum to 1, one sums to 0.9989"),
        (1.0, float("nan"), "between 0 and 1; got none in the column 'q'"),
    ],
)
def test_what_is_asked_of_every_row_is_what_the_faults_say(engine, precision, p, q, message):
    """The quick condition and the faults that explain it agree, on both sides of each limit."""
    frame = pl.DataFrame({"label": ["a", "b"], "p": [0.5, p], "q": [0.5, q]}).with_columns(
        pl.col("p", "q").cast(precision)
    )
    raises = (
        contextlib.nullcontext() if message is None else pytest.raises(InputError, match=message)
    )
    with raises:
        ScoreSketch.from_frame(ENGINES[engine](frame), proba=["p", "q"], classes=["a", "b"])


SAID = {"prediction": "said", "confidence": "sure"}


@pytest.mark.parametrize(
    ("frame", "columns", "message"),
    [
        (GOOD, {}, "no column of probabilities that goes by a usual name"),
        (GOOD, {"prediction": "said"}, "name prediction and confidence"),
        (GOOD, {**SAID, "confidence": "said"}, "'said' must hold numbers, not String"),
        (changed(label=[1, 2, 3]), SAID, "'label' holds Int64, but 'said' holds String: cast one"),
        (changed(label=[[1], [2], [3]]), SAID, "'label' must hold texts or numbers, not List"),
        (GOOD, {"proba": "sure"}, "name the classes in the order of the columns of prob"),
        (changed(label=[1, 2, 3]), {"proba": ["sure", "sure"]}, "name the classes in the order"),
        (GOOD, {"proba": "sure", "classes": ["a"]}, "at least two classes; got 1"),
        (GOOD, {"proba": "sure", "classes": "abc"}, "1 columns of probabilities, but 3 classes"),
        (GOOD, {"proba": "sure", "classes": [0, 1]}, "holds String, but the classes are 0, 1: "),
        (GOOD, {"proba": "sure", "classes": "ab", "measure": "entropy"}, "measure must be one of"),
    ],
)
def test_columns_that_do_not_fit(frame, columns, message):
    with pytest.raises(InputError, match=message):
        ScoreSketch.from_frame(frame, **columns)


@pytest.mark.parametrize("engine", ["polars", "pandas with NumPy", "duckdb"])
@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({**SAID, "label": "lable"}, "no column 'lable'; did you mean 'label'"),
        ({**SAID, "confidence": "shure"}, "no column 'shure'; did you mean 'sure'"),
        ({"proba": "sures", "classes": "ab"}, "no column 'sures'; did you mean 'sure'"),
    ],
)
def test_a_column_that_is_not_there(engine, columns, message):
    with pytest.raises(UnknownColumnError, match=message):
        ScoreSketch.from_frame(ENGINES[engine](GOOD), **columns)


@pytest.mark.parametrize("frame", [None, [1, 2], "log.csv", {"label": [1]}, np.ones(3)])
def test_what_is_no_dataframe(frame):
    with pytest.raises(InputError, match=r"a dataframe is needed .* got "):
        ScoreSketch.from_frame(frame, **SAID)


def test_confidence_from_probabilities_outside_the_bins():
    frame = pl.DataFrame({"label": [0, 1], "p": [0.5, 1.0]})
    with pytest.raises(InputError, match=r"between 0 and 0.9 .*; got 1 in max_probability"):
        ScoreSketch.from_frame(frame, proba="p", bins=LinearBins(0, 0.9))


def test_the_frame_is_another_when_it_is_looked_at_again(monkeypatch):
    """An engine may read a changing source; then the fault cannot be found any more."""
    from askpoint.value.sketch import frames

    monkeypatch.setattr(frames, "_fault_cells", lambda *_: [])
    with pytest.raises(InputError, match="the frame changed while it was counted"):
        ScoreSketch.from_frame(changed(sure=[0.5, 1.5, 0.0]), **SAID)


def test_arrow_tables_too():
    table = pa.table({"label": ["a", None], "said": ["a", "b"], "sure": [0.5, 0.5]})
    assert ScoreSketch.from_frame(table, **SAID).n_labelled == 1


LABELS = ["new_york", "new_jersey", "", "new_york"]
USUAL = {
    "classes of which names begin alike": pl.DataFrame(
        {"label": LABELS, "proba_new_york": [0.9, 0.2, 0.5, 0.4], "proba_new_jersey": [0.1, 0.8, 0.5, 0.6]}
    ),
    "one column of a named class": pl.DataFrame(
        {"label": ["ham", "spam", "ham"], "proba_ham": [0.8, 0.3, 0.4]}
    ),
    "numbers": pl.DataFrame({"label": [1, 0, None], "p_0": [0.3, 0.8, 0.5], "p_1": [0.7, 0.2, 0.5]}),
    "truths": pl.DataFrame({"label": [True, False, True], "probability": [0.7, 0.2, 0.4]}),
    "an answer and a confidence": pl.DataFrame(
        {"label": ["a", "b"], "prediction": ["a", "a"], "confidence": [0.7, 0.2]}
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", USUAL)
def test_columns_that_are_not_named_are_those_that_a_log_is_read_by(name):
    from askpoint.records.logs import read_log

    log = read_log(USUAL[name])
    sketch = ScoreSketch.from_frame(USUAL[name].lazy())
    truth = np.full(len(log.labelled), -1)
    truth[log.labelled] = log.label
    named = pl.DataFrame(
        {
            "truth": pl.Series(truth).replace(-1, None),
            "said": pl.Series(log.prediction.astype(np.int64)),
            "sure": log.confidence if log.proba is None else log.scores(sketch.measure),
        }
    )
    expected = ScoreSketch.from_frame(
        named, label="truth", prediction="said", confidence="sure", measure=sketch.measure
    )
    assert sketch == expected


def test_classes_that_are_no_numbers_beside_labels_that_are():
    frame = pl.DataFrame({"label": [1, 0], "proba_yes": [0.9, 0.1], "proba_no": [0.1, 0.9]})
    with pytest.raises(InputError, match="name the classes as they are written in the column"):
        ScoreSketch.from_frame(frame)


@pytest.mark.parametrize(
    ("label", "classes"),
    [
        ("label::HUGEINT", [0, 1]),
        ("label::DECIMAL(9, 2)", [0, 1]),
        ("label = 1", [0, 1]),
        ("(CASE label WHEN 1 THEN 'yes' WHEN 0 THEN 'no' END)::ENUM('yes', 'no')", ["no", "yes"]),
    ],
)
def test_duckdbs_own_types_are_counted_beside_columns_that_polars_cannot_hold(label, classes):
    connection = duckdb.connect()
    rows = connection.sql(
        f"""
        SELECT {label} AS label, p::DECIMAL(6, 4) AS p, union_value(n := p) AS "odd ""one",
               range::BIT AS bits
        FROM (SELECT nullif(range % 3, 2) AS label, (range % 97) / 97 AS p, range FROM range(500))
        """  # noqa: S608
    )
    sketch = ScoreSketch.from_frame(rows, proba="p", classes=classes)
    label_of = [i % 3 if i % 3 < 2 else None for i in range(500)]
    p = np.round((np.arange(500) % 97) / 97, 4)
    wanted = ScoreSketch("max_probability")
    right = [None if one is None else one == (c > 0.5) for one, c in zip(label_of, p, strict=True)]
    wanted.update_many(right, np.maximum(p, 1 - p))
    assert sketch.to_bytes() == wanted.to_bytes()


def test_classes_that_are_given_are_those_of_columns_with_usual_names():
    """In the order of the columns, whatever these are called."""
    frame = USUAL["numbers"]
    given = ScoreSketch.from_frame(frame, classes=[1, 0])
    assert given == ScoreSketch.from_frame(frame, proba=["p_0", "p_1"], classes=[1, 0])
    usual = ScoreSketch.from_frame(frame)
    assert usual == ScoreSketch.from_frame(frame, classes=[0, 1]) != given
