"""What the main job answers: the numbers behind report, page and JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from askpoint.answers.value.accounts import Accounts
from askpoint.answers.value.baselines import Baseline
from askpoint.answers.value.guarantee import Guarantee
from askpoint.answers.value.model_cases import CasePlaces
from askpoint.answers.value.question import ValueQuestion
from askpoint.answers.value.refusals import Refusal
from askpoint.answers.value.tomorrow import Tomorrow
from askpoint.errors import NotEstimableError
from askpoint.measures.exchange import ExchangeRate
from askpoint.measures.intervals import Interval
from askpoint.value.curve import ValueCurve
from askpoint.value.objectives import OperatingPoint
from askpoint.value.selection import LabelDependence
from askpoint.value.uncertainty import OutcomeIntervals

if TYPE_CHECKING:
    from askpoint.answers.value.by_group import GroupPromise, GroupThresholds
    from askpoint.answers.value.current_threshold import InUse
    from askpoint.answers.value.daily_load import DailyLoadAnswer
    from askpoint.answers.value.models import ModelComparison
    from askpoint.answers.value.recall_promise import RecallPromise
    from askpoint.answers.value.whole_output import WholeOutput
    from askpoint.answers.value.worst_cases import WorstCase
    from askpoint.value.reviewer_errors import ReviewerErrors

__all__ = ["GroupLine", "ValueAnswer"]


@dataclass(frozen=True)
class GroupLine:
    """What the common threshold does to one group.

    Parameters
    ----------
    name : str or None
        The group; None for rows that name none.
    n_items, n_labelled : int
        Rows in the group.
    coverage : float
        Share of its cases answered.
    risk : float or None
        Share of mistakes among its answers; None if none of them has a label.
    risk_interval : Interval or None
        Where it may lie, for all groups at once.
    p_value : float or None
        Of no difference from the other groups together, corrected for all groups (Holm).
    is_cross_fitted : bool
        Whether mistakes are those at thresholds that were chosen without the case.
    """

    name: str | None
    n_items: int
    n_labelled: int
    coverage: float
    risk: float | None
    risk_interval: Interval | None
    p_value: float | None = None
    is_cross_fitted: bool = False


@dataclass(frozen=True)
class ValueAnswer:
    """Everything that report, page and JSON say about a log.

    Parameters
    ----------
    question : ValueQuestion
        What was asked.
    n_items, n_labelled : int
        Rows of the log.
    mass : float
        How many cases the rows stand for: their number, or the sum of their weights.
    classes : tuple of str
        Class names.
    is_probability : bool
        Whether confidence is meant as the probability of being right.
    curve_of_labels : ValueCurve or None
        On the labelled rows, weighted where the log says how; None where there is none.
    n_effective : float
        Effective number of labelled rows.
    selection : LabelDependence or None
        How labelled and other rows differ; None where all are labelled.
    refusal : Refusal or None
        Why no verdict is given.
    point : OperatingPoint or None
        The verdict; its outcomes are those of all rows.
    coverage, asked : float, int
        Share of all cases answered (by weight, if there are weights); number of rows asked.
    coverage_interval : Interval or None
        Where the share answered may lie for cases like these.
    places : CasePlaces or None
        Where the cases lie, so that a threshold is written in as many digits as tell them apart.
    is_sketched : bool
        Whether the cases were only counted, in bins of confidence.
    intervals : OutcomeIntervals or None
        For a threshold fixed before.
    band : float or None
        Half width on expected profit that also holds for a threshold chosen on these rows; None
        for weighted ones.
    baselines : tuple of Baseline
        The verdict's cost first, then the baselines and the upper limit.
    prices : tuple of OperatingPoint
        The best points at a few other prices, their outcomes those of all rows.
    groups : tuple of GroupLine
        What the threshold does to each group.
    own_thresholds : GroupThresholds or None
        A threshold for each group, at a price.
    group_promises : tuple of GroupPromise
        What is promised of each group under one delta, where a limit of error is promised.
    people : ReviewerErrors or None
        How right people are, where they are said or seen to err.
    guarantee : Guarantee or None
        What is promised of new cases, and its price.
    p_value : float or None
        Of answering being no better than asking at a stated price; at a threshold chosen on
        the same cases.
    models : tuple of (str, ValueAnswer)
        All models of the log, the best first; this answer is the first one's.
    comparison : ModelComparison or None
        Of those models, at prices.
    tomorrow : Tomorrow or None
        What to do with new cases, and what to expect of it; the other fields tell what holds of
        the rows themselves, at the best threshold in hindsight.
    unmet : str or None
        Why no threshold in hindsight meets the objective.
    worst : WorstCase or None
        Between what the mistakes lie where labels do not tell.
    in_use : InUse or None
        What became of the threshold in use.
    lost_in_bins : float or None
        Of a sketch, what the best threshold inside a bin may be worth more per case, in hindsight.
    n_proposed : int
        Labels of cases that were proposed.
    days : DailyLoadAnswer or None
        What the next day asks, where a capacity is one of days.
    whole_output : WholeOutput or None
        What is promised of all cases together, the part of people included.
    recall_promise : RecallPromise or None
        What is promised of the recall of a class.
    n_uncounted : int
        Labels left out, because only those in sealed order were drawn at random.
    is_balanced : bool
        Whether labels, visibly not drawn with equal chances, are weighted by strata of confidence.
    accounts : Accounts or None
        Precision, recall and error, with the sampling design behind each.
    lost : mapping of str to str
        Parts that failed while the answer stands, and why: accounts, groups, comparison, rows.
    """

    question: ValueQuestion
    n_items: int
    n_labelled: int
    mass: float
    classes: tuple[str, ...]
    is_probability: bool
    curve_of_labels: ValueCurve | None
    n_effective: float
    selection: LabelDependence | None
    refusal: Refusal | None = None
    point: OperatingPoint | None = None
    coverage: float = 0.0
    asked: int = 0
    coverage_interval: Interval | None = None
    places: CasePlaces | None = field(default=None, repr=False)
    is_sketched: bool = False
    intervals: OutcomeIntervals | None = None
    band: float | None = None
    baselines: tuple[Baseline, ...] = ()
    prices: tuple[OperatingPoint, ...] = ()
    groups: tuple[GroupLine, ...] = ()
    own_thresholds: GroupThresholds | None = None
    group_promises: tuple[GroupPromise, ...] = ()
    people: ReviewerErrors | None = None
    guarantee: Guarantee | None = None
    p_value: float | None = None
    models: tuple[tuple[str, ValueAnswer], ...] = ()
    comparison: ModelComparison | None = None
    tomorrow: Tomorrow | None = None
    unmet: str | None = None
    worst: WorstCase | None = None
    in_use: InUse | None = None
    lost_in_bins: float | None = None
    n_proposed: int = 0
    n_uncounted: int = 0
    is_balanced: bool = False
    days: DailyLoadAnswer | None = None
    whole_output: WholeOutput | None = None
    recall_promise: RecallPromise | None = None
    accounts: Accounts | None = None
    lost: Mapping[str, str] = field(default_factory=dict)

    @property
    def curve(self) -> ValueCurve:
        """The value curve of the labelled rows."""
        if self.curve_of_labels is None:
            raise NotEstimableError("no row has a label; label at least some rows")
        return self.curve_of_labels

    @property
    def unit(self) -> str:
        """Unit of the baselines' costs."""
        return self.question.objective.unit

    @property
    def n_unlabelled(self) -> int:
        """Number of rows without a label."""
        return self.n_items - self.n_labelled

    @property
    def rate(self) -> ExchangeRate | None:
        """The exchange rate of the verdict."""
        return None if self.point is None else self.point.rate

    @property
    def is_priced(self) -> bool:
        """Whether a price of a mistake is stated, or follows from a limit that binds."""
        if not self.question.objective.is_limit:
            return True
        return self.rate is not None and self.rate.omega > 1e-9  # weights leave round-off
