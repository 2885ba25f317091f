"""What is odd about a panel, in words: constants, copies, both orders, labels that hardly occur."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from askpoint.answers.judges.answer import JudgesAnswer
from askpoint.judges.checks.swapped_orders import SwappedOrders
from askpoint.reports.document import Block, Grid, Notice, Paragraph
from askpoint.reports.objects import as_json
from askpoint.reports.words import count, plural, rough, share_range

__all__ = ["panel_blocks", "panel_object"]

_SHOWN = 8
_IN_WORDS = 3  # judges asked in both orders; of more there is a table


def panel_blocks(answer: JudgesAnswer) -> Iterator[Block]:
    """Yield what a reader must know of the judges and labels before any number."""
    redundant = answer.redundant
    if redundant.constant:
        named = _some({judge: f"always {label}" for judge, label in redundant.constant.items()})
        yield Notice(f"Constant, worth 0 and left out of every number: {named}.")
    if redundant.copies:
        named = _some({judge: f"of {other}" for judge, other in redundant.copies.items()})
        yield Notice(
            f"Copies, which tell nothing new and are left out: {named}. They agree on 98% or more of the "
            "items on which judges differ. If these are different judges, say --no-family."
        )
    if redundant.opposites:
        named = _some({judge: f"of {other}" for judge, other in redundant.opposites.items()})
        yield Notice(
            f"Opposites, left out: {named}. They vote the other label nearly always: are the labels of one "
            "of them turned around? To count both, say --no-family."
        )
    by_changes = sorted(answer.orders, key=lambda orders: -orders.n_changed / orders.n_items)
    if len(by_changes) <= _IN_WORDS:
        for orders in by_changes:
            yield Paragraph(_orders_words(orders))
    else:
        yield _orders_table(by_changes)
    if answer.abstentions:
        yield Notice(
            f"Counted as no vote: {', '.join(map(repr, answer.abstentions))}, which none of "
            f"{plural(answer.n_gold, 'label', 'labels')} by people says."
        )
    strays = {
        label: n
        for label, n in answer.stray_labels.items()
        if not answer.question.labels_named and label not in answer.question.gold.values()
        and len(answer.sketch.labels) > 2
    }  # fmt: skip
    if strays:
        cells = answer.sketch.cells()
        total = int(((cells.votes >= 0).sum(axis=1) * cells.counts).sum())
        named = ", ".join(f"{label!r} ({count(n)})" for label, n in strays.items())
        kept = ",".join(label for label in answer.sketch.labels if label not in strays)
        yield Notice(
            f"Less than 1% of {plural(total, 'vote', 'votes')}: {named}. If that is not a label, "
            f"add --missing {','.join(strays)}; if it is one, --labels {kept},{','.join(strays)}."
        )
    if answer.never_labelled and answer.n_gold:
        yield Notice(
            f"Never labelled among {plural(answer.n_gold, 'label', 'labels')} by people: "
            f"{', '.join(answer.never_labelled)}. How often judges are right there, these labels do not tell."
        )


def _some(named: Mapping[str, str]) -> str:
    words = [f"{judge} ({what})" for judge, what in named.items()]
    left = len(words) - _SHOWN
    return ", ".join(words[:_SHOWN]) + (f" and {count(left)} more" if left > 0 else "")


def _orders_words(orders: SwappedOrders) -> str:
    items = plural(orders.n_items, "item", "items")
    text = (
        f"{orders.judge} was asked in both orders: the swap changes {rough(orders.n_changed / orders.n_items)} "
        f"({share_range(orders.changed)}) of its verdicts on {items}"
    )
    of_places = orders.n_first + orders.n_second
    if not of_places:
        return f"{text}."
    if orders.place is None:
        return f"{text}, to neither place more often than chance would."
    most = max(orders.n_first, orders.n_second)
    return (
        f"{text}, and of {count(of_places)} that change {count(most)} go to the answer that stands "
        f"{orders.place}."
    )


def _orders_table(by_changes: Sequence[SwappedOrders]) -> Grid:
    """Write many judges asked in both orders, those whom the swap changes most first."""
    rows = [
        (
            orders.judge,
            f"{rough(orders.n_changed / orders.n_items)} ({share_range(orders.changed)})",
            "neither, as chance would" if orders.place is None
            else f"{orders.place} ({count(max(orders.n_first, orders.n_second))} of "
            f"{count(orders.n_first + orders.n_second)})",
        )
        for orders in by_changes[:_SHOWN]
    ]  # fmt: skip
    left = len(by_changes) - len(rows)
    return Grid(
        "Judges asked in both orders",
        ("judge", "verdicts the swap changes", "place preferred"),
        tuple(rows),
        f"{count(left)} more, whom it changes less: --json." if left else "",
    )


def panel_object(answer: JudgesAnswer) -> dict[str, Any]:
    """Return the same as JSON."""
    return {
        "redundant": {key: dict(of) for key, of in vars(answer.redundant).items()},
        "orders": [
            {**vars(one), "runs": list(one.runs), "changed": as_json(one.changed)}
            for one in answer.orders
        ],
        "stray_labels": dict(answer.stray_labels),
        "abstentions": list(answer.abstentions),
        "never_labelled": list(answer.never_labelled),
    }
