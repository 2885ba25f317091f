"""Tables that a reading leaves unexplained: each is asked about, and what needs no question is not."""

import random

import polars as pl
import pytest
from bench_readings import is_right, make_table, read_as
from stranger_cases import save
from stranger_formats import FILES

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


def few(table, n=20):
    return {name: values[:n] for name, values in table.items()}


# what was once read as something else in silence: the seed and the number of a table of bench_readings.py
MISREAD = [(11, 353), (11, 612), (11, 987), (11, 1003), (11, 1035), (12, 96), (12, 841), (12, 848), (12, 931), (31, 37), (31, 247),
           (31, 293), (31, 501), (31, 884), (31, 959), (31, 1099), (31, 1489)]  # fmt: skip


@pytest.mark.parametrize(("seed", "place"), MISREAD)
def test_a_small_table_with_a_column_of_the_same_labels_is_right_or_asked(tmp_path, seed, place):
    made = make_table(random.Random(f"{seed}/{place}"), hard=True)
    path = tmp_path / "table.csv"
    pl.DataFrame(made.rows, infer_schema_length=None).write_csv(path)
    found = read_as(path)
    assert found is None or is_right(made, found)


@pytest.mark.parametrize("name", ["score", "zz"])
def test_another_number_that_is_called_or_looks_like_a_confidence_is_asked_about(tmp_path, name):
    rng, truth, said = columns(("cat", "dog"), 0.9)
    rank = [
        round(0.2 + 0.3 * (a == b) + 0.5 * rng.random(), 3)
        for a, b in zip(said, truth, strict=True)
    ]
    table = {
        "truth": truth,
        "prediction": said,
        "share_x": rank,
        name: [round(0.5 + rng.random() / 2, 3) for _ in truth],
    }
    doubt = read(tmp_path, table).open_doubt
    assert (doubt.option, name in doubt.what) == ("--confidence", True)
    assert read(tmp_path, table, confidence="share_x").confidence == "share_x"


def test_a_bare_p_is_the_confidence_of_answers_that_it_does_not_cut(tmp_path):
    rng, truth, said = columns(("no", "yes"), 0.8)
    p = [round(0.65 + rng.random() / 3, 3) for _ in truth]
    reading = read(tmp_path, {"model_output": said, "qa_result": truth, "p": p})
    assert (reading.confidence, reading.probabilities) == ("p", {})
    own = [x if v == "yes" else 1 - x for x, v in zip(p, said, strict=True)]
    assert read(tmp_path, {"model_output": said, "qa_result": truth, "p": own}).confidence is None


def test_probabilities_that_say_nothing_of_a_column_are_asked_about(tmp_path):
    rng, truth, other = columns(("ok", "bad"), 0.5)
    p = [round(0.1 + 0.8 * (v == "ok") * rng.random(), 3) for v in truth]
    table = {"proba_ok": p, "proba_bad": [round(1 - x, 3) for x in p], "last_year": other}
    doubt = read(tmp_path, table).open_doubt
    assert (doubt.option, "last_year" in doubt.what) == ("--label", True)
    assert read(tmp_path, table, label="last_year").open_doubt is None
    assert read(tmp_path, table | {"last_year": truth}).open_doubt is None


def test_a_column_that_agrees_with_one_judge_of_several_is_asked_about(tmp_path):
    rng, _, one, two, three = columns(("cat", "dog"), 0.9, 0.85, 0.9)
    like = [v if rng.random() < 0.9 else "cat" for v in two]
    rest = [rng.choice(("cat", "dog")) for _ in one]
    table = {"judge_1": one, "judge_2": three, "judge_3": rest, "bo": rest, "last_year": like}
    doubt = read(tmp_path, few(table, 40) | {"bo": two[:40], "last_year": rest[:40]}).open_doubt
    assert (doubt.option, "last_year says little in common" in doubt.what) == ("--judges", True)


def test_labels_that_are_missing_in_many_rows_are_no_voters(tmp_path):
    made = FILES["argilla_one_pandas"](random.Random("1/argilla_one_pandas"))
    found = read_as(save(made, tmp_path, "log"))
    assert found is None or found["kind"] == "predictions"


def test_a_column_named_for_an_annotator_beside_its_namesake_is_asked_about(tmp_path):
    _, truth, said = columns(("relevant", "unrelated"), 0.9)
    doubt = read(tmp_path, {"label": said, "annotator_label": truth}).open_doubt
    assert (doubt.option, "annotator_label" in doubt.what) == ("--gold", True)


@pytest.mark.parametrize(
    ("name", "role"),
    [("sentiment", "number"), ("candidate", "number"), ("neural_x", "number"),
     ("totalCost", "measure"), ("eventTime", "time"), ("created", "time"), ("update_date", "time")],
)  # fmt: skip
def test_a_word_within_a_word_is_no_time_and_no_cost(name, role):
    values = pl.Series(name, [i / 7 for i in range(100)])
    assert column_facts(values).role == role


def sure_of(rng, answer, truth, high=0.9):
    """A confidence that is higher where the answer is the truth."""
    pairs = zip(answer, truth, strict=True)
    return [round(rng.uniform(0.5, high) + 0.09 * (a == t), 3) for a, t in pairs]


def test_a_score_named_after_the_label_is_asked_about(tmp_path):
    rng, truth, said = columns(("toxic", "fine"), 0.8)
    table = {"small_label": said, "big_label": truth, "small_conf": sure_of(rng, said, truth)}
    found = read(tmp_path, table, label="small_label")
    assert found.prediction == "big_label"  # who names the label is not asked for it again
    assert found.open_doubt is None
    doubt = read(tmp_path, table).open_doubt
    assert doubt.option == "--label"


def test_a_label_that_another_model_gave_is_asked_about(tmp_path):
    rng, truth, said = columns(("toxic", "fine"), 0.8)
    table = {"gpt4_label": truth, "small_pred": said, "small_conf": sure_of(rng, said, truth)}
    doubt = read(tmp_path, table).open_doubt
    assert doubt.option == "--label"
    named = read(tmp_path, table, label="gpt4_label")
    assert (named.open_doubt, named.prediction) == (None, "small_pred")


def test_a_distance_that_is_lower_where_two_columns_agree_is_asked_about(tmp_path):
    rng, truth, said = columns(("cat", "dog"), 0.7)
    far = [round(2 * (1.5 - x), 3) for x in sure_of(rng, said, truth, 0.8)]
    doubt = read(tmp_path, {"nearest": said, "distance": far, "true_item": truth}).open_doubt
    assert (doubt.option, "how unsure" in doubt.what) == ("--kind", True)


@pytest.mark.parametrize(
    ("name", "asks"),
    [("is_bot", False), ("ai_generated", False), ("machine failure", False), ("command", False),
     ("gpt_4", True), ("model_label", True), ("bot", True)],
)  # fmt: skip
def test_a_label_that_says_what_a_case_may_be_is_no_machines_answer(tmp_path, name, asks):
    rng = random.Random(7)
    sure = [rng.uniform(0.5, 1) for _ in range(N)]
    said = [rng.choice("01") for _ in sure]
    truth = [a if rng.random() < c else str(1 - int(a)) for a, c in zip(said, sure, strict=True)]
    reading = read(tmp_path, {"prediction": said, "confidence": sure, name: truth})
    assert (reading.open_doubt is not None) == asks
    assert asks or (reading.label, reading.prediction) == (name, "prediction")


def test_a_rank_that_is_lower_where_answers_are_right_is_asked_about(tmp_path):
    rng, truth, model = columns(("yes", "no"), 0.7)
    sure = sure_of(rng, model, truth)
    order = sorted(range(N), key=lambda i: -sure[i])
    rank = [order.index(i) + 1 for i in range(N)]
    table = {"responsive (model)": model, "rank": rank, "responsive (attorney)": truth}
    doubt = read(tmp_path, table).open_doubt
    assert doubt.option == "--kind"
    assert "rank is lower where" in doubt.what
    numbered = {**table, "rank": list(range(1, N + 1))}
    assert read(tmp_path, numbered).open_doubt is None


@pytest.mark.parametrize(
    "cell", ["red: {0:.2f}; blue: {1:.2f}", "red ({2:.0f}%), blue ({3:.0f}%)", "red={0:.3f}"]
)
def test_cells_that_name_labels_with_numbers_are_asked_about(cell, tmp_path):
    rng, truth, best = columns(("red", "blue"), 0.8)
    ps = [rng.random() for _ in truth]
    cells = [cell.format(p, 1 - p, 100 * p, 100 - 100 * p) for p in ps]
    for table in (
        {"probs": cells, "annotator": truth},
        {"top": cells, "best": best, "final": truth},
    ):
        doubt = read(tmp_path, table).open_doubt
        assert "name labels with numbers" in doubt.what
    texts = [f"case {i} was reddish, not blue" for i in range(N)]
    assert read(tmp_path, {"text": texts, "annotator": truth}).open_doubt is None


def test_words_of_being_sure_are_asked_about_whatever_their_column_is_called(tmp_path):
    rng, truth, verdict = columns(("true", "false"), 0.8)
    stated = [rng.choice(["unlikely", "likely", "almost certain"]) for _ in truth]
    part = [t if i % 4 else None for i, t in enumerate(truth)]
    table = {"verdict": verdict, "stated": stated, "factcheck": part}
    assert "--confidence stated" in read(tmp_path, table).open_doubt.what
    assert "how sure verdict was" in read(tmp_path, table).open_doubt.what
    urgent = {**table, "stated": [rng.choice(["low", "high"]) for _ in truth]}
    assert "stated" not in str(read(tmp_path, urgent).open_doubt)


def test_a_fraction_named_after_a_judge_called_model_is_asked_about(tmp_path):
    rng, truth, model, one, two = columns(("keep", "remove"), 0.8, 0.9, 0.9)
    table = {
        "model": model,
        "p(model)": [round(rng.uniform(0.5, 1), 3) for _ in truth],
        "KL": [v if i % 2 else None for i, v in enumerate(one)],
        "SR": [None if i % 2 else v for i, v in enumerate(two)],
        "final adjudication": truth,
    }
    assert "--confidence 'p(model)'" in read(tmp_path, table).open_doubt.what


def test_labels_that_were_filled_in_with_the_answer_are_asked_about(tmp_path):
    rng, truth, said = columns(("A1", "B2", "C3"), 0.7)
    sure = [round(rng.uniform(0.4, 1), 3) for _ in truth]
    who = [rng.choice(["ak", "jb"]) if rng.random() < 0.5 else None for _ in truth]
    final = [t if w else s for t, s, w in zip(truth, said, who, strict=True)]
    table = {"suggested": said, "suggested_conf": sure, "final": final, "reviewed_by": who}
    doubt = read(tmp_path, table).open_doubt
    assert f"on all {who.count(None)} rows without reviewed_by" in doubt.what
    assert read(tmp_path, table, label="final").open_doubt is None
    assert read(tmp_path, {**table, "final": truth}).open_doubt is None
    reason = [None if f == s else "wrong" for f, s in zip(truth, said, strict=True)]
    noted = {**table, "final": truth, "reviewed_by": reason}
    assert read(tmp_path, noted).open_doubt is None


def test_a_risk_of_error_is_not_asked_about_as_a_confidence(tmp_path):
    rng, truth, said = columns(("DE", "FR", "IT"), 0.75)
    risk = [round(0.4 * rng.random() + 0.3 * (a != t), 3) for a, t in zip(said, truth, strict=True)]
    doubt = read(tmp_path, {"lang": said, "risk_of_error": risk, "human": truth}).open_doubt
    assert "risk_of_error is lower where" in doubt.what


def test_lines_of_a_total_and_an_average_are_no_cases(tmp_path):
    rng, truth, said = columns(("Genuine", "Fraud"), 0.8)
    table = {
        "Case": [*map(str, range(N)), "Total", "Average"],
        "Value": [*(rng.randint(1000, 9000) for _ in truth), 4_512_300, 30_082],
        "System": [*said, None, None],
        "Sure %": [*(rng.randint(50, 99) for _ in truth), None, 73],
        "Investigator": [*truth, None, None],
    }
    reading = read(tmp_path, table)
    assert (reading.items, reading.label) == (N, "Investigator")
    named = {
        "word": [*map(str, range(N)), "mean"],
        "said": [*said, "Fraud"],
        "human": [*truth, "Fraud"],
    }
    assert read(tmp_path, named).items == N + 1
