"""A gate on votes in plain files, with NumPy and SciPy alone: for a build where polars is not installed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from askpoint.cli.actions.panel_answer import PanelVotes, tell_panel
from askpoint.cli.actions.systems_answer import JudgedPair, refuse_for_one, tell_systems
from askpoint.cli.columns import names_of
from askpoint.cli.report import check_files, shown_name
from askpoint.errors import InputError
from askpoint.judges.sketch.codes import label_name
from askpoint.records.plain_votes import (
    PlainColumns,
    read_plain,
    read_plain_gold,
    read_plain_pair,
    read_plain_votes,
)
from askpoint.records.vote_spellings import with_positive

__all__ = ["answer_plain_votes"]

_READ_BY_POLARS = (
    *("anchor", "cache", "clusters", "covariate", "engine", "group", "items", "pass_at"),
    *("policy", "probability_of", "query", "system", "systems"),
)


def answer_plain_votes(votes: Sequence[str], options: Mapping[str, Any]) -> int:
    """Report on votes in a CSV file or JSON lines, and return the exit code of the gate.

    Raises
    ------
    InputError
        If an option needs more than plain files.
    """
    check_files(options, "junit", "summary")
    for name in _READ_BY_POLARS:
        if options[name] not in (None, (), False):
            option = {"group": "by"}.get(name, name).replace("_", "-")
            raise InputError(f'--{option} takes polars: `pip install "askpoint"` with all it needs')
    columns = PlainColumns(
        options["worker"], options["task"], options["label"], names_of(options["judges"])
    )
    reading = {
        "labels": names_of(options["labels"]),
        "repeats": options["repeats"],
        "missing": names_of(options["missing"]) or (),
    }
    if len(votes) > 1 or options["no_worse_than"] is not None or options["margin"] is not None:
        return _two_systems(votes, columns, reading, options)
    table = read_plain(votes[0])
    named, columns = columns, columns.with_items(table)
    items = {} if columns == named else {columns.task: "items"}
    gold: str | None = options["gold"]
    known: dict[str, str] = {}
    seal = None
    if gold is not None:
        is_column = not Path(gold).exists() and gold in table.columns
        source = table if is_column else read_plain(gold)
        known = read_plain_gold(table, columns, gold if is_column else source)
        seals = {label_name(one) for one in source.columns.get("seal", ())} - {""}
        if len(seals) > 1:
            raise InputError(f"the labels must carry one seal; got {', '.join(sorted(seals))}")
        seal = next(iter(seals), None)
    read = read_plain_votes(table, columns, **reading)
    if options["positive"] is not None:
        read = with_positive(read, options["positive"])
    notes = replace(read.notes, columns=items)
    return tell_panel(shown_name(votes[0]), PanelVotes(read, notes, known, seal=seal), options)


def _two_systems(
    votes: Sequence[str],
    columns: PlainColumns,
    reading: Mapping[str, Any],
    options: Mapping[str, Any],
) -> int:
    refuse_for_one(options)
    base = options["no_worse_than"]
    files = [*([] if base is None else [base]), *votes]
    if len(files) != 2:
        raise InputError(
            f"two systems take two files; got {len(files)} file{'s' * (len(files) != 1)}"
        )
    names = [Path(file).name.split(".")[0] for file in files]
    names = names if len(set(names)) == 2 else files
    known = None if options["gold"] is None else read_plain(options["gold"])
    read = {name: read_plain(file) for name, file in zip(names, files, strict=True)}
    columns = columns.with_items(next(iter(read.values())))
    tables, gold = read_plain_pair(read, columns, known, **reading)
    positive = options["positive"]
    if positive is not None and len(next(iter(tables.values())).labels) > 2:
        tables = {name: with_positive(table, positive) for name, table in tables.items()}
        gold = {
            name: {item: k if k == positive else f"not {positive}" for item, k in of.items()}
            for name, of in gold.items()
        }
    return tell_systems(JudgedPair(tables, gold, {}, None), options)
