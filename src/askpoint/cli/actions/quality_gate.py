"""What plan, groups and gate add to a report on judges, and how a command ends that has a gate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from askpoint.reports.document import Document, Section

if TYPE_CHECKING:
    from askpoint.answers.judges.answer import JudgesAnswer
    from askpoint.answers.judges.gate import Verdict
    from askpoint.judges.sketch.tables import VoteTable

__all__ = ["JudgesExtras", "finish_gate", "judges_extras", "needs_items"]

_CODES = {"passes": 0, "fails": 1, "undecided": 3}


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
        return replace(document, sections=sections)


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
    from askpoint.judges.sketch.tables import VoteTable

    found, again = JudgesExtras(), options["look"] == "again"
    if isinstance(table, VoteTable) and answer.table is not None:
        table = answer.table
        gold = answer.origin.labels
        if options["at_least"] is not None:
            _gate_share(found, answer, table, options["at_least"], again)
        if groups is not None:
            from askpoint.answers.judges.groups import answer_groups
            from askpoint.reports.judges.groups import groups_object, groups_section

            told = answer_groups(answer, table, groups, any_time=again)
            found.last.append(groups_section(told))
            found.content["groups"] = groups_object(told)
        if options["plan"] is not None:
            from askpoint.answers.judges.plan import plan_labels
            from askpoint.reports.judges.plan import plan_object, plan_section

            plan = plan_labels(table, gold, within=options["plan"])
            found.first.append(plan_section(plan))
            found.content["plan"] = plan_object(plan)
    if options["fail_on"] is not None:
        from askpoint.answers.judges.gate import by_faults

        found.verdicts += by_faults(answer, options["fail_on"].split(","))
    if found.verdicts:
        from askpoint.reports.judges.gate import gate_object, gate_section

        found.first.insert(0, gate_section(found.verdicts, found.proposed))
        found.content["gate"] = gate_object(found.verdicts, found.proposed)
    return found


def _gate_share(
    found: JudgesExtras, answer: JudgesAnswer, table: VoteTable, edge: float, again: bool
) -> None:
    from askpoint.answers.judges.gate import by_share, labels_to_begin, pass_share
    from askpoint.answers.judges.gold_labels import items_to_check
    from askpoint.answers.judges.label_origin import SELECTED_LABELS
    from askpoint.judges.evaluators import DAWID_SKENE
    from askpoint.measures.seals import order_by_seal

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
    if not verdicts and options["junit"] is None and options["summary"] is None:
        return 0
    from askpoint.answers.judges.gate import outcome_of
    from askpoint.records.artefacts import write_text
    from askpoint.reports.judges.gate import junit_text, summary_text

    if options["junit"] is not None:
        write_text(options["junit"], junit_text(verdicts))
    if options["summary"] is not None:
        write_text(options["summary"], summary_text(document, verdicts, proposed))
    return _CODES[outcome_of(verdicts).value]
