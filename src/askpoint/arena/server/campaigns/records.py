"""Rows and the game's own objects: terms as text, and the campaign."""

from __future__ import annotations

import functools
import json
from dataclasses import fields
from datetime import timedelta
from typing import Any

import askpoint.arena.server.campaigns.models as models
from askpoint.arena.game.campaign import CampaignState
from askpoint.arena.game.pay import Pay
from askpoint.arena.game.terms import CampaignTerms, Sought
from askpoint.labelling.protocol import Protocol
from askpoint.measures.cost_matrix import CostMatrix

__all__ = ["campaign_of", "terms_of", "terms_text"]

_PLAIN = (
    "scheme",
    "boundary_pay",
    "turn_away",
    "shrink",
    "precision_floor",
    "tries_per_hour",
    "tries_per_address",
)


def terms_text(terms: CampaignTerms) -> str:
    """Return terms as JSON, to be stored and exported."""
    protocol = {}
    for field in fields(Protocol):
        value = getattr(terms.protocol, field.name)
        protocol[field.name] = value.total_seconds() if isinstance(value, timedelta) else value
    found: dict[str, Any] = {name: getattr(terms, name) for name in _PLAIN}
    found |= {
        "costs": json.loads(terms.costs.to_json()),
        "designs": sorted(terms.designs),
        "sought": None if terms.sought is None else list(terms.sought),
        "pay": {field.name: getattr(terms.pay, field.name) for field in fields(Pay)},
        "protocol": protocol,
        "appeal_window": terms.appeal_window.total_seconds(),
        "hold": terms.hold.total_seconds(),
    }
    return json.dumps(found, ensure_ascii=False, sort_keys=True)


@functools.lru_cache(maxsize=256)
def terms_of(text: str) -> CampaignTerms:
    """Return the terms that JSON holds."""
    found = json.loads(text)
    protocol = found["protocol"]
    for field in fields(Protocol):
        if isinstance(getattr(Protocol(), field.name), timedelta):
            protocol[field.name] = timedelta(seconds=protocol[field.name])
    return CampaignTerms(
        CostMatrix.from_json(json.dumps(found["costs"])),
        found["designs"],
        None if found["sought"] is None else Sought(*found["sought"]),
        Pay(**found["pay"]),
        protocol=Protocol(**protocol),
        appeal_window=timedelta(seconds=found["appeal_window"]),
        hold=timedelta(seconds=found["hold"]),
        **{name: found[name] for name in _PLAIN},
    )


def campaign_of(row: models.Campaign) -> CampaignState:
    """Return the game's campaign."""
    return CampaignState(row.id, terms_of(row.terms), row.at, row.state)
