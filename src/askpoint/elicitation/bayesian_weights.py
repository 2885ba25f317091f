"""Class weights from a person's answers, in the same words as from an exact respondent's."""

from __future__ import annotations

import numpy as np

from askpoint.elicitation.bayesian import WeightBelief, bayesian_script
from askpoint.elicitation.elicited_weights import ElicitedWeights
from askpoint.elicitation.mistakes import DeployedPairs, class_groups
from askpoint.elicitation.posterior import DirichletPrior
from askpoint.elicitation.questionnaire import QuestionStep, Script
from askpoint.elicitation.samples import Sample

__all__ = ["bayesian_diagonal"]


def bayesian_diagonal(
    sample: Sample, tolerance: float, *, rng: np.random.Generator, n_questions: int = 20
) -> Script[ElicitedWeights]:
    """Elicit class weights from somebody who errs: the next question is the one that tells most."""

    def estimate(belief: WeightBelief) -> ElicitedWeights:
        cloud, doubts = belief.cloud, ", ".join(belief.reliability.signals)
        return ElicitedWeights(
            "diagonal",
            sample.classes,
            cloud.weights,
            cloud.interval(),
            (f"the answers look unreliable: {doubts}",) if doubts else (),
            details={"reliability": belief.reliability, "radius": cloud.radius()},
        )

    pairs = DeployedPairs(sample, class_groups(None, sample.classes))
    inner = bayesian_script(
        pairs,
        pairs.features,
        DirichletPrior(sample.k),
        rng,
        budget=n_questions,
        radius=tolerance,
        aim="shares",
    )
    try:
        step = next(inner)
        while True:
            answer = yield QuestionStep(step.question, estimate(step.estimate), step.remaining)
            step = inner.send(answer)
    except StopIteration as stop:
        return estimate(stop.value)
