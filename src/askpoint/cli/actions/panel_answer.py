"""What a panel's votes say, once they are read: the report, and the exit code of a gate."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from askpoint.answers.judges.case import answer_judges
from askpoint.answers.judges.question import JudgesQuestion
from askpoint.answers.judges.sole_judge import share_as_truth
from askpoint.cli.actions.quality_gate import finish_gate, judges_extras
from askpoint.cli.judge_parameters import BY_NAME, judge_families, vote_prices
from askpoint.cli.progress import LateProgress
from askpoint.cli.report import print_report
from askpoint.judges.family_names import families_by_name
from askpoint.judges.methods.identification import BetterThanChance
from askpoint.judges.sketch.tables import VoteNotes, VoteTable
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.measures.inputs import FloatArray
from askpoint.records.vote_spellings import spell_gold
from askpoint.reports.judges.document import judges_document
from askpoint.reports.judges.unjudged import outcomes_object, outcomes_section

__all__ = ["PanelVotes", "tell_panel"]

_OF_PANEL = ("mistake", "currency", "rho", "max_error", "guarantee", "policy", "probability_of")


class PanelVotes(NamedTuple):
    """Votes that were read or counted, and what is known beside them."""

    records: VoteTable | VoteSketch
    notes: VoteNotes
    gold: Mapping[str, str]
    groups: Mapping[str, str] | None = None
    items: Mapping[str, Mapping[str, str]] = {}
    anchors: VoteTable | None = None
    seal: str | None = None
    probability: Mapping[str, FloatArray] | None = None
    states: Mapping[str, Mapping[str, int]] | None = None
    passing: str | None = None


def tell_panel(
    name: str,
    votes: PanelVotes,
    options: Mapping[str, Any],
    before: Callable[[], None] | None = None,
) -> int:
    """Report on the votes of a panel, and return the exit code of a gate; `before` is called before the report."""
    by_name = options["family"] == (BY_NAME,)
    question = JudgesQuestion(
        root=options["root"] or (BetterThanChance(),),
        required=options["required"],
        gold=votes.gold,
        propose=options["propose"],
        window=options["window"],
        families={} if by_name else judge_families(options["family"]),
        guess_families=not options["no_family"],
        looks=options["looks"],
        anchors=votes.anchors,
        within=options["within"],
        correlation=options["correlation"],
        positive=options["positive"],
        labels_named=options["labels"] is not None,
        random=options["random"],
        seal=votes.seal,
        check=options["check"],
        vote_prices=vote_prices(options["vote"], options["check"]),
        covariates={name: votes.items[name] for name in options["covariate"]},
        other_columns={k: v for k, v in votes.items.items() if k not in options["covariate"]},
    )
    records, notes = votes.records, votes.notes
    question = replace(
        question,
        gold=spell_gold(question.gold, records.labels, notes),
        positive=votes.passing if options["positive"] is None else records.labels[0],
    )
    if by_name:
        question = replace(question, families=families_by_name(records.judges))
    with LateProgress("evaluating", shows="step") as status:
        answer = answer_judges(
            records, question, progress=lambda method: status.update(text=method)
        )
    answer = replace(answer, notes=notes)
    extras = judges_extras(answer, records, votes.groups, options)
    if votes.states is not None and (section := outcomes_section(votes.states)) is not None:
        extras.last.append(section)
        extras.content["outcomes"] = outcomes_object(votes.states)
    panel = None
    if answer.n_gold or any(options[name] is not None for name in _OF_PANEL):
        from askpoint.cli.actions.panel_policy import report_panel

        panel = report_panel(answer, answer.table, votes.probability, options)
    if panel is not None:
        extras.content |= panel.content
    sole = share_as_truth(records, answer.label) if isinstance(records, VoteTable) else None
    if sole is not None and not answer.n_gold:
        from askpoint.reports.judges.sole_judge import sole_judge_object, sole_judge_section

        extras.last.append(sole_judge_section(sole))
        extras.content["sole_judge"] = sole_judge_object(sole)
    if (at_most := options["correlation_at_most"]) is not None:
        from askpoint.reports.judges.bounded_correlations import (
            bound_sketch,
            object_of_bounds,
            section_of_bounds,
        )

        bounds = bound_sketch(answer.sketch, at_most)
        extras.last.append(section_of_bounds(bounds, answer.sketch, at_most))
        extras.content["correlation_at_most"] = object_of_bounds(bounds, answer.sketch, at_most)
    if before is not None:
        before()
    document = judges_document(answer, name)
    if panel is not None:
        from askpoint.reports.judges.panel_verdicts import with_verdicts

        document = with_verdicts(document, panel.verdicts)
    document = extras.on(document)

    def content() -> dict[str, Any]:
        from askpoint.reports.judges.json import judges_object

        return judges_object(answer) | extras.content

    print_report(document, content, options, answer)
    return finish_gate(document, extras.verdicts, extras.proposed, options)
