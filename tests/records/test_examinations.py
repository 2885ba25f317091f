"""Drawing from a log that goes by twice, the judges' file, and finding its cases again."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st
from numpy.testing import assert_array_equal

from askpoint.errors import CostsError, InputError, LogError, UnknownColumnError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.records import cost_batches, examinations, scored_batches as scored_tables
from askpoint.records.estimates import log_estimates
from askpoint.records.examinations import OWN_COLUMNS, draw_sample
from askpoint.records.judged_cases import find_cases, find_labelled_cases
from askpoint.records.logs import read_log
from askpoint.records.samples import read_sample, sample_csv
from askpoint.records.scored_batches import ScoredTable
from askpoint.records.tables import open_table
from askpoint.unknowns.case_costs import estimate_cost
from askpoint.unknowns.examination import ExaminationDesign, draw_examination
from askpoint.unknowns.examination_names import METHODS

DESIGN = ExaminationDesign(n=40, n_bins=4)


def rows(n=300, seed=0):
    rng = np.random.default_rng(seed)
    p = rng.random(n) ** 3
    truth = np.where(rng.random(n) < p, "spam", "ham")
    return pl.DataFrame(
        {
            "id": [f"case {i}" for i in range(n)],
            "label": truth,
            "proba_ham": 1 - p,
            "proba_spam": p,
            "text": [f"text of {i}" for i in range(n)],
        }
    )


def scored(frame=None, **settings):
    return ScoredTable.open(open_table(rows() if frame is None else frame), **settings)


def file_of(drawn):
    return pl.read_csv(io.StringIO(sample_csv(drawn)), infer_schema=False)


@pytest.fixture
def drawn():
    return draw_sample(scored(), DESIGN, seed=5)


@pytest.mark.parametrize("method", METHODS)
def test_a_stream_is_drawn_from_as_a_log_in_memory_is(method, monkeypatch):
    design = ExaminationDesign(method, 40, 4)
    frame = rows()
    costs = CostMatrix(["ham", "spam"], [[0, 5], [1, 0]])
    p = frame["proba_spam"].to_numpy()
    decided = np.where(p > 0.5, "spam", "ham")
    squared = np.where(decided == "ham", p, 25 * (1 - p))
    one = draw_examination(
        frame["id"].to_numpy(),
        estimate_cost(p, costs, decided),
        design,
        np.random.default_rng(5),
        squared=squared,
    )
    monkeypatch.setattr(
        scored_tables, "_ROWS", 37
    )  # keys come in the same order, whatever the batches
    two = draw_sample(scored(frame, costs=costs), design, seed=5)
    assert two.n_items == 300
    assert two.examination.items.tolist() == one.items.tolist()
    assert_array_equal(two.examination.inclusion, one.inclusion)
    assert_array_equal(two.examination.sizes, one.sizes)
    assert [f"text of {item[5:]}" for item in one.items] == two.cells["text"].to_list()


@given(st.integers(1, 400))
@settings(deadline=None, max_examples=10)
def test_the_fingerprint_does_not_see_batches_or_formats(size):
    frame = rows(200).with_columns(
        id=pl.Series([*map(str, range(150)), *(f"x{i}" for i in range(50))])
    )
    whole = log_estimates(scored(frame))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scored_tables, "_ROWS", size)
        assert log_estimates(scored(frame)) == whole
        moved = log_estimates(scored(frame.with_columns(pl.col("id").reverse())))
    assert moved.digest != whole.digest


@pytest.mark.parametrize("names", ["texts", "numbers", "none"])
def test_a_sample_of_an_earlier_version_fits_its_log(names):
    frame = rows()
    if names != "texts":
        frame = frame.with_columns(id=7 + pl.int_range(300)) if names == "numbers" else frame[:, 1:]
    drawn = draw_sample(scored(frame), DESIGN, seed=5)
    earlier = read_log(frame, need_labels=False).digest(labels=False)
    assert earlier.startswith("sha256:")
    old = replace(drawn.examination, digest=earlier)
    assert find_cases(scored(frame), old).cells.equals(
        find_cases(scored(frame), drawn.examination).cells
    )
    with pytest.raises(InputError, match="drawn from another log"):
        find_cases(scored(frame.reverse()), old)


@pytest.mark.parametrize(
    "change",
    [
        lambda f: f.reverse(),
        lambda f: f[:-1],
        lambda f: f.with_columns(proba_ham="proba_spam", proba_spam="proba_ham"),
        lambda f: f.rename({"proba_ham": "proba_spam", "proba_spam": "proba_ham"}),
        lambda f: f.with_columns(id=pl.int_range(300)),
        lambda f: f.rename({"proba_spam": "proba_junk"}).drop("label"),
    ],
)
@pytest.mark.parametrize("has_ids", [True, False])
def test_the_fingerprint_sees_every_column(change, has_ids):
    frame = rows() if has_ids else rows()[:, 1:]
    assert log_estimates(scored(change(frame))).digest != log_estimates(scored(frame)).digest


def test_drawing_asks_for_no_labels(drawn):
    frame = rows().with_columns(label=pl.lit("eggs"))  # no class of this log
    again = draw_sample(scored(frame), DESIGN, seed=5)
    assert again.examination.items.tolist() == drawn.examination.items.tolist()
    assert again.examination.digest == drawn.examination.digest
    with pytest.raises(LogError, match="'label' says 'eggs' in row 0"):
        find_cases(scored(frame), again.examination)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("most", [0, 1000])
def test_costs_that_are_not_kept_are_made_again(method, most, monkeypatch):
    design = ExaminationDesign(method, 40, 4)
    whole = draw_sample(scored(), design, seed=5)
    monkeypatch.setattr(scored_tables, "_ROWS", 20)
    monkeypatch.setattr(examinations, "_ROWS", 30)
    monkeypatch.setattr(cost_batches, "_KEPT", most)
    drawn = draw_sample(scored(), design, seed=5)
    assert drawn.examination.items.tolist() == whole.examination.items.tolist()
    assert drawn.examination.digest == whole.examination.digest
    assert drawn.cells.equals(whole.cells)
    texts = [f"text of {item[5:]}" for item in drawn.examination.items]
    assert drawn.cells["text"].to_list() == texts
    bare = draw_sample(scored(), design, seed=5, show=[])
    assert bare.examination.items.tolist() == whole.examination.items.tolist()


def test_a_column_that_is_to_say_what_is_right_may_be_empty():
    frame = rows().select("id", "text", confidence="proba_spam", correct=pl.lit(None, pl.String))
    log = scored(frame, label="correct", proba="confidence")
    assert log.classes == ("false", "true")
    drawn = draw_sample(log, DESIGN, seed=5)
    sure = dict(zip(frame["id"], frame["confidence"], strict=True))
    judged = file_of(drawn).with_columns(
        label=pl.Series("label", [str(sure[item] > 0.5) for item in drawn.examination.items])
    )
    sample = read_sample(open_table(judged)).in_classes(log.classes)
    found = find_cases(log, sample.examination)
    assert set(sample.labels) == {"false", "true"}
    assert_array_equal(found.decisions, [label == "true" for label in sample.labels])
    known = frame.with_columns(correct=pl.col("confidence") > 0.5)
    assert log_estimates(scored(known, label="correct", proba="confidence")).digest == (
        drawn.examination.digest
    )
    with pytest.raises(LogError, match="needs two classes, but 0 occur"):
        scored(frame.rename({"correct": "verdict"}), label="verdict", proba="confidence")


def test_the_fingerprint_sees_what_is_decided(tmp_path):
    frame = rows().drop("id")
    other = frame.with_columns(prediction=pl.lit("ham"))
    assert log_estimates(scored(frame)).digest != log_estimates(scored(other)).digest
    frame.write_csv(tmp_path / "log.csv")
    frame.write_parquet(tmp_path / "log.parquet")
    digests = [
        log_estimates(scored(tmp_path / f"log.{kind}")).digest for kind in ("csv", "parquet")
    ]
    assert digests == [log_estimates(scored(frame)).digest] * 2


def test_rows_without_ids_are_numbered_through(monkeypatch):
    monkeypatch.setattr(scored_tables, "_ROWS", 37)
    log = scored(rows().drop("id"))
    drawn = draw_sample(log, DESIGN, seed=5)
    texts = [f"text of {item}" for item in drawn.examination.items]
    assert drawn.cells["text"].to_list() == texts
    found = find_cases(log, read_sample(open_table(file_of(drawn))).examination)
    assert found.cells["text"].to_list() == texts
    assert found.n_items == 300


def test_progress_is_told_of_both_passes():
    told = []
    draw_sample(scored(), DESIGN, 0, progress=told.append)
    assert told == [300, 600]


def test_the_file_is_read_back_as_it_was_drawn(drawn):
    sample = read_sample(open_table(file_of(drawn)))
    one, two = drawn.examination, sample.examination
    assert two.items.tolist() == one.items.tolist() == list(sample.items)
    for name in ("bins", "sizes"):
        assert_array_equal(getattr(two, name), getattr(one, name))
    np.testing.assert_allclose(two.edges, one.edges, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(two.inclusion, one.inclusion)
    assert (two.method, two.seed, two.digest) == ("stratified", 5, one.digest)
    assert set(sample.labels) == set(sample.judges) == {None}


def test_rows_may_be_sorted_and_doubled_for_a_second_judge(drawn):
    file = file_of(drawn).with_columns(label=pl.lit("SPAM"), judge=pl.lit("Ann"))
    both = pl.concat([file, file.with_columns(label=pl.lit("ham"), judge=pl.lit("Bob"))]).sort("id")
    sample = read_sample(open_table(both))
    assert len(sample.items) == 80
    assert sample.examination.items.tolist() == drawn.examination.items.tolist()
    assert set(sample.judges) == {"Ann", "Bob"}


def test_labels_are_read_as_the_log_writes_them(drawn):
    file = file_of(drawn).with_columns(label=pl.lit("1.0"))
    assert set(read_sample(open_table(file)).in_classes(["0", "1"]).labels) == {"1"}
    with pytest.raises(LogError, match=r"'1.0', which is not among the classes 'ham', 'spam'"):
        read_sample(open_table(file)).in_classes(["ham", "spam"])


def test_a_file_without_the_judges_names(drawn):
    assert set(read_sample(open_table(file_of(drawn).drop("judge"))).judges) == {None}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: f.drop("inclusion"), "no column 'inclusion'"),
        (lambda f: f[1:], "case 1 of the 40 drawn is missing; keep every row"),
        (lambda f: f[:-1], "case 40 of the 40 drawn is missing"),
        (
            lambda f: f.with_columns(
                order=pl.when(pl.col("order") == "7").then(pl.lit("99")).otherwise("order")
            ),
            "case 7 of the 40",
        ),
        (
            lambda f: pl.concat([f, f[:1].with_columns(order=pl.lit("41"), id=pl.lit("new"))]),
            "the case 'new' was not drawn",
        ),
        (
            lambda f: pl.concat([f, f[:1].with_columns(id=pl.lit("new"))]),
            "two rows for the case 'new' differ",
        ),
        (
            lambda f: f.with_columns(
                id=pl.when(pl.col("order") == "2").then(pl.lit(f["id"][0])).otherwise("id")
            ),
            "two cases of the order have one id",
        ),
        (lambda f: f.with_columns(size=pl.lit("many")), "'size' must hold numbers as they were"),
        (lambda f: f.with_columns(order=pl.lit(None, pl.String)), "'order' must hold numbers"),
        (lambda f: f.with_columns(bin=pl.lit("9")), "bins are numbered from 1 to 4; got 9"),
        (lambda f: f.with_columns(method=pl.lit("guess")), "the method must be one of"),
    ],
)
def test_a_file_that_was_tampered_with(drawn, change, message):
    with pytest.raises(LogError, match=message):
        read_sample(open_table(change(file_of(drawn))))


def test_the_cases_are_found_in_the_order_of_judging(drawn, monkeypatch):
    monkeypatch.setattr(scored_tables, "_ROWS", 37)
    found = find_cases(scored(), drawn.examination)
    frame = rows()
    at = [int(item[5:]) for item in drawn.examination.items]
    assert_array_equal(found.proba[:, 1], frame["proba_spam"].to_numpy()[at])
    assert_array_equal(found.labels == 1, frame["label"].to_numpy()[at] == "spam")
    assert_array_equal(found.decisions, found.proba[:, 1] > 0.5)
    assert found.cells["text"].to_list() == drawn.cells["text"].to_list()


def test_another_log_or_other_costs_are_refused(drawn):
    with pytest.raises(InputError, match="drawn from another log"):
        find_cases(scored(rows(seed=1)), drawn.examination)
    costs = CostMatrix(["ham", "spam"], [[0, 5], [1, 0]])
    with pytest.raises(InputError, match="give the costs"):
        find_cases(scored(costs=costs), drawn.examination)


def test_a_case_twice_in_the_log_is_refused(monkeypatch):
    monkeypatch.setattr(scored_tables, "_ROWS", 100)  # in one batch it is seen earlier
    frame = pl.concat([rows(100), rows(100).with_columns(text=pl.lit("again"))])
    with pytest.raises(LogError, match="two of the cases drawn have one id"):
        draw_sample(scored(frame), ExaminationDesign("random", 200), 0)
    drawn = draw_sample(scored(frame[:150]), ExaminationDesign("random", 1), 3)
    examination = SimpleNamespace(**vars(drawn.examination))
    log = scored(frame)
    examination.digest = log_estimates(log).digest
    examination.items = np.array(["case 3"], dtype=object)
    with pytest.raises(LogError, match="more than once in the log"):
        find_cases(log, examination)


def test_labelled_cases():
    frame = rows().with_columns(
        label=pl.when(pl.col("label") == "ham").then(None).otherwise("label")
    )
    told = []
    found = find_labelled_cases(scored(frame), progress=told.append)
    assert (found.n_items, told) == (300, [300])
    assert set(found.labels.tolist()) == {1}
    assert len(found.labels) == (rows()["label"] == "spam").sum() == found.cells.height


def test_judges_do_not_see_what_the_model_says():
    frame = rows().with_columns(prediction=pl.lit("ham"), confidence=pl.lit(0.5))
    assert scored(frame).others == ("text",)
    assert draw_sample(scored(frame), DESIGN, 0, show=[]).cells.width == 0
    with pytest.raises(UnknownColumnError, match="'txt'; did you mean 'text'"):
        draw_sample(scored(frame), DESIGN, 0, show=["txt"])


@pytest.mark.parametrize("name", ["label", "bin", "seed"])
def test_a_column_with_a_name_of_the_samples_own_is_refused(name):
    assert name in OWN_COLUMNS
    frame = rows().drop("label").rename({"text": name})
    with pytest.raises(LogError, match=f"{name!r} cannot be shown to judges"):
        draw_sample(scored(frame, label=None), DESIGN, 0, show=[name])


def test_decisions_that_are_really_made_count():
    frame = rows().with_columns(
        blocked=pl.when(pl.col("proba_spam") > 0.2).then(pl.lit("spam")).otherwise(pl.lit("ham"))
    )
    log = scored(frame, decision="blocked")
    p = frame["proba_spam"].to_numpy()
    found = find_labelled_cases(log)
    assert_array_equal(found.decisions, p > 0.2)
    np.testing.assert_allclose(found.estimated, np.where(p > 0.2, 1 - p, p))
    assert "blocked" not in log.others


@pytest.mark.parametrize("bad", [None, "eggs"])
def test_a_decision_that_is_none_is_refused(bad, monkeypatch):
    monkeypatch.setattr(scored_tables, "_ROWS", 100)
    decided = ["ham"] * 300
    decided[250] = bad
    log = scored(rows().with_columns(prediction=pl.Series(decided)))
    with pytest.raises(LogError, match=rf"one of 'ham', 'spam'; row 250 has {bad!r}"):
        find_labelled_cases(log)
    with pytest.raises(UnknownColumnError, match="'decided'"):
        scored(decision="decided")


def test_too_many_cases_are_refused():
    with pytest.raises(InputError, match="500 cases are to be judged, but the log has only 300"):
        draw_sample(scored(), ExaminationDesign(n=500), 0)


def test_a_log_without_probabilities_or_rows_is_refused():
    frame = rows().with_columns(prediction=pl.lit("ham"), confidence=pl.lit(0.5))
    with pytest.raises(LogError, match="has no probabilities"):
        scored(frame.drop("proba_ham", "proba_spam"))
    with pytest.raises(LogError, match="not a single row"):
        log_estimates(scored(rows()[:0]))


def test_costs_of_other_classes_are_refused():
    with pytest.raises(CostsError, match="the costs do not fit the log"):
        scored(costs=CostMatrix.zero_one(["yes", "no"]))
    assert json.loads(scored(costs=CostMatrix.zero_one(["spam", "ham"])).costs.to_json())[
        "classes"
    ] == ["ham", "spam"]


def test_one_column_of_probabilities_takes_its_classes_from_the_labels():
    frame = rows().rename({"proba_spam": "proba"}).drop("proba_ham")
    assert scored(frame).classes == ("ham", "spam")
    assert scored(frame, classes=["a", "b"], label=None).classes == ("a", "b")
