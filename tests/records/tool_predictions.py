"""Tables of predictions in the shapes of many tools, made after their documentation, each with what it must be read as."""

from __future__ import annotations

import random

from records.made_files import Made
from records.tool_shapes import N, binary, lines, many, of, table

__all__ = ["SHAPES"]


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


SHAPES = (
    h2o,
    rapidminer,
    datarobot,
    mlr3,
    caret,
    sas_miner,
    dataiku,
    comprehend,
    vertex,
    zero_shot,
    fasttext,
    evidently,
)
