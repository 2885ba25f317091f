"""Which columns of a table are the answer, the label, the id and the system, where nobody named them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from askpoint.errors import LogError
from askpoint.records.column_words import SYSTEM_WORDS, looks_like
from askpoint.records.label_words import MOST_LABELS, spelling_key, truth_of
from askpoint.records.readers.evidence.words import Hint, hints_of
from askpoint.records.readers.grids import CellGrid
from askpoint.records.readers.reading import Choices
from askpoint.records.readers.scores import Scores, split_score_name
from askpoint.records.roles import ColumnFacts

__all__ = [
    "check_labels",
    "choose_label",
    "find_by_name",
    "find_ids",
    "find_label",
    "lacks_confidence",
]


def find_by_name(facts: Sequence[ColumnFacts], hint: Hint) -> str | None:
    """Return the first column whose name hints at a part, and at no other that excludes it."""
    people: set[Hint] = {
        "truth",
        "person",
        "confidence",
        "correct",
        "id",
        "time",
        "measure",
        "second",
    }
    found = [
        f.name for f in facts
        if hint in hints_of(f.name) and not (people - {hint}) & hints_of(f.name)
        and f.role in ("label", "text", "number", "id") and (f.role != "id" or not f.is_number)
        and not (split_score_name(f.name) and f.is_number)
    ]  # fmt: skip
    labels = [f.name for f in facts if f.name in found and f.role == "label" and f.different > 1]
    return next(iter((*labels, *found)), None)


def find_label(facts: Sequence[ColumnFacts], prediction: str | None) -> str | None:
    """Return the column of true labels by its name: named for the truth, for people, or a label."""
    best: tuple[float, int] | None = None
    chosen = None
    for i, fact in enumerate(facts):
        hints = hints_of(fact.name)
        if fact.name == prediction or fact.role in ("time", "measure", "nested", "id"):
            continue
        if {"confidence", "correct", "answer", "second", "time", "measure"} & hints - (
            {"answer", "correct"} if {"truth", "person"} & hints else set()
        ) or (fact.is_number and split_score_name(fact.name)):
            continue
        weight = 2.0 * ("truth" in hints) + 1.5 * ("person" in hints) + ("label" in hints)
        if prediction is not None and fact.role == "label" and _is_within(fact.name, prediction):
            weight += 1.2
        if weight and (best is None or (weight, -i) > best):
            best, chosen = (weight, -i), fact.name
    return chosen


def _is_within(name: str, other: str) -> bool:
    short, long = name.casefold(), other.casefold()
    return 1 < len(short) < len(long) and short in long


def choose_label(
    grid: CellGrid,
    facts: Sequence[ColumnFacts],
    used: set[str | None],
    scores: Scores | None,
    choices: Choices,
) -> str | None:
    """Choose the column of labels by its content where no name tells."""
    possible = [
        f
        for f in facts
        if f.role == "label"
        and f.name not in used | {choices.id}
        and not looks_like(f.name, SYSTEM_WORDS)
    ]
    if scores is not None:
        classes = {spelling_key(name) for name in scores.classes}
        fitting = [f for f in possible if {spelling_key(v) for v in f.counts or ()} & classes]
        truths = [f for f in possible if f.counts and None not in map(truth_of, f.counts)]
        possible = fitting or (truths if len(scores.classes) == 1 else []) or possible
    several = [fact for fact in possible if fact.different > 1]
    possible = several if scores is not None and len(scores.classes) > 1 else several or possible
    if len(possible) > 1:
        names = ", ".join(fact.name for fact in possible)
        raise LogError(
            f"{grid.name}: which column is the true label, {names}? Name it with --label"
        )
    return possible[0].name if possible else None


def check_labels(fact: ColumnFacts, grid: CellGrid) -> None:
    """Refuse a column of too many different values, or of measurements."""
    if fact.counts is not None and fact.different <= MOST_LABELS and fact.role != "number":
        return
    if fact.role == "empty":
        return
    if fact.is_number and not fact.whole:
        raise LogError(
            f"{grid.name}: the column {fact.name!r} holds continuous numbers ({fact.low:g} to "
            f"{fact.high:g}), a regression: askpoint is for classes; give --label a column of classes, or count as "
            "right what equals the answer with --scores compare"
        )
    raise LogError(
        f"{grid.name}: the column {fact.name!r} has {'more than ' * (fact.counts is None)}"
        f"{fact.different} different values, too many for labels (at most {MOST_LABELS}); name "
        "another with --label"
    )


def lacks_confidence(
    by_name: Mapping[str, ColumnFacts], prediction: str | None, label: str | None
) -> bool:
    """Say whether an answer and a truth are named, and only how sure the model was is not there."""
    if prediction is None or label is None:
        return False
    answer, truth = by_name[prediction], by_name[label]
    if answer.is_number and not answer.whole:
        return True
    if any(f.different > 8 and f.different * 4 > f.given for f in (answer, truth)):
        return False  # texts
    return (
        answer.role == "label" and truth.role == "label"
        and not ({"judge"} & hints_of(prediction)) and not ({"person"} & hints_of(label))
    )  # fmt: skip


def find_ids(
    grid: CellGrid, facts: Sequence[ColumnFacts], item: str | None, label: str | None
) -> tuple[str | None, str | None]:
    """Return the column of ids, and of systems if there are several rows of one id, one a system."""
    item = item or _find_repeated_id(facts)
    if item is None:
        return None, None
    for fact in facts:
        if fact.role != "label" or fact.name == label or not looks_like(fact.name, SYSTEM_WORDS):
            continue
        pairs = grid.frame.select(item, fact.name)
        if fact.different > 1 and grid.frame[item].n_unique() < pairs.height == pairs.n_unique():
            return item, fact.name
    return item, None


def _find_repeated_id(facts: Sequence[ColumnFacts]) -> str | None:
    """Return a column that names items, where several rows are of one."""
    return next((f.name for f in facts if looks_like(f.name, ("id", "item", "case"))), None)
