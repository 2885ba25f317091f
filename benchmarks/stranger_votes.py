"""People's and models' votes, and tables that look alike."""

from __future__ import annotations

import json

from stranger_cases import Cases, Want, case, day, predictions, r, rows_of, stranger, votes


@stranger
def three_friends(rng):
    c = Cases(rng, 130, ("pos", "neu", "neg"))
    return case(rows_of({"tweet": [f"so good {i}" for i in range(c.n)], "Marta": c.judge(0.85), "Jens": c.judge(0.8), "Ioana": c.judge(0.75)}),
        votes("Marta", "Jens", "Ioana"))  # fmt: skip


@stranger
def likert(rng):
    base = [rng.randint(1, 5) for _ in range(110)]
    own = {
        f"R{k}": [max(1, min(5, b + rng.choice((-1, 0, 0, 0, 1)))) for b in base]
        for k in range(1, 5)
    }
    return case(
        rows_of({"essay": [f"E{i}" for i in range(110)], **own}),
        votes("R1", "R2", "R3", "R4"),
        asks="pass-at scores",
    )


@stranger
def models_and_human(rng):
    c = Cases(rng, 190, ("pass", "fail"))
    return case(rows_of({
        "example": [f"ex-{i}" for i in range(c.n)], "gpt-4o": c.judge(0.85), "claude-3-5-sonnet": c.judge(0.86), "gemini-1.5": c.judge(0.8),
        "Human": c.part(0.3), "gpt-4o tokens": c.each(lambda: rng.randint(50, 400)),
    }), votes("gpt-4o", "claude-3-5-sonnet", "gemini-1.5", gold="Human"))  # fmt: skip


@stranger
def long_people(rng):
    c = Cases(rng, 70, ("ja", "nein", "unklar"))
    who = {f"{n}@lab.org": c.judge(s) for n, s in (("ana", 0.9), ("bo", 0.8), ("cy", 0.75))}
    rows = [{"annotation_id": 1000 + 3 * i + k, "item": f"it{i}", "user_email": n, "choice": v[i], "seconds": rng.randint(3, 90)}
            for i in range(70) for k, (n, v) in enumerate(who.items())]  # fmt: skip
    return case(rows, votes(*who))


@stranger
def long_models(rng):
    c = Cases(rng, 80, ("1", "0"))
    who = {"gpt-4o-mini": c.judge(0.85), "claude-haiku": c.judge(0.8), "human": c.truth}
    rows = [{"example_id": i, "grader_model": n, "score": v[i], "rationale": f"as the text says {i}", "cost_usd": r(rng.random() / 100, 5)}
            for i in range(80) for n, v in who.items()]  # fmt: skip
    return case(rows, votes("gpt-4o-mini", "claude-haiku", gold="human"))


@stranger
def pairwise(rng):
    c = Cases(rng, 150, ("A", "B"))

    def tie(v):
        return [x if rng.random() < 0.9 else "tie" for x in v]

    return case(rows_of({"prompt_id": range(c.n), "winner_gpt4": tie(c.judge(0.8)), "winner_claude": tie(c.judge(0.8)), "winner_human": c.truth}),
        votes("winner_gpt4", "winner_claude", gold="winner_human"))  # fmt: skip


@stranger
def toloka(rng):
    c = Cases(rng, 60, ("cat", "dog"))
    rows = [{"INPUT:image": f"http://x/{i}.jpg", "OUTPUT:result": c.truth[i] if rng.random() < 0.8 else c.other(c.truth[i]),
             "GOLDEN:result": c.truth[i] if i < 12 else "", "HINT:text": "", "ASSIGNMENT:assignment_id": f"a{i}-{w}",
             "ASSIGNMENT:worker_id": f"w{w}", "ASSIGNMENT:status": "APPROVED", "ASSIGNMENT:started": f"{day(i)}T08:00:00"}
            for i in range(60) for w in range(4)]  # fmt: skip
    return case(
        rows, votes("w0", "w1", "w2", "w3", gold="GOLDEN:result"), how="csv:tab", asks="id gold"
    )


@stranger
def mturk(rng):
    c = Cases(rng, 60, ("spam", "ok"))
    rows = [{"HITId": f"H{i}", "AssignmentId": f"A{i}{w}", "WorkerId": f"W{w}", "AssignmentStatus": "Approved", "WorkTimeInSeconds": rng.randint(5, 300),
             "LifetimeApprovalRate": "100% (10/10)", "Input.text": f"text {i}", "Answer.category": c.truth[i] if rng.random() < 0.8 else c.other(c.truth[i])}
            for i in range(60) for w in range(3)]  # fmt: skip
    return case(rows, votes("W0", "W1", "W2"))


@stranger
def raters_with_times(rng):
    c = Cases(rng, 140, ("relevant", "not relevant"))
    columns = {}
    for k, skill in enumerate((0.9, 0.85, 0.7), 1):
        columns |= {f"r{k}": c.judge(skill), f"r{k}_time": c.each(lambda: rng.randint(2, 120))}
    return case(
        rows_of({"query": [f"shoes {i}" for i in range(c.n)], **columns, "final": c.truth}),
        votes("r1", "r2", "r3", gold="final"),
        asks="gold",
    )


@stranger
def judges_with_costs(rng):
    c = Cases(rng, 160, ("correct", "incorrect"))
    return case(rows_of({"q": [f"Q{i}" for i in range(c.n)], "judge_a": c.judge(0.85), "judge_a_cost": c.each(lambda: r(rng.random() / 50, 4)),
        "judge_b": c.judge(0.75), "judge_b_cost": c.each(lambda: r(rng.random() / 90, 4)), "gold": c.part(0.4)}),
        votes("judge_a", "judge_b", gold="gold"))  # fmt: skip


@stranger
def judges_on_a_scale(rng):
    rows = [
        {
            "sample": i,
            "faithfulness_gpt": r(rng.betavariate(4, 2), 2),
            "faithfulness_llama": r(rng.betavariate(3, 2), 2),
            "human": int(rng.random() < 0.6),
        }
        for i in range(120)
    ]
    return case(rows, asks="pass-at scores judges proba kind label")


@stranger
def teachers(rng):
    c = Cases(rng, 130, ("excellent", "good", "fair", "poor"))
    return case(rows_of({"student": [f"S{i}" for i in range(c.n)], "teacher 1": c.judge(0.8), "teacher 2": c.judge(0.75), "moderated": c.truth}),
        votes("teacher 1", "teacher 2", gold="moderated"), asks="gold judges")  # fmt: skip


@stranger
def agent_approvals(rng):
    rows = [{"ts": f"{day(i)}T08:00:00", "agent": "ops-bot", "tool": rng.choice(("refund", "email", "delete_row")), "args": json.dumps({"n": i}),
             "approver": rng.choice(("li", "mo")), "decision": rng.choices(("approved", "denied"), (9, 1))[0]} for i in range(260)]  # fmt: skip
    return case(rows, Want("approvals"))


@stranger
def turned(rng):
    c = Cases(rng, 30, ("y", "n"), skill=0.9)
    rows = [
        {"rater": f"p{k}"} | {f"Q{i + 1}": v for i, v in enumerate(c.judge(0.9))} for k in range(9)
    ]
    return case(rows, asks="judges")


@stranger
def eval_table(rng):
    c = Cases(rng, 150, ("no", "yes"))
    return case(rows_of({
        "inputs": [f"q {i}" for i in range(c.n)], "outputs": [f"a long answer {i}" for i in range(c.n)], "ground_truth": [f"b {i}" for i in range(c.n)],
        "relevance/v1/score": c.judge(0.8), "relevance/v1/justification": [f"since {i}" for i in range(c.n)],
        "correct_by_judge2": c.judge(0.75), "human_ok": c.part(0.4), "latency": c.each(lambda: r(rng.random() * 3, 3)), "token_count": c.each(lambda: rng.randint(20, 400)),
    }), votes("relevance/v1/score", "correct_by_judge2", gold="human_ok"), asks="judges gold")  # fmt: skip


@stranger
def phoenix_frame(rng):
    c = Cases(rng, 150, ("factual", "hallucinated"))
    llm = c.judge(0.85)
    return case(rows_of({
        "context.span_id": [f"{i:016x}" for i in range(c.n)], "eval.Hallucination.label": llm,
        "eval.Hallucination.score": [int(v == "hallucinated") for v in llm], "eval.Hallucination.explanation": [f"as {i}" for i in range(c.n)],
        "human.label": c.part(0.5),
    }), votes("eval.Hallucination.label", gold="human.label"))  # fmt: skip


@stranger
def stata_file(rng):
    c = Cases(rng, 170, ("0", "1"))
    return case(rows_of({"caseid": range(1, c.n + 1), "phat": [p["1"] for p in c.proba], "churned": [int(t) for t in c.truth]}),
        predictions("churned", None, "phat"), how="dta", asks="proba classes label kind")  # fmt: skip


@stranger
def predicted_values(rng):
    c = Cases(rng, 170, ("no", "yes"))
    return case(rows_of({"ID": range(1, c.n + 1), "PredictedValue": c.answer, "PredictedProbability_1": [p["no"] for p in c.proba],
                         "PredictedProbability_2": [p["yes"] for p in c.proba], "response": c.truth}),
        predictions("response", "PredictedValue", "PredictedProbability_1", "PredictedProbability_2"), how="dta", asks="proba label map classes")  # fmt: skip


@stranger
def evidently(rng):
    c = Cases(rng, 260, ("setosa", "virginica"))
    return case(rows_of({"sepal_length": c.each(lambda: r(rng.gauss(5, 1), 1)), "petal": c.each(lambda: r(rng.random(), 2)), "target": c.truth,
                         "setosa": [p["setosa"] for p in c.proba], "virginica": [p["virginica"] for p in c.proba]}),
        predictions("target", None, "setosa", "virginica"), how="parquet")  # fmt: skip


@stranger
def churn_feature_export(rng):
    c = Cases(rng, 300, ("stay", "leave"))
    return case(rows_of({
        "customer": [f"C{i}" for i in range(c.n)], "segment": c.each(lambda: rng.choice(("gold", "silver"))), "nps": c.each(lambda: rng.randint(0, 10)),
        "usage_ratio": c.each(lambda: r(rng.random(), 3)), "email_open_rate": c.each(lambda: r(rng.random(), 3)), "status": c.truth,
    }), asks="label judges kind")  # fmt: skip


@stranger
def image_tags_two_models(rng):
    c = Cases(rng, 220, ("indoor", "outdoor"))
    return case(rows_of({
        "img": [f"{i}.jpg" for i in range(c.n)], "resnet": c.answer, "resnet_prob": [r(s) for s in c.sure],
        "clip": c.judge(0.8), "clip_prob": c.each(lambda: r(0.5 + rng.random() / 2)), "tag": c.truth,
    }), asks="prediction confidence judges system label kind")  # fmt: skip


@stranger
def bioassay(rng):
    c = Cases(rng, 180, ("active", "inactive"))
    return case(rows_of({
        "Compound": [f"CHEMBL{i * 31}" for i in range(c.n)], "logP": c.each(lambda: r(rng.gauss(2, 1), 2)), "Tanimoto": c.each(lambda: r(rng.random(), 3)),
        "QSAR class": c.answer, "QSAR prob(active)": [r(p["active"], 3) for p in c.proba], "Assay result": c.part(0.55),
    }), predictions("Assay result", "QSAR class", "QSAR prob(active)"))  # fmt: skip


@stranger
def exam_marks(rng):
    c = Cases(rng, 150, ("1", "2", "3", "4"))
    return case(rows_of({
        "Matrikel": [700000 + i for i in range(c.n)], "Note KI": c.answer, "Sicherheit in %": [r(100 * s, 1) for s in c.sure], "Note Prüfer": c.truth,
        "Dauer (min)": c.each(lambda: rng.randint(20, 90)),
    }), predictions("Note Prüfer", "Note KI", "Sicherheit in %"), how="csv:semicolon")  # fmt: skip


@stranger
def language_id(rng):
    c = Cases(rng, 240, ("en", "de", "fr", "nl"))
    return case(rows_of({"text": [f"hello {i}" for i in range(c.n)], "lang_detected": c.answer, "lang_prob": [r(s, 3) for s in c.sure], "lang": c.truth, "chars": c.each(lambda: rng.randint(10, 200))}),
        predictions("lang", "lang_detected", "lang_prob"))  # fmt: skip


@stranger
def call_centre(rng):
    c = Cases(rng, 200, ("resolved", "escalated"))
    return case(rows_of({
        "call_uuid": [f"{i:08x}-{i * 7:04x}" for i in range(c.n)], "agent_id": c.each(lambda: rng.randint(1, 12)), "handle_time": c.each(lambda: rng.randint(60, 1200)),
        "asr_confidence": c.each(lambda: r(0.7 + 0.3 * rng.random(), 3)), "predicted_outcome": c.answer, "outcome_confidence": [r(s, 3) for s in c.sure],
        "actual_outcome": c.truth,
    }), predictions("actual_outcome", "predicted_outcome", "outcome_confidence"))  # fmt: skip


@stranger
def ocr_fields(rng):
    rows = [
        {
            "doc": f"d{i // 3}",
            "field": rng.choice(("total", "date", "vat")),
            "ocr_value": str(rng.randint(100, 999)),
            "ocr_conf": r(0.5 + rng.random() / 2, 3),
        }
        for i in range(180)
    ]
    for row in rows:
        row["true_value"] = (
            row["ocr_value"] if rng.random() < row["ocr_conf"] else str(rng.randint(100, 999))
        )
    return case(
        rows,
        Want("predictions", None, None, frozenset({"ocr_conf"})),
        predictions("true_value", "ocr_value", "ocr_conf"),
        asks="scores prediction label confidence",
    )
