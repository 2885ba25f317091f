"""From votes to an answer: every evaluator that applies, and why the others do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import numpy as np

from askpoint.answers.judges.answer import JudgesAnswer
from askpoint.answers.judges.blind_spots import BlindSpots, blind_spots_of
from askpoint.answers.judges.covariates import (
    CovariateFindings,
    bin_covariates,
    explaining_columns,
    find_in_covariates,
)
from askpoint.answers.judges.estimate import MethodEstimate, prevalence_floats
from askpoint.answers.judges.gold_labels import ItemsToCheck, check_gold, items_to_check
from askpoint.answers.judges.label_choice import label_to_tell, stray_labels
from askpoint.answers.judges.label_origin import SELECTED_LABELS, check_seal, trace_labels
from askpoint.answers.judges.labelling_progress import CheckingProgress, checking_progress
from askpoint.answers.judges.prepared_votes import (
    abstaining_labels,
    never_labelled,
    with_judges,
    without_labels,
)
from askpoint.answers.judges.question import JudgesQuestion
from askpoint.answers.judges.windows import Window, labels_by_window, votes_on, windows_of
from askpoint.errors import InputError, NotEstimableError
from askpoint.judges.checks.agreement import measure_agreement
from askpoint.judges.checks.alarms import Alarm, alarm
from askpoint.judges.checks.anchors import AnchorChange, anchor_test
from askpoint.judges.checks.drift import VoteDrift, drift_test
from askpoint.judges.checks.drift_by_labels import drift_with_labels
from askpoint.judges.checks.effective_number import EffectiveJudges, effective_judges
from askpoint.judges.checks.redundant_judges import find_redundant_judges
from askpoint.judges.checks.swapped_orders import compare_orders, pairs_of_orders
from askpoint.judges.evaluation import Evaluation, EvaluationIntervals
from askpoint.judges.evaluator import Evaluator, JudgeEvidence, MethodDoubt
from askpoint.judges.evaluators import (
    DAWID_SKENE,
    ENSEMBLE,
    INDEPENDENT,
    WITH_GOLD,
    evaluate_three,
    list_evaluators,
)
from askpoint.judges.families import families_of_judges, same_family
from askpoint.judges.family_names import families_by_name
from askpoint.judges.gold.fewest_judges import FewestJudges, choose_fewest
from askpoint.judges.gold.label_worth import LabelWorth, measure_worth
from askpoint.judges.gold.labelled_patterns import (
    LabelledPatterns,
    label_items,
    label_patterns,
)
from askpoint.judges.gold.panel_choice import JudgePrices, PanelChoice, choose_judges
from askpoint.judges.methods.independent import IndependentEvaluation
from askpoint.judges.sketch.codes import judge_places
from askpoint.judges.sketch.tables import VoteTable
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.judges.trios.batch import TrioEvaluations, evaluate_moments
from askpoint.judges.trios.counts import TrioMoments, trio_moments
from askpoint.judges.trios.search import failure_rates
from askpoint.measures.seals import order_by_seal, seal_of

__all__ = ["answer_judges"]

_Result = TypeVar("_Result")

_MOST_TRIOS = 20_000
_MOST_VOTES = 40_000  # in distinct patterns, times labels; beyond, the programme takes its time
_MOST_JUDGES = 500
_MISFITS = {
    "complex": "only complex numbers explain them",
    "empty": "no three such judges explain them",
    "outside": "only shares below 0 or above 100 % explain them",
}
_NO_GOLD = "no gold labels were given"
_SIZES = (25, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000)


def answer_judges(
    votes: VoteTable | VoteSketch,
    question: JudgesQuestion | None = None,
    *,
    evaluators: Sequence[Evaluator[Any]] | None = None,
    progress: Callable[[str], None] | None = None,
) -> JudgesAnswer:
    """Say how good judges are, and how far that can be trusted.

    Parameters
    ----------
    votes : VoteTable or VoteSketch
        Who said what of which item, or only how often each pattern of votes occurs.
    question : JudgesQuestion, optional
        What is known beside the votes, and what shall be told; by default nothing.
    evaluators : sequence of Evaluator, optional
        The methods to ask, the one to believe first at the front; by default all.
    progress : callable, optional
        Is told what is being done.

    Returns
    -------
    JudgesAnswer

    Raises
    ------
    InputError
        If gold labels, proposals or windows are asked of a sketch, which knows no items, a gold
        label is none of the judges' labels, or somebody in a family is no judge.

    Examples
    --------
    >>> from askpoint.answers.judges.case import answer_judges
    >>> from askpoint.judges.sketch.vote_sketch import VoteSketch
    >>> sketch = VoteSketch(["ann", "bob", "cy"], ["ham", "spam"])
    >>> patterns = [[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    >>> sketch.update_codes(patterns, [386, 104, 104, 56, 104, 56, 56, 134])
    >>> answer = answer_judges(sketch)
    >>> answer.best.title, round(answer.best.prevalence["ham"], 2)
    ("Dawid and Skene's model", 0.75)
    """
    question = JudgesQuestion() if question is None else question
    asked = list_evaluators() if evaluators is None else tuple(evaluators)
    return _Case(votes, question, progress or (lambda _: None), asked).answer()


class _Case:
    """Some votes and a question, and why parts of the answer are missing."""

    def __init__(
        self,
        votes: VoteTable | VoteSketch,
        question: JudgesQuestion,
        progress: Callable[[str], None],
        evaluators: tuple[Evaluator[Any], ...],
    ) -> None:
        self.question, self.progress, self.evaluators = question, progress, evaluators
        self.reasons: dict[str, str] = {}
        if isinstance(votes, VoteTable):
            self.table, self.sketch = votes, votes_on(votes)
        elif (
            question.gold
            or question.window
            or question.propose
            or question.anchors
            or question.covariates
        ):
            raise InputError(
                "gold labels, proposals, windows, anchors and covariates need the items, not counts"
            )
        else:  # of counts, no item is known
            none = np.empty((0, len(votes.judges)), np.int16)
            self.table, self.sketch = VoteTable((), votes.judges, votes.labels, none), votes
        check_gold(self.table, question.gold)
        families_of_judges(votes.judges, question.families)  # of whom all must be judges
        self.whole = self.table
        self.abstentions = abstaining_labels(votes.labels, question.gold)
        if self.abstentions:
            self.table = without_labels(self.table, self.abstentions)
            self.sketch = votes_on(self.table)
        self.all_judges = self.sketch.judges
        self.stray = stray_labels(self.sketch)
        self.orders = compare_orders(self.sketch)
        is_free = question.guess_families and not question.families
        self.redundant = find_redundant_judges(self.sketch, join_copies=is_free)
        kept = self.redundant.keep(self.sketch.judges)
        if kept != self.sketch.judges:
            self.table, self.sketch = with_judges(self.table, kept), self.sketch.select(kept)
        named = {judge: kin for judge, kin in question.families.items() if judge in kept}
        self.is_free = is_free
        if is_free:
            runs = pairs_of_orders(kept).items()
            named = {run: judge for judge, pair in runs for run in pair}
        self.question = question = replace(question, families=named)
        self.families = families_of_judges(self.sketch.judges, question.families)
        self.n_gold = check_gold(self.table, question.gold)
        check_seal(self.table, question.seal)
        self.prices = self._prices()
        self.origin = trace_labels(self.table, self.sketch, question.gold, question.level)
        self.covariates = bin_covariates(self.table, question.covariates)
        self.evidence = JudgeEvidence(
            self.sketch,
            self.origin.counted,
            question.families,
            question.root,
            self._find_labelled(),
        )
        self.found: dict[str, Any] = {}
        self.around: dict[str, EvaluationIntervals | None] = {}

    def answer(self) -> JudgesAnswer:
        """Ask every evaluator."""
        evidence, question, table = self.evidence, self.question, self.table
        estimates = tuple(self._estimates())
        self.progress("all trios")
        trios = self._try("trios", self._trios)
        windows, drift, drift_by_labels = self._windows()
        self.progress("the alarm")
        three = self._try("points", lambda: evaluate_three(evidence))
        return JudgesAnswer(
            evidence=evidence,
            question=question,
            evaluators=self.evaluators,
            estimates=estimates,
            independent=three,
            ensemble=self.found.get("ensemble"),
            agreement=measure_agreement(self.sketch),
            alarm=self._try("alarm", self._alarm),
            trios=trios,
            windows=windows,
            drift=drift,
            drift_by_labels=drift_by_labels,
            failures=self._failures(three),
            proposed=(proposed := self._items_to_check()).tasks,
            n_later=proposed.n_later,
            n_gold=self.n_gold - self.origin.n_left_out,
            n_gold_unjudged=len(question.gold) - self.n_gold,
            n_repeats=table.n_repeats,
            reasons=self.reasons,
            checking=self._checking(),
            families=self.families,
            n_clustered=table.n_clustered,
            blind_spots=self._blind_spots(three),
            effective=self._try("effective_judges", self._effective),
            guessed_families=self._guess_families(),
            anchors=self._anchors(),
            notes=table.notes,
            table=table,
            judges=self.all_judges,
            redundant=self.redundant,
            orders=self.orders,
            stray_labels=self.stray,
            abstentions=self.abstentions,
            never_labelled=never_labelled(self.sketch.labels, question.gold),
            origin=self.origin,
            worth=(worth := self._try("worth", self._worth)),
            choice=self._try("choice", partial(self._choice, worth)),
            wasted=self._price_waste(),
            fewest=None if worth is None else self._fewest(worth),
            covariates=self._try("covariates", self._find_in_covariates),
            seal=seal_of(table.tasks) if question.random else None,
        )

    def _try(self, key: str, make: Callable[[], _Result]) -> _Result | None:
        try:
            return make()
        except (InputError, NotEstimableError) as error:
            is_refused = self.origin.is_refused and str(error) == _NO_GOLD
            self.reasons[key] = SELECTED_LABELS if is_refused else str(error)
            return None

    def _estimates(self) -> Iterator[MethodEstimate]:
        for evaluator in self.evaluators:
            self.progress(evaluator.title)
            found = self._try(evaluator.name, partial(evaluator.evaluate, self.evidence))
            if found is None:
                continue
            self.found[evaluator.name] = found
            if evaluator.second_to not in self.found:
                key = f"{evaluator.name}_interval"
                around = self._try(
                    key, partial(evaluator.around, self.evidence, found, self.question.level)
                )
                self.around[evaluator.name] = around
                yield MethodEstimate(evaluator, found, around)

    def _blind_spots(self, three: IndependentEvaluation | None) -> BlindSpots | None:
        found, pairs = self.found.get(DAWID_SKENE.name), self.found.get(ENSEMBLE.name)
        if found is None:
            self.reasons["band"] = self.reasons.get(DAWID_SKENE.name, "Dawid and Skene's model")
            return None
        misfits: tuple[MethodDoubt, ...] | None = None
        if pairs is not None and len(pairs.judges) > 3:
            misfits = tuple(ENSEMBLE.doubts(self.evidence, pairs, 0.0))
        elif three is not None and three.outcome in _MISFITS:
            misfits = (MethodDoubt(_MISFITS[three.outcome]),)
        return blind_spots_of(
            found,
            self.sketch,
            self.evidence.gold,
            correlation=self.question.correlation,
            level=self.question.level,
            own=self.around.get(DAWID_SKENE.name),
            misfits=misfits,
        )

    def _effective(self) -> EffectiveJudges:
        gold, families = self.evidence.gold, self.question.families
        if gold is None:
            raise NotEstimableError(_NO_GOLD)
        return effective_judges(
            gold, sketch=self.sketch, families=families, level=self.question.level
        )

    def _worth(self) -> LabelWorth:
        found = self.found.get(WITH_GOLD.name)
        if self.evidence.gold is None or found is None:
            raise NotEstimableError(self.reasons.get(WITH_GOLD.name, _NO_GOLD))
        return measure_worth(self._patterns(), self._label_of(found), self.question.level)

    def _patterns(self) -> LabelledPatterns:
        gold = self.evidence.gold
        if gold is None:
            raise NotEstimableError(_NO_GOLD)
        labelled = self.evidence.labelled
        return label_patterns(self.sketch, gold) if labelled is None else labelled

    def _find_labelled(self) -> LabelledPatterns | None:
        counted = self.origin.counted
        if not self.covariates or counted is None or not counted.n_items:
            return None
        return label_items(self.table, self.origin.labels, self.covariates)

    def _find_in_covariates(self) -> CovariateFindings:
        question, found = self.question, self.found.get(WITH_GOLD.name)
        if not question.covariates and not question.other_columns:
            raise NotEstimableError("no covariates of the items were given: --covariate COLUMN")
        if found is None:
            return find_in_covariates(None, self.covariates, "", question.level, {})
        label, known = self._label_of(found), self.evidence.labelled
        explaining = explaining_columns(
            self.table, self.origin.labels, question.other_columns, label
        )
        return find_in_covariates(known, self.covariates, label, question.level, explaining)

    def _label_of(self, found: Evaluation) -> str:
        prevalence = prevalence_floats(found)
        return label_to_tell(self.sketch.labels, self.question.positive, prevalence, self.stray)

    def _prices(self) -> JudgePrices | None:
        check, votes = self.question.check, self.question.vote_prices
        if not votes or check is None:
            return None
        judge_places(self.all_judges, [judge for judge in votes if judge])
        own = {judge: votes.get(judge, votes.get("")) for judge in self.sketch.judges}
        missing = [judge for judge, price in own.items() if price is None]
        if missing:
            raise InputError(
                f"--vote must price every judge; {', '.join(missing)} has no price. Add --vote AMOUNT for all "
                "others."
            )
        known = {judge: price for judge, price in own.items() if price is not None}
        return JudgePrices(check=check, votes=known)

    def _choice(self, worth: LabelWorth | None) -> PanelChoice:
        if self.prices is None:
            raise NotEstimableError("no prices were given: --check and --vote")
        if worth is None:
            raise NotEstimableError(self.reasons.get("worth", _NO_GOLD))
        label = self._label_of(self.found[WITH_GOLD.name])
        return choose_judges(self._patterns(), label, worth, self.prices, self.question.level)

    def _fewest(self, worth: LabelWorth) -> FewestJudges | None:
        label = self._label_of(self.found[WITH_GOLD.name])
        return choose_fewest(self._patterns(), label, worth, self.question.level)

    def _price_waste(self) -> dict[str, float]:
        prices, codes = self.question.vote_prices, self.whole.codes
        return {
            judge: prices.get(judge, prices.get("", 0.0)) * int((codes[:, place] >= 0).sum())
            for place, judge in enumerate(self.whole.judges)
            if prices and judge not in self.sketch.judges
        }

    def _anchors(self) -> dict[str, AnchorChange] | None:
        if self.question.anchors is None:
            self.reasons["anchors"] = "no earlier votes on the same items were given: --anchor FILE"
            return None
        return anchor_test(self.question.anchors, self.whole)

    def _guess_families(self) -> dict[str, tuple[str, ...]]:
        if not self.is_free:
            return {}
        judges = self.sketch.judges
        guessed = families_of_judges(judges, families_by_name(judges))
        return {family: kin for family, kin in guessed.items() if kin not in self.families.values()}

    def _trios(self) -> TrioEvaluations:
        n = len(self.sketch.judges)
        if n < 4 or len(self.sketch.labels) != 2:
            raise NotEstimableError("they take four judges or more, and two labels")
        if n * (n - 1) * (n - 2) // 6 > _MOST_TRIOS:
            raise NotEstimableError(f"{n} judges make more than {_MOST_TRIOS} trios")
        moments = trio_moments(self.sketch)
        related = same_family(self.sketch.judges, self.question.families)
        i, j, k = moments.trios.T
        apart = ~(related[i, j] | related[i, k] | related[j, k])
        if not apart.any():
            raise NotEstimableError("every trio has two judges of one family")
        kept = {name: counts[apart] for name, counts in vars(moments).items()}
        return evaluate_moments(TrioMoments(**kept))

    def _alarm(self) -> Alarm:
        n_votes = int((self.sketch.cells().votes >= 0).sum())
        many = len(self.sketch.judges) > _MOST_JUDGES
        if many or n_votes * len(self.sketch.labels) > _MOST_VOTES:
            raise NotEstimableError(
                "too many judges with too different votes for the linear programme"
            )
        return alarm(self.sketch, required=self.question.required)

    def _checking(self) -> CheckingProgress | None:
        found = self.found.get(WITH_GOLD.name)
        if found is None:
            why = self.reasons.get(WITH_GOLD.name, "no evaluator was asked that uses labels")
            self.reasons["errors"] = self.reasons["checking"] = why
            return None
        asked, within, level = self.question.positive, self.question.within, self.question.level
        of = label_to_tell(self.sketch.labels, asked, found.prevalence, self.stray)
        return self._try(
            "checking", lambda: checking_progress(found, of, within=within, level=level)
        )

    def _items_to_check(self) -> ItemsToCheck:
        n, known = self.question.propose, self.question.gold
        if not n:
            self.reasons["proposed"] = "no number was asked for: --propose N"
            return ItemsToCheck()
        if self.question.random:
            left = [task for task in order_by_seal(self.table.tasks) if task not in known]
            found = ItemsToCheck(tuple(left[:n]))
        else:
            found = items_to_check(self.table, self.sketch, known, n, self.evidence.gold)
        if not found.tasks:
            self.reasons["proposed"] = "every item has a gold label"
        return found

    def _windows(self) -> tuple[tuple[Window, ...], VoteDrift | None, VoteDrift | None]:
        size, known = self.question.window, self.origin.labels
        if size is None:
            for key in ("windows", "drift", "drift_by_labels"):
                self.reasons[key] = "no window was asked for"
            return (), None, None
        found = list(windows_of(self.table, size, self._in_window))
        periods = [sketch for sketch, _ in found]
        planned, families = self.question.looks, self.question.families
        drift = self._try("drift", lambda: drift_test(periods, planned=planned, families=families))
        by_labels = None
        if not known:
            why = SELECTED_LABELS if self.origin.is_refused else _NO_GOLD
            self.reasons["drift_by_labels"] = why
        else:
            gold = labels_by_window(self.table, size, known)
            by_labels = self._try(
                "drift_by_labels", lambda: drift_with_labels(periods, gold, planned=planned)
            )
        return tuple(window for _, window in found), drift, by_labels

    def _in_window(self, sketch: VoteSketch) -> MethodEstimate | None:
        evidence = replace(self.evidence, sketch=sketch, gold=None)
        three = len(sketch.judges) == 3 and not self.families
        evaluator: Evaluator[Any] = INDEPENDENT if three else ENSEMBLE
        try:
            found = evaluator.evaluate(evidence)
            return MethodEstimate(evaluator, found, None)
        except (InputError, NotEstimableError):
            return None

    def _failures(self, found: IndependentEvaluation | None) -> tuple[tuple[int, float], ...]:
        if found is None or found.n_items < min(_SIZES):
            return ()
        sizes = [size for size in _SIZES if size <= found.n_items]
        rates = failure_rates(self.sketch, sizes, np.random.default_rng(0), n_draws=1000)
        return tuple(zip(sizes, rates.tolist(), strict=True))
