"""Tables of votes: a column a judge, or a row a vote; and what people said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import polars as pl

from askpoint.errors import LogError, UnknownColumnError
from askpoint.records.column_words import ITEM_WORDS, SYSTEM_WORDS, looks_like
from askpoint.records.label_words import MOST_LABELS, same_labels
from askpoint.records.readers.evidence.columns import columns_of
from askpoint.records.readers.evidence.relations import is_twin
from askpoint.records.readers.evidence.vote_roles import LongRoles
from askpoint.records.readers.evidence.words import hints_of
from askpoint.records.readers.grids import CellGrid
from askpoint.records.readers.reading import Choices, Counts, Doubt, Gold, Reading
from askpoint.records.roles import (
    ColumnFacts,
    column_facts,
    number_different,
    numbers_of,
)

__all__ = ["gold_column", "read_vote_table", "wide_of_long"]

_ORDER = ("order", "position", "swap", "swapped", "flip", "flipped", "presentation", "ordering")
_RUN = ("run", "epoch", "repeat", "repetition", "trial", "seed", "iteration", "attempt", "template")

_ENOUGH_ROWS = 20  # from which three numbers are taken for classes


def wide_of_long(
    grid: CellGrid, facts: Sequence[ColumnFacts], choices: Choices, long: LongRoles
) -> tuple[CellGrid, str, tuple[str, Mapping[str, str]] | None]:
    """Turn one row per vote into a column a judge; return the items' column and labels by people."""
    worker, item, vote = long.worker, choices.id or long.item, long.vote
    frame = grid.frame.with_columns(pl.col(worker).cast(pl.String))
    said = [Doubt(f"one row per vote: {worker} voted {vote} on {item}", "--kind")]
    system = _system(grid, [f for f in facts if f.name not in (worker, vote, item)], choices)
    index = [item]
    if system is not None and not frame.select(worker, item, system).is_duplicated().any():
        index += [system] if frame.select(worker, item).is_duplicated().any() else []
    runs = [f.name for f in facts if looks_like(f.name, _ORDER + _RUN)]
    runs = [name for name in runs if name not in (worker, item, vote)]
    if len(index) == 1 and frame.select(worker, item).is_duplicated().any():
        frame, more = _once(grid.name, frame, (worker, item, vote), runs, choices)
        said += more
    gold = None
    if long.gold is not None:
        labels = frame.select(pl.col(item).cast(pl.String), pl.col(long.gold).cast(pl.String))
        gold = (long.gold, dict(labels.drop_nulls().unique(maintain_order=True).iter_rows()))
    wide = frame.pivot(worker, index=index, values=vote, maintain_order=True)
    return grid._replace(frame=wide, said=(*grid.said, *said), item=None), item, gold


def _once(
    name: str,
    frame: pl.DataFrame,
    columns: tuple[str, str, str],
    runs: Sequence[str],
    choices: Choices,
) -> tuple[pl.DataFrame, list[Doubt]]:
    """Return each judge's votes with one on each item: orders and runs are judges of their own."""
    worker, item, _ = columns
    if choices.repeats in ("first", "last"):
        keep: Literal["first", "last"] = "first" if choices.repeats == "first" else "last"
        kept = frame.unique([worker, item], keep=keep, maintain_order=True)
        gone = frame.height - kept.height
        return kept, [Doubt(f"{gone} repeated votes left out, the {keep} counts", "--repeats")]
    if runs and not frame.select(worker, item, *runs).is_duplicated().any():
        parts = [pl.col(run).cast(pl.String) for run in runs]
        names = pl.concat_str([pl.col(worker), *parts], separator="#")
        said = [
            Doubt(f"each {' and '.join(runs)} of a {worker} is a judge of its own", "--repeats")
        ]
        said += _compare_orders(frame, columns, runs)
        return frame.with_columns(names.alias(worker)), said
    if choices.repeats == "judges":
        place = pl.int_range(pl.len()).over(worker, item) + 1
        names = pl.concat_str([pl.col(worker), place.cast(pl.String)], separator="#run")
        return frame.with_columns(names.alias(worker)), [
            Doubt("each repeated vote is a judge of its own, of one family", "--repeats")
        ]
    twice = frame.filter(frame.select(worker, item).is_duplicated())
    raise LogError(
        f"{name}: {twice[worker][0]!r} voted more than once on {twice[item][0]!r}. Use --repeats "
        "first, --repeats last, or --repeats judges (each vote is a separate judge)."
    )


def _compare_orders(
    frame: pl.DataFrame, columns: tuple[str, str, str], runs: Sequence[str]
) -> list[Doubt]:
    """Say how often each judge says the same when the order is swapped."""
    worker, item, vote = columns
    order = next((run for run in runs if looks_like(run, _ORDER)), None)
    if order is None or frame[order].n_unique() != 2:
        return []
    shares = []
    for (judge,), own in frame.group_by(worker, maintain_order=True):
        told = own.group_by(item, *(run for run in runs if run != order)).agg(
            n=pl.len(), same=pl.col(vote).n_unique() == 1
        )
        pairs = told.filter(pl.col("n") == 2)
        if pairs.height:
            shares.append(f"{judge} {pairs['same'].sum()} of {pairs.height}")
    if not shares:
        return []
    return [
        Doubt(
            f"the same verdict in both orders: {', '.join(shares)} (verdicts must name the answer, "
            "not the place in which it was shown)"
        )
    ]


def gold_column(facts: Sequence[ColumnFacts], choices: Choices) -> str | None:
    """Return the column of people's labels, by its name."""
    if choices.gold is not None:
        return choices.gold if any(fact.name == choices.gold for fact in facts) else None
    best: tuple[int, int] | None = None
    chosen = None
    for i, fact in enumerate(facts):
        if fact.role not in ("label", "empty", "number"):
            continue
        hints = hints_of(fact.name)
        weight = 3 * ("truth" in hints) + 2 * ("person" in hints) + ("label" in hints)
        weight -= 2 * bool({"answer", "judge", "confidence", "time", "measure"} & hints)
        if weight > 0 and (best is None or (weight, -i) > best):
            best, chosen = (weight, -i), fact.name
    return chosen


def read_vote_table(
    grid: CellGrid,
    facts: Sequence[ColumnFacts],
    choices: Choices,
    files: Sequence[str],
    *,
    item: str | None = None,
    gold_from: tuple[str, Mapping[str, str]] | None = None,
) -> Reading:
    """Read a table with a column a judge."""
    for name in (*choices.judges, choices.id, choices.gold):
        if name is not None and name not in grid.frame.columns:
            raise UnknownColumnError(name, grid.frame.columns)
    by_name = {fact.name: fact for fact in facts}
    item = choices.id or item or grid.item or next((f.name for f in facts if f.role == "id"), None)
    item = item or _find_repeated_item(facts)
    gold = None if gold_from is not None else choices.gold
    ids = _ids(grid, item)
    n_items = number_different(ids) if item is not None else len(ids)
    system = _system(grid, facts, choices) if n_items < len(ids) or choices.system else None
    free = [f for f in facts if f.name not in (item, gold, system)]
    judges = _judges(grid, free, choices)
    said = list(grid.said)
    absent: Counts = {}
    together = same_labels([by_name[name].counts or {} for name in judges])
    inside = any(same_labels([by_name[name].counts or {}]) for name in judges)
    gold_labels: dict[str, str] = {}
    source = ""
    id_column = ids.alias("item")
    if gold is not None:
        gold_labels = _gold_of(grid, gold, choices)
        source = gold
    elif gold_from is not None:
        source, labels = gold_from
        place = {name: str(i) for i, name in enumerate(ids)}
        gold_labels = {place[name]: label for name, label in labels.items() if name in place}
        if strangers := [name for name in labels if name not in place]:
            said.append(
                Doubt(
                    f"{len(strangers)} of the {len(labels)} labels by people are for items without "
                    f"votes ({', '.join(strangers[:3])}): left out"
                )
            )
        if not gold_labels:
            raise LogError(
                f"the labels by people ({source}) are for other items than the votes: "
                f"{', '.join(list(labels)[:3])} against {', '.join(ids[:3])}; name the ids with --id"
            )
    grid, by_name = _mark_passed(grid, by_name, judges, choices)
    scales = tuple(name for name in judges if _is_scale(by_name[name], choices))
    if scales and choices.pass_at is None and _are_codes([by_name[name] for name in scales]):
        said.append(
            Doubt(
                f"{', '.join(scales)} say 0, 1 or 2: taken for labels; if they are grades, name the least that passes",
                "--pass-at",
            )
        )
        scales = ()
    together |= {
        old: new
        for old, new in same_labels(
            [by_name[name].counts or {} for name in judges] + [_count(gold_labels.values())]
        ).items()
        if old not in together
    }
    together |= dict(choices.labels_map)
    if together:
        parts: dict[str, list[str]] = {}
        for spelling, label in together.items():
            parts.setdefault(label, []).append(repr(spelling))
        text = "; ".join(f"{', '.join(s)} as {label!r}" for label, s in parts.items())
        said.append(Doubt(f"read {text}", "--map"))
    words = sorted({w for name in judges for w in by_name[name].absent if w})
    if words:
        said.append(Doubt(f"{', '.join(words)} taken for no vote", "--missing"))
    columns: dict[str, pl.Series] = {"item": id_column}
    if system is not None:
        columns["system"] = grid.frame[system].cast(pl.String).alias("system")
    votes: Counts = {}
    for name in judges:
        fact = by_name[name]
        if fact.absent:
            absent[name] = fact.absent
        counts: dict[str, int] = {}
        for value, count in (fact.counts or {}).items():
            spelled = together.get(value, value) if inside else value
            counts[spelled] = counts.get(spelled, 0) + count
        votes[name] = dict(sorted(counts.items()))
        own = {old: new for old, new in together.items() if old in (fact.counts or {})}
        columns[name] = _cells(grid.frame[name], fact, own if inside else {})
        if len(counts) == 1:
            said.append(Doubt(f"{name} says {next(iter(counts))!r} of every item"))
    for fact in facts:
        if fact.role == "empty" and fact.name not in (gold, item):
            absent[fact.name] = fact.absent or {"": fact.rows}
            said.append(Doubt(f"the column {fact.name!r} holds no vote: left out"))
    others = [f.name for f in free if f.name not in judges and f.role != "empty"]
    if others:
        said.append(Doubt(f"{', '.join(others)}: no votes", "--judges"))
    if scales and choices.pass_at is None:
        said.append(
            Doubt(
                f"{', '.join(scales)} give numbers on a scale: name the least that passes "
                "(--pass-at), or keep the numbers as labels (--scores labels)",
                "--pass-at",
                must_be_settled=True,
            )
        )
    if inside:
        gold_labels = {i: together.get(label, label) for i, label in gold_labels.items()}
    systems = tuple(columns["system"].unique(maintain_order=True)) if system is not None else ()
    return Reading(
        "votes",
        "table",
        tuple(files),
        pl.DataFrame(columns),
        items=n_items,
        id=item,
        judges=tuple(judges),
        votes=votes,
        missing=absent,
        gold=Gold(source, gold_labels) if gold_labels else None,
        systems=systems,
        not_judges=tuple(others),
        parts=grid.frame.select(pl.col(name).cast(pl.String) for name in _plain(grid, others)),
        scales=scales,
        one_label=together,
        doubts=tuple(said),
    )


def _plain(grid: CellGrid, names: Sequence[str]) -> list[str]:
    return [name for name in names if not grid.frame[name].dtype.is_nested()]


def _find_repeated_item(facts: Sequence[ColumnFacts]) -> str | None:
    """Return a column that names items by its name, where several rows are of one item."""
    names = (f.name for word in ITEM_WORDS for f in facts if looks_like(f.name, (word,)))
    return next(names, None)


def _system(grid: CellGrid, facts: Sequence[ColumnFacts], choices: Choices) -> str | None:
    """Return the column that says whose answer a row is."""
    if choices.system is not None and choices.system in grid.frame.columns:
        return choices.system
    return next(
        (f.name for f in facts if f.role == "label" and looks_like(f.name, SYSTEM_WORDS)), None
    )


def _judges(grid: CellGrid, free: Sequence[ColumnFacts], choices: Choices) -> list[str]:
    by_name = {fact.name: fact for fact in free}
    if choices.judges:
        for name in choices.judges:
            fact = by_name.get(name)
            if fact is not None and not (fact.is_number and choices.pass_at is not None):
                _check_few(grid, fact)
        _refuse_twins(grid, [by_name[name] for name in choices.judges if name in by_name])
        return list(choices.judges)
    _refuse(grid, free)
    return []


def _refuse_twins(grid: CellGrid, named: Sequence[ColumnFacts]) -> None:
    """Refuse two judges of whom one says in numbers what the other says in words: their labels are no common ones."""
    if len({fact.is_number for fact in named}) < 2:
        return
    columns = columns_of(grid, named)
    for number in columns:
        word = next((other for other in columns if is_twin(number, other)), None)
        if word is not None:
            raise LogError(
                f"{grid.name}: the column {number.name!r} says in numbers what {word.name!r} says in words, so they "
                "are one judge; leave one of them out of --judges"
            )


def _check_few(grid: CellGrid, fact: ColumnFacts) -> None:
    if fact.counts is None or fact.different > MOST_LABELS:
        raise LogError(
            f"{grid.name}: the column {fact.name!r} has {'more than ' * (fact.counts is None)}"
            f"{fact.different} different values, too many for votes (at most {MOST_LABELS} labels); "
            "leave it out with --judges, or name it with --id"
        )


def _refuse(grid: CellGrid, free: Sequence[ColumnFacts]) -> None:
    scores = [f.name for f in free if f.role == "number" and f.low is not None and f.low >= 0]
    if scores and all(f.high is not None and f.high <= 1 for f in free if f.name in scores):
        raise LogError(
            f"{grid.name}: {', '.join(scores[:6])} hold numbers from 0 to 1: judges' scores need the "
            f"least that passes, --judges {','.join(scores[:6])} --pass-at 0.5; a model's "
            "probabilities need --proba and --label"
        )
    classes = [f.name for f in free if f.role == "label" and f.different > 1]
    numbers = [f.name for f in free if f.is_number and f.name not in classes]
    if classes and len(classes) + len(numbers) > 1:
        raise LogError(
            f"{grid.name} looks like training data, a class and features: it has {', '.join(classes[:4])}, and "
            "no answer of a model with its confidence, and no column holds votes of judges. Name them with "
            "--label, --prediction and --confidence, or with --judges"
        )
    many = next((f for f in free if f.different > MOST_LABELS), None)
    if many is not None:
        raise LogError(
            f"{grid.name}: no column holds votes or a class: {many.name!r} has {many.different} or "
            f"more different values, too many for labels (at most {MOST_LABELS}); name the columns "
            "with --judges, or --label and --proba"
        )
    names = ", ".join(grid.frame.columns[:10])
    raise LogError(
        f"{grid.name}: no column holds votes or a model's probabilities; it has {names}; name them "
        "with --judges, or --label and --proba"
    )


def _mark_passed(
    grid: CellGrid, by_name: dict[str, ColumnFacts], judges: Sequence[str], choices: Choices
) -> tuple[CellGrid, dict[str, ColumnFacts]]:
    """Say pass or fail for judges whose numbers are too many to be grades."""
    for name in judges:
        fact = by_name[name]
        if choices.pass_at is None or not fact.is_number or fact.role != "number":
            continue
        numbers, _ = numbers_of(grid.frame[name], decimal_comma=grid.decimal_comma)
        said = (numbers >= choices.pass_at).replace_strict(
            {True: "pass", False: "fail"}, default=None, return_dtype=pl.String
        )
        grid = grid._replace(frame=grid.frame.with_columns(said.alias(name)))
        by_name = {**by_name, name: column_facts(grid.frame[name])}
    return grid, by_name


def _is_scale(fact: ColumnFacts, choices: Choices) -> bool:
    if choices.scores == "labels" or not fact.is_number:
        return False
    return not (fact.low in (0.0, 1.0) and fact.high in (0.0, 1.0) and fact.whole)


def _are_codes(facts: Sequence[ColumnFacts]) -> bool:
    """Say whether numbers are written as three classes are: each whole, from 0 to 2."""
    return all(
        fact.whole and fact.low == 0 and fact.high == 2 and fact.rows >= _ENOUGH_ROWS
        for fact in facts
    )


def _ids(grid: CellGrid, item: str | None) -> pl.Series:
    if item is None:
        return pl.int_range(grid.frame.height, eager=True).cast(pl.String)
    column = grid.frame[item].cast(pl.String)
    if column.null_count():
        row = int(column.is_null().to_numpy().argmax())
        raise LogError(
            f"{grid.name}: the column {item!r} names no item in row {row} (counted from 0)"
        )
    return column


def _gold_of(grid: CellGrid, name: str, choices: Choices) -> dict[str, str]:
    fact = column_facts(grid.frame[name], missing=choices.missing)
    if fact.role == "empty":
        return {}
    _check_few(grid, fact)
    cells = _cells(grid.frame[name], fact, {})
    known = cells.is_not_null().arg_true()
    return dict(zip(known.cast(pl.String), cells.gather(known), strict=True))


def _cells(column: pl.Series, fact: ColumnFacts, together: Mapping[str, str]) -> pl.Series:
    """Return a column's votes as texts, null where there is none."""
    words = {True: "True", False: "False"}
    if column.dtype == pl.Boolean:
        texts = column.replace_strict(words, return_dtype=pl.String, default=None)
    else:
        texts = column.cast(pl.String)
    if not together and set(fact.absent) <= {""} and texts.null_count() == fact.rows - fact.given:
        return texts
    known = list(fact.counts or {})
    spelled = [together.get(value, value) for value in known]
    return texts.replace_strict(known, spelled, default=None, return_dtype=pl.String)


def _count(values: object) -> dict[str, int]:
    counts: dict[str, int] = {}
    for value in values:  # type: ignore[attr-defined]
        counts[value] = counts.get(value, 0) + 1
    return counts
