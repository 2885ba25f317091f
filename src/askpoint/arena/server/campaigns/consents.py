"""What people agree to before they take part: the organiser's text, and their age."""

from __future__ import annotations

import hashlib

from django.utils import timezone

from askpoint.arena.server.campaigns.models import Campaign, Consent
from askpoint.server.accounts.models import User

__all__ = ["age_statement", "agreement_of", "digest_of", "has_agreed", "record_consent"]


def age_statement(campaign: Campaign) -> str:
    """Return what a person states about the own age; empty where nobody is asked."""
    return "" if campaign.age is None else f"I am {campaign.age} years old or older."


def agreement_of(campaign: Campaign) -> str:
    """Return all that a person agrees to; empty where there is nothing."""
    return "\n\n".join(filter(None, (campaign.consent.strip(), age_statement(campaign))))


def digest_of(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()


def has_agreed(campaign: Campaign, user: User) -> bool:
    """Say whether a person agreed to the text as it stands now, or there is none."""
    text = agreement_of(campaign)
    mine = Consent.objects.filter(campaign=campaign, user=user)
    return not text or bool(mine.filter(digest=digest_of(text)).exists())


def record_consent(campaign: Campaign, user: User) -> None:
    """Keep that a person agreed to the text as it stands now; the first time counts."""
    text = agreement_of(campaign)
    if text:
        Consent.objects.get_or_create(
            campaign=campaign,
            user=user,
            digest=digest_of(text),
            defaults={"at": timezone.now(), "text": text},
        )
