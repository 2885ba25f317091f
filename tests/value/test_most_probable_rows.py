"""Many classes are compared in NumPy: the same counts as the engine's, and its words where a row is wrong."""

import numpy as np
import polars as pl
import pytest

from askpoint.errors import InputError
from askpoint.value.sketch import most_probable_rows
from askpoint.value.sketch.bins import DistinctBins, LinearBins, RelativeBins
from askpoint.value.sketch.score_sketch import ScoreSketch

K, N = 17, 503
WAYS = ["texts", "integers", "floats", "small integers"]


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    monkeypatch.setattr(most_probable_rows, "_ROWS", 100)
    monkeypatch.setattr(most_probable_rows, "_PIECE", 30)


def a_log(way="integers", precision=pl.Float32):
    """Equal probabilities and missing labels among them; also the probabilities, labels and classes."""
    rng = np.random.default_rng(4)
    p = rng.dirichlet(np.full(K, 0.2), N)
    p[:40] = 1 / K
    p[40:80] = 0
    p[40:80, [5, 9]] = 0.5
    truth = np.where(rng.random(N) < 0.5, p.argmax(axis=1), rng.integers(0, K, N))
    known = rng.random(N) < 0.7
    classes = [f"c{i}" for i in range(K)] if way == "texts" else [*range(K)]
    kind = {"texts": pl.String, "floats": pl.Float64, "small integers": pl.UInt8}.get(way, pl.Int64)
    label = [classes[y] if is_known else None for y, is_known in zip(truth, known, strict=True)]
    if way == "floats":
        label = [float("nan") if y is None and i % 2 else y for i, y in enumerate(label)]
    scores = {f"p{i}": pl.Series(p[:, i], dtype=precision) for i in range(K)}
    frame = pl.DataFrame({"label": pl.Series(label, dtype=kind, strict=False), **scores})
    return frame, frame.select(list(scores)).to_numpy(), truth, known, classes


def sketched(frame, classes, bins="relative"):
    names = [f"p{i}" for i in range(K)]
    return ScoreSketch.from_frame(frame, proba=names, classes=classes, bins=bins)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("precision", [pl.Float32, pl.Float64])
@pytest.mark.parametrize("bins", [RelativeBins(), LinearBins(), DistinctBins()])
def test_many_classes_are_counted_as_arrays_are(way, precision, bins):
    frame, p, truth, known, classes = a_log(way, precision)
    expected = ScoreSketch(bins=bins)
    right = np.ma.array(p.argmax(axis=1) == truth, mask=~known)
    expected.update_many(right, np.minimum(p.max(axis=1), 1))
    assert sketched(frame.lazy(), classes, bins) == expected
    assert sketched(frame.to_arrow(), classes, bins) == expected


def test_the_engine_is_not_asked_for_many_classes_unless_a_row_is_wrong(monkeypatch):
    frame, *_, classes = a_log()
    engine = []
    monkeypatch.setattr(
        "askpoint.value.sketch.frames.most_probable", lambda *_: engine.append(1) or 1 / 0
    )
    sketched(frame.lazy(), classes)
    assert not engine
    with pytest.raises(ZeroDivisionError):
        sketched(frame.with_columns(p3=pl.lit(7.0)).lazy(), classes)


FAULTS = {
    "between 0 and 1; got 1.5 in the column 'p3'": pl.lit(1.5).alias("p3"),
    "between 0 and 1; got none": pl.lit(None, pl.Float32).alias("p3"),
    "sum to 1, one sums to": (pl.col("p4") + 0.01).alias("p4"),
    "says 99, which is not among the classes": pl.lit(99).alias("label"),
}


@pytest.mark.parametrize("text", FAULTS)
def test_a_late_row_that_must_not_be_is_named_as_by_the_engine(text):
    frame, *_, classes = a_log()
    late = pl.int_range(pl.len()) == 450
    name = FAULTS[text].meta.output_name()
    wrong = frame.with_columns(pl.when(late).then(FAULTS[text]).otherwise(name).alias(name))
    with pytest.raises(InputError, match=text):
        sketched(wrong.lazy(), classes)


def test_a_log_without_rows_has_no_counts():
    frame, *_, classes = a_log()
    assert sketched(frame.head(0).lazy(), classes).n_items == 0


def test_batches_of_which_nothing_is_left_are_passed_over():
    frame, *_, classes = a_log()
    few = pl.int_range(pl.len()) % 211 == 7
    assert sketched(frame.lazy().filter(few), classes) == sketched(frame.filter(few), classes)
    assert sketched(frame.lazy().filter(pl.col("p0") > 2), classes).n_items == 0


def test_a_confidence_outside_the_bins_is_named_as_by_the_engine():
    frame, p, _, _, classes = a_log()
    most = p.max(axis=1)
    for bins, bad in ((LinearBins(0, 0.9), most > 0.9), (LinearBins(0.2, 1), most < 0.2)):
        assert bad.any()
        with pytest.raises(
            InputError,
            match=rf"between {bins.low:g} and {bins.high:g} .*; got 0\.\d+ in max_probability",
        ):
            sketched(frame.lazy(), classes, bins)
        inside = sketched(frame.filter(pl.Series(~bad)).lazy(), classes, bins)
        assert inside.n_items == (~bad).sum()
