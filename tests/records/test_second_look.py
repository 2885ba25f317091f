"""Tables that a reading leaves unexplained: each is asked about, and what needs no question is not."""

import random

import polars as pl
import pytest

from askpoint.records.readers.reading import Choices
from askpoint.records.readers.registry import read_files
from askpoint.records.roles import column_facts

N = 160


def columns(classes, *shares, seed=1):
    rng = random.Random(seed)
    truth = [rng.choice(classes) for _ in range(N)]
    wrong = {v: [c for c in classes if c != v] for v in classes}
    made = [[v if rng.random() < s else rng.choice(wrong[v]) for v in truth] for s in shares]
    return rng, truth, *made


def read(tmp_path, table, **choices):
    path = tmp_path / "log.csv"
    pl.DataFrame(table).write_csv(path)
    return read_files([path], Choices(**choices))


def test_a_number_that_tells_the_only_label_is_asked_about_on_any_scale(tmp_path):
    rng, truth = columns(("negative", "positive"))
    score = [round(rng.gauss(0.8 if t == "positive" else -0.8, 0.5), 3) for t in truth]
    table = {"text": [f"t {i}" for i in range(N)], "valence": score, "human_label": truth}
    doubt = read(tmp_path, table).open_doubt
    assert doubt.option == "--kind"
    assert "--label human_label --proba valence --scores softmax" in doubt.what
    assert read(tmp_path, table, kind="votes").open_doubt is None


def test_but_a_number_that_tells_nothing_is_not(tmp_path):
    rng, _, one, two, three = columns(("a", "b"), 0.9, 0.8, 0.8)
    table = {"ann": one, "bo": two, "cy": three, "ratio": [round(rng.random(), 3) for _ in one]}
    reading = read(tmp_path, table)
    assert (reading.open_doubt, reading.judges) == (None, ("ann", "bo", "cy"))


def test_a_model_with_a_score_among_people_is_asked_about(tmp_path):
    rng, truth, a, b, ai = columns(("benign", "malignant"), 0.9, 0.9, 0.8)
    sure = [
        round(0.5 + 0.3 * (x == t) + 0.2 * rng.random(), 3) for x, t in zip(ai, truth, strict=True)
    ]
    doubt = read(tmp_path, {"ai": ai, "ai_p": sure, "doc_a": a, "doc_b": b}).open_doubt
    assert doubt.option == "--kind"
    assert "--prediction ai --confidence ai_p" in doubt.what


def test_a_column_that_says_nothing_in_common_with_the_judges_is_asked_about(tmp_path):
    rng, _, one, two = columns(("cat", "dog"), 0.9, 0.9)
    odd = [rng.choice(("cat", "dog")) for _ in one]
    doubt = read(tmp_path, {"anna": one, "bea": two, "wish": odd}).open_doubt
    assert doubt.option == "--judges"
    assert "wish says nothing in common" in doubt.what
    assert "--judges anna,bea)" in doubt.what


def test_one_adjudicator_beside_two_reviewers_is_asked_about(tmp_path):
    _, truth, one, two = columns(("include", "exclude"), 0.9, 0.85)
    table = {"Reviewer 1": one, "Reviewer 2": two, "Adjudicated": truth}
    assert read(tmp_path, table).open_doubt.option == "--gold"
    assert read(tmp_path, table, gold="Adjudicated").gold.source == "Adjudicated"


def test_labels_that_are_called_like_an_answer_are_asked_about_where_there_are_no_others(tmp_path):
    rng, truth, said = columns(("no", "yes"), 0.8)
    p = [round(0.25 + 0.3 * (v == "yes") + 0.2 * rng.random(), 3) for v in said]
    table = {
        "PredictedValue": said,
        "PredictedProbability_1": [1 - x for x in p],
        "PredictedProbability_2": p,
        "response": truth,
    }
    assert read(tmp_path, table).open_doubt.option == "--label"


def test_a_score_that_neither_name_nor_values_speak_for_is_asked_about(tmp_path):
    rng, truth, said = columns(("no", "yes"), 0.8)
    table = {
        "truth": truth,
        "prediction": said,
        "stuff": [round(rng.random() / 2 + 0.5, 3) for _ in truth],
    }
    assert read(tmp_path, table).open_doubt.option == "--confidence"


def test_reviewers_with_a_row_for_each_verdict_are_judges(tmp_path):
    _, _, *own = columns(("ok", "bad"), 0.9, 0.8, 0.85)
    rows = [
        {"case no": f"c{i}", "reviewer": who, "verdict": votes[i]}
        for i in range(N)
        for who, votes in zip(("kim", "jo", "pat"), own, strict=True)
    ]
    assert set(read(tmp_path, rows).judges) == {"kim", "jo", "pat"}


def test_who_reviewed_a_case_once_is_no_judge(tmp_path):
    rng, truth, said = columns(("ok", "bad"), 0.8)
    sure = [
        round(0.5 + 0.2 * (a == b) + 0.3 * rng.random(), 3)
        for a, b in zip(said, truth, strict=True)
    ]
    who = [rng.choice(("kim", "jo")) for _ in truth]
    table = {
        "case": [f"c{i}" for i in range(N)],
        "prediction": said,
        "confidence": sure,
        "reviewer": who,
        "truth": truth,
    }
    reading = read(tmp_path, table)
    assert (reading.kind, reading.label, reading.open_doubt) == ("predictions", "truth", None)


def test_a_number_that_tells_where_a_judge_is_right_is_asked_about_beside_other_labels(tmp_path):
    rng, truth, said = columns(("travel", "food"), 0.75)
    old = [rng.choice(("travel", "food")) for _ in truth]
    match = [rng.randint(300, 600) + 300 * (a == b) for a, b in zip(said, truth, strict=True)]
    table = {
        "suggested account": said,
        "strength": match,
        "booked account": truth,
        "previous label": old,
    }
    assert read(tmp_path, table).open_doubt is not None


def test_a_judge_named_like_something_else_is_asked_about_and_not_dropped(tmp_path):
    _, _, *own = columns(("default", "paid"), 0.9, 0.85, 0.9)
    made = dict(zip(("llama", "qwen", "command-a"), own, strict=True))
    for share in (N, 40):  # with few rows it says too little in common to be taken unasked
        reading = read(tmp_path, {name: votes[:share] for name, votes in made.items()})
        assert set(reading.judges) == set(made) or reading.open_doubt.option == "--judges"


@pytest.mark.parametrize(
    ("name", "role"),
    [("sentiment", "number"), ("candidate", "number"), ("neural_x", "number"),
     ("totalCost", "measure"), ("eventTime", "time"), ("created", "time"), ("update_date", "time")],
)  # fmt: skip
def test_a_word_within_a_word_is_no_time_and_no_cost(name, role):
    values = pl.Series(name, [i / 7 for i in range(100)])
    assert column_facts(values).role == role
