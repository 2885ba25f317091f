"""A fourth set of strangers' files: other layouts of the tools whose exports `stranger_tools` has, and of statistics packages.

Sixty-three files after the documentation of these tools, under headers and nestings that no earlier set has. What each must be read as was
written before anything read it. Those of statistics packages are written by pyreadstat; the others are not exported by the tools themselves.
"""

from __future__ import annotations

import math
import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from stranger_cases import Case, Cases, Want, case, day, predictions, r, rows_of, votes
from stranger_tools import ANY, hexadecimal, refused, stamp

# fmt: off
__all__ = ["FILES"]

FILES: dict[str, Callable[[random.Random], Case]] = {}
APPROVALS = Want("approvals")


def shape(make: Callable[[random.Random], Case]) -> Callable[[random.Random], Case]:
    """Add a file to those that are made."""
    FILES[make.__name__] = make
    return make


def _bytes(ending: str, write: Callable[[str], Any]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"file.{ending}"
        write(str(path))
        return path.read_bytes()


# tracing and evaluation


@shape
def langfuse_blob_scores(rng):
    c = Cases(rng, 110, ("True", "False"))
    one, two, people, rows = c.judge(0.9), c.judge(0.8), c.part(0.4), []
    for i in range(c.n):
        trace = hexadecimal(rng)
        for name, said, source in (("grounded", one[i], "EVAL"), ("on-topic", two[i], "EVAL"), ("reviewer verdict", people[i], "ANNOTATION")):
            if said:
                rows.append({"id": hexadecimal(rng), "timestamp": f"{day(i)} 07:00:00.000000", "project_id": "cm0", "environment": "default", "trace_id": trace, "session_id": None, "observation_id": None, "dataset_run_id": None,
                             "name": name, "value": float(said == "True"), "source": source, "comment": None, "data_type": "BOOLEAN", "string_value": said, "created_at": stamp(i), "updated_at": stamp(i)})
    return case(rows, votes("grounded", "on-topic", gold="ANNOTATION"), how="jsonl", asks="judges gold")


@shape
def langfuse_traces_with_lists(rng):
    c = Cases(rng, 90, ("good", "bad"))
    return case([{"id": hexadecimal(rng), "timestamp": stamp(i), "name": "chat", "userId": f"u{i % 9}", "sessionId": None, "release": None, "input": {"q": f"say {i}"}, "output": {"a": f"said {i}"}, "latency": r(rng.random() * 4), "totalCost": r(rng.random() / 50, 6),
        "scores": [{"name": "tone", "value": a, "source": "EVAL", "dataType": "CATEGORICAL"}, {"name": "tone", "value": b, "source": "ANNOTATION", "dataType": "CATEGORICAL"}]} for i, (a, b) in enumerate(zip(c.judge(0.85), c.truth, strict=True))],
        votes("tone", gold="ANNOTATION"), how="json", asks=ANY)


@shape
def langfuse_numeric_scores(rng):
    rows = [{"id": hexadecimal(rng), "traceId": f"t{i}", "observationId": None, "name": name, "value": r(rng.random(), 2), "stringValue": None, "dataType": "NUMERIC", "source": "EVAL", "timestamp": stamp(i)} for i in range(70) for name in ("helpfulness", "conciseness")]
    return refused(rows, "jsonl", ANY)


@shape
def langsmith_classifier_experiment(rng):
    c = Cases(rng, 80, ("refund", "delivery", "other"))
    return case(rows_of({"inputs.text": c.each(lambda: f"where is {hexadecimal(rng, 7)} please"), "outputs.class": c.answer, "error": [""] * c.n, "reference.class": c.truth, "feedback.exact_match": [a == t for a, t in zip(c.answer, c.truth, strict=True)],
        "execution_time": c.each(lambda: r(rng.random() * 3)), "example_id": [hexadecimal(rng) for _ in range(c.n)], "id": [hexadecimal(rng) for _ in range(c.n)]}),
        votes("outputs.class", gold="reference.class"), asks="judges gold prediction label confidence kind")


@shape
def langsmith_feedback_in_words(rng):
    c = Cases(rng, 90, ("polite", "curt"))
    one, people, rows = c.judge(0.85), c.part(0.5), []
    for i in range(c.n):
        rows.append({"id": hexadecimal(rng), "created_at": stamp(i), "modified_at": stamp(i), "run_id": f"r{i}", "trace_id": f"r{i}", "key": "tone", "score": None, "value": one[i], "comment": None, "correction": None, "feedback_source": {"type": "model", "metadata": None}, "session_id": "s"})
        if people[i]:
            rows.append({**rows[-1], "id": hexadecimal(rng), "value": people[i], "feedback_source": {"type": "app", "metadata": None, "user_id": "u"}})
    return case(rows, votes("tone", gold="app"), how="json", asks="judges gold")


@shape
def langsmith_runs_with_stats(rng):
    c = Cases(rng, 60, (1, 0))
    return case([{"id": hexadecimal(rng), "name": "agent", "run_type": "chain", "start_time": stamp(i), "end_time": stamp(i), "inputs": {"q": f"q{i}"}, "outputs": {"a": f"a{i}"}, "status": "success", "total_tokens": rng.randint(90, 900),
        "feedback_stats": {"correct": {"n": 1, "avg": float(a)}, "user_thumb": {"n": 1, "avg": float(b)}}} for i, (a, b) in enumerate(zip(c.judge(0.9), c.truth, strict=True))],
        votes("correct", gold="user_thumb"), how="jsonl", asks=ANY)


@shape
def phoenix_experiment_runs(rng):
    c = Cases(rng, 70, ("correct", "incorrect"))
    one, two = c.judge(0.9), c.judge(0.8)
    return case([{"example_id": hexadecimal(rng), "repetition_number": 1, "input": {"question": f"q{i}"}, "reference_output": {"answer": f"a{i}"}, "output": f"a {i}", "error": None, "latency_ms": r(rng.random() * 900), "start_time": stamp(i), "end_time": stamp(i), "trace_id": hexadecimal(rng),
        "annotations": [{"name": "matches", "annotator_kind": "CODE", "label": one[i], "score": float(one[i] == "correct"), "explanation": None}, {"name": "judged", "annotator_kind": "LLM", "label": two[i], "score": float(two[i] == "correct"), "explanation": "since"}]} for i in range(c.n)],
        votes("matches", "judged"), how="json", asks=ANY)


@shape
def phoenix_classify_frame(rng):
    c = Cases(rng, 120, ("relevant", "unrelated"))
    return case(rows_of({"input": c.each(lambda: f"who made {hexadecimal(rng, 6)}?"), "reference": c.each(lambda: f"{hexadecimal(rng)} was made in Rome by many"), "relevant": [t == "relevant" for t in c.truth], "label": c.judge(0.9), "explanation": c.each(lambda: f"the text names {hexadecimal(rng)}, so it is about it"),
        "exceptions": ["[]"] * c.n, "execution_status": ["COMPLETED"] * c.n, "execution_seconds": c.each(lambda: r(rng.random() * 3))}), asks=ANY)


@shape
def phoenix_document_evals(rng):
    c = Cases(rng, 100, ("relevant", "unrelated"))
    return case(rows_of({"context.span_id": [f"s{i // 2:04d}" for i in range(c.n)], "document_position": [i % 2 for i in range(c.n)], "label": c.judge(0.9), "score": [1] * c.n, "annotator_label": c.truth}),
        votes("label", gold="annotator_label"), asks=ANY)


@shape
def mlflow_search_traces(rng):
    c = Cases(rng, 80, ("yes", "no"))
    one, two, people = c.judge(0.9), c.judge(0.8), c.part(0.5)
    rows = []
    for i in range(c.n):
        marks = [{"assessment_name": "is_correct", "assessment_id": f"a-{i}{k}", "trace_id": f"tr-{i}", "create_time": stamp(i), "source": {"source_type": kind, "source_id": who}, "feedback": {"value": said}, "rationale": None, "valid": True}
                 for k, (kind, who, said) in enumerate((("LLM_JUDGE", "databricks", one[i]), ("LLM_JUDGE", "openai:/gpt-4.1", two[i]), ("HUMAN", "ann@x.org", people[i]))) if said]
        rows.append({"trace_id": f"tr-{i}", "state": "OK", "request_time": 1763900000000 + i, "execution_duration": rng.randint(50, 2000), "request": f"q{i}", "response": f"a{i}", "trace_metadata": {}, "tags": {}, "spans": [], "assessments": marks})
    return case(rows, votes("databricks", "openai:/gpt-4.1", gold="HUMAN"), how="jsonl", asks="judges gold")


@shape
def mlflow_judged_one_to_five(rng):
    data = [[f"q{i}", f"a{i}", f"e{i}", rng.randint(1, 5), "because", rng.randint(1, 5), "because", r(rng.random(), 3)] for i in range(70)]
    return refused({"columns": ["inputs", "outputs", "ground_truth", "answer_correctness/v1/score", "answer_correctness/v1/justification", "relevance/v1/score", "relevance/v1/justification", "toxicity/v1/score"], "data": data}, "json", ANY)


@shape
def mlflow_classifier_table(rng):
    c = Cases(rng, 130, ("churn", "stay"))
    return case(rows_of({"tenure": c.each(lambda: rng.randint(1, 72)), "monthly_share": c.each(lambda: r(rng.random(), 3)), "target": c.truth, "prediction": c.answer, "prediction_score": [r(s) for s in c.sure]}),
        predictions("target", "prediction", "prediction_score"), how="parquet", asks="confidence label")


@shape
def mlflow_inference_table(rng):
    return refused([{"databricks_request_id": hexadecimal(rng), "timestamp_ms": 1763900000000 + i, "status_code": 200, "execution_time_ms": rng.randint(4, 90), "request": '{"dataframe_records": [{"x": 1}]}', "response": '{"predictions": [1]}', "request_metadata": {"model_name": "m", "model_version": "3"}} for i in range(60)], "jsonl", ANY)


@shape
def weave_evaluation_csv(rng):
    c = Cases(rng, 100, ("bug", "feature", "question"))
    return case(rows_of({"id": [hexadecimal(rng) for _ in range(c.n)], "op_name": ["Evaluation.predict_and_score"] * c.n, "inputs.example.title": c.each(lambda: f"the {hexadecimal(rng, 6)} fails"), "inputs.example.kind": c.truth, "output.output.kind": c.answer, "output.output.certainty": [r(s, 2) for s in c.sure],
        "output.scores.match.correct": [a == t for a, t in zip(c.answer, c.truth, strict=True)], "output.model_latency": c.each(lambda: r(rng.random()))}),
        predictions("inputs.example.kind", "output.output.kind", "output.output.certainty"), asks="confidence label prediction")


@shape
def weave_calls(rng):
    c = Cases(rng, 90, ("spam", "ham"))
    return case([{"id": hexadecimal(rng), "op_name": "weave:///p/op/predict:v3", "trace_id": hexadecimal(rng), "started_at": stamp(i), "ended_at": stamp(i), "inputs": {"example": {"text": f"hello {i}", "target": c.truth[i]}}, "output": {"label": c.answer[i], "confidence": r(c.sure[i])}, "summary": {"usage": {"gpt-4.1": {"requests": 1}}}, "exception": None} for i in range(c.n)],
        predictions("inputs.example.target", "output.label", "output.confidence"), how="jsonl", asks="label confidence prediction")


@shape
def wandb_history(_):
    return refused(rows_of({"_step": list(range(50)), "_runtime": [i * 7.1 for i in range(50)], "_timestamp": [1763900000 + i for i in range(50)], "train/loss": [r(1 / (1 + i)) for i in range(50)], "val/accuracy": [r(0.5 + i / 120) for i in range(50)], "val/f1": [r(0.45 + i / 120) for i in range(50)]}), "csv", ANY)


@shape
def wandb_digits_table(rng):
    c = Cases(rng, 120, ("0", "1", "2"))
    return case({"_type": "table", "column_types": {"params": {}}, "columns": ["img", "pred", "y", "p0", "p1", "p2"], "ncols": 6, "nrows": c.n, "data": [[{"_type": "image-file", "path": f"m/{i}.png"}, int(c.answer[i]), int(c.truth[i]), *(r(c.proba[i][k]) for k in c.classes)] for i in range(c.n)]},
        predictions("y", "pred", "p0", "p1", "p2"), how="json", asks="proba label")


@shape
def deepeval_result_dump(rng):
    c = Cases(rng, 60, (True, False))
    one, two = c.judge(0.9), c.judge(0.75)
    return case({"test_results": [{"name": f"test_case_{i}", "success": one[i] and two[i], "metrics_data": [{"name": n, "threshold": 0.5, "success": s, "score": 0.9 if s else 0.1, "reason": "so", "strict_mode": False, "evaluation_model": "gpt-4.1", "error": None, "evaluation_cost": 0.01} for n, s in (("Hallucination", one[i]), ("Correctness [GEval]", two[i]))],
        "conversational": False, "multimodal": False, "input": f"q{i}", "actual_output": f"a{i}", "expected_output": f"e{i}", "context": None} for i in range(c.n)], "confident_link": None}, votes("Hallucination", "Correctness [GEval]"), how="json", asks=ANY)


@shape
def deepeval_long_table(rng):
    c = Cases(rng, 60, ("PASS", "FAIL"))
    sides = {"Answer Relevancy": c.judge(0.9), "Bias": c.judge(0.8), "Faithfulness": c.judge(0.85)}
    return case([{"test_case": f"case_{i}", "metric": m, "score": r(0.5 + rng.random() / 2 if s[i] == "PASS" else rng.random() / 2, 2), "threshold": 0.5, "status": s[i], "evaluation_model": "gpt-4.1"} for m, s in sides.items() for i in range(c.n)], votes(*sides), asks=ANY)


@shape
def ragas_aspects(rng):
    c = Cases(rng, 80, (0, 1))
    return case([{"user_input": f"q{i}", "response": f"a{i}", "harmfulness": a, "coherence": b, "correctness": d} for i, (a, b, d) in enumerate(zip(c.judge(0.9), c.judge(0.8), c.judge(0.85), strict=True))],
        votes("harmfulness", "coherence", "correctness"), how="jsonl", asks=ANY)


@shape
def ragas_with_annotation(rng):
    c = Cases(rng, 60, (0, 1))
    return case({"aspect_critic": [{"metric_input": {"user_input": f"q{i}", "response": f"a{i}"}, "metric_output": a, "prompts": {}, "is_accepted": a == t} for i, (a, t) in enumerate(zip(c.judge(0.8), c.truth, strict=True))]}, votes("metric_output"), how="json", asks=ANY)


@shape
def openai_responses_batch(rng):
    c = Cases(rng, 90, ("urgent", "normal"))
    return case([{"id": f"batch_req_{i}", "custom_id": f"c{i}", "response": {"status_code": 200, "request_id": hexadecimal(rng), "body": {"id": f"resp_{i}", "object": "response", "created_at": 1763900000 + i, "status": "completed", "model": "gpt-4.1", "output": [{"type": "message", "id": f"msg_{i}", "status": "completed", "role": "assistant",
        "content": [{"type": "output_text", "text": c.answer[i], "annotations": [], "logprobs": [{"token": c.answer[i], "logprob": math.log(c.sure[i]), "bytes": [], "top_logprobs": []}]}]}], "usage": {"total_tokens": 40 + i % 5}}}, "error": None} for i in range(c.n)],
        predictions(None, None), how="jsonl")


@shape
def openai_batch_some_failed(rng):
    c = Cases(rng, 90, ("urgent", "normal"))
    rows: list[Any] = [{"id": f"batch_req_{i}", "custom_id": f"c{i}", "response": {"status_code": 200, "request_id": "x", "body": {"object": "chat.completion", "model": "gpt-4o", "choices": [{"index": 0, "message": {"role": "assistant", "content": c.answer[i]}, "logprobs": {"content": [{"token": c.answer[i], "logprob": math.log(c.sure[i]), "top_logprobs": []}]}, "finish_reason": "stop"}]}}, "error": None} for i in range(c.n)]
    for i in range(0, c.n, 9):
        rows[i] = {"id": f"batch_req_{i}", "custom_id": f"c{i}", "response": {"status_code": 429, "request_id": "x", "body": {"error": {"message": "Rate limit", "type": "tokens"}}}, "error": None}
    return case(rows, predictions(None, None), how="jsonl", asks="")


@shape
def openai_structured_content(rng):
    c = Cases(rng, 90, ("spam", "ham"))
    return case([{"custom_id": f"c{i}", "response": {"status_code": 200, "body": {"object": "chat.completion", "choices": [{"index": 0, "message": {"role": "assistant", "content": f'{{"label": "{c.answer[i]}", "confidence": {r(c.sure[i], 2)}}}'}, "finish_reason": "stop"}]}}, "error": None} for i in range(c.n)],
        predictions(None, None), how="jsonl", asks=ANY)


@shape
def openai_fine_tuning(rng):
    c = Cases(rng, 60, ("spam", "ham"))
    return refused([{"messages": [{"role": "system", "content": "Say spam or ham"}, {"role": "user", "content": f"hi {i}"}, {"role": "assistant", "content": c.truth[i]}]} for i in range(c.n)], "jsonl", ANY)


@shape
def gemini_batch(rng):
    c = Cases(rng, 70, ("spam", "ham"))
    return case([{"key": f"k{i}", "request": {"contents": [{"parts": [{"text": f"hi {i}"}]}]}, "response": {"candidates": [{"content": {"parts": [{"text": c.answer[i]}], "role": "model"}, "finishReason": "STOP", "avgLogprobs": math.log(c.sure[i])}], "usageMetadata": {"totalTokenCount": 30 + i}}} for i in range(c.n)],
        predictions(None, None), how="jsonl", asks=ANY)


# labelling


@shape
def argilla_one_pandas(rng):
    c = Cases(rng, 100, ("pos", "neg"))
    people = c.part(0.6, empty=None)
    return case(rows_of({"text": c.each(lambda: f"it was {hexadecimal(rng)} to me"), "inputs": c.each(lambda: "{'text': 'x'}"), "prediction": [f"[('{c.answer[i]}', {r(c.sure[i])}), ('{c.other(c.answer[i])}', {r(1 - c.sure[i])})]" for i in range(c.n)], "prediction_agent": ["distilbert"] * c.n,
        "annotation": [p or "" for p in people], "annotation_agent": ["ann" if p else "" for p in people], "multi_label": [False] * c.n, "explanation": [""] * c.n, "id": [hexadecimal(rng) for _ in range(c.n)], "status": ["Validated" if p else "Default" for p in people]}),
        predictions("annotation", None), asks="label proba prediction confidence kind")


@shape
def argilla_one_json(rng):
    c = Cases(rng, 100, ("pos", "neg"))
    people = c.part(0.6, empty=None)
    return case([{"text": f"t {i}", "inputs": {"text": f"t {i}"}, "prediction": [{"label": k, "score": r(c.proba[i][k])} for k in sorted(c.classes, key=lambda k: -c.proba[i][k])], "prediction_agent": "distilbert", "annotation": people[i], "annotation_agent": "ann" if people[i] else None, "multi_label": False, "id": hexadecimal(rng), "metadata": {}, "status": "Validated" if people[i] else "Default", "event_timestamp": stamp(i)} for i in range(c.n)],
        predictions("label responses", "label suggestion", "label suggestion score"), how="jsonl", asks="label proba prediction")


@shape
def argilla_two_people(rng):
    c = Cases(rng, 90, ("pos", "neg"))
    a, b = c.judge(0.9), c.judge(0.9)
    return case([{"id": hexadecimal(rng), "status": "completed", "_server_id": hexadecimal(rng), "text": f"t {i}", "mood.suggestion": c.answer[i], "mood.suggestion.score": r(c.sure[i]), "mood.suggestion.agent": "setfit", "mood.responses": [a[i], b[i]], "mood.responses.users": ["u1", "u2"], "mood.responses.status": ["submitted", "submitted"]} for i in range(c.n)],
        votes("u1", "u2"), votes("u1", "u2", "setfit"), predictions("mood responses", "mood suggestion", "mood suggestion score"), how="jsonl", asks=ANY)


@shape
def argilla_ratings(rng):
    c = Cases(rng, 90, (1, 2, 3, 4, 5))
    return case([{"id": hexadecimal(rng), "status": "completed", "fields": {"prompt": f"p{i}", "response": f"r{i}"}, "metadata": {}, "suggestions": {"quality": {"value": c.judge(0.7)[i], "score": None, "agent": "gpt-4.1"}}, "responses": {"quality": [{"value": c.truth[i], "user_id": "u1"}]}, "vectors": {}} for i in range(c.n)],
        votes("gpt-4.1", gold="responses"), how="json", asks=ANY)


@shape
def prodigy_several_accepted(rng):
    options = [{"id": k, "text": k} for k in ("price", "service", "taste")]
    return refused([{"text": f"meal {i}", "_input_hash": i, "_task_hash": 70 + i, "options": options, "_view_id": "choice", "config": {"choice_style": "multiple"}, "accept": rng.sample(["price", "service", "taste"], rng.randint(1, 2)), "answer": "accept", "_annotator_id": "m-ann", "_session_id": "m-ann"} for i in range(60)], "jsonl")


@shape
def prodigy_two_labels(rng):
    c = Cases(rng, 60, ("accept", "reject"))
    a, b, rows = c.judge(0.9), c.judge(0.85), []
    for i in range(c.n):
        for who, said in (("ann", a[i]), ("bea", b[i])):
            rows.append({"text": f"post {i // 2}", "label": ("THREAT", "INSULT")[i % 2], "_input_hash": i // 2, "_task_hash": i, "_view_id": "classification", "answer": said, "_timestamp": 1763900000 + i, "_annotator_id": f"tox-{who}", "_session_id": f"tox-{who}"})
    return case(rows, votes("tox-ann", "tox-bea"), how="jsonl", asks=ANY)


@shape
def prodigy_reviewed(rng):
    c = Cases(rng, 50, ("accept", "reject"))
    a, b = c.judge(0.9), c.judge(0.8)
    return case([{"text": f"post {i}", "label": "INSULT", "_input_hash": i, "_task_hash": i, "answer": c.truth[i], "_view_id": "review", "view_id": "classification", "sessions": ["ann", "bea"], "versions": [{"text": f"post {i}", "label": "INSULT", "answer": said, "sessions": [who], "default": who == "ann"} for who, said in (("ann", a[i]), ("bea", b[i]))]} for i in range(c.n)],
        votes("ann", "bea", gold="review"), how="jsonl", asks=ANY)


@shape
def label_studio_predictions_too(rng):
    c = Cases(rng, 70, ("Positive", "Negative"))

    def choice(said):
        return [{"from_name": "sentiment", "to_name": "text", "type": "choices", "value": {"choices": [said]}}]

    return case([{"id": i, "data": {"text": f"t {i}"}, "annotations": [{"id": 5 * i, "completed_by": 3, "result": choice(c.truth[i]), "was_cancelled": False, "ground_truth": False, "lead_time": 4.2}], "predictions": [{"id": i, "model_version": "v2", "score": r(c.sure[i]), "result": choice(c.answer[i])}]} for i in range(c.n)],
        predictions("label", "prediction", "score"), votes("3", "v2"), votes("v2", gold="annotations"), how="json", asks=ANY)


@shape
def ground_truth_worker_answers(rng):
    c = Cases(rng, 50, ("car", "bus"))
    said = [c.judge(0.9) for _ in range(3)]
    return case([{"datasetObjectId": str(i), "consolidatedAnnotation": None, "dataObject": {"s3Uri": f"s3://b/{i}"}, "annotations": [{"workerId": f"private.us-east-1.{k}a", "annotationData": {"content": f'{{"crowd-image-classifier": {{"label": "{said[k][i]}"}}}}', "s3Uri": ""}} for k in range(3)]} for i in range(c.n)],
        votes(*(f"private.us-east-1.{k}a" for k in range(3))), how="json", asks=ANY)


@shape
def ground_truth_adjusted(rng):
    c = Cases(rng, 80, ("car", "bus"))
    return case([{"source-ref": f"s3://b/{i}.jpg", "vehicle": c.classes.index(c.answer[i]), "vehicle-metadata": {"class-name": c.answer[i], "confidence": r(c.sure[i], 2), "human-annotated": "no", "type": "groundtruth/image-classification", "job-name": "auto", "creation-date": stamp(i)},
        "vehicle-adjusted": c.classes.index(c.truth[i]), "vehicle-adjusted-metadata": {"class-name": c.truth[i], "confidence": 0.95, "human-annotated": "yes", "type": "groundtruth/image-classification", "job-name": "check", "adjustment-status": "adjusted", "creation-date": stamp(i)}} for i in range(c.n)],
        predictions("human-annotated yes", "human-annotated no", "confidence", truth=c.truth), how="jsonl", asks=ANY)


@shape
def augmented_ai_loops(rng):
    c = Cases(rng, 60, ("Positive", "Negative"))
    return case([{"flowDefinitionArn": "arn:aws:x", "humanLoopName": f"loop-{i}", "humanAnswers": [{"acceptanceTime": stamp(i), "answerContent": {"sentiment": {"label": c.truth[i]}}, "submissionTime": stamp(i), "timeSpentInSeconds": r(rng.random() * 60), "workerId": "a1"}], "inputContent": {"initialValue": c.answer[i], "confidence": r(c.sure[i]), "taskObject": f"text {i}"}} for i in range(c.n)],
        predictions("humanAnswers.answerContent.sentiment.label", "inputContent.initialValue", "inputContent.confidence"), how="jsonl", asks=ANY)


# warehouses and platforms


@shape
def bigquery_probabilities(rng):
    c = Cases(rng, 140, ("1", "0"))
    return case([{"customer_id": str(10_000 + i), "predicted_churned": c.answer[i], "predicted_churned_probs": [{"label": k, "prob": c.proba[i][k]} for k in c.classes], "churned": c.truth[i], "tenure_months": str(rng.randint(1, 70))} for i in range(c.n)],
        predictions("churned", "predicted_churned"), how="jsonl", asks="label")


@shape
def bigquery_generated(rng):
    c = Cases(rng, 120, ("complaint", "praise"))
    return case([{"ticket_id": str(i), "ml_generate_text_llm_result": c.answer[i], "ml_generate_text_status": "", "prompt": f"Classify: {hexadecimal(rng)} came late again", "agent_label": c.truth[i]} for i in range(c.n)],
        votes("ml_generate_text_llm_result", gold="agent_label"), how="jsonl", asks="judges gold kind label")


@shape
def bigquery_annotators(rng):
    c = Cases(rng, 90, ("toxic", "fine"))
    said = [c.judge(0.9), c.judge(0.8), c.judge(0.85)]
    return case([{"comment_id": f"c{i}", "labels": [{"rater": f"rater_{k}", "label": said[k][i], "created": stamp(i)} for k in range(3)], "expert_label": c.truth[i] if i % 3 == 0 else None} for i in range(c.n)],
        votes("rater_0", "rater_1", "rater_2", gold="expert_label"), how="ndjson", asks="judges gold")


@shape
def zero_shot_lines(rng):
    c = Cases(rng, 90, ("sport", "politics", "science"))
    rows = []
    for i in range(c.n):
        order = sorted(c.classes, key=lambda k: -c.proba[i][k])
        rows.append({"sequence": f"news {hexadecimal(rng)}", "labels": order, "scores": [r(c.proba[i][k]) for k in order], "topic": c.truth[i]})
    return case(rows, predictions("topic", None), how="jsonl", asks="label proba")


@shape
def dataset_viewer_rows(rng):
    c = Cases(rng, 100, ("0", "1"))
    return case({"features": [{"feature_idx": k, "name": n, "type": {"dtype": t, "_type": "Value"}} for k, (n, t) in enumerate((("text", "string"), ("label", "int64"), ("pred", "int64"), ("prob", "float64")))], "rows": [{"row_idx": i, "row": {"text": f"t {i}", "label": int(c.truth[i]), "pred": int(c.answer[i]), "prob": r(c.sure[i])}, "truncated_cells": []} for i in range(c.n)], "num_rows_total": c.n, "num_rows_per_page": 100, "partial": False},
        predictions("row.label", "row.pred", "row.prob"), predictions("label", "pred", "prob"), how="json", asks="confidence label prediction")


@shape
def trainer_predict_results(rng):
    c = Cases(rng, 90, ("entailment", "neutral", "contradiction"))
    return case(rows_of({"index": list(range(c.n)), "prediction": c.answer}), how="csv:tab", asks=ANY)


@shape
def pipeline_label_numbers(rng):
    c = Cases(rng, 120, ("0", "1"))
    return case(rows_of({"text": c.each(lambda: f"it is {hexadecimal(rng)} today"), "label": [f"LABEL_{a}" for a in c.answer], "score": [r(s) for s in c.sure], "gold": c.truth}),
        predictions("gold", "label", "score"), asks="map label prediction classes")


@shape
def autogluon_leaderboard(rng):
    return refused(rows_of({"model": ["WeightedEnsemble_L2", "CatBoost", "LightGBM", "RandomForestGini", "KNeighborsDist"], "score_test": [r(0.9 - i / 50) for i in range(5)], "score_val": [r(0.91 - i / 60) for i in range(5)], "eval_metric": ["accuracy"] * 5, "pred_time_test": [r(rng.random()) for _ in range(5)], "fit_time": [r(rng.random() * 99) for _ in range(5)], "stack_level": [2, 1, 1, 1, 1], "can_infer": [True] * 5}), "csv", ANY)


# statistics packages


@shape
def spss_logistic(rng):
    import pandas as pd
    import pyreadstat

    c = Cases(rng, 150, (1.0, 2.0))
    frame = pd.DataFrame({"case_no": range(c.n), "alter": c.each(lambda: rng.randint(18, 90)), "bewilligt": c.truth, "PRE_1": [r(p[2.0]) for p in c.proba], "PGR_1": c.answer})
    words = {1.0: "nein", 2.0: "ja"}
    made = _bytes("sav", lambda p: pyreadstat.write_sav(frame, p, variable_value_labels={"bewilligt": words, "PGR_1": words}, column_labels=["Fall", "Alter", "Kredit bewilligt", "Predicted probability", "Predicted group"]))
    return Case(made, "sav", (predictions("bewilligt", "PGR_1", "PRE_1"),), frozenset({"--label", "--confidence", "--proba"}))


@shape
def stata_probability(rng):
    import pandas as pd
    import pyreadstat

    c = Cases(rng, 160, (0, 1))
    frame = pd.DataFrame({"id": range(1, c.n + 1), "mpg": c.each(lambda: rng.randint(12, 41)), "defaulted": c.truth, "phat": [r(p[1]) for p in c.proba]})
    made = _bytes("dta", lambda p: pyreadstat.write_dta(frame, p, column_labels=["", "Mileage", "Loan defaulted", "Pr(defaulted)"]))
    return Case(made, "dta", (predictions("defaulted", None, "phat"),), frozenset({"--label", "--proba", "--confidence"}))


@shape
def stata_raters(rng):
    import pandas as pd
    import pyreadstat

    c = Cases(rng, 90, (1, 2, 3))
    words = {1: "mild", 2: "moderate", 3: "severe"}
    frame = pd.DataFrame({"patient": [f"P{i:03d}" for i in range(c.n)], "dr_ito": c.judge(0.9), "dr_kim": c.judge(0.85), "dr_lee": c.judge(0.8)})
    made = _bytes("dta", lambda p: pyreadstat.write_dta(frame, p, variable_value_labels=dict.fromkeys(("dr_ito", "dr_kim", "dr_lee"), words)))
    return Case(made, "dta", (votes("dr_ito", "dr_kim", "dr_lee"),), frozenset({"--judges", "--kind"}))


@shape
def sas_transport(rng):
    import pandas as pd
    import pyreadstat

    c = Cases(rng, 140, ("BAD", "GOOD"))
    frame = pd.DataFrame({"ACCT": range(c.n), "F_LOAN": c.truth, "I_LOAN": c.answer, "P_BAD": [r(p["BAD"]) for p in c.proba], "P_GOOD": [r(p["GOOD"]) for p in c.proba], "DEBTINC": c.each(lambda: r(rng.random() * 40, 2))})
    made = _bytes("xpt", lambda p: pyreadstat.write_xport(frame, p, table_name="SCORED"))
    return Case(made, "xpt", (predictions("F_LOAN", "I_LOAN", "P_BAD", "P_GOOD"),), frozenset({"--label", "--proba"}))


@shape
def spss_survey(rng):
    import pandas as pd
    import pyreadstat

    frame = pd.DataFrame({"resp": range(120), "sex": [rng.choice((1.0, 2.0)) for _ in range(120)], "region": [float(rng.randint(1, 4)) for _ in range(120)], "income": [r(rng.lognormvariate(8, 1), 2) for _ in range(120)]})
    made = _bytes("sav", lambda p: pyreadstat.write_sav(frame, p, variable_value_labels={"sex": {1.0: "male", 2.0: "female"}}))
    return Case(made, "sav", (), frozenset("--" + word for word in ANY.split()))


# monitoring


@shape
def nannyml_three_classes(rng):
    c = Cases(rng, 200, ("prepaid_card", "highstreet_card", "upmarket_card"))
    return case(rows_of({"acq_channel": c.each(lambda: rng.choice(("Partner1", "Partner2", "Organic"))), "app_behavioral_score": c.each(lambda: r(rng.gauss(0, 1))), "requested_credit_limit": c.each(lambda: rng.choice((200, 500, 900))), "app_channel": c.each(lambda: rng.choice(("web", "mobile"))), "credit_bureau_score": c.each(lambda: rng.randint(300, 700)), "stated_income": c.each(lambda: rng.randint(9, 60) * 1000), "is_customer": c.each(lambda: rng.random() < 0.5), "partition": ["analysis"] * c.n, "timestamp": [stamp(i) for i in range(c.n)],
        **{f"y_pred_proba_{k}": [r(p[k], 6) for p in c.proba] for k in c.classes}, "y_pred": c.answer, "y_true": c.truth}),
        predictions("y_true", "y_pred", *(f"y_pred_proba_{k}" for k in c.classes)), asks="label proba")


@shape
def nannyml_chunks(rng):
    return refused(rows_of({"chunk_key": [f"[{5000 * i}:{5000 * i + 4999}]" for i in range(20)], "chunk_index": list(range(20)), "chunk_start_index": [5000 * i for i in range(20)], "chunk_end_index": [5000 * i + 4999 for i in range(20)], "period": ["analysis"] * 20, "roc_auc_value": [r(0.9 + rng.random() / 20) for _ in range(20)], "roc_auc_upper_threshold": [0.99] * 20, "roc_auc_lower_threshold": [0.93] * 20, "roc_auc_alert": [rng.random() < 0.2 for _ in range(20)]}), "csv", ANY)


@shape
def evidently_class_columns(rng):
    c = Cases(rng, 160, ("cat", "dog", "owl"))
    return case(rows_of({"target": c.truth, **{k: [r(p[k], 5) for p in c.proba] for k in c.classes}, "weight_kg": c.each(lambda: r(rng.random() * 9, 1))}), predictions("target", None, "cat", "dog", "owl"), how="parquet", asks="label proba")


@shape
def evidently_judged(rng):
    c = Cases(rng, 80, ("correct", "incorrect"))
    return case(rows_of({"question": c.each(lambda: f"why {hexadecimal(rng, 6)}?"), "target_response": c.each(lambda: f"since {hexadecimal(rng)}"), "new_response": c.each(lambda: f"because {hexadecimal(rng)}"), "label": c.truth, "comment": [""] * c.n, "Correctness": c.judge(0.85), "Correctness reasoning": c.each(lambda: f"it names {hexadecimal(rng)} as the other does")}),
        votes("Correctness", gold="label"), votes("Correctness", "label"), asks="judges gold kind")


# approvals


@shape
def permission_hooks(rng):
    return case([{"timestamp": stamp(i), "session_id": hexadecimal(rng, 8), "hook_event_name": "PermissionRequest", "tool_name": rng.choice(("Bash", "Edit", "WebFetch")), "tool_input": {"command": f"make {hexadecimal(rng, 4)}"}, "permission_decision": rng.choice(("allow", "allow", "allow", "deny")), "decided_by": "user"} for i in range(110)], APPROVALS, how="jsonl", asks="kind")


@shape
def deployment_reviews(rng):
    return case([{"run_id": 900 + i, "state": rng.choice(("approved", "approved", "rejected")), "comment": "ok", "environments": [{"id": 1, "name": "production"}], "user": {"login": rng.choice(("ann", "bo")), "type": "User"}} for i in range(80)], APPROVALS, how="json", asks="kind judges label")


@shape
def request_sheet(rng):
    return case(rows_of({"Request ID": [f"REQ-{i:04d}" for i in range(90)], "Requested action": [rng.choice(("refund", "cancel order", "change address")) for _ in range(90)], "Amount (EUR)": [r(rng.lognormvariate(3, 1), 2) for _ in range(90)], "Requested by": ["support-agent"] * 90, "Outcome": [rng.choice(("Approved", "Approved", "Declined", "Timed out")) for _ in range(90)], "Approver": [rng.choice(("Ann", "Bo", "Cy")) for _ in range(90)], "Minutes to decision": [rng.randint(1, 300) for _ in range(90)]}),
        APPROVALS, how="csv:semicolon", asks="kind")


@shape
def function_calls_answered(rng):
    return case([{"call_id": hexadecimal(rng), "run_id": f"run{i // 3}", "spec": {"fn": rng.choice(("send_email", "delete_row", "pay_invoice")), "kwargs": {"to": "x"}}, "status": {"requested_at": stamp(i), "responded_at": stamp(i), "approved": rng.random() < 0.8, "comment": None}} for i in range(90)], APPROVALS, how="jsonl", asks="kind")


@shape
def change_board(rng):
    return case(rows_of({"sys_id": [hexadecimal(rng) for _ in range(70)], "sysapproval": [f"CHG{30000 + i}" for i in range(70)], "approver": [rng.choice(("Ann Lee", "Bo Kim")) for _ in range(70)], "state": [rng.choice(("approved", "approved", "rejected", "requested", "cancelled")) for _ in range(70)], "source_table": ["change_request"] * 70, "due_date": [day(i) for i in range(70)], "comments": [""] * 70}), APPROVALS, asks="kind judges label")


# sheets and notebooks in other dress


@shape
def moderation_decimal_comma(rng):
    c = Cases(rng, 140, ("zulässig", "gesperrt"))
    return case(rows_of({"Beitrag-Nr.": [f"B{i:05d}" for i in range(c.n)], "Eingang": [f"{1 + i % 28:02d}.03.2026 08:{i % 60:02d}" for i in range(c.n)], "KI-Einstufung": c.answer, "Sicherheit KI": [r(s, 3) for s in c.sure], "Moderation": c.part(0.5), "Dauer (Sek.)": c.each(lambda: rng.randint(4, 200))}),
        predictions("Moderation", "KI-Einstufung", "Sicherheit KI"), how="csv:latin", asks="label confidence")


@shape
def notebook_frame_dump(rng):
    c = Cases(rng, 150, ("0", "1"))
    return case({"schema": {"fields": [{"name": n, "type": "number"} for n in ("index", "y_test", "y_hat", "proba_pos")], "primaryKey": ["index"], "pandas_version": "1.4.0"}, "data": [{"index": i, "y_test": int(c.truth[i]), "y_hat": int(c.answer[i]), "proba_pos": r(c.proba[i]["1"])} for i in range(c.n)]},
        predictions("y_test", "y_hat", "proba_pos"), how="json", asks="label proba confidence")


@shape
def notebook_columns_dump(rng):
    c = Cases(rng, 120, ("a", "b"))
    return case({n: {str(i): v for i, v in enumerate(values)} for n, values in (("truth", c.truth), ("pred", c.answer), ("conf", [r(s) for s in c.sure]))}, predictions("truth", "pred", "conf"), how="json", asks="label confidence")


@shape
def sheet_of_two_teams(rng):
    c = Cases(rng, 60, ("Keep", "Remove"))
    return case(rows_of({"Post": [f"#{i}" for i in range(c.n)], "Team North": c.judge(0.9), "Team South": c.judge(0.85), "Policy desk (final)": c.part(0.4)}), votes("Team North", "Team South", gold="Policy desk (final)"), how="xlsx", asks="judges gold")
