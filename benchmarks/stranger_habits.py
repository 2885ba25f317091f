"""A fifth set of strangers' files: headers of other languages, old code pages, odd separators, several models, wide tables of raters.

Thirty-six files as people save them rather than as tools export them. What each must be read as was written before anything read it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from stranger_cases import Case, Cases, case, day, predictions, r, rows_of, votes
from stranger_tools import ANY, refused, stamp

# fmt: off
__all__ = ["FILES"]

FILES: dict[str, Callable[[random.Random], Case]] = {}
COLUMNS = "label prediction confidence kind"


def habit(make: Callable[[random.Random], Case]) -> Callable[[random.Random], Case]:
    """Add a file to those that are made."""
    FILES[make.__name__] = make
    return make


def _text(columns: dict[str, Sequence[Any]], separator: str = ",", *, comma: bool = False, end: str = "\n", head: str = "") -> str:
    rows = ((str(v).replace(".", ",") if comma and isinstance(v, float) else str(v) for v in row) for row in zip(*columns.values(), strict=True))
    lines = [separator.join(columns), *(separator.join(row) for row in rows)]
    return head + end.join(lines) + end


def _answers(rng: random.Random, n: int, classes: Sequence[str], names: tuple[str, str, str], **more: float) -> tuple[Cases, dict[str, Sequence[Any]]]:
    c = Cases(rng, n, classes, **more)
    return c, {"id": range(1, n + 1), names[0]: c.truth, names[1]: c.answer, names[2]: [r(x) for x in c.sure]}


# headers of other languages, in the code pages of their offices


@habit
def polish_claims(rng):
    c, columns = _answers(rng, 140, ("zasadna", "bezzasadna"), ("etykieta eksperta", "predykcja", "pewność"))
    return case(_text(columns, ";", comma=True, end="\r\n").encode("cp1250"), predictions("etykieta eksperta", "predykcja", "pewność", truth=c.truth), asks=COLUMNS)


@habit
def swedish_errands(rng):
    c, columns = _answers(rng, 120, ("bifall", "avslag", "komplettering"), ("facit", "gissning", "säkerhet"))
    return case(_text(columns, ";", comma=True), predictions("facit", "gissning", "säkerhet", truth=c.truth), asks=COLUMNS)


@habit
def turkish_mail(rng):
    c, columns = _answers(rng, 150, ("olumlu", "olumsuz"), ("gerçek", "tahmin", "güven"))
    return case(_text(columns).encode("cp1254"), predictions("gerçek", "tahmin", "güven", truth=c.truth), asks=COLUMNS)


@habit
def chinese_inspection(rng):
    c, columns = _answers(rng, 130, ("合格", "不合格"), ("真实标签", "预测标签", "置信度"))
    return case(_text(columns).encode("gb18030"), predictions("真实标签", "预测标签", "置信度", truth=c.truth), asks=COLUMNS + " encoding")


@habit
def korean_reviews(rng):
    c, columns = _answers(rng, 130, ("긍정", "부정"), ("정답", "예측", "확신도"))
    return case(_text(columns, head="\ufeff"), predictions("정답", "예측", "확신도", truth=c.truth), asks=COLUMNS)


@habit
def russian_tickets(rng):
    c, columns = _answers(rng, 150, ("жалоба", "вопрос", "спам"), ("эталон", "прогноз", "уверенность"))
    return case(_text(columns, ";", comma=True, end="\r\n").encode("cp1251"), predictions("эталон", "прогноз", "уверенность", truth=c.truth), asks=COLUMNS + " encoding")


@habit
def arabic_news(rng):
    c, columns = _answers(rng, 110, ("صحيح", "خاطئ"), ("الحقيقة", "التنبؤ", "الثقة"))
    return case(_text(columns), predictions("الحقيقة", "التنبؤ", "الثقة", truth=c.truth), asks=COLUMNS)


@habit
def czech_percent(rng):
    c = Cases(rng, 120, ("ano", "ne"))
    columns = {"číslo": range(1, 121), "skutečnost": c.truth, "odhad modelu": c.answer, "jistota": [f"{100 * x:.0f} %" for x in c.sure]}
    return case(_text(columns, ";").encode("cp1250"), predictions("skutečnost", "odhad modelu", "jistota", truth=c.truth), asks=COLUMNS)


@habit
def hindi_forms(rng):
    c = Cases(rng, 100, ("हाँ", "नहीं"))
    one, two, three = c.judge(0.9), c.judge(0.85), c.judge(0.8)
    return case(_text({"क्रमांक": range(1, 101), "मूल्यांकनकर्ता 1": one, "मूल्यांकनकर्ता 2": two, "मूल्यांकनकर्ता 3": three}),
        votes("मूल्यांकनकर्ता 1", "मूल्यांकनकर्ता 2", "मूल्यांकनकर्ता 3"), asks="judges kind gold")


# how spreadsheets are saved


@habit
def excel_unicode_text(rng):
    c, columns = _answers(rng, 120, ("Approve", "Decline"), ("Final decision", "Suggested", "Confidence %"))
    columns["Confidence %"] = [r(100 * x, 1) for x in c.sure]
    return case(_text(columns, "\t", end="\r\n").encode("utf-16"), predictions("Final decision", "Suggested", "Confidence %", truth=c.truth), how="txt", asks=COLUMNS)


@habit
def excel_separator_line(rng):
    c, columns = _answers(rng, 120, ("WAHR", "FALSCH"), ("geprüft", "Vorschlag", "Wahrscheinlichkeit"))
    return case(_text(columns, ";", comma=True, head="sep=;\r\n", end="\r\n").encode("cp1252"), predictions("geprüft", "Vorschlag", "Wahrscheinlichkeit", truth=c.truth), asks=COLUMNS)


@habit
def comment_lines(rng):
    c, columns = _answers(rng, 100, ("sick", "well"), ("biopsy", "reading", "p_reading"))
    return case(_text(columns, head="# exported by lab 7\n# model 3.1, 2026-02-01\n"), predictions("biopsy", "reading", "p_reading", truth=c.truth), asks=COLUMNS)


@habit
def total_line(rng):
    c, columns = _answers(rng, 100, ("paid", "late"), ("actual", "forecast", "certainty"))
    return case(_text(columns) + f"Total,{c.truth.count('paid')},{c.answer.count('paid')},{sum(c.sure) / 100:.3f}\n", predictions("actual", "forecast", "certainty", truth=c.truth), asks=ANY)


@habit
def german_booleans_and_days(rng):
    c = Cases(rng, 130, ("WAHR", "FALSCH"))
    columns = {"Vorgang": [f"V-{1000 + i}" for i in range(130)], "Eingang": [f"{1 + i % 28:02d}.0{1 + i % 9}.2026 08:{i % 60:02d}" for i in range(130)],
               "Betrag": [r(rng.lognormvariate(5, 1), 2) for _ in range(130)], "Betrug laut Modell": c.answer, "Modell-Sicherheit": [f"{100 * x:.1f}%".replace(".", ",") for x in c.sure], "Betrug bestätigt": c.part(0.4)}
    return case(_text(columns, ";", comma=True).encode("cp1252"), predictions("Betrug bestätigt", "Betrug laut Modell", "Modell-Sicherheit"), asks=COLUMNS)


@habit
def bars_and_quotes(rng):
    c, columns = _answers(rng, 110, ("in scope", "out of scope"), ("auditor", "classifier", "classifier_score"))
    columns = {k: [f'"{x}"' for x in v] for k, v in columns.items()}
    return case(_text(columns, "|"), predictions("auditor", "classifier", "classifier_score", truth=c.truth), how="psv", asks=COLUMNS)


@habit
def aligned_text(rng):
    c, columns = _answers(rng, 60, ("keep", "drop"), ("truth", "pred", "conf"))
    lines = ["".join(f"{x!s:>12}" for x in row) for row in [tuple(columns), *zip(*columns.values(), strict=True)]]
    return case("\n".join(lines) + "\n", predictions("truth", "pred", "conf", truth=c.truth), how="txt", asks=ANY + " separator delimiter")


@habit
def markdown_table(rng):
    c, columns = _answers(rng, 60, ("yes", "no"), ("gold", "model", "confidence"))
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in [tuple(columns), ("---",) * 4, *zip(*columns.values(), strict=True)]]
    return case("\n".join(lines) + "\n", predictions("gold", "model", "confidence", truth=c.truth), how="md", asks=ANY)


@habit
def two_header_lines(rng):
    c = Cases(rng, 90, ("A", "B"))
    rows = [("", "Model", "", "Review", ""), ("Case", "Answer", "Confidence", "Answer", "Reviewer"), *zip(range(90), c.answer, [r(x) for x in c.sure], c.truth, [f"r{i % 4}" for i in range(90)], strict=True)]
    return case("\n".join(",".join(map(str, row)) for row in rows) + "\n", asks=ANY)


# several models


@habit
def two_models_two_scores(rng):
    c = Cases(rng, 200, ("pos", "neg", "neu"))
    d = Cases(rng, 200, ("pos", "neg", "neu"))
    other = [t if rng.random() < 0.7 else c.other(t) for t in c.truth]
    return case(rows_of({"text_id": range(200), "gold": c.truth, "bert_pred": c.answer, "bert_conf": [r(x) for x in c.sure], "svm_pred": other, "svm_conf": [r(x) for x in d.sure]}),
        votes("bert_pred", "svm_pred", gold="gold"), asks="prediction judges confidence")


@habit
def three_probabilities_of_one_class(rng):
    c = Cases(rng, 250, ("1", "0"))

    def model(noise):
        return [r(min(max(p["1"] + rng.gauss(0, noise), 0.001), 0.999)) for p in c.proba]

    return case(rows_of({"y": c.truth, "logreg": model(0.2), "forest": model(0.1), "xgboost": model(0.05)}), asks="proba confidence judges prediction")


@habit
def other_model_as_reference(rng):
    c = Cases(rng, 180, ("toxic", "fine"))
    return case(rows_of({"comment_id": range(180), "gpt4_label": c.truth, "small_label": c.answer, "small_conf": [r(x) for x in c.sure]}), asks=COLUMNS + " judges gold")


@habit
def old_and_new_model(rng):
    c = Cases(rng, 160, ("accept", "reject"))
    old = c.judge(0.8)
    return case(rows_of({"request": [f"q{i}" for i in range(160)], "decision_v1": old, "decision_v2": c.answer, "score_v2": [r(x) for x in c.sure], "human_decision": c.part(0.5)}),
        predictions("human_decision", "decision_v2", "score_v2"), asks=COLUMNS + " judges")


@habit
def ensemble_votes(rng):
    c = Cases(rng, 150, ("spam", "ham"))
    models = [c.judge(s) for s in (0.7, 0.8, 0.75, 0.85, 0.72)]
    return case(rows_of({"msg": range(150), **{f"fold{i}": m for i, m in enumerate(models)}, "target": c.truth}), votes("fold0", "fold1", "fold2", "fold3", "fold4", gold="target"), asks="judges gold kind")


# scores that are no confidence


@habit
def uncertainty_column(rng):
    c = Cases(rng, 200, ("cat", "dog", "cow"))
    return case(rows_of({"image": [f"img_{i}.png" for i in range(200)], "label": c.truth, "pred": c.answer, "uncertainty": [r(1 - x) for x in c.sure]}), asks=COLUMNS + " scores")


@habit
def entropy_column(rng):
    c = Cases(rng, 200, ("cat", "dog"), power=0.4)
    return case(rows_of({"label": c.truth, "pred": c.answer, "entropy": [r(0.69 * (1 - (2 * x - 1) ** 2)) for x in c.sure]}), asks=COLUMNS + " scores")


@habit
def points_of_risk(rng):
    c = Cases(rng, 300, ("1", "0"))
    return case(rows_of({"loan": range(300), "risk_points": [round(1000 * p["1"]) for p in c.proba], "defaulted": c.truth}), asks=ANY)


@habit
def similarity_search(rng):
    c = Cases(rng, 150, ("shoe", "bag", "hat"))
    return case(rows_of({"query": [f"q{i}" for i in range(150)], "nearest": c.answer, "distance": [r(2 - 2 * x) for x in c.sure], "true_item": c.truth}), asks=COLUMNS + " scores")


@habit
def stars_and_sentiment(rng):
    c = Cases(rng, 180, ("positive", "negative"))
    return case(rows_of({"review": [f"text of review number {i} that somebody wrote" for i in range(180)], "stars": [rng.choice((4, 5) if t == "positive" else (1, 2)) for t in c.truth], "sentiment": c.answer, "probability": [r(x) for x in c.sure]}),
        predictions(None, "sentiment", "probability"), asks=ANY)


# raters


@habit
def wide_raters(rng):
    c = Cases(rng, 80, ("1", "2", "3", "4"))
    names = [f"A{i:02d}" for i in range(1, 25)]
    return case(rows_of({"sentence": range(80), **{name: [v if rng.random() < 0.3 else "" for v in c.judge(0.75)] for name in names}}), votes(*names), asks="judges kind gold pass-at scores")


@habit
def wide_raters_adjudicated(rng):
    c = Cases(rng, 90, ("entail", "neutral", "contradict"))
    names = [f"coder_{x}" for x in "abcdefgh"]
    return case(rows_of({"pair": [f"p{i}" for i in range(90)], **{name: [v if rng.random() < 0.5 else "NA" for v in c.judge(0.8)] for name in names}, "adjudicated": c.truth}),
        votes(*names, gold="adjudicated"), asks="judges gold")


@habit
def counts_of_votes(rng):
    rows = []
    for i in range(100):
        yes = rng.randint(0, 5)
        rows.append({"item": i, "n_yes": yes, "n_no": 5 - yes, "majority": "yes" if yes > 2 else "no"})
    return refused(rows, "csv", ANY)


@habit
def radiologists_and_model(rng):
    c = Cases(rng, 140, ("malignant", "benign"))
    return case(rows_of({"study": [f"S{i}" for i in range(140)], "biopsy": c.truth, "ai_prob_malignant": [r(p["malignant"]) for p in c.proba], "rad_1": c.judge(0.85), "rad_2": c.judge(0.8)}),
        predictions("biopsy", None, "ai_prob_malignant", truth=c.truth), asks=ANY)


# queues


@habit
def queue_with_agent(rng):
    c = Cases(rng, 200, ("remove", "allow"))
    return case(rows_of({"case_id": range(200), "created": [stamp(i) for i in range(200)], "model_decision": c.answer, "model_score": [r(x) for x in c.sure], "agent_id": [f"a{i % 5}" for i in range(200)], "agent_decision": c.part(0.35), "appeal": [rng.choice(("", "", "granted")) for _ in range(200)]}),
        predictions("agent_decision", "model_decision", "model_score"), asks=COLUMNS)


@habit
def override_flag(rng):
    c = Cases(rng, 200, ("high", "low"))
    return case(rows_of({"ticket": range(200), "day": [day(i) for i in range(200)], "priority_auto": c.answer, "auto_confidence": [r(x) for x in c.sure], "priority_final": c.truth, "overridden": [int(a != t) for a, t in zip(c.answer, c.truth, strict=True)]}),
        predictions("priority_final", "priority_auto", "auto_confidence", truth=c.truth), asks=COLUMNS)


@habit
def only_whether_right(rng):
    c = Cases(rng, 200, ("x", "y", "z"))
    return case(rows_of({"utterance": [f"say number {i} please" for i in range(200)], "intent": c.answer, "nlu_confidence": [r(x) for x in c.sure], "was_correct": [a == t for a, t in zip(c.answer, c.truth, strict=True)]}),
        predictions("true label", None, "nlu_confidence"), asks=ANY)


@habit
def nested_predictions(rng):
    c = Cases(rng, 120, ("invoice", "letter", "form"))
    rows = [{"doc": f"d{i}", "model": {"name": "v5", "top": {"class": c.answer[i], "p": r(c.sure[i])}}, "qa": {"by": "kim", "class": c.truth[i]} if rng.random() < 0.5 else None} for i in range(120)]
    return case(rows, predictions("qa.class", "model.top.class", "model.top.p"), how="jsonl", asks=COLUMNS)
