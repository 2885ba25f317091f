"""From votes to an answer: every evaluator that applies, and why the others do not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from askpoint.errors import InputError, NotEstimableError
from askpoint.judges.agreement import Agreement, measure_agreement
from askpoint.judges.alarms import Alarm, alarm
from askpoint.judges.batch import TrioEvaluations, evaluate_moments
from askpoint.judges.confusions import evaluate_confusions
from askpoint.judges.correlation import evaluate_by_truth
from askpoint.judges.dawid_skene import ConfusionsEvaluation, evaluate_dawid_skene
from askpoint.judges.drift import VoteDrift, drift_test
from askpoint.judges.ensemble import EnsembleEvaluation, evaluate_ensemble
from askpoint.judges.families import families_of_judges, related_judges
from askpoint.judges.gold import GoldSketch
from askpoint.judges.gold_evaluation import GoldEvaluation, evaluate_with_gold
from askpoint.judges.independent import IndependentEvaluation, evaluate_independent
from askpoint.judges.majority import MajorityEvaluation, evaluate_majority
from askpoint.judges.points import EvaluationPoint
from askpoint.judges.proposal import propose_gold
from askpoint.judges.search import failure_rates
from askpoint.judges.sketch import VoteSketch
from askpoint.judges.tables import VoteTable
from askpoint.judges.trios import TrioMoments, trio_moments
from askpoint.measures.intervals import Interval
from askpoint.reports.judges_checking import CheckingProgress, checking_progress
from askpoint.reports.judges_question import JudgesQuestion

__all__ = ["Estimate", "JudgesAnswer", "Window", "answer_judges"]

_Result = TypeVar("_Result")

_MOST_TRIOS = 20_000
_ALARM_CELLS = 5_000  # beyond, the linear programme is no matter of a moment
_SIZES = (25, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000)


@dataclass(frozen=True)
class Estimate:
    """What one evaluator says, in one form for all.

    Attributes
    ----------
    name, title : str
        For programs, and for people.
    prevalence : mapping of str to float
        By label.
    accuracy : mapping of str to mapping of str to float or None
        By judge and label.
    prevalence_interval, accuracy_interval : mappings, or None
        Intervals of the same form; None if the evaluator has none.
    few_votes : tuple of str
        Judges with too few votes for intervals to be met as often as they say.

    Examples
    --------
    >>> from askpoint.reports.judges_answer import Estimate
    >>> Estimate("majority", "majority vote", {"x": 0.5, "y": 0.5}, {}).prevalence_interval
    """

    name: str
    title: str
    prevalence: Mapping[str, float]
    accuracy: Mapping[str, Mapping[str, float | None]]
    prevalence_interval: Mapping[str, Interval] | None = None
    accuracy_interval: Mapping[str, Mapping[str, Interval | None]] | None = None
    few_votes: tuple[str, ...] = ()

    def prevalence_error(self, truth: EvaluationPoint) -> float:
        """Return the greatest absolute error of a label's prevalence."""
        return max(abs(float(truth.prevalence[k]) - x) for k, x in self.prevalence.items())

    def accuracy_error(self, truth: EvaluationPoint) -> float | None:
        """Return the mean absolute error of the accuracies that both know; None without any."""
        errors = [
            abs(float(known) - x)
            for judge, of in self.accuracy.items()
            for label, x in of.items()
            if x is not None and (known := truth.accuracy[judge][label]) is not None
        ]
        return sum(errors) / len(errors) if errors else None


@dataclass(frozen=True)
class Window:
    """Successive items and the first label's prevalence among them.

    Attributes
    ----------
    start, n_items : int
        Where it begins, and how many items it holds.
    prevalence : float or None
        None if the evaluator has no answer.
    interval : Interval or None
        None without one.

    Examples
    --------
    >>> from askpoint.reports.judges_answer import Window
    >>> Window(0, 100, 0.3, None).start
    0
    """

    start: int
    n_items: int
    prevalence: float | None
    interval: Interval | None


@dataclass(frozen=True)
class JudgesAnswer:
    """Everything that is told about some votes.

    Attributes
    ----------
    sketch : VoteSketch
        The votes.
    question : JudgesQuestion
        What was asked.
    estimates : tuple of Estimate
        The one to believe first.
    majority, independent, ensemble, agreement, alarm, trios
        Results of the judges room; None where `reasons` says why.
    windows, drift
        Evaluations of successive windows, and whether votes changed between them.
    failures : tuple of pairs
        Test size, and how often a test of that size would fail.
    truth : EvaluationPoint or None
        Of the items with gold labels.
    with_gold : GoldEvaluation or None
        From all votes and the gold labels.
    proposed : tuple of str
        Items to check next, in random order.
    n_gold, n_gold_unjudged : int
        Gold labels of items that somebody judged, and of others.
    n_repeats : int
        Votes left out as repeated.
    reasons : mapping of str to str
        Why something is None, by its key.
    checking : CheckingProgress or None
        Whether enough items are checked, if they were drawn with equal chances.
    families : mapping of str to tuple of str
        Judges that are not taken to err independently.
    n_clustered : int
        Items that count with another one of their cluster.
    """

    sketch: VoteSketch
    question: JudgesQuestion
    estimates: tuple[Estimate, ...]
    majority: MajorityEvaluation | None
    independent: IndependentEvaluation | None
    ensemble: EnsembleEvaluation | None
    agreement: Agreement
    alarm: Alarm | None
    trios: TrioEvaluations | None
    windows: tuple[Window, ...]
    drift: VoteDrift | None
    failures: tuple[tuple[int, float], ...]
    truth: EvaluationPoint | None
    with_gold: GoldEvaluation | None
    proposed: tuple[str, ...]
    n_gold: int
    n_gold_unjudged: int
    n_repeats: int
    reasons: Mapping[str, str] = field(default_factory=dict)
    checking: CheckingProgress | None = None
    families: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    n_clustered: int = 0

    @property
    def best(self) -> Estimate | None:
        """The estimate to believe first."""
        return self.estimates[0] if self.estimates else None


def answer_judges(
    votes: VoteTable | VoteSketch,
    question: JudgesQuestion,
    progress: Callable[[str], None] | None = None,
) -> JudgesAnswer:
    """Say how good judges are, and how far that can be trusted.

    Parameters
    ----------
    votes : VoteTable or VoteSketch
        Who voted what; a sketch knows no items by name, so neither gold nor windows.
    question : JudgesQuestion
        What is asked.
    progress : callable, optional
        Called with what is being done.

    Returns
    -------
    JudgesAnswer

    Raises
    ------
    InputError
        If gold labels or windows are asked for of a sketch, a gold label is none of the judges'
        labels, or somebody in a family is no judge.

    Examples
    --------
    >>> import polars as pl
    >>> from askpoint.judges.tables import table_from_frame
    >>> from askpoint.reports.judges_answer import answer_judges
    >>> from askpoint.reports.judges_question import JudgesQuestion
    >>> votes = {"ann": ["x", "y", "y"], "bob": ["x", "y", "x"], "cid": ["x", "y", "y"]}
    >>> answer = answer_judges(table_from_frame(pl.DataFrame(votes)), JudgesQuestion())
    >>> answer.independent.outcome, answer.best.prevalence["x"]
    ('inside', 0.3333333333333333)
    """
    return _Case(votes, question, progress or (lambda _: None)).answer()


class _Case:
    """Some votes and a question, and why parts of the answer are missing."""

    def __init__(
        self,
        votes: VoteTable | VoteSketch,
        question: JudgesQuestion,
        progress: Callable[[str], None],
    ) -> None:
        self.question, self.progress = question, progress
        self.reasons: dict[str, str] = {}
        self.table = votes if isinstance(votes, VoteTable) else None
        if isinstance(votes, VoteTable):
            self.sketch = VoteSketch(votes.judges, votes.labels)
            self.sketch.update_codes(votes.codes)
        else:
            self.sketch = votes
            if question.gold or question.window or question.propose:
                raise InputError("gold labels, proposals and windows need the items, not counts")
        self.families = families_of_judges(self.sketch.judges, question.families)

    def answer(self) -> JudgesAnswer:
        """Ask every evaluator."""
        sketch = self.sketch
        self.progress("evaluating")
        majority = self._try("majority", lambda: evaluate_majority(sketch))
        independent = self._independent()
        ensemble = self._try("ensemble", lambda: self._ensemble(sketch))
        trios = self._trios()
        truth, n_gold, n_unjudged = self._truth()
        windows, drift = self._windows()
        gold = self._gold()
        with_gold = (
            None
            if gold is None
            else self._try("with_gold", lambda: evaluate_with_gold(sketch, gold))
        )
        estimates = [
            *_from_gold(with_gold, self.question.level),
            *_from_independent(independent, self.question.level),
            *_from_ensemble(ensemble, self.question.level),
            *self._confusions(),
            *self._latent("dawid_skene", "Dawid and Skene", evaluate_dawid_skene),
            *_from_majority(majority),
        ]
        if ensemble is not None and len(sketch.judges) == 3 and independent is not None:
            # for three judges both are one fit; what was cut at a bound is no second opinion
            estimates = [e for e in estimates if e.name != "ensemble" or independent.chosen is None]
        self.progress("the alarm")
        found_alarm = self._alarm()
        return JudgesAnswer(
            sketch,
            self.question,
            tuple(estimates),
            majority,
            independent,
            ensemble,
            measure_agreement(sketch),
            found_alarm,
            trios,
            windows,
            drift,
            self._failures(independent),
            truth,
            with_gold,
            self._proposed(gold),
            n_gold,
            n_unjudged,
            0 if self.table is None else self.table.n_repeats,
            self.reasons,
            self._checking(gold),
            self.families,
            0 if self.table is None else self.table.n_clustered,
        )

    def _ensemble(self, sketch: VoteSketch) -> EnsembleEvaluation:
        return evaluate_ensemble(sketch, families=self.question.families)

    def _try(self, key: str, make: Callable[[], _Result]) -> _Result | None:
        try:
            return make()
        except (InputError, NotEstimableError) as error:
            self.reasons[key] = str(error)
            return None

    def _independent(self) -> IndependentEvaluation | None:
        if len(self.sketch.judges) != 3:
            self.reasons["independent"] = (
                f"it takes three judges, here are {len(self.sketch.judges)}; name three with --judges"
            )
            return None
        if self.families:
            self.reasons["independent"] = (
                "two of the three judges are of one family, so they do not err independently"
            )
            return None
        found = self._try(
            "independent", lambda: evaluate_independent(self.sketch, root=self.question.root)
        )
        if found is not None and found.chosen is None:
            self.reasons["independent"] = found.reason
        return found

    def _confusions(self) -> list[Estimate]:
        if len(self.sketch.labels) == 2:
            self.reasons["confusions"] = "for two labels the ensemble is evaluated"
            return []
        self.progress("confusion matrices")
        return self._latent("confusions", "confusion matrices", evaluate_confusions)

    def _latent(
        self, name: str, title: str, evaluate: Callable[[VoteSketch], ConfusionsEvaluation]
    ) -> list[Estimate]:
        found = self._try(name, lambda: evaluate(self.sketch))
        if found is None:
            return []
        around = self._try(f"{name}_interval", lambda: found.interval(self.question.level))
        return [
            Estimate(
                name,
                title,
                found.prevalence,
                found.accuracy,
                None if around is None else around.prevalence,
                None if around is None else around.accuracy,
                found.few_votes,
            )
        ]

    def _trios(self) -> TrioEvaluations | None:
        n = len(self.sketch.judges)
        if n < 4 or len(self.sketch.labels) != 2:
            self.reasons["trios"] = "they take four judges or more, and two labels"
            return None
        if n * (n - 1) * (n - 2) // 6 > _MOST_TRIOS:
            self.reasons["trios"] = f"{n} judges make more than {_MOST_TRIOS} trios"
            return None
        self.progress("all trios")
        moments = trio_moments(self.sketch)
        related = related_judges(self.sketch.judges, self.question.families)
        i, j, k = moments.trios.T
        apart = ~(related[i, j] | related[i, k] | related[j, k])
        if not apart.any():
            self.reasons["trios"] = "every trio has two judges of one family"
            return None
        kept = {name: counts[apart] for name, counts in vars(moments).items()}
        return evaluate_moments(TrioMoments(**kept))

    def _alarm(self) -> Alarm | None:
        if len(self.sketch.cells().counts) * len(self.sketch.judges) > 40 * _ALARM_CELLS:
            self.reasons["alarm"] = (
                "too many judges with too different votes for the linear programme"
            )
            return None
        return self._try("alarm", lambda: alarm(self.sketch, required=self.question.required))

    def _truth(self) -> tuple[EvaluationPoint | None, int, int]:
        """The truth on items with gold labels, their number, and that of labels to no avail."""
        if self.table is None or not self.question.gold:
            self.reasons["errors"] = "no gold labels were given"
            return None, 0, 0
        position = {label: code for code, label in enumerate(self.table.labels)}
        for task, label in self.question.gold.items():
            if label not in position:
                raise InputError(
                    f"the gold label {label!r} of {task!r} is none of the judges' labels "
                    f"{', '.join(map(repr, self.table.labels))}; name all with --labels"
                )
        code = np.array([position.get(self.question.gold.get(t, ""), -1) for t in self.table.tasks])
        n_gold = int((code >= 0).sum())
        by_label = {}
        for label, place in position.items():
            by_label[label] = VoteSketch(self.table.judges, self.table.labels)
            by_label[label].update_codes(self.table.codes[code == place])
        truth = self._try("errors", lambda: evaluate_by_truth(by_label))
        return truth, n_gold, len(self.question.gold) - n_gold

    def _gold(self) -> GoldSketch | None:
        if self.table is None or not self.question.gold:
            self.reasons["with_gold"] = "no gold labels were given"
            return None
        return GoldSketch.from_table(self.table, self.question.gold, unjudged="leave out")

    def _checking(self, gold: GoldSketch | None) -> CheckingProgress | None:
        if gold is None:
            self.reasons["checking"] = self.reasons["with_gold"]
            return None
        within, level = self.question.within, self.question.level
        return checking_progress(gold, self.sketch.n_items, within=within, level=level)

    def _proposed(self, gold: GoldSketch | None) -> tuple[str, ...]:
        """The items to check next; the same for the same votes and gold labels."""
        if self.table is None or not self.question.propose:
            self.reasons["proposed"] = "no number was asked for: --propose N"
            return ()
        table, known = self.table, self.question.gold
        checked = np.array([task in known for task in table.tasks])
        n = min(self.question.propose, int((~checked).sum()))
        if not n:
            self.reasons["proposed"] = "every item has a gold label"
            return ()
        proposal = propose_gold(self.sketch, n, gold=gold)
        rows = proposal.draw(table.codes, np.random.default_rng(0), checked)
        return tuple(table.tasks[row] for row in rows)

    def _windows(self) -> tuple[tuple[Window, ...], VoteDrift | None]:
        size = self.question.window
        if self.table is None or size is None:
            self.reasons["windows"] = self.reasons["drift"] = "no window was asked for"
            return (), None
        sketches, windows = [], []
        for start in range(0, len(self.table.codes), size):
            codes = self.table.codes[start : start + size]
            sketch = VoteSketch(self.table.judges, self.table.labels)
            sketch.update_codes(codes)
            sketches.append(sketch)
            windows.append(Window(start, len(codes), *self._prevalence(sketch)))
        drift = self._try("drift", lambda: drift_test(sketches))
        return tuple(windows), drift

    def _prevalence(self, sketch: VoteSketch) -> tuple[float | None, Interval | None]:
        try:
            if len(sketch.judges) == 3 and not self.families:
                found = evaluate_independent(sketch, root=self.question.root)
                estimates = _from_independent(found, self.question.level)
            else:
                estimates = _from_ensemble(self._ensemble(sketch), self.question.level)
        except (InputError, NotEstimableError):
            estimates = []
        if not estimates:
            return None, None
        label, intervals = sketch.labels[0], estimates[0].prevalence_interval
        return estimates[0].prevalence[label], None if intervals is None else intervals[label]

    def _failures(self, found: IndependentEvaluation | None) -> tuple[tuple[int, float], ...]:
        if found is None or found.n_items < min(_SIZES):
            return ()
        sizes = [size for size in _SIZES if size <= found.n_items]
        rates = failure_rates(self.sketch, sizes, np.random.default_rng(0), n_draws=1000)
        return tuple(zip(sizes, rates.tolist(), strict=True))


def _from_gold(found: GoldEvaluation | None, level: float) -> list[Estimate]:
    if found is None:
        return []
    around = found.interval(level)
    title = "gold labels and votes"
    return [
        Estimate(
            "with_gold", title, found.prevalence, found.accuracy, around.prevalence, around.accuracy
        )
    ]


def _from_majority(found: MajorityEvaluation | None) -> list[Estimate]:
    if found is None:
        return []
    return [Estimate("majority", "majority vote", *_plain(found.point))]


def _from_independent(found: IndependentEvaluation | None, level: float) -> list[Estimate]:
    if found is None or found.chosen is None:
        return []
    around = found.interval(level)
    return [
        Estimate(
            "independent",
            "independent errors",
            *_plain(found.chosen),
            None if around is None else around.prevalence,
            None if around is None else around.accuracy,
        )
    ]


def _from_ensemble(found: EnsembleEvaluation | None, level: float) -> list[Estimate]:
    if found is None:
        return []
    around = found.interval(level)
    title = "all pairs and trios"
    return [
        Estimate(
            "ensemble", title, found.prevalence, found.accuracy, around.prevalence, around.accuracy
        )
    ]


def _plain(
    point: EvaluationPoint,
) -> tuple[dict[str, float], dict[str, dict[str, float | None]]]:
    return (
        {label: float(share) for label, share in point.prevalence.items()},
        {
            judge: {label: None if x is None else float(x) for label, x in of.items()}
            for judge, of in point.accuracy.items()
        },
    )
