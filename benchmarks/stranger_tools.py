"""A third set of strangers' files: what the tools themselves export, under columns that are theirs, and not ours.

Eighty-six files in the manner of tracing and evaluation tools and of labelling tools (here), of libraries and platforms that
score tables, and of spreadsheets in eight languages (in `stranger_platforms`). None was exported by the tool itself: each follows the tool's documentation
as far as its columns go. What each must be read as stands beside it, and was written before anything read it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

from stranger_cases import Case, Cases, case, day, predictions, r, rows_of, votes

# fmt: off
__all__ = ["ANY", "FILES", "hexadecimal", "refused", "stamp", "tool"]

FILES: dict[str, Callable[[random.Random], Case]] = {}
ANY = "judges gold label kind confidence prediction proba pass-at scores missing task positive system map"


def tool(make: Callable[[random.Random], Case]) -> Callable[[random.Random], Case]:
    """Add a file to those that are made."""
    FILES[make.__name__] = make
    return make


def stamp(i: int) -> str:
    """Return a moment."""
    return f"{day(i)}T0{i % 10}:1{i % 6}:00.{i % 1000:03d}Z"


def hexadecimal(rng: random.Random, n: int = 16) -> str:
    """Return a name that no human gave."""
    return f"{rng.getrandbits(4 * n):0{n}x}"


def refused(rows: Any, how: str = "csv", asks: str = "") -> Case:
    """Return a file that must not be read as cases: refused, or asked about."""
    return case(rows, how=how, asks=asks)


# tracing and evaluation of language models


def _langfuse_rows(rng, *, camel):
    c = Cases(rng, 120, ("relevant", "irrelevant"))
    one, two, people = c.judge(0.9), c.judge(0.8), c.part(0.4)
    rows = []
    for i in range(c.n):
        for name, value, source in (("relevance", one[i], "EVAL"), ("relevance-v2", two[i], "API"), ("human-relevance", people[i], "ANNOTATION")):
            if value == "":
                continue
            row = {"id": hexadecimal(rng), "timestamp": stamp(i), "traceId": f"tr-{i:04d}", "observationId": None, "name": name, "value": None,
                   "stringValue": value, "dataType": "CATEGORICAL", "source": source, "comment": None, "authorUserId": "u7" if source == "ANNOTATION" else None,
                   "queueId": None, "environment": "production"}
            rows.append(row if camel else {"".join("_" + ch.lower() if ch.isupper() else ch for ch in k): v for k, v in row.items()})
    return rows


@tool
def langfuse_scores_page(rng):
    rows = _langfuse_rows(rng, camel=True)
    return case({"data": rows, "meta": {"page": 1, "limit": 500, "totalItems": len(rows), "totalPages": 1}},
        votes("relevance", "relevance-v2", gold="human-relevance"), how="json", asks="judges gold")


@tool
def langfuse_scores_csv(rng):
    return case(_langfuse_rows(rng, camel=True), votes("relevance", "relevance-v2", gold="human-relevance"), asks="judges gold")


@tool
def langfuse_dataset_run(rng):
    c = Cases(rng, 90, (0, 1))
    return case(rows_of({"Trace ID": [hexadecimal(rng) for _ in range(c.n)], "Dataset Item ID": [hexadecimal(rng, 8) for _ in range(c.n)],
        "Latency": c.each(lambda: f"{rng.random() * 9:.2f}s"), "Total Cost": c.each(lambda: f"${rng.random() / 100:.6f}"),
        "# exact_match (eval)": c.judge(0.9), "# helpful (eval)": c.judge(0.7), "# helpful (annotation)": c.part(0.5)}),
        votes("# exact_match (eval)", "# helpful (eval)", gold="# helpful (annotation)"), asks=ANY)


@tool
def langsmith_runs_csv(rng):
    c = Cases(rng, 110, (0, 1))
    return case(rows_of({"id": [hexadecimal(rng) for _ in range(c.n)], "inputs.question": [f"How do I {w}?" for w in c.each(lambda: hexadecimal(rng, 6))],
        "outputs.answer": [f"You press {w}." for w in c.each(lambda: hexadecimal(rng, 6))], "reference_outputs.answer": [f"Press {w}." for w in c.each(lambda: hexadecimal(rng, 6))],
        "execution_time": c.each(lambda: r(rng.random() * 5)), "status": ["success"] * c.n, "error": [""] * c.n,
        "feedback.correctness": c.judge(0.9), "feedback.conciseness": c.judge(0.7), "feedback.user_score": c.part(0.3)}),
        votes("feedback.correctness", "feedback.conciseness", gold="feedback.user_score"),
        votes("correctness", "conciseness", gold="user_score"), asks=ANY)


@tool
def langsmith_feedback(rng):
    c = Cases(rng, 100, (0, 1))
    one, people, rows = c.judge(0.9), c.part(0.4), []
    for i in range(c.n):
        run = f"run-{i}"
        rows.append({"id": hexadecimal(rng), "run_id": run, "created_at": stamp(i), "key": "correct", "score": one[i], "value": None, "comment": "", "feedback_source": {"type": "model", "metadata": {"__run": {"run_id": hexadecimal(rng)}}}})
        if people[i] != "":
            rows.append({"id": hexadecimal(rng), "run_id": run, "created_at": stamp(i), "key": "correct", "score": people[i], "value": None, "comment": "", "feedback_source": {"type": "app", "user_id": "u1"}})
    return case(rows, votes("correct", gold="correct"), votes("correct", gold="app"), how="jsonl", asks=ANY)


@tool
def phoenix_evals_csv(rng):
    c = Cases(rng, 130, ("factual", "hallucinated"))
    return case(rows_of({"context.span_id": [hexadecimal(rng) for _ in range(c.n)], "label": c.judge(0.9), "score": [1] * c.n,
        "explanation": c.each(lambda: f"The reference says {hexadecimal(rng, 9)} and so on, which is why."), "human_label": c.part(0.5)}
        | {"attributes.input.value": c.each(lambda: f"what is {hexadecimal(rng, 7)}?")}),
        votes("label", gold="human_label"), asks=ANY)


@tool
def phoenix_annotations_csv(rng):
    c = Cases(rng, 90, ("correct", "incorrect"))
    one, people, rows = c.judge(0.85), c.part(0.5), []
    for i in range(c.n):
        span = hexadecimal(rng)
        rows.append({"span_id": span, "name": "qa_correctness", "annotator_kind": "LLM", "label": one[i], "score": int(one[i] == "correct"), "explanation": "because of this", "created_at": stamp(i)})
        if people[i]:
            rows.append({"span_id": span, "name": "qa_correctness", "annotator_kind": "HUMAN", "label": people[i], "score": int(people[i] == "correct"), "explanation": None, "created_at": stamp(i)})
    return case(rows, votes("qa_correctness/LLM", gold="HUMAN"), asks=ANY)


@tool
def mlflow_genai_results(rng):
    c = Cases(rng, 80, ("yes", "no"))
    return case(rows_of({"trace_id": [f"tr-{hexadecimal(rng)}" for _ in range(c.n)], "request": c.each(lambda: f"tell me about {hexadecimal(rng, 6)}"),
        "response": c.each(lambda: f"it is {hexadecimal(rng, 8)}"), "correctness/value": c.judge(0.9), "correctness/rationale": c.each(lambda: f"as {hexadecimal(rng)} shows"),
        "groundedness/value": c.judge(0.8), "groundedness/rationale": c.each(lambda: f"as {hexadecimal(rng)} shows"), "execution_time_ms": c.each(lambda: rng.randint(80, 9000))}),
        votes("correctness/value", "groundedness/value"), asks=ANY)


@tool
def mlflow_eval_table(rng):
    c = Cases(rng, 150, ("cat", "dog", "cow"))
    return case({"columns": ["image_path", "label", "outputs", "max_prob"],
        "data": [[f"img/{i}.png", c.truth[i], c.answer[i], r(c.sure[i])] for i in range(c.n)]},
        predictions("label", "outputs", "max_prob"), how="json", asks="confidence label")


@tool
def mlflow_traces(rng):
    c = Cases(rng, 70, (True, False))
    one, people = c.judge(0.9), c.part(0.5)
    rows = []
    for i in range(c.n):
        marks = [{"assessment_id": f"a-{hexadecimal(rng)}", "assessment_name": "is_safe", "trace_id": f"tr-{i}", "source": {"source_type": "LLM_JUDGE", "source_id": "gpt-4o-mini"}, "feedback": {"value": one[i]}, "rationale": "fine"}]
        if people[i] != "":
            marks.append({"assessment_id": f"a-{hexadecimal(rng)}", "assessment_name": "is_safe", "trace_id": f"tr-{i}", "source": {"source_type": "HUMAN", "source_id": "ann@x.org"}, "feedback": {"value": people[i]}})
        rows.append({"info": {"trace_id": f"tr-{i}", "state": "OK", "execution_duration_ms": 40 + i, "assessments": marks}, "data": {"spans": []}})
    return case(rows, votes("is_safe", gold="is_safe"), votes("gpt-4o-mini", gold="HUMAN"), how="jsonl", asks=ANY)


@tool
def wandb_table(rng):
    c = Cases(rng, 140, [str(k) for k in range(4)])
    rows = [[i, f"media/images/{hexadecimal(rng)}.png", c.answer[i], c.truth[i], *(r(c.proba[i][k]) for k in c.classes)] for i in range(c.n)]
    return case({"columns": ["id", "image", "guess", "truth", *(f"score_{k}" for k in c.classes)], "data": rows, "ncols": 8, "nrows": c.n},
        predictions("truth", "guess", *(f"score_{k}" for k in c.classes)), how="json", asks="label proba")


@tool
def wandb_table_csv(rng):
    c = Cases(rng, 200, ("setosa", "virginica"))
    return case(rows_of({"step": list(range(c.n)), "epoch": [3] * c.n, "ground_truth": c.truth, "prediction": c.answer, "confidence": [r(s) for s in c.sure], "loss": [r(-math.log(p[t])) for p, t in zip(c.proba, c.truth, strict=True)]}),
        predictions("ground_truth", "prediction", "confidence"), asks="confidence")


@tool
def braintrust_export(rng):
    c = Cases(rng, 90, (0, 1))
    return case(rows_of({"id": [hexadecimal(rng) for _ in range(c.n)], "span_id": [hexadecimal(rng) for _ in range(c.n)], "created": [stamp(i) for i in range(c.n)], "input": c.each(lambda: f"say {hexadecimal(rng, 5)}"), "output": c.each(lambda: f"said {hexadecimal(rng, 5)}"),
        "expected": c.each(lambda: f"said {hexadecimal(rng, 5)}"), "scores.Factuality": c.each(lambda: rng.choice((0, 0.4, 0.6, 1))), "scores.Levenshtein": c.each(lambda: r(rng.random())), "metrics.duration": c.each(lambda: r(rng.random() * 3)), "metrics.tokens": c.each(lambda: rng.randint(30, 900))}),
        asks=ANY)


@tool
def deepeval_run(rng):
    c = Cases(rng, 60, (True, False))
    one, two = c.judge(0.9), c.judge(0.75)
    tests = [{"name": f"test_case_{i}", "input": f"q {i}", "actualOutput": f"a {i}", "expectedOutput": f"e {i}", "success": one[i] and two[i], "order": i, "runDuration": 1.2,
        "metricsData": [{"name": "Answer Relevancy", "threshold": 0.5, "success": one[i], "score": 0.9 if one[i] else 0.2, "reason": "so", "strictMode": False, "evaluationModel": "gpt-4.1", "error": None},
                        {"name": "Faithfulness", "threshold": 0.5, "success": two[i], "score": 0.8 if two[i] else 0.1, "reason": "so", "strictMode": False, "evaluationModel": "gpt-4.1", "error": None}]} for i in range(c.n)]
    return case({"testFile": "test_x.py", "testCases": tests, "conversationalTestCases": [], "metricsScores": []}, votes("Answer Relevancy", "Faithfulness"), how="json", asks=ANY)


@tool
def ragas_frame(rng):
    c = Cases(rng, 70, (0, 1))
    return refused(rows_of({"user_input": c.each(lambda: f"what of {hexadecimal(rng, 6)}?"), "retrieved_contexts": c.each(lambda: f"['{hexadecimal(rng)}', '{hexadecimal(rng)}']"), "response": c.each(lambda: f"it is {hexadecimal(rng)}"), "reference": c.each(lambda: f"it was {hexadecimal(rng)}"),
        "context_recall": c.each(lambda: rng.choice((0, 0.5, 1))), "faithfulness": c.each(lambda: r(rng.random())), "factual_correctness(mode=f1)": c.each(lambda: r(rng.random(), 2)), "semantic_similarity": c.each(lambda: r(0.5 + rng.random() / 2))}), asks=ANY)


@tool
def openai_batch(rng):
    c = Cases(rng, 100, ("billing", "login", "other"))
    rows = [{"id": f"batch_req_{i}", "custom_id": f"ticket-{i}", "response": {"status_code": 200, "request_id": hexadecimal(rng), "body": {"id": f"chatcmpl-{i}", "object": "chat.completion", "created": 1763900000 + i, "model": "gpt-4.1-mini", "choices": [{"index": 0, "message": {"role": "assistant", "content": c.answer[i], "refusal": None}, "logprobs": {"content": [{"token": c.answer[i], "logprob": math.log(c.sure[i]), "bytes": None, "top_logprobs": []}]}, "finish_reason": "stop"}], "usage": {"total_tokens": 90 + i % 7}}}, "error": None} for i in range(c.n)]
    return case(rows, predictions(None, None), how="jsonl")


@tool
def openai_evals_dashboard(rng):
    c = Cases(rng, 90, ("ham", "spam"))
    return case(rows_of({"item.text": c.each(lambda: f"hello {hexadecimal(rng, 9)} there"), "item.label": c.truth, "sample.output_text": c.answer, "sample.model": ["gpt-4.1"] * c.n, "grader.string_check.passed": [a == t for a, t in zip(c.answer, c.truth, strict=True)]}),
        votes("sample.output_text", gold="item.label"), asks=ANY)


@tool
def anthropic_batch(rng):
    c = Cases(rng, 80, ("spam", "ham"))
    return refused([{"custom_id": f"m{i}", "result": {"type": "succeeded", "message": {"id": f"msg_{hexadecimal(rng)}", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "content": [{"type": "text", "text": c.answer[i]}], "stop_reason": "end_turn", "usage": {"input_tokens": 40 + i, "output_tokens": 3}}}} for i in range(c.n)], "jsonl", ANY)


# labelling


@tool
def argilla_records(rng):
    c = Cases(rng, 90, ("positive", "negative"))
    people = c.part(0.6)
    rows = [{"id": hexadecimal(rng, 8), "status": "completed" if people[i] else "pending", "fields": {"text": f"this was {hexadecimal(rng)}"}, "metadata": {"source": "web"}, "suggestions": {"sentiment": {"value": c.answer[i], "score": r(c.sure[i]), "agent": "setfit"}}, "responses": {"sentiment": [{"value": people[i], "user_id": "b5"}]} if people[i] else {}, "vectors": {}} for i in range(c.n)]
    return case(rows, predictions("sentiment responses", "sentiment suggestion"), votes("setfit", gold="sentiment"), how="json", asks=ANY)


@tool
def argilla_flat(rng):
    c = Cases(rng, 120, ("complaint", "praise", "question"))
    people = c.part(0.7)
    return case(rows_of({"id": [hexadecimal(rng, 8) for _ in range(c.n)], "status": ["completed" if p else "pending" for p in people], "text": c.each(lambda: f"dear {hexadecimal(rng)} team"), "label.suggestion": c.answer, "label.suggestion.score": [r(s) for s in c.sure], "label.suggestion.agent": ["modernbert"] * c.n, "label.responses": people, "label.responses.users": ["b5" if p else "" for p in people], "label.responses.status": ["submitted" if p else "" for p in people]}),
        predictions("label.responses", "label.suggestion", "label.suggestion.score", truth=people), asks="label")


@tool
def prodigy_choices(rng):
    c = Cases(rng, 60, ("POSITIVE", "NEGATIVE", "NEUTRAL"))
    a, b, rows = c.judge(0.9), c.judge(0.85), []
    options = [{"id": k, "text": k.title()} for k in c.classes]
    for i in range(c.n):
        for who, said in (("ann", a[i]), ("bea", b[i])):
            rows.append({"text": f"it felt {hexadecimal(random.Random(i))}", "_input_hash": 1000 + i, "_task_hash": 5000 + i, "options": options, "_view_id": "choice", "config": {"choice_style": "single"}, "accept": [said], "answer": "accept", "_timestamp": 1763900000 + i, "_annotator_id": f"sent-{who}", "_session_id": f"sent-{who}"})
    return case(rows, votes("sent-ann", "sent-bea"), votes("ann", "bea"), how="jsonl", asks=ANY)


@tool
def prodigy_binary(rng):
    c = Cases(rng, 100, ("accept", "reject"))
    rows = [{"text": f"post {hexadecimal(rng)}", "label": "INSULT", "score": r(rng.random()), "meta": {"score": 0.5}, "_input_hash": 100 + i, "_task_hash": 900 + i, "answer": c.truth[i], "_annotator_id": "t-ann", "_session_id": "t-ann"} for i in range(c.n)]
    return case(rows, predictions("answer", None), predictions("label", None), votes("t-ann"), how="jsonl", asks=ANY)


@tool
def label_studio_min(rng):
    c = Cases(rng, 50, ("Good", "Bad"))
    sides = {1: c.judge(0.9), 4: c.judge(0.85), 9: c.judge(0.8)}
    rows = [{"text": f"review {hexadecimal(random.Random(i))}", "id": i + 1, "sentiment": said[i], "annotator": who, "annotation_id": 100 * who + i, "created_at": stamp(i), "updated_at": stamp(i), "lead_time": r(rng.random() * 30)} for who, said in sides.items() for i in range(c.n)]
    return case(rows, votes("1", "4", "9"), how="json", asks=ANY)


@tool
def label_studio_csv(rng):
    c = Cases(rng, 55, ("ok", "defect"))
    sides = {"ann@x.org": c.judge(0.9), "bob@x.org": c.judge(0.85)}
    rows = [{"annotation_id": 10 * i + k, "annotator": who, "created_at": stamp(i), "id": i, "image": f"/data/upload/{i}.jpg", "lead_time": r(rng.random() * 40), "choice": said[i], "updated_at": stamp(i)} for k, (who, said) in enumerate(sides.items()) for i in range(c.n)]
    return case(rows, votes("ann@x.org", "bob@x.org"), asks=ANY)


@tool
def doccano(rng):
    c = Cases(rng, 70, ("sports", "politics"))
    return refused([{"id": i, "text": f"news of {hexadecimal(rng)}", "label": [c.truth[i]]} for i in range(c.n)], "jsonl", ANY)


@tool
def labelbox(rng):
    c = Cases(rng, 40, ("ripe", "unripe"))
    return refused([{"data_row": {"id": hexadecimal(rng), "external_id": f"{i}.jpg"}, "projects": {"p1": {"name": "fruit", "labels": [{"label_kind": "Default", "label_details": {"created_at": stamp(i), "created_by": "ann@x.org"}, "annotations": {"classifications": [{"name": "ripeness", "radio_answer": {"name": c.truth[i], "value": c.truth[i]}}]}}]}}} for i in range(c.n)], "ndjson", ANY)


@tool
def ground_truth_people_only(rng):
    c = Cases(rng, 60, ("car", "bus"))
    return refused([{"source-ref": f"s3://b/{i}.jpg", "vehicles": c.classes.index(c.truth[i]), "vehicles-metadata": {"confidence": r(c.sure[i], 2), "job-name": "labeling-job/v", "class-name": c.truth[i], "human-annotated": "yes", "creation-date": stamp(i), "type": "groundtruth/image-classification"}} for i in range(c.n)], "jsonl")


@tool
def mturk_batch(rng):
    c = Cases(rng, 40, ("Yes", "No"))
    who = [f"A{hexadecimal(rng, 12).upper()}" for _ in range(3)]
    said = [c.judge(0.85) for _ in who]
    rows = [{"HITId": f"3{i:029d}", "HITTypeId": "3X", "Title": "Is it a shoe?", "MaxAssignments": 3, "AssignmentId": hexadecimal(rng, 30).upper(), "WorkerId": w, "AssignmentStatus": "Approved", "AcceptTime": f"Mon Nov 0{1 + i % 9} 0{k}:00:00 PST 2026", "WorkTimeInSeconds": rng.randint(4, 90), "LifetimeApprovalRate": "100% (12/12)", "Input.image_url": f"https://x/{i}.jpg", "Answer.shoe": said[k][i]} for i in range(c.n) for k, w in enumerate(who)]
    return case(rows, votes(*who), asks=ANY)


@tool
def toloka_tsv(rng):
    c = Cases(rng, 50, ("OK", "BAD"))
    who = [hexadecimal(rng, 32) for _ in range(3)]
    said = [c.judge(0.85) for _ in who]
    gold = c.part(0.2)
    rows = [{"INPUT:image": f"img/{i}.jpg", "OUTPUT:result": said[k][i], "GOLDEN:result": gold[i], "HINT:text": "", "ASSIGNMENT:link": f"https://t/{i}", "ASSIGNMENT:task_id": f"00{i}--{hexadecimal(random.Random(i), 8)}", "ASSIGNMENT:assignment_id": hexadecimal(rng), "ASSIGNMENT:worker_id": w, "ASSIGNMENT:status": "APPROVED", "ASSIGNMENT:started": stamp(i)} for i in range(c.n) for k, w in enumerate(who)]
    return case(rows, votes(*who, gold="GOLDEN:result"), how="csv:tab", asks=ANY)


@tool
def appen_aggregated(rng):
    c = Cases(rng, 120, ("animal", "plant"))
    gold = c.part(0.3)
    return case(rows_of({"_unit_id": [700000 + i for i in range(c.n)], "_golden": [bool(g) for g in gold], "_unit_state": ["golden" if g else "finalized" for g in gold], "_trusted_judgments": c.each(lambda: rng.randint(3, 9)), "_last_judgment_at": [f"11/{1 + i % 20}/2026 10:00:00" for i in range(c.n)], "kind": c.answer, "kind:confidence": [r(s) for s in c.sure], "kind_gold": gold, "url": [f"https://x/{i}" for i in range(c.n)]}),
        predictions("kind_gold", "kind", "kind:confidence", truth=gold), asks="label")
