"""What notebooks and libraries leave: predictions with their probabilities."""

from __future__ import annotations

import math
from collections import Counter

from stranger_cases import Cases, Want, case, money, predictions, r, rows_of, stranger, votes


@stranger
def sklearn_cv(rng):
    c = Cases(rng, 350, ("0", "1"))
    return case(rows_of({
        "": range(c.n), "y_test": c.truth, "y_pred": c.answer, "proba_0": [p["0"] for p in c.proba],
        "proba_1": [p["1"] for p in c.proba],
    }), predictions("y_test", "y_pred", "proba_0", "proba_1"))  # fmt: skip


@stranger
def keras_eval(rng):
    c = Cases(rng, 320, ("cat", "dog", "fox"))
    return case(rows_of({
        "filename": [f"img/{i}.png" for i in range(c.n)], "true_class": c.truth, "pred_class": c.answer,
        "max_softmax": [r(s, 6) for s in c.sure], "is_correct": [a == t for a, t in zip(c.answer, c.truth, strict=True)],
        "loss": [r(-math.log(p[t])) for p, t in zip(c.proba, c.truth, strict=True)],
    }), predictions("true_class", "pred_class", "max_softmax"), asks="confidence")  # fmt: skip


@stranger
def torch_logits(rng):
    c = Cases(rng, 300, ("0", "1", "2"))
    z = [{k: math.log(v) + 1.3 for k, v in p.items()} for p in c.proba]
    return case(rows_of({"idx": range(c.n), "target": c.truth} | {f"logit_{k}": [r(row[k]) for row in z] for k in "012"}),
        asks="scores proba confidence")  # fmt: skip


@stranger
def decision_function(rng):
    c = Cases(rng, 280, ("-1", "1"))
    return case(rows_of({
        "y": c.truth, "decision_function": [r(math.log(p["1"] / p["-1"])) for p in c.proba], "y_hat": c.answer,
    }), asks="scores proba confidence kind")  # fmt: skip


@stranger
def kaggle_prediction(rng):
    c = Cases(rng, 450, ("0", "1"))
    return case(rows_of({"id": range(c.n), "prediction": [r(p["1"], 6) for p in c.proba], "actual": c.truth}),
        predictions("actual", None, "prediction"), asks="proba classes")  # fmt: skip


@stranger
def out_of_fold(rng):
    c = Cases(rng, 420, ("0", "1"))
    features = {f"f{k}": c.each(lambda: r(rng.random(), 3)) for k in range(5)}
    return case(rows_of({**features, "fold": [i % 5 for i in range(c.n)], "target": c.truth,
                         "oof_pred": [r(p["1"], 5) for p in c.proba]}),
        predictions("target", None, "oof_pred"), asks="proba classes")  # fmt: skip


@stranger
def lightgbm_multi(rng):
    c = Cases(rng, 380, ("0", "1", "2", "3"))
    return case(rows_of({f"class_{k}": [p[k] for p in c.proba] for k in "0123"} | {
        "label": c.truth, "fold": [i % 4 for i in range(c.n)], "weight": c.each(lambda: r(0.5 + rng.random(), 2))}),
        predictions("label", None, *(f"class_{k}" for k in "0123")))  # fmt: skip


@stranger
def fasttext(rng):
    c = Cases(rng, 260, ("spam", "ham"))
    return case(rows_of({
        "text": c.each(lambda: " ".join(rng.choices(("win", "call", "see", "you", "later", "free"), k=7)) + str(rng.random())),
        "gold": c.truth, "pred": [f"__label__{a}" for a in c.answer], "prob": [r(s) for s in c.sure],
    }), predictions("gold", "pred", "prob"), asks="map")  # fmt: skip


@stranger
def zero_shot(rng):
    c = Cases(rng, 150, ("sports", "politics", "science"))
    rows = []
    for i, (p, t) in enumerate(zip(c.proba, c.truth, strict=True)):
        order = sorted(p, key=lambda k: -p[k])
        rows.append(
            {
                "sequence": f"text {i} of some length",
                "labels": order,
                "scores": [p[k] for k in order],
                "gold": t,
            }
        )
    return case(rows, Want("predictions", "gold", None, counts=dict(Counter(c.truth))), how="jsonl")


@stranger
def transformers_nested(rng):
    c = Cases(rng, 160, ("NEGATIVE", "POSITIVE"))
    rows = [{"text": f"a film {i}", "human": t, "prediction": {"label": a, "score": s}}
            for i, (t, a, s) in enumerate(zip(c.truth, c.answer, c.sure, strict=True))]  # fmt: skip
    return case(rows, predictions("human", "prediction.label", "prediction.score"), how="jsonl")


@stranger
def comprehend(rng):
    c = Cases(rng, 140, ("COMPLAINT", "PRAISE", "QUESTION"))
    rows = [{"File": "in.txt", "Line": i, "Classes": [{"Name": k, "Score": v} for k, v in sorted(p.items(), key=lambda kv: -kv[1])], "expected": t}
            for i, (p, t) in enumerate(zip(c.proba, c.truth, strict=True))]  # fmt: skip
    return case(rows, Want("predictions", "expected", None), how="jsonl")


@stranger
def google_sentiment(rng):
    c = Cases(rng, 200, ("negative", "positive"))
    return case(rows_of({
        "content": [f"review {i} text" for i in range(c.n)],
        "sentiment_score": [r(2 * p["positive"] - 1, 2) for p in c.proba], "magnitude": c.each(lambda: r(rng.random() * 4, 2)),
        "human_label": c.truth,
    }), asks="scores proba confidence kind judges label prediction")  # fmt: skip


@stranger
def text_analytics(rng):
    c = Cases(rng, 210, ("negative", "neutral", "positive"))
    return case(rows_of({
        "documentId": range(1, c.n + 1), "sentiment": c.answer} | {f"confidenceScores.{k}": [r(p[k], 2) for p in c.proba] for k in ("positive", "neutral", "negative")} | {
        "annotatedSentiment": c.part(0.5)}),
        predictions("annotatedSentiment", "sentiment", *(f"confidenceScores.{k}" for k in ("positive", "neutral", "negative"))))  # fmt: skip


@stranger
def moderation_categories(rng):
    c = Cases(rng, 230, ("False", "True"))
    return case(rows_of({
        "input": [f"message {i}" for i in range(c.n)], "flagged": c.answer} | {f"category_scores.{k}": c.each(lambda: r(rng.random() ** 3, 5)) for k in ("hate", "violence", "sexual")} | {
        "human_flag": c.truth}), votes("flagged", gold="human_flag"), asks="proba confidence kind label judges")  # fmt: skip


@stranger
def perspective(rng):
    c = Cases(rng, 240, ("not_toxic", "toxic"))
    tox = [p["toxic"] for p in c.proba]
    return case(rows_of({
        "comment": [f"c {i}" for i in range(c.n)], "TOXICITY": [r(t, 6) for t in tox],
        "SEVERE_TOXICITY": [r(t * rng.random(), 6) for t in tox], "INSULT": [r(min(1, t * (0.6 + 0.6 * rng.random())), 6) for t in tox],
        "label": c.truth,
    }), predictions("label", None, "TOXICITY"), asks="proba confidence label")  # fmt: skip


@stranger
def datarobot(rng):
    c = Cases(rng, 310, ("0", "1"))
    return case(rows_of({
        "row_id": range(c.n), "readmitted (actual)": c.truth, "readmitted_PREDICTION": c.answer,
        "readmitted_1_PREDICTION": [r(p["1"], 6) for p in c.proba], "readmitted_0_PREDICTION": [r(p["0"], 6) for p in c.proba],
        "THRESHOLD": [0.5] * c.n, "POSITIVE_CLASS": [1] * c.n, "DEPLOYMENT_APPROVAL_STATUS": ["APPROVED"] * c.n,
    }), predictions("readmitted (actual)", "readmitted_PREDICTION", "readmitted_1_PREDICTION", "readmitted_0_PREDICTION"))  # fmt: skip


@stranger
def h2o_words(rng):
    c = Cases(rng, 290, ("No", "Yes"))
    return case(rows_of({
        "predict": c.answer, "No": [p["No"] for p in c.proba], "Yes": [p["Yes"] for p in c.proba], "Churn": c.truth,
        "tenure": c.each(lambda: rng.randint(1, 72)), "MonthlyCharges": c.each(lambda: money(rng)),
    }), predictions("Churn", "predict", "No", "Yes"))  # fmt: skip


@stranger
def vertex_batch(rng):
    c = Cases(rng, 130, ("daisy", "rose", "tulip"))
    rows = [{"instance": {"content": f"gs://b/{i}.jpg", "label": t}, "prediction": {"displayNames": list(p), "confidences": list(p.values()), "ids": ["1", "2", "3"]}}
            for i, (p, t) in enumerate(zip(c.proba, c.truth, strict=True))]  # fmt: skip
    return case(rows, Want("predictions", "instance.label", None), how="jsonl")


@stranger
def bigquery_ml(rng):
    c = Cases(rng, 170, ("0", "1"))
    rows = [{"predicted_label": a, "predicted_label_probs": [{"label": k, "prob": v} for k, v in p.items()], "label": t, "tenure": rng.randint(1, 50)}
            for p, t, a in zip(c.proba, c.truth, c.answer, strict=True)]  # fmt: skip
    return case(rows, Want("predictions", "label", "predicted_label"), how="ndjson")


@stranger
def orange_test(rng):
    c = Cases(rng, 200, ("no", "yes"))
    return case(rows_of({
        "Survived": c.truth, "Random Forest": c.answer, "Random Forest (no)": [r(p["no"], 5) for p in c.proba],
        "Random Forest (yes)": [r(p["yes"], 5) for p in c.proba], "Fold": [1 + i % 5 for i in range(c.n)],
    }), predictions("Survived", "Random Forest", "Random Forest (no)", "Random Forest (yes)"))  # fmt: skip


@stranger
def rapidminer(rng):
    c = Cases(rng, 240, ("Mine", "Rock"))
    return case(rows_of({
        "class": c.truth, "prediction(class)": c.answer, "confidence(Rock)": [r(p["Rock"], 3) for p in c.proba],
        "confidence(Mine)": [r(1 - r(p["Rock"], 3), 3) for p in c.proba],
    } | {f"attribute_{k}": c.each(lambda: r(rng.random(), 4)) for k in range(1, 6)}),
        predictions("class", "prediction(class)", "confidence(Rock)", "confidence(Mine)"))  # fmt: skip


@stranger
def matlab(rng):
    c = Cases(rng, 250, ("1", "2", "3"))
    return case(rows_of({"YTest": c.truth, "YPred": c.answer} | {f"Scores_{k}": [r(p[k], 5) for p in c.proba] for k in "123"}),
        predictions("YTest", "YPred", "Scores_1", "Scores_2", "Scores_3"))  # fmt: skip


@stranger
def mlr_truth_response(rng):
    c = Cases(rng, 180, ("M", "R"))
    return case(rows_of({"row_ids": range(1, c.n + 1), "truth": c.truth, "response": c.answer, "prob.M": [p["M"] for p in c.proba], "prob.R": [p["R"] for p in c.proba]}),
        predictions("truth", "response", "prob.M", "prob.R"))  # fmt: skip
