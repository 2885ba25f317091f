"""The columns that are judges of a table of votes, the labels by people, and what is no vote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from askpoint.errors import LogError
from askpoint.records.label_words import MISSING_WORDS
from askpoint.records.readers.evidence.abstentions import is_no_answer, is_tie, is_waiting
from askpoint.records.readers.evidence.columns import Column, label_key
from askpoint.records.readers.evidence.findings import Roles
from askpoint.records.readers.evidence.relations import agreement
from askpoint.records.readers.evidence.vote_roles import (
    families,
    gold_among,
    is_turned,
    not_votes,
    stem_of,
)
from askpoint.records.readers.reading import Choices, Doubt, Finding

__all__ = ["roles_of_votes"]

_SCALE = 11  # as many different whole numbers can be a scale, 0 to 10
_PARTNERS = 40  # columns among which a judge's nearest is sought, to say why it is one
_FEW_ALIKE = 3  # columns called alike beside which another one is odd
_RARE = 0.1  # share of all votes below which several words among single ones are no label
_SURELY = 3.5  # standard errors beyond chance
_ENOUGH_GOLD = 20  # labels by people from which it counts that they never said a word


def roles_of_votes(
    name: str,
    columns: Sequence[Column],
    labels: Sequence[Column],
    flags: dict[str, str],
    choices: Choices,
) -> Roles | None:
    """Return who voted in a table with a column for each judge; None if nothing there is a vote.

    Raises
    ------
    LogError
        If two families of columns may be the judges.
    """
    made = not_votes([c for c in labels if c.name not in choices.judges], flags)
    if choices.judges:
        return _take_named(columns, choices, made)
    free = [c for c in labels if c.name not in made and c.name not in (choices.id, choices.gold)]
    free = [c for c in free if not (c.fact.is_number and len(c.labels) > _SCALE)]
    voters = [c for c in free if not _is_other(c)]
    free = [c for c in free if c in voters or _agrees(c, voters)]
    groups = [g for g in families(free) if len({v for c in g for v in c.labels}) > 1 or _yes_no(g)]
    groups.sort(key=_worth, reverse=True)
    if not groups or _worth(groups[0]) <= 0:
        return None
    if len(groups) > 1 and _worth(groups[0]) == _worth(groups[1]):
        shown = " or ".join(", ".join(c.name for c in group[:4]) for group in groups[:3])
        raise LogError(f"{name}: which columns are the judges, {shown}? Name them with --judges")
    family = groups[0]
    turned = is_turned(columns, family)
    doubts: list[Doubt] = []
    if turned is not None:
        doubts.append(
            Doubt(
                f"{turned}: the table seems to be turned, with one row per judge and one column per item. "
                "Turn it so that each row is an item; if the columns are the judges, name them with "
                "--judges",
                "--judges",
                must_be_settled=True,
            )
        )
    golds, why = ([], "") if choices.gold is not None else gold_among(family)
    if len(golds) > 1:
        names = ", ".join(c.name for c in golds)
        raise LogError(
            f"{name}: {names} look like labels by people: name the one that counts as truth with --gold, "
            "and the judges with --judges"
        )
    gold = golds[0] if golds else None
    judges = [c for c in family if c is not gold]
    if (
        gold is None
        and choices.gold is None
        and (far := _far_gold([c for c in columns if c.name not in made], judges)) is not None
    ):
        gold, why = far, "named for people"
    if all(len(c.labels) < 2 for c in judges) and choices.kind is None:
        return None
    if gold is None and choices.gold is None and choices.kind is None:
        doubts += _ask_apart(judges)
    missing = _missing(judges, gold, choices, doubts)
    ties = _ties(judges, gold, choices, doubts)
    return Roles(
        choices=replace(
            choices,
            kind="votes",
            judges=tuple(c.name for c in judges),
            gold=gold.name if gold is not None else choices.gold,
            missing=missing,
        ),
        weight=_worth(family),
        findings=tuple(_findings(judges, gold, why, made)),
        doubts=tuple(doubts),
        abstentions=ties,
    )


def _ask_apart(judges: Sequence[Column]) -> Iterator[Doubt]:
    """Ask what one column is that votes beside others which are called alike, as crowd 1 to 3."""
    stems = [stem_of(c) for c in judges]
    for column, own in zip(judges, stems, strict=True):
        rest = {stem for other, stem in zip(judges, stems, strict=True) if other is not column}
        if len(judges) > _FEW_ALIKE and len(rest) == 1 and own not in rest and () not in rest:
            yield Doubt(
                f"is {column.name} the truth (--gold {column.typed}), or one more judge (--kind votes)?",
                "--gold",
                must_be_settled=True,
            )


def _take_named(columns: Sequence[Column], choices: Choices, made: dict[str, str]) -> Roles:
    judges = [c for c in columns if c.name in choices.judges]
    gold = choices.gold
    if gold is None:
        rest = [c for c in columns if c.is_label and c not in judges and c.name not in made]
        near = [c for c in rest if any(c.labels & j.labels for j in judges)]
        golds = gold_among([*judges, *near])[0] if near else []
        golds = [c for c in golds if c in near]
        gold = golds[0].name if len(golds) == 1 else None
    return Roles(
        choices=replace(choices, kind="votes", gold=gold),
        weight=5.0,
        findings=tuple(Finding(c.name, "judge", "named by you", "") for c in judges),
    )


def _far_gold(columns: Sequence[Column], judges: Sequence[Column]) -> Column | None:
    """Return a column of people's labels that says other words than the judges, or nothing yet."""
    people = [
        c for c in columns
        if {"person", "truth"} & c.hints and c not in judges and not ({"answer", "judge"} & c.hints)
        and not ({"id", "time", "measure", "confidence"} & c.hints)
        and (c.fact.role == "empty" or (c.is_label and c.all_truths))
    ]  # fmt: skip
    return people[0] if len(people) == 1 and judges and judges[0].all_truths else None


def _is_other(column: Column) -> bool:
    """Say whether a name tells that labels are no votes: systems, times, amounts, tools."""
    if {"judge", "person", "truth", "label"} & column.hints:
        return False
    if "system" in column.hints and "answer" in column.hints and len(column.tokens) == 1:
        return column.name.casefold() != "ai" and column.tokens[0] in ("model", "system")
    return (
        bool({"measure", "time", "tool", "feature"} & column.hints) and "answer" not in column.hints
    )


def _agrees(column: Column, voters: Sequence[Column]) -> bool:
    """Say whether a column says what others say, so often that its name does not count."""
    return any(
        column.labels == other.labels and agreement(column, other).z > _SURELY
        for other in voters[:_PARTNERS]
    )


def _yes_no(group: Sequence[Column]) -> bool:
    return all(c.all_truths for c in group)


def _worth(group: Sequence[Column]) -> float:
    if len(group) == 1:
        column = group[0]
        called = bool({"judge", "answer", "label"} & column.hints)
        return 0.6 * called + 0.5 * column.all_truths - 0.1
    linked = 0.0
    for i, a in enumerate(group[:8]):
        for b in group[i + 1 : 8]:
            linked = max(linked, agreement(a, b).z)
    hints = sum(bool({"judge", "person", "truth", "answer"} & c.hints) for c in group)
    golden = bool(gold_among(group)[0])
    return (
        len(group)
        + 0.5 * hints
        + 2.0 * golden
        + min(max(linked, 0.0), 4.0) / 2
        + 0.5 * _yes_no(group)
    )


def _missing(
    judges: Sequence[Column], gold: Column | None, choices: Choices, doubts: list[Doubt]
) -> tuple[str, ...] | None:
    if choices.missing is not None:
        return choices.missing
    words: dict[str, None] = {}
    for column in (*judges, *([gold] if gold is not None else ())):
        for value in column.fact.counts or ():
            if is_no_answer(value) or (column is gold and is_waiting(value)):
                words[value.strip().casefold()] = None
    words |= dict.fromkeys(_messages(judges, gold))
    if not words:
        return None
    shown = ", ".join(repr(word) for word in list(words)[:5])
    doubts.append(Doubt(f"{shown} taken for no vote", "--missing"))
    return (*sorted(MISSING_WORDS), *words)


def _messages(judges: Sequence[Column], gold: Column | None) -> Iterator[str]:
    """Return rare votes of several words where all others, and people's labels, are single words."""
    counts: Counter[str] = Counter()
    for column in judges:
        counts.update(column.fact.counts or {})
    labels = [*(gold.fact.counts or () if gold is not None else ())]
    labels += [v for v, n in counts.items() if n > _RARE * counts.total()]
    if len(labels) > 1 and not any(" " in v.strip() for v in labels):
        rare = (v for v in counts if " " in v.strip() and v not in labels)
        yield from (v.strip().casefold() for v in rare)


def _ties(
    judges: Sequence[Column], gold: Column | None, choices: Choices, doubts: list[Doubt]
) -> tuple[str, ...]:
    """Return words for a tie that judges say and people, who labelled enough, never said."""
    if gold is None or gold.fact.given < _ENOUGH_GOLD or choices.missing is not None:
        return ()
    said = dict.fromkeys(v for c in judges for v in c.fact.counts or () if is_tie(v))
    words = tuple(word for word in said if label_key(word) not in gold.labels)
    if words:
        shown = ", ".join(map(repr, words))
        doubts.append(
            Doubt(
                f"{shown} was never said by people: where judges say it, they abstain", "--missing"
            )
        )
    return words


def _findings(
    judges: Sequence[Column], gold: Column | None, why: str, made: dict[str, str]
) -> Iterator[Finding]:
    for column in judges:
        best = max(
            (
                (agreement(column, other).kappa, other.name)
                for other in judges[:_PARTNERS]
                if other is not column
            ),
            default=None,
        )
        reason = "named so" if "judge" in column.hints else "holds labels"
        if best is not None:
            reason = f"same labels as {best[1]}, agreement beyond chance {best[0]:.2f}"
        yield Finding(
            column.name, "judge", reason, "labels by people" if column.filled < 0.7 else ""
        )
    if gold is not None:
        yield Finding(gold.name, "labels by people", why, "judge")
    for name, reason in made.items():
        yield Finding(name, "no vote", reason, "judge")
