"""Parts of a log, counted by an engine: as NumPy counts each of them, however its classes are spelled."""

from __future__ import annotations

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest

from askpoint.errors import InputError
from askpoint.measures.confidence import confidence_scores
from askpoint.measures.confidence_measures import CONFIDENCE_MEASURES
from askpoint.value.sketch.bins import DistinctBins, RelativeBins
from askpoint.value.sketch.frame_answers import SpelledClasses
from askpoint.value.sketch.frame_measures import FRAME_MEASURES
from askpoint.value.sketch.frames import count_parts
from askpoint.value.sketch.score_sketch import ScoreSketch
from value.test_frames import to_duckdb

N = 600
BINS = RelativeBins()
ENGINES = {
    "polars": pl.DataFrame.lazy,
    "pandas": lambda frame: pd.DataFrame({one: frame[one].to_list() for one in frame.columns}),
    "duckdb": to_duckdb,
}
on_engines = pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
PLAIN = (("ham",), ("spam",), ("eggs",))
SPELLED = (("ham", "HAM"), ("spam",), ("eggs", "Egg", "eggs!"))
IN_ANSWERS = (("ham",), ("spam", "SPAM"), ("eggs",))
PROBA = ["p_ham", "p_spam", "p_eggs"]


def a_log(labels=PLAIN, answers=PLAIN):
    """Truths, answers of the most probable class, both in any spelling; and what is right by hand."""
    rng = np.random.default_rng(5)
    p = rng.dirichlet([0.5, 0.5, 0.5], N)
    said = p.argmax(axis=1)
    truth = np.where(rng.random(N) < 0.6, said, rng.integers(0, 3, N))
    known = rng.random(N) < 0.8
    label = [str(rng.choice(labels[y])) if is_known else None for y, is_known in zip(truth, known, strict=True)]  # fmt: skip
    frame = pl.DataFrame({
        "label": label,
        "said": [str(rng.choice(answers[y])) for y in said],
        "sure": rng.random(N),
        "model": rng.choice(["one", "two"], N),
        "part": rng.integers(0, 3, N),
        **dict(zip(PROBA, p.T, strict=True)),
    })  # fmt: skip
    return frame, np.ma.array(truth == said, mask=~known), p


def counted(frame, keys, labels=PLAIN, answers=None, measure="max_probability", bins=BINS, **more):
    """A sketch of each part, by the parts' names."""
    given = {"confidence": None, "proba": [], "of_first": False, **more}
    rows, places, counts = count_parts(
        frame,
        bins,
        label=SpelledClasses("label", labels),
        prediction=None if answers is None else SpelledClasses("said", answers),
        measure=measure,
        keys=keys,
        **given,
    )
    found = {}
    names = list(zip(*(rows[name].to_list() for name in rows.columns), strict=True)) or [()] * len(places)  # fmt: skip
    for name in dict.fromkeys(names):
        mine = [i for i, one in enumerate(names) if one == name]
        found[name] = ScoreSketch.from_counts(
            bins.lowest(places[mine]), *counts[mine].T, measure=measure, bins=bins
        )
    return found


def expected(frame, keys, right, confidence, measure="max_probability", bins=BINS):
    found, cells = {}, list(zip(*(frame[key].to_list() for key in keys), strict=True)) or [()] * N
    for name in dict.fromkeys(cells):
        mine = np.array([one == name for one in cells])
        found[name] = ScoreSketch(measure, bins)
        found[name].update_many(right[mine], np.asarray(confidence)[mine])
    return found


@on_engines
@pytest.mark.parametrize("keys", [["model"], ["model", "part"]])
@pytest.mark.parametrize("spelled", [(PLAIN, PLAIN), (SPELLED, IN_ANSWERS)])
def test_answers_with_their_confidence(engine, keys, spelled):
    frame, right, _ = a_log(*spelled)
    found = counted(engine(frame), keys, *spelled, confidence="sure")
    assert found == expected(frame, keys, right, frame["sure"])


@on_engines
@pytest.mark.parametrize("answers", [None, IN_ANSWERS])
def test_the_most_probable_class_named_or_not(engine, answers):
    frame, right, p = a_log(SPELLED, answers or PLAIN)
    found = counted(engine(frame), ["model"], SPELLED, answers, proba=PROBA)
    assert found == expected(frame, ["model"], right, p.max(axis=1))


@on_engines
def test_a_confidence_of_its_own_replaces_what_probabilities_say(engine):
    frame, right, _ = a_log()
    single = frame.with_columns(pl.col(PROBA).cast(pl.Float32))  # and has a precision of its own
    given = {"answers": PLAIN, "proba": PROBA, "confidence": "sure", "bins": DistinctBins()}
    found = counted(engine(single), ["part"], **given)
    assert found == expected(frame, ["part"], right, frame["sure"], bins=DistinctBins())


@on_engines
@pytest.mark.parametrize("of_first", [False, True])
def test_one_column_of_probabilities_is_of_either_class(engine, of_first):
    frame, *_ = a_log()
    p = frame["sure"].to_numpy()
    truth = np.arange(N) % 2
    two = frame.with_columns(label=pl.Series(np.array(["no", "yes"])[truth]))
    of_yes = 1 - p if of_first else p
    right = np.ma.array((of_yes > 0.5) == (truth == 1), mask=np.zeros(N, dtype=bool))
    found = counted(engine(two), ["model"], (("no",), ("yes",)), proba=["sure"], of_first=of_first)
    assert found == expected(two, ["model"], right, np.maximum(p, 1 - p))


def test_a_class_that_no_cell_means_is_never_right():
    """Its probability counts; nothing is labelled so."""
    frame, _, p = a_log()
    rare = frame.filter(pl.col("label").is_null() | (pl.col("label") != "eggs"))
    rows = frame.with_row_index().filter(pl.col("label").is_null() | (pl.col("label") != "eggs"))["index"]  # fmt: skip
    p = p[rows.to_numpy()]
    said = np.array(["ham", "spam", "eggs"])[p.argmax(axis=1)]
    label = rare["label"].to_list()
    right = np.ma.array([a == b for a, b in zip(label, said, strict=True)], mask=[one is None for one in label])  # fmt: skip
    found = counted(rare.lazy(), [], (("ham",), ("spam",), ()), proba=PROBA)
    assert found == {(): ScoreSketch("max_probability", BINS)} | found
    whole = ScoreSketch("max_probability", BINS)
    whole.update_many(right, p.max(axis=1))
    assert found[()] == whole
    with pytest.raises(
        InputError, match="says 'eggs', which is not among the classes 'ham', 'spam'"
    ):
        counted(frame.lazy(), [], (("ham",), ("spam",), ()), proba=PROBA)


FAULTS = {
    "'said' says .* where another class is more probable; name proba alone, or": {"said": ["ham", "spam"] * (N // 2)},
    "'said' must hold an answer in every row; one has none": {"said": [None, *["ham"] * (N - 1)]},
    "'said' says 'tofu', which is not among the classes 'ham', 'spam', 'eggs'": {"said": ["tofu", *["ham"] * (N - 1)]},
}  # fmt: skip


@on_engines
@pytest.mark.parametrize("message", FAULTS)
def test_answers_that_do_not_go_with_the_probabilities(engine, message):
    frame, _, p = a_log()
    if "tofu" in message or "none" in message:  # else each row has a fault
        said = np.array(["ham", "spam", "eggs"])[p.argmax(axis=1)].tolist()
        said[7] = FAULTS[message]["said"][0]
        wrong = frame.with_columns(said=pl.Series(said))
    else:
        wrong = frame.with_columns(said=pl.Series(FAULTS[message]["said"]))
    with pytest.raises(InputError, match=message):
        counted(engine(wrong), ["model"], answers=PLAIN, proba=PROBA)


def test_a_key_must_be_a_column():
    frame, *_ = a_log()
    with pytest.raises(InputError, match="no column 'team'"):
        counted(frame.lazy(), ["team"], answers=PLAIN, confidence="sure")


@pytest.mark.parametrize("measure", CONFIDENCE_MEASURES)
@pytest.mark.parametrize("k", [2, 3, 7])
def test_each_measure_is_that_of_arrays_but_for_rounding(measure, k):
    rng = np.random.default_rng(6)
    p = rng.dirichlet(np.full(k, 0.3), 300)
    p[0], p[1] = 1 / k, np.eye(k)[0]
    frame = nw.from_native(pl.DataFrame({f"p{i}": p[:, i] for i in range(k)}))
    for precision, near in ((nw.Float64, 1e-12), (nw.Float32, 1e-5)):
        scored = frame.select(nw.all().cast(precision))
        phi = FRAME_MEASURES[measure]([nw.col(one) for one in scored.columns], precision)
        found = scored.select(found=phi)["found"]
        assert found.dtype == precision
        assert found.to_numpy() == pytest.approx(confidence_scores(p, measure), abs=near)


@pytest.mark.parametrize("measure", ["margin", "euclidean_distance"])
def test_of_very_many_classes_an_engine_tells_no_two_greatest(measure):
    for n in (60, 61):
        names = [f"p{i}" for i in range(n)]
        frame = pl.DataFrame({"label": [0, 1], **dict.fromkeys(names, [1 / n] * 2)})
        given = {"proba": names, "classes": range(n), "measure": measure}
        if n == 60:
            assert ScoreSketch.from_frame(frame, **given).n_items == 2
            continue
        with pytest.raises(InputError, match=f"{measure.replace('_', ' ')} of at most 60 classes; got 61"):  # fmt: skip
            ScoreSketch.from_frame(frame, **given)
