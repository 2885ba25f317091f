"""Logs that are counted: the same counts as those of the rows, from every kind of source."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from askpoint.errors import InputError, LogError
from askpoint.records import log_stream
from askpoint.records.logs import read_log
from askpoint.records.streams import sketch_log
from askpoint.records.tables import open_table
from askpoint.value.sketch.score_sketch import ScoreSketch

N = 1000


@pytest.fixture(autouse=True)
def small_batches(monkeypatch):
    monkeypatch.setattr(log_stream, "_ROWS", 130)


def log(seed=0, n_classes=2):
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.ones(n_classes), N)
    names = ["ham", "spam", "eggs"][:n_classes]
    labels = pl.Series(np.array(names)[rng.integers(0, n_classes, N)])
    return pl.DataFrame({
        "label": labels.set(pl.Series(rng.random(N) < 0.3), None),
        **{f"proba_{name}": p[:, i] for i, name in enumerate(names)},
        "group": pl.Series(np.array(["a", "b"])[rng.integers(0, 2, N)]).set(
            pl.Series(rng.random(N) < 0.1), None
        ),
        "model": np.array(["one", "two"])[rng.integers(0, 2, N)],
    })  # fmt: skip


def counted(rows, measure="max_probability", bins="relative"):
    sketch = ScoreSketch(measure, bins)
    right = np.zeros(rows.n_items, dtype=bool)
    right[rows.labelled] = rows.right
    sketch.update_many(np.ma.array(right, mask=~rows.labelled), rows.scores(measure))
    return sketch


WRITERS = {
    "csv": pl.DataFrame.write_csv,
    "parquet": pl.DataFrame.write_parquet,
    "jsonl": pl.DataFrame.write_ndjson,
}


@pytest.mark.parametrize("kind", [*WRITERS, "frame"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_counts_are_those_of_the_rows(kind, n_classes, tmp_path):
    source = log(n_classes=n_classes)
    if kind != "frame":
        path = tmp_path / f"log.{kind}"
        WRITERS[kind](source, path)
        source = path
    told = []
    table = open_table(source)
    sketched = sketch_log(table, progress=told.append)[None]
    rows = read_log(source)
    assert sketched.sketch == counted(rows)
    assert sketched.classes == rows.classes
    assert sketched.labels.tolist() == np.bincount(rows.label).tolist()
    assert table.n_rows() == N == told[-1]
    assert told == sorted(told)
    assert len(told) > 1 or kind == "parquet"  # which its engine counts at once


@pytest.mark.parametrize("measure", ["margin", "standard_deviation", "negative_entropy"])
def test_other_measures(measure):
    source = log(n_classes=3)
    sketched = sketch_log(open_table(source), measure=measure)[None]
    assert sketched.sketch == counted(read_log(source), measure, sketched.bins)
    assert not sketched.is_probability


def test_groups_and_models():
    source = log()
    sketched = sketch_log(open_table(source), group="group", model="model")
    rows = read_log(source, group="group", model="model")
    assert set(sketched) == {"one", "two"}
    for model, part in rows.by_model():
        assert sketched[model].sketch == counted(part)
        assert sketched[model].groups == {name: counted(some) for name, some in part.by_group()}
        assert sketched[model].has_groups


def test_a_confidence_of_its_own():
    source = pl.DataFrame({
        "label": ["1", "", "0"], "prediction": [1, 0, 0], "confidence": [0.9, 0.8, 0.7],
    })  # fmt: skip
    sketched = sketch_log(open_table(source))[None]
    assert sketched.sketch == counted(read_log(source))
    assert sketched.is_probability
    logits = source.with_columns(confidence=pl.Series([0.9, 7.0, 0.7]))
    with pytest.raises(InputError, match="between 0 and 1 for these bins; got 7 in row 1"):
        sketch_log(open_table(logits))


def test_a_batch_without_labels():
    source = (
        log().with_row_index().with_columns(label=pl.when(pl.col("index") >= 900).then("label"))
    )
    assert sketch_log(open_table(source))[None].sketch.n_labelled < 100


def test_a_row_that_cannot_be_read_is_numbered():
    source = log().with_columns(
        proba_ham=pl.Series(np.where(np.arange(N) == 400, 7.0, log()["proba_ham"]))
    )
    with pytest.raises(LogError, match=r"reading from row 390 on: .* got 7.0 in row 10"):
        sketch_log(open_table(source))
    with pytest.raises(InputError, match=r"between 0 and 1; got 7.0 in row 10;"):
        sketch_log(open_table(source[390:]))


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        (log().with_columns(label=None), {}, "no row has a label: the column 'label' is empty"),
        (log(), {"weight": "proba_ham"}, "weighted rows cannot be counted in a sketch"),
        (log(), {"propensity": "proba_ham"}, "weighted rows cannot be counted in a sketch"),
        (log(), {"classes": "ham"}, "classes must be a list of names; got the text 'ham'"),
        (log()[:0], {}, "the dataframe holds names of columns and not a single row"),
    ],
)
def test_what_cannot_be_counted(source, options, message):
    with pytest.raises(LogError, match=message):
        sketch_log(open_table(source), **options)


def test_short_rows_of_a_csv_are_found(tmp_path):
    path = tmp_path / "log.csv"
    log().write_csv(path)
    lines = path.read_text().splitlines()
    lines[700] = lines[700].rpartition(",")[0]
    path.write_text("\n".join(lines))
    with pytest.raises(LogError, match=r"log.csv is broken or cut off: line 701 has 4 cells"):
        sketch_log(open_table(path))
