"""From votes to an answer: every evaluator that applies, and why the others do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from askpoint.answers.judges.answer import JudgesAnswer
from askpoint.answers.judges.checked import check_gold, items_to_check, truth_of_checked
from askpoint.answers.judges.checking import CheckingProgress, checking_progress
from askpoint.answers.judges.estimate import Estimate, as_estimate
from askpoint.answers.judges.question import JudgesQuestion
from askpoint.answers.judges.windows import Window, votes_on, windows_of
from askpoint.errors import InputError, NotEstimableError
from askpoint.judges.checks.agreement import measure_agreement
from askpoint.judges.checks.alarms import Alarm, alarm
from askpoint.judges.checks.drift import VoteDrift, drift_test
from askpoint.judges.evaluation import Evaluation
from askpoint.judges.families import families_of_judges, related_judges
from askpoint.judges.gold.evaluation import GoldEvaluation, evaluate_with_gold
from askpoint.judges.gold.gold_sketch import GoldSketch
from askpoint.judges.methods.confusions import evaluate_confusions
from askpoint.judges.methods.dawid_skene import ConfusionsEvaluation, evaluate_dawid_skene
from askpoint.judges.methods.ensemble import EnsembleEvaluation, evaluate_ensemble
from askpoint.judges.methods.independent import IndependentEvaluation, evaluate_independent
from askpoint.judges.methods.majority import evaluate_majority
from askpoint.judges.sketch.tables import VoteTable
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.judges.trios.batch import TrioEvaluations, evaluate_moments
from askpoint.judges.trios.counts import TrioMoments, trio_moments
from askpoint.judges.trios.search import failure_rates

__all__ = ["answer_judges"]

_Result = TypeVar("_Result")

_MOST_TRIOS = 20_000
_MOST_CELLS = 200_000  # patterns times judges; beyond, the linear programme takes its time
_SIZES = (25, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000)


def answer_judges(
    votes: VoteTable | VoteSketch,
    question: JudgesQuestion,
    progress: Callable[[str], None] | None = None,
) -> JudgesAnswer:
    """Say how good judges are, and how far that can be trusted."""
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
        if isinstance(votes, VoteTable):
            self.table, self.sketch = votes, votes_on(votes)
        elif question.gold or question.window or question.propose:
            raise InputError("gold labels, proposals and windows need the items, not counts")
        else:  # of counts, no item is known
            none = np.empty((0, len(votes.judges)), np.int16)
            self.table, self.sketch = VoteTable((), votes.judges, votes.labels, none), votes
        self.families = families_of_judges(self.sketch.judges, question.families)
        self.n_gold = check_gold(self.table, question.gold)

    def answer(self) -> JudgesAnswer:
        """Ask every evaluator."""
        sketch, question, table = self.sketch, self.question, self.table
        self.progress("evaluating")
        majority = self._try("majority", lambda: evaluate_majority(sketch))
        independent = self._try("independent", self._independent)
        ensemble = self._try("ensemble", lambda: self._ensemble(sketch))
        trios = self._try("trios", self._trios)
        windows, drift = self._windows()
        gold, truth, with_gold = self._gold()
        confusions = self._try("confusions", self._confusions)
        dawid_skene = self._try("dawid_skene", lambda: evaluate_dawid_skene(sketch))
        of_three = self._of_independent(independent)
        estimates = (
            self._of_bounded("with_gold", with_gold),
            of_three,
            # for three judges both are one fit; what was cut at a bound is no second opinion
            self._of_bounded("ensemble", ensemble) if of_three is None else None,
            self._of_latent("confusions", confusions),
            self._of_latent("dawid_skene", dawid_skene),
            None if majority is None else as_estimate("majority", majority),
        )
        self.progress("the alarm")
        found_alarm = self._try("alarm", self._alarm)
        return JudgesAnswer(
            sketch,
            question,
            tuple(estimate for estimate in estimates if estimate is not None),
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
            self.n_gold,
            len(question.gold) - self.n_gold,
            table.n_repeats,
            self.reasons,
            self._checking(gold),
            self.families,
            table.n_clustered,
        )

    def _try(self, key: str, make: Callable[[], _Result]) -> _Result | None:
        try:
            return make()
        except (InputError, NotEstimableError) as error:
            self.reasons[key] = str(error)
            return None

    def _of_bounded(
        self, name: str, found: GoldEvaluation | EnsembleEvaluation | None
    ) -> Estimate | None:
        if found is None:
            return None
        return as_estimate(name, found, found.interval(self.question.level))

    def _of_independent(self, found: IndependentEvaluation | None) -> Estimate | None:
        if found is None or found.chosen is None:
            return None
        return as_estimate("independent", found.chosen, found.interval(self.question.level))

    def _ensemble(self, sketch: VoteSketch) -> EnsembleEvaluation:
        return evaluate_ensemble(sketch, families=self.question.families)

    def _independent(self) -> IndependentEvaluation:
        n = len(self.sketch.judges)
        if n != 3:
            raise NotEstimableError(
                f"it takes three judges, here are {n}; name three with --judges"
            )
        if self.families:
            raise NotEstimableError(
                "two of the three judges are of one family, so they do not err independently"
            )
        found = evaluate_independent(self.sketch, root=self.question.root)
        if found.chosen is None:
            self.reasons["independent"] = found.reason
        return found

    def _confusions(self) -> ConfusionsEvaluation:
        if len(self.sketch.labels) == 2:
            raise NotEstimableError("for two labels the ensemble is evaluated")
        self.progress("confusion matrices")
        return evaluate_confusions(self.sketch)

    def _of_latent(self, name: str, found: ConfusionsEvaluation | None) -> Estimate | None:
        if found is None:
            return None
        level = self.question.level
        return as_estimate(
            name, found, self._try(f"{name}_interval", lambda: found.interval(level))
        )

    def _trios(self) -> TrioEvaluations:
        n = len(self.sketch.judges)
        if n < 4 or len(self.sketch.labels) != 2:
            raise NotEstimableError("they take four judges or more, and two labels")
        if n * (n - 1) * (n - 2) // 6 > _MOST_TRIOS:
            raise NotEstimableError(f"{n} judges make more than {_MOST_TRIOS} trios")
        self.progress("all trios")
        moments = trio_moments(self.sketch)
        related = related_judges(self.sketch.judges, self.question.families)
        i, j, k = moments.trios.T
        apart = ~(related[i, j] | related[i, k] | related[j, k])
        if not apart.any():
            raise NotEstimableError("every trio has two judges of one family")
        kept = {name: counts[apart] for name, counts in vars(moments).items()}
        return evaluate_moments(TrioMoments(**kept))

    def _alarm(self) -> Alarm:
        if len(self.sketch.cells().counts) * len(self.sketch.judges) > _MOST_CELLS:
            raise NotEstimableError(
                "too many judges with too different votes for the linear programme"
            )
        return alarm(self.sketch, required=self.question.required)

    def _gold(
        self,
    ) -> tuple[GoldSketch | None, Evaluation | None, GoldEvaluation | None]:
        """Return the checked items, the truth on them, and what all votes add to that."""
        known = self.question.gold
        if not known:
            missing = ("errors", "with_gold", "checking")
            self.reasons |= dict.fromkeys(missing, "no gold labels were given")
            return None, None, None
        gold = GoldSketch.from_table(self.table, known, unjudged="leave out")
        truth = self._try("errors", lambda: truth_of_checked(self.table, known))
        return gold, truth, self._try("with_gold", lambda: evaluate_with_gold(self.sketch, gold))

    def _checking(self, gold: GoldSketch | None) -> CheckingProgress | None:
        if gold is None:
            return None
        within, level = self.question.within, self.question.level
        return checking_progress(gold, self.sketch.n_items, within=within, level=level)

    def _proposed(self, gold: GoldSketch | None) -> tuple[str, ...]:
        n, known = self.question.propose, self.question.gold
        if not n:
            self.reasons["proposed"] = "no number was asked for: --propose N"
            return ()
        proposed = items_to_check(self.table, self.sketch, known, n, gold)
        if not proposed:
            self.reasons["proposed"] = "every item has a gold label"
        return proposed

    def _windows(self) -> tuple[tuple[Window, ...], VoteDrift | None]:
        size = self.question.window
        if size is None:
            self.reasons["windows"] = self.reasons["drift"] = "no window was asked for"
            return (), None
        found = list(windows_of(self.table, size, self._in_window))
        drift = self._try("drift", lambda: drift_test([sketch for sketch, _ in found]))
        return tuple(window for _, window in found), drift

    def _in_window(self, sketch: VoteSketch) -> Estimate | None:
        try:
            if len(sketch.judges) == 3 and not self.families:
                return self._of_independent(evaluate_independent(sketch, root=self.question.root))
            return self._of_bounded("ensemble", self._ensemble(sketch))
        except (InputError, NotEstimableError):
            return None

    def _failures(self, found: IndependentEvaluation | None) -> tuple[tuple[int, float], ...]:
        if found is None or found.n_items < min(_SIZES):
            return ()
        sizes = [size for size in _SIZES if size <= found.n_items]
        rates = failure_rates(self.sketch, sizes, np.random.default_rng(0), n_draws=1000)
        return tuple(zip(sizes, rates.tolist(), strict=True))
