"""Two ways of finding mistakes, side by side: what each found, and what can be learned from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from askpoint.errors import InputError
from askpoint.records.judged_cases import FoundCases
from askpoint.records.samples import JudgedSample
from askpoint.records.scored_batches import ScoredTable
from askpoint.records.submitted_cases import JudgedFinds
from askpoint.unknowns.cases import labels_in_order
from askpoint.unknowns.duplicates import near_duplicate_groups
from askpoint.unknowns.examination_names import SAMPLE_NAMES
from askpoint.unknowns.learning import CaseSet, LearningCurve, learning_curves
from askpoint.unknowns.severity import severities
from askpoint.unknowns.severity_comparison import (
    ErrorsFound,
    SeverityComparison,
    compare_severities,
)

__all__ = ["CompareAnswer", "CompareQuestion", "compare_finds", "finds_of_sample"]


@dataclass(frozen=True)
class CompareQuestion:
    """What is compared with what.

    Parameters
    ----------
    names : tuple of two str
        The methods.
    judged : tuple of two str
        What their cases are.
    case_costs : tuple of two float, optional
        What finding and judging one case cost with each.
    unit : str, default=""
        Unit of these costs.
    sought : str, optional
        The class that both were after, for the learning curves.
    level : float, default=0.95
        Interval coverage.
    seed : int, default=0
        Of folds and training sets.
    """

    names: tuple[str, str] = SAMPLE_NAMES
    judged: tuple[str, str] = ("cases inspected", "cases submitted")
    case_costs: tuple[float, float] | None = None
    unit: str = ""
    sought: str | None = None
    level: float = 0.95
    seed: int = 0

    def __post_init__(self) -> None:
        if self.case_costs is not None and not min(self.case_costs) >= 0:
            raise InputError(f"a case cannot cost less than nothing: got {self.case_costs}")


@dataclass(frozen=True)
class CompareAnswer:
    """The paper's figures 4 and 5 for two sets of judged cases.

    Parameters
    ----------
    severities : SeverityComparison
        How severe the mistakes are that each found.
    curves : tuple of LearningCurve, or None
        What is learned within each set and from each to the other.
    reason : str
        Why `curves` is None.
    grouped : bool
        Whether near-duplicates count once: that takes texts.
    question : CompareQuestion
        What was compared.
    """

    severities: SeverityComparison
    curves: tuple[LearningCurve, ...] | None
    reason: str
    grouped: bool
    question: CompareQuestion


def finds_of_sample(
    scored: ScoredTable,
    sample: JudgedSample,
    cases: FoundCases,
    *,
    by: str = "decision",
    text: str | None = None,
) -> JudgedFinds:
    """Return what an examination found as judged cases."""
    sample = sample.in_classes(scored.classes)
    labels = labels_in_order(sample.examination, sample.items, sample.labels, sample.judges)
    n = len(labels)
    decided = np.array(scored.classes, dtype=object)[cases.decisions[:n]]
    truths = np.array(labels, dtype=object)
    if text is not None and text not in cases.cells.columns:
        raise InputError(f"the log has no column {text!r} besides what the model says")
    return JudgedFinds(
        np.asarray(decided != truths, dtype=np.bool_),
        severities(cases.proba[:n], scored.costs, decided, truths, by=by),
        labels,
        None if text is None else tuple(cases.cells[text][:n].fill_null("").to_list()),
    )


def compare_finds(
    first: JudgedFinds, second: JudgedFinds, question: CompareQuestion
) -> CompareAnswer:
    """Compare two sets of judged cases."""
    both = (first, second)
    grouped = all(finds.texts is not None for finds in both)
    errors = [_errors(finds, i, grouped, question) for i, finds in enumerate(both)]
    curves, reason = _curves(both, question)
    return CompareAnswer(
        severities=compare_severities(errors[0], errors[1], level=question.level),
        curves=curves,
        reason=reason,
        grouped=grouped,
        question=question,
    )


def _errors(
    finds: JudgedFinds, which: int, grouped: bool, question: CompareQuestion
) -> ErrorsFound:
    groups = None
    if grouped and finds.texts is not None:
        groups = near_duplicate_groups([finds.texts[row] for row in np.flatnonzero(finds.wrong)])
    n = len(finds.wrong)
    return ErrorsFound(
        question.names[which],
        finds.severities[finds.wrong],
        n,
        question.judged[which],
        cost=None if question.case_costs is None else n * question.case_costs[which],
        unit=question.unit,
        groups=groups,
    )


def _curves(
    both: Sequence[JudgedFinds], question: CompareQuestion
) -> tuple[tuple[LearningCurve, ...] | None, str]:
    if question.sought is None:
        return None, "no sought class was named"
    sets = []
    for name, finds in zip(question.names, both, strict=True):
        if finds.texts is None:
            return None, "no column of texts to learn from was named"
        if finds.labels is None:
            return None, f"{name} has no labels"
        known = [row for row, label in enumerate(finds.labels) if label is not None]
        texts = [finds.texts[row] for row in known]
        sets.append(CaseSet(name, texts, [finds.labels[row] == question.sought for row in known]))
    return learning_curves(sets[0], sets[1], np.random.default_rng(question.seed)), ""
