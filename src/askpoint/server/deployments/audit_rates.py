"""Where it is confident but wrong: regions that labels confirm, and groups whose answers are audited more often.

Audits are only ever raised above the rate that was agreed: the draws below that rate stay a random sample of
all decisions, on which every number rests (spec/live.md, L1 and L6).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from django.db import transaction
from django.utils import timezone
from django.utils.dateformat import format as date_format

from askpoint.errors import AskpointError, InputError, NotEstimableError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.intervals import Interval
from askpoint.reports.document import Block, Grid, Paragraph
from askpoint.reports.words import amount, count, plural, share, share_range
from askpoint.server.deployments.cases import cases_of
from askpoint.server.deployments.models import Deployment, Incident, Label, Policy, Receipt
from askpoint.server.deployments.policies import lock_deployment
from askpoint.server.deployments.policy_state import document_of
from askpoint.server.journal.services import note
from askpoint.unknowns.regions import Region, find_regions

__all__ = ["MOST_RATES", "look_for_regions", "region_blocks", "set_audit_rate"]

MOST_RATES = 20
"""Groups."""

_NEWEST = 3000  # labelled cases that are looked through
_SHORT = 40  # characters: longer values are texts
_COLUMNS = 30


@transaction.atomic
def set_audit_rate(deployment: str, group: str, rate: float | None) -> None:
    """Audit the answers of a group more often from now on; without a rate, as often as the others again.

    Raises
    ------
    InputError
        If the rate is none, or too many groups are raised.
    """
    row = lock_deployment(deployment)
    raised = {name: value for name, value in row.audit_rates.items() if name != group}
    if rate is not None:
        if not 0 < rate < 1:
            raise InputError(f"an audit rate must be between 0 and 1; got {rate:g}")
        if len(raised) >= MOST_RATES:
            raise InputError(
                f"{MOST_RATES} groups are audited more often already: lower one of them first"
            )
        raised[group] = rate
    Deployment.objects.filter(pk=row.pk).update(audit_rates=raised)
    note("audits", campaign=row.pk, about=group, rate=rate)


def look_for_regions(deployment: str) -> None:
    """Look for regions where a classifier is wrong more often than where it is as sure; keep what was found."""
    row = Deployment.objects.filter(pk=deployment).first()
    policy = None if row is None else row.policies.filter(number=row.adopted).first()
    if policy is None:
        return
    found: dict[str, Any] = {
        "at": f"{date_format(timezone.now(), 'j M Y H:i')} UTC",
        "version": policy.number,
    }
    try:
        found |= _regions(policy)
    except AskpointError as error:
        found["problem"] = str(error)
    Deployment.objects.filter(pk=deployment).update(regions=found)
    Incident.objects.filter(deployment=deployment, policy=policy, ended=None).update(regions=found)


def _regions(policy: Policy) -> dict[str, Any]:
    classes: list[str] = document_of(policy).model["classes"]
    counted = Label.objects.filter(policy=policy, counts=True).exclude(source="gold")
    said = dict(counted.order_by("-pk").values_list("key", "label")[:_NEWEST])
    cases = cases_of(policy.deployment, said).filter(content__isnull=False)
    content = dict(cases.values_list("key", "content"))
    rows = Receipt.objects.filter(policy=policy, key__in=list(content)).order_by("seq")
    wanted = ("key", "prediction", "confidence", "propensity", "group")
    known = list(rows.values_list(*wanted))
    if not known:
        raise NotEstimableError(
            "no labelled case has its content: regions are found from what cases contain"
        )
    keys, decided, sure, propensity, groups = zip(*known, strict=True)
    confidence = np.array(sure)
    if confidence.min() < 0 or confidence.max() > 1:
        raise NotEstimableError(
            "its confidences are not probabilities, so equally sure cases cannot be found"
        )
    proba = np.repeat((1 - confidence)[:, None] / (len(classes) - 1), len(classes), axis=1)
    proba[np.arange(len(known)), decided] = confidence
    columns, texts = _features([content[key] for key in keys], groups)
    if not columns and not texts:
        raise NotEstimableError(
            "the cases hold no text and no values from which regions could be learned"
        )
    regions = find_regions(
        proba,
        CostMatrix.zero_one(classes),
        [classes[code] for code in decided],
        [said[key] for key in keys],
        np.random.default_rng(0),
        columns=columns,
        texts=texts,
        weights=1 / np.array(propensity),
    )
    return {"cases": len(known), "found": [_plain(region) for region in regions.confirmed]}


def _features(
    cases: Sequence[Any], groups: Sequence[str | None]
) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """Texts and columns of cases: what is long is a text, what is short or a number a column."""
    rows = [one if isinstance(one, dict) else {"text": one} for one in cases]
    names = dict.fromkeys(str(name) for row in rows for name in row)
    columns: dict[str, Any] = {}
    texts: dict[str, list[str]] = {}
    for name in list(names)[:_COLUMNS]:
        values = [row.get(name) for row in rows]
        numbers = [one for one in values if isinstance(one, int | float)]
        if len(numbers) == len(values):
            columns[name] = np.array(numbers, dtype=np.float64)
            continue
        words = [one if isinstance(one, str) else "" for one in values]
        if name == "text" or max(map(len, words)) > _SHORT:
            texts[name] = words
        else:
            columns[name] = np.array(words, dtype=object)
    if len(set(groups)) > 1:
        columns["group"] = np.array([one or "" for one in groups], dtype=object)
    return columns, texts


def _plain(region: Region) -> dict[str, Any]:
    interval = region.mistakes.interval
    first, *more = region.conditions
    is_group = not more and (first.column, first.relation) == ("group", "is")
    return {
        "name": region.name[:300],
        "share": region.share,
        "cases": region.n_cases,
        "mistakes": region.n_mistakes,
        "expected": region.expected,
        "p": region.p_value,
        "interval": None if interval is None else [float(end) for end in interval],
        "group": str(first.value) if is_group else None,
        "conditions": [[one.column, one.relation, _value(one.value)] for one in region.conditions],
    }


def _value(value: Any) -> Any:
    """A value of a condition as JSON holds it."""
    return value.item() if isinstance(value, np.generic) else value


def region_blocks(row: Deployment) -> Iterator[Block]:
    """Yield where it was found to be sure and wrong, and which groups are audited more often."""
    found = row.regions
    if "problem" in found:
        yield Paragraph(f"No region was sought on {found['at']}: {found['problem']}.")
    elif found:
        cases = plural(found["cases"], "labelled case", "labelled cases")
        if not found["found"]:
            yield Paragraph(
                f"In {cases} of version {found['version']}, looked through on {found['at']}, no region is wrong "
                "more often than other cases at the same confidence."
            )
        else:
            yield Grid(
                "Regions where it is wrong more often than where it is as sure",
                ("", "share of all", "wrong", "of", "expected", "95%"),
                tuple(
                    (
                        one["name"],
                        share(one["share"]),
                        count(one["mistakes"]),
                        count(one["cases"]),
                        amount(one["expected"]),
                        "" if one["interval"] is None else _range(one["interval"]),
                    )
                    for one in found["found"]
                ),
                f"Sought in one half of {cases} of version {found['version']} on {found['at']}, and counted in the "
                "other. That any is shown where there is none has a probability of 2%.",
            )
    if row.audit_rates:
        said = ", ".join(
            f"{name} ({share(rate)})" for name, rate in sorted(row.audit_rates.items())
        )
        yield Paragraph(f"Answers of these groups are audited more often: {said}.")


def _range(ends: Sequence[float]) -> str:
    return share_range(Interval(ends[0], ends[1]))
