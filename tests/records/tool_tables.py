"""Tables and logs in the shapes of many tools, made after their documentation, each with what it must be read as."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

from records.made_files import Made

__all__ = ["tool_files"]

N = 120
Rows = list[dict[str, Any]]
SHAPES: list[Callable[[random.Random], Made]] = []


def shape(make: Callable[[random.Random], Made]) -> Callable[[random.Random], Made]:
    SHAPES.append(make)
    return make


def table(rows: Rows, separator: str = ",") -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0], delimiter=separator, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def lines(rows: Rows) -> str:
    return "\n".join(map(json.dumps, rows)) + "\n"


def binary(rng: random.Random, n: int = N) -> Iterator[tuple[int, float, int]]:
    """Yield a number, a probability of 1, and the truth that it foretells."""
    for i in range(n):
        p = round(rng.betavariate(0.7, 0.8), 4)
        p = p if abs(p - 0.5) > 0.002 else 0.51
        yield i, p, int(rng.random() < p)


def many(
    rng: random.Random, classes: str = "abc", n: int = N
) -> Iterator[tuple[int, dict[str, float], str, str]]:
    """Yield a number, probabilities, the best class, and the truth."""
    for i in range(n):
        weights = [rng.gammavariate(0.5, 1) + 1e-2 for _ in classes]
        p = {c: round(w / sum(weights), 4) for c, w in zip(classes, weights, strict=True)}
        yield i, p, max(p, key=p.__getitem__), rng.choices(list(p), list(p.values()))[0]


def counted(values: list[Any]) -> dict[str, int]:
    texts = [str(v) for v in values if v not in (None, "")]
    return {v: texts.count(v) for v in sorted(set(texts))}


def of(rows: Rows, name: str) -> dict[str, int]:
    return counted([row.get(name) for row in rows])


@shape
def h2o(rng: random.Random) -> Made:
    rows = [
        {"row_id": i, "predict": int(p > 0.5), "p0": round(1 - p, 4), "p1": p, "response": y}
        for i, p, y in binary(rng)
    ]
    return Made(
        "h2o.csv",
        table(rows),
        "predictions",
        N,
        "response",
        probabilities={"0": "p0", "1": "p1"},
        label_counts=of(rows, "response"),
    )


@shape
def rapidminer(rng: random.Random) -> Made:
    rows = [
        {
            "id": f"r{i}",
            "churn": "yes" if y else "no",
            "prediction(churn)": "yes" if p > 0.5 else "no",
            "confidence(yes)": p,
            "confidence(no)": round(1 - p, 4),
            "tenure": rng.randrange(70),
        }
        for i, p, y in binary(rng)
    ]
    return Made(
        "rapidminer.csv",
        table(rows, ";"),
        "predictions",
        N,
        "churn",
        probabilities={"yes": "confidence(yes)", "no": "confidence(no)"},
        label_counts=of(rows, "churn"),
    )


@shape
def datarobot(rng: random.Random) -> Made:
    rows = [
        {
            "row_id": i,
            "loan_status": "bad" if y else "good",
            "loan_status_bad_PREDICTION": p,
            "loan_status_good_PREDICTION": round(1 - p, 4),
            "loan_status_PREDICTION": "bad" if p > 0.5 else "good",
            "THRESHOLD": 0.5,
            "POSITIVE_CLASS": "bad",
        }
        for i, p, y in binary(rng)
    ]
    return Made(
        "datarobot.csv",
        table(rows),
        "predictions",
        N,
        "loan_status",
        probabilities={"bad": "loan_status_bad_PREDICTION", "good": "loan_status_good_PREDICTION"},
        label_counts=of(rows, "loan_status"),
    )


@shape
def mlr3(rng: random.Random) -> Made:
    rows = [
        {"row_ids": i, "truth": t, "response": a, **{f"prob.{c}": x for c, x in p.items()}}
        for i, p, a, t in many(rng)
    ]
    return Made(
        "mlr3.csv",
        table(rows),
        "predictions",
        N,
        "truth",
        probabilities={c: f"prob.{c}" for c in "abc"},
        label_counts=of(rows, "truth"),
    )


@shape
def caret(rng: random.Random) -> Made:
    rows = [
        {
            "pred": "yes" if p > 0.5 else "no",
            "obs": "yes" if y else "no",
            "no": round(1 - p, 4),
            "yes": p,
            "rowIndex": i,
            "Resample": f"Fold{i % 5}",
        }
        for i, p, y in binary(rng)
    ]
    return Made(
        "caret.csv",
        table(rows),
        "predictions",
        N,
        "obs",
        probabilities={"yes": "yes", "no": "no"},
        label_counts=of(rows, "obs"),
    )


@shape
def sas_miner(rng: random.Random) -> Made:
    rows = [
        {
            "CUSTOMER": 9000 + i,
            "BAD": y,
            "I_BAD": int(p > 0.5),
            "P_BAD1": p,
            "P_BAD0": round(1 - p, 4),
            "LOAN": rng.randrange(1000, 9000),
        }
        for i, p, y in binary(rng)
    ]
    return Made(
        "sas_miner.csv",
        table(rows),
        "predictions",
        N,
        "BAD",
        probabilities={"1": "P_BAD1", "0": "P_BAD0"},
        label_counts=of(rows, "BAD"),
    )


@shape
def dataiku(rng: random.Random) -> Made:
    rows = [
        {
            "order": f"o{i}",
            "returned": t,
            **{f"proba_{c}": x for c, x in p.items()},
            "prediction": a,
        }
        for i, p, a, t in many(rng)
    ]
    return Made(
        "dataiku.csv",
        table(rows, "\t"),
        "predictions",
        N,
        "returned",
        probabilities={c: f"proba_{c}" for c in "abc"},
        label_counts=of(rows, "returned"),
    )


@shape
def comprehend(rng: random.Random) -> Made:
    rows = [
        {
            "File": "x.csv",
            "Line": str(i),
            "Classes": [{"Name": c, "Score": x} for c, x in sorted(p.items(), key=lambda q: -q[1])],
        }
        for i, p, _, _ in many(rng)
    ]
    return Made(
        "comprehend.jsonl",
        lines(rows),
        "predictions",
        N,
        probabilities=dict.fromkeys("abc", "Classes"),
        first={c["Name"]: c["Score"] for c in rows[0]["Classes"]},
    )


@shape
def vertex(rng: random.Random) -> Made:
    rows = [
        {
            "instance": {"content": f"gs://x/{i}.jpg"},
            "prediction": {
                "ids": ["1", "2", "3"],
                "displayNames": list(p),
                "confidences": list(p.values()),
            },
        }
        for i, p, _, _ in many(rng)
    ]
    return Made(
        "vertex.jsonl",
        lines(rows),
        "predictions",
        N,
        probabilities=dict.fromkeys("abc", "prediction.confidences"),
        first=dict(zip("abc", rows[0]["prediction"]["confidences"], strict=True)),
    )


@shape
def zero_shot(rng: random.Random) -> Made:
    rows = [
        {
            "sequence": f"text {i}",
            "labels": sorted(p, key=p.__getitem__, reverse=True),
            "scores": sorted(p.values(), reverse=True),
            "gold": t,
        }
        for i, p, _, t in many(rng)
    ]
    return Made(
        "zero_shot.jsonl",
        lines(rows),
        "predictions",
        N,
        "gold",
        probabilities=dict.fromkeys("abc", "scores"),
        label_counts=of(rows, "gold"),
        first=dict(zip(rows[0]["labels"], rows[0]["scores"], strict=True)),
    )


@shape
def fasttext(rng: random.Random) -> Made:
    rows = [
        {
            "text": f"some words number {i}",
            "predicted": f"__label__{a}",
            "prob": p[a],
            "label": f"__label__{t}",
        }
        for i, p, a, t in many(rng)
    ]
    return Made(
        "fasttext.tsv",
        table(rows, "\t"),
        "predictions",
        N,
        "label",
        "predicted",
        "prob",
        label_counts=of(rows, "label"),
    )


@shape
def evidently(rng: random.Random) -> Made:
    rows = [
        {
            "age": rng.randrange(20, 80),
            "ratio": round(rng.random(), 3),
            "target": t,
            "prediction": a,
            **p,
        }
        for _, p, a, t in many(rng)
    ]
    return Made(
        "evidently.csv",
        table(rows),
        "predictions",
        N,
        "target",
        probabilities={c: c for c in "abc"},
        label_counts=of(rows, "target"),
    )


@shape
def mturk(rng: random.Random) -> Made:
    rows = [
        {
            "HITId": f"H{i:03d}",
            "AssignmentId": f"A{i}{w}",
            "WorkerId": f"W{w}",
            "WorkTimeInSeconds": rng.randrange(5, 90),
            "Input.image": f"http://x/{i}.png",
            "Answer.category.label": rng.choice(["Cat", "Cat", "Dog"]) if i % 2 else "Dog",
            "Approve": "",
            "Reject": "",
        }
        for i in range(40)
        for w in "123"
    ]
    return Made("mturk.csv", table(rows), "votes", 40, judges=("W1", "W2", "W3"))


@shape
def toloka(rng: random.Random) -> Made:
    rows = [
        {
            "INPUT:image": f"i{i}.jpg",
            "OUTPUT:result": rng.choice(["OK", "OK", "BAD"]) if i % 3 else "BAD",
            "GOLDEN:result": ("BAD" if i % 3 == 0 else "OK") if i % 4 == 0 else "",
            "ASSIGNMENT:worker_id": f"w{w}",
            "ASSIGNMENT:assignment_id": f"a{i}-{w}",
        }
        for i in range(40)
        for w in range(3)
    ]
    golds = ["BAD" if i % 3 == 0 else "OK" for i in range(0, 40, 4)]
    return Made(
        "toloka.tsv",
        table(rows, "\t"),
        "votes",
        40,
        judges=("w0", "w1", "w2"),
        gold="GOLDEN:result",
        label_counts=counted(golds),
    )


@shape
def triplets(rng: random.Random) -> Made:
    rows = [
        {"worker": f"w{w}", "task": f"t{i}", "response": rng.choice([0, 1, 1]) if i % 2 else 0}
        for i in range(50)
        for w in range(4)
    ]
    return Made("triplets.csv", table(rows), "votes", 50, judges=("w0", "w1", "w2", "w3"))


@shape
def arena(rng: random.Random) -> Made:
    rows = [
        {
            "question_id": f"q{i}",
            "model_a": "alpha",
            "model_b": "beta",
            "gpt4_winner": rng.choice(["model_a", "model_b", "tie"]),
            "claude_winner": rng.choice(["model_a", "model_b", "tie"]),
            "human_winner": rng.choice(["model_a", "model_b"]) if i % 2 else "",
        }
        for i in range(N)
    ]
    return Made(
        "arena.csv",
        table(rows),
        "votes",
        N,
        judges=("gpt4_winner", "claude_winner"),
        gold="human_winner",
        label_counts=of(rows, "human_winner"),
    )


@shape
def braintrust(rng: random.Random) -> Made:
    rows = [
        {
            "id": f"e{i}",
            "input": f"q {i}",
            "output": f"answer {i} in words",
            "expected": f"other {i} of words",
            "scores": {"factual_gpt": rng.choice([0, 1]), "factual_claude": rng.choice([0, 1, 1])},
        }
        for i in range(N)
    ]
    return Made(
        "braintrust.jsonl",
        lines(rows),
        "votes",
        N,
        judges=("scores.factual_gpt", "scores.factual_claude"),
    )


@shape
def doccano(rng: random.Random) -> Made:
    rows = [
        {
            "id": i,
            "text": f"text {i}",
            "ann1": rng.choice(["pos", "neg"]),
            "ann2": rng.choice(["pos", "neg"]),
            "Comments": [],
        }
        for i in range(N)
    ]
    return Made("doccano.jsonl", lines(rows), "votes", N, judges=("ann1", "ann2"))


@shape
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


@shape
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


@shape
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


@shape
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


@shape
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


@shape
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


@shape
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


@shape
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


@shape
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


@shape
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


@shape
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


def tool_files(seed: int) -> Iterator[Made]:
    """Yield a file of each tool."""
    for i, make in enumerate(SHAPES):
        yield make(random.Random(1000 * seed + i))
