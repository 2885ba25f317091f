"""Words that are one label in several spellings, and words that are no vote."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

__all__ = [
    "CLASS_WORDS",
    "CORRECT",
    "MISSING_WORDS",
    "MOST_LABELS",
    "NO_LABEL_WORDS",
    "keeps_classes",
    "same_labels",
    "spelling_key",
    "truth_of",
]

MOST_LABELS = 50

CORRECT = ("correct", "is_correct", "was_correct", "right", "is_right", "answer_correct", "grade")
"""What columns are called that say of each answer whether it was right."""

_YES = ("true", "yes", "pass", "passed", "1", "1.0", "c", "correct", "right", "y", "t", "ok", "ja",
    "wahr", "richtig", "bestanden", "oui", "vrai", "sí", "sim", "verdadero",
)  # fmt: skip
_NO = ("false", "no", "fail", "failed", "0", "0.0", "i", "incorrect", "wrong", "n", "f", "nein",
    "falsch", "nicht bestanden", "non", "faux", "não", "falso",
)  # fmt: skip
_TRUTH = dict.fromkeys(_YES, True) | dict.fromkeys(_NO, False)

NO_LABEL_WORDS = frozenset({"", "null", "nan", "n/a", "na", "#n/a", "<na>"})
MISSING_WORDS = NO_LABEL_WORDS | {
    "none",
    "error",
    "timeout",
    "parse_error",
    "parse error",
    "parsing_error",
    "-",
    "--",
    "?",
    "missing",
    "invalid",
    "__invalid__",
    "garbage",
    "unparseable",
    "unparsable",
    "refusal",
    "refused",
    "declined",
    "skipped",
    "skip",
    "abstain",
    "abstained",
    "no answer",
    "no_answer",
    "content_filter",
    "exception",
    "rate_limit",
    "#error",
    "#value!",
    "#ref!",
}


# words that are mostly no label, but may be one: an application is approved or declined
CLASS_WORDS = frozenset(
    {"declined", "refused", "refusal", "skip", "skipped", "none", "invalid", "missing"}
)


def keeps_classes(missing: Iterable[str]) -> bool:
    """Say whether words that are no label are the usual ones without some that are classes here."""
    return MISSING_WORDS - CLASS_WORDS <= set(missing) < MISSING_WORDS


def spelling_key(value: str) -> str:
    """Return what different spellings of one label have in common."""
    return value.strip().casefold()


def truth_of(value: str) -> bool | None:
    """Return whether a word says yes or no, or None if it says neither."""
    return _TRUTH.get(spelling_key(value))


def same_labels(columns: Sequence[Mapping[str, int]]) -> dict[str, str]:
    """Return the label for each spelling, if several spellings are one label; else nothing.

    Words such as True, Pass, yes and 1 are one label only where all labels are such words. The
    label is the most frequent of the words in small letters; spellings that need no other name
    are left out.
    """
    counts: dict[str, int] = {}
    for column in columns:
        for value, count in column.items():
            counts[value] = counts.get(value, 0) + count
    groups = _groups(counts)
    if len(groups) == len(counts):
        return {}
    named: dict[str, str] = {}
    for group in groups:
        if len(group) > 1:
            label = _most_frequent(group, counts)
            named |= {value: label for value in group if value != label}
    return named


def _groups(values: Iterable[str]) -> list[list[str]]:
    values = list(values)
    truths = [truth_of(value) for value in values]
    by_truth = None not in truths and len(set(truths)) <= 2
    groups: dict[object, list[str]] = {}
    for value, truth in zip(values, truths, strict=True):
        groups.setdefault(truth if by_truth else spelling_key(value), []).append(value)
    return list(groups.values())


def _most_frequent(group: Sequence[str], counts: Mapping[str, int]) -> str:
    words: dict[str, int] = {}
    spellings: dict[str, set[str]] = {}
    for value in group:
        key = spelling_key(value)
        words[key] = words.get(key, 0) + counts[value]
        spellings.setdefault(key, set()).add(value.strip())
    best = max(words, key=lambda word: (words[word], word))
    only = spellings[best]
    return next(iter(only)) if len(only) == 1 else best
