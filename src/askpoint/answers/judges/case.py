"""From votes to an answer: every evaluator that applies, and why the others do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, TypeVar

from askpoint.answers.judges.answer import JudgesAnswer
from askpoint.answers.judges.blind_spots import BlindSpots, blind_spots_of
from askpoint.answers.judges.estimate import MethodEstimate
from askpoint.answers.judges.gold_labels import ItemsToCheck, items_to_check
from askpoint.answers.judges.label_origin import SELECTED_LABELS
from askpoint.answers.judges.labelling_progress import CheckingProgress, checking_progress
from askpoint.answers.judges.panel_checks import evaluate_trios, failures_by_size, raise_alarm
from askpoint.answers.judges.panel_worth import (
    choose_panel,
    fewest_of,
    find_covariates,
    price_waste,
    worth_of,
)
from askpoint.answers.judges.prepared_panel import PreparedPanel, prepare_panel
from askpoint.answers.judges.prepared_votes import never_labelled
from askpoint.answers.judges.question import JudgesQuestion
from askpoint.answers.judges.windows import Window, evaluate_window, labels_by_window, windows_of
from askpoint.errors import InputError, NotEstimableError
from askpoint.judges.checks.agreement import measure_agreement
from askpoint.judges.checks.anchors import AnchorChange, anchor_test
from askpoint.judges.checks.drift import VoteDrift, drift_test
from askpoint.judges.checks.drift_by_labels import drift_with_labels
from askpoint.judges.checks.effective_number import EffectiveJudges, effective_judges
from askpoint.judges.evaluation import EvaluationIntervals
from askpoint.judges.evaluator import Evaluator, MethodDoubt
from askpoint.judges.evaluators import (
    DAWID_SKENE,
    ENSEMBLE,
    WITH_GOLD,
    evaluate_three,
    list_evaluators,
)
from askpoint.judges.gold.label_worth import LabelWorth
from askpoint.judges.gold.panel_choice import PanelChoice
from askpoint.judges.methods.independent import IndependentEvaluation
from askpoint.judges.sketch.tables import VoteTable
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.measures.seals import order_by_seal, seal_of

__all__ = ["answer_judges"]

_Result = TypeVar("_Result")

_MISFITS = {
    "complex": "only complex numbers explain them",
    "empty": "no three such judges explain them",
    "outside": "only shares below 0 or above 100% explain them",
}
_NO_GOLD = "no gold labels were given"


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
    panel = prepare_panel(votes, question)
    return _Case(panel, progress or (lambda _: None), asked).answer()


class _Case:
    """A panel and the methods to ask, and why parts of the answer are missing."""

    def __init__(
        self,
        panel: PreparedPanel,
        progress: Callable[[str], None],
        evaluators: tuple[Evaluator[Any], ...],
    ) -> None:
        self.panel, self.progress, self.evaluators = panel, progress, evaluators
        self.reasons: dict[str, str] = {}
        self.found: dict[str, Any] = {}
        self.around: dict[str, EvaluationIntervals | None] = {}

    def answer(self) -> JudgesAnswer:
        """Ask every evaluator."""
        panel, question, table = self.panel, self.panel.question, self.panel.table
        sketch, families = panel.sketch, question.families
        estimates = tuple(self._estimates())
        with_gold = self.found.get(WITH_GOLD.name)
        self.progress("all trios")
        trios = self._try("trios", partial(evaluate_trios, sketch, families))
        windows, drift, drift_by_labels = self._windows()
        self.progress("the alarm")
        three = self._try("points", partial(evaluate_three, panel.evidence))
        return JudgesAnswer(
            evidence=panel.evidence,
            question=question,
            evaluators=self.evaluators,
            estimates=estimates,
            independent=three,
            ensemble=self.found.get("ensemble"),
            agreement=measure_agreement(sketch),
            alarm=self._try("alarm", partial(raise_alarm, sketch, question.required)),
            trios=trios,
            windows=windows,
            drift=drift,
            drift_by_labels=drift_by_labels,
            failures=failures_by_size(sketch, three),
            proposed=(proposed := self._items_to_check()).tasks,
            n_later=proposed.n_later,
            n_gold=panel.n_gold - panel.origin.n_left_out,
            n_gold_unjudged=len(question.gold) - panel.n_gold,
            n_repeats=table.n_repeats,
            reasons=self.reasons,
            checking=self._checking(),
            families=panel.families,
            n_clustered=table.n_clustered,
            blind_spots=self._blind_spots(three),
            effective=self._try("effective_judges", self._effective),
            guessed_families=panel.guessed_families,
            anchors=self._anchors(),
            notes=table.notes,
            table=table,
            judges=panel.judges,
            redundant=panel.redundant,
            orders=panel.orders,
            stray_labels=panel.stray,
            abstentions=panel.abstentions,
            never_labelled=never_labelled(sketch.labels, question.gold),
            origin=panel.origin,
            worth=(worth := self._try("worth", self._worth)),
            choice=self._try("choice", partial(self._choice, worth)),
            wasted=price_waste(panel),
            fewest=None if worth is None else fewest_of(panel, self.found[WITH_GOLD.name], worth),
            covariates=self._try("covariates", partial(find_covariates, panel, with_gold)),
            seal=seal_of(table.tasks) if question.random else None,
        )

    def _try(self, key: str, make: Callable[[], _Result]) -> _Result | None:
        try:
            return make()
        except (InputError, NotEstimableError) as error:
            is_refused = self.panel.origin.is_refused and str(error) == _NO_GOLD
            self.reasons[key] = SELECTED_LABELS if is_refused else str(error)
            return None

    def _estimates(self) -> Iterator[MethodEstimate]:
        for evaluator in self.evaluators:
            self.progress(evaluator.title)
            found = self._try(evaluator.name, partial(evaluator.evaluate, self.panel.evidence))
            if found is None:
                continue
            self.found[evaluator.name] = found
            if evaluator.second_to not in self.found:
                key = f"{evaluator.name}_interval"
                around = self._try(
                    key,
                    partial(
                        evaluator.around, self.panel.evidence, found, self.panel.question.level
                    ),
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
            misfits = tuple(ENSEMBLE.doubts(self.panel.evidence, pairs, 0.0))
        elif three is not None and three.outcome in _MISFITS:
            misfits = (MethodDoubt(_MISFITS[three.outcome]),)
        return blind_spots_of(
            found,
            self.panel.sketch,
            self.panel.evidence.gold,
            correlation=self.panel.question.correlation,
            level=self.panel.question.level,
            own=self.around.get(DAWID_SKENE.name),
            misfits=misfits,
        )

    def _effective(self) -> EffectiveJudges:
        gold, question = self.panel.evidence.gold, self.panel.question
        if gold is None:
            raise NotEstimableError(_NO_GOLD)
        sketch, families = self.panel.sketch, question.families
        return effective_judges(gold, sketch=sketch, families=families, level=question.level)

    def _worth(self) -> LabelWorth:
        found = self.found.get(WITH_GOLD.name)
        if self.panel.evidence.gold is None or found is None:
            raise NotEstimableError(self.reasons.get(WITH_GOLD.name, _NO_GOLD))
        return worth_of(self.panel, found)

    def _choice(self, worth: LabelWorth | None) -> PanelChoice:
        prices = self.panel.prices
        if prices is None:
            raise NotEstimableError("no prices were given: --check and --vote")
        if worth is None:
            raise NotEstimableError(self.reasons.get("worth", _NO_GOLD))
        return choose_panel(self.panel, self.found[WITH_GOLD.name], worth, prices)

    def _anchors(self) -> dict[str, AnchorChange] | None:
        if self.panel.question.anchors is None:
            self.reasons["anchors"] = "no earlier votes on the same items were given: --anchor FILE"
            return None
        return anchor_test(self.panel.question.anchors, self.panel.whole)

    def _checking(self) -> CheckingProgress | None:
        found = self.found.get(WITH_GOLD.name)
        if found is None:
            why = self.reasons.get(WITH_GOLD.name, "no evaluator was asked that uses labels")
            self.reasons["errors"] = self.reasons["checking"] = why
            return None
        within, level = self.panel.question.within, self.panel.question.level
        of = self.panel.label_of(found)
        return self._try(
            "checking", lambda: checking_progress(found, of, within=within, level=level)
        )

    def _items_to_check(self) -> ItemsToCheck:
        n, known = self.panel.question.propose, self.panel.question.gold
        if not n:
            self.reasons["proposed"] = "no number was asked for: --propose N"
            return ItemsToCheck()
        if self.panel.question.random:
            left = [task for task in order_by_seal(self.panel.table.tasks) if task not in known]
            found = ItemsToCheck(tuple(left[:n]))
        else:
            found = items_to_check(
                self.panel.table, self.panel.sketch, known, n, self.panel.evidence.gold
            )
        if not found.tasks:
            self.reasons["proposed"] = "every item has a gold label"
        return found

    def _windows(self) -> tuple[tuple[Window, ...], VoteDrift | None, VoteDrift | None]:
        size, known = self.panel.question.window, self.panel.origin.labels
        if size is None:
            for key in ("windows", "drift", "drift_by_labels"):
                self.reasons[key] = "no window was asked for"
            return (), None, None
        found = list(
            windows_of(
                self.panel.table,
                size,
                partial(evaluate_window, self.panel.evidence, self.panel.families),
            )
        )
        periods = [sketch for sketch, _ in found]
        planned, families = self.panel.question.looks, self.panel.question.families
        drift = self._try("drift", lambda: drift_test(periods, planned=planned, families=families))
        by_labels = None
        if not known:
            why = SELECTED_LABELS if self.panel.origin.is_refused else _NO_GOLD
            self.reasons["drift_by_labels"] = why
        else:
            gold = labels_by_window(self.panel.table, size, known)
            by_labels = self._try(
                "drift_by_labels", lambda: drift_with_labels(periods, gold, planned=planned)
            )
        return tuple(window for _, window in found), drift, by_labels
