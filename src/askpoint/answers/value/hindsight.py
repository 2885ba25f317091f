"""What holds of the rows of a log themselves: the best threshold in hindsight, exactly."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from askpoint.answers.value.answer import GroupLine
from askpoint.answers.value.baselines import Baseline, matrix_baselines, price_baselines
from askpoint.answers.value.guarantee import answering_pays
from askpoint.answers.value.model_cases import CasePlaces, ModelCases
from askpoint.errors import InputError
from askpoint.measures.clusters import design_effect
from askpoint.measures.inputs import FloatArray, IntArray
from askpoint.measures.intervals import clopper_pearson
from askpoint.measures.outcomes import Outcomes
from askpoint.value.curve import ValueCurve
from askpoint.value.objectives import OperatingPoint
from askpoint.value.priced import MistakeCost
from askpoint.value.uncertainty import OutcomeIntervals, outcome_intervals

if TYPE_CHECKING:
    from askpoint.value.reviewer_errors import ReviewerErrors

__all__ = ["check_default", "describe_rows", "group_lines", "hindsight_point"]

_PRICE_STEPS = (2, 5, 10, 20, 50, 100, 1000)


def hindsight_point(
    case: ModelCases, curve: ValueCurve, fixed: float | None = None
) -> tuple[OperatingPoint, ReviewerErrors | None]:
    """The best threshold for the labelled rows, and how right people are where they err.

    A promise and a day's capacity fix it.
    """
    objective, places = case.question.objective, case.places
    if fixed is not None:
        return OperatingPoint.at(curve, fixed), None
    if case.costly is not None:
        return case.costly.choose(), None
    if objective.charges_people and case.log is not None:
        from askpoint.answers.value.people import people_of

        people = people_of(case.log, places.lowest, objective)
        if people is not None:
            return people.choose(curve), people
    n_labelled = float((places.right + places.wrong).sum())
    if objective.is_capacity and (case.is_weighted or n_labelled < places.items.sum()):
        # People see the unlabelled cases too, so capacity is counted on all rows (a share on
        # their weights), and used to the full, as if any case not asked might be a mistake.
        everything = _as_if_wrong(places, by_weight=objective.counts_weight)
        return OperatingPoint.at(curve, objective.choose(everything).threshold), None
    return objective.choose(curve), None


def describe_rows(
    case: ModelCases, curve: ValueCurve, point: OperatingPoint, people: ReviewerErrors | None
) -> dict[str, Any]:
    """The fields of the answer that tell what a threshold does to the rows of the log."""
    places, question = case.places, case.question
    answered = places.above(point.threshold)
    has_unlabelled = places.has_unlabelled

    def on_all(chosen: OperatingPoint) -> OperatingPoint:
        return _on_all_rows(places, chosen) if has_unlabelled else chosen

    whole = on_all(point)
    coverage = places.share(answered)
    n_rows = places.n_cases_of(answered)
    return {
        "point": whole,
        "coverage": coverage,
        "asked": places.count(~answered),
        "coverage_interval": clopper_pearson(coverage * n_rows, n_rows, question.level),
        "intervals": _intervals(case, whole),
        "band": None
        if curve.is_weighted or places.cluster is not None
        else curve.band(1 - question.level),
        "baselines": _baselines(case, curve, point, whole, people),
        "prices": (
            tuple(on_all(MistakeCost(checks - 1).choose(curve)) for checks in _PRICE_STEPS)
            if question.objective.has_one_price
            else ()
        ),
        "people": people,
        "p_value": answering_pays(curve, point) if question.objective.rate is not None else None,
    }


def group_lines(case: ModelCases, places: CasePlaces, threshold: float) -> tuple[GroupLine, ...]:
    """What a threshold does to each group; nobody is picked out by luck."""
    groups = list(case.groups(places))
    if not groups:
        return ()
    level = 1 - (1 - case.question.level) / len(groups)
    found, tested = [], []
    for name, part in groups:
        judged = part.above_fitted(threshold)
        found.append(
            GroupLine(
                name,
                int(part.items.sum()),
                round(float((part.right + part.wrong).sum())),
                part.share(part.above(threshold)),
                *part.share_wrong(judged, level),
                is_cross_fitted=part.judged_from is not None,
            )
        )
        tested.append((part.n_labels_of(judged), found[-1].risk))
    p_values = _against_the_others(tested)
    return tuple(replace(line, p_value=p) for line, p in zip(found, p_values, strict=True))


def _against_the_others(groups: list[tuple[float, float | None]]) -> list[float | None]:
    """Holm's p-values of each group's share against that of all others (Fisher's exact test)."""
    known = [(n, risk) for n, risk in groups if n and risk is not None]
    if len(known) < 2:
        return [None] * len(groups)
    from scipy import stats

    from askpoint.measures.multiple_tests import adjust_by_holm

    counts = [(round(n * risk), round(n * (1 - risk))) for n, risk in known]
    wrong, right = (sum(part) for part in zip(*counts, strict=True))
    found = iter(
        adjust_by_holm(
            [
                float(stats.fisher_exact([[bad, good], [wrong - bad, right - good]]).pvalue)
                for bad, good in counts
            ]
        )
    )
    return [next(found) if n and risk is not None else None for n, risk in groups]


def _as_if_wrong(places: CasePlaces, *, by_weight: bool) -> ValueCurve:
    """The curve of all rows, as if each were a mistake."""
    counts = places.mass if by_weight else places.items.astype(np.float64)
    return ValueCurve.from_outcomes(
        np.zeros(len(counts), dtype=np.bool_), places.lowest, sample_weight=counts
    )


def _on_all_rows(places: CasePlaces, point: OperatingPoint) -> OperatingPoint:
    """A point with the coverage of all rows and the risk of the labelled ones, where these are some."""
    risk, total = point.outcomes.risk, point.outcomes.total
    if risk is None:
        return point
    answered = places.share(places.above(point.threshold)) * total
    outcomes = Outcomes((1 - risk) * answered, risk * answered, max(total - answered, 0))
    return replace(point, outcomes=outcomes)


def _intervals(case: ModelCases, point: OperatingPoint) -> OutcomeIntervals:
    places = case.places
    n = case.n_effective
    known = places.right + places.wrong > 0
    if places.is_weighted and places.cluster is None:
        # fewer where heavy labels err otherwise than light ones
        wrong, weight = places.wrong[known], places.weight[known]
        n /= design_effect(wrong - np.average(wrong, weights=weight), weights=weight)
    intervals = outcome_intervals(
        point.outcomes,
        omega=0.0 if point.rate is None else point.rate.omega,
        n=n,
        level=case.question.level,
    )
    return replace(intervals, risk=case.places.risk(point.threshold, case.question.level)[1])


def _baselines(
    case: ModelCases,
    curve: ValueCurve,
    point: OperatingPoint,
    whole: OperatingPoint,
    people: ReviewerErrors | None,
) -> tuple[Baseline, ...]:
    default = _default(case.classes, case.label_masses(), case.question.default)
    if case.costly is not None:
        coverage = whole.outcomes.coverage if case.places.has_unlabelled else None
        return matrix_baselines(case.costly, point, default[0], coverage=coverage)
    found = price_baselines(curve, whole, default, case.question.objective)
    if people is None or case.log is None:
        return found
    from askpoint.answers.value.people import charge_baselines

    return charge_baselines(found, people, case.log, curve, case.places.lowest, point.threshold)


def check_default(classes: tuple[str, ...], default: str | None) -> None:
    """Refuse a class to fall back on that is none of the log's."""
    if default is not None and default not in classes:
        raise InputError(f"the default {default!r} is not among the classes {', '.join(classes)}")


def _default(
    classes: tuple[str, ...], masses: FloatArray | IntArray, default: str | None
) -> tuple[str, float]:
    """The class that all cases would get without a model, and how many labelled ones have it."""
    code = int(masses.argmax()) if default is None else classes.index(default)
    return classes[code], masses[code].item()
