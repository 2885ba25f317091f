"""What is known of what the model does not know: from an examination, or from labels at hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from askpoint.answers.examination.comparison import CompareAnswer
from askpoint.answers.examination.regions_answer import (
    ExamineQuestion,
    RegionsAnswer,
    ReleasesAnswer,
    answer_regions,
    answer_releases,
)
from askpoint.errors import NotEstimableError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.inputs import FloatArray
from askpoint.measures.intervals import Interval, binomial_interval
from askpoint.records.judged_cases import FoundCases
from askpoint.records.samples import JudgedSample
from askpoint.records.scored_batches import ScoredTable
from askpoint.unknowns.cases import labels_in_order
from askpoint.unknowns.findings import Findings, examination_findings
from askpoint.unknowns.quadrants import Quadrants, item_quadrants
from askpoint.unknowns.severity import severities
from askpoint.unknowns.stopping import StopAdvice, StopAtWidth

__all__ = [
    "DecisionLine",
    "ExaminationAnswer",
    "LabelledAnswer",
    "answer_judged",
    "answer_labelled",
]


class DecisionLine(NamedTuple):
    """What became of the cases that were decided for one class.

    Parameters
    ----------
    decision : str
        The class.
    cases, wrong, surely_wrong : int
        Cases with a known truth, mistakes among them, and those that the model was sure of.
    interval : Interval
        Of the share that is surely wrong; for all lines at once.
    """

    decision: str
    cases: int
    wrong: int
    surely_wrong: int
    interval: Interval


@dataclass(frozen=True, eq=False)
class ExaminationAnswer:
    """What an examination says.

    Parameters
    ----------
    n_items : int
        Cases in the log.
    costs : CostMatrix
        What mistakes cost.
    findings : Findings
        Found and estimated.
    advice : StopAdvice
        Whether enough was judged.
    regions : RegionsAnswer
        Where the mistakes are.
    n_judges : int
        Judges that are named; 0 if none is.
    agreement : tuple of two int, or None
        Cases that several judges saw, and those on which all agree; None without such cases.
    question : ExamineQuestion
        How it was read.
    by_decision : tuple of DecisionLine
        Of the judged cases as they were drawn, where the model is most often surely wrong first.
    comparison : CompareAnswer or None
        With cases that another method brought, where asked.
    releases : ReleasesAnswer or None
        Where it is unsure and right, where asked.
    """

    n_items: int
    costs: CostMatrix
    findings: Findings
    advice: StopAdvice
    regions: RegionsAnswer
    n_judges: int
    agreement: tuple[int, int] | None
    question: ExamineQuestion
    by_decision: tuple[DecisionLine, ...] = ()
    comparison: CompareAnswer | None = None
    releases: ReleasesAnswer | None = None


@dataclass(frozen=True, eq=False)
class LabelledAnswer:
    """What the labels say that a log has.

    Parameters
    ----------
    n_items, n_labelled, n_mistakes : int
        Cases, those with a label, and wrong decisions among these.
    costs : CostMatrix
        What mistakes cost.
    quadrants : Quadrants
        Of the labelled cases.
    severities : ndarray of shape (n_labelled,)
        0 where the decision was right.
    regions : RegionsAnswer
        Where the mistakes are.
    question : ExamineQuestion
        How it was read.
    by_decision : tuple of DecisionLine
        Of the labelled cases, where the model is most often surely wrong first.
    releases : ReleasesAnswer or None
        Where it is unsure and right, where asked.
    """

    n_items: int
    n_labelled: int
    n_mistakes: int
    costs: CostMatrix
    quadrants: Quadrants
    severities: FloatArray
    regions: RegionsAnswer
    question: ExamineQuestion
    by_decision: tuple[DecisionLine, ...] = ()
    releases: ReleasesAnswer | None = None


def answer_judged(
    scored: ScoredTable, sample: JudgedSample, cases: FoundCases, question: ExamineQuestion
) -> ExaminationAnswer:
    """Evaluate an examination, whole or as far as it was judged."""
    sample = sample.in_classes(scored.classes)
    drawn = sample.examination
    labels = labels_in_order(drawn, sample.items, sample.labels, sample.judges)
    names = np.array(scored.classes, dtype=object)
    decisions = names[cases.decisions]
    findings = examination_findings(
        drawn,
        labels,
        cases.proba,
        decisions,
        scored.costs,
        by=question.by,
        estimated_bound=question.estimated_bound,
        level=question.level,
    )
    n = findings.n_judged
    truths = np.array(labels, dtype=object)
    weights = None if drawn.method == "uncertainty" else 1 / drawn.inclusion[:n]
    return ExaminationAnswer(
        n_items=cases.n_items,
        costs=scored.costs,
        findings=findings,
        advice=StopAtWidth(question.width).advice(findings.mistakes, n),
        regions=answer_regions(scored, cases, np.arange(n), truths, question, weights),
        releases=answer_releases(
            scored, cases, np.arange(n), truths, question, evenly=drawn.method == "random"
        ),
        n_judges=len({judge for judge in sample.judges if judge is not None}),
        agreement=_agreement(sample),
        question=question,
        by_decision=_by_decision(scored, cases.proba[:n], decisions[:n], truths[:n], question),
    )


def answer_labelled(
    scored: ScoredTable, cases: FoundCases, question: ExamineQuestion
) -> LabelledAnswer:
    """Say what the labels of a log show, without a claim for the other cases."""
    rows = np.arange(len(cases.labels))
    if not rows.size:
        raise NotEstimableError(
            "no case of the log has a label, so nothing can be said of its mistakes; draw an "
            "examination for judges: askpoint examine LOG --n 500 --out sample.csv"
        )
    names = np.array(scored.classes, dtype=object)
    decisions, truths = names[cases.decisions], names[cases.labels]
    given = (cases.proba, scored.costs, decisions, truths)
    return LabelledAnswer(
        n_items=cases.n_items,
        n_labelled=len(rows),
        n_mistakes=int((cases.decisions != cases.labels).sum()),
        costs=scored.costs,
        quadrants=item_quadrants(*given, by=question.by, estimated_bound=question.estimated_bound),
        severities=severities(*given, by=question.by),
        regions=answer_regions(scored, cases, rows, truths, question),
        releases=answer_releases(scored, cases, rows, truths, question),
        question=question,
        by_decision=_by_decision(scored, cases.proba, decisions, truths, question),
    )


def _by_decision(
    scored: ScoredTable, proba: FloatArray, decisions: Any, truths: Any, question: ExamineQuestion
) -> tuple[DecisionLine, ...]:
    """Which decisions are wrong though the model is sure; one look at all of them."""
    known = np.array([truth is not None for truth in truths], dtype=np.bool_)
    made = [name for name in scored.classes if (known & (decisions == name)).any()]
    level = 1 - (1 - question.level) / max(len(made), 1)
    lines = []
    for name in made:
        rows = np.flatnonzero(known & (decisions == name))
        given = (proba[rows], scored.costs, decisions[rows], truths[rows])
        which = item_quadrants(*given, by=question.by, estimated_bound=question.estimated_bound)
        sure = round(which.counts["unknown unknown"])
        wrong = int((decisions[rows] != truths[rows]).sum())
        lines.append(
            DecisionLine(
                name, len(rows), wrong, sure, binomial_interval(sure, len(rows), level=level)
            )
        )
    return tuple(sorted(lines, key=lambda line: -line.surely_wrong / line.cases))


def _agreement(sample: JudgedSample) -> tuple[int, int] | None:
    said: dict[str, dict[str | None, str]] = {}
    for item, label, judge in zip(sample.items, sample.labels, sample.judges, strict=True):
        if label is not None:
            said.setdefault(item, {})[judge] = label
    several = [set(votes.values()) for votes in said.values() if len(votes) > 1]
    return (len(several), sum(len(labels) == 1 for labels in several)) if several else None
