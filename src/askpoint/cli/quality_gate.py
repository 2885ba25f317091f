"""Options of a gate, and how a command ends that has one: files for a build, and its exit code."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import click

from askpoint.answers.judges.answer import JudgesAnswer
from askpoint.answers.judges.gate import (
    FAULTS,
    GateOutcome,
    Verdict,
    by_faults,
    by_share,
    labels_to_begin,
    outcome_of,
    pass_share,
)
from askpoint.answers.judges.gold_labels import items_to_check
from askpoint.answers.judges.groups import GroupShares, answer_groups
from askpoint.answers.judges.label_origin import SELECTED_LABELS
from askpoint.answers.judges.plan import LabelPlan, plan_labels
from askpoint.judges.evaluators import DAWID_SKENE
from askpoint.judges.sketch.tables import VoteTable
from askpoint.measures.seals import order_by_seal
from askpoint.records.artefacts import write_text
from askpoint.reports.document import Document, Section
from askpoint.reports.judges.gate import gate_object, gate_section, junit_text, summary_text
from askpoint.reports.judges.groups import groups_object, groups_section
from askpoint.reports.judges.plan import plan_object, plan_section

__all__ = [
    "JudgesExtras",
    "finish_gate",
    "gate_options",
    "judges_extras",
    "needs_items",
    "panel_options",
    "systems_options",
    "with_defaults",
]

_Command = TypeVar("_Command", bound=Callable[..., Any])
_CODES = {GateOutcome.PASSES: 0, GateOutcome.FAILS: 1, GateOutcome.UNDECIDED: 3}
_PANEL = (
    click.option(
        "--pass-at", type=float, metavar="SCORE", help="Votes are scores: a pass from this one on."
    ),
    click.option(
        "--by",
        "group",
        metavar="COLUMN",
        help="With --gold: the share in each group of the items, too.",
    ),
    click.option(
        "--plan",
        type=float,
        metavar="WIDTH",
        help="How many labels bring the share of a label to within WIDTH, such as 0.03.",
    ),
)
_SYSTEMS = (
    click.option(
        "--system",
        metavar="COLUMN",
        help="Two systems judged by one panel: the column that names the system, in VOTES and in the "
        "file of --gold. Two files do as well, and are called by their names.",
    ),
    click.option(
        "--systems",
        metavar="OLD,NEW",
        help="Which two of the systems, and which is the one to beat.",
    ),
    click.option(
        "--look",
        type=click.Choice(["once", "again"]),
        default="once",
        help="You look once, or again as labels come in: then the intervals hold however often.",
    ),
)
_GATE = (
    click.option(
        "--at-least",
        type=float,
        metavar="SHARE",
        help="The label of interest is the truth of at least this share. Exit code 0 passes, 1 "
        "fails, 3 cannot be decided from these labels, 2 bad input.",
    ),
    click.option(
        "--no-worse-than",
        metavar="FILE",
        help="VOTES' system is no worse than that of FILE (with --system: of that name).",
    ),
    click.option(
        "--margin",
        type=float,
        metavar="SHARE",
        help="With --no-worse-than: by so much worse is still as good, such as 0.02.",
    ),
    click.option("--fail-on", metavar="NAMES", help=f"Fail on {', '.join(FAULTS)}, with commas."),
    click.option(
        "--junit", type=click.Path(), metavar="FILE", help="Write the gate as JUnit's XML."
    ),
    click.option(
        "--summary", type=click.Path(), metavar="FILE", help="Write a summary in Markdown."
    ),
)
_DEFAULTS: dict[str, Any] = dict.fromkeys(
    (
        *(
            "system",
            "systems",
            "at_least",
            "no_worse_than",
            "margin",
            "fail_on",
            "junit",
            "summary",
        ),
        *("mistake", "check", "rho", "max_error", "guarantee", "policy", "probability_of"),
    )
) | {"look": "once"}


class JudgesExtras:
    """What plan, groups and gate add to a report on judges."""

    def __init__(self) -> None:
        self.first: list[Section] = []
        self.last: list[Section] = []
        self.content: dict[str, Any] = {}
        self.verdicts: list[Verdict] = []
        self.proposed: tuple[str, ...] = ()

    def on(self, document: Document) -> Document:
        """Return the report with them."""
        sections = (*self.first, *document.sections, *self.last)
        return Document(document.title, sections, document.footer)


def panel_options(command: _Command) -> _Command:
    """Add the options of any panel's votes to a command."""
    return _add(_PANEL, command)


def systems_options(command: _Command) -> _Command:
    """Add the options of two systems to a command."""
    return _add(_SYSTEMS, command)


def gate_options(command: _Command) -> _Command:
    """Add the options of a gate to a command."""
    return _add(_GATE, command)


def _add(options: Sequence[Callable[[_Command], _Command]], command: _Command) -> _Command:
    for option in reversed(options):
        command = option(command)
    return command


def with_defaults(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a command as one of two systems with a gate would have them."""
    return _DEFAULTS | dict(options)


def needs_items(options: Mapping[str, Any]) -> bool:
    """Say whether an option needs the items' names, not counts alone."""
    return any(options[name] is not None for name in ("group", "plan", "at_least"))


def judges_extras(
    answer: JudgesAnswer,
    table: object,
    groups: Mapping[str, str] | None,
    options: Mapping[str, Any],
) -> JudgesExtras:
    """Answer what was asked beside the usual of one panel's votes."""
    found, again = JudgesExtras(), options["look"] == "again"
    if isinstance(table, VoteTable) and answer.table is not None:
        table = answer.table
        gold = answer.origin.labels
        if options["at_least"] is not None:
            _gate_share(found, answer, table, options["at_least"], again)
        if groups is not None:
            told: GroupShares = answer_groups(answer, table, groups, any_time=again)
            found.last.append(groups_section(told))
            found.content["groups"] = groups_object(told)
        if options["plan"] is not None:
            plan: LabelPlan = plan_labels(table, gold, within=options["plan"])
            found.first.append(plan_section(plan))
            found.content["plan"] = plan_object(plan)
    if options["fail_on"] is not None:
        found.verdicts += by_faults(answer, options["fail_on"].split(","))
    if found.verdicts:
        found.first.insert(0, gate_section(found.verdicts, found.proposed))
        found.content["gate"] = gate_object(found.verdicts, found.proposed)
    return found


def _gate_share(
    found: JudgesExtras, answer: JudgesAnswer, table: VoteTable, edge: float, again: bool
) -> None:
    share, more = pass_share(answer, any_time=again), None
    votes = answer.by(DAWID_SKENE)
    if share is None and votes is not None and 0 < edge < 1:
        more = labels_to_begin(table, votes.prevalence[answer.label], edge)
    why = SELECTED_LABELS if answer.origin.is_refused else "no labels by people"
    verdict = by_share(answer.label, edge, share, len(table.tasks), more, why)
    found.verdicts.append(verdict)
    if verdict.more:
        gold = answer.question.gold
        if answer.origin.is_refused:
            left = (task for task in order_by_seal(table.tasks) if task not in gold)
            found.proposed = tuple(left)[: verdict.more]
            return
        found.proposed = items_to_check(
            table, answer.sketch, gold, verdict.more, answer.evidence.gold
        ).tasks


def finish_gate(
    document: Document,
    verdicts: Sequence[Verdict],
    proposed: Sequence[str],
    options: Mapping[str, Any],
) -> int:
    """Write the files that a build wants, and return the exit code."""
    if options["junit"] is not None:
        write_text(options["junit"], junit_text(verdicts))
    if options["summary"] is not None:
        write_text(options["summary"], summary_text(document, verdicts, proposed))
    return _CODES[outcome_of(verdicts)]
