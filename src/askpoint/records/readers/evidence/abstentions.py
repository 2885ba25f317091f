"""Words and sentences that are no label: errors, refusals, doubts, work that is still to be done."""

from __future__ import annotations

import re

from askpoint.records.label_words import spelling_key

__all__ = ["is_no_answer", "is_tie", "is_waiting"]

_ERROR = re.compile(
    r"^[\W_]*(error|err|exception|traceback|timeout|timed out|http|invalid|parse|failed to|fehler\b|erreur\b"
    r"|errore\b|erro\b|fout\b|fallo\b|エラー)([\W_]|$)|rate.?limit|^null$|^nan$|^5\d\d\b|^429\b|[a-z]+error\b",
    re.IGNORECASE,
)
_REFUSAL = re.compile(
    r"\b(can ?not|can't|cannot|could not|couldn't|unable|won't|will not|refus\w+|sorry|as an ai|declin\w+"
    r"|abstain\w*|don't know|do not know|not sure|unsure|undecided|idk|cannot judge|no answer|not applicable"
    r"|skip|skipped|ignore|ignored|kann (ich )?nicht|unsicher|weiß nicht|weiss nicht|keine (angabe|ahnung)"
    r"|enthaltung|ne peux pas|ne sais pas|incertain|sans avis|pas sûr|no puedo|no sé|no se sabe|inseguro"
    r"|no seguro|non posso|non so|incerto|não posso|não sei|weet niet|kan niet|onzeker|niet zeker)\b"
    r"|分からない|わからない|不明|判定不能|回答不可|できません",
    re.IGNORECASE,
)
_WAITING = frozenset({
    "pending", "todo", "to do", "open", "unlabelled", "unlabeled", "unreviewed", "not reviewed", "queued",
    "in progress", "awaiting", "awaiting review", "tbd", "unknown", "unassigned", "none yet", "not yet",
    "waiting", "in review", "offen", "ausstehend", "ungeprüft", "unbekannt", "in arbeit", "en attente",
    "à faire", "non traité", "inconnu", "en cours", "pendiente", "sin revisar", "desconocido", "por revisar",
    "in attesa", "da fare", "da verificare", "sconosciuto", "pendente", "por rever", "desconhecido",
    "em análise", "openstaand", "in behandeling", "nog niet", "onbekend", "te doen", "未確認", "未処理",
    "保留", "未定", "未判定", "対応中", "expired",
})  # fmt: skip
_TIES = frozenset({
    "tie", "draw", "both", "neither", "equal", "equally good", "both good", "both bad", "gleichstand",
    "unentschieden", "égalité", "empate", "pareggio", "gelijk", "引き分け",
})  # fmt: skip


def is_no_answer(value: str) -> bool:
    """Say whether a value is an error text, a refusal or a doubt, and no label."""
    text = spelling_key(value)
    return bool(_ERROR.search(text) or _REFUSAL.search(text))


def is_waiting(value: str) -> bool:
    """Say whether a value says that nobody decided yet."""
    return spelling_key(value).replace("_", " ").strip(" .-") in _WAITING


def is_tie(value: str) -> bool:
    """Say whether a value says that two answers are equally good."""
    return spelling_key(value).replace("_", " ") in _TIES
