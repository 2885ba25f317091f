"""From a log, and what people judged of it, to an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from askpoint.answers.examination.answer import (
    ExaminationAnswer,
    LabelledAnswer,
    answer_judged,
    answer_labelled,
)
from askpoint.answers.examination.comparison import (
    CompareQuestion,
    compare_finds,
    finds_of_sample,
)
from askpoint.answers.examination.regions_answer import ExamineQuestion
from askpoint.errors import InputError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.records.judged_cases import find_cases, find_labelled_cases
from askpoint.records.log_stream import Progress
from askpoint.records.samples import read_sample
from askpoint.records.scored_batches import ScoredTable
from askpoint.records.submitted_cases import read_finds
from askpoint.records.tables import open_table
from askpoint.unknowns.examination_names import SAMPLE_NAMES

__all__ = ["answer_examination"]


def answer_examination(
    log: Any,
    *,
    judged: Any = None,
    compare: Any = None,
    label: str | None = None,
    proba: str | Sequence[str] | None = None,
    decision: str | None = None,
    classes: Sequence[str] | None = None,
    costs: CostMatrix | None = None,
    by: str = "decision",
    sure_below: float | None = None,
    width: float = 0.05,
    level: float = 0.95,
    names: tuple[str, str] = SAMPLE_NAMES,
    case_costs: tuple[float, float] | None = None,
    unit: str = "",
    text: str | None = None,
    sought: str | None = None,
    cluster: str | None = None,
    release_limit: float | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> ExaminationAnswer | LabelledAnswer:
    """Say what a model does not know, by cases that people judged, or by the labels of its log.

    Parameters
    ----------
    log : path or dataframe
        One row per case, with the model's probabilities.
    judged : path or dataframe, optional
        A drawn sample that judges filled in; by default the labels of the log are used.
    compare : path or dataframe, optional
        Other judged cases, such as players submitted, to compare the sample with.
    label, proba, decision : str, optional
        Columns of the log, as `read_log` finds them; the decision is by default the column
        prediction, else the most probable class.
    classes : sequence of str, optional
        The classes, in the order of the columns.
    costs : CostMatrix, optional
        What mistakes cost; by default 1 each.
    by : {"decision", "minimum", "expected"}
        Estimated cost of the decision made, of the cheapest one, or the paper's ExpCost.
    sure_below : float, optional
        The model counts as sure up to this estimated cost; by default half of the most.
    width : float, default=0.05
        How narrow the interval of the share of mistakes is to be.
    level : float, default=0.95
        Coverage of intervals.
    names : tuple of two str, optional
        What the sample and what it is compared with are called.
    case_costs : tuple of two float, optional
        What finding and judging one case cost with each.
    unit : str, default=""
        Unit of `case_costs`.
    text : str, optional
        Column of texts in both, to group near-duplicates and to learn from.
    sought : str, optional
        The class that both were after, for learning curves.
    cluster : str, optional
        Column that says which cases belong together (a user, a template), for regions.
    release_limit : float, optional
        Share of mistakes up to which regions of unsure cases are released from checks.
    seed : int, default=0
        Of the halves in which regions are sought and confirmed, and of folds.
    progress : callable, optional
        Is told how many rows were read.

    Returns
    -------
    JudgedAnswer or LabelledAnswer
        Of the sample, with estimates for all cases; or of the labelled cases alone.

    Raises
    ------
    InputError
        If the files do not fit together, or something is compared without a judged sample.
    NotEstimableError
        If no case has a label.

    Examples
    --------
    >>> import polars as pl
    >>> from askpoint.answers.examination.reading import answer_examination
    >>> log = pl.DataFrame(
    ...     {"label": ["ham", "spam"] * 20, "p_ham": [0.9] * 40, "p_spam": [0.1] * 40}
    ... )
    >>> found = answer_examination(log)
    >>> found.n_labelled, found.n_mistakes
    (40, 20)
    """
    if compare is not None and judged is None:
        raise InputError(
            "there is no judged sample to compare with. Add --judged FILE (judged=...)."
        )
    scored = ScoredTable.open(
        open_table(log), label=label, proba=proba, decision=decision, classes=classes, costs=costs
    )
    question = ExamineQuestion(
        by=by,
        estimated_bound=sure_below,
        level=level,
        width=width,
        seed=seed,
        cluster=cluster,
        release_limit=release_limit,
    )
    if judged is None:
        return answer_labelled(
            scored, find_labelled_cases(scored, by=by, progress=progress), question
        )
    sample = read_sample(open_table(judged))
    cases = find_cases(scored, sample.examination, by=by, progress=progress)
    answer = answer_judged(scored, sample, cases, question)
    if compare is None:
        return answer
    comparison = compare_finds(
        finds_of_sample(scored, sample, cases, by=by, text=text),
        read_finds(open_table(compare), scored, by=by, text=text),
        CompareQuestion(
            names=names,
            case_costs=case_costs,
            unit=unit,
            sought=sought,
            level=level,
            seed=seed,
        ),
    )
    return replace(answer, comparison=comparison)
