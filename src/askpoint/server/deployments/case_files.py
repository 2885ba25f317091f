"""Lists of decided cases as files, CSV or JSON lines: read and sent part by part, however many there are."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from askpoint.live.ask_rules import AskRule, case_fields
from askpoint.server.deployments.case_filters import CaseFilter, regions_of
from askpoint.server.deployments.case_lists import iterate_cases
from askpoint.server.deployments.case_records import CaseRecord
from askpoint.server.deployments.cases import content_text
from askpoint.server.deployments.models import Deployment
from askpoint.server.spreadsheets import to_csv

__all__ = ["COLUMNS", "case_lines"]

COLUMNS = (
    "key",
    "content",
    "prediction",
    "confidence",
    "decision",
    "label",
    "wrong",
    "ruling",
    "weight",
    "group",
    "region",
    "version",
    "decided",
)
"""Of a file; `weight` is 1/propensity, `region` those that labels confirm and that hold the content."""


def case_lines(row: Deployment, which: CaseFilter, kind: str) -> Iterator[str]:
    """Yield the cases of a filter as the lines of a file, the newest first; `kind` is csv or jsonl."""
    regions = regions_of(row)
    rows = (_plain(record, regions) for record in iterate_cases(row, which))
    if kind == "csv":
        yield from to_csv(COLUMNS, rows)
    else:
        for one in rows:
            yield json.dumps(one, ensure_ascii=False) + "\n"


def _plain(record: CaseRecord, regions: Mapping[str, AskRule]) -> dict[str, Any]:
    receipt, label = record.receipt, record.label
    return {
        "key": receipt.key,
        "content": record.content,
        "prediction": record.said,
        "confidence": receipt.confidence,
        "decision": record.action,
        "label": None if label is None else label.label,
        "wrong": None if label is None else label.wrong,
        "ruling": None if record.ruling is None else record.ruling.label,
        "weight": 1 / receipt.propensity if receipt.propensity else None,
        "group": receipt.group,
        "region": _regions_of(record, regions),
        "version": record.version,
        "decided": receipt.at.isoformat(),
    }


def _regions_of(record: CaseRecord, regions: Mapping[str, AskRule]) -> str | None:
    if record.content is None or not regions:
        return None
    fields = case_fields(content_text(record.content))
    if record.receipt.group is not None:
        fields["group"] = record.receipt.group
    return "; ".join(name for name, rule in regions.items() if rule.covers(fields)) or None
