"""Votes on two systems: which is better, and whether the new one passes a gate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from askpoint.cli.actions.cluster_files import clusters_of
from askpoint.cli.actions.systems_answer import JudgedPair, refuse_for_one, tell_systems
from askpoint.cli.columns import names_of
from askpoint.cli.reading_context import ReadingContext, current_reading
from askpoint.errors import InputError
from askpoint.records.item_columns import read_groups
from askpoint.records.pass_marks import mark_passed_gold, mark_passes
from askpoint.records.readers.brought import choose_systems, collect_votes
from askpoint.records.readers.sources import system_names
from askpoint.records.system_files import read_systems, read_systems_gold
from askpoint.records.tables import open_table
from askpoint.records.vote_spellings import with_positive
from askpoint.records.votes import VoteColumns

__all__ = ["report_systems"]


def report_systems(votes: Sequence[str], options: Mapping[str, Any]) -> int:
    """Compare two systems, tell who is better, and return the exit code."""
    refuse_for_one(options)
    given = current_reading()
    judged = _systems_of(votes, options) if given is None else _pair_readings(given, options)
    return tell_systems(judged, options)


def _pair_readings(given: ReadingContext, options: Mapping[str, Any]) -> JudgedPair:
    reading, choices = given
    names = list(choose_systems(reading, choices))
    chosen = names_of(options["systems"]) or names
    base = options["no_worse_than"]
    if base is not None and options["systems"] is None and base in names:
        chosen = [base, *(name for name in names if name != base)]
    for name in (*chosen, *([base] if base is not None else [])):
        if name not in names:
            raise InputError(f"there is no system {name!r}; there are {', '.join(names)}")
    if len(set(chosen)) != 2:
        raise InputError(
            f"there are {len(names)} systems ({', '.join(names[:8])}); two are compared at a time: "
            "--systems OLD,NEW"
        )
    positive, labels = options["positive"], names_of(options["labels"])
    found = {
        name: collect_votes(reading, choices, labels, system=name, both=chosen) for name in chosen
    }
    tables, gold = {}, {}
    groups: dict[str, str] | None = None if options["group"] is None else {}
    for name, votes in found.items():
        if groups is not None:
            groups |= votes.parts(reading, options["group"])
        tables[name], gold[name] = votes.join_clusters(clusters_of(options, votes))
        if positive is not None and len(tables[name].labels) > 2:
            tables[name] = with_positive(tables[name], positive)
            gold[name] = {
                t: k if k == positive else f"not {positive}" for t, k in gold[name].items()
            }
    return JudgedPair(tables, gold, {name: votes.states for name, votes in found.items()}, groups)


def _systems_of(votes: Sequence[str], options: Mapping[str, Any]) -> JudgedPair:
    if options["clusters"] is not None:
        raise InputError(
            "--clusters of two systems needs a reader: `askpoint OLD NEW --clusters COLUMN`"
        )
    system, chosen, base = options["system"], names_of(options["systems"]), options["no_worse_than"]
    files = list(votes)
    if base is not None and (system is None or Path(base).exists()):
        files = [base, *files]
    elif base is not None and chosen is None:
        chosen = [base, *_other(files, options["system"], base)]
    if system is not None and len(files) > 1:
        raise InputError("--system is for one file with a column of systems; got several files")
    if system is None and len(files) != 2:
        raise InputError(
            f"two systems take two files, or one and --system COLUMN; got {len(files)} file"
            f"{'s' * (len(files) != 1)}"
        )
    gold, columns = options["gold"], _columns(files, options)
    sources: dict[str, Any] = dict(zip(system_names(files), files, strict=True))
    groups: dict[str, str] | None = None if options["group"] is None else {}
    if groups is not None:
        for name, file in sources.items():
            sources[name], parts = read_groups(file, columns, options["group"], options["items"])
            groups |= parts
    if options["pass_at"] is not None:
        keep = [] if system is None else [system]
        sources = {
            name: mark_passes(file, options["pass_at"], columns, keep)
            for name, file in sources.items()
        }
    judged = read_systems(
        sources,
        columns,
        system,
        chosen,
        labels=names_of(options["labels"]),
        repeats=options["repeats"],
        missing=names_of(options["missing"]) or (),
    )
    known = read_systems_gold(
        None if columns.gold is not None else gold, judged, system or "system"
    )
    if options["pass_at"] is not None:
        known = {name: mark_passed_gold(of, options["pass_at"]) for name, of in known.items()}
    tables, positive = dict(judged.tables), options["positive"]
    labels = next(iter(tables.values())).labels
    if positive is not None and len(labels) > 2:
        tables = {name: with_positive(table, positive) for name, table in tables.items()}
        known = {
            name: {t: k if k == positive else f"not {positive}" for t, k in of.items()}
            for name, of in known.items()
        }
    return JudgedPair(tables, known, {}, groups)


def _columns(files: Sequence[str], options: Mapping[str, Any]) -> VoteColumns:
    gold = options["gold"]
    is_column = gold is not None and not Path(gold).exists()
    if is_column and gold not in open_table(files[0]).columns:
        raise InputError(f"there is neither a file nor a column {gold!r} of people's labels")
    names = (options["worker"], options["task"], options["label"])
    return VoteColumns(*names, names_of(options["judges"]), gold if is_column else None)


def _other(files: Sequence[str], system: str, base: str) -> list[str]:
    """Return the system that is not the one to beat."""
    found = open_table(files[0]).read([system])[system].cast(str).unique(maintain_order=True)
    return [name for name in found if name != base]
