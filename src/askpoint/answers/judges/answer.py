"""What is told about judges: the numbers behind report, page and JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from askpoint.answers.judges.blind_spots import BlindSpots
from askpoint.answers.judges.covariates import CovariateFindings
from askpoint.answers.judges.estimate import MethodEstimate
from askpoint.answers.judges.label_choice import label_to_tell
from askpoint.answers.judges.label_origin import LabelOrigin
from askpoint.answers.judges.labelling_progress import CheckingProgress
from askpoint.answers.judges.question import JudgesQuestion
from askpoint.answers.judges.windows import Window
from askpoint.judges.checks.agreement import JudgeAgreement
from askpoint.judges.checks.alarms import Alarm
from askpoint.judges.checks.anchors import AnchorChange
from askpoint.judges.checks.drift import VoteDrift
from askpoint.judges.checks.effective_number import EffectiveJudges
from askpoint.judges.checks.redundant_judges import RedundantJudges
from askpoint.judges.checks.swapped_orders import SwappedOrders
from askpoint.judges.evaluator import Evaluator, JudgeEvidence
from askpoint.judges.gold.fewest_judges import FewestJudges
from askpoint.judges.gold.label_worth import LabelWorth
from askpoint.judges.gold.panel_choice import PanelChoice
from askpoint.judges.methods.ensemble import EnsembleEvaluation
from askpoint.judges.methods.independent import IndependentEvaluation
from askpoint.judges.sketch.tables import VoteNotes, VoteTable
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.judges.trios.batch import TrioEvaluations

__all__ = ["JudgesAnswer"]


@dataclass(frozen=True, kw_only=True)
class JudgesAnswer:
    """Everything that is told about some votes.

    Attributes
    ----------
    evidence : Evidence
        The votes, and what is known beside them.
    question : JudgesQuestion
        What was asked.
    evaluators : tuple of Evaluator
        Who was asked, in order of belief.
    estimates : tuple of MethodEstimate
        The one to believe first.
    ensemble : EnsembleEvaluation or None
        Also where three independent judges are told instead.
    independent, agreement, alarm, trios
        Results of the judges room; None where `reasons` says why.
    windows, drift, drift_by_labels
        Evaluations of successive windows, and which judges changed between them, by votes and by
        gold labels.
    failures : tuple of pairs
        Test size, and how often a test of that size would fail.
    proposed, n_later : tuple of str, int
        Items to check next, in random order, and how many of those asked for wait for them.
    n_gold, n_gold_unjudged : int
        Gold labels of items that somebody judged, and of others.
    n_repeats : int
        Votes left out as repeated.
    reasons : mapping of str to str
        Why something is None, by its key.
    checking : CheckingProgress or None
        Whether enough items are checked.
    families : mapping of str to tuple of str
        Judges that are not taken to err independently.
    n_clustered : int
        Items that count with another one of their cluster.
    blind_spots : BlindSpots or None
        What an error that all judges share would change.
    effective : EffectiveJudges or None
        How many independent judges the panel is worth, from the gold labels.
    anchors : mapping of str to AnchorChange or None
        How votes on items that were judged twice changed.
    guessed_families : mapping of str to tuple of str
        Families that the judges' names suggest; nothing here rests on them.
    notes : VoteNotes
        What was taken for what when votes were read.
    table : VoteTable or None
        The votes in `evidence`, by item; empty where only counts are known.
    judges : tuple of str
        All judges; the votes in `evidence` are of those who tell something of their own.
    redundant : RedundantJudges
        Judges left out of `evidence`, and why.
    orders : tuple of SwappedOrders
        Judges asked in both orders.
    stray_labels : mapping of str to int
        Labels of less than 1% of the votes, with their votes.
    abstentions : tuple of str
        Labels taken for no vote: they say tie, unsure or error, and nobody labelled an item so.
    never_labelled : tuple of str
        Labels that no gold label names.
    origin : LabelOrigin
        How labels were drawn, and which count.
    worth : LabelWorth or None
        What the panel and each judge are worth, in labels.
    seal : str or None
        Of the items, where a random order of them was asked for.
    choice : PanelChoice or None
        Which judges to pay for, where prices were given.
    wasted : mapping of str to float
        What the votes of redundant judges cost, where prices were given.
    covariates : CovariateFindings or None
        What covariates of the items show, where any are known.
    fewest : FewestJudges or None
        The fewest judges who tell as much as all.
    """

    evidence: JudgeEvidence
    question: JudgesQuestion
    evaluators: tuple[Evaluator[Any], ...]
    estimates: tuple[MethodEstimate, ...]
    independent: IndependentEvaluation | None
    ensemble: EnsembleEvaluation | None
    agreement: JudgeAgreement
    alarm: Alarm | None
    trios: TrioEvaluations | None
    windows: tuple[Window, ...]
    drift: VoteDrift | None
    drift_by_labels: VoteDrift | None
    failures: tuple[tuple[int, float], ...]
    proposed: tuple[str, ...]
    n_later: int
    n_gold: int
    n_gold_unjudged: int
    n_repeats: int
    reasons: Mapping[str, str] = field(default_factory=dict)
    checking: CheckingProgress | None = None
    families: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    n_clustered: int = 0
    blind_spots: BlindSpots | None = None
    effective: EffectiveJudges | None = None
    anchors: Mapping[str, AnchorChange] | None = None
    guessed_families: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    notes: VoteNotes = field(default_factory=VoteNotes)
    table: VoteTable | None = None
    judges: tuple[str, ...] = ()
    redundant: RedundantJudges = field(default_factory=RedundantJudges)
    orders: tuple[SwappedOrders, ...] = ()
    stray_labels: Mapping[str, int] = field(default_factory=dict)
    abstentions: tuple[str, ...] = ()
    never_labelled: tuple[str, ...] = ()
    origin: LabelOrigin = field(default_factory=LabelOrigin)
    worth: LabelWorth | None = None
    seal: str | None = None
    choice: PanelChoice | None = None
    wasted: Mapping[str, float] = field(default_factory=dict)
    covariates: CovariateFindings | None = None
    fewest: FewestJudges | None = None

    @property
    def sketch(self) -> VoteSketch:
        """The votes."""
        return self.evidence.sketch

    @property
    def best(self) -> MethodEstimate | None:
        """The estimate to believe first."""
        return self.estimates[0] if self.estimates else None

    @property
    def label(self) -> str:
        """The label of interest: as asked, else what its word says, else the rarest."""
        prevalence = None if self.best is None else self.best.prevalence
        return label_to_tell(
            self.sketch.labels, self.question.positive, prevalence, self.stray_labels
        )

    @property
    def is_labelled(self) -> bool:
        """Whether true labels stand behind the answer that is told first."""
        return self.best is not None and self.best.evaluator.uses_labels

    def by(self, evaluator: Evaluator[Any]) -> MethodEstimate | None:
        """Return what a method says, None if that is nothing."""
        return next((one for one in self.estimates if one.evaluator is evaluator), None)
