"""How good judges are, by their votes: what `askpoint judges` and `askpoint gate` do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import click

from askpoint.cli.actions.cluster_files import clusters_of
from askpoint.cli.actions.panel_answer import PanelVotes, tell_panel
from askpoint.cli.actions.quality_gate import needs_items
from askpoint.cli.actions.vote_files import print_reading, read_vote_file
from askpoint.cli.columns import names_of
from askpoint.cli.engine_options import counting, counting_option, source_to_count
from askpoint.cli.reading_context import current_reading, current_source
from askpoint.cli.report import check_files, shown_name
from askpoint.errors import InputError
from askpoint.judges.sketch.tables import VoteNotes, VoteTable
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.measures.inputs import FloatArray
from askpoint.records.item_columns import (
    ItemColumns,
    columns_of_reading,
    join_values,
    other_columns,
    read_item_columns,
)
from askpoint.records.label_words import truth_of
from askpoint.records.readers.brought import choose_systems, collect_votes
from askpoint.records.readers.reading import Reading
from askpoint.records.tables import open_table
from askpoint.records.vote_spellings import with_positive
from askpoint.records.votes import (
    VoteColumns,
    count_votes,
    names_of_items,
    read_gold,
    read_votes,
)

__all__ = ["answer_votes"]

_ONLY_COUNTED = (
    "{} only counts the votes of a table with one row per item and one column per judge, and this "
    "question needs single items: leave it out"
)


def answer_votes(votes: Sequence[str], options: dict[str, Any]) -> int:
    """Say how good judges are, or which of two systems is better, and return the exit code of a gate."""
    check_files(options, "junit", "summary")
    if _wants_systems(votes, options):
        from askpoint.cli.actions.system_comparison import report_systems

        return report_systems(votes, options)
    is_counted = counting_option(options)
    by_item = current_reading() is not None or options["group"] is not None
    if is_counted is not None and (by_item or options["pass_at"] is not None):
        raise InputError(_ONLY_COUNTED.format(is_counted))
    found = (
        read_vote_file(votes[0], options)
        if current_reading() is None and is_counted is None
        else None
    )
    if found is not None:
        click.get_current_context().obj = found
    return _tell_judges(votes[0], options, None if found is None else found.reading)


def _wants_systems(votes: Sequence[str], options: dict[str, Any]) -> bool:
    """Say whether two systems are to be compared."""
    given = current_reading()
    if given is not None and len(choose_systems(given.reading, given.choices)) == 2:
        return True
    two = ("system", "systems", "no_worse_than", "margin")
    return len(votes) > 1 or any(options[name] is not None for name in two)


def _tell_judges(votes: str, options: dict[str, Any], reading: Reading | None) -> int:
    given = _votes_of_file(options)
    found = _find_items(votes, options) if given is None else {}
    source, groups, items = (
        (votes, given.groups, given.items) if given is not None else _source(votes, options)
    )
    probability = None
    if options["probability_of"] is not None:
        source, probability = _votes_of_probabilities(source, options, given)
    gold = _gold(source, options) if given is None else given.gold
    anchors = _anchors(source, options)
    seal = None if given is not None else _seal(options)
    records, notes = (
        _records(source, options, gold) if given is None else (given.table, given.table.notes)
    )
    judged = PanelVotes(
        records,
        replace(notes, columns=found | dict(notes.columns)),
        gold,
        groups=groups,
        items=items,
        anchors=anchors,
        seal=seal,
        probability=probability,
        states=None if given is None else given.states,
        passing=_what_passes(given),
    )
    before = None if reading is None else partial(print_reading, reading, options)
    return tell_panel(shown_name(votes), judged, options, before)


def _find_items(votes: str, options: dict[str, Any]) -> dict[str, str]:
    """Find the column that names the items, for what asks about single ones, and return it as what was found."""
    if not (_asks_of_items(options) or options["gold"]) or counting_option(options) is not None:
        return {}
    source = source_to_count(current_source(votes), options)
    columns = _columns(source, options)
    options["task"] = columns.with_items(source).task
    return {} if options["task"] == columns.task else {options["task"]: "items"}


class _FileVotes(NamedTuple):
    """What was read before: votes, labels by people, parts of the items, and what was not judged."""

    table: VoteTable
    gold: dict[str, str]
    groups: dict[str, str] | None
    states: dict[str, dict[str, int]]
    items: ItemColumns


def _what_passes(given: _FileVotes | None) -> str | None:
    """Return the label that says yes, in a file that was read before."""
    first = None if given is None else given.table.labels[0]
    return first if first is not None and truth_of(first) else None


def _votes_of_file(options: dict[str, Any]) -> _FileVotes | None:
    """Return the votes and labels of a file that was read before, if there is one."""
    given = current_reading()
    if given is None:
        return None
    votes = collect_votes(given.reading, given.choices, names_of(options["labels"]))
    group = options["group"]
    names = [*options["covariate"], *([] if group is None else [group])]
    columns = VoteColumns(options["worker"], options["task"], options["label"])
    named, others = columns_of_reading(
        votes, given.reading, list(dict.fromkeys(names)), columns, options["items"]
    )
    groups = None if group is None else named[group]
    clusters = clusters_of(options, votes)
    items = join_values({name: named[name] for name in options["covariate"]} | others, clusters)
    table, gold = votes.join_clusters(clusters)
    if options["positive"] is not None:
        table = with_positive(table, options["positive"])
    system = ", ".join(choose_systems(given.reading, given.choices))
    return _FileVotes(table, gold, groups, {system: votes.states}, items)


def _source(votes: str, options: dict[str, Any]) -> tuple[Any, dict[str, str] | None, ItemColumns]:
    """Return the votes with scores as passes, the part that each item belongs to, and covariates."""
    source: Any = source_to_count(current_source(votes), options)
    columns, file = _columns(source, options), options["items"]
    names = dict.fromkeys(
        [*options["covariate"], *([options["group"]] if options["group"] else [])]
    )
    items: ItemColumns = {}
    if names:
        source, items = read_item_columns(source, columns, list(names), file)
    groups = None if options["group"] is None else items[options["group"]]
    items = {name: items[name] for name in options["covariate"]}
    if options["gold"] is not None:
        items |= other_columns(source, columns, file)
    items = join_values(items, clusters_of(options))
    if options["pass_at"] is not None:
        from askpoint.records.pass_marks import mark_passes

        source = mark_passes(source, options["pass_at"], _columns(source, options))
    return source, groups, items


def _votes_of_probabilities(
    source: Any, options: dict[str, Any], given: _FileVotes | None
) -> tuple[Any, dict[str, FloatArray]]:
    """Return probabilities as votes, and as they are."""
    from askpoint.records.panel_votes import mark_probable

    label, named = options["probability_of"], names_of(options["labels"]) or ()
    if given is not None or options["clusters"] is not None or options["pass_at"] is not None:
        raise InputError(
            "--probability-of takes a table with one column per judge, without --clusters and --pass-at"
        )
    if named and (len(named) != 2 or label not in named):
        raise InputError(
            f"--labels must name two labels with --probability-of, {label!r} among them; got "
            f"{', '.join(named)}"
        )
    other = next((name for name in named if name != label), f"not {label}")
    options["labels"] = options["labels"] or f"{label},{other}"
    return mark_probable(source, _columns(source, options), label, other)


def _columns(votes: Any, options: dict[str, Any]) -> VoteColumns:
    judges = names_of(options["judges"])
    gold = options["gold"]
    is_column = gold is not None and not Path(gold).exists() and gold in open_table(votes).columns
    names = (options["worker"], options["task"], options["label"])
    return VoteColumns(*names, judges, gold if is_column else None)


def _gold(votes: Any, options: dict[str, Any]) -> dict[str, str]:
    if options["gold"] is None:
        return {}
    columns = _columns(votes, options)
    source = options["gold"] if columns.gold is None else votes
    gold = read_gold(source, columns, partial(names_of_items, votes, columns))
    if options["pass_at"] is not None:
        from askpoint.records.pass_marks import mark_passed_gold

        gold = mark_passed_gold(gold, options["pass_at"])
    if (label := options["probability_of"]) is not None:
        other = next(name for name in names_of(options["labels"]) or () if name != label)
        gold = {task: known if known == label else other for task, known in gold.items()}
    if (clusters := clusters_of(options)) is not None:
        from askpoint.judges.clusters import cluster_gold

        gold = cluster_gold(gold, clusters)
    return gold


def _seal(options: dict[str, Any]) -> str | None:
    """Return the seal that a file of labels carries in a column of that name."""
    if options["gold"] is None or not Path(options["gold"]).exists():
        return None
    table = open_table(options["gold"])
    if "seal" not in table.columns:
        return None
    seals = {str(one) for one in table.read(["seal"])["seal"].drop_nulls()}
    if len(seals) > 1:
        raise InputError(
            f"the labels must carry one seal; got {', '.join(sorted(seals))}. Give the labels of one draw."
        )
    return next(iter(seals), None)


def _anchors(votes: Any, options: dict[str, Any]) -> VoteTable | None:
    if options["anchor"] is None:
        return None
    table = read_votes(
        options["anchor"],
        _columns(votes, options),
        labels=names_of(options["labels"]),
        repeats=options["repeats"],
        missing=names_of(options["missing"]) or (),
    )
    return table if options["positive"] is None else with_positive(table, options["positive"])


def _asks_of_items(options: dict[str, Any]) -> bool:
    """Say whether single items are asked about, so that counts of votes do not do."""
    asked = ("propose", "window", "positive", "clusters", "anchor", "policy", "covariate")
    return needs_items(options) or any(options[name] not in (None, (), 0) for name in asked)


def _records(
    votes: Any, options: dict[str, Any], gold: Mapping[str, str]
) -> tuple[VoteTable | VoteSketch, VoteNotes]:
    """Read the votes, or only count them where no single item is asked about."""
    columns = _columns(votes, options)
    labels, missing = names_of(options["labels"]), names_of(options["missing"]) or ()
    table = open_table(votes)
    by_item = _asks_of_items(options) or gold
    if by_item and (option := counting_option(options)) is not None:
        raise InputError(_ONLY_COUNTED.format(option))
    is_long = columns.is_long(table.columns)
    if is_long and options["cache"] is not None:
        raise InputError(_ONLY_COUNTED.format("--cache"))
    if by_item or (is_long and options["engine"] is None):
        read = read_votes(
            votes, columns, labels=labels, repeats=options["repeats"], missing=missing
        )
        if (clusters := clusters_of(options)) is not None:
            from askpoint.judges.clusters import cluster_votes

            read = cluster_votes(read, clusters)
        if options["positive"] is not None:
            read = with_positive(read, options["positive"])
        return read, read.notes
    if options["repeats"] != "refuse":
        raise InputError(
            "--repeats is for files with one row per vote; in this one each item has one row"
        )
    total = None if options["engine"] is not None else table.n_rows()
    with counting("counting votes", total, options) as (progress, cache):
        return count_votes(
            votes, columns, labels=labels, missing=missing, progress=progress, cache=cache
        )
