"""Rows and the game's own objects: judges, and rulings with their votes and claims."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import askpoint.arena.server.rulings.models as models
import askpoint.labelling.case as pure
from askpoint.arena.game.ruling import Ruling
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.pseudonyms import Called, by_name
from askpoint.arena.server.campaigns.records import terms_of
from askpoint.labelling.protocol import Protocol
from askpoint.server.labelling.models import Case
from askpoint.server.labelling.queues import queue_key
from askpoint.server.labelling.records import (
    case_of,
    join_skippers,
    store_case,
)

__all__ = [
    "KIND",
    "add_rulings",
    "export_votes",
    "new_ruling",
    "queue_of",
    "ruling_of",
    "store_ruling",
]

KIND = "campaign"
"""Of a campaign's queue."""


def queue_of(campaign: str) -> str:
    """Return the name of a campaign's queue."""
    return queue_key(KIND, campaign)


def ruling_of(row: models.Ruling) -> Ruling:
    """Return the game's ruling; prefetch ``votes`` and ``claims`` of many."""
    return _as_ruling(case_of(row), row.reserved)


def _as_ruling(case: pure.Case, reserved: int) -> Ruling:
    """Return a case as the game sees it."""
    return Ruling(**{name: getattr(case, name) for name in _CASE}, reserved=reserved)


_CASE = tuple(pure.Case.__dataclass_fields__)


def new_ruling(campaign: Campaign, ruling: Ruling, content: Any, source: str = "") -> models.Ruling:
    """Return the row of a new ruling, which is not stored yet."""
    wanted = terms_of(campaign.terms).protocol.votes
    return models.Ruling(
        id=ruling.id,
        case_ptr_id=ruling.id,
        campaign=campaign,
        queue=queue_of(campaign.pk),
        purpose=ruling.purpose,
        author=ruling.author,
        content=content,
        options=list(ruling.options),
        wanted=wanted,
        free=1 if ruling.is_gold else wanted,
        opened=ruling.opened,
        at=ruling.at,
        gold=ruling.gold,
        skipped=join_skippers(*ruling.skipped),
        source=source,
        reserved=ruling.reserved,
    )


def add_rulings(rows: Iterable[models.Ruling]) -> None:
    """Store many new rulings: Django stores many rows of a table at once, but not of two."""
    rows = list(rows)
    fields = [field.attname for field in Case._meta.concrete_fields]  # noqa: SLF001
    Case.objects.bulk_create(
        (Case(**{name: getattr(row, name) for name in fields}) for row in rows), batch_size=500
    )
    for row in rows:
        row.save_base(raw=True, force_insert=True)  # the game's part alone


def export_votes(row: models.Ruling, called: Called = by_name) -> list[list[Any]]:
    """Return votes as exports hold them: judge, choice, when, and whether it is void."""
    return [
        [called(vote.reviewer), vote.choice, vote.at.isoformat(), vote.void]
        for vote in row.votes.all()
    ]


def store_ruling(row: models.Ruling, before: Ruling, after: Ruling, protocol: Protocol) -> None:
    """Keep what changed: the ruling, new and void votes, claims that came and went."""
    row.reserved = after.reserved
    store_case(row, before, after, protocol, also=("reserved",))
