"""What an examination says, as one JSON object; what is undefined is null, with a reason."""

from __future__ import annotations

from typing import Any

from askpoint.answers.examination.answer import JudgedAnswer, LabelledAnswer, RegionsAnswer
from askpoint.measures.inputs import FloatArray
from askpoint.measures.intervals import Interval
from askpoint.reports.examination.tables import severity_counts
from askpoint.unknowns.findings import BinFinding, Finding
from askpoint.unknowns.population import Estimate
from askpoint.unknowns.quadrants import QUADRANTS, Quadrants
from askpoint.unknowns.regions import Region

__all__ = ["judged_object", "labelled_object"]


def judged_object(answer: JudgedAnswer) -> dict[str, Any]:
    """Return the object that ``askpoint examine LOG --judged FILE --json`` prints."""
    findings = answer.findings
    drawn, advice = findings.examination, answer.advice
    reasons = {}
    if advice.further is None:
        reasons["stop.further"] = advice.reason
    if answer.agreement is None:
        reasons["agreement"] = "no case was judged by more than one judge"
    return {
        "n_items": answer.n_items,
        "n_drawn": len(drawn.items),
        "n_judged": findings.n_judged,
        "method": drawn.method,
        "seed": drawn.seed,
        "digest": drawn.digest,
        "level": findings.level,
        "unit": answer.costs.unit,
        "mistakes": _finding(findings.mistakes),
        "unknown_unknowns": _finding(findings.unknown_unknowns),
        "cost": _finding(findings.cost),
        "stop": {
            "enough": advice.enough,
            "width": answer.question.width,
            "further": advice.further,
        },
        "bins": [_bin(it) for it in findings.bins],
        **_quadrants(
            findings.quadrants, findings.severities, sum(it.mistakes for it in findings.bins)
        ),
        "regions": _regions(answer.regions),
        "n_judges": answer.n_judges,
        "agreement": None
        if answer.agreement is None
        else dict(zip(("judged_by_several", "all_agree"), answer.agreement, strict=True)),
        "reasons": reasons,
    }


def labelled_object(answer: LabelledAnswer) -> dict[str, Any]:
    """Return the object that ``askpoint examine LOG --json`` prints."""
    return {
        "n_items": answer.n_items,
        "n_labelled": answer.n_labelled,
        "n_mistakes": answer.n_mistakes,
        "unit": answer.costs.unit,
        **_quadrants(answer.quadrants, answer.severities, answer.n_mistakes),
        "regions": _regions(answer.regions),
    }


def _finding(finding: Finding) -> dict[str, Any]:
    content: dict[str, Any] = {
        "found": finding.found,
        "estimate": _estimate(finding.estimate),
        "looking": _interval(finding.looking),
        "reasons": {},
    }
    for key in ("estimate", "looking"):
        if content[key] is None:
            content["reasons"][key] = finding.reason
    return content


def _interval(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [float(interval.lower), float(interval.upper)]


def _estimate(estimate: Estimate | None) -> dict[str, Any] | None:
    if estimate is None:
        return None
    return {"value": float(estimate.value), "interval": _interval(estimate.interval)}


def _bin(it: BinFinding) -> dict[str, Any]:
    content: dict[str, Any] = {
        "low": it.low,
        "high": it.high,
        "n_cases": it.n_cases,
        "n_drawn": it.n_drawn,
        "n_judged": it.n_judged,
        "classes": {str(name): n for name, n in it.classes.items()},
        "mistakes": it.mistakes,
        "estimated": it.estimated,
        "actual": _estimate(it.actual),
        "calibrated": it.calibrated,
        "reasons": {},
    }
    if it.actual is None:
        why = "no case of the bin was judged" if it.n_cases else "the bin is empty"
        content["reasons"] = dict.fromkeys(("estimated", "actual", "calibrated"), why)
    return content


def _quadrants(quadrants: Quadrants, severities: FloatArray, n_mistakes: int) -> dict[str, Any]:
    bounds = quadrants.bounds
    return {
        "bounds": {
            "estimated": bounds.estimated,
            "actual": bounds.actual,
            "by": bounds.by,
            "normaliser": bounds.normaliser,
        },
        "quadrants": {
            name: {"n_cases": quadrants.counts[name], "cost": quadrants.costs[name]}
            for name in QUADRANTS
        },
        "severities": severity_counts(severities, n_mistakes),
    }


def _regions(answer: RegionsAnswer) -> dict[str, Any]:
    found = answer.found
    content: dict[str, Any] = {
        "confirmed": None if found is None else [_region(region) for region in found.confirmed],
        "n_found": None if found is None else found.n_found,
        "n_search": None if found is None else found.n_search,
        "n_confirm": None if found is None else found.n_confirm,
        "alpha": None if found is None else found.alpha,
        "sought_in": list(answer.sought_in),
        "skipped": list(answer.skipped),
        "reasons": {},
    }
    if found is None:
        content["reasons"] = {key: answer.reason for key, it in content.items() if it is None}
    return content


def _region(region: Region) -> dict[str, Any]:
    return {
        "region": region.name,
        "conditions": [
            {"column": it.column, "relation": it.relation, "value": it.value}
            for it in region.conditions
        ],
        "terms": list(region.terms),
        "share": region.share,
        "n_cases": region.n_cases,
        "n_mistakes": region.n_mistakes,
        "expected": region.expected,
        "p_value": region.p_value,
        "mistakes": _estimate(region.mistakes),
        "cost": _estimate(region.cost),
        "estimated": region.estimated,
        "severity": region.severity,
        "reasons": {} if region.severity is not None else {"severity": "it holds no mistake"},
    }
