"""Words by which columns are called, in eight languages: what a name hints at."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Literal

__all__ = ["Hint", "hints_of", "tokens_of"]

Hint = Literal[
    "truth", "person", "answer", "confidence", "percent", "log", "judge", "correct", "label",
    "id", "measure", "time", "second", "system", "derived", "tool", "approval", "feature",
]  # fmt: skip

# English, German, French, Spanish, Italian, Portuguese, Dutch; stems that end with * match a beginning
_WORDS: dict[Hint, str] = {
    "truth": "truth true gold golden groundtruth actual actuals target reference expected real ytrue observed"
    " final correct_answer correct_label correct_class oracle solution answer_key"
    " wahr wahrheit wahre* tatsachlich* richtig* soll sollwert referenz erwartet* endgultig* ist_klasse"
    " verite vrai vraie reel reelle attendu* terrain verdad verdader* esperad* reale vero vera verita"
    " attes* effettiv* corrett* verdade verdadeir* corret* waarheid werkelijk* echt echte juist* verwacht*"
    " bestatigt* confirmed confirmad* confermat* confirme bevestigd* goldstandard gouden ouro oro etalon padrao"
    " definitief definitiv* definitif finale referencia riferimento referentie referenti*",
    "person": "human humans validated validiert* valide validee validado validada validato validata gevalideerd* person people reviewer review reviewed reviewers expert experts analyst"
    " auditor audit audited moderator editor clerk officer doctor physician radiologist pathologist"
    " clinician nurse teacher lawyer paralegal sme manual manually operator inspector examiner"
    " adjudicat* specialist supervisor corrected override overridden verified curator librarian"
    " underwriter investigator caseworker mensch menschlich* gutachter* prufer* pruef* gepruft*"
    " sachbearbeiter* experte* experten fachkraft fachperson arzt arztin redakteur* redaktion manuell*"
    " bearbeiter* kontrolleur* lektor* korrigiert* korrektur nachgepruft* mitarbeiter* humain* expert*"
    " relecteur relectrice relecture verificat* medecin gestionnaire analyste moderateur manuel*"
    " controleur correcteur corrige* conseiller* humano humana experto experta revisor* revisad*"
    " revision analista medico medica moderador* corregid* perito inspector* funcionari* umano umana"
    " espert* revisione operatore moderatore manuale ispettore impiegat* especialista revisao corrigid*"
    " humana mens menselijk* deskundige controleur* arts redacteur medewerker* behandelaar* handmatig*"
    " gecorrigeerd* nagekeken gecontroleerd* beoordeeld*",
    "answer": "prediction predictions predicted predict pred preds yhat ypred guess answer output response"
    " model ai llm gpt claude gemini mistral mixtral llama qwen deepseek grok classifier classified auto automatic automated machine bot algorithm system"
    " suggestion suggested proposed proposal scored assigned estimated estimate inferred inference top1"
    " hypothesis completion model_answer detected recommended recommendation vorhersage* vorhergesagt*"
    " prognos* modell ki vorschlag vorgeschlagen* antwort maschine maschinell* automatisch* klassifikat*"
    " predit predite modele ia reponse proposition propose automatique estime* prediccion predich* modelo"
    " respuesta sugerencia sugerid* propuesta automatico automatica pronostic* predizione previsto prevista"
    " previsione modello risposta suggeriment* proposta predicao previsao resposta sugest* sugerid*"
    " estimacion estimativa estimation stima schatting sortie salida saida uscita uitvoer modeluitvoer algo"
    " voorspelling voorspeld* antwoord suggestie voorstel predetto predetta predicha predita prevision",
    "confidence": "confidence conf confident certainty sure surety probability probabilities prob proba"
    " probs score scores likelihood pscore pmax softmax konfidenz sicherheit vertrauen* wahrscheinlichkeit*"
    " zuversicht gewissheit gute confiance probabilite certitude confianza probabilidad* certeza seguridad"
    " puntuacion puntaje confidenza probabilita certezza sicurezza punteggio fiducia affidabilita confianca"
    " probabilidade pontuacao seguranca fiabilite fiabilidad fiabilidade indice vertrouwen betrouwbaarheid waarschijnlijkheid zekerheid kans",
    "percent": "pct percent percentage prozent pourcent pourcentage porcentaje percentuale porcentagem"
    " procent percentage",
    "log": "logprob logprobs logp loglikelihood logprobability logit logits",
    "judge": "judge judges rater raters annotator annotators annotation grader graders labeler labeller"
    " labelers coder evaluator assessor voter worker scorer critic rater juror turker bewerter* beurteil*"
    " kodierer* juror richter juge juges annotateur* evaluateur* codeur* noteur juez anotador* evaluador*"
    " codificador* calificador* giudice annotatore valutatore codificatore juiz avaliador* rechter"
    " beoordelaar* codeur annoteur annotatrice votant votante stemmer",
    "correct": "correct iscorrect right isright match matches matched hit error wrong mistake richtig korrekt"
    " treffer fehler falsch correcte juste erreur correcto correcta acierto corretto giusto errore esatto"
    " stimmt klopt acertou correto acerto erro juist goed fout grade accurate",
    "label": "label labels class klasse category kategorie verdict decision outcome y klass classe categorie"
    " etiquette etichetta etiqueta categoria clase rotulo oordeel entscheidung decision decisione decisao"
    " beslissing target urteil resultat resultado risultato resultaat disposition status",
    "id": "id ids idx uid uuid guid key nr no num number nummer numero index hash url path file filename"
    " image item task case sample row ticket doc document kennung beleg akte dossier ref vorgang fall"
    " caso pratica expediente zaak processo fichier archivo datei bestand",
    "measure": "cost costs price usd eur latency duration elapsed runtime token tokens ms secs seconds bytes"
    " length chars words amount temperature seed age count preis kosten betrag dauer lange laenge montant"
    " prix duree longueur precio importe monto duracion longitud prezzo importo durata lunghezza preco"
    " duracao comprimento prijs bedrag duur lengte weight size anzahl nombre epoch turn step iteration",
    "time": "time date datetime created updated timestamp ts datum zeit uhrzeit heure fecha hora data ora"
    " tijd tstamp at",
    "second": "top2 top3 second 2nd third 3rd runner runnerup alternative alt zweit* deuxieme segund* secondo"
    " seconda tweede",
    "system": "system model variant arm version candidate",
    "derived": "majority consensus ensemble aggregate aggregated aggregation mode mean average median mv agreement"
    " vote_count mehrheit majorite mayoria maggioranza maioria meerderheid konsens",
    "tool": "tool tools tool_name function fn action command agent operation endpoint werkzeug aktion outil"
    " herramienta accion strumento azione ferramenta acao gereedschap actie skill mcp",
    "approval": "approval approvals approve approved approver allowed permission permissions interrupt hitl"
    " genehmigung freigabe approbation aprobacion approvazione aprovacao goedkeuring decided_by",
    "feature": "feature features feat",
}  # fmt: skip
_JAPANESE: dict[Hint, str] = {
    "truth": "正解 真 実際 実測 教師 期待 最終",
    "person": "人間 人手 専門家 担当 確認者 審査担当 医師 査読 目視 手動 レビュ 検査員 修正 人的 人による",
    "answer": "予測 推定 モデル 回答 提案 自動 推論 AI",
    "confidence": "信頼度 確信度 確率 スコア 自信 確度",
    "judge": "評価者 判定者 審査員 アノテ 採点者 ラベラ",
    "correct": "正誤 一致",
    "label": "ラベル 判定 分類 クラス 結果",
    "id": "番号 識別 ファイル 画像",
    "measure": "金額 価格 費用 長さ",
    "time": "日時 日付 時刻",
    "derived": "多数決 合意",
}
_SPLIT = re.compile(r"[^\w]+|_+|(?<=[a-z])(?=[A-Z])|(?<=[a-zA-Z])(?=\d)|(?<=\d)(?=[a-zA-Z])")


def tokens_of(name: str) -> tuple[str, ...]:
    """Return the words of a column's name in small letters and without accents."""
    parts = [part for part in _SPLIT.split(name.strip()) if part]
    return tuple(_plain(part) for part in parts)


def _plain(text: str) -> str:
    split = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize(
        "NFKC", "".join(c for c in split if not unicodedata.combining(c) or c in "\u3099\u309a")
    )


_EXACT: dict[str, set[Hint]] = {}
_STEMS: list[tuple[str, Hint]] = []
for _hint, _text in _WORDS.items():
    for _word in _text.split():
        if _word.endswith("*"):
            _STEMS.append((_word[:-1], _hint))
        else:
            _EXACT.setdefault(_word, set()).add(_hint)
_COMPOUND = 6  # letters from which a word is looked for inside German and Dutch compounds


@lru_cache(maxsize=4096)
def hints_of(name: str) -> frozenset[Hint]:
    """Return what a column's name hints at, in any of eight languages."""
    tokens = tokens_of(name)
    found: set[Hint] = set()
    pairs = ["_".join(tokens[i : i + 2]) for i in range(len(tokens) - 1)]
    joined = ["".join(tokens[i : i + 2]) for i in range(len(tokens) - 1)]
    for token in (*tokens, *pairs, *joined, "".join(tokens)):
        found |= _EXACT.get(token, set())
        found |= {hint for stem, hint in _STEMS if token.startswith(stem)}
    for token in tokens:
        if len(token) <= _COMPOUND or found:
            continue
        for word, hints in _EXACT.items():
            if len(word) >= _COMPOUND and (token.endswith(word) or token.startswith(word)):
                found |= hints
    for hint, words in _JAPANESE.items():
        if any(word in name for word in words.split()):
            found.add(hint)
    return frozenset(found)
