"""A second look at a reading: what it leaves unexplained, and what nothing but a name speaks for."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence, Set as AbstractSet
from itertools import combinations

import numpy as np

from askpoint.records.readers.evidence.columns import Column, label_key
from askpoint.records.readers.evidence.machine_words import MODELS
from askpoint.records.readers.evidence.prediction_doubts import (
    OTHER,
    answer_or_vote,
    are_letters,
    doubts_of_predictions,
    falls_where_equal,
    is_ruled_out,
    share_names,
    unsure_or_vote,
)
from askpoint.records.readers.evidence.relations import (
    agreement,
    equal_labels,
    is_majority,
    ranking,
    shares_labels,
)
from askpoint.records.readers.evidence.scores_found import keeps_to_floor
from askpoint.records.readers.evidence.vote_roles import stem_of
from askpoint.records.readers.evidence.words import Hint, hints_of
from askpoint.records.readers.reading import Doubt, Reading
from askpoint.records.readers.stated_confidence import numbers_of_words, speak_of_sureness

__all__ = ["look_again"]

_MOST = 8  # columns of each kind among which relations are looked for
_SUPPORT = 2.5  # standard errors beyond chance from which an unnamed column votes on the same
_FEW_ROWS = 40  # as many say too little of what judges have in common
_STRANGE = 0.5  # share of the others with which a column may have nothing in common
_LEAST_KAPPA = 0.3  # agreement beyond chance that judges who do not read at random have at least
_IN_ORDER = 0.3  # beyond an even share of steps upwards: numbers that count rows, gaps and all
_MOSTLY = 0.95
_UNREVIEWED = 1e-4  # chance below which labels that all equal the answer are no labels of people
_CALLED: set[Hint] = {"judge", "person", "truth", "answer"}


def look_again(
    reading: Reading, columns: Sequence[Column], made: Sequence[str], settled: AbstractSet[str]
) -> Doubt | None:
    """Return what must be asked about a reading that names and values do not force, or None.

    Parameters
    ----------
    reading : Reading
        What a table was read as.
    columns : sequence of Column
        All its columns.
    made : sequence of str
        Columns that are known to be made of others: no votes, and no scores.
    settled : set of str
        Options that somebody gave, so that they are not asked for.
    """
    if reading.open_doubt is not None:
        return None
    doubts = _doubts(reading, columns, made)
    return next((doubt for doubt in doubts if doubt.option not in settled), None)


def _doubts(reading: Reading, columns: Sequence[Column], made: Sequence[str]) -> Iterator[Doubt]:
    by_name = {column.name: column for column in columns}
    if reading.kind == "votes":
        voters = [by_name[name] for name in reading.judges if name in by_name]
        gold = by_name.get(reading.gold.source) if reading.gold is not None else None
        used = {*reading.judges, reading.id, gold.name if gold is not None else None, *made}
        free = [c for c in columns if c.name not in used or (c.name == reading.id and _is_rank(c))]
        if gold is None:
            yield from _ask_majority(voters, [c for c in columns if c.name in made])
        yield from _doubts_of_votes(voters, gold, free, columns, asked=reading.gold is not None)
        return
    label = by_name.get(reading.label) if reading.label is not None else None
    answer = by_name.get(reading.prediction) if reading.prediction is not None else None
    if answer is not None and answer.labels == set(map(label_key, reading.systems)):
        answer = None  # names of the files, one a system
    scores = [c for c in columns if c.name in {reading.confidence, *reading.probabilities.values()}]
    used = {reading.label, reading.prediction, reading.id, *made, *(c.name for c in scores)}
    free = [c for c in columns if c.name not in used]
    letters = are_letters(columns)
    yield from _ask_unreviewed(label, answer, free)
    yield from doubts_of_predictions(label, answer, scores, free, reading, letters=letters)


def _doubts_of_votes(
    judges: Sequence[Column],
    gold: Column | None,
    free: Sequence[Column],
    columns: Sequence[Column],
    *,
    asked: bool,
) -> Iterator[Doubt]:
    alone = len(judges) == 1 and "answer" not in judges[0].hints
    if gold is not None and len(gold.name) == 1 and (alone or are_letters(columns)):
        yield _truth_or_judge(gold)
    numbers = [c for c in free if _may_be_score(c)]
    yield from _knowing(judges, gold, numbers)
    yield from _ask_in_words(judges, gold, free)
    yield from _ask_in_cells(
        judges, gold, [c for c in columns if all(c is not own for own in (*judges, gold))]
    )
    units = [c for c in numbers if c.score_scale == 1.0]
    plain = [c for c in judges if not ({"judge", "person"} & c.hints)]
    if len(judges) == 2 and not asked and len(plain) == 2:
        for unit in units:
            if not is_ruled_out(unit, judges[0], judges[1]):
                yield answer_or_vote(judges[0], judges[1], unit)
    yield from _ask_floor(judges, gold, units)
    own = [c for c in units if _is_called_score(c, judges)]
    if own and len(own) < len(judges):
        of = next((j for j in judges if share_names(own[0], j)), judges[0])
        other = gold or next((j for j in judges if j is not of), None)
        if other is not None:
            yield answer_or_vote(of, other, own[0])
    yield from _ask_left_out(judges, gold, [c for c in free if c.is_label])
    yield from _ask_unsupported(judges, gold, alone=not units)
    yield from _ask_apart(judges, gold)


def _knowing(
    judges: Sequence[Column], gold: Column | None, numbers: Sequence[Column]
) -> Iterator[Doubt]:
    """Ask about a number that is higher where two columns agree, or at one of two labels."""
    several = len(judges) > 2
    numbers = [c for c in numbers if not several or c.score_scale == 1.0][:_MOST]
    family = [*([gold] if gold is not None else []), *judges[:_MOST]]
    pairs = list(combinations(family, 2))[: 2 * _MOST]
    level = _level(len(numbers) * (len(pairs) + len(family)))
    for number in numbers:
        for first, second in pairs:
            both, same = equal_labels(first, second)
            rank = ranking(number.numbers[both], same[both])
            if rank.z > level:
                yield answer_or_vote(first, second, number)
            elif rank.z < -level and not several:
                yield unsure_or_vote(first, second, number)
        for column in family if not several else ():
            if len(column.labels) != 2:
                continue
            holds = column.keys == min(column.labels)
            known = np.array([key is not None for key in column.keys])
            if abs(ranking(number.numbers[known], holds[known]).z) > level:
                yield _class_or_vote(column, number, [c for c in family if c is not column])


def _ask_floor(
    judges: Sequence[Column], gold: Column | None, units: Sequence[Column]
) -> Iterator[Doubt]:
    """Ask about a number that keeps to what the largest probability must be, where a column may be a model's answer."""
    family = [*judges[:_MOST], *([gold] if gold is not None else [])]
    for of in judges[:_MOST]:
        if {"judge", "person", "truth"} & of.hints:
            continue
        for unit in units:
            if keeps_to_floor(unit.scores, of):
                others = [c for c in family if c is not of and not is_ruled_out(unit, of, c)]
                others.sort(key=lambda c: (c is not gold, -agreement(of, c).z))
                if others and falls_where_equal(unit, of, others[0]):
                    yield unsure_or_vote(of, others[0], unit)
                elif others:
                    yield answer_or_vote(of, others[0], unit)


def _ask_in_words(
    judges: Sequence[Column], gold: Column | None, free: Sequence[Column]
) -> Iterator[Doubt]:
    """Ask about words such as low and likely in a column that is called a confidence, or that speak of being sure."""
    family = [*judges, *([gold] if gold is not None else [])]
    for column in free:
        if column.fact.role not in ("label", "text") or numbers_of_words(column.texts) is None:
            continue
        if "confidence" in column.hints or speak_of_sureness(column.labels):
            fullest = max(family, key=lambda c: c.fact.given)
            of = next((j for j in judges if share_names(column, j)), fullest)
            rest = [c for c in family if c is not of]
            if rest:
                yield answer_or_vote(of, gold if gold in rest else rest[0], column)
                return


def _ask_in_cells(
    judges: Sequence[Column], gold: Column | None, free: Sequence[Column]
) -> Iterator[Doubt]:
    """Ask about cells that name a label and a number, as "red (57%), blue (20%)" does."""
    family = [*judges, *([gold] if gold is not None else [])]
    labels = {label for column in family for label in column.labels if not label.isdigit()}
    if not labels:
        return
    words = "|".join(re.escape(label) for label in sorted(labels, key=len, reverse=True))
    named = re.compile(rf"(?<!\w)({words})(?!\w)[^\w]*(\d*[.,]\d|\d+ ?%)", re.IGNORECASE)
    for column in free:
        cells = column.texts.drop_nulls()
        if (
            column.fact.role not in ("text", "label", "id")
            or len(cells) < len(column.texts) * _MOSTLY
        ):
            continue
        if sum(named.search(cell) is not None for cell in cells) >= len(cells) * _MOSTLY:
            yield Doubt(
                f"cells of {column.name} name labels with numbers, as {cells[0]!r}: if they say how sure a model was, make "
                f"a column of the answer and one of its number (--prediction, --confidence); if not, "
                f"{', '.join(c.name for c in judges)} are votes of judges (--kind votes)",
                "--kind", must_be_settled=True,
            )  # fmt: skip
            return


def _ask_unreviewed(
    label: Column | None, answer: Column | None, free: Sequence[Column]
) -> Iterator[Doubt]:
    """Ask about labels that are the model's answer wherever another column is empty, and not elsewhere."""
    if label is None or answer is None:
        return
    both, same = equal_labels(answer, label)
    for column in free:
        if column.fact.role == "nested" or not 0 < column.filled < 1:
            continue
        given = ~column.texts.fill_null("").is_in(["", *column.fact.absent]).to_numpy()
        seen, bare = both & given, both & ~given
        n_same, n_bare = int(same[seen].sum()), int(bare.sum())
        if seen.sum() < _FEW_ROWS // 4 or not same[bare].all():
            continue
        if n_same * 4 < seen.sum():  # filled only where an answer was wrong
            continue
        if (n_same / int(seen.sum())) ** n_bare > _UNREVIEWED:
            continue
        yield Doubt(
            f"{label.name} is what {answer.name} says on all {n_bare} rows without {column.name}, and on {n_same} of "
            f"{int(seen.sum())} with it: did people label these rows (--label {label.typed})? If not, empty {label.name} there",
            "--label", must_be_settled=True,
        )  # fmt: skip
        return


def _ask_left_out(
    judges: Sequence[Column], gold: Column | None, labels: Sequence[Column]
) -> Iterator[Doubt]:
    """Ask about a column of the judges' labels that is named for a judge, the only one left, or may vote like one."""
    for column in labels:
        alike = [c for c in judges if shares_labels(c, column)]
        other = bool(OTHER & column.hints)
        named = not other and (_CALLED & column.hints or (len(judges) == 1 and gold is None))
        if alike and (named or any(_may_agree(c, column, other=other) for c in alike[:_MOST])):
            names = ",".join(c.name for c in judges)
            yield Doubt(
                f"is {column.name} one more judge (--judges {names},{column.name}), or not (--judges {names})?",
                "--judges", must_be_settled=True,
            )  # fmt: skip
            return


def _level(tests: int) -> float:
    """Return the standard errors that one of so many tests passes by chance once in 200 tables."""
    return math.sqrt(2 * math.log(200 * max(tests, 1)))


def _may_agree(judge: Column, column: Column, *, other: bool) -> bool:
    """Say whether two columns may have in common what two judges have: rows that are few rule little out."""
    how = agreement(judge, column)
    if other:
        return how.z > _SUPPORT
    return how.z > min(1.0, _LEAST_KAPPA * math.sqrt(how.n) - 2.0)


def _class_or_vote(label: Column, score: Column, family: Sequence[Column]) -> Doubt:
    if score.score_scale is None and score.fact.low is not None and score.fact.low < 0:
        how = f" (--label {label.typed} --proba {score.typed} --scores softmax)"
    else:
        how = f" (--label {label.typed} --proba {score.typed})"
    judges = ", ".join(c.name for c in family) or label.name
    return Doubt(
        f"{score.name} tells the label in {label.name}: is it a model's score{how}, or are {judges} votes of "
        "judges (--kind votes)?", "--kind", must_be_settled=True,
    )  # fmt: skip


def _ask_unsupported(
    judges: Sequence[Column], gold: Column | None, *, alone: bool
) -> Iterator[Doubt]:
    """Ask about a column that is called nothing and says nothing in common with the others."""
    if len(judges) + (gold is not None) < 2:
        return
    others = [*judges, *([gold] if gold is not None else ())]
    some = any(agreement(a, b).z >= _SUPPORT for a, b in combinations(others[:_MOST], 2))
    odd = len(others) > 2 and (
        any(_is_called_judge(c) for c in judges) or min(c.fact.given for c in others) <= _FEW_ROWS
    )
    if alone and not some and not odd and not all(c.all_truths for c in judges):
        return  # labels that nobody writes but judges, and no one column is odd
    odd_one: tuple[float, Column, list[Column]] | None = None
    for column in judges:
        near = [c for c in others if c is not column][: 4 * _MOST]
        words = {word for word in column.tokens if not word.isdigit()}
        if _is_called_judge(column) or any(words & set(c.tokens) for c in near):
            continue
        strange = [c for c in near if agreement(column, c).z < _SUPPORT]
        share = len(strange) / len(near)
        if share > _STRANGE and (odd_one is None or share > odd_one[0]):
            odd_one = share, column, strange
    if odd_one is not None:
        share, column, strange = odd_one
        rest = ",".join(c.name for c in judges if c is not column)
        yield Doubt(
            f"{column.name} says {'nothing' if share == 1 else 'little'} in common with {strange[0].name}"
            f"{' and others' * (len(strange) > 1)}: is it a judge (--kind votes), or not (--judges {rest})?",
            "--judges", must_be_settled=True,
        )  # fmt: skip


def _is_called_judge(column: Column) -> bool:
    return bool(_CALLED & column.hints or MODELS & set(column.tokens))


def _ask_apart(judges: Sequence[Column], gold: Column | None) -> Iterator[Doubt]:
    """Ask about one column named for people or the truth beside others that are called alike, or called like another."""
    if gold is None and len(judges) == 2:
        short, long = sorted(judges, key=lambda c: len(c.tokens))
        more = set(long.tokens) - set(short.tokens)
        if set(short.tokens) < set(long.tokens) and {"judge", "person"} & hints_of(" ".join(more)):
            yield _truth_or_judge(long)
    stems = [stem_of(c) for c in judges]
    for column, own in zip(judges, stems, strict=True):
        rest = {stem for c, stem in zip(judges, stems, strict=True) if c is not column}
        alone = len(judges) > 2 and len(rest) == 1 and own not in rest and () not in rest
        if gold is None and alone and {"person", "truth", "derived"} & column.hints:
            yield _truth_or_judge(column)


def _ask_majority(judges: Sequence[Column], made: Sequence[Column]) -> Iterator[Doubt]:
    """Ask about a column that is named for the truth and is what most judges say on every row."""
    for column in made:
        called = "truth" in column.hints and "derived" not in column.hints
        if called and is_majority(column, judges):
            yield Doubt(
                f"{column.name} is named for the truth, but is what most judges say on every row: is it the truth (--gold "
                f"{column.typed}), or their majority (--kind votes)?", "--gold", must_be_settled=True,
            )  # fmt: skip


def _truth_or_judge(column: Column) -> Doubt:
    return Doubt(
        f"is {column.name} the truth (--gold {column.typed}), or one more judge (--kind votes)?",
        "--gold",
        must_be_settled=True,
    )


def _may_be_score(column: Column) -> bool:
    fact = column.fact
    if not fact.is_number or fact.role == "time" or fact.different < 5:
        return False
    if fact.role == "id":
        return _is_rank(column)
    other = OTHER if fact.whole else OTHER - {"system"}  # no system is called .73
    return "confidence" in column.hints or not other & column.hints


def _is_rank(column: Column) -> bool:
    """Say whether numbers that name each row are in no order, as ranks are and numbers of rows are not."""
    if not column.fact.is_number or "id" in column.hints:
        return False
    steps = np.diff(column.numbers)
    return bool(abs(np.mean(steps > 0) - 0.5) < _IN_ORDER)


def _is_called_score(column: Column, judges: Sequence[Column]) -> bool:
    return "confidence" in column.hints or any(share_names(column, j) for j in judges)
