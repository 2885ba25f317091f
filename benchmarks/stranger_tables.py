"""Tables of predictions and votes as seventy strangers leave them, and what each must be read as.

Each function makes one file: its rows, how it is saved, what it must be read as, and which options may rightly be
asked for instead. The manifest stands with the file, so it is written before anything reads it.
"""

from __future__ import annotations

import csv
import io
import json
import math
import random
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

__all__ = ["FILES", "Case", "Cases", "Want", "save", "stranger"]

Rows = list[dict[str, Any]]


class Want(NamedTuple):
    """A right reading: the kind, who is what, and how often each label occurs."""

    kind: str
    label: str | None = None
    prediction: str | None = None
    score: frozenset[str] = frozenset()
    judges: frozenset[str] = frozenset()
    gold: str | None = None
    counts: dict[str, int] | None = None


class Case(NamedTuple):
    """A file: its content, its right readings, and the options that may be asked for."""

    rows: Any
    how: str
    wants: tuple[Want, ...]
    asks: frozenset[str] = frozenset()


def predictions(
    label: str | None,
    prediction: str | None,
    *score: str,
    truth: Sequence[str | None] | None = None,
) -> Want:
    """Return the reading as predictions."""
    counts = None if truth is None else dict(Counter(str(t) for t in truth if t not in (None, "")))
    return Want("predictions", label, prediction, frozenset(score), counts=counts)


def votes(*judges: str, gold: str | None = None) -> Want:
    """Return the reading as votes."""
    return Want("votes", judges=frozenset(judges), gold=gold)


FILES: dict[str, Callable[[random.Random], Case]] = {}


def stranger(make: Callable[[random.Random], Case]) -> Callable[[random.Random], Case]:
    """Add a file to those that are made."""
    FILES[make.__name__] = make
    return make


def case(rows: Any, *wants: Want, how: str = "csv", asks: str = "") -> Case:
    """Return a file that is read as one of some readings, or asked about by some options."""
    return Case(rows, how, wants, frozenset("--" + word for word in asks.split()))


class Cases:
    """Made cases: the truth, a model's answers, and how sure it was of each class."""

    def __init__(
        self,
        rng: random.Random,
        n: int,
        classes: Sequence[str],
        *,
        power: float = 0.6,
        skill: float = 1.0,
    ) -> None:
        self.rng, self.n, self.classes = rng, n, tuple(classes)
        self.truth = [rng.choice(self.classes) for _ in range(n)]
        self.answer, self.sure, self.proba = [], [], []
        least = 1 / len(self.classes)
        for real in self.truth:
            sure = least + (1 - least) * rng.random() ** power
            said = real if rng.random() < sure * skill else self.other(real)
            rest = [rng.random() + 0.05 for _ in self.classes[1:]]
            shares = iter([(1 - sure) * part / sum(rest) for part in rest])
            p = {c: sure if c == said else next(shares) for c in self.classes}
            said = max(p, key=lambda c: p[c])
            self.answer.append(said)
            self.sure.append(p[said])
            self.proba.append(p)

    def other(self, label: str) -> str:
        """Return another class."""
        return self.rng.choice([c for c in self.classes if c != label])

    def judge(self, skill: float) -> list[str]:
        """Return the votes of somebody who is right that often."""
        return [t if self.rng.random() < skill else self.other(t) for t in self.truth]

    def part(self, share: float, values: Sequence[Any] | None = None, empty: Any = "") -> list[Any]:
        """Return values on part of the rows."""
        return [v if self.rng.random() < share else empty for v in values or self.truth]

    def each(self, make: Callable[[], Any]) -> list[Any]:
        """Return a value for each row."""
        return [make() for _ in range(self.n)]

    def rows(self, **columns: Sequence[Any]) -> Rows:
        """Return rows of columns; a name's double underline is kept."""
        return rows_of(columns)


def rows_of(columns: dict[str, Sequence[Any]]) -> Rows:
    """Return rows of columns."""
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def save(made: Case, folder: Path, name: str) -> Path:
    """Write a file as its stranger saves it."""
    kind, _, how = made.how.partition(":")
    path = folder / f"{name}.{kind}"
    if kind in ("json", "jsonl", "ndjson"):
        texts = [json.dumps(row, ensure_ascii=False) for row in made.rows] if kind != "json" else []
        path.write_text(
            "\n".join(texts) + "\n" if texts else json.dumps(made.rows), encoding="utf-8"
        )
    elif kind in ("parquet", "xlsx", "dta"):
        import pandas as pd

        frame = made.rows if isinstance(made.rows, pd.DataFrame) else pd.DataFrame(made.rows)
        if kind == "parquet":
            frame.to_parquet(path)
        elif kind == "dta":
            frame.to_stata(path, write_index=False)
        else:
            _workbook(frame, path, how)
    elif isinstance(made.rows, str):
        path.write_text(made.rows, encoding="utf-8")
    else:
        text = io.StringIO()
        separator = {"semicolon": ";", "tab": "\t", "bar": "|", "latin": ";"}.get(how, ",")
        table = csv.writer(
            text, delimiter=separator, lineterminator="\r\n" if how == "latin" else "\n"
        )
        table.writerow(list(made.rows[0]))
        comma = how in ("semicolon", "latin")
        for row in made.rows:
            cells = [
                str(v).replace(".", ",") if comma and isinstance(v, float) else v
                for v in row.values()
            ]
            table.writerow(cells)
        path.write_bytes(text.getvalue().encode("cp1252" if how == "latin" else "utf-8"))
    return path


def _workbook(frame: Any, path: Path, how: str) -> None:
    """Write a workbook of one sheet: lines of a title, the header, the rows."""
    lines: list[list[Any]] = [[x] for x in how.split("/") if x]
    lines += [list(frame.columns), *map(list, frame.itertuples(index=False))]
    cells = "".join(f"<row>{''.join(map(_cell, line))}</row>" for line in lines)
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    with zipfile.ZipFile(path, "w") as book:
        book.writestr("[Content_Types].xml", f'<Types xmlns="{package}/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>')  # fmt: skip
        book.writestr("_rels/.rels", f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>')  # fmt: skip
        book.writestr("xl/workbook.xml", f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets><sheet name="Sheet1" sheetId="1" r:id="r1"/></sheets></workbook>')  # fmt: skip
        book.writestr("xl/_rels/workbook.xml.rels", f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" Type="{office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>')  # fmt: skip
        book.writestr("xl/worksheets/sheet1.xml", f'<worksheet xmlns="{main}"><sheetData>{cells}</sheetData></worksheet>')  # fmt: skip


def _cell(value: Any) -> str:
    if value in (None, ""):
        return "<c/>"
    if isinstance(value, bool | str):
        return f'<c t="inlineStr"><is><t>{escape(str(value))}</t></is></c>'
    return f"<c><v>{value}</v></c>"


def r(x: float, digits: int = 4) -> float:
    """Round."""
    return round(x, digits)


def day(i: int) -> str:
    """Return a day."""
    return f"2026-0{1 + i % 9}-{1 + i % 27:02d}"


def money(rng: random.Random) -> float:
    """Return an amount."""
    return round(rng.lognormvariate(4, 1), 2)


# moderation, support, claims: exports of queues


@stranger
def moderation_queue(rng):
    c = Cases(rng, 400, ("keep", "remove"))
    acted = c.part(0.4)
    return case(rows_of({
        "post_id": [f"p{90000 + i}" for i in range(c.n)], "posted_at": [f"{day(i)}T10:{i % 60:02d}:00Z" for i in range(c.n)],
        "author_followers": c.each(lambda: rng.randint(0, 9000)), "reports": c.each(lambda: rng.randint(0, 6)),
        "auto_label": c.answer, "auto_score": [r(s) for s in c.sure], "mod_action": acted,
        "mod_name": [rng.choice(("kay", "noor", "tim")) if a else "" for a in acted],
    }), predictions("mod_action", "auto_label", "auto_score", truth=acted))  # fmt: skip


@stranger
def helpdesk_intents(rng):
    c = Cases(rng, 300, ("billing", "refund", "shipping", "login", "other"))
    after = c.part(0.8)
    return case(rows_of({
        "Ticket ID": [44000 + 3 * i for i in range(c.n)], "Created": [f"{day(i)} 09:1{i % 10}" for i in range(c.n)],
        "Intent": c.answer, "Intent confidence": [f"{100 * s:.0f}%" for s in c.sure], "Intent after agent": after,
        "Language": c.each(lambda: rng.choice(("en", "nl"))), "Priority": c.each(lambda: rng.choice(("low", "normal", "urgent"))),
        "CSAT": c.each(lambda: rng.choice((1, 2, 3, 4, 5, ""))),
    }), predictions("Intent after agent", "Intent", "Intent confidence", truth=after))  # fmt: skip


@stranger
def radiology(rng):
    c = Cases(rng, 260, ("negative", "positive"))
    return case(rows_of({
        "AccessionNumber": [f"ACC{i:06d}" for i in range(c.n)], "PatientAge": c.each(lambda: rng.randint(20, 90)),
        "Sex": c.each(lambda: rng.choice("MF")), "AI_finding_score": [r(100 * p["positive"], 1) for p in c.proba],
        "Radiologist_1": c.judge(0.85), "Radiologist_2": c.judge(0.88), "Biopsy": c.truth,
    }), predictions("Biopsy", None, "AI_finding_score"), votes("Radiologist_1", "Radiologist_2", gold="Biopsy"),
        asks="label judges kind gold proba confidence prediction")  # fmt: skip


@stranger
def credit_risk(rng):
    c = Cases(rng, 500, ("0", "1"))
    pd12 = [r(p["1"], 5) for p in c.proba]
    return case(rows_of({
        "application_no": [f"A-{i * 17 + 3}" for i in range(c.n)], "ltv": c.each(lambda: r(rng.random(), 3)),
        "dti": c.each(lambda: r(rng.random(), 3)), "pd_12m": pd12,
        "decision": ["reject" if p > 0.35 else "approve" for p in pd12], "default_flag": c.truth,
        "exposure": c.each(lambda: money(rng)),
    }), predictions("default_flag", None, "pd_12m"), asks="label proba prediction confidence classes kind map")  # fmt: skip


@stranger
def befund_german(rng):
    c = Cases(rng, 210, ("unauffällig", "auffällig"))
    chef = c.part(0.6)
    return case(rows_of({
        "Fallnummer": [f"F{i:05d}" for i in range(c.n)], "Alter": c.each(lambda: rng.randint(18, 91)),
        "Laborwert": c.each(lambda: r(rng.gauss(5, 1), 2)), "KI-Befund": c.answer, "KI-Score": [r(s, 3) for s in c.sure],
        "Befund Oberarzt": chef, "Bemerkung": c.each(lambda: rng.choice(("", "siehe Akte", "Kontrolle in 6 Wo."))),
    }), predictions("Befund Oberarzt", "KI-Befund", "KI-Score", truth=chef), how="csv:latin")  # fmt: skip


@stranger
def dossiers_french(rng):
    c = Cases(rng, 220, ("dégât des eaux", "vol", "bris de glace"))
    agent = c.part(0.7)
    return case(rows_of({
        "N° dossier": [7000 + i for i in range(c.n)], "Date dépôt": [f"{1 + i % 27:02d}/03/2026" for i in range(c.n)],
        "Catégorie IA": c.answer, "Indice": [r(s, 2) for s in c.sure], "Catégorie agent": agent,
        "Montant": c.each(lambda: money(rng)),
    }), predictions("Catégorie agent", "Catégorie IA", "Indice", truth=agent), how="csv:semicolon")  # fmt: skip


@stranger
def siniestros_spanish(rng):
    c = Cases(rng, 240, ("no", "si"))
    perito = c.part(0.5)
    return case(rows_of({
        "siniestro": [f"S{i:04d}" for i in range(c.n)], "fecha": [day(i) for i in range(c.n)], "fraude_modelo": c.answer,
        "prob_fraude": [r(p["si"]) for p in c.proba], "fraude_perito": perito, "importe": c.each(lambda: money(rng)),
    }), predictions("fraude_perito", "fraude_modelo", "prob_fraude", truth=perito), how="csv:semicolon")  # fmt: skip


@stranger
def pratiche_italian(rng):
    c = Cases(rng, 200, ("accolta", "respinta", "da integrare"))
    return case(rows_of({
        "pratica": [f"2026/{i}" for i in range(c.n)], "categoria_suggerita": c.answer,
        "affidabilità %": [f"{100 * s:.1f}".replace(".", ",") for s in c.sure], "categoria_finale": c.truth,
        "operatore": c.each(lambda: rng.choice(("Rossi", "Bianchi", "Verdi"))),
    }), predictions("categoria_finale", "categoria_suggerita", "affidabilità %"), how="csv:semicolon")  # fmt: skip


@stranger
def zaken_dutch(rng):
    c = Cases(rng, 230, ("toekennen", "afwijzen"))
    mens = c.part(0.75)
    return case(rows_of({
        "zaaknr": [f"Z-{i}" for i in range(c.n)], "looptijd_dagen": c.each(lambda: rng.randint(1, 60)),
        "uitkomst_model": c.answer, "score": [r(s, 3) for s in c.sure], "uitkomst_behandelaar": mens,
    }), predictions("uitkomst_behandelaar", "uitkomst_model", "score", truth=mens), how="csv:tab")  # fmt: skip


@stranger
def processos_portuguese(rng):
    c = Cases(rng, 190, ("cível", "penal", "laboral"))
    return case(rows_of({
        "processo": [f"{i}/26" for i in range(c.n)], "classe_sugerida": c.answer, "grau_certeza": [r(s, 2) for s in c.sure],
        "classe_revisor": c.part(0.6), "tempo_min": c.each(lambda: rng.randint(1, 40)),
    }), predictions("classe_revisor", "classe_sugerida", "grau_certeza"), how="csv:semicolon")  # fmt: skip


@stranger
def anken_japanese(rng):
    c = Cases(rng, 180, ("承認", "却下"))
    return case(rows_of({
        "案件番号": [f"K{i}" for i in range(c.n)], "AI判定": c.answer, "スコア": [r(s, 3) for s in c.sure],
        "担当者判定": c.part(0.5), "処理時間": c.each(lambda: rng.randint(10, 900)),
    }), predictions("担当者判定", "AI判定", "スコア"))  # fmt: skip


# notebooks and libraries


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


# spreadsheets


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


# people's and models' votes


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
