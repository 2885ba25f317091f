"""Labels that came together, compared with what was decided: which are wrong, and which count."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from askpoint.errors import InputError, RuleError
from askpoint.live.batches import LabelRows, check_classes, check_gold
from askpoint.live.blocks import LabelBlock
from askpoint.measures.inputs import IntArray

__all__ = [
    "Counted",
    "DecidedCase",
    "KnownLabel",
    "LabelContext",
    "compare_labels",
    "label_block",
    "list_counted",
]

Counted = str | tuple[str, str]
"""A case whose label counts already, or a gold case and who has labelled it."""

KnownLabel = tuple[str, str, str, str]
"""Case, judge, label and source."""


class DecidedCase(NamedTuple):
    """What a label is compared with.

    Attributes
    ----------
    seq : int
        The decision.
    prediction : str
        What the model said.
    source : str
        Where its labels come from: asked, audit, or else feedback.
    """

    seq: int
    prediction: str
    source: str = "feedback"


@dataclass(frozen=True)
class LabelContext:
    """What is known of the cases that labels name.

    Parameters
    ----------
    cases : mapping of str to DecidedCase
        Those that were decided.
    counted : collection of Counted
        Those whose label counts already.
    known : collection of KnownLabel
        Labels that are there already.
    """

    cases: Mapping[str, DecidedCase]
    counted: Collection[Counted] = field(default=frozenset())
    known: Collection[KnownLabel] = field(default=frozenset())


def label_block(
    rows: LabelRows, context: LabelContext, model: Mapping[str, Any], after: int, at: int
) -> LabelBlock:
    """Return the block of the new labels among those that came together, not yet logged.

    What is there already changes nothing: a request without an answer is sent again.

    Raises
    ------
    RuleError
        ``unknown-key``, if a case was never decided.
    InputError
        If a label is not among the classes, or its source is not that of the case.
    """
    truths = rows.truth or [None] * len(rows.key)
    check_gold(rows.key, [source or "" for source in rows.source], truths)
    unknown = [
        key
        for key, source in zip(rows.key, rows.source, strict=True)
        if source != "gold" and key not in context.cases
    ]
    if unknown:
        raise RuleError(
            "unknown-key",
            f"{len(unknown)} of the labels name cases that were never decided, the first "
            f"{unknown[0][:80]!r}; label cases of this deployment",
        )
    check_classes([*rows.label, *filter(None, truths)], model, "labels a case")
    sources = [
        _source(key, source, context.cases)
        for key, source in zip(rows.key, rows.source, strict=True)
    ]
    labels = list(zip(rows.key, rows.judge, rows.label, sources, strict=True))
    first = {label: i for i, label in reversed(list(enumerate(labels)))}
    new = [i for i, label in enumerate(labels) if first[label] == i and label not in context.known]
    return compare_labels(
        [rows.key[i] for i in new],
        [rows.label[i] for i in new],
        [rows.judge[i] for i in new],
        [sources[i] for i in new],
        [truths[i] for i in new],
        context,
        after=after,
        at=np.full(len(new), at, dtype=np.int64),
    )


def compare_labels(
    keys: list[str],
    labels: list[str],
    judges: list[str],
    sources: list[str],
    truths: Sequence[str | None],
    context: LabelContext,
    *,
    after: int,
    at: IntArray,
    clock_back: list[int | None] | None = None,
    leaf: int = -1,
    chain: str = "",
) -> LabelBlock:
    """Return the block of labels that were checked: the first of a case counts, and of a judge on gold."""
    counted = set(context.counted)
    seqs, wrong, counts, gold = [], [], [], []
    for key, label, judge, source, truth in zip(keys, labels, judges, sources, truths, strict=True):
        is_gold = source == "gold"
        name: Counted = (key, judge) if is_gold else key
        is_first = source != "feedback" and name not in counted
        if is_first:
            counted.add(name)
        case = None if is_gold else context.cases[key]
        seqs.append(-1 if case is None else case.seq)
        wrong.append(label != (truth if case is None else case.prediction))
        counts.append(is_first and not is_gold)
        gold.append(is_first and is_gold)
    return LabelBlock(
        after=after,
        key=keys,
        label=labels,
        judge=judges,
        source=sources,
        seq=np.array(seqs, dtype=np.int64),
        wrong=np.array(wrong, dtype=np.bool_),
        counts=np.array(counts, dtype=np.bool_),
        truth=list(truths),
        gold=np.array(gold, dtype=np.bool_),
        at=at,
        clock_back=clock_back or [None] * len(keys),
        leaf=leaf,
        chain=chain,
    )


def list_counted(block: LabelBlock) -> set[Counted]:
    """Return what of a block counts from now on."""
    rows = zip(block.key, block.judge, block.counts.tolist(), block.gold.tolist(), strict=True)
    return {
        (key, judge) if is_gold else key
        for key, judge, counts, is_gold in rows
        if counts or is_gold
    }


def _source(key: str, stated: str | None, cases: Mapping[str, DecidedCase]) -> str:
    if stated == "gold":
        return stated
    own = cases[key].source
    if stated not in {None, "feedback", own}:
        raise InputError(
            f"the label of {key!r} says that it comes from {stated!r}, but this case was decided so "
            f"that its labels are {own!r}; leave the source empty"
        )
    return stated or own
