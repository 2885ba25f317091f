"""All methods that evaluate judges, in order of belief: the first that has an answer is told first."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from askpoint.errors import NotEstimableError
from askpoint.judges.evaluation import Evaluation, EvaluationIntervals
from askpoint.judges.evaluator import Evaluator, JudgeEvidence, MethodDoubt
from askpoint.judges.families import families_of_judges, same_family
from askpoint.judges.gold.evaluation import (
    GoldEvaluation,
    evaluate_labelled,
    evaluate_with_gold,
)
from askpoint.judges.gold.residual_totals import totals_of
from askpoint.judges.methods.confusions import evaluate_confusions
from askpoint.judges.methods.dawid_skene import (
    FEW_VOTES,
    ConfusionsEvaluation,
    evaluate_dawid_skene,
)
from askpoint.judges.methods.ensemble import EnsembleEvaluation, evaluate_ensemble
from askpoint.judges.methods.independent import (
    IndependentEvaluation,
    IndependentPoint,
    evaluate_independent,
)
from askpoint.judges.methods.majority import MajorityEvaluation, evaluate_majority
from askpoint.judges.methods.profile import near_failure, profile_intervals
from askpoint.registry import Records

__all__ = [
    "CONFUSIONS",
    "DAWID_SKENE",
    "ENSEMBLE",
    "EVALUATORS",
    "INDEPENDENT",
    "MAJORITY",
    "WITH_GOLD",
    "evaluate_three",
    "list_evaluators",
]

_MOST_IN_PAIRS = 250  # the fit to 176 workers of few votes takes 3 s
_EXCESS = 1.25  # root mean square of residuals, in units of what sampling alone does


def _with_gold(evidence: JudgeEvidence) -> GoldEvaluation:
    if evidence.gold is None:
        raise NotEstimableError("no gold labels were given")
    if evidence.labelled is not None:
        return evaluate_labelled(totals_of(evidence.labelled.as_drawn("as proposed")))
    return evaluate_with_gold(evidence.sketch, evidence.gold)


WITH_GOLD = Evaluator(
    name="with_gold",
    title="gold labels and votes",
    assumption="from the gold labels and the votes on all items; independence is not assumed",
    intervals="these items",
    evaluate=_with_gold,
    uses_labels=True,
    condition="The checked items must have been drawn at random, or be those that --propose named.",
)


def evaluate_three(evidence: JudgeEvidence) -> IndependentEvaluation:
    """Return both points of three judges of three families."""
    n = len(evidence.sketch.judges)
    if n != 3:
        raise NotEstimableError(f"it takes three judges; got {n}; name three with --judges")
    if families_of_judges(evidence.sketch.judges, evidence.families):
        raise NotEstimableError(
            "two of the three judges are of one family, so they do not err independently"
        )
    return evaluate_independent(evidence.sketch, root=evidence.root)


def _independent(evidence: JudgeEvidence) -> IndependentPoint:
    evaluation = evaluate_three(evidence)
    if evaluation.chosen is None:
        raise NotEstimableError(evaluation.reason)
    return evaluation.chosen


def _around_three(
    evidence: JudgeEvidence, found: Evaluation, level: float
) -> EvaluationIntervals | None:
    """By the likelihood where the delta method fails, as for a point outside the unit cube."""
    p = float(next(iter(found.prevalence.values())))
    rows = [[float(x) for x in of.values() if x is not None] for of in found.accuracy.values()]
    rows = [row for row in rows if row]
    if not near_failure(p, np.array(rows), found.n_items):
        return found.interval(level)
    if evidence.families:
        raise NotEstimableError(
            "near failure, where a judge is next to blind or a label rare, intervals are for judges "
            "of different families only"
        )
    return profile_intervals(evidence.sketch, level=level)


def _limits_of_three(evidence: JudgeEvidence, found: IndependentPoint) -> Iterator[MethodDoubt]:
    del evidence
    if not found.is_inside:
        yield MethodDoubt("the points that explain the votes lie outside what is possible")


INDEPENDENT = Evaluator(
    name="independent",
    title="independent errors",
    assumption="if the three judges err independently of each other",
    intervals="these items",
    evaluate=_independent,
    around=_around_three,
    limits=_limits_of_three,
)


def _ensemble(evidence: JudgeEvidence) -> EnsembleEvaluation:
    sketch = evidence.sketch
    if len(sketch.labels) == 2 and len(sketch.judges) > _MOST_IN_PAIRS:
        raise NotEstimableError(
            f"pairs and trios are for at most {_MOST_IN_PAIRS} judges; got {len(sketch.judges)}. Name "
            "some with --judges"
        )
    if len(sketch.judges) == 3 and len(sketch.labels) == 2 and not evidence.families:
        outcome = evaluate_independent(sketch).outcome
        if outcome in ("complex", "empty"):
            raise NotEstimableError(f"three judges have no evaluation to fit: it is {outcome}")
    return evaluate_ensemble(sketch, families=evidence.families)


def _around_ensemble(
    evidence: JudgeEvidence, found: EnsembleEvaluation, level: float
) -> EvaluationIntervals | None:
    if found.clipped:
        raise NotEstimableError(
            f"the accuracies of {', '.join(found.clipped)} came out below 0 or above 1: the votes "
            "contradict independence"
        )
    return _around_three(evidence, found, level)


def _doubt_ensemble(
    evidence: JudgeEvidence, found: EnsembleEvaluation, tolerance: float
) -> Iterator[MethodDoubt]:
    del tolerance
    kin = found.families.values()
    if kin and len(found.judges) - sum(map(len, kin)) + len(kin) == 3:
        yield MethodDoubt(
            "the judges are of three families only, which cannot show whether these err together"
        )
    if n := len(found.flagged):
        yield MethodDoubt(
            "{} pair of judges errs together" if n == 1 else "{} pairs of judges err together", n
        )
    excess = _excess(evidence, found)
    if excess > _EXCESS:
        yield MethodDoubt(
            "pairs of judges agree more unevenly than their accuracies and sampling explain "
            "({} times)",
            excess,
            "factor",
        )


def _excess(evidence: JudgeEvidence, found: EnsembleEvaluation) -> float:
    """Residuals of pairs against what sampling does to a correlation: 1 if judges are independent."""
    votes, counts = evidence.sketch.cells()
    cast = (votes >= 0).astype(float)
    common = (cast * counts[:, None]).T @ cast
    apart = ~same_family(found.judges, evidence.families)
    upper = np.triu((common > 2) & apart, 1)
    squares = found.residuals[upper] ** 2 * common[upper]
    return float(np.sqrt(squares.mean())) if squares.size else math.inf


def _ensemble_details(found: EnsembleEvaluation) -> Mapping[str, Any]:
    return {
        "flagged": [
            {"judges": list(pair.judges), "residual": pair.residual, "deviations": pair.deviations}
            for pair in found.flagged
        ],
        "clipped": list(found.clipped),
        "undefined": dict(found.undefined),
    }


ENSEMBLE = Evaluator(
    name="ensemble",
    title="all pairs and trios",
    assumption="if the judges err independently but for the pairs named below",
    intervals="these items",
    evaluate=_ensemble,
    around=_around_ensemble,
    doubts=_doubt_ensemble,
    details=_ensemble_details,
    second_to="independent",  # for three judges both are one fit
)


def _confusions(evidence: JudgeEvidence) -> ConfusionsEvaluation:
    if len(evidence.sketch.labels) == 2:
        raise NotEstimableError("for two labels the ensemble is evaluated")
    return evaluate_confusions(evidence.sketch)


def _limits_of_latent_labels(
    evidence: JudgeEvidence, found: ConfusionsEvaluation
) -> Iterator[MethodDoubt]:
    del evidence
    if n := len(found.few_votes):
        have = "{} judge has" if n == 1 else "{} judges have"
        yield MethodDoubt(
            f"{have} fewer than {FEW_VOTES} votes on the items of a label, too few for intervals to "
            "be relied on",
            n,
        )


def _few_votes(found: ConfusionsEvaluation) -> Mapping[str, Any]:
    return {"few_votes": list(found.few_votes)}


CONFUSIONS = Evaluator(
    name="confusions",
    title="confusion matrices",
    assumption="by confusion matrices of judges who err independently",
    intervals="the long run",
    evaluate=_confusions,
    limits=_limits_of_latent_labels,
    details=_few_votes,
)


def _dawid_skene(evidence: JudgeEvidence) -> ConfusionsEvaluation:
    return evaluate_dawid_skene(evidence.sketch, families=evidence.families)


DAWID_SKENE = Evaluator(
    name="dawid_skene",
    title="Dawid and Skene's model",
    assumption="by Dawid and Skene's model, in which judges err independently",
    intervals="the long run",
    evaluate=_dawid_skene,
    limits=_limits_of_latent_labels,
    details=_few_votes,
)


def _majority(evidence: JudgeEvidence) -> MajorityEvaluation:
    return evaluate_majority(evidence.sketch)


def _limits_of_majority(
    evidence: JudgeEvidence, found: MajorityEvaluation
) -> Iterator[MethodDoubt]:
    del evidence, found
    yield MethodDoubt(
        "only the majority vote has an answer, and it gives no sign of its own mistakes"
    )


MAJORITY = Evaluator(
    name="majority",
    title="majority vote",
    assumption="if the majority of the judges is always right",
    intervals=None,
    evaluate=_majority,
    limits=_limits_of_majority,
)

EVALUATORS: tuple[Evaluator[Any], ...] = (
    WITH_GOLD,
    DAWID_SKENE,  # of those without labels the nearest to the truth: measured, docs/evidence/judges.md
    CONFUSIONS,
    INDEPENDENT,
    ENSEMBLE,
    MAJORITY,
)
"""The core's, in order of belief."""


def list_evaluators() -> tuple[Evaluator[Any], ...]:
    """Return all methods in order of belief; those of plugins come last."""
    added: Records[str, Evaluator[Any]] = Records("judge_methods", {})
    return (*EVALUATORS, *added.values())
