"""Tables from people's files: predictions or votes, in one file, in parts, or with labels beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

import polars as pl

from askpoint.errors import LogError
from askpoint.records.label_words import CLASS_WORDS, MISSING_WORDS
from askpoint.records.readers.approval_tables import read_approvals
from askpoint.records.readers.evidence.decision import RoleEvidence, find_repeated_id
from askpoint.records.readers.evidence.findings import Roles
from askpoint.records.readers.evidence.second_look import look_again
from askpoint.records.readers.evidence.words import hints_of
from askpoint.records.readers.grids import CellGrid
from askpoint.records.readers.prediction_columns import find_label
from askpoint.records.readers.prediction_tables import read_predictions
from askpoint.records.readers.reading import Choices, Doubt, Reading
from askpoint.records.readers.sources import Source, system_names
from askpoint.records.readers.table_opening import open_grids
from askpoint.records.readers.vote_tables import gold_column, read_vote_table, wide_of_long
from askpoint.records.roles import ColumnFacts, column_facts

__all__ = ["gold_labels", "read_tables", "sniff_table"]


def sniff_table(source: Source) -> float | None:
    """Say that any file may be a table, but that what a tool wrote is none."""
    return None if source.shape == "zip" else 0.1


def read_tables(sources: Sequence[Source], choices: Choices) -> Reading:
    """Read tables: those with the same columns are parts of one."""
    grids: list[CellGrid] = []
    for source in sources:
        grids += open_grids(source, choices)
    grids = _join_grids(grids, choices)
    files = [source.name for source in sources]
    looks = [_look(grid, choices) for grid in grids]
    if len(grids) == 1:
        return _one(grids[0], looks[0], choices, files)
    return _with_gold(grids, looks, choices, files)


def _join_grids(grids: list[CellGrid], choices: Choices) -> list[CellGrid]:
    parts: dict[tuple[str, ...], list[CellGrid]] = {}
    for grid in grids:
        parts.setdefault(tuple(grid.frame.columns), []).append(grid)
    found = []
    for group in parts.values():
        said, item = group[0].said, None
        if len(group) > 1 and (item := _item_of_systems(group, choices)) is not None:
            names = system_names([grid.name for grid in group])
            said = (
                *said,
                Doubt(f"the files are of {len(group)} systems: {', '.join(names)}", "--tables"),
            )
            group = [
                grid._replace(frame=grid.frame.with_columns(pl.lit(name).alias("system")))
                for grid, name in zip(group, names, strict=True)
            ]
        if len(group) == 1:
            found.append(group[0])
        else:
            try:
                frame = pl.concat([grid.frame for grid in group], how="vertical_relaxed")
            except pl.exceptions.PolarsError as error:
                names = [grid.name for grid in group[:3]]
                raise LogError(
                    f"{', '.join(names)} have columns of different types: {error}"
                ) from None
            found.append(CellGrid(group[0].name, frame, said, group[0].decimal_comma, item))
    return found


def _item_of_systems(group: Sequence[CellGrid], choices: Choices) -> str | None:
    """Return the column of items of tables that are of a system each; None if they are parts of one."""
    names = group[0].frame.columns
    if choices.tables == "parts" or "system" in names:
        return None
    facts = [fact for fact in _look(group[0], choices) if fact.role == "id"]
    item = choices.id if choices.id in names else next((fact.name for fact in facts), None)
    if item is None:
        if choices.tables == "systems":
            raise LogError(f"{group[0].name}: no column names the items: say which with --id")
        return None
    if any(grid.frame[item].n_unique() < grid.frame.height for grid in group):
        return item if choices.tables == "systems" else None
    ids = [set(grid.frame[item].cast(pl.String)) for grid in group]
    common = sum(map(len, ids)) - len(set().union(*ids))
    if choices.tables is None and 0 < common * 2 < min(map(len, ids)):
        raise LogError(
            f"{group[0].name} and {group[1].name} share {common} of their ids in {item!r}: are they "
            "parts of one table (--tables parts), or of two systems (--tables systems)?"
        )
    return item if common or choices.tables == "systems" else None


def _look(grid: CellGrid, choices: Choices) -> list[ColumnFacts]:
    return [
        column_facts(column, decimal_comma=grid.decimal_comma, missing=choices.missing)
        for column in grid.frame
    ]


_CLASS_SHARE = 0.05


def _with_classes(
    grid: CellGrid, facts: list[ColumnFacts], choices: Choices
) -> tuple[list[ColumnFacts], Choices]:
    """Keep words such as declined as labels where a column would have fewer than two without them."""
    if choices.missing is not None:
        return facts, choices
    words = {
        word.casefold()
        for fact in facts
        for word, n in fact.absent.items()
        if word.casefold() in CLASS_WORDS and len(fact.counts or ()) == 1
        and n >= _CLASS_SHARE * fact.rows and not fact.is_number
    }  # fmt: skip
    if not words:
        return facts, choices
    choices = replace(choices, missing=tuple(sorted(MISSING_WORDS - words)))
    return _look(grid, choices), choices


def _one(
    grid: CellGrid, facts: list[ColumnFacts], choices: Choices, files: Sequence[str]
) -> Reading:
    facts, choices = _with_classes(grid, facts, choices)
    evidence = RoleEvidence(grid, facts, choices)
    approvals = evidence.approvals()
    if approvals is not None:
        return read_approvals(grid, facts, approvals, files)
    evidence.refuse_no_cases()
    long = evidence.long()
    if long is not None:
        wide, item, gold = wide_of_long(grid, facts, choices, long)
        looks = _look(wide, choices)
        given = _with_people(wide, item, choices, told=gold is not None)
        return read_vote_table(wide, looks, given, files, item=item, gold_from=gold)
    if choices.kind != "votes" and not choices.judges:
        twice = find_repeated_id(grid, facts, choices)
        if twice is not None and choices.repeats in ("first", "last"):
            grid = _once(grid, twice, choices)
            facts, twice = _look(grid, choices), None
            evidence = RoleEvidence(grid, facts, choices)
        reading = _as_predictions(grid, facts, choices, evidence, files)
        if reading is not None:
            reading = _with_second_look(reading, evidence, choices)
            return _with_repeats(reading, twice, choices)
        if choices.kind == "predictions":
            raise LogError(
                f"{grid.name} has no probabilities, and no prediction with a confidence: name "
                "them with --proba, or --prediction and --confidence"
            )
    roles = evidence.votes()
    if roles is not None:
        reading = read_vote_table(grid, _again(grid, facts, roles, choices), roles.choices, files)
        return _with_second_look(_with_evidence(reading, roles, choices), evidence, choices)
    return read_vote_table(grid, facts, choices, files)


def _with_second_look(reading: Reading, evidence: RoleEvidence, choices: Choices) -> Reading:
    """Ask about what a reading leaves unexplained, where nobody said what the table is."""
    named = (choices.kind, choices.confidence, choices.pass_at, choices.gold)
    if choices.judges or choices.proba or any(name is not None for name in named):
        return reading
    made = [f.column for f in reading.findings if f.part in ("no vote", "no label")]
    settled = {"--label"} if choices.label is not None else set()
    settled |= {"--prediction"} if choices.prediction is not None else set()
    doubt = look_again(reading, evidence.columns, made, settled)
    return reading if doubt is None else replace(reading, doubts=(*reading.doubts, doubt))


def _with_people(wide: CellGrid, item: str, choices: Choices, *, told: bool) -> Choices:
    """Return who are the judges of a table that had a row a vote, and who of them is a person.

    Raises
    ------
    LogError
        If several are named for people, next to models.
    """
    names = [name for name in wide.frame.columns if name not in (item, "system")]
    people = [n for n in names if {"person", "truth"} & hints_of(n) and "answer" not in hints_of(n)]
    rest = tuple(
        name for name in names if name not in (people if choices.gold is None else [choices.gold])
    )
    if told or choices.kind == "votes":
        return replace(choices, judges=tuple(names))
    if choices.gold is not None:
        return replace(choices, judges=rest)
    if len(people) == 1 and len(rest) > 1:
        return replace(choices, judges=rest, gold=people[0])
    if people and any("answer" in hints_of(name) for name in rest):
        raise LogError(
            f"{wide.name}: {', '.join(people[:4])} look like people among judges that are models: name the one whose "
            "votes count as truth with --gold, or take all for judges with --kind votes"
        )
    return replace(choices, judges=tuple(names))


def _once(grid: CellGrid, item: str, choices: Choices) -> CellGrid:
    """Keep the first or the last row of each id."""
    keep: Literal["first", "last"] = "first" if choices.repeats == "first" else "last"
    frame = grid.frame.unique([item], keep=keep, maintain_order=True)
    left = grid.frame.height - frame.height
    said = Doubt(f"{left} rows of repeated ids in {item} left out, the {keep} counts", "--repeats")
    return grid._replace(frame=frame, said=(*grid.said, said))


def _with_repeats(reading: Reading, item: str | None, choices: Choices) -> Reading:
    """Ask what repeated ids are: they may be one case that was looked at again, or several cases."""
    if (
        item is None
        or reading.systems
        or choices.repeats == "rows"
        or reading.kind != "predictions"
    ):
        return reading
    n = reading.frame.height - reading.frame[item].n_unique() if item in reading.frame else 0
    asked = Doubt(
        f"{n or 'some'} rows repeat an id in {item}: keep the first or the last row of each (--repeats first, "
        "--repeats last), or count rows as cases of their own (--repeats rows)",
        "--repeats",
        must_be_settled=True,
    )
    return replace(reading, doubts=(*reading.doubts, asked))


def _as_predictions(
    grid: CellGrid,
    facts: list[ColumnFacts],
    choices: Choices,
    evidence: RoleEvidence,
    files: Sequence[str],
) -> Reading | None:
    roles = None if choices.proba or choices.scores == "compare" else evidence.predictions()
    if roles is not None:
        facts = _again(grid, facts, roles, choices)
        reading = read_predictions(grid, facts, roles.choices, files, form=roles.form)
        return None if reading is None else _with_evidence(reading, roles, choices)
    if evidence.are_votes and _several(evidence.votes()):
        return None
    texts = evidence.open_texts() if choices.label is None and choices.prediction is None else None
    if texts is not None:
        sure = [f.name for f in facts if f.is_number and "confidence" in hints_of(f.name)]
        sure = sure or [f.name for f in facts if f.is_number and "log" in hints_of(f.name)]
        only = sure[0] if len(sure) == 1 else None
        choices = replace(
            choices,
            prediction=texts[0],
            label=texts[1],
            confidence=choices.confidence or only,
        )
    if texts is None and choices.kind is None and choices.label is None:
        label = find_label(facts, None)
        role = next((f.role for f in facts if f.name == label), "")
        if role in ("text", "id") and _several(evidence.votes()):
            return None
    reading = read_predictions(grid, facts, choices, files, flags=evidence.flags)
    if reading is None or choices.kind == "predictions" or choices.prediction is not None:
        return reading
    doubt = reading.open_doubt
    if doubt is None or doubt.option != "--confidence" or reading.confidence is not None:
        return reading
    return None if _several(evidence.votes(), reading) else reading


def _several(votes: Roles | None, reading: Reading | None = None) -> bool:
    """Say whether there are judges next to a single answer and its truth."""
    if votes is None or len(votes.choices.judges) < 2:
        return False
    pair = set() if reading is None else {reading.prediction, reading.label}
    return not set(votes.choices.judges) <= pair


def _again(
    grid: CellGrid, facts: list[ColumnFacts], roles: Roles, choices: Choices
) -> list[ColumnFacts]:
    return facts if roles.choices.missing == choices.missing else _look(grid, roles.choices)


def _is_stated(choices: Choices) -> bool:
    """Say whether options named every part."""
    named = (choices.label, choices.prediction, choices.confidence)
    return bool(choices.judges) or None not in named


def _with_evidence(reading: Reading, roles: Roles, choices: Choices) -> Reading:
    return replace(
        reading,
        doubts=(*reading.doubts, *roles.doubts),
        findings=tuple(roles.findings),
        is_guess=not _is_stated(choices),
        abstentions=roles.abstentions,
    )


def _with_gold(
    grids: list[CellGrid], looks: list[list[ColumnFacts]], choices: Choices, files: Sequence[str]
) -> Reading:
    """Read two tables of which one holds the true labels of the other's items."""
    names = ", ".join(grid.name for grid in grids[:4])
    if len(grids) > 2:
        raise LogError(f"{names} are tables of different columns: give those that belong together")
    if all(_is_whole(grid, facts, choices) for grid, facts in zip(grids, looks, strict=True)):
        raise LogError(
            f"{names} are two tables of different columns, each with answers and labels of its own: give one of "
            "them, or give both the same names of columns"
        )
    worth = [_judge_like(facts) for facts in looks]
    main = 0 if worth[0] >= worth[1] else 1
    labels = looks[1 - main]
    column = gold_column(labels, choices) or next(
        (f.name for f in labels if f.role == "label"), None
    )
    item, other = _common_ids(grids[main], looks[main], grids[1 - main], labels, choices)
    if column is None or item is None or other is None or column == other:
        raise LogError(
            f"{names} are two tables, but not votes and the labels of the same items: name the ids "
            "with --id and the labels with --gold, or give one file"
        )
    gold = gold_labels(grids[1 - main], other, column, choices)
    source = f"{grids[1 - main].name}, column {column}"
    rest = [f.name for f in labels if f.name not in (other, column) and f.role != "empty"]
    if choices.kind != "votes" and not choices.judges:
        joined = _with_column(grids[main], item, column, gold, source)
        given = replace(
            choices, id=item, label=choices.label or joined.frame.columns[-1], gold=None
        )
        facts = _look(joined, given)
        evidence = RoleEvidence(joined, facts, given)
        reading = _as_predictions(joined, facts, given, evidence, files)
        if reading is not None:
            return reading
    roles = RoleEvidence(grids[main], looks[main], replace(choices, id=item)).votes()
    given = choices if roles is None else replace(roles.choices, gold=None)
    reading = read_vote_table(
        grids[main], looks[main], given, files, item=item, gold_from=(source, gold)
    )
    reading = reading if roles is None else _with_evidence(reading, roles, choices)
    return replace(reading, not_judges=(*reading.not_judges, *rest))


def _is_whole(grid: CellGrid, facts: list[ColumnFacts], choices: Choices) -> bool:
    """Say whether a table needs no other: it holds answers, how sure they were, and the truth."""
    try:
        roles = RoleEvidence(grid, facts, choices).predictions()
    except LogError:
        return False
    return roles is not None and None not in (roles.choices.label, roles.choices.prediction)


def _common_ids(
    grid: CellGrid,
    facts: Sequence[ColumnFacts],
    other: CellGrid,
    looks: Sequence[ColumnFacts],
    choices: Choices,
) -> tuple[str | None, str | None]:
    """Return the columns by which the rows of two tables belong together: by most values in common."""
    best: tuple[int, str | None, str | None] = (0, None, None)
    for own in facts:
        if choices.id not in (None, own.name) or own.role in ("nested", "empty"):
            continue
        values = set(grid.frame[own.name].drop_nulls().cast(pl.String))
        for theirs in looks:
            if theirs.role in ("nested", "empty") or not theirs.is_nearly_unique:
                continue
            cells = other.frame[theirs.name].drop_nulls().cast(pl.String)
            common = len(values & set(cells))
            if common > best[0] and own.is_nearly_unique:
                best = (common, own.name, theirs.name)
    return best[1], best[2]


def _with_column(
    grid: CellGrid, item: str, column: str, labels: Mapping[str, str], source: str
) -> CellGrid:
    """Return a table with the labels of another one beside it."""
    name = column if column not in grid.frame.columns else f"{column} (labels)"
    ids = grid.frame[item].cast(pl.String)
    values = pl.Series(name, [labels.get(key or "") for key in ids], dtype=pl.String)
    known = len(values) - values.null_count()
    said = [Doubt(f"labels from {source}, by {item}: {known} of {len(values)} rows", "--tables")]
    if strange := len(labels) - known:
        said.append(Doubt(f"{strange} of the {len(labels)} labels are for other items: left out"))
    return grid._replace(frame=grid.frame.with_columns(values), said=(*grid.said, *said))


def _judge_like(facts: Sequence[ColumnFacts]) -> tuple[int, int]:
    scores = sum(bool({"confidence", "answer"} & hints_of(fact.name)) for fact in facts)
    return scores + sum(fact.role == "label" for fact in facts), facts[0].rows


def gold_labels(grid: CellGrid, item: str, column: str, choices: Choices) -> Mapping[str, str]:
    """Return the labels that a table of people's labels has, by item."""
    fact = column_facts(grid.frame[column], missing=choices.missing)
    kept = fact.counts or {}
    found: dict[str, str] = {}
    texts = grid.frame.select(pl.col(item).cast(pl.String), pl.col(column).cast(pl.String))
    for name, label in texts.iter_rows():
        if name is None or label not in kept:
            continue
        if found.setdefault(name, label) != label:
            raise LogError(
                f"{grid.name}: the labels by people say both {found[name]!r} and {label!r} of "
                f"{name!r}; keep one"
            )
    return found
