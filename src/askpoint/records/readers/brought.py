"""The votes of a reading as the judges' room wants them: one system, one label for one thing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import polars as pl

from askpoint.errors import InputError, LogError, UnknownColumnError
from askpoint.judges.clusters import cluster_votes
from askpoint.judges.sketch.tables import VoteTable, table_from_frame
from askpoint.records.label_words import spelling_key, truth_of
from askpoint.records.readers.reading import Choices, Reading

__all__ = ["BroughtVotes", "choose_systems", "collect_votes"]

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
    rows : dict of str to int
        Where each of the table's items stands in the reading.
    states : dict of str to int
        How many rows were answered, declined and failed; only the answered have votes here.
    """

    table: VoteTable
    gold: dict[str, str]
    repeats: dict[str, str]
    rows: dict[str, int]
    states: dict[str, int]

    def parts(self, reading: Reading, column: str) -> dict[str, str]:
        """Return what another column of the file says of each item."""
        frame = reading.parts
        if frame is None or column not in frame.columns:
            known = () if frame is None else frame.columns
            raise UnknownColumnError(column, known)
        said = frame[column].cast(pl.String).to_list()
        found: dict[str, str] = {}
        for key, row in self.rows.items():
            item, part = self.repeats.get(key, key), said[row]
            if part and found.setdefault(item, part) != part:
                raise InputError(
                    f"the item {item!r} is in two parts, {found[item]!r} and {part!r}; keep one"
                )
        return found

    def join_clusters(
        self, clusters: Mapping[str, str] | None = None
    ) -> tuple[VoteTable, dict[str, str]]:
        """Return votes and labels with each item once, and each cluster once."""
        table, gold = self.table, self.gold
        if self.repeats:
            table, gold = cluster_votes(table, self.repeats), _settle_gold(gold, self.repeats)
        if clusters is not None:
            table = cluster_votes(table, clusters)
            gold = _settle_gold(gold, {task: clusters.get(task, task) for task in gold})
        return table, gold


def choose_systems(reading: Reading, choices: Choices) -> tuple[str, ...]:
    """Return the systems whose answers count."""
    names = _names(reading.frame, "system")
    return (choices.system,) if choices.system in names else names


def collect_votes(
    reading: Reading,
    choices: Choices,
    labels: Sequence[str] | None = None,
    *,
    system: str | None = None,
    both: Sequence[str] = (),
) -> BroughtVotes:
    """Return the votes of one system of a reading; of `both` are the judges and labels."""
    frame = reading.frame.with_row_index("row")
    if reading.states is not None:
        frame = frame.with_columns(reading.states.alias("state"))
    else:
        frame = frame.with_columns(state=pl.lit("answered"))
    frame, gold = _spell_labels(_of_one(frame, reading, choices, "task"), reading, choices)
    if both:
        frame = frame.filter(pl.col("system").is_in(list(both)))
    judges = _judges(reading, choices, frame)
    order = list(labels) if labels is not None else _labels(frame, judges, gold)
    frame = _of_one(frame, reading, choices, "system", system)
    counts = dict(frame["state"].value_counts().iter_rows())
    states = {state: int(counts.get(state, 0)) for state in ("answered", "declined", "failed")}
    left_out = ["failed"] if choices.declined == "as-voted" else ["declined", "failed"]
    frame = frame.filter(~pl.col("state").is_in(left_out))
    if not frame.height:
        raise LogError(
            f"all {sum(states.values())} answers failed or were declined: none is judged"
        )
    repeated = frame["item"].n_unique() < frame.height
    if repeated:
        place = pl.int_range(pl.len()).over("item") + 1
        frame = frame.with_columns(key=pl.format("{} #{}", "item", place))
    else:
        frame = frame.with_columns(key=pl.col("item"))
    rows = dict(frame.select("key", pl.col("row").cast(pl.Int64)).iter_rows())
    named = frame.select("key", *judges).rename({"key": "\x00item"})
    table = table_from_frame(named, judges=judges, labels=order, task="\x00item")
    repeats = dict(frame.select("key", "item").iter_rows()) if repeated else {}
    known = {key: gold[str(row)] for key, row in rows.items() if str(row) in gold}
    return BroughtVotes(table, known, repeats, rows, states)


def _of_one(
    frame: pl.DataFrame, reading: Reading, choices: Choices, what: str, own: str | None = None
) -> pl.DataFrame:
    names = _names(frame, what)
    own = getattr(choices, what) if own is None else own
    if own in names:
        return frame.filter(pl.col(what) == own)
    if len(names) > 1:
        also = ", or two with --systems OLD,NEW" if what == "system" else ""
        raise LogError(
            f"{reading.files[0]}: {len(names)} {what}s were judged ({', '.join(names[:6])}): name "
            f"one with --{what}{also}"
        )
    return frame


def _judges(reading: Reading, choices: Choices, frame: pl.DataFrame) -> list[str]:
    judges = [j for j in reading.judges if j not in reading.scales or choices.pass_at is not None]
    judges = [judge for judge in judges if frame[judge].null_count() < frame.height]
    if not judges:
        raise LogError(
            f"{', '.join(reading.scales)} give numbers on a scale: name the least that passes with "
            "--pass-at"
        )
    return judges


def _spell_labels(
    frame: pl.DataFrame, reading: Reading, choices: Choices
) -> tuple[pl.DataFrame, dict[str, str]]:
    """Return votes and labels by people with one word for one label."""
    spelled = dict(reading.one_label)

    def label_of(judge: str | None, value: str) -> str | None:
        if judge is not None and value in reading.abstentions:
            return None
        if choices.pass_at is not None and (judge is None or judge in reading.scales):
            try:
                return "pass" if float(value) >= choices.pass_at else "fail"
            except ValueError:
                return spelled.get(value, value)
        return spelled.get(value, value)

    for judge in reading.judges:
        known = frame[judge].drop_nulls().unique().to_list()
        new = [label_of(judge, value) for value in known]
        frame = frame.with_columns(
            pl.col(judge).replace_strict(known, new, default=None, return_dtype=pl.String)
        )
    if reading.gold is None:
        return frame, {}
    return frame, {row: str(label_of(None, label)) for row, label in reading.gold.labels.items()}


def _settle_gold(gold: Mapping[str, str], repeats: Mapping[str, str]) -> dict[str, str]:
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
    found |= {gold[row] for row in map(str, frame["row"]) if row in gold}
    if len(found) == 1 and (other := _OTHER.get(spelling_key(next(iter(found))))) is not None:
        found.add(other)
    return sorted(found, key=lambda label: (truth_of(label) is not True, label))
