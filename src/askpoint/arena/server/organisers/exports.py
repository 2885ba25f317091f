"""A campaign as JSON lines and its cases as rows; ``askpoint examine --compare`` reads both."""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import IO, Any

from askpoint.arena.game.transaction import LedgerAccount
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.pseudonyms import Called, by_name, rename_in_key
from askpoint.arena.server.campaigns.records import terms_of
from askpoint.arena.server.examinations.exports import examination_records
from askpoint.arena.server.ledger.services import transactions
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.rulings.models import Ruling
from askpoint.arena.server.rulings.records import export_votes
from askpoint.arena.server.tags.figures import tag_rows
from askpoint.server.classifiers.cases import case_cells, case_columns, image_file, image_of
from askpoint.server.images.services import content_of
from askpoint.server.spreadsheets import to_csv

__all__ = ["columns_of", "records_of", "rows_of", "to_jsonl", "zip_export"]

_BEFORE = ("case_id", "player")
_AFTER = (
    "state",
    "tried",
    "submitted",
    "probabilities",
    "decision",
    "model",
    "similarity",
    "similarity_classifier",
    "family",
    "place",
    "truth",
    "ruling",
    "votes",
    "awarded",
)


def columns_of(campaign: Campaign) -> tuple[str, ...]:
    """Return the columns of the CSV: one row for each case."""
    return (*_BEFORE, *case_columns(campaign.classifier.cases), *_AFTER)


def _time(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def rows_of(campaign: Campaign, called: Called = by_name) -> Iterator[dict[str, Any]]:
    """Yield each case of a campaign, with its votes, in the order of the tries."""
    rulings = {
        ruling.pk: ruling
        for ruling in Ruling.objects.filter(
            campaign=campaign, purpose="submitted"
        ).prefetch_related("votes")
    }
    probes = Probe.objects.filter(campaign=campaign).select_related("player__user")
    for probe in probes.order_by("tried", "pk"):
        ruling = rulings.get(probe.pk)
        yield {
            "case_id": probe.pk,
            "player": called(probe.player.user.username),
            **case_cells(probe.case, campaign.classifier.cases),
            "state": probe.state,
            "tried": _time(probe.tried),
            "submitted": _time(probe.submitted),
            # none where a tag is challenged
            "probabilities": dict(
                zip(probe.options, probe.probabilities, strict=bool(probe.probabilities))
            ),
            "decision": probe.decision,
            "model": probe.model,
            "similarity": probe.similarity,
            "similarity_classifier": probe.similarity_classifier,
            "family": probe.family,
            "place": probe.place,
            "truth": probe.truth,
            "ruling": None if ruling is None else ruling.state,
            "votes": [] if ruling is None else export_votes(ruling, called),
            "awarded": probe.awarded,
        }


def records_of(campaign: Campaign, called: Called = by_name) -> Iterator[dict[str, Any]]:
    """Yield all there is of a campaign: terms, consents, cases, those drawn, every transaction."""
    yield {
        "kind": "campaign",
        "id": campaign.pk,
        "title": campaign.title,
        "wanted": campaign.wanted,
        "state": campaign.state,
        "model": campaign.classifier.name,
        "terms": json.loads(campaign.terms),
    }
    for consent in campaign.consents.select_related("user").order_by("at", "pk"):
        person, text = called(consent.user.username), consent.text
        yield {
            "kind": "consent",
            "person": person,
            "at": _time(consent.at),
            "sha256": consent.digest,
            "text": text,
        }
    for row in rows_of(campaign, called):
        yield {"kind": "case", **row}
    for tag in tag_rows(campaign, called):
        yield {"kind": "tag", **tag}
    for examination in campaign.examinations.filter(state="drawn"):
        yield from examination_records(examination, terms_of(campaign.terms), called)
    for transaction in transactions(campaign.workspace_id, campaign=campaign.pk):
        reverses = transaction.reverses
        yield {
            "kind": "transaction",
            "key": rename_in_key(transaction.key, called),
            "at": _time(transaction.at),
            "about": transaction.about,
            "reverses": None if reverses is None else rename_in_key(reverses, called),
            "entries": [
                [str(_account(account, called)), points] for account, points in transaction.entries
            ],
        }


def _account(account: LedgerAccount, called: Called) -> LedgerAccount:
    if account.kind in ("held", "earned", "paying", "paid"):
        return account._replace(owner=called(account.owner))
    return account


def to_jsonl(records: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Write one JSON object a line."""
    for record in records:
        yield json.dumps(record, ensure_ascii=False) + "\n"


def zip_export(campaign: Campaign, called: Called = by_name) -> IO[bytes]:
    """Return a ZIP file, to be read: cases.csv, and beside it the images that were submitted."""
    out = tempfile.TemporaryFile()  # noqa: SIM115 - whoever sends it closes it
    with zipfile.ZipFile(out, "w") as pack:  # images are packed already
        lines = to_csv(columns_of(campaign), rows_of(campaign, called))
        pack.writestr("cases.csv", "".join(lines), zipfile.ZIP_DEFLATED)
        submitted = Probe.objects.filter(campaign=campaign).exclude(submitted=None)
        for image in filter(None, map(image_of, submitted.values_list("case", flat=True))):
            row = content_of(campaign.pk, image["sha256"])
            if row is not None:
                pack.writestr(image_file(image), bytes(row.content))
    out.seek(0)
    return out
