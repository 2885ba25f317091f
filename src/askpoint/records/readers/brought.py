"""The votes of a reading as the judges' room wants them: one system, one label for one thing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import polars as pl

from askpoint.errors import LogError
from askpoint.judges.sketch.tables import VoteTable, table_from_frame
from askpoint.records.label_words import spelling_key, truth_of
from askpoint.records.readers.reading import Choices, Reading

__all__ = ["BroughtVotes", "agreed_gold", "brought_votes"]

_OTHER = {
    "c": "I", "i": "C", "true": "False", "false": "True", "pass": "fail", "fail": "pass",
    "passed": "failed", "failed": "passed", "1": "0", "0": "1", "1.0": "0.0", "0.0": "1.0",
    "yes": "no", "no": "yes", "correct": "incorrect", "incorrect": "correct", "right": "wrong",
    "wrong": "right",
}  # fmt: skip


class BroughtVotes(NamedTuple):
    """Votes, the labels by people, and which rows repeat one item.

    Attributes
    ----------
    table : VoteTable
        The votes, the label of interest first.
    gold : dict of str to str
        Labels by people.
    repeats : dict of str to str
        The item of each row, where items have several; else empty.
    """

    table: VoteTable
    gold: dict[str, str]
    repeats: dict[str, str]


def brought_votes(
    reading: Reading, choices: Choices, labels: Sequence[str] | None = None
) -> BroughtVotes:
    """Return the votes of one system of a reading."""
    frame = reading.frame.with_row_index("row")
    for what, names in (("system", reading.systems), ("task", _names(frame, "task"))):
        if what not in frame.columns:
            continue
        own = getattr(choices, what)
        if own in names:
            frame = frame.filter(pl.col(what) == own)
        elif len(names) > 1:
            raise LogError(
                f"{len(names)} {what}s were judged ({', '.join(names[:6])}): name one with --{what}"
            )
    judges = [j for j in reading.judges if j not in reading.scales or choices.pass_at is not None]
    judges = [judge for judge in judges if frame[judge].null_count() < frame.height]
    if not judges:
        raise LogError(
            f"{', '.join(reading.scales)} give numbers on a scale: name the least that passes with "
            "--pass-at"
        )
    spelled = dict(reading.one_label)

    def label_of(judge: str | None, value: str) -> str:
        if choices.pass_at is not None and (judge is None or judge in reading.scales):
            try:
                return "pass" if float(value) >= choices.pass_at else "fail"
            except ValueError:
                return spelled.get(value, value)
        return spelled.get(value, value)

    for judge in judges:
        known = frame[judge].drop_nulls().unique().to_list()
        new = [label_of(judge, value) for value in known]
        frame = frame.with_columns(pl.col(judge).replace_strict(known, new, default=None))
    repeated = frame["item"].n_unique() < frame.height
    if repeated:
        place = pl.int_range(pl.len()).over("item") + 1
        frame = frame.with_columns(key=pl.format("{} #{}", "item", place))
    else:
        frame = frame.with_columns(key=pl.col("item"))
    key_of = dict(frame.select(pl.col("row").cast(pl.String), "key").iter_rows())
    gold = {}
    if reading.gold is not None:
        gold = {
            key_of[row]: label_of(None, label)
            for row, label in reading.gold.labels.items()
            if row in key_of
        }
    named = frame.select("key", *judges).rename({"key": "\x00item"})
    order = list(labels) if labels is not None else _labels(frame, judges, gold)
    table = table_from_frame(named, judges=judges, labels=order, task="\x00item")
    repeats = dict(frame.select("key", "item").iter_rows()) if repeated else {}
    return BroughtVotes(table, gold, repeats)


def agreed_gold(gold: Mapping[str, str], repeats: Mapping[str, str]) -> dict[str, str]:
    """Return the most frequent label of the repeats of each item; none where two are as frequent."""
    counts: dict[str, Counter[str]] = {}
    for key, label in gold.items():
        counts.setdefault(repeats[key], Counter())[label] += 1
    found = {}
    for item, labels in counts.items():
        first, *rest = labels.most_common(2)
        if not rest or rest[0][1] < first[1]:
            found[item] = first[0]
    return found


def _names(frame: pl.DataFrame, column: str) -> tuple[str, ...]:
    return tuple(frame[column].unique(maintain_order=True)) if column in frame.columns else ()


def _labels(frame: pl.DataFrame, judges: Sequence[str], gold: dict[str, str]) -> list[str]:
    """Return the labels, what passes first; two where only one occurs and the other is known."""
    found = {value for judge in judges for value in frame[judge].drop_nulls().unique()}
    found |= set(gold.values())
    if len(found) == 1 and (other := _OTHER.get(spelling_key(next(iter(found))))) is not None:
        found.add(other)
    return sorted(found, key=lambda label: (truth_of(label) is not True, label))
