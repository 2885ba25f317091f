"""Logs of many tools, made after their documentation, each with what it must be read as."""

from __future__ import annotations

import json
import random
from typing import Any

from records.made_files import Made
from records.tool_shapes import N, binary, counted, lines, many, of, table

__all__ = ["SHAPES"]


def langfuse_api(rng: random.Random) -> Made:
    rows = []
    for i in range(60):
        for judge in ("helpful-gpt", "helpful-llama"):
            v = rng.choice(["good", "bad"])
            rows.append(
                {
                    "id": f"s{i}{judge}",
                    "trace_id": f"t{i}",
                    "name": judge,
                    "source": "EVAL",
                    "data_type": "CATEGORICAL",
                    "value": 1.0,
                    "string_value": v,
                }
            )
        if i % 2:
            rows.append(
                {
                    "id": f"h{i}",
                    "trace_id": f"t{i}",
                    "name": "helpful",
                    "source": "ANNOTATION",
                    "data_type": "CATEGORICAL",
                    "value": 1.0,
                    "string_value": rng.choice(["good", "bad"]),
                }
            )
    people = [r["string_value"] for r in rows if r["source"] == "ANNOTATION"]
    return Made(
        "langfuse.jsonl",
        lines(rows),
        "evaluation",
        60,
        judges=("helpful-gpt", "helpful-llama"),
        gold="source ANNOTATION",
        label_counts=counted(people),
    )


def langsmith_feedback(rng: random.Random) -> Made:
    rows = []
    for i in range(60):
        rows.extend(
            {
                "id": f"{key}{i}",
                "run_id": f"r{i}",
                "key": key,
                "score": rng.choice([0, 1]),
                "value": None,
                "feedback_source": {"type": "model", "metadata": {}},
            }
            for key in ("correct-a", "correct-b")
        )
        if i % 3 == 0:
            rows.append(
                {
                    "id": f"u{i}",
                    "run_id": f"r{i}",
                    "key": "correct",
                    "score": rng.choice([0, 1]),
                    "value": None,
                    "feedback_source": {"type": "app"},
                }
            )
    people = [r["score"] for r in rows if r["feedback_source"]["type"] == "app"]
    return Made(
        "feedback.json",
        json.dumps(rows),
        "evaluation",
        60,
        judges=("correct-a", "correct-b"),
        gold="feedback from the app",
        label_counts=counted(people),
    )


def mlflow_traces(rng: random.Random) -> Made:
    def given(kind: str, name: str) -> dict[str, Any]:
        return {
            "assessment_name": "safe",
            "source": {"source_type": kind, "source_id": name},
            "feedback": {"value": rng.choice(["yes", "no"])},
        }

    rows = [
        {
            "info": {
                "trace_id": f"tr-{i}",
                "assessments": [
                    given("LLM_JUDGE", "g"),
                    given("CODE", "rules"),
                    *([given("HUMAN", "kim")] if i % 2 else []),
                ],
            },
            "data": {"spans": []},
        }
        for i in range(60)
    ]
    people = [
        a["feedback"]["value"]
        for r in rows
        for a in r["info"]["assessments"]
        if a["source"]["source_type"] == "HUMAN"
    ]
    return Made(
        "traces.json",
        json.dumps(rows),
        "evaluation",
        60,
        judges=("g", "rules"),
        gold="source_type HUMAN",
        label_counts=counted(people),
    )


def argilla_flat(rng: random.Random) -> Made:
    rows = [
        {
            "id": f"a{i}",
            "text": f"t {i}",
            "topic.suggestion": a,
            "topic.suggestion.score": p[a],
            "topic.suggestion.agent": "m",
            "topic.responses": [t] if i % 2 else None,
            "topic.responses.users": ["u"] if i % 2 else None,
        }
        for i, p, a, t in many(rng)
    ]
    said = [r["topic.responses"][0] for r in rows if r["topic.responses"]]
    return Made(
        "argilla.jsonl",
        lines(rows),
        "predictions",
        N,
        "topic responses",
        "topic suggestion",
        "topic suggestion score",
        label_counts=counted(said),
    )


def prodigy_one(rng: random.Random) -> Made:
    rows = [
        {
            "text": f"t {i}",
            "_input_hash": i,
            "_task_hash": -i,
            "label": "SPAM",
            "score": p,
            "answer": "accept" if y else "reject",
            "_annotator_id": "db-me",
        }
        for i, p, y in binary(rng)
    ]
    return Made(
        "prodigy.jsonl",
        lines(rows),
        "predictions",
        N,
        "answer",
        probabilities={"accept": "score"},
        label_counts=of(rows, "answer"),
    )


def sagemaker_both(rng: random.Random) -> Made:
    def meta(name: str, by: str, sure: float) -> dict[str, Any]:
        return {
            "class-name": name,
            "confidence": sure,
            "human-annotated": by,
            "job-name": "labeling-job/x",
            "type": "groundtruth/x",
        }

    rows = [
        {
            "source-ref": f"s3://b/{i}.jpg",
            "auto": 0,
            "auto-metadata": meta(a, "no", p[a]),
            "check": 0,
            "check-metadata": meta(t, "yes", 0.95),
        }
        for i, p, a, t in many(rng)
    ]
    return Made(
        "output.manifest",
        lines(rows),
        "predictions",
        N,
        "human-annotated yes",
        "human-annotated no",
        "confidence",
        label_counts=counted([r["check-metadata"]["class-name"] for r in rows]),
    )


def bqml_nested(rng: random.Random) -> Made:
    rows = [
        {
            "predicted_label": a,
            "predicted_label_probs": [{"label": c, "prob": x} for c, x in p.items()],
            "label": t,
            "country": "DE",
        }
        for _, p, a, t in many(rng)
    ]
    return Made(
        "bqml.json",
        lines(rows),
        "predictions",
        N,
        "label",
        probabilities=dict.fromkeys("abc", "predicted_label_probs"),
        label_counts=of(rows, "label"),
    )


def wandb_table(rng: random.Random) -> Made:
    rows = [{"id": i, "pred": a, "conf": p[a], "truth": t} for i, p, a, t in many(rng)]
    text = json.dumps(
        {"columns": list(rows[0]), "data": [list(r.values()) for r in rows], "ncols": 4, "nrows": N}
    )
    return Made(
        "run.table.json",
        text,
        "predictions",
        N,
        "truth",
        "pred",
        "conf",
        label_counts=of(rows, "truth"),
    )


def humanlayer(rng: random.Random) -> Made:
    rows = [
        {
            "call_id": f"c{i}",
            "run_id": f"r{i % 9}",
            "spec": {"fn": rng.choice(["send_email", "drop_table"]), "kwargs": {"n": i}},
            "status": {"approved": rng.random() < 0.8, "comment": None},
        }
        for i in range(N)
    ]
    return Made("humanlayer.jsonl", lines(rows), "approvals", N)


def permission_log(rng: random.Random) -> Made:
    rows = [
        {
            "time": f"2026-01-01T00:{i % 60:02d}:00Z",
            "session": f"s{i % 7}",
            "tool": rng.choice(["Bash", "Edit", "WebFetch"]),
            "permission": rng.choice(["allow", "allow", "deny"]),
            "user": "kim",
        }
        for i in range(N)
    ]
    return Made("permissions.csv", table(rows), "approvals", N)


def chat_completions(rng: random.Random) -> Made:
    rows = [
        {
            "id": f"chatcmpl-{i}",
            "object": "chat.completion",
            "model": "m",
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": a},
                    "logprobs": {"content": [{"token": a, "logprob": -0.01 - i / 100}]},
                }
            ],
        }
        for i, _, a, _ in many(rng)
    ]
    return Made("chat.jsonl", lines(rows), "predictions", N, None, "message content", "logprobs")


SHAPES = (
    langfuse_api,
    langsmith_feedback,
    mlflow_traces,
    argilla_flat,
    prodigy_one,
    sagemaker_both,
    bqml_nested,
    wandb_table,
    humanlayer,
    permission_log,
    chat_completions,
)
