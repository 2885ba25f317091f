"""Words by which columns are called that say of each answer whether it was right."""

from __future__ import annotations

from askpoint.records.readers.evidence.words import hints_of, tokens_of

__all__ = ["grades_wrong", "names_a_grade", "names_an_opinion"]

_MISTAKES = frozenset(
    ["error", "wrong", "mistake", "fehler", "falsch", "erreur", "faux", "errore", "erro", "fout"]
)
_AGREED = frozenset(["agree", "agrees", "agreed"])
_OVERRULED = frozenset(
    ["disagree", "disagrees", "disagreed", "overridden", "overrode", "overruled"]
)


def names_a_grade(name: str) -> bool:
    """Say whether a column is called as one that says which answers were right, or wrong."""
    hints = hints_of(name)
    if "confidence" in hints:
        return False
    return names_an_opinion(name) or (
        "correct" in hints and not ({"truth", "answer", "person"} & hints)
    )


def names_an_opinion(name: str) -> bool:
    """Say whether it is called as one in which people agree with an answer, or overrule it."""
    return bool((_AGREED | _OVERRULED) & set(tokens_of(name)))


def grades_wrong(name: str) -> bool:
    """Say whether yes in such a column means that the answer was wrong."""
    return bool((_MISTAKES | _OVERRULED) & set(tokens_of(name)))
