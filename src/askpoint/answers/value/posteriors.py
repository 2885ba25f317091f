"""What is learned of a log: the posterior of being right, and what every threshold will do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from askpoint.answers.value.model_cases import CasePlaces, ModelCases
from askpoint.measures.clusters import (
    design_effect,
    intraclass_correlation,
    shares_of_clusters,
)
from askpoint.measures.inputs import FloatArray
from askpoint.measures.sampling import effective_size
from askpoint.measures.weighted_shares import weighted_share
from askpoint.value.posterior.prospects import Prospects, draw_prospects
from askpoint.value.posterior.rightness_model import RightnessModel
from askpoint.value.selection import depends_on_confidence_alone

__all__ = [
    "case_effect",
    "label_effect",
    "needs_weights",
    "posterior_of",
    "prospects_of",
]

_HIDDEN = 0.5
_NORMAL = 1.96  # half of a 95% interval, in deviations
_LOOKED_AT = (0.1, 0.3, 0.5, 0.7, 0.9)  # shares of cases asked at which clusters are looked at


def needs_weights(case: ModelCases) -> bool:
    """Whether labels of one confidence stand for different numbers of cases.

    Labels whose chance depends on the confidence alone, as those of proposed cases does, tell as much of
    it as any.
    """
    if not case.is_weighted or (case.log is not None and case.log.chosen is not None):
        return False
    places = case.places
    some = places.right + places.wrong > 0
    if case.log is not None and case.log.propensity is not None:
        seen = float(case.log.propensity.min()) if case.log.n_labelled else 1.0
        if (case.log.least_propensity or seen) < _HIDDEN * seen:
            return True  # cases of which none is labelled
    return not depends_on_confidence_alone(places.lowest[some], 1 / places.weight[some])


def posterior_of(
    places: CasePlaces, *, is_weighted: bool, is_score: bool = False
) -> RightnessModel:
    """The posterior of being right, from labelled and other cases.

    Weighted labels, and those that belong together, count as many as tell as much.
    """
    model = RightnessModel(scale="score" if is_score else "auto")
    if not is_weighted and (places.mass == places.items).all():
        known = places.right + places.wrong
        model.fit_counts(places.lowest, places.right, places.wrong, places.items - known)
    else:
        some = places.right + places.wrong > 0
        weight = places.weight[some] if is_weighted else None
        model.fit(places.lowest[some], places.right[some] > 0, places.lowest, weight, places.mass)
    if not is_weighted and places.cluster is None:
        return model
    found = model.evidence_
    n_cases = found.n_cases / case_effect(places)
    if is_weighted:
        labels = label_effect(places, model, is_weighted=is_weighted)
        right, wrong = found.right / labels, found.wrong / labels
    else:
        right, wrong = _count_by_cluster(places, model)
    return model.fit_evidence(replace(found, right=right, wrong=wrong, n_cases=n_cases))


def _count_by_cluster(places: CasePlaces, model: RightnessModel) -> tuple[FloatArray, FloatArray]:
    """Right and wrong labels of each group, of which those of a cluster count as their likeness says."""
    evidence = model.evidence_
    some = places.right + places.wrong > 0
    if places.cluster is None or not some.any():
        return evidence.right, evidence.wrong
    confidence, cluster = places.lowest[some], places.cluster[some]
    deviations = (places.right[some] > 0) - model.predict(confidence)
    share = shares_of_clusters(cluster, intraclass_correlation(deviations, cluster))
    right, wrong = (
        evidence.count(confidence, counts[some] * share) for counts in (places.right, places.wrong)
    )
    return right, wrong


def label_effect(places: CasePlaces, model: RightnessModel, *, is_weighted: bool) -> float:
    """How many labels tell as much as one independent label of the usual weight."""
    some = places.right + places.wrong > 0
    if not some.any():
        return 1.0
    deviations = (places.right[some] > 0) - model.predict(places.lowest[some])
    cluster = None if places.cluster is None else places.cluster[some]
    if not is_weighted:
        return design_effect(deviations, cluster)
    weight = places.weight[some]
    found = design_effect(deviations, cluster, weight)
    share = weighted_share(places.wrong[some] > 0, weight, cluster=cluster)
    if share.interval is None or not 0 < share.estimate < 1:
        return found
    # as few as leave an interval as wide, which allows for heavy mistakes that were not seen
    half = (share.interval.upper - share.interval.lower) / 2
    told = share.estimate * (1 - share.estimate) * (_NORMAL / half) ** 2
    return max(found, effective_size(weight) / told)


def case_effect(places: CasePlaces) -> float:
    """How many cases tell as much of the shares asked as an independent one."""
    if places.cluster is None:
        return 1.0
    cuts: FloatArray = np.quantile(places.lowest, _LOOKED_AT)
    found = []
    for cut in cuts:
        asked = places.lowest < cut
        found.append(design_effect(asked - asked.mean(), places.cluster))
    return float(np.mean(found))


def prospects_of(case: ModelCases, rng: np.random.Generator) -> tuple[RightnessModel, Prospects]:
    """What every threshold will do to new cases."""
    is_score = case.question.objective.costs is not None
    places = case.places
    posterior = posterior_of(places, is_weighted=needs_weights(case), is_score=is_score)
    found = draw_prospects(posterior, rng)
    if places.cluster is not None:
        # the next cases come in clusters, too
        wrong = label_effect(places, posterior, is_weighted=False)
        found = replace(found, asked_effect=case_effect(places), wrong_effect=wrong)
    return posterior, found
