"""What an examination says, as one JSON object; what is undefined is null, with a reason."""

from __future__ import annotations

from typing import Any

from askpoint.answers.examination.answer import (
    DecisionLine,
    ExaminationAnswer,
    LabelledAnswer,
)
from askpoint.answers.examination.regions_answer import RegionsAnswer, ReleasesAnswer
from askpoint.measures.inputs import FloatArray
from askpoint.reports.examination.comparison import compare_object
from askpoint.reports.examination.tables import severity_counts
from askpoint.reports.objects import record, with_reasons
from askpoint.unknowns.findings import BinFinding
from askpoint.unknowns.quadrants import QUADRANTS, Quadrants
from askpoint.unknowns.regions import Region

__all__ = ["examination_object", "object_of_labels"]


def examination_object(answer: ExaminationAnswer) -> dict[str, Any]:
    """Return the object that ``askpoint examine LOG --judged FILE --json`` prints."""
    findings = answer.findings
    drawn, advice = findings.examination, answer.advice
    reasons = {}
    if advice.further is None:
        reasons["stop.further"] = advice.reason
    if answer.agreement is None:
        reasons["agreement"] = "no case was judged by more than one judge"
    content = {
        "n_items": answer.n_items,
        "n_drawn": len(drawn.items),
        "n_judged": findings.n_judged,
        "method": drawn.method,
        "seed": drawn.seed,
        "digest": drawn.digest,
        "level": findings.level,
        "unit": answer.costs.unit,
        "mistakes": record(findings.mistakes),
        "unknown_unknowns": record(findings.unknown_unknowns),
        "cost": record(findings.cost),
        "stop": {
            "enough": advice.enough,
            "width": answer.question.width,
            "further": advice.further,
        },
        "bins": [_bin(part) for part in findings.bins],
        **_quadrants(
            findings.quadrants, findings.severities, sum(part.mistakes for part in findings.bins)
        ),
        "by_decision": [_decision(line) for line in answer.by_decision],
        "regions": _regions(answer.regions),
        "n_judges": answer.n_judges,
        "agreement": None
        if answer.agreement is None
        else dict(zip(("judged_by_several", "all_agree"), answer.agreement, strict=True)),
        "reasons": reasons,
    }
    if answer.releases is not None:
        content["releases"] = _releases(answer.releases)
    if answer.comparison is not None:
        content["comparison"] = compare_object(answer.comparison)
    return content


def object_of_labels(answer: LabelledAnswer) -> dict[str, Any]:
    """Return the object that ``askpoint examine LOG --json`` prints."""
    content = {
        "n_items": answer.n_items,
        "n_labelled": answer.n_labelled,
        "n_mistakes": answer.n_mistakes,
        "unit": answer.costs.unit,
        **_quadrants(answer.quadrants, answer.severities, answer.n_mistakes),
        "by_decision": [_decision(line) for line in answer.by_decision],
        "regions": _regions(answer.regions),
    }
    if answer.releases is not None:
        content["releases"] = _releases(answer.releases)
    return content


def _decision(line: DecisionLine) -> dict[str, Any]:
    return line._asdict() | {"interval": [line.interval.lower, line.interval.upper]}


def _bin(part: BinFinding) -> dict[str, Any]:
    return record(
        part,
        "low",
        "high",
        "n_cases",
        "n_drawn",
        "n_judged",
        "classes",
        "mistakes",
        "estimated",
        "actual",
        "calibrated",
        why="no case of the bin was judged" if part.n_cases else "the bin is empty",
    )


def _quadrants(quadrants: Quadrants, severities: FloatArray, n_mistakes: int) -> dict[str, Any]:
    return {
        "bounds": record(quadrants.bounds, "estimated", "actual", "by", "normaliser"),
        "quadrants": {
            name: {"n_cases": quadrants.counts[name], "cost": quadrants.costs[name]}
            for name in QUADRANTS
        },
        "severities": severity_counts(severities, n_mistakes),
    }


def _regions(answer: RegionsAnswer) -> dict[str, Any]:
    found = answer.found
    content: dict[str, Any] = dict.fromkeys(
        ("confirmed", "n_found", "n_search", "n_confirm", "alpha")
    )
    if found is not None:
        content = {
            "confirmed": [_region(region) for region in found.confirmed],
            **record(found, "n_found", "n_search", "n_confirm", "alpha"),
        }
    sought = {"sought_in": list(answer.sought_in), "skipped": list(answer.skipped)}
    return with_reasons({**content, **sought}, answer.reason)


def _releases(answer: ReleasesAnswer) -> dict[str, Any]:
    names = (
        "limit", "n_cases", "n_unsure", "n_released", "n_found", "n_search", "n_certify", "alpha",
        "unsure_above",
        "plain_bound",
        "n_plain",
    )  # fmt: skip
    if answer.found is None:
        content = dict.fromkeys(("certified", *names)) | {"limit": answer.limit}
        return with_reasons(content, answer.reason)
    certified = [
        {
            "region": release.name,
            **record(
                release,
                "conditions", "share", "n_cases", "n_mistakes", "p_value", "mistakes", "estimated",
            ),
        }
        for release in answer.found.certified
    ]  # fmt: skip
    return {
        "certified": certified,
        **record(answer.found, *names, why="not even the surest tenth keeps the limit"),
    }


def _region(region: Region) -> dict[str, Any]:
    return {
        "region": region.name,
        **record(
            region,
            "conditions",
            "terms",
            "share",
            "n_cases",
            "n_mistakes",
            "expected",
            "p_value",
            "mistakes",
            "cost",
            "estimated",
            "severity",
            why="it holds no mistake",
        ),
    }
