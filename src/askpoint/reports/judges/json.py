"""The judges' answer as one JSON object; what is undefined is null, with a reason."""

from __future__ import annotations

from typing import Any

from askpoint.answers.judges.answer import JudgesAnswer
from askpoint.answers.judges.estimate import MethodEstimate, accuracy_floats, prevalence_floats
from askpoint.answers.judges.trust import TOLERANCE, judge_trust
from askpoint.judges.checks.blind_spot import BlindSpotBand
from askpoint.judges.checks.drift import VoteDrift
from askpoint.judges.evaluation import Evaluation, EvaluationIntervals
from askpoint.judges.evaluator import Evaluator
from askpoint.judges.evaluators import ENSEMBLE, INDEPENDENT, WITH_GOLD
from askpoint.judges.gold.confidence_sequence import CheckingAdvice
from askpoint.reports.judges.covariates import covariates_object
from askpoint.reports.judges.keep_or_drop import choice_object, worth_object
from askpoint.reports.judges.label_origin import label_origin_object
from askpoint.reports.judges.panel import panel_object
from askpoint.reports.judges.trust import trust_level, trust_reasons
from askpoint.reports.objects import as_json

__all__ = ["judges_object"]


def judges_object(answer: JudgesAnswer) -> dict[str, Any]:
    """Return the object that ``askpoint judges --json`` prints."""
    found, reasons = answer.independent, dict(answer.reasons)
    points = found.points if found is not None else ()
    chosen = found.chosen if found is not None else None
    told = answer.by(INDEPENDENT)
    around = None if told is None else told.intervals
    no_points = reasons.get("independent", "")
    reasons |= {key: no_points for key, part in _independent_parts(answer).items() if part is None}
    if chosen is not None and around is None:
        reasons["interval"] = reasons.get("independent_interval", "")
    content: dict[str, Any] = {
        "n_items": answer.sketch.n_items,
        "judges": list(answer.judges),
        "labels": list(answer.sketch.labels),
        "outcome": None if found is None else found.outcome,
        "is_resolved": None if found is None else found.is_resolved,
        "is_integer_consistent": None if found is None else found.is_integer_consistent,
        "points": [_point(point) for point in points] or None,
        "chosen": None
        if found is None or chosen is None
        else {**_point(chosen), "because": found.reason},
        "interval": None
        if around is None
        else {"level": answer.question.level, **_intervals(around)},
        # the independent evaluator's are told as points, chosen and interval
        **{e.name: _evaluation(answer, e) for e in answer.evaluators if e is not INDEPENDENT},
        "trios": None
        if answer.trios is None
        else {"n_trios": len(answer.trios.trios), "share_inside": answer.trios.share_inside},
        "agreement": _agreement(answer),
        "alarm": _alarm(answer),
        "windows": [
            {
                "start": window.start,
                "n_items": window.n_items,
                "prevalence": window.prevalence,
            }
            for window in answer.windows
        ]
        or None,
        "drift": None if answer.drift is None else _drift(answer.drift),
        "drift_by_labels": None
        if answer.drift_by_labels is None
        else _drift(answer.drift_by_labels),
        "anchors": None
        if answer.anchors is None
        else {judge: vars(change) for judge, change in answer.anchors.items()},
        "failure_rates": [{"n_items": n, "share": rate} for n, rate in answer.failures] or None,
        "errors": _errors(answer),
        "proposed": list(answer.proposed) or None,
        "n_later": answer.n_later,
        "trust": {
            "level": trust_level(trust := judge_trust(answer)),
            "claim": f"prevalence and all accuracies err by at most {TOLERANCE}",
            "reasons": list(trust_reasons(trust)),
        },
        "band": None if answer.blind_spots is None else _band(answer.blind_spots.band),
        "other_bands": None
        if answer.blind_spots is None
        else [_band(band) for band in answer.blind_spots.others],
        "sure": None
        if answer.blind_spots is None
        else {label: vars(of) for label, of in answer.blind_spots.sure.items()},
        "effective_judges": _effective(answer),
        "guessed_families": {f: list(kin) for f, kin in answer.guessed_families.items()} or None,
        "checking": _checking(answer),
        "families": {family: list(kin) for family, kin in answer.families.items()} or None,
        "n_gold": answer.n_gold,
        "n_gold_unjudged": answer.n_gold_unjudged,
        "n_repeats": answer.n_repeats,
        "n_clustered": answer.n_clustered,
        **panel_object(answer),
        "label_origin": label_origin_object(answer),
        "seal": answer.seal,
        "worth": worth_object(answer),
        "choice": choice_object(answer),
        "covariates": covariates_object(answer),
        "notes": {
            key: {k: list(v) if isinstance(v, tuple) else v for k, v in found.items()}
            for key, found in vars(answer.notes).items()
        },
    }
    if not answer.families:
        reasons["families"] = "none was named: --family"
    if not answer.n_gold:
        reasons["label_origin"] = "no gold labels were given"
    if answer.seal is None:
        reasons["seal"] = "no random order was asked for: --propose N --random"
    if not answer.guessed_families:
        reasons["guessed_families"] = "no names look like one family, or families are known"
    reasons |= {key: reasons.get("band", "") for key in ("other_bands", "sure")}
    if not answer.failures:
        reasons["failure_rates"] = "they are of three judges with 25 items or more"
    content["reasons"] = {
        key: why
        for key, why in reasons.items()
        if content.get(key, 0) is None or key.endswith("_interval")
    }
    return content


def _independent_parts(answer: JudgesAnswer) -> dict[str, object]:
    found = answer.independent
    return {
        "outcome": found,
        "is_resolved": found,
        "is_integer_consistent": found,
        "points": None if found is None else found.points or None,
        "chosen": None if found is None else found.chosen,
        "interval": None if found is None else found.chosen,
    }


def _point(point: Evaluation) -> dict[str, Any]:
    return {
        "prevalence": prevalence_floats(point),
        "accuracy": accuracy_floats(point),
        "exact": {label: str(share) for label, share in point.prevalence.items()}
        if not isinstance(next(iter(point.prevalence.values())), float)
        else None,
    }


def _evaluation(answer: JudgesAnswer, evaluator: Evaluator[Any]) -> dict[str, Any] | None:
    estimate = next((e for e in answer.estimates if e.evaluator is evaluator), None)
    if estimate is not None:
        return _plain(estimate)
    if evaluator is ENSEMBLE and answer.ensemble is not None:  # the same fit is told already
        prevalence = prevalence_floats(answer.ensemble)
        return {"prevalence": prevalence, **ENSEMBLE.details(answer.ensemble)}
    return None


def _plain(estimate: MethodEstimate) -> dict[str, Any]:
    content: dict[str, Any] = {
        "prevalence": estimate.prevalence,
        "accuracy": estimate.accuracy,
    }
    if estimate.intervals is not None:
        content["interval"] = _intervals(estimate.intervals)
    return content | dict(estimate.evaluator.details(estimate.evaluation))


def _agreement(answer: JudgesAnswer) -> dict[str, Any]:
    agreement = answer.agreement
    return {
        "observed": agreement.observed,
        "fleiss": agreement.fleiss,
        "krippendorff": agreement.krippendorff,
        "cohen": [
            {"judges": list(pair), "kappa": kappa} for pair, kappa in agreement.cohen.items()
        ],
        "reasons": dict(agreement.reasons),
    }


def _alarm(answer: JudgesAnswer) -> dict[str, Any] | None:
    found = answer.alarm
    if found is None:
        return None
    return {
        "required": answer.question.required,
        "fires": found.fires,
        "is_decided": found.is_decided,
        "best_accuracy": found.best,
        "reason": found.reason,
    }


def _checking(answer: JudgesAnswer) -> dict[str, Any] | None:
    found = answer.checking
    if found is None:
        return None
    return {
        "enough": found.enough,
        "within": answer.question.within,
        "prevalence": {"label": answer.label, **_advice(found.prevalence)},
        "accuracy": {"judge": found.judge, "label": found.label, **_advice(found.accuracy)},
    }


def _drift(drift: VoteDrift) -> dict[str, Any]:
    return {
        "judges": {j: None if one is None else one.p_value for j, one in drift.judges.items()},
        "level": drift.level,
        "alarms": list(drift.alarms),
        "changes": {
            judge: None
            if one is None
            else {"since": one.since, "before": dict(one.before), "after": dict(one.after)}
            for judge, one in drift.judges.items()
        },
    }


def _band(band: BlindSpotBand) -> dict[str, Any]:
    return {
        "correlation": band.correlation,
        "share": dict(band.share),
        "prevalence": {label: as_json(one) for label, one in band.prevalence.items()},
        "accuracy": {
            judge: {label: as_json(one) for label, one in of.items()}
            for judge, of in band.accuracy.items()
        },
    }


def _effective(answer: JudgesAnswer) -> dict[str, Any] | None:
    found = answer.effective
    if found is None:
        return None
    return {
        "number": found.number,
        "interval": as_json(found.interval),
        "correlation": found.correlation,
        "within_families": found.within,
        "between_families": found.between,
        "judges": list(found.judges),
        "pairs": [[None if x != x else x for x in row] for row in found.pairs.tolist()],
        "n_labelled": found.n_labelled,
    }


def _advice(advice: CheckingAdvice) -> dict[str, Any]:
    return {
        "interval": as_json(advice.interval),
        "n_checked": advice.n_checked,
        "further": advice.further,
    }


def _errors(answer: JudgesAnswer) -> dict[str, Any] | None:
    known = answer.by(WITH_GOLD)
    if known is None:
        return None
    return {
        estimate.name: {
            "prevalence": estimate.prevalence_error(known.evaluation),
            "accuracy": estimate.accuracy_error(known.evaluation),
        }
        for estimate in answer.estimates
        if not estimate.evaluator.uses_labels
    }


def _intervals(around: EvaluationIntervals) -> dict[str, Any]:
    reasons = {"reasons": dict(around.reasons)} if around.reasons else {}
    return reasons | {
        "prevalence": {label: as_json(interval) for label, interval in around.prevalence.items()},
        "accuracy": {
            judge: {label: as_json(interval) for label, interval in of.items()}
            for judge, of in around.accuracy.items()
        },
    }
