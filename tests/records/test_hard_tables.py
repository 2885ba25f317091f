"""Tables that were once read as something else without a word: each is read right, or asked about."""

import csv
import io
import json
import random

import numpy as np
import pytest

from askpoint.errors import LogError
from askpoint.records.readers.reading import Choices
from askpoint.records.readers.registry import read_files
from askpoint.records.readers.scores import rounding_of

N = 150


def write(folder, rows, name="log.csv"):
    text = io.StringIO()
    table = csv.DictWriter(text, list(rows[0]))
    table.writeheader()
    table.writerows(rows)
    path = folder / name
    path.write_text(text.getvalue(), encoding="utf-8")
    return path


def flip(rng, truth, classes, share):
    return [
        v if rng.random() < share else rng.choice([c for c in classes if c != v]) for v in truth
    ]


def panel(names, classes=("pass", "fail"), shares=(0.85, 0.8, 0.75), seed=1):
    rng = random.Random(seed)
    truth = [rng.choice(classes) for _ in range(N)]
    return (
        rng,
        truth,
        {n: flip(rng, truth, classes, s) for n, s in zip(names, shares, strict=False)},
    )


def rows_of(columns):
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def test_a_flag_beside_verdicts_in_words_is_no_judge(tmp_path):
    rng, _, votes = panel(["gpt", "claude", "gemini"])
    flag = [rng.randint(0, 1) for _ in range(N)]
    reading = read_files([write(tmp_path, rows_of({**votes, "is_paid": flag}))])
    assert reading.judges == ("gpt", "claude", "gemini")


def test_but_a_judge_who_writes_one_and_zero_is(tmp_path):
    _, _, votes = panel(["m1", "m2", "m3"], shares=(0.9, 0.9, 0.9))
    votes["m3"] = [int(v == "pass") for v in votes["m3"]]
    assert read_files([write(tmp_path, rows_of(votes))]).judges == ("m1", "m2", "m3")


def test_what_is_always_the_majority_is_no_truth_whatever_it_is_called(tmp_path):
    names = [f"ann{i}" for i in range(5)]
    _, _, votes = panel(names, shares=(0.85, 0.8, 0.75, 0.7, 0.7))
    final = [max(("pass", "fail"), key=row.count) for row in zip(*votes.values(), strict=True)]
    reading = read_files([write(tmp_path, rows_of({**votes, "final_label": final}))])
    assert (reading.judges, reading.gold) == (tuple(names), None)


def test_one_who_looked_at_part_of_the_rows_is_a_person_if_only_she_is_called_a_judge(tmp_path):
    _, truth, votes = panel(["j0", "j1", "j2"])
    part = [v if i % 3 else "" for i, v in enumerate(truth)]
    reading = read_files([write(tmp_path, rows_of({**votes, "assessor": part}))])
    assert reading.judges == ("j0", "j1", "j2")
    assert reading.gold.source == "assessor"


def test_an_annotator_beside_a_model_is_a_person(tmp_path):
    _, truth, votes = panel(["gpt4_judgement"])
    reading = read_files([write(tmp_path, rows_of({**votes, "annotator_judgement": truth}))])
    assert reading.judges == ("gpt4_judgement",)
    assert reading.gold.source == "annotator_judgement"


def test_a_judge_named_like_a_tool_is_one_if_it_votes_like_one(tmp_path):
    _, _, votes = panel(["gpt-4o", "claude-3", "command-r"])
    assert len(read_files([write(tmp_path, rows_of(votes))]).judges) == 3


def test_a_number_that_knows_the_only_label_is_asked_about(tmp_path):
    rng, truth, _ = panel([])
    noise = [round(rng.random(), 3) for _ in truth]
    known = [
        round(min(1, max(0, 0.3 + 0.3 * (v == "pass") + 0.3 * rng.random())), 3) for v in truth
    ]
    rows = rows_of({"TOXICITY": known, "INSULT": noise, "rater": truth})
    assert read_files([write(tmp_path, rows)]).open_doubt.option == "--proba"


def test_a_number_of_any_scale_that_knows_where_two_agree_is_asked_about(tmp_path):
    rng, truth, votes = panel(["decision_model"], shares=(0.75,))
    sure = [
        rng.randint(300, 900) + 300 * (a == b)
        for a, b in zip(truth, votes["decision_model"], strict=True)
    ]
    rows = rows_of({**votes, "strength": sure, "decision_human": truth})
    assert read_files([write(tmp_path, rows)]).open_doubt.option == "--confidence"


def test_two_models_with_a_score_each_are_asked_about(tmp_path):
    rng, truth, votes = panel(["v1_label", "v2_label"], ("0", "1"))
    sure = {
        f"{name[:2]}_conf": [
            round(0.5 + 0.25 * (a == b) + 0.25 * rng.random(), 3)
            for a, b in zip(own, truth, strict=True)
        ]
        for name, own in votes.items()
    }
    with pytest.raises(LogError, match=r"two models.*--prediction v1_label --confidence v1_conf"):
        read_files([write(tmp_path, rows_of({"truth": truth, **votes, **sure}))])


def test_several_labels_with_a_probability_each_are_asked_about(tmp_path):
    rng = random.Random(3)
    rows = []
    for _ in range(N):
        a, b = rng.random(), rng.random()
        labels = {"toxic": int(rng.random() < a), "insult": int(rng.random() < b)}
        rows.append({**labels, "prob_toxic": round(a, 3), "prob_insult": round(b, 3)})
    with pytest.raises(LogError, match=r"several labels a row.*--label toxic --proba prob_toxic"):
        read_files([write(tmp_path, rows)])


def long(names):
    _, truth, votes = panel(names[:-1])
    votes[names[-1]] = truth
    return [
        {"doc": f"d{i}", "rater": n, "verdict": v[i]} for i in range(N) for n, v in votes.items()
    ]


def test_rows_of_a_person_are_labels_where_the_other_rows_are_of_models(tmp_path):
    rows = long(["gpt-4o", "claude", "qwen", "human_expert"])
    reading = read_files([write(tmp_path, rows)])
    assert reading.judges == ("gpt-4o", "claude", "qwen")
    assert (reading.gold.source, len(reading.gold.labels)) == ("human_expert", N)
    other = read_files([tmp_path / "log.csv"], Choices(gold="qwen"))
    assert other.judges == ("gpt-4o", "claude", "human_expert")


def test_rows_of_several_people_among_models_are_asked_about(tmp_path):
    path = write(tmp_path, long(["gpt-4o", "human_1", "human_2", "llm"]))
    with pytest.raises(LogError, match=r"human_1, human_2 look like people.*--gold.*--kind votes"):
        read_files([path])
    assert len(read_files([path], Choices(kind="votes")).judges) == 4


def test_users_who_label_once_an_item_are_judges_and_a_constant_is_none(tmp_path):
    rows = [
        {
            "user": row["rater"],
            "instance": row["doc"],
            "schema": "hate",
            "label": "hate" if row["verdict"] == "pass" else "none of it",
        }
        for row in long(["u1", "u2", "u3"])
    ]
    reading = read_files([write(tmp_path, rows)])
    assert (reading.items, reading.judges, reading.gold) == (N, ("u1", "u2", "u3"), None)


def test_numbered_responses_may_be_votes_so_it_asks(tmp_path):
    _, truth, votes = panel(["response 1", "response 2", "response 3"])
    path = write(tmp_path, rows_of({**votes, "gold answer": truth}))
    assert read_files([path]).open_doubt.option == "--kind"
    assert read_files([path], Choices(kind="predictions")).open_doubt is None


def test_two_whole_tables_are_refused_by_name(tmp_path):
    rng, truth, votes = panel(["pred"])
    sure = [
        round(0.5 + 0.25 * (a == b) + 0.25 * rng.random(), 3)
        for a, b in zip(truth, votes["pred"], strict=True)
    ]
    ids = range(N)
    write(tmp_path, rows_of({"id": ids, **votes, "conf": sure, "truth": truth}), "a.csv")
    rows = rows_of({"key": ids, "prediction": votes["pred"], "score": sure, "gold": truth})
    write(tmp_path, rows, "b.csv")
    with pytest.raises(LogError, match=r"a\.csv, b\.csv are two tables of different columns"):
        read_files([tmp_path])


def test_objects_in_cells_are_columns(tmp_path):
    _, truth, votes = panel(["gpt", "claude", "qwen"])
    rows = [
        {"votes": json.dumps(row), "truth": t} for row, t in zip(rows_of(votes), truth, strict=True)
    ]
    reading = read_files([write(tmp_path, rows)])
    assert reading.judges == ("votes.gpt", "votes.claude", "votes.qwen")
    assert reading.gold.source == "truth"


def test_numbers_of_one_digit_may_be_off_by_their_rounding(tmp_path):
    rng, rows = random.Random(2), []
    for _ in range(N):
        values = [rng.random() for _ in range(3)]
        a, b, c = (round(v / sum(values), 1) for v in values)
        rows.append({"p_a": a, "p_b": b, "p_c": c, "label": rng.choices("abc", values)[0]})
    sums = [row["p_a"] + row["p_b"] + row["p_c"] for row in rows]
    assert max(abs(s - 1) for s in sums) > 0.05
    reading = read_files([write(tmp_path, rows)])
    assert any("sums are off 1" in doubt.what for doubt in reading.doubts)
    frame = reading.frame.select("proba_a", "proba_b", "proba_c")
    assert all(abs(sum(row) - 1) < 1e-9 for row in frame.iter_rows())


def test_the_rounding_that_numbers_show_is_all_that_is_allowed():
    assert rounding_of(np.array([[0.3, 0.3, 0.3]])) == pytest.approx(0.15, abs=1e-5)
    assert rounding_of(np.array([[0.33, 0.3, 0.3]])) == 0.02
    assert rounding_of(np.full((1, 30), 0.1)) == 0.2


def test_the_lines_below_an_orange_header_are_no_cases(tmp_path):
    lines = ["x\tiris\tTree", "continuous\td\td", "\tclass\tmeta"]
    lines += [f"{i / 7}\t{'ab'[i % 2]}\t{'ab'[i % 3 % 2]}" for i in range(40)]
    (tmp_path / "o.tab").write_text("\n".join(lines), encoding="utf-8")
    assert read_files([tmp_path / "o.tab"], Choices(judges=("iris", "Tree"))).items == 40


def scores(kind):
    _, truth, votes = panel(["correct", "grounded"], ("1", "0"))
    rows = []
    for i in range(N):
        given = [(n, kind[0], v[i]) for n, v in votes.items()]
        given += [("correct", kind[1], truth[i])] if i % 3 else []
        rows += [(i, *part) for part in given]
    return rows


def test_a_csv_of_langfuse_scores_tells_people_by_the_source(tmp_path):
    rows = [
        {
            "id": k,
            "traceId": f"t{i}",
            "name": name,
            "source": source,
            "dataType": "BOOLEAN",
            "value": value,
        }
        for k, (i, name, source, value) in enumerate(scores(("EVAL", "ANNOTATION")))
    ]
    reading = read_files([write(tmp_path, rows)])
    assert (reading.tool, reading.gold.source, reading.items) == (
        "Langfuse",
        "source ANNOTATION",
        N,
    )


def test_a_csv_of_phoenix_annotations_tells_people_by_the_annotator_kind(tmp_path):
    rows = [
        {
            "span_id": f"s{i}",
            "name": "correct",
            "identifier": name,
            "annotator_kind": kind,
            "label": value,
        }
        for i, name, kind, value in scores(("LLM", "HUMAN"))
    ]
    reading = read_files([write(tmp_path, rows)])
    assert (reading.tool, reading.gold.source) == ("Phoenix", "annotator_kind HUMAN")


def test_the_column_on_which_rows_of_an_item_agree_is_the_vote(tmp_path):
    rng = random.Random(4)
    rows = [
        {
            "mail": row["doc"],
            "labelled_by": row["rater"],
            "device": rng.choice(["phone", "desk"]),
            "as": row["verdict"],
        }
        for row in long(["ann", "bob", "cy"])
    ]
    reading = read_files([write(tmp_path, rows)])
    assert set(reading.votes["ann"]) == {"pass", "fail"}


def test_features_of_yes_and_no_do_not_join_the_judges_by_way_of_the_truth(tmp_path):
    rng, truth, votes = panel(["rule_a", "rule_b", "rule_c"], ("true", "false"))
    weekend = [rng.choice(["true", "false"]) for _ in truth]
    rows = rows_of({"weekend": weekend, **votes, "confirmed_by_soc": truth})
    assert read_files([write(tmp_path, rows)]).judges == ("rule_a", "rule_b", "rule_c")


def test_one_column_beside_others_called_alike_is_asked_about(tmp_path):
    _, truth, votes = panel(["crowd1", "crowd2", "crowd3"])
    path = write(tmp_path, rows_of({**votes, "linguist": truth}))
    assert read_files([path]).open_doubt.option == "--gold"
    assert len(read_files([path], Choices(kind="votes")).judges) == 4


def test_a_rare_message_among_words_is_no_vote(tmp_path):
    _, truth, votes = panel(["a1", "b2", "c3"])
    votes["a1"][:5] = ["Content filtered"] * 5
    reading = read_files([write(tmp_path, rows_of({**votes, "truth": truth}))])
    assert set(reading.votes["a1"]) == {"pass", "fail"}
    assert sum(reading.missing["a1"].values()) == 5


def test_two_columns_of_labels_that_nothing_tells_apart_are_asked_about(tmp_path):
    rng, truth, votes = panel(["model", "berta"], ("x", "y"), (0.8, 0.85))
    sure = [
        round(0.5 + 0.25 * (a == b) + 0.25 * rng.random(), 3)
        for a, b in zip(truth, votes["model"], strict=True)
    ]
    rows = rows_of({"model": votes["model"], "score": sure, "anna": truth, "berta": votes["berta"]})
    assert read_files([write(tmp_path, rows)]).open_doubt.option == "--label"


def graded_log(column, words, seed=5):
    """Answers and scores, and whether who looked agreed; on half of the rows nobody looked."""
    rng = random.Random(seed)
    rows, right = [], []
    for i in range(N):
        right.append(rng.random() < 0.8)
        seen = words[right[-1]] if i % 2 else ""
        rows.append(
            {
                "id": i,
                "suggestion": rng.choice(["ham", "spam"]),
                "score": 0.5 + i / 400,
                column: seen,
            }
        )
    return rows, right


@pytest.mark.parametrize(
    ("column", "words"),
    [
        ("reviewer_agrees", ("FALSE", "TRUE")),
        ("overridden", ("yes", "no")),
        ("human_disagreed", (1, 0)),
    ],
)
def test_where_people_agree_an_answer_was_right(column, words, tmp_path):
    rows, right = graded_log(column, words)
    reading = read_files([write(tmp_path, rows)])
    said = reading.frame["label"].to_list()
    assert said == [("right" if r else "wrong") if i % 2 else None for i, r in enumerate(right)]
    told = next(doubt.what for doubt in reading.doubts if column in doubt.what)
    assert told.endswith("; leave it empty where nobody looked: a missing objection is not a check")


@pytest.mark.parametrize("top", [5, 10])
def test_marks_of_how_sure_it_was_are_taken_as_they_stand(top, tmp_path):
    rng, truth, _ = panel([])
    marks = [rng.randint(1, top) for _ in range(N)]
    other = {"pass": "fail", "fail": "pass"}
    said = [
        t if rng.random() < 0.5 + 0.5 * m / top else other[t]
        for t, m in zip(truth, marks, strict=True)
    ]
    columns = {"prediction": said, "confidence": marks, "label": truth}
    reading = read_files([write(tmp_path, rows_of(columns))])
    assert reading.open_doubt is None
    assert reading.frame["confidence"].to_list() == marks
    assert f"confidence is a scale of its own (1 to {top})" in str(reading.doubts)
    percent = {**columns, "confidence": [10 * m for m in marks]}
    reading = read_files([write(tmp_path, rows_of(percent))], Choices(confidence="confidence"))
    assert reading.frame["confidence"].to_list() == pytest.approx([m / 10 for m in marks])
    assert f"confidence is percent (10 to {10 * top}), divided by 100" in str(reading.doubts)


@pytest.mark.parametrize(
    ("column", "confidence"),
    [("self_confidence", "self_confidence"), ("spam_confidence", None)],
)
def test_a_confidence_is_called_after_whose_it_is_but_not_after_a_class(
    column, confidence, tmp_path
):
    rng = random.Random(3)
    rows = [
        {
            "id": i,
            "answer": rng.choice(["ham", "spam"]),
            column: rng.randint(5, 10),
            "correct": i % 2,
        }
        for i in range(N)
    ]
    log = write(tmp_path, rows)
    if confidence is None:
        with pytest.raises(LogError):
            read_files([log])
        return
    reading = read_files([log])
    assert reading.frame["confidence"].to_list() == [row[column] for row in rows]
    assert reading.frame["label"].to_list() == ["right" if i % 2 else "wrong" for i in range(N)]


def test_an_agreement_that_answers_of_yes_and_no_are_about_is_their_label(tmp_path):
    rng, truth, votes = panel(["predicted"], ("yes", "no"))
    columns = {**votes, "score": [round(rng.uniform(0.5, 1), 3) for _ in range(N)], "agreed": truth}
    reading = read_files([write(tmp_path, rows_of(columns))])
    assert (reading.label, reading.prediction) == ("agreed", "predicted")


def test_what_people_corrected_is_the_truth_of_what_was_read(tmp_path):
    rng = random.Random(7)
    rows = [
        {
            "doc": f"d{i // 5}",
            "field": ["iban", "total", "date", "name", "vat"][i % 5],
            "value": f"v{i}",
            "ocr_confidence": round(rng.uniform(0.5, 1), 3),
            "corrected_value": f"v{i}" if rng.random() < 0.8 else f"w{i}",
        }
        for i in range(N)
    ]
    log = write(tmp_path, rows)
    with pytest.raises(LogError, match=r"'corrected_value' has too many .* --scores compare"):
        read_files([log])
    reading = read_files([log], Choices(scores="compare"))
    right = [row["value"] == row["corrected_value"] for row in rows]
    assert reading.frame["label"].to_list() == ["right" if r else "wrong" for r in right]
    scores = [{k: v for k, v in row.items() if k != "ocr_confidence"} for row in rows]
    logs = [{**row, "avg_logprob": -rng.random()} for row in scores]
    log = write(tmp_path, logs, "logs.csv")
    with pytest.raises(LogError, match=r"'corrected_value' has too many .* --scores compare"):
        read_files([log])
    assert read_files([log], Choices(scores="compare")).confidence == "avg_logprob"
    amounts = [
        {**row, "value": i + 0.5, "corrected_value": i + 0.5 * right[i]}
        for i, row in enumerate(rows)
    ]
    log = write(tmp_path, amounts, "amounts.csv")
    with pytest.raises(LogError, match=r"a regression: .* --scores compare"):
        read_files([log])
    reading = read_files([log], Choices(scores="compare"))
    assert reading.frame["label"].to_list() == ["right" if r else "wrong" for r in right]


def test_a_second_model_whose_confidence_tells_nothing_is_asked_about(tmp_path):
    rng, truth, votes = panel(["large_pred"], shares=(0.95,))
    sure = [round(rng.uniform(0.5, 1), 3) for _ in range(N)]
    other = {"pass": "fail", "fail": "pass"}
    small = [t if rng.random() < s else other[t] for t, s in zip(truth, sure, strict=True)]
    columns = {
        "small_pred": small,
        "small_conf": sure,
        "large_pred": votes["large_pred"],
        "large_conf": [round(rng.uniform(0.8, 1), 3) for _ in range(N)],
        "label": truth,
    }
    doubt = read_files([write(tmp_path, rows_of(columns))]).open_doubt
    assert doubt is not None
    assert "answers of two models, small_pred with small_conf and large_pred" in doubt.what
    told = Choices(prediction="large_pred", confidence="large_conf")
    assert read_files([tmp_path / "log.csv"], told).open_doubt is None


def test_waiting_rows_are_no_labels_where_a_class_is_a_word_for_none(tmp_path):
    rng, truth, votes = panel(["bot"], ("valid", "invalid"))
    waiting = ["pending", "in review"]
    outcome = [t if i % 3 else waiting[i % 2] for i, t in enumerate(truth)]
    score = [round(rng.uniform(0.5, 1), 3) for _ in range(N)]
    rows = rows_of({**votes, "bot_score": score, "outcome": outcome})
    reading = read_files([write(tmp_path, rows)])
    assert reading.label_counts == {w: outcome.count(w) for w in ("invalid", "valid")}


def test_the_only_list_of_objects_in_a_document_is_its_rows(tmp_path):
    rng, truth, votes = panel(["said"])
    items = [
        {
            "id": i,
            "model": {"label": a, "score": round(rng.uniform(0.5, 1), 3)},
            "human": {"label": t},
        }
        for i, (a, t) in enumerate(zip(votes["said"], truth, strict=True))
    ]
    path = tmp_path / "export.json"
    document = {"meta": {"version": 3}, "data": {"items": items}}
    path.write_text(json.dumps(document), encoding="utf-8")
    reading = read_files([path])
    assert (reading.items, reading.label, reading.prediction) == (N, "human.label", "model.label")
    rows = {f"case {i}": {**row, "notes": []} for i, row in enumerate(items)}
    rows["case 0"]["notes"] = [{"by": "ak"}, {"by": "jb"}]
    path.write_text(json.dumps(rows), encoding="utf-8")
    assert read_files([path]).items == N
