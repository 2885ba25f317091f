"""What votes on two systems say, once they are read: which is better, and whether the new one passes a gate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from askpoint.answers.judges.gate import Verdict, by_share, labels_to_begin, no_worse_than
from askpoint.answers.judges.sole_judge import difference_as_truth
from askpoint.answers.judges.systems import (
    SystemsAnswer,
    SystemsQuestion,
    answer_systems,
    compare_groups,
)
from askpoint.cli.actions.quality_gate import finish_gate
from askpoint.cli.report import print_report
from askpoint.errors import InputError
from askpoint.judges.sketch.tables import VoteTable
from askpoint.reports.judges.gate import gate_object, gate_section
from askpoint.reports.judges.sole_judge import sole_judge_object, sole_judge_section
from askpoint.reports.judges.systems import (
    parts_object,
    parts_section,
    systems_document,
    systems_object,
)
from askpoint.reports.judges.unjudged import outcomes_object, outcomes_section

__all__ = ["JudgedPair", "refuse_for_one", "tell_systems"]

_NOT_HERE = ("window", "anchor", "plan", "fail_on")


class JudgedPair(NamedTuple):
    """Votes, labels by people, what was not judged, and parts of the items, of two systems."""

    tables: dict[str, VoteTable]
    gold: dict[str, dict[str, str]]
    states: dict[str, dict[str, int]]
    groups: dict[str, str] | None


def refuse_for_one(options: Mapping[str, Any]) -> None:
    """Refuse options that are for one system."""
    for name in _NOT_HERE:
        if options[name] is not None:
            raise InputError(f"--{name.replace('_', '-')} is for one system; got two")
    if options["covariate"]:
        raise InputError("--covariate is for the votes on one system; leave it out for two")


def tell_systems(judged: JudgedPair, options: Mapping[str, Any]) -> int:
    """Compare two systems, tell who is better, and return the exit code."""
    tables, gold, states, groups = judged
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
