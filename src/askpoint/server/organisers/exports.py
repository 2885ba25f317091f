"""A campaign as JSON lines and as CSV; what is read back is exactly what was written."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from askpoint.server.campaigns.models import Campaign
from askpoint.server.ledger.services import transactions
from askpoint.server.probes.models import Probe
from askpoint.server.rulings.models import Ruling

__all__ = ["COLUMNS", "read_csv", "records_of", "rows_of", "to_csv", "to_jsonl"]

COLUMNS = (
    "case_id",
    "player",
    "case",
    "state",
    "tried",
    "submitted",
    "probabilities",
    "decision",
    "model",
    "similarity",
    "similarity_classifier",
    "truth",
    "ruling",
    "votes",
    "awarded",
)
"""Of the CSV: one row for each case."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "'")
_JSON = frozenset({"probabilities", "votes", "similarity", "awarded"})


def _time(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def rows_of(campaign: Campaign) -> Iterator[dict[str, Any]]:
    """Yield each case of a campaign, with its votes, in the order of the tries."""
    rulings = {
        it.pk: it
        for it in Ruling.objects.filter(campaign=campaign, kind="submitted").prefetch_related(
            "votes"
        )
    }
    probes = Probe.objects.filter(campaign=campaign).select_related("player__user")
    for probe in probes.order_by("tried", "pk"):
        ruling = rulings.get(probe.pk)
        votes = [] if ruling is None else list(ruling.votes.all())
        yield {
            "case_id": probe.pk,
            "player": probe.player.user.username,
            "case": probe.case if isinstance(probe.case, str) else json.dumps(probe.case),
            "state": probe.state,
            "tried": _time(probe.tried),
            "submitted": _time(probe.submitted),
            "probabilities": probe.probabilities,
            "decision": probe.decision,
            "model": probe.model,
            "similarity": probe.similarity,
            "similarity_classifier": probe.similarity_classifier,
            "truth": probe.truth,
            "ruling": None if ruling is None else ruling.state,
            "votes": [[it.judge, it.choice, _time(it.at), it.void] for it in votes],
            "awarded": probe.awarded,
        }


def records_of(campaign: Campaign) -> Iterator[dict[str, Any]]:
    """Yield all there is of a campaign: its terms, its cases, every transaction."""
    yield {
        "kind": "campaign",
        "id": campaign.pk,
        "title": campaign.title,
        "wanted": campaign.wanted,
        "state": campaign.state,
        "model": campaign.classifier.name,
        "terms": json.loads(campaign.terms),
    }
    for row in rows_of(campaign):
        yield {"kind": "case", **row}
    for it in transactions(campaign=campaign.pk):
        yield {
            "kind": "transaction",
            "key": it.key,
            "at": _time(it.at),
            "about": it.about,
            "reverses": it.reverses,
            "entries": [[str(account), points] for account, points in it.entries],
        }


def to_jsonl(records: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Write one JSON object a line."""
    for record in records:
        yield json.dumps(record, ensure_ascii=False) + "\n"


def to_csv(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Write CSV that no spreadsheet takes for formulas.

    A text that begins like a formula, or with an apostrophe, gets an apostrophe in front;
    `read_csv` takes it away. A field that is null is empty, and an empty text is ``''``.
    """
    line = io.StringIO()
    writer = csv.writer(line, lineterminator="\r\n")
    for cells in ([*COLUMNS], *([_cell(row[name], name) for name in COLUMNS] for row in rows)):
        writer.writerow(cells)
        yield line.getvalue()
        line.seek(0)
        line.truncate()


def _cell(value: Any, name: str) -> str:
    if value is None:
        return ""
    if name in _JSON:
        return json.dumps(value, ensure_ascii=False)
    text = str(value)
    return f"'{text}" if not text or text.startswith(_FORMULA) else text


def read_csv(text: str) -> list[dict[str, Any]]:
    """Return the rows that `to_csv` wrote, value for value."""
    rows = csv.DictReader(io.StringIO(text, newline=""))
    return [{name: _value(cell, name) for name, cell in row.items()} for row in rows]


def _value(cell: str, name: str) -> Any:
    if not cell:
        return None
    if name in _JSON:
        return json.loads(cell)
    return cell.removeprefix("'")
