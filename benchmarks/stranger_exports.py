"""A second set of strangers' files, by another recipe: eighty tables drawn from habits, under words that nobody looked up.

A draw takes a subject (with its classes, its words for answer, truth and score), a layout (answer and confidence, one
probability, all of them, votes, votes with a truth, one row per vote), a habit of writing (separator, percent, comma,
headers), and distractors. What it must be read as follows from the draw, before anything reads it.
"""

from __future__ import annotations

import random
from functools import partial
from typing import Any

from stranger_cases import Case, Cases, case, day, money, predictions, r, rows_of, votes

__all__ = ["FILES"]

# classes; what a model's answer, the truth, and a score are called there
SUBJECTS: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    "parcels": (("damaged", "intact"), ("cv_verdict", "scan result", "auto_grade"), ("inspector_verdict", "warehouse check", "manual grade"), ("cv_conf", "certainty", "scan score")),
    "loans": (("default", "paid"), ("model_call", "predicted", "bot decision"), ("what happened", "observed", "final outcome"), ("model_prob", "confidence", "sureness")),
    "crops": (("rust", "mildew", "healthy"), ("leafnet", "detected disease", "predicted_class"), ("agronomist", "lab result", "true class"), ("leafnet_conf", "softmax max", "p_top")),
    "comments": (("toxic", "fine"), ("classifier", "auto_flag", "machine label"), ("moderator_label", "human flag", "editor says"), ("classifier_score", "auto_flag_score", "conf")),
    "invoices": (("travel", "office", "it", "food"), ("suggested account", "ai_category", "auto booking"), ("booked account", "accountant_category", "final booking"), ("match %", "ai_confidence", "probability")),
    "germans": (("genehmigt", "abgelehnt"), ("Modellvorschlag", "KI Ergebnis", "automatische Entscheidung"), ("Entscheid Sachbearbeitung", "Ergebnis Prüfung", "endgültige Entscheidung"), ("Sicherheit", "Trefferquote", "Konfidenzwert")),
    "french": (("conforme", "non conforme"), ("avis modèle", "prédit", "résultat auto"), ("avis contrôleur", "réel", "décision finale"), ("confiance", "score modèle", "fiabilité")),
    "spanish": (("urgente", "normal"), ("triaje_ia", "predicho", "clase modelo"), ("triaje_enfermera", "real", "clase final"), ("confianza_ia", "probabilidad", "seguridad")),
    "italian": (("idoneo", "non idoneo"), ("esito modello", "previsto", "proposta ia"), ("esito commissione", "reale", "esito definitivo"), ("punteggio", "confidenza", "affidabilita")),
    "dutch": (("goed", "afgekeurd"), ("modeloordeel", "voorspeld", "ai uitkomst"), ("oordeel keurmeester", "werkelijk", "definitieve uitkomst"), ("zekerheid", "score", "betrouwbaarheid")),
    "galaxies": (("spiral", "elliptical", "merger"), ("cnn_class", "net output", "ypred"), ("expert_class", "spectroscopy", "ytrue"), ("cnn_prob", "pmax", "conf")),
    "binary": (("0", "1"), ("y_hat", "prediction", "flag_model"), ("y", "actual", "label"), ("score", "prob", "confidence")),
}  # fmt: skip
PEOPLE = ("Sofia", "Matteo", "Yuki", "Priya", "Lars", "Chen", "Olu", "Ines")
MODELS = ("gpt-4.1", "sonnet", "llama3-70b", "command-a", "qwen2.5", "o3-mini")


def _distractors(rng: random.Random, c: Cases) -> dict[str, list[Any]]:
    made = {
        "id": [f"r{i:05d}" for i in range(c.n)],
        "seen": [f"{day(i)} 1{i % 10}:20" for i in range(c.n)],
        "words": c.each(lambda: rng.randint(3, 300)),
        "fee": c.each(lambda: money(rng)),
        "site": c.each(lambda: rng.choice(("north", "south", "west"))),
        "attempt": c.each(lambda: rng.randint(1, 3)),
        "brightness": c.each(lambda: r(rng.random(), 3)),
        "retries": c.each(lambda: rng.choice((0, 0, 0, 1))),
        "premium": c.each(lambda: rng.choice(("yes", "no"))),
        "note": c.each(lambda: rng.choice(("", "", "ask again", "see mail"))),
        "handled_by": c.each(lambda: rng.choice(("kim", "jo", "pat"))),
    }
    return {k: made[k] for k in rng.sample(list(made), rng.choice((1, 2, 4)))}


def _shuffled(rng: random.Random, columns: dict[str, Any]) -> dict[str, Any]:
    """Keep groups of columns together, and put distractors before, after, or between."""
    return {k: columns[k] for k in sorted(columns, key=lambda _: rng.random())}


def _how(rng: random.Random, subject: str) -> str:
    if subject in ("germans", "french", "spanish", "italian", "dutch"):
        return rng.choice(("csv:semicolon", "csv:latin", "xlsx"))
    return rng.choice(("csv", "csv", "csv:tab", "csv:semicolon", "jsonl", "parquet", "xlsx"))


def _answer(rng: random.Random, subject: str) -> Case:
    classes, answers, truths, scores = SUBJECTS[subject]
    c = Cases(rng, rng.choice((90, 180, 400)), classes)
    answer, truth, score = rng.choice(answers), rng.choice(truths), rng.choice(scores)
    known = c.part(rng.choice((1.0, 0.6, 0.25)))
    percent = "%" in score or rng.random() < 0.2
    sure = [r(100 * s, 1) if percent else r(s, 3) for s in c.sure]
    how = _how(rng, subject)
    empty = None if how in ("parquet", "jsonl", "xlsx") else ""
    known = [k or empty for k in known]
    own = {answer: c.answer, score: sure, truth: known}
    wants = [predictions(truth, answer, score, truth=known)]
    asks = (
        "confidence label"
        if subject == "binary" or score in ("p_top", "Trefferquote", "sureness")
        else ""
    )
    return case(rows_of(_shuffled(rng, own | _distractors(rng, c))), *wants, how=how, asks=asks)


def _one(rng: random.Random, subject: str) -> Case:
    classes, answers, truths, _ = SUBJECTS[subject]
    c = Cases(rng, rng.choice((120, 300)), classes[:2])
    positive = c.classes[rng.random() < 0.5]
    name = f"{rng.choice(('p', 'prob', 'score'))}_{positive}"
    truth, answer = rng.choice(truths), rng.choice(answers)
    own = {truth: c.truth, name: [r(p[positive], 4) for p in c.proba]}
    if rng.random() < 0.5:
        own[answer] = c.answer
    how = _how(rng, subject)
    return case(
        rows_of(_shuffled(rng, own | _distractors(rng, c))),
        predictions(truth, None, name),
        how=how,
        asks="proba classes label",
    )


def _all(rng: random.Random, subject: str) -> Case:
    classes, answers, truths, _ = SUBJECTS[subject]
    c = Cases(rng, rng.choice((100, 250)), classes)
    head = rng.choice(("p_", "proba ", "P(", ""))
    tail = ")" if head == "P(" else ""
    truth, answer = rng.choice(truths), rng.choice(answers)
    group = {f"{head}{k}{tail}": [r(p[k], 6) for p in c.proba] for k in classes}
    own = {truth: c.truth} | ({answer: c.answer} if rng.random() < 0.5 else {})
    before, after = _distractors(rng, c), {}
    if rng.random() < 0.5:
        before, after = after, before
    columns = before | own | group | after if rng.random() < 0.5 else group | before | own | after
    return case(
        rows_of(columns),
        predictions(truth, None, *group),
        how=_how(rng, subject),
        asks="proba label" if subject == "binary" else "",
    )


def _votes(rng: random.Random, subject: str) -> Case:
    classes = SUBJECTS[subject][0]
    c = Cases(rng, rng.choice((60, 140, 300)), classes)
    names = rng.sample(rng.choice((PEOPLE, MODELS)), rng.choice((2, 3, 4)))
    own = {name: c.judge(rng.uniform(0.75, 0.95)) for name in names}
    gold = None
    if rng.random() < 0.5:
        gold = rng.choice(("gold", "expert", "ground truth", "supervisor label"))
        own[gold] = c.part(rng.choice((1.0, 0.3)))
    how = rng.choice(("csv", "csv:semicolon", "csv:tab"))
    asks = (
        "judges pass-at scores kind gold"
        if subject == "binary"
        else "kind judges"
        if len(names) == 2
        else ""
    )
    return case(
        rows_of(_shuffled(rng, own | _distractors(rng, c))),
        votes(*names, gold=gold),
        how=how,
        asks=asks,
    )


def _long(rng: random.Random, subject: str) -> Case:
    classes = SUBJECTS[subject][0]
    c = Cases(rng, rng.choice((40, 90)), classes)
    names = rng.sample(rng.choice((PEOPLE, MODELS)), 3)
    who, what, item = rng.choice(
        (
            ("rater", "rating", "item"),
            ("annotator_name", "tag", "doc_id"),
            ("reviewer", "verdict", "case no"),
            ("judge_model", "label", "prompt_id"),
        )
    )
    own = {name: c.judge(0.85) for name in names}
    rows = [
        {item: f"i{i}", who: name, what: own[name][i], "took_s": rng.randint(2, 99)}
        for i in range(c.n)
        for name in names
    ]
    rng.shuffle(rows)
    return case(
        rows,
        votes(*names),
        how=rng.choice(("csv", "csv:semicolon", "jsonl")),
        asks="gold kind" if who == "reviewer" else "",
    )


def _trap(rng: random.Random, subject: str) -> Case:
    """Return an answer, its confidence and a truth among a second reader, an older label, and a flag of right answers."""
    classes, answers, truths, scores = SUBJECTS[subject]
    c = Cases(rng, rng.choice((150, 300)), classes)
    answer, truth, score = rng.choice(answers), rng.choice(truths), rng.choice(scores)
    own: dict[str, Any] = {answer: c.answer, score: [r(s, 3) for s in c.sure], truth: c.truth}
    extra = rng.choice(("second reader", "previous label", "right", "batch class"))
    asks = "label judges kind gold confidence prediction"
    if extra == "second reader":
        own[extra] = c.judge(0.9)
    elif extra == "previous label":
        own[extra] = [rng.choice(classes) for _ in range(c.n)]
    elif extra == "right":
        own[extra] = [int(a == t) for a, t in zip(c.answer, c.truth, strict=True)]
    else:
        own[extra] = c.each(lambda: rng.choice("ABC"))
    return case(
        rows_of(_shuffled(rng, own | _distractors(rng, c))),
        predictions(truth, answer, score),
        how=_how(rng, subject),
        asks=asks,
    )


def _none(rng: random.Random, subject: str) -> Case:
    """Return what holds no answer of a model and no votes: features and a class, or counts."""
    classes = SUBJECTS[subject][0]
    c = Cases(rng, 150, classes)
    rows = rows_of(
        {
            "id": range(c.n),
            "size": c.each(lambda: r(rng.random() * 9, 2)),
            "share": c.each(lambda: r(rng.random(), 3)),
            "kind of thing": c.truth,
        }
    )
    if rng.random() < 0.5:
        rows = [
            {"month": f"2026-{k:02d}", "cases": rng.randint(100, 900), "errors": rng.randint(1, 50)}
            for k in range(1, 13)
        ]
    return Case(rows, "csv", (), frozenset({"--label", "--judges", "--kind", "--proba"}))


_LAYOUTS = {
    "answer": _answer,
    "one": _one,
    "all": _all,
    "votes": _votes,
    "long": _long,
    "trap": _trap,
    "none": _none,
}
FILES = {
    f"{layout}_{subject}": partial(make, subject=subject)
    for layout, make in _LAYOUTS.items()
    for subject in SUBJECTS
}
