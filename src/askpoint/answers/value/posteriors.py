"""What is learned of a log: the posterior of being right, and what every threshold will do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from askpoint.answers.value.case import ModelCases, Places
from askpoint.measures.clusters import design_effect
from askpoint.measures.inputs import FloatArray
from askpoint.measures.sampling import effective_size
from askpoint.measures.weighted_shares import weighted_share
from askpoint.value.posterior.prospects import Prospects, draw_prospects
from askpoint.value.posterior.rightness import RightnessPosterior

__all__ = ["case_effect", "label_effect", "posterior_of", "prospects_of"]

_NORMAL = 1.96  # half of a 95 % interval, in deviations
_LOOKED_AT = (0.1, 0.3, 0.5, 0.7, 0.9)  # shares of cases asked at which clusters are looked at


def posterior_of(
    places: Places, *, is_weighted: bool, is_score: bool = False
) -> RightnessPosterior:
    """The posterior of being right, from labelled and other cases.

    Weighted labels, and those that belong together, count as many as tell as much.
    """
    model = RightnessPosterior(scale="score" if is_score else "auto")
    if not is_weighted and (places.mass == places.items).all():
        known = places.right + places.wrong
        model.fit_counts(places.lowest, places.right, places.wrong, places.items - known)
    else:
        some = places.right + places.wrong > 0
        weight = places.weight[some] if is_weighted else None
        model.fit(places.lowest[some], places.right[some] > 0, places.lowest, weight, places.mass)
    if not is_weighted and places.cluster is None:
        return model
    labels = label_effect(places, model, is_weighted=is_weighted)
    cases = case_effect(places)
    found = model.evidence_
    if labels == cases == 1:
        return model
    return model.fit_evidence(
        replace(
            found,
            right=found.right / labels,
            wrong=found.wrong / labels,
            n_cases=found.n_cases / cases,
        )
    )


def label_effect(places: Places, model: RightnessPosterior, *, is_weighted: bool) -> float:
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


def case_effect(places: Places) -> float:
    """How many cases tell as much of the shares asked as an independent one."""
    if places.cluster is None:
        return 1.0
    cuts: FloatArray = np.quantile(places.lowest, _LOOKED_AT)
    found = []
    for cut in cuts:
        asked = places.lowest < cut
        found.append(design_effect(asked - asked.mean(), places.cluster))
    return float(np.mean(found))


def prospects_of(
    case: ModelCases, rng: np.random.Generator
) -> tuple[RightnessPosterior, Prospects]:
    """What every threshold will do to new cases."""
    # chosen by their confidence alone, labels tell as much of it as any
    is_weighted = case.is_weighted and (case.log is None or case.log.chosen is None)
    is_score = case.question.objective.costs is not None
    places = case.places
    posterior = posterior_of(places, is_weighted=is_weighted, is_score=is_score)
    found = draw_prospects(posterior, rng)
    if places.cluster is not None:
        # the next cases come in clusters, too
        wrong = label_effect(places, posterior, is_weighted=False)
        found = replace(found, asked_effect=case_effect(places), wrong_effect=wrong)
    return posterior, found
