"""What is known of what the model does not know: from an examination, or from labels at hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from askpoint.answers.examination.comparison import CompareAnswer
from askpoint.errors import InputError, NotEstimableError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.inputs import FloatArray, IntArray
from askpoint.measures.intervals import Interval, binomial_interval
from askpoint.records.features import features_of
from askpoint.records.judged_cases import FoundCases
from askpoint.records.samples import JudgedSample
from askpoint.records.scored_batches import ScoredTable
from askpoint.unknowns.cases import labels_in_order
from askpoint.unknowns.findings import Findings, examination_findings
from askpoint.unknowns.quadrants import Quadrants, item_quadrants
from askpoint.unknowns.regions import Regions, find_regions
from askpoint.unknowns.severity import severities
from askpoint.unknowns.stopping import StopAdvice, StopAtWidth

__all__ = [
    "DecisionLine",
    "ExaminationAnswer",
    "ExamineQuestion",
    "LabelledAnswer",
    "RegionsAnswer",
    "answer_judged",
    "answer_labelled",
]


@dataclass(frozen=True)
class ExamineQuestion:
    """How the examination is to be read.

    Parameters
    ----------
    by : {"decision", "minimum", "expected"}
        Which estimate of the cost.
    estimated_bound : float, optional
        Estimated cost above which the model counts as uncertain.
    level : float, default=0.95
        Interval coverage.
    width : float, default=0.05
        How narrow the interval of the share of mistakes is to be.
    seed : int, default=0
        Of the halves on which regions are sought and confirmed.
    cluster : str, optional
        Column that says which cases belong together, where regions are sought.
    """

    by: str = "decision"
    estimated_bound: float | None = None
    level: float = 0.95
    width: float = 0.05
    seed: int = 0
    cluster: str | None = None


@dataclass(frozen=True)
class RegionsAnswer:
    """Where the model is sure and wrong, or why that is not known.

    Parameters
    ----------
    found : Regions or None
        What was confirmed; None if nothing could be sought.
    sought_in : tuple of str
        Columns that were looked through.
    skipped : tuple of str
        Columns that were not.
    reason : str
        Why `found` is None.
    """

    found: Regions | None
    sought_in: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    reason: str = ""


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
        regions=_regions(scored, cases, np.arange(n), truths, question, weights),
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
        regions=_regions(scored, cases, rows, truths, question),
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


def _regions(
    scored: ScoredTable,
    cases: FoundCases,
    rows: IntArray,
    truths: Any,
    question: ExamineQuestion,
    weights: FloatArray | None = None,
) -> RegionsAnswer:
    cells = cases.cells[rows] if cases.cells.width else cases.cells
    clusters = None
    if question.cluster is not None:
        if question.cluster not in cells.columns:
            raise InputError(
                f"the log has no column {question.cluster!r} for clusters, among {cells.columns}"
            )
        clusters = cells[question.cluster].cast(pl.String).fill_null("").to_numpy()
        cells = cells.drop(question.cluster)
    features = features_of(cells)
    sought = (*features.columns, *features.texts)
    if not sought:
        reason = "the log has no column of features or text to seek regions in"
        return RegionsAnswer(None, (), features.skipped, reason)
    try:
        found = find_regions(
            cases.proba[rows],
            scored.costs,
            np.array(scored.classes, dtype=object)[cases.decisions[rows]],
            truths,
            np.random.default_rng(question.seed),
            columns=features.columns,
            texts=features.texts,
            by=question.by,
            weights=weights,
            clusters=clusters,
            level=question.level,
        )
    except NotEstimableError as error:
        return RegionsAnswer(None, sought, features.skipped, str(error))
    return RegionsAnswer(found, sought, features.skipped)


def _agreement(sample: JudgedSample) -> tuple[int, int] | None:
    said: dict[str, dict[str | None, str]] = {}
    for item, label, judge in zip(sample.items, sample.labels, sample.judges, strict=True):
        if label is not None:
            said.setdefault(item, {})[judge] = label
    several = [set(votes.values()) for votes in said.values() if len(votes) > 1]
    return (len(several), sum(len(labels) == 1 for labels in several)) if several else None
