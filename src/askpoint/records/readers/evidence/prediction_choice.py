"""The best way in which a table is a log of predictions, and what must be asked before it is one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from askpoint.records.label_words import NO_LABEL_WORDS, keeps_classes, truth_of
from askpoint.records.readers.evidence.abstentions import is_no_answer, is_waiting
from askpoint.records.readers.evidence.columns import Column, label_key
from askpoint.records.readers.evidence.findings import Roles
from askpoint.records.readers.evidence.machine_words import is_of_the_case
from askpoint.records.readers.evidence.prediction_roles import Cast
from askpoint.records.readers.evidence.relations import shares_labels
from askpoint.records.readers.reading import Choices, Doubt, Finding

__all__ = ["roles_of_cast", "two_models"]

_CLEAR = 1.0  # nats by which one cast must beat another that swaps answer and truth
_PREDICTED = frozenset({"prediction", "predictions", "predicted", "pred"})
_NEVER = 0.25  # share of a word among the labels from which it is odd that no answer is it


def two_models(casts: Sequence[Cast]) -> tuple[Cast, Cast] | None:
    """Return two casts of one truth in which two answers have a score of their own each."""
    best = casts[0]
    if best.answer is None or best.score is None:
        return None
    for other in casts[1:]:
        if (
            other.truth is best.truth
            and other.answer not in (None, best.answer)
            and other.score not in (None, best.score)
            and other.weight > best.weight - 5
            and "second" not in (other.answer.hints if other.answer else ())
            and not (best.truth is not None and other.answer is best.truth)
        ):
            return best, other
    return None


def roles_of_cast(casts: Sequence[Cast], choices: Choices) -> Roles:
    """Return the roles of the best cast, with the doubts that it leaves."""
    best = casts[0]
    rival = next((c for c in casts[1:] if _differs(c, best)), None)
    doubts = list(_doubt_rivals(best, casts, choices))
    filled, said = _choices(best, choices)
    return Roles(
        choices=filled,
        weight=best.weight,
        findings=tuple(_findings(best, rival)),
        doubts=(*doubts, *said),
        form="logarithm" if best.score is not None and best.score.is_log else None,
    )


def _differs(cast: Cast, best: Cast) -> bool:
    return (
        cast.truth is not best.truth or cast.score is not best.score or cast.group is not best.group
    )


def _doubt_rivals(best: Cast, casts: Sequence[Cast], choices: Choices) -> Iterator[Doubt]:
    if choices.label is None and best.answer is not None and best.truth is not None:
        swapped = next(
            (c for c in casts if c.answer is best.truth and c.truth is best.answer), None
        )
        called = bool(_PREDICTED & set(best.answer.tokens)) and is_of_the_case(best.truth)
        if swapped is not None and swapped.weight > best.weight - _CLEAR and not called:
            yield Doubt(
                f"which column is the true label, {best.truth.name} or {best.answer.name}? The values "
                "fit both; name it with --label",
                "--label",
                must_be_settled=True,
            )
    if choices.label is None and best.truth is not None:
        other = next(
            (c for c in casts if c.truth not in (None, best.truth, best.answer)
             and c.score is best.score and c.group is best.group
             and _fits_answer(c.truth, best, casts)
             and (c.weight > best.weight - _CLEAR or _is_equally_named(c.truth, best)) ), None
        )  # fmt: skip
        if other is not None and other.truth is not None:
            yield Doubt(
                f"which column is the true label, {best.truth.name} or {other.truth.name}? Name it "
                "with --label",
                "--label",
                must_be_settled=True,
            )
    if best.group is not None and not choices.proba:
        yield from _other_group(best, casts)
    if best.score is None or best.test is None or choices.confidence is not None:
        return
    if best.test.knows and best.answer is not None:
        yield Doubt(
            f"{best.score.name} tells nearly without an error whether {best.answer.name} is right, so it "
            "was made with the truth and is not a confidence of the answer: name another column with "
            "--confidence",
            "--confidence",
            must_be_settled=True,
        )
    if best.of_class and best.answer is not None and best.test.level != 0.5 and not choices.proba:
        yield Doubt(
            f"{best.score.name} is the probability of {best.of_class}, but {best.answer.name} cuts it at "
            f"{best.test.level:.2g}, not at 0.5: read the probability and leave out the answers (--proba "
            f"{best.score.name}), or take it for the confidence of the answers (--confidence "
            f"{best.score.name})",
            "--proba",
            must_be_settled=True,
        )
    rival = next(
        (c for c in casts[1:] if c.answer is best.answer and c.truth is best.truth
         and c.score not in (None, best.score)), None
    )  # fmt: skip
    if rival is None or rival.score is None or rival.weight < best.weight - 0.7:
        return
    same = np.nanmax(np.abs(rival.score.scores - best.score.scores)) < 0.02
    if not same:
        yield Doubt(
            f"which column says how sure the model was, {best.score.name} or {rival.score.name}? Name it "
            "with --confidence",
            "--confidence",
            must_be_settled=True,
        )


def _other_group(best: Cast, casts: Sequence[Cast]) -> Iterator[Doubt]:
    """Ask which probabilities are meant where two groups of columns fit equally well."""
    for other in casts[1:]:
        if other.group in (None, best.group) or other.truth is not best.truth:
            continue
        if other.group is not None and other.weight > best.weight - _CLEAR:
            first, second = best.group, other.group
            names = [", ".join(c.name for c in g.columns[:4]) for g in (first, second) if g]
            yield Doubt(
                f"which probabilities are the model's, {names[0]} or {names[1]}? Name them with --proba",
                "--proba",
                must_be_settled=True,
            )
            return


def _fits_answer(truth: Column | None, best: Cast, casts: Sequence[Cast]) -> bool:
    """Say whether a column has words of some answers, where the label that was taken has those of its own."""
    if truth is None or best.answer is None or best.truth is None:
        return True
    if not shares_labels(best.answer, best.truth) or shares_labels(best.answer, truth):
        return True
    return any(c.truth is truth and c.answer not in (None, best.answer, best.truth) for c in casts)


def _is_equally_named(column: Column, best: Cast) -> bool:
    """Say whether two columns are both named for people, both for the truth, or both for nothing.

    Of the last kind are labels of two people, each in the answer's words.
    """
    truth = best.truth
    if truth is None or column.hints & {"answer", "second", "correct"}:
        return False
    ranks = [2 if "truth" in c.hints else 1 if "person" in c.hints else 0 for c in (column, truth)]
    if ranks == [0, 0]:
        named = {"derived", "judge", "label", "feature", "measure", "system"} & (
            column.hints | truth.hints
        )
        return not named and best.answer is not None and column.labels == best.answer.labels
    return ranks[0] >= ranks[1] >= 1


def _choices(best: Cast, choices: Choices) -> tuple[Choices, list[Doubt]]:
    said: list[Doubt] = []
    truth, answer = best.truth, best.answer
    filled = replace(
        choices,
        kind="predictions",
        label=truth.name if truth is not None else choices.label,
        prediction=answer.name if answer is not None else choices.prediction,
    )
    missing = _missing(best, choices, said)
    if missing is not None:
        filled = replace(filled, missing=missing)
    if answer is not None and truth is not None:
        spelled = _match_spelling(answer, truth)
        if spelled:
            filled = replace(filled, labels_map={**spelled, **choices.labels_map})
            pairs = ", ".join(f"{old!r} as {new!r}" for old, new in spelled.items())
            said.append(Doubt(f"answers read {pairs}", "--map"))
    if best.group is not None:
        names = tuple(c.name for c in best.group.columns)
        classes = choices.classes or best.group.classes
        own = {label_key(v): v for v in _values(truth or answer)}
        classes = tuple(own.get(label_key(name), name) for name in classes)
        filled = replace(filled, proba=names, classes=classes)
    elif best.score is not None and best.of_class is not None and choices.confidence is None:
        of = answer or truth
        own_class = best.of_class
        others = [v for v in sorted(of.labels if of is not None else ()) if v != own_class]
        spelled_as = {label_key(v): v for v in _values(truth if truth is not None else of)}
        by_truth = {str(truth_of(v)): v for v in spelled_as.values()}

        def spell(key: str) -> str:
            return spelled_as.get(key) or by_truth.get(str(truth_of(key)), key)

        classes = choices.classes or (spell(others[0]), spell(own_class))
        filled = replace(filled, proba=(best.score.name,), classes=classes)
    elif best.score is not None:
        if answer is None:
            filled = replace(filled, proba=(best.score.name,))
        else:
            filled = replace(filled, confidence=best.score.name)
    return filled, said


def _values(column: Column | None) -> list[str]:
    if column is None:
        return []
    return [*(column.fact.counts or {}), *(word for word in column.fact.absent if word)]


def _match_spelling(answer: Column, truth: Column) -> dict[str, str]:
    """Return the truth's spelling of each answer that is spelled otherwise."""
    own = {label_key(v): v for v in truth.fact.counts or ()}
    truths = {truth_of(v): v for v in truth.fact.counts or ()} if truth.all_truths else {}
    found = {}
    for value in answer.fact.counts or ():
        target = own.get(label_key(value))
        if target is None and answer.all_truths:
            target = truths.get(truth_of(value))
        if target is not None and target != value:
            found[value] = target
    return found


def _missing(best: Cast, choices: Choices, said: list[Doubt]) -> tuple[str, ...] | None:
    """Return the words of the truth that are no labels, where they are not the usual ones."""
    truth, answer = best.truth, best.answer
    if truth is None or not (choices.missing is None or keeps_classes(choices.missing)):
        return None
    classes = {label_key(name) for name in (best.group.classes if best.group is not None else ())}
    if classes & {word.casefold() for word in truth.fact.absent}:
        return ("",)
    counts = truth.fact.counts or {}
    known = classes or set(map(label_key, _values(answer)))
    if answer is not None and answer.all_truths and truth.all_truths:
        return None
    words = []
    for word, n in counts.items():
        key = label_key(word)
        if key in known:
            continue
        if is_waiting(word) or is_no_answer(word):
            words.append(word.casefold().strip())
            said.append(
                Doubt(f"{word!r} in {truth.name} taken for no label: {n} rows", "--missing")
            )
        elif known and not classes and n > _NEVER * truth.fact.given and len(known) > 1:
            said.append(
                Doubt(
                    f"{word!r} is {n} of {truth.fact.given} labels in {truth.name}, and no answer is it: "
                    f"is it no label (--missing {word}), or a class (--missing '')?",
                    "--missing",
                    must_be_settled=True,
                )
            )
    return (*(choices.missing or sorted(NO_LABEL_WORDS)), *words) if words else None


def _findings(best: Cast, rival: Cast | None) -> Iterator[Finding]:
    parts = {} if rival is None else _parts(rival)
    own = _parts(best)

    def other(name: str) -> str:
        part = parts.get(name, "")
        return "" if part == own.get(name) else part

    if best.truth is not None:
        reasons = [part for part in ("truth", "person") if part in best.truth.hints]
        why = "named so" if reasons else "the labels of the answers"
        if best.truth.filled < 0.95:
            why += f", filled on {best.truth.filled:.0%} of the rows"
        yield Finding(best.truth.name, "true label", why, other(best.truth.name))
    if best.answer is not None:
        why = (
            "named so" if "answer" in best.answer.hints else "the labels of the truth, on every row"
        )
        yield Finding(best.answer.name, "answer", why, other(best.answer.name))
    if best.group is not None:
        for column, name in zip(best.group.columns, best.group.classes, strict=True):
            yield Finding(column.name, f"probability of {name}", "they sum to 1 in each row", "")
    if best.score is not None and best.test is not None:
        part = f"probability of {best.of_class}" if best.of_class else "confidence"
        yield Finding(best.score.name, part, best.test.why, other(best.score.name))


def _parts(cast: Cast) -> dict[str, str]:
    columns = ((cast.truth, "true label"), (cast.answer, "answer"), (cast.score, "score"))
    return {column.name: part for column, part in columns if column is not None}
