"""The rest of the third set: libraries and platforms that score tables, spreadsheets in eight languages, and no cases at all."""

from __future__ import annotations

import json
import math
from functools import partial

from stranger_cases import Cases, case, day, money, predictions, r, rows_of, votes
from stranger_tools import ANY, FILES, hexadecimal, refused, stamp, tool

# fmt: off
__all__ = ["FILES"]


# libraries and platforms


@tool
def hf_pipeline(rng):
    c = Cases(rng, 90, ("LABEL_0", "LABEL_1"))
    return case([{"label": c.answer[i], "score": r(c.sure[i], 6)} for i in range(c.n)], predictions(None, "label", "score"), how="json", asks="label")


@tool
def hf_trainer_logits(rng):
    c = Cases(rng, 150, (0, 1))
    return case(rows_of({"text": c.each(lambda: f"so {hexadecimal(rng)} it goes"), "labels": c.truth, "preds": c.answer, "logit_0": [r(2 * math.log(p[0] + 1e-9)) for p in c.proba], "logit_1": [r(2 * math.log(p[1] + 1e-9)) for p in c.proba]}), asks="scores proba confidence")


@tool
def hf_probs_parquet(rng):
    c = Cases(rng, 130, (0, 1, 2))
    return case(rows_of({"idx": list(range(c.n)), "sentence": c.each(lambda: f"oh {hexadecimal(rng)}"), "label": c.truth, "pred": c.answer, "probs": [[p[k] for k in c.classes] for p in c.proba]}), predictions("label", "pred", "probs"), predictions("label", "pred"), how="parquet", asks="proba label")


@tool
def bqml_rows(rng):
    c = Cases(rng, 140, ("churned", "stayed"))
    return case([{"customer_id": str(9000 + i), "predicted_churn": c.answer[i], "predicted_churn_probs": [{"label": k, "prob": r(c.proba[i][k], 8)} for k in c.classes], "tenure": str(rng.randint(1, 70)), "churn": c.truth[i]} for i in range(c.n)],
        predictions("churn", "predicted_churn", "predicted_churn_probs"), predictions("churn", "predicted_churn", "predicted_churn_probs.churned", "predicted_churn_probs.stayed"), predictions("churn", "predicted_churn"), how="ndjson", asks="proba")


@tool
def vertex_batch(rng):
    c = Cases(rng, 120, ("a", "b", "c"))
    return case([{"instance": {"len": str(rng.randint(1, 9)), "color": rng.choice(("red", "blue")), "kind": c.truth[i]}, "prediction": {"classes": list(c.classes), "scores": [r(c.proba[i][k], 6) for k in c.classes]}} for i in range(c.n)],
        predictions("instance.kind", None), predictions("kind", None), how="jsonl", asks="label proba")


@tool
def sagemaker_autopilot(rng):
    c = Cases(rng, 160, ("no", "yes"))
    return case(rows_of({"target": c.truth, "predicted_label": c.answer, "probability": [r(s, 5) for s in c.sure], "probabilities": [json.dumps([r(p[k], 5) for k in c.classes]) for p in c.proba], "labels": ["['no', 'yes']"] * c.n, "age": c.each(lambda: rng.randint(18, 80))}),
        predictions("target", "predicted_label", "probability"), predictions("target", "predicted_label", "probabilities"), asks="proba confidence")


@tool
def autogluon(rng):
    c = Cases(rng, 170, ("<=50K", ">50K"))
    return case(rows_of({"": list(range(c.n)), "class": c.truth, "pred": c.answer, "<=50K": [p["<=50K"] for p in c.proba], ">50K": [p[">50K"] for p in c.proba]}), predictions("class", "pred", "<=50K", ">50K"))


@tool
def h2o_frame(rng):
    c = Cases(rng, 180, ("N", "Y"))
    return case(rows_of({"predict": c.answer, "N": [r(p["N"], 6) for p in c.proba], "Y": [r(p["Y"], 6) for p in c.proba], "IsDepDelayed": c.truth}), predictions("IsDepDelayed", "predict", "N", "Y"))


@tool
def azure_automl(rng):
    c = Cases(rng, 150, ("high", "low", "mid"))
    return case(rows_of({"PassengerKey": [f"k{i}" for i in range(c.n)], "fare": c.each(lambda: money(rng)), "tier_orig": c.truth, "tier_predicted": c.answer, "tier_predicted_proba": [r(s) for s in c.sure]}), predictions("tier_orig", "tier_predicted", "tier_predicted_proba"), asks="confidence")


@tool
def datarobot(rng):
    c = Cases(rng, 200, ("True", "False"))
    return case(rows_of({"row_id": list(range(c.n)), "readmitted": c.truth, "readmitted_True_PREDICTION": [r(p["True"], 6) for p in c.proba], "readmitted_False_PREDICTION": [r(1 - r(p["True"], 6), 6) for p in c.proba], "readmitted_PREDICTION": c.answer, "THRESHOLD": [0.5] * c.n, "POSITIVE_CLASS": ["True"] * c.n, "DEPLOYMENT_APPROVAL_STATUS": ["APPROVED"] * c.n}),
        predictions("readmitted", "readmitted_PREDICTION", "readmitted_True_PREDICTION", "readmitted_False_PREDICTION"), asks="proba")


@tool
def knime_table(rng):
    c = Cases(rng, 140, ("vip", "regular"))
    return case(rows_of({"Row ID": [f"Row{i}" for i in range(c.n)], "spend": c.each(lambda: money(rng)), "segment": c.truth, "P (segment=vip)": [r(p["vip"], 3) for p in c.proba], "P (segment=regular)": [r(1 - r(p["vip"], 3), 3) for p in c.proba], "Prediction (segment)": c.answer}), predictions("segment", "Prediction (segment)", "P (segment=vip)", "P (segment=regular)"))


@tool
def rapidminer_semicolon(rng):
    c = Cases(rng, 150, ("true", "false"))
    return case(rows_of({"Response": c.truth, "prediction(Response)": c.answer, "confidence(true)": [r(p["true"], 3) for p in c.proba], "confidence(false)": [r(1 - r(p["true"], 3), 3) for p in c.proba], "Gender": c.each(lambda: rng.choice(("male", "female")))}), predictions("Response", "prediction(Response)", "confidence(true)", "confidence(false)"), how="csv:semicolon")


@tool
def orange_tab(rng):
    c = Cases(rng, 120, ("iris-a", "iris-b"))
    return case(rows_of({"iris": c.truth, "Logistic Regression": c.answer, "Logistic Regression (iris-a)": [r(p["iris-a"], 5) for p in c.proba], "Logistic Regression (iris-b)": [r(p["iris-b"], 5) for p in c.proba], "Fold": [1 + i % 5 for i in range(c.n)]}),
        predictions("iris", "Logistic Regression", "Logistic Regression (iris-a)", "Logistic Regression (iris-b)"), how="csv:tab", asks="prediction proba label")


@tool
def modeler_book(rng):
    c = Cases(rng, 160, ("T", "F"))
    return case(rows_of({"custid": [10000 + i for i in range(c.n)], "income": c.each(lambda: rng.randint(12, 300)), "churn": c.truth, "$C-churn": c.answer, "$CC-churn": [r(s, 3) for s in c.sure]}), predictions("churn", "$C-churn", "$CC-churn"), how="xlsx", asks="confidence")


@tool
def spss_saved(rng):
    c = Cases(rng, 170, (0, 1))
    return case(rows_of({"caseno": list(range(1, c.n + 1)), "default": c.truth, "age": c.each(lambda: rng.randint(20, 60)), "PRE_1": [r(p[1], 5) for p in c.proba], "PGR_1": c.answer}), predictions("default", "PGR_1", "PRE_1"), asks="proba confidence label")


@tool
def stata_file(rng):
    c = Cases(rng, 180, (0, 1))
    return case(rows_of({"pid": list(range(c.n)), "foreign": c.truth, "weight": c.each(lambda: rng.randint(1500, 4800)), "phat": [r(p[1], 5) for p in c.proba], "yhat": c.answer}), predictions("foreign", "yhat", "phat"), how="dta", asks="proba confidence label")


@tool
def sas_miner(rng):
    c = Cases(rng, 200, (0, 1))
    return case(rows_of({"_dataobs_": list(range(1, c.n + 1)), "F_BAD": c.truth, "I_BAD": c.answer, "P_BAD1": [r(p[1], 5) for p in c.proba], "P_BAD0": [r(p[0], 5) for p in c.proba], "LOAN": c.each(lambda: rng.randint(1000, 90000)), "_WARN_": [""] * c.n}), predictions("F_BAD", "I_BAD", "P_BAD1", "P_BAD0"), asks="label")


@tool
def caret_resamples(rng):
    c = Cases(rng, 150, ("M", "R"))
    return case(rows_of({"pred": c.answer, "obs": c.truth, "M": [r(p["M"], 4) for p in c.proba], "R": [r(1 - r(p["M"], 4), 4) for p in c.proba], "rowIndex": rng.sample(range(1, 300), c.n), "mtry": [2] * c.n, "Resample": [f"Fold{1 + i % 10:02d}" for i in range(c.n)]}), predictions("obs", "pred", "M", "R"))


@tool
def mlr3_frame(rng):
    c = Cases(rng, 130, ("neg", "pos"))
    return case(rows_of({"row_ids": list(range(1, c.n + 1)), "truth": c.truth, "response": c.answer, "prob.pos": [p["pos"] for p in c.proba], "prob.neg": [p["neg"] for p in c.proba]}), predictions("truth", "response", "prob.pos", "prob.neg"))


@tool
def tidymodels_collected(rng):
    c = Cases(rng, 140, ("PS", "WS"))
    return case(rows_of({"id": [f"Fold{1 + i % 10}" for i in range(c.n)], ".pred_PS": [p["PS"] for p in c.proba], ".pred_WS": [p["WS"] for p in c.proba], ".row": list(range(1, c.n + 1)), ".pred_class": c.answer, "class": c.truth, ".config": ["Preprocessor1_Model1"] * c.n}), predictions("class", ".pred_class", ".pred_PS", ".pred_WS"), asks="task id repeats")


@tool
def weka_csv(rng):
    c = Cases(rng, 120, ("good", "bad"))
    n = {k: f"{i + 1}:{k}" for i, k in enumerate(c.classes)}
    return case(rows_of({"inst#": list(range(1, c.n + 1)), "actual": [n[t] for t in c.truth], "predicted": [n[a] for a in c.answer], "error": ["+" if a != t else "" for a, t in zip(c.answer, c.truth, strict=True)], "prediction": [r(s, 3) for s in c.sure]}), predictions("actual", "predicted", "prediction"))


@tool
def catboost_eval(rng):
    c = Cases(rng, 150, (0, 1))
    return case(rows_of({"SampleId": list(range(c.n)), "Probability": [p[1] for p in c.proba], "Class": c.answer, "Label": c.truth}), predictions("Label", "Class", "Probability"), how="csv:tab", asks="label confidence proba prediction")


@tool
def fasttext_lines(rng):
    c = Cases(rng, 120, ("baking", "bread", "knives"))
    return case(rows_of({"line": c.each(lambda: f"which {hexadecimal(rng)} pan"), "gold": [f"__label__{t}" for t in c.truth], "predicted": [f"__label__{a}" for a in c.answer], "prob": [r(s, 5) for s in c.sure]}), predictions("gold", "predicted", "prob"))


@tool
def nannyml_frame(rng):
    c = Cases(rng, 220, (0, 1))
    return case(rows_of({"identifier": [float(i) for i in range(c.n)], "car_value": c.each(lambda: money(rng)), "debt_to_income_ratio": c.each(lambda: r(rng.random())), "driver_tenure": c.each(lambda: r(rng.random() * 9)), "repaid_loan_on_prev_car": c.each(lambda: rng.random() < 0.5), "timestamp": [stamp(i) for i in range(c.n)], "y_pred_proba": [r(p[1], 2) for p in c.proba], "y_pred": c.answer, "repaid": c.truth, "period": ["analysis"] * c.n}), predictions("repaid", "y_pred", "y_pred_proba"), asks="proba confidence label")


@tool
def evidently_frame(rng):
    c = Cases(rng, 180, ("Bachelors", "HS-grad", "Masters"))
    return case(rows_of({"age": c.each(lambda: rng.randint(18, 80)), "workclass": c.each(lambda: rng.choice(("Private", "State-gov"))), "target": c.truth, "prediction": c.answer} | {k: [p[k] for p in c.proba] for k in c.classes}), predictions("target", "prediction", "Bachelors", "HS-grad", "Masters"), how="parquet")


@tool
def arize_export(rng):
    c = Cases(rng, 200, ("fraud", "not_fraud"))
    known = c.part(0.6)
    return case(rows_of({"prediction_id": [hexadecimal(rng) for _ in range(c.n)], "prediction_ts": [1763900000 + 60 * i for i in range(c.n)], "prediction_label": c.answer, "prediction_score": [r(s) for s in c.sure], "actual_label": known, "merchant_ID": c.each(lambda: f"M{rng.randint(1, 40)}"), "actual_score": ["" if not k else float(k == "fraud") for k in known]}), predictions("actual_label", "prediction_label", "prediction_score"), asks="confidence proba label")


@tool
def comprehend_lines(rng):
    c = Cases(rng, 100, ("POSITIVE", "NEGATIVE", "NEUTRAL", "MIXED"))
    return case([{"File": "in.txt", "Line": i, "Sentiment": c.answer[i], "SentimentScore": {k.title(): c.proba[i][k] for k in c.classes}} for i in range(c.n)], predictions(None, "Sentiment", "SentimentScore"), predictions(None, "Sentiment"), how="jsonl", asks="label proba map")


@tool
def perspective_scores(rng):
    c = Cases(rng, 160, ("toxic", "ok"))
    return case([{"comment_id": i, "text": f"you {hexadecimal(rng)}", "attributeScores": {"TOXICITY": {"summaryScore": {"value": c.proba[i]["toxic"], "type": "PROBABILITY"}}}, "moderator": c.truth[i]} for i in range(c.n)], predictions("moderator", None), how="jsonl", asks="proba classes label confidence")


@tool
def openai_moderation(rng):
    c = Cases(rng, 130, (True, False))
    people = c.part(0.5)
    return case([{"id": f"modr-{i}", "model": "omni-moderation-latest", "flagged": c.answer[i], "category_scores": {"harassment": r(rng.random()), "hate": r(c.proba[i][True]), "violence": r(rng.random() / 9)}, "human_flagged": None if people[i] == "" else people[i]} for i in range(c.n)], votes("flagged", gold="human_flagged"), predictions("human_flagged", "flagged", "category_scores.hate"), how="jsonl", asks=ANY)


@tool
def einstein_cases(rng):
    c = Cases(rng, 170, ("High", "Medium", "Low"))
    final = c.part(0.7)
    return case(rows_of({"Case Number": [f"0000{1000 + i}" for i in range(c.n)], "Date/Time Opened": [f"{1 + i % 12}/{1 + i % 27}/2026 9:15 AM" for i in range(c.n)], "Predicted Priority": c.answer, "Prediction Confidence": [f"{100 * s:.0f}%" for s in c.sure], "Priority": final, "Case Owner": c.each(lambda: rng.choice(("Kim", "Jo")))}), predictions("Priority", "Predicted Priority", "Prediction Confidence"), asks="label")


@tool
def zendesk_intents(rng):
    c = Cases(rng, 140, ("refund", "shipping", "account"))
    return case(rows_of({"Ticket ID": [5000 + i for i in range(c.n)], "Intent": c.answer, "Intent confidence": ["HIGH" if s > 0.85 else "MEDIUM" if s > 0.6 else "LOW" for s in c.sure], "Intent (agent)": c.truth, "Group": c.each(lambda: rng.choice(("T1", "T2")))}), predictions("Intent (agent)", "Intent", "Intent confidence"), asks="confidence")


@tool
def servicenow(rng):
    c = Cases(rng, 150, ("Network", "Software", "Hardware"))
    return case(rows_of({"Number": [f"INC00{10000 + i}" for i in range(c.n)], "Short description": c.each(lambda: f"my {hexadecimal(rng)} is down"), "Predicted output": c.answer, "Confidence": [r(100 * s, 2) for s in c.sure], "Final value": c.truth, "Assignment group": c.each(lambda: rng.choice(("A", "B")))}), predictions("Final value", "Predicted output", "Confidence"), how="xlsx")


@tool
def uipath_fields(rng):
    c = Cases(rng, 130, ("invoice", "receipt", "order"))
    return case(rows_of({"DocumentId": [hexadecimal(rng) for _ in range(c.n)], "PageCount": c.each(lambda: rng.randint(1, 9)), "DocumentType": c.answer, "ClassificationConfidence": [r(s) for s in c.sure], "OcrConfidence": c.each(lambda: r(0.8 + rng.random() / 5)), "ValidatedDocumentType": c.truth, "ValidationStation": c.each(lambda: rng.choice(("op1", "op2")))}), predictions("ValidatedDocumentType", "DocumentType", "ClassificationConfidence"), asks="confidence")


# spreadsheets in eight languages

_SHEETS: dict[str, tuple[tuple[str, ...], tuple[str, ...], str, tuple[str, ...]]] = {
    # id, date, money, the model's answer, how sure, what people decided; classes; how; reviewers
    "german": (("Lfd. Nr.", "Eingang", "Kosten €", "KI-Einstufung", "Güte", "Einstufung Fachbereich"), ("berechtigt", "unberechtigt"), "csv:latin", ("Gutachter 1", "Gutachter 2", "Gutachter 3", "Mehrheit")),
    "french": (("N° dossier", "Date de saisie", "Montant", "Classement IA", "Taux de certitude", "Classement agent"), ("recevable", "irrecevable"), "csv:latin", ("Relecteur A", "Relecteur B", "Relecteur C", "Consensus")),
    "spanish": (("Expediente", "Fecha", "Importe", "Clasificación automática", "Nivel de confianza", "Clasificación definitiva"), ("procede", "no procede"), "csv:semicolon", ("Revisora 1", "Revisora 2", "Revisora 3", "Mayoría")),
    "italian": (("Pratica", "Data", "Importo", "Classe proposta", "Attendibilità", "Classe assegnata dall'operatore"), ("ammessa", "respinta"), "csv:semicolon", ("Valutatore 1", "Valutatore 2", "Valutatore 3", "Maggioranza")),
    "portuguese": (("Processo", "Data", "Valor", "Classificação do robô", "Grau de confiança", "Classificação do analista"), ("deferido", "indeferido"), "xlsx", ("Avaliador 1", "Avaliador 2", "Avaliador 3", "Maioria")),
    "dutch": (("Zaaknummer", "Ontvangen", "Bedrag", "Voorspelling AI", "Zekerheid (%)", "Besluit medewerker"), ("toegekend", "geweigerd"), "xlsx", ("Beoordelaar 1", "Beoordelaar 2", "Beoordelaar 3", "Meerderheid")),
    "japanese": (("番号", "受付日", "金額", "AI判定", "確信度", "担当者判定"), ("合格", "不合格"), "csv", ("評価者1", "評価者2", "評価者3", "多数決")),
    "polish": (("Nr sprawy", "Data wpływu", "Kwota", "Predykcja", "Pewność", "Decyzja eksperta"), ("zasadna", "niezasadna"), "csv:semicolon", ("Recenzent 1", "Recenzent 2", "Recenzent 3", "Większość")),
}  # fmt: skip


def _sheet(rng, language):
    (number, date, amount, answer, sure, people), classes, how, _ = _SHEETS[language]
    c = Cases(rng, 160, classes)
    known = c.part(rng.choice((1.0, 0.5)), empty=None if how == "xlsx" else "")
    percent = "%" in sure
    return case(rows_of({number: [2026000 + i for i in range(c.n)], date: [day(i) for i in range(c.n)], amount: c.each(lambda: money(rng)), answer: c.answer, sure: [r(100 * s, 1) if percent else r(s, 3) for s in c.sure], people: known}),
        predictions(people, answer, sure, truth=known), how=how, asks="label confidence" if language == "polish" else "")


def _reviewers(rng, language):
    (number, date, *_), classes, how, (a, b, d, most) = _SHEETS[language]
    c = Cases(rng, 110, classes)
    said = {name: c.judge(skill) for name, skill in ((a, 0.9), (b, 0.85), (d, 0.8))}
    majority = [max(set(three), key=three.count) for three in zip(*said.values(), strict=True)]
    return case(rows_of({number: [100 + i for i in range(c.n)], date: [day(i) for i in range(c.n)], **said, most: majority}), votes(a, b, d), how=how, asks="judges" if language == "polish" else "")


for _language in _SHEETS:
    FILES[f"{_language}_sheet"] = partial(_sheet, language=_language)
    FILES[f"{_language}_reviewers"] = partial(_reviewers, language=_language)


# what holds no cases


@tool
def threshold_sweep(rng):
    return refused([{"threshold": r(t / 50, 2), "precision": r(0.5 + t / 110), "recall": r(1 - t / 60), "f1": r(0.6 + rng.random() / 9), "tp": 200 - 3 * t, "fp": 90 - t} for t in range(50)], asks="label kind")


@tool
def roc_points(_):
    return refused([{"fpr": r(t / 80), "tpr": r((t / 80) ** 0.4), "thresholds": r(1 - t / 80)} for t in range(80)], asks="label kind")


@tool
def shap_values(rng):
    return refused([{"row": i, **{f"f{k}": r(rng.gauss(0, 0.2)) for k in range(6)}, "base_value": 0.31} for i in range(90)], asks="label kind confidence")


@tool
def feature_importance(rng):
    return refused([{"feature": f"x{i}", "importance": r(rng.random()), "std": r(rng.random() / 9)} for i in range(40)], asks="label kind confidence")


@tool
def likert_survey(rng):
    return refused([{"Timestamp": stamp(i), "I felt safe": rng.randint(1, 5), "I would come again": rng.randint(1, 5), "The staff was kind": rng.randint(1, 5)} for i in range(70)], asks=ANY)


@tool
def ab_test(rng):
    return refused([{"variant": v, "visitors": rng.randint(900, 1100), "conversions": rng.randint(30, 80), "p_value": r(rng.random()), "lift": r(rng.gauss(0, 0.1))} for v in "ABCDEFGH"], asks="label kind confidence judges")


@tool
def epochs(_):
    return refused([{"epoch": e, "loss": r(2 / (e + 1)), "accuracy": r(1 - 1 / (e + 2)), "val_loss": r(2.2 / (e + 1)), "val_accuracy": r(1 - 1.2 / (e + 2)), "lr": 0.001} for e in range(60)], asks="label kind confidence")
