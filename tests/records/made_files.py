"""Made tables as people in eight countries leave them, each with what it must be read as."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

__all__ = ["SHAPES", "Made", "made_files"]

# headers: id, text, money, day, truth, person, answer, sure, probability, judge, votes' gold, agent's log
WORDS = {
    "en": {
        "id": ["case_id", "Ticket", "record no", "item"], "text": ["body", "Comment", "subject"],
        "money": ["amount", "price_eur"], "day": ["created_at", "date"],
        "truth": ["actual_class", "True label", "ground_truth", "goldLabel"],
        "person": ["reviewer_verdict", "Human decision", "expert_label", "moderator"],
        "answer": ["predicted_class", "Model answer", "ai_label", "prediction"],
        "sure": ["confidence", "Score", "model_certainty", "probability"],
        "judge": ["judge", "rater", "annotator", "grader"], "worker": ["rater_id", "annotator"],
        "vote": ["verdict", "rating_label", "label"], "majority": ["majority_vote", "consensus"],
        "correct": ["is_correct", "match"], "waiting": ["pending", "not reviewed"],
        "error": ["ERROR: timeout", "I cannot judge this"], "yes": ["spam", "ham"],
        "three": ["refund", "delivery", "other"],
    },
    "de": {
        "id": ["Vorgangsnummer", "Fall-Nr", "Aktenzeichen"], "text": ["Betreff", "Bemerkung"],
        "money": ["Betrag", "Preis EUR"], "day": ["Datum", "erstellt am"],
        "truth": ["Wahrheit", "tatsächliche Klasse", "Referenz", "Sollwert"],
        "person": ["Gutachter", "Prüfer Entscheidung", "manuelle Kontrolle", "Fachkraft"],
        "answer": ["Vorhersage", "KI-Klasse", "Modellantwort", "Vorschlag"],
        "sure": ["Konfidenz", "Wahrscheinlichkeit", "Modellsicherheit", "Vertrauenswert"],
        "judge": ["Bewerter", "Kodierer", "Juror"], "worker": ["Bewerterin", "Kodierer"],
        "vote": ["Urteil", "Bewertung", "Einstufung"], "majority": ["Mehrheit", "Konsens"],
        "correct": ["richtig", "Treffer"], "waiting": ["offen", "ausstehend"],
        "error": ["Fehler: Zeitüberschreitung", "kann ich nicht beurteilen"],
        "yes": ["Betrug", "sauber"], "three": ["Kündigung", "Rückgabe", "Störung"],
    },
    "fr": {
        "id": ["dossier", "numéro", "identifiant"], "text": ["objet", "remarque"],
        "money": ["montant", "prix"], "day": ["date", "créé le"],
        "truth": ["vérité", "classe réelle", "vrai label", "référence"],
        "person": ["relecteur", "décision experte", "médecin", "contrôleur"],
        "answer": ["prédiction", "classe prédite", "réponse modèle", "proposition IA"],
        "sure": ["confiance", "probabilité", "score", "certitude"],
        "judge": ["juge", "annotateur", "évaluateur"], "worker": ["annotateur", "évaluateur"],
        "vote": ["avis", "étiquette", "verdict"], "majority": ["majorité", "consensus"],
        "correct": ["correcte", "juste"], "waiting": ["en attente", "à faire"],
        "error": ["erreur: délai dépassé", "je ne peux pas juger"],
        "yes": ["fraude", "normal"], "three": ["retour", "panne", "autre"],
    },
    "es": {
        "id": ["expediente", "número", "caso"], "text": ["asunto", "comentario"],
        "money": ["importe", "precio"], "day": ["fecha", "creado"],
        "truth": ["clase real", "verdad", "etiqueta verdadera", "valor esperado"],
        "person": ["revisor", "decisión humana", "analista", "experto"],
        "answer": ["predicción", "clase predicha", "respuesta modelo", "sugerencia IA"],
        "sure": ["confianza", "probabilidad", "certeza", "puntuación"],
        "judge": ["juez", "anotador", "evaluador"], "worker": ["anotador", "evaluador"],
        "vote": ["voto", "etiqueta", "veredicto"], "majority": ["mayoría", "consenso"],
        "correct": ["correcto", "acierto"], "waiting": ["pendiente", "sin revisar"],
        "error": ["error: tiempo agotado", "no puedo juzgar"],
        "yes": ["fraude", "legítimo"], "three": ["gato", "perro", "pájaro"],
    },
    "it": {
        "id": ["pratica", "numero", "caso"], "text": ["oggetto", "commento"],
        "money": ["importo", "prezzo"], "day": ["data", "creato il"],
        "truth": ["classe vera", "verità", "riferimento", "esito effettivo"],
        "person": ["revisore", "decisione umana", "perito", "operatore"],
        "answer": ["previsione", "classe prevista", "risposta modello", "proposta IA"],
        "sure": ["confidenza", "probabilità", "punteggio", "certezza"],
        "judge": ["giudice", "annotatore", "valutatore"], "worker": ["annotatore", "valutatore"],
        "vote": ["voto", "etichetta", "giudizio"], "majority": ["maggioranza", "consenso"],
        "correct": ["corretto", "giusto"], "waiting": ["in attesa", "da verificare"],
        "error": ["errore: tempo scaduto", "non posso giudicare"],
        "yes": ["frode", "regolare"], "three": ["reso", "guasto", "altro"],
    },
    "pt": {
        "id": ["processo", "número", "caso"], "text": ["assunto", "comentário"],
        "money": ["valor pago", "preço"], "day": ["data", "criado em"],
        "truth": ["classe real", "verdade", "rótulo verdadeiro", "valor esperado"],
        "person": ["revisor", "decisão humana", "especialista", "analista"],
        "answer": ["previsão", "classe prevista", "resposta modelo", "sugestão IA"],
        "sure": ["confiança", "probabilidade", "pontuação", "certeza"],
        "judge": ["juiz", "anotador", "avaliador"], "worker": ["anotador", "avaliador"],
        "vote": ["voto", "rótulo", "parecer"], "majority": ["maioria", "consenso"],
        "correct": ["correto", "acerto"], "waiting": ["pendente", "por rever"],
        "error": ["erro: tempo esgotado", "não posso julgar"],
        "yes": ["fraude", "normal"], "three": ["devolução", "avaria", "outro"],
    },
    "nl": {
        "id": ["zaaknummer", "dossier", "nr"], "text": ["onderwerp", "opmerking"],
        "money": ["bedrag", "prijs"], "day": ["datum", "aangemaakt"],
        "truth": ["werkelijke klasse", "waarheid", "juiste label", "referentie"],
        "person": ["medewerker", "menselijk oordeel", "controleur", "behandelaar"],
        "answer": ["voorspelling", "voorspelde klasse", "antwoord model", "AI-voorstel"],
        "sure": ["betrouwbaarheid", "waarschijnlijkheid", "zekerheid", "kans"],
        "judge": ["beoordelaar", "codeur", "annotator"], "worker": ["beoordelaar", "annotator"],
        "vote": ["oordeel", "stem", "label"], "majority": ["meerderheid", "consensus"],
        "correct": ["juist", "goed"], "waiting": ["openstaand", "in behandeling"],
        "error": ["fout: time-out", "kan ik niet beoordelen, weet niet"],
        "yes": ["fraude", "normaal"], "three": ["retour", "storing", "overig"],
    },
    "ja": {
        "id": ["案件番号", "管理番号", "画像名"], "text": ["本文", "備考"],
        "money": ["金額", "価格"], "day": ["日時", "作成日付"],
        "truth": ["正解", "実際のクラス", "真のラベル"],
        "person": ["担当者の判定", "専門家ラベル", "目視結果"],
        "answer": ["予測", "予測クラス", "モデル回答", "AI判定"],
        "sure": ["信頼度", "確率", "確信度", "スコア"],
        "judge": ["評価者", "判定者", "アノテータ"], "worker": ["評価者", "アノテータ"],
        "vote": ["判定", "ラベル", "分類"], "majority": ["多数決"],
        "correct": ["正誤", "一致"], "waiting": ["未確認", "保留"],
        "error": ["エラー: タイムアウト", "判定できません"],
        "yes": ["不良", "良品"], "three": ["犬", "猫", "鳥"],
    },
}  # fmt: skip


Words = dict[str, dict[str, list[str]]]


@dataclass
class Made:
    """A made file and what it must be read as."""

    name: str
    text: str
    kind: str
    items: int = 0
    label: str | None = None
    prediction: str | None = None
    confidence: str | None = None
    probabilities: dict[str, str] = field(default_factory=dict)
    judges: tuple[str, ...] = ()
    gold: str | None = None
    label_counts: dict[str, int] = field(default_factory=dict)
    first: dict[str, float] = field(default_factory=dict)


class Table:
    """Columns in an order, and how they are written."""

    def __init__(self, language: str, seed: int, words: Words) -> None:
        self.rng = random.Random(seed)
        self.words = words[language]
        self.n = self.rng.choice([90, 140, 220])
        self.columns: dict[str, list[str]] = {}
        self.comma = language not in ("en", "ja") and self.rng.random() < 0.6

    def name(self, what: str) -> str:
        """Draw a header that is not yet there."""
        choices = [w for w in self.words[what] if w not in self.columns]
        return self.rng.choice(choices or [f"{self.words[what][0]} 2"])

    def add(self, what: str, cells: list[str], name: str | None = None) -> str:
        name = self.name(what) if name is None else name
        self.columns[name] = cells
        return name

    def number(self, x: float, digits: int = 3) -> str:
        text = f"{x:.{digits}f}"
        return text.replace(".", ",") if self.comma else text

    def others(self) -> None:
        """Add columns that are nothing: ids, texts, money, days, and order them anyhow."""
        rng, columns = self.rng, {}
        columns[self.name("id")] = [
            f"X{1000 + i}" if rng.random() < 2 else "" for i in range(self.n)
        ]
        if rng.random() < 0.5:
            columns[self.name("text")] = [f"{rng.choice('abcdefgh')} word {i} of {rng.random():.4f}"
                                          for i in range(self.n)]  # fmt: skip
        self.columns = {**columns, **self.columns}
        if rng.random() < 0.5:
            self.columns[self.name("money")] = [
                self.number(rng.expovariate(0.01), 2) for _ in range(self.n)
            ]
        if rng.random() < 0.5:
            self.columns[self.name("day")] = [
                f"2026-03-{1 + i % 28:02d}T08:{i % 60:02d}:00" for i in range(self.n)
            ]

    def shuffled(self) -> None:
        names = list(self.columns)
        self.rng.shuffle(names)
        self.columns = {name: self.columns[name] for name in names}

    def text(self) -> str:
        separator = ";" if self.comma else self.rng.choice([",", ",", ";", "\t"])
        rows = [list(self.columns), *zip(*self.columns.values(), strict=True)]
        return "\n".join(separator.join(_quoted(c, separator) for c in row) for row in rows) + "\n"


def _quoted(cell: str, separator: str) -> str:
    return f'"{cell}"' if separator in cell else cell


def _draws(t: Table, classes: list[str]) -> tuple[list[str], list[str], list[float]]:
    """Return truths, answers and confidences that say how often the answer is right."""
    truth, answer, sure = [], [], []
    for _ in range(t.n):
        own = t.rng.choice(classes)
        p = t.rng.betavariate(3, 1.2)
        p = 1 / len(classes) + p * (1 - 1 / len(classes))
        said = own if t.rng.random() < p else t.rng.choice([c for c in classes if c != own])
        truth.append(own), answer.append(said), sure.append(p)
    return truth, answer, sure


def _counts(cells: list[str], without: tuple[str, ...] = ("",)) -> dict[str, int]:
    return {v: cells.count(v) for v in sorted(set(cells)) if v not in without}


def answer_and_truth(t: Table, *, form: str = "plain") -> Made:
    truth, answer, sure = _draws(t, t.words[t.rng.choice(["yes", "three"])])
    cells = [f"{t.number(100 * p, 1)}%" if form == "percent" else t.number(p) for p in sure]
    a, c = t.add("answer", answer), t.add("sure", cells)
    label = t.add("truth", truth)
    if form == "flag":
        t.add("correct", [str(int(x == y)) for x, y in zip(truth, answer, strict=True)])
    if t.rng.random() < 0.4:
        t.shuffled()
    t.others()
    return Made("", t.text(), "predictions", t.n, label, a, c, label_counts=_counts(truth))


def percent(t: Table) -> Made:
    return answer_and_truth(t, form="percent")


def flagged(t: Table) -> Made:
    return answer_and_truth(t, form="flag")


def person_on_some(t: Table, word: str = "") -> Made:
    truth, answer, sure = _draws(t, t.words[t.rng.choice(["yes", "three"])])
    seen = [x if t.rng.random() < 0.5 else word for x in truth]
    a, c = t.add("answer", answer), t.add("sure", [t.number(p) for p in sure])
    label = t.add("person", seen)
    t.others()
    return Made(
        "", t.text(), "predictions", t.n, label, a, c, label_counts=_counts(seen, ("", word))
    )


def waiting(t: Table) -> Made:
    return person_on_some(t, t.rng.choice(t.words["waiting"]))


def probability_of_1(t: Table) -> Made:
    p = [t.rng.betavariate(0.8, 1.0) for _ in range(t.n)]
    truth = [str(int(t.rng.random() < x)) for x in p]
    label = t.add("truth", truth)
    t.add("answer", [str(int(float(f"{x:.3f}") > 0.5)) for x in p])
    c = t.add("sure", [t.number(x) for x in p])
    t.others()
    return Made(
        "", t.text(), "predictions", t.n, label, probabilities={"1": c}, label_counts=_counts(truth)
    )


def all_probabilities(t: Table) -> Made:
    classes = t.words["three"]
    truth, answer, columns = [], [], {c: [] for c in classes}
    for _ in range(t.n):
        weights = [t.rng.gammavariate(0.6, 1) + 1e-3 for _ in classes]
        p = [round(w / sum(weights), 4) for w in weights]
        for name, x in zip(classes, p, strict=True):
            columns[name].append(x)
        answer.append(classes[p.index(max(p))])
        truth.append(t.rng.choices(classes, weights)[0])
    head = t.rng.choice(["p_{}", "{} score", "P({})", "prob:{}", "{}", t.words["sure"][0] + " {}"])
    label = t.add("truth", truth)
    if t.rng.random() < 0.5:
        t.add("answer", answer)
    names = {
        c: t.add("", [t.number(x, 4) for x in cells], head.format(c))
        for c, cells in columns.items()
    }
    for k in range(t.rng.choice([0, 2])):
        t.columns[f"x{k}"] = [t.number(t.rng.random()) for _ in range(t.n)]
    t.others()
    return Made(
        "", t.text(), "predictions", t.n, label, probabilities=names, label_counts=_counts(truth)
    )


def unlabelled(t: Table) -> Made:
    _, answer, sure = _draws(t, t.words["three"])
    a, c = t.add("answer", answer), t.add("sure", [t.number(p) for p in sure])
    t.others()
    return Made("", t.text(), "predictions", t.n, None, a, c)


def _votes(t: Table, k: int) -> tuple[list[str], list[list[str]]]:
    classes = t.words[t.rng.choice(["yes", "three"])]
    truth = [t.rng.choice(classes) for _ in range(t.n)]
    votes = [
        [x if t.rng.random() < 0.75 else t.rng.choice(classes) for x in truth] for _ in range(k)
    ]
    return truth, votes


def judges_and_person(t: Table, *, errors: bool = False) -> Made:
    truth, votes = _votes(t, 3)
    if errors:
        votes = [
            [t.rng.choice(t.words["error"]) if t.rng.random() < 0.04 else v for v in own]
            for own in votes
        ]
    names = t.rng.choice(
        [["gpt", "claude", "mistral"], [f"{t.words['judge'][0]} {i}" for i in (1, 2, 3)]]
    )
    for name, own in zip(names, votes, strict=True):
        t.columns[name] = own
    seen = [x if t.rng.random() < 0.4 else "" for x in truth]
    gold = t.add("person", seen)
    t.others()
    return Made(
        "", t.text(), "votes", t.n, judges=tuple(names), gold=gold, label_counts=_counts(seen)
    )


def judges_that_fail(t: Table) -> Made:
    return judges_and_person(t, errors=True)


def annotators_and_majority(t: Table) -> Made:
    _, votes = _votes(t, 3)
    names = [f"{t.rng.choice(t.words['judge'][:1])}{i}" for i in (1, 2, 3)]
    for name, own in zip(names, votes, strict=True):
        t.columns[name] = own
    t.add("majority", [max(row, key=row.count) for row in zip(*votes, strict=True)])
    t.others()
    return Made("", t.text(), "votes", t.n, judges=tuple(names))


def row_per_vote(t: Table) -> Made:
    t.n = 60
    _, votes = _votes(t, 3)
    item, who, what = t.name("id"), t.name("worker"), t.name("vote")
    rows = [
        (f"X{i}", f"w{j}", votes[j][i])
        for i in range(60)
        for j in range(3)
        if t.rng.random() < 0.9 or j == 0
    ]
    t.columns = dict(zip((item, who, what), map(list, zip(*rows, strict=True)), strict=True))
    return Made("", t.text(), "votes", 60, judges=("w0", "w1", "w2"))


def features(t: Table) -> Made:
    for k in range(3):
        t.columns[f"{t.rng.choice(['width', 'ratio', 'share'])}{k}"] = [
            t.number(t.rng.random()) for _ in range(t.n)
        ]
    t.columns[t.rng.choice(["species", "group", "kind"])] = [
        t.rng.choice(t.words["three"]) for _ in range(t.n)
    ]
    return Made("", t.text(), "refuse")


def approvals(t: Table) -> Made:
    t.add("id", [f"apr{i}" for i in range(t.n)], "request")
    t.columns["tool_name"] = [
        t.rng.choice(["read_file", "send_mail", "crm.update"]) for _ in range(t.n)
    ]
    t.columns["risk"] = [t.rng.choice(["low", "high"]) for _ in range(t.n)]
    t.columns[t.name("person")] = [t.rng.choice(["approved"] * 6 + ["denied"]) for _ in range(t.n)]
    return Made("", t.text(), "approvals", t.n)


SHAPES = {
    f.__name__: f
    for f in (answer_and_truth, percent, flagged, person_on_some, waiting, probability_of_1, all_probabilities,
              unlabelled, judges_and_person, judges_that_fail, annotators_and_majority, row_per_vote, features,
              approvals)
}  # fmt: skip


def made_files(seed: int, words: Words = WORDS) -> Iterator[Made]:
    """Yield a table of each shape in each language."""
    for i, (shape, make) in enumerate(SHAPES.items()):
        for j, language in enumerate(words):
            table = Table(language, 10_000 * seed + 100 * i + j, words)
            made = make(table)
            made.name = f"{shape}-{language}-{seed}.csv"
            yield made
