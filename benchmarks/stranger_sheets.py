"""Spreadsheets, and answers of language models."""

from __future__ import annotations

from stranger_cases import Cases, case, day, money, predictions, r, rows_of, stranger, votes


@stranger
def manager_workbook(rng):
    c = Cases(rng, 140, ("ok", "complaint"))
    return case(rows_of({
        "Nr": range(1, c.n + 1), "Bot says": c.answer, "Bot sure": [f"{100 * s:.0f} %" for s in c.sure],
        "We say": c.part(0.7), "Comment": c.each(lambda: rng.choice(("", "check again", "angry"))),
    }), predictions("We say", "Bot says", "Bot sure"), how="xlsx:Quality check March/", asks="label")  # fmt: skip


@stranger
def sheet_with_lookup_errors(rng):
    c = Cases(rng, 200, ("A", "B", "C"))
    gone = c.part(0.85, c.truth, "#N/A")
    return case(rows_of({
        "SKU": [f"SKU-{i}" for i in range(c.n)], "Auto category": c.answer, "Auto conf": [r(s, 2) for s in c.sure],
        "Checked category": gone,
    }), predictions("Checked category", "Auto category", "Auto conf", truth=[g if g != "#N/A" else None for g in gone]))  # fmt: skip


@stranger
def sheet_checkboxes(rng):
    c = Cases(rng, 120, ("TRUE", "FALSE"))
    return case(rows_of({
        "Answer": [f"the answer no. {i}" for i in range(c.n)], "Anna OK?": c.judge(0.9), "Ben OK?": c.judge(0.85),
        "Chidi OK?": c.judge(0.8), "Notes": c.each(lambda: rng.choice(("", "hm", "too long"))),
    }), votes("Anna OK?", "Ben OK?", "Chidi OK?"))  # fmt: skip


# language models


@stranger
def llm_one_to_five(rng):
    c = Cases(rng, 260, ("bug", "feature", "question", "praise"))
    grade = [min(5, 1 + int(5 * (s - 0.25) / 0.75)) for s in c.sure]
    return case(rows_of({
        "ticket_text": [f"it does not work {i}" for i in range(c.n)], "llm_category": c.answer,
        "llm_reason": [f"because of {i}" for i in range(c.n)], "llm_confidence": grade, "qa_category": c.part(0.5),
    }), predictions("qa_category", "llm_category", "llm_confidence"), asks="confidence")  # fmt: skip


@stranger
def verbalised(rng):
    c = Cases(rng, 240, ("yes", "no"))
    return case(rows_of({
        "question": [f"is it {i}?" for i in range(c.n)], "model_answer": c.answer,
        "verbalized_confidence": [5 * round(20 * s) for s in c.sure], "correct_answer": c.truth,
        "tokens_in": c.each(lambda: rng.randint(90, 900)), "tokens_out": c.each(lambda: rng.randint(1, 60)), "usd": c.each(lambda: r(rng.random() / 100, 5)),
    }), predictions("correct_answer", "model_answer", "verbalized_confidence"))  # fmt: skip


@stranger
def self_consistency(rng):
    c = Cases(rng, 200, ("A", "B", "C", "D"))
    return case(rows_of({
        "qid": [f"q{i}" for i in range(c.n)], "majority_answer": c.answer, "vote_share": [round(10 * s) / 10 for s in c.sure],
        "key": c.truth, "n_samples": [10] * c.n,
    }), predictions("key", "majority_answer", "vote_share"), asks="confidence label")  # fmt: skip


@stranger
def two_doctors_and_consensus(rng):
    c = Cases(rng, 220, ("benign", "malignant"))
    return case(rows_of({
        "image": [f"{i}.dcm" for i in range(c.n)], "ai": c.answer, "ai_p": [r(s) for s in c.sure],
        "doc_a": c.judge(0.9), "doc_b": c.judge(0.88), "consensus": c.truth,
    }), predictions("consensus", "ai", "ai_p"), asks="label judges kind gold prediction confidence")  # fmt: skip


@stranger
def screening_two_reviewers(rng):
    c = Cases(rng, 210, ("include", "exclude"))
    return case(rows_of({
        "PMID": [30000000 + 7 * i for i in range(c.n)], "Year": c.each(lambda: rng.randint(1999, 2025)),
        "Reviewer 1": c.judge(0.9), "Reviewer 2": c.judge(0.85), "Adjudicated": c.truth,
    }), votes("Reviewer 1", "Reviewer 2", gold="Adjudicated"), asks="gold judges label")  # fmt: skip


@stranger
def unlabelled_run(rng):
    c = Cases(rng, 300, ("spam", "ham"))
    return case(rows_of({
        "message_id": [f"m{i}" for i in range(c.n)], "prediction": c.answer, "confidence": [r(s) for s in c.sure],
        "priority": c.each(lambda: rng.choice(("P1", "P2", "P3"))), "sent": [day(i) for i in range(c.n)],
    }), predictions(None, "prediction", "confidence"))  # fmt: skip


@stranger
def repeated_ids(rng):
    c = Cases(rng, 200, ("yes", "no"))
    ids = [f"c{i}" for i in range(c.n)]
    ids[50], ids[120] = ids[3], ids[4]
    return case(
        rows_of(
            {"case_id": ids, "pred": c.answer, "conf": [r(s) for s in c.sure], "truth": c.truth}
        ),
        asks="repeats id",
    )


@stranger
def own_threshold(rng):
    c = Cases(rng, 330, ("ok", "fraud"))
    p = [q["fraud"] for q in c.proba]
    return case(rows_of({
        "txn": [f"t{i}" for i in range(c.n)], "amount": c.each(lambda: money(rng)), "score": [r(x) for x in p],
        "decision": ["fraud" if x >= 0.72 else "ok" for x in p], "outcome": c.truth,
    }), predictions("outcome", None, "score"), asks="proba confidence label")  # fmt: skip


@stranger
def two_levels(rng):
    c, d = Cases(rng, 200, ("home", "car")), Cases(rng, 200, ("a1", "a2", "b1"))
    return case(rows_of({
        "id": range(200), "pred_l1": c.answer, "conf_l1": [r(s) for s in c.sure], "true_l1": c.truth,
        "pred_l2": d.answer, "conf_l2": [r(s) for s in d.sure], "true_l2": d.truth,
    }), asks="label prediction confidence proba kind")  # fmt: skip


@stranger
def regression(rng):
    rows = [
        {"house": i, "predicted_price": money(rng), "actual_price": money(rng)} for i in range(150)
    ]
    return case(rows)


@stranger
def tokens(rng):
    c = Cases(rng, 500, ("O", "B-PER", "I-PER", "B-LOC"))
    return case(rows_of({
        "sentence": [i // 10 for i in range(c.n)], "token": c.each(lambda: rng.choice(("Anna", "went", "to", "Rome", "the"))),
        "pred_tag": c.answer, "prob": [r(s) for s in c.sure], "gold_tag": c.truth,
    }), predictions("gold_tag", "pred_tag", "prob"))  # fmt: skip


@stranger
def ab_log(rng):
    rows = [
        {
            "user": f"u{i}",
            "variant": rng.choice("AB"),
            "converted": int(rng.random() < 0.1),
            "revenue": money(rng),
            "country": rng.choice(("DE", "FR")),
        }
        for i in range(300)
    ]
    return case(rows, asks="label judges kind")
