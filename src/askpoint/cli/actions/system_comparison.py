"""Votes on two systems: which is better, and whether the new one passes a gate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from askpoint.answers.judges.gate import Verdict, by_share, labels_to_begin, no_worse_than
from askpoint.answers.judges.sole_judge import difference_as_truth
from askpoint.answers.judges.systems import (
    SystemsAnswer,
    SystemsQuestion,
    answer_systems,
    compare_groups,
)
from askpoint.cli.actions.cluster_files import clusters_of
from askpoint.cli.actions.quality_gate import finish_gate
from askpoint.cli.columns import names_of
from askpoint.cli.reading_context import ReadingContext, current_reading
from askpoint.cli.report import print_report
from askpoint.errors import InputError
from askpoint.judges.sketch.tables import VoteTable
from askpoint.records.item_columns import read_groups
from askpoint.records.pass_marks import mark_passed_gold, mark_passes
from askpoint.records.readers.brought import choose_systems, collect_votes
from askpoint.records.readers.sources import system_names
from askpoint.records.system_files import read_systems, read_systems_gold
from askpoint.records.tables import open_table
from askpoint.records.votes import VoteColumns, with_positive
from askpoint.reports.judges.gate import gate_object, gate_section
from askpoint.reports.judges.sole_judge import sole_judge_object, sole_judge_section
from askpoint.reports.judges.systems import (
    parts_object,
    parts_section,
    systems_document,
    systems_object,
)
from askpoint.reports.judges.unjudged import outcomes_object, outcomes_section

__all__ = ["report_systems"]

_NOT_HERE = ("window", "anchor", "plan", "fail_on")


def report_systems(votes: Sequence[str], options: Mapping[str, Any]) -> int:
    """Compare two systems, tell who is better, and return the exit code."""
    for name in _NOT_HERE:
        if options[name] is not None:
            raise InputError(f"--{name.replace('_', '-')} is for one system; here are two")
    if options["covariate"]:
        raise InputError("--covariate is for the votes on one system; leave it out for two")
    given = current_reading()
    tables, gold, states, groups = (
        _systems_of(votes, options) if given is None else _of_brought(given, options)
    )
    question = SystemsQuestion(
        options["positive"],
        any_time=options["look"] == "again",
        propose=options["propose"],
        random=options["random"],
    )
    answer = answer_systems(tables, gold, question)
    verdicts = list(_verdicts(answer, options))
    proposed: tuple[str, ...] = ()
    first, content = [], systems_object(answer)
    if verdicts:
        proposed = answer.propose(max(verdict.more or 0 for verdict in verdicts))
        first.append(gate_section(verdicts, proposed))
        content["gate"] = gate_object(verdicts, proposed)
    document = systems_document(answer, *first)
    sole = difference_as_truth(*answer.tables, answer.passing)
    if sole is not None and answer.comparison is None:
        place = len(first) + 1  # after the answer
        sections = document.sections
        document = replace(
            document, sections=(*sections[:place], sole_judge_section(sole), *sections[place:])
        )
        content["sole_judge"] = sole_judge_object(sole)
    if groups is not None:
        parts = compare_groups(answer, gold, groups)
        document = replace(document, sections=(*document.sections, parts_section(answer, parts)))
        content["groups"] = parts_object(answer, parts)
    if (section := outcomes_section(states)) is not None:
        document = replace(document, sections=(*document.sections, section))
        content["outcomes"] = outcomes_object(states)
    print_report(document, lambda: content, options, answer)
    return finish_gate(document, verdicts, proposed, options)


def _verdicts(answer: SystemsAnswer, options: Mapping[str, Any]) -> list[Verdict]:
    found, new = [], answer.names[1]
    if options["no_worse_than"] is not None or options["margin"] is not None:
        found.append(no_worse_than(answer, options["margin"] or 0.0))
    if (edge := options["at_least"]) is not None:
        share, more, told = None, None, answer.comparison
        if told is not None:
            share = (told.shares[1].share, told.shares[1].interval, told.n_gold)
        elif 0 < edge < 1:
            more = labels_to_begin(answer.tables[1], answer.by_votes[1], edge)
        why = answer.reason if answer.is_refused else "no labels by people"
        name = f"{answer.passing} of {new}"
        found.append(by_share(name, edge, share, answer.n_items, more, why))
    return found


class _Judged(NamedTuple):
    """Votes, labels by people, what was not judged, and parts of the items, of two systems."""

    tables: dict[str, VoteTable]
    gold: dict[str, dict[str, str]]
    states: dict[str, dict[str, int]]
    groups: dict[str, str] | None


def _of_brought(given: ReadingContext, options: Mapping[str, Any]) -> _Judged:
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
    return _Judged(tables, gold, {name: votes.states for name, votes in found.items()}, groups)


def _systems_of(votes: Sequence[str], options: Mapping[str, Any]) -> _Judged:
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
        raise InputError(
            "--system is for one file with a column of systems; here are several files"
        )
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
    return _Judged(tables, known, {}, groups)


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
