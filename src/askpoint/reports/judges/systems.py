"""Which of two systems is better, said: in words, in a table and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from askpoint.answers.judges.systems import SystemsAnswer, SystemSlice
from askpoint.judges.gold.system_difference import SystemDifference
from askpoint.judges.gold.system_selection import SystemSelection
from askpoint.measures.intervals import Interval
from askpoint.measures.label_draws import ODD
from askpoint.reports.document import (
    Block,
    Document,
    Figure,
    Figures,
    Grid,
    Notice,
    Paragraph,
    Section,
)
from askpoint.reports.words import amount, plural, round_share, share, share_range

__all__ = [
    "parts_object",
    "parts_section",
    "points",
    "points_range",
    "systems_document",
    "systems_object",
]

_FEW_VOTES = 30
_PROPOSED = 60


def points(value: float) -> str:
    """Write a difference of shares in percentage points, with its sign."""
    rounded = round(100 * value, 1)
    return f"{rounded:+.1f}" if rounded else "0.0"


def points_range(interval: Interval) -> str:
    """Write an interval of differences."""
    lower, upper = (round(100 * end, 1) + 0.0 for end in (interval.lower, interval.upper))
    return f"{lower:.1f} to {upper:.1f}"


def systems_document(answer: SystemsAnswer, *first: Section) -> Document:
    """Return the report on two systems; other sections may come first."""
    name_a, name_b = answer.names
    judges = plural(len(answer.tables[0].judges), "judge", "judges")
    sections = (
        *first,
        Section("The answer", tuple(_lead(answer))),
        Section("Either system", tuple(_either(answer))),
    )
    if answer.proposed:
        sections += (Section("What to label next", tuple(_items_to_label(answer))),)
    return Document(
        f"Is {name_b} better than {name_a}?",
        sections,
        f"{plural(answer.n_items, 'item', 'items')} that both answered, {judges}. Made by askpoint; "
        "nothing left this machine.",
    )


def _lead(answer: SystemsAnswer) -> Iterator[Block]:
    name_a, name_b = answer.names
    found, votes = answer.comparison, answer.by_votes[1] - answer.by_votes[0]
    if found is None:
        yield Paragraph(
            f"{name_b} minus {name_a}: by the judges alone {points(votes)} points on "
            f"{plural(answer.n_items, 'item', 'items')}. No interval goes with that.",
            lead=True,
        )
        if answer.is_refused and answer.selection is not None:
            yield Notice(_refusal(answer, answer.selection))
        else:
            yield Notice(f"Not known: {answer.reason}.")
        if not answer.proposed and not answer.is_refused:
            n = min(_PROPOSED, answer.n_items)
            yield Paragraph(f"--propose {n} names {n} items whose two answers to label.")
    else:
        yield Paragraph(
            f"{name_b} minus {name_a}: {points(found.difference)} points "
            f"({points_range(found.interval)}), {plural(found.n_gold, 'item', 'items')} labelled; "
            f"by the judges alone: {points(votes)}.",
            lead=True,
        )
        yield _figures(answer, found)
        often = " and holds however often you look" if answer.question.any_time else ""
        yield Paragraph(
            f"The chance that {name_b} is better is {_chance(found.chance_better)}. The interval has "
            f"{round_share(answer.question.level)}{often}; it is about these "
            f"{plural(answer.n_items, 'item', 'items')}, paired one by one, and right whatever the "
            "judges favour, if the labelled items were drawn at random or as proposed."
        )
        yield from _draw_notices(answer)
    yield from _skip_notices(answer)


def _refusal(answer: SystemsAnswer, selection: SystemSelection) -> str:
    """Say that nothing follows from selected labels, and which to give instead."""
    names = {
        "first": f"on which the judges prefer {answer.names[0]}",
        "second": f"on which the judges prefer {answer.names[1]}",
        "neither": "on which the judges prefer neither",
    }
    empty = [one for one in selection.strata if one.n_items and not one.n_labelled]
    gap = "Their votes are not those of a random draw."
    if empty:
        of = "; ".join(
            f"the {plural(one.n_items, 'item', 'items')} {names[one.prefers]}" for one in empty
        )
        gap = f"None of them is among {of}."
    return (
        f"These {plural(answer.n_gold, 'labelled item was', 'labelled items were')} not drawn at random, so no "
        f"number follows from them. {gap} Label {_PROPOSED} items that --propose {_PROPOSED} --random names, and "
        "add them to the same file."
    )


def _draw_notices(answer: SystemsAnswer) -> Iterator[Block]:
    """Say what is known of the draw of labels that do count."""
    selection = answer.selection
    if answer.n_uncounted:
        yield Notice(
            f"Counted: {plural(answer.n_sealed, 'item that is', 'items that are')} first in the sealed order, so "
            f"drawn at random. {plural(answer.n_uncounted, 'other does', 'others do')} not count: all together "
            "were not drawn with equal chances."
        )
    elif selection is None:
        yield Paragraph("Drawn at random: the labelled items are the first in the sealed order.")
    elif selection.is_uneven:
        yield Paragraph(
            "The labelled items were not drawn with equal chances. Strata by votes are weighted for that, which "
            "is right if --propose named the items, or if the person who chose them saw nothing but the votes."
        )
    elif selection.p_random < ODD:
        yield Paragraph(
            f"Items drawn at random would rarely look like these (p {amount(selection.p_random)}): were they?"
        )


def _figures(answer: SystemsAnswer, found: SystemDifference) -> Figures:
    name_b = answer.names[1]
    return Figures(
        f"Of {plural(answer.n_items, 'item', 'items')} that both answered",
        (
            Figure("difference, in points", points(found.difference), points_range(found.interval)),
            Figure(f"chance that {name_b} is better", _chance(found.chance_better)),
            *(
                Figure(f"{name}: {answer.passing}", share(own.share), share_range(own.interval))
                for name, own in zip(answer.names, found.shares, strict=True)
            ),
        ),
    )


def _skip_notices(answer: SystemsAnswer) -> Iterator[Block]:
    if answer.n_left_out:
        yield Notice(
            f"{plural(answer.n_left_out, 'answer has', 'answers have')} no answer of the other system "
            "to the same item, and did not count."
        )
    if answer.n_half:
        yield Notice(
            f"{plural(answer.n_half, 'item has', 'items have')} only one of the two answers labelled, "
            "and told nothing: label both."
        )
    if answer.n_elsewhere:
        yield Notice(
            f"{plural(answer.n_elsewhere, 'label is', 'labels are')} of items that were not answered "
            "by both, and told nothing."
        )
    for judge, n in _few(answer).items():
        yield Notice(
            f"{judge} voted on {plural(n, 'answer', 'answers')} of {2 * answer.n_items}: it hardly "
            "bears on this; leave it out with --judges if that is a slip."
        )


def _few(answer: SystemsAnswer) -> dict[str, int]:
    votes = sum((table.codes >= 0).sum(axis=0) for table in answer.tables)
    cast = dict(zip(answer.tables[0].judges, map(int, votes), strict=True))
    return {judge: n for judge, n in cast.items() if n < min(_FEW_VOTES, answer.n_items / 5)}


def _chance(value: float) -> str:
    if value >= 0.9995 or value <= 0.0005:
        return "more than 99.9%" if value > 0.5 else "less than 0.1%"
    return share(value)


def _either(answer: SystemsAnswer) -> Iterator[Block]:
    found = answer.comparison
    rows = []
    for k, name in enumerate(answer.names):
        own = None if found is None else found.shares[k]
        told = ("not told", "") if own is None else (share(own.share), share_range(own.interval))
        rows.append((name, *told, share(answer.by_votes[k])))
    yield Grid(
        f"Share of items whose answer is {answer.passing}",
        ("system", answer.passing, "interval", "judges alone"),
        tuple(rows),
    )


def _items_to_label(answer: SystemsAnswer) -> Iterator[Block]:
    n = plural(len(answer.proposed), "item", "items")
    yield Paragraph(
        f"Label both systems' answers to these {n}, in this order, and come back with --gold; if you "
        "stop half-way, what is done still counts:"
    )
    yield Paragraph(", ".join(answer.proposed))


def systems_object(answer: SystemsAnswer) -> dict[str, Any]:
    """Return the object that ``askpoint judges --json`` prints of two systems."""
    found, (first, second) = answer.comparison, answer.names
    reasons = {}
    if found is None:
        reasons = dict.fromkeys(("difference", "interval", "chance_better"), answer.reason)
    if not answer.proposed:
        reasons["proposed"] = "no number was asked for: --propose N"
    shares = {}
    for k, name in enumerate(answer.names):
        own = None if found is None else found.shares[k]
        shares[name] = {
            "share": None if own is None else own.share,
            "interval": None if own is None else list(own.interval),
            "by_votes": answer.by_votes[k],
        }
    return {
        "systems": {
            "first": first,
            "second": second,
            "positive": answer.passing,
            "difference": None if found is None else found.difference,
            "interval": None if found is None else list(found.interval),
            "level": answer.question.level,
            "any_time": answer.question.any_time,
            "chance_better": None if found is None else found.chance_better,
            "by_votes": answer.by_votes[1] - answer.by_votes[0],
            "n_items": answer.n_items,
            "n_gold": answer.n_gold,
            "n_left_out": answer.n_left_out,
            "n_half": answer.n_half,
            "n_elsewhere": answer.n_elsewhere,
            "is_refused": answer.is_refused,
            "p_random": None if answer.selection is None else answer.selection.p_random,
            "n_sealed": answer.n_sealed,
            "n_uncounted": answer.n_uncounted,
            "shares": shares,
            "proposed": list(answer.proposed) or None,
        },
        "judges": list(answer.tables[0].judges),
        "labels": list(answer.tables[0].labels),
        "reasons": reasons,
    }


def parts_section(answer: SystemsAnswer, parts: Mapping[str, SystemSlice]) -> Section:
    """Return the section on the systems group by group."""
    name_a, name_b = answer.names
    rows = []
    for name, part in parts.items():
        told = ("not told", "no item labelled", "0", "")
        if (one := part.comparison) is not None:
            interval = points_range(one.interval)
            told = (points(one.difference), interval, str(one.n_gold), points(one.by_votes))
        rows.append((name, str(part.n_items), *told))
    grid = Grid(
        f"{name_b} minus {name_a}, in points",
        ("part", "items", "difference", "interval", "labelled", "judges alone"),
        tuple(rows),
        f"All intervals hold at once with {round_share(answer.question.level)}, so that a part may be "
        "picked out because it looks worst.",
    )
    return Section("Group by group", (grid,))


def parts_object(answer: SystemsAnswer, parts: Mapping[str, SystemSlice]) -> dict[str, Any]:
    """Return the parts as JSON."""
    found = {}
    for name, part in parts.items():
        one = part.comparison
        found[name] = {
            "n_items": part.n_items,
            "n_gold": 0 if one is None else one.n_gold,
            "difference": None if one is None else one.difference,
            "interval": None if one is None else list(one.interval),
            "by_votes": None if one is None else one.by_votes,
            "reason": "none of its items has both answers labelled" if one is None else None,
        }
    return {"level": answer.question.level, "by_name": found}
