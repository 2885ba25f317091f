"""Other layouts of tools' files: runs and reviews that hold annotations, the Responses API, lists of one object, pages of rows."""

import json
import math
import random

import pytest

from askpoint.records.readers.reading import Choices
from askpoint.records.readers.registry import read_files

N = 60


def read(tmp_path, rows, name="file.json", **choices):
    path = tmp_path / name
    lines = name.endswith("l")
    path.write_text("\n".join(map(json.dumps, rows)) if lines else json.dumps(rows))
    return read_files([path], Choices(**choices))


def sides(*words, seed=3):
    rng = random.Random(seed)
    truth = [rng.choice(words) for _ in range(N)]
    said = [t if rng.random() < 0.85 else rng.choice(words) for t in truth]
    return truth, said


def test_runs_of_an_experiment_in_phoenix_hold_a_list_of_annotations(tmp_path):
    code, model = sides("correct", "incorrect")
    runs = [
        {
            "example_id": f"e{i}", "repetition_number": 1, "reference_output": {"a": "x"}, "output": "x",
            "annotations": [
                {"name": "matches", "annotator_kind": "CODE", "label": code[i], "score": 1.0},
                {"name": "judged", "annotator_kind": "LLM", "label": model[i], "score": 1.0},
            ],
        }
        for i in range(N)
    ]  # fmt: skip
    reading = read(tmp_path, runs, judges=("matches/CODE",))
    assert (reading.tool, reading.items) == ("Phoenix", N)
    assert reading.votes["matches/CODE"] == {v: code.count(v) for v in ("correct", "incorrect")}
    open_doubt = read(tmp_path, runs).open_doubt  # what two evaluators ask is not known
    assert open_doubt is None or open_doubt.option == "--judges"


def test_a_review_in_prodigy_is_gold_and_its_versions_are_votes(tmp_path):
    final, other = sides("accept", "reject")
    rows = [
        {
            "text": f"t{i}", "label": "SPAM", "_input_hash": i, "_task_hash": i, "answer": final[i],
            "versions": [{"answer": final[i], "sessions": ["ann"]}, {"answer": other[i], "sessions": ["bea"]}],
        }
        for i in range(N)
    ]  # fmt: skip
    reading = read(tmp_path, rows, "review.jsonl")
    assert set(reading.votes) == {"ann", "bea"}
    assert reading.gold.counts() == {v: final.count(v) for v in ("accept", "reject")}
    assert reading.votes["bea"] == {v: other.count(v) for v in ("accept", "reject")}


def response(i, text, p, **body):
    part = {
        "type": "output_text",
        "text": text,
        "logprobs": [{"token": text, "logprob": math.log(p)}],
    }
    output = [{"type": "reasoning", "summary": []}, {"type": "message", "content": [part]}]
    body = {"object": "response", "output": output} | body
    return {"custom_id": f"c{i}", "response": {"status_code": 200, "body": body}, "error": None}


def test_a_batch_of_the_responses_api_has_answers_with_logprobs(tmp_path):
    _, said = sides("ham", "spam")
    rows = [response(i, word, 0.5 + i / 200) for i, word in enumerate(said)]
    refusal = {"type": "message", "content": [{"type": "refusal", "refusal": "I cannot"}]}
    rows.append(response(N, "", 1.0, output=[refusal]))
    reading = read(tmp_path, rows, "batch.jsonl")
    assert reading.frame["prediction"].to_list() == said
    assert reading.frame["confidence"].to_list() == pytest.approx([0.5 + i / 200 for i in range(N)])
    assert reading.states.to_list() == ["answered"] * N + ["declined"]


@pytest.mark.parametrize("key", ["outputs", "inputs"])
def test_classes_in_an_experiment_of_langsmith_are_answers_and_no_comparison_is_a_judge(
    tmp_path, key
):
    truth, said = sides("refund", "delivery", "other")
    columns = {
        "inputs.text": [f"t{i}" for i in range(N)], f"{key}.class": said, "outputs.note": ["-"] * N,
        "reference.class": truth, "feedback.exact_match": [a == b for a, b in zip(said, truth, strict=True)],
    }  # fmt: skip
    path = tmp_path / "experiment.csv"
    rows = zip(*columns.values(), strict=True)
    path.write_text("\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows)]))
    reading = read_files([path])
    assert reading.tool == "LangSmith"
    if key == "outputs":
        assert (reading.judges, reading.gold.source) == (("outputs.class",), "reference.class")
    else:  # a class that was given to the run is no answer
        assert reading.judges == ("feedback.exact_match",)


def test_feedback_that_runs_of_langsmith_count_is_one_vote_each(tmp_path):
    truth, said = sides(1, 0)
    rows = [
        {"id": f"r{i}", "run_type": "llm", "feedback_stats": {
            "helpful": {"n": 1, "avg": float(said[i])}, "human_check": {"n": 1 + (i == 0), "avg": float(truth[i])}}}
        for i in range(N)
    ]  # fmt: skip
    reading = read(tmp_path, rows, "runs.jsonl")
    assert reading.judges == ("helpful",)
    assert sum(reading.gold.counts().values()) == N - 1  # the mean of two is no label


def test_a_list_of_one_object_in_each_row_is_its_object(tmp_path):
    truth, said = sides("Positive", "Negative")
    rows = [
        {"loop": f"l{i}", "humanAnswers": [{"answer": {"label": truth[i]}}], "input": {"initialValue": said[i], "confidence": 0.5 + i / 130}}
        for i in range(N)
    ]  # fmt: skip
    reading = read(tmp_path, rows, "loops.jsonl", label="humanAnswers.answer.label")
    assert dict(reading.label_counts) == {v: truth.count(v) for v in ("Positive", "Negative")}
    rows[3]["humanAnswers"].append({"answer": {"label": "Negative"}})
    with pytest.raises(Exception, match=r"humanAnswers\.answer\.label"):
        read(tmp_path, rows, "loops.jsonl", label="humanAnswers.answer.label")


def test_a_page_of_a_data_set_is_its_rows(tmp_path):
    truth, said = sides(0, 1)
    rows = [
        {"label": t, "pred": s, "prob": 0.5 + i / 130}
        for i, (t, s) in enumerate(zip(truth, said, strict=True))
    ]
    page = {
        "features": [{"name": "label"}], "num_rows_total": N, "partial": False,
        "rows": [{"row_idx": i, "row": row, "truncated_cells": []} for i, row in enumerate(rows)],
    }  # fmt: skip
    reading = read(tmp_path, page)
    assert (reading.kind, reading.items) == ("predictions", N)
    assert {str(k): v for k, v in reading.label_counts.items()} == {
        str(v): truth.count(v) for v in (0, 1)
    }


def test_open_answers_beside_open_references_leave_the_votes_of_a_judge(tmp_path):
    truth, said = sides("correct", "incorrect")
    rows = [
        {"question": f"why {i}?", "target_response": f"since a long time {i * 7}", "new_response": f"because of all that {i * 3}",
         "label": truth[i], "Correctness": said[i]}
        for i in range(N)
    ]  # fmt: skip
    reading = read(tmp_path, rows)
    assert (reading.judges, reading.gold.source) == (("Correctness",), "label")


def test_answers_alone_are_asked_about(tmp_path):
    _, said = sides("a", "b")
    rows = [{"index": i, "prediction": v} for i, v in enumerate(said)]
    assert read(tmp_path, rows).open_doubt.option == "--kind"
    assert read(tmp_path, rows, kind="votes").open_doubt is None
